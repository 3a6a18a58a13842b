"""Files of every earlier version open, are brought to the newest, and lose nothing that still counts.

The dumps in `versions/` were written by the programs of earlier commits, which each of them names. They stay as
they are: `released.txt` has their hashes, as sha256sum writes them.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from feltwire.ledger import room_ledger, table_ledger, tournament_ledger
from feltwire.ledger.schema import Schema
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.table_ledger import Ledger
from feltwire.relay import relay_store
from feltwire.relay.coverage import coverage_store
from feltwire.relay.feed import store as feed_store
from feltwire.relay.relay_io import SealedUpto
from feltwire.relay.relay_store import RelayStore
from feltwire.runtime.pages import people_store
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.station import players_store, station_store
from feltwire.station.players_store import PlayersStore
from tests.feltwire.dealt import AT

VERSIONS = Path(__file__).parent / "versions"
TABLE, STATION, RELAY = table_ledger.SCHEMA, room_ledger.SCHEMA, relay_store.SCHEMA
PLAYERS, PEOPLE = players_store.SCHEMA, people_store.SCHEMA
DUMPS = {
    "table-1": TABLE,
    "table-messages-1": TABLE,
    "station-2": STATION,
    "station-db-3": station_store.SCHEMA,
    "players-8": PLAYERS,
    "players-264": PLAYERS,
    "people-5": PEOPLE,
    "people-5-audit": PEOPLE,
    "relay-4": RELAY,
    "relay-5": RELAY,
    "relay-6": RELAY,
}
DOCUMENTED = {
    "`table-NN.ledger`": TABLE,
    "`station.ledger`": STATION,
    "`station.db`": station_store.SCHEMA,
    "`tournament.ledger`": tournament_ledger.SCHEMA,
    "`players.db`": PLAYERS,
    "`people.db`, `table-NN.people`, `relay.people`": PEOPLE,
    "`relay.db`": RELAY,
    "`hands.db`": feed_store.SCHEMA,
    "`coverage.db`": coverage_store.SCHEMA,
}


def old(name: str, path: Path) -> Path:
    """The file of an earlier version at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as made:
        made.executescript((VERSIONS / f"{name}.sql").read_text())
        made.execute("PRAGMA journal_mode=WAL")
    return path


def shape(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Each table and index of a file, with the names and types of its columns."""
    with closing(sqlite3.connect(path)) as found:
        names = found.execute("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").fetchall()
        return {
            name: [
                (row[1], row[2]) if row[2:] else row
                for row in found.execute(
                    "SELECT cid, name, type FROM pragma_table_xinfo(?1) "
                    "UNION ALL SELECT seqno, name, '' FROM pragma_index_info(?1)",
                    (name,),
                )
            ]
            for (name,) in names
        }


def pragma(path: Path, name: str) -> int:
    with closing(sqlite3.connect(path)) as found:
        return int(found.execute(f"PRAGMA {name}").fetchone()[0])


@pytest.mark.parametrize("name", DUMPS)
def test_a_file_of_an_earlier_version_becomes_the_newest(name: str, tmp_path: Path) -> None:
    schema, path = DUMPS[name], old(name, tmp_path / "old.db")
    for _ in range(2):
        Store.open(path, schema).close()
        Store.open(tmp_path / "fresh.db", schema).close()
        assert shape(path) == shape(tmp_path / "fresh.db")
        assert pragma(path, "user_version") == schema.newest


@pytest.mark.parametrize("name", DUMPS)
def test_a_reader_leaves_the_file_as_it_is(name: str, tmp_path: Path) -> None:
    schema, path = DUMPS[name], old(name, tmp_path / "old.db")
    before = path.read_bytes()
    store = Store.open(path, schema, read_only=True)
    for table in re.findall(r"CREATE TABLE (?:IF NOT EXISTS )?(\w+)", schema.tables):
        store.rows(f"SELECT * FROM {table}")
    store.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("schema", {id(schema): schema for schema in DUMPS.values()}.values())
def test_every_earlier_version_has_its_file(schema: Schema) -> None:
    dumps = [(VERSIONS / f"{name}.sql").read_text() for name, other in DUMPS.items() if other is schema]
    marks = {int(re.findall(r"user_version=(\d+)", dump)[0]) for dump in dumps}
    assert marks >= set(schema.marks[:-1])


def test_the_files_of_earlier_versions_stay_as_they_were() -> None:
    listed = dict(reversed(line.split()) for line in (VERSIONS / "released.txt").read_text().splitlines())
    assert {path.name: sha256(path.read_bytes()).hexdigest() for path in VERSIONS.glob("*.sql")} == listed


def test_a_step_that_fails_leaves_the_earlier_version(tmp_path: Path) -> None:
    path = old("relay-4", tmp_path / "relay.db")
    before = shape(path)
    broken = replace(RELAY, steps=(*RELAY.steps[:-1], "CREATE TABLE boxes (x)"))
    with pytest.raises(LedgerError):
        Store.open(path, broken)
    assert (shape(path), pragma(path, "user_version")) == (before, 4)
    RelayStore.open(path).close()
    assert pragma(path, "user_version") == RELAY.newest


def test_a_later_version_is_refused_with_both_versions(tmp_path: Path) -> None:
    path = old("table-1", tmp_path / "table.ledger")
    later = replace(TABLE, marks=(*TABLE.marks, 0x901), steps=(*TABLE.steps, "CREATE TABLE later (x)"))
    Store.open(path, later).close()
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(LedgerError, match=r"later version of this program \(schema 0x901; this one has 0x101"):
            Ledger.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_kinds_that_shared_a_mark_are_told_apart(tmp_path: Path) -> None:
    people, relay = old("people-5", tmp_path / "people.db"), old("relay-5", tmp_path / "relay.db")
    with pytest.raises(LedgerError, match="not a ledger of this kind"):
        Store.open(people, RELAY)
    with pytest.raises(LedgerError, match="not a ledger of this kind"):
        Store.open(relay, PEOPLE)


# ------------------------------------------------------------------------------------ what is kept


def test_a_tables_ledger_goes_on_where_it_was(tmp_path: Path) -> None:
    with closing(Ledger.open(old("table-1", tmp_path / "table.ledger"))) as ledger:
        assert (ledger.head.epoch, ledger.head.seq) == (1, 2)
        assert [seq for _, seq, _ in ledger.outbox()] == [2]
        assert ledger.identity() == "7952842068787390"
        assert ledger.seen("keypad", 7) == {1}
        assert ledger.note("tracker") == b"{}"
        assert len(ledger.sealed_outbox()) == 1


def test_events_that_nobody_signed_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="written by version 1 of the messages, this is version"):
        Ledger.open(old("table-messages-1", tmp_path / "table.ledger"))


@pytest.mark.parametrize("version", [4, 5])
def test_a_box_that_no_rule_opens_any_more_is_gone_from_the_disk(version: int, tmp_path: Path) -> None:
    path = old(f"relay-{version}", tmp_path / "relay.db")
    assert b"c2VhbGVk" in path.read_bytes()
    with closing(RelayStore.open(path)) as store:
        assert (store.boxes("01", 1, 1), store.events("01")) == ([], [])
        assert store.inboxes()["01"].upto == 1, "a box that was acknowledged is not sent again"
        assert store.begin_run("1800", ["01"])
        for file in tmp_path.iterdir():
            assert b"c2VhbGVk" not in file.read_bytes()


def test_a_hand_that_was_released_stays_released(tmp_path: Path) -> None:
    key = "48075a597e721a156e2e0799de5cc0c5324dc6e7eaf1cdd46250868ec53215dd"
    with closing(RelayStore.open(old("relay-5", tmp_path / "relay.db"))) as store:
        assert store.was_released("01", key, 4, 1)
        assert store.leaseholders()["01"].key == key


def test_a_relay_of_this_version_keeps_what_waits(tmp_path: Path) -> None:
    with closing(RelayStore.open(old("relay-6", tmp_path / "relay.db"))) as store:
        assert store.begin_run("1800", ["01"]) == {"01"}
        assert (len(store.boxes("01", 1, 1)), len(store.events("01"))) == (1, 1)


def test_of_a_hand_that_waits_in_an_earlier_version_no_folded_hand_is_released(tmp_path: Path) -> None:
    """Whether they were to be released when it began, that version did not keep."""
    with closing(RelayStore.open(old("relay-6", tmp_path / "relay.db"))) as store:
        (sealed,) = store.sealed_upto().values()
        assert sealed == SealedUpto(folds=1)
        assert store.begin_run("0", ["01"]) == frozenset(), "the delay that it had is known"


def test_names_are_kept_and_penalties_can_be_added(tmp_path: Path) -> None:
    old("players-8", tmp_path / "players.db")
    with closing(PlayersStore.open(tmp_path)) as store:
        assert store.names() == {"p1": "Ann"}
        assert store.on_file() == ()


def test_a_player_who_was_forgotten_under_an_earlier_version_stays_forgotten_and_the_id_nobodys(
    tmp_path: Path,
) -> None:
    old("players-264", tmp_path / "players.db")
    with closing(PlayersStore.open(tmp_path)) as store:
        assert store.known() == {"p1": "Ann", "p2": "", "p3": "José Peña"}
        assert [one.player for one in store.on_file()] == ["p3"]
        assert store.apart() == ()


def test_people_of_the_first_files_sign_in_again(tmp_path: Path) -> None:
    with closing(PeopleStore.open(old("people-5", tmp_path / "first.db"))) as first:
        assert (first.people(), first.audit(9)) == ([], [])
    with closing(PeopleStore.open(old("people-5-audit", tmp_path / "later.db"))) as later:
        assert ([one.name for one in later.people()], len(later.audit(9))) == (["Ann"], 1)


# ------------------------------------------------------------------------------------ the document


def test_the_document_names_every_table_and_column(tmp_path: Path) -> None:
    text = Path("docs/storage.md").read_text()
    described = text.partition("\n### ")[2].partition("\n## ")[0]
    chapters = {head: body for head, _, body in (part.partition("\n") for part in described.split("\n### "))}
    assert chapters.keys() == DOCUMENTED.keys()
    for head, schema in DOCUMENTED.items():
        Store.open(tmp_path / "fresh.db", schema).close()
        said = {
            found[1]: re.findall("`([^`]+)`", found[2])
            for found in re.finditer(r"^\| `(\w+)` \| (.+?) \|", chapters[head], re.M)
        }
        made = {
            name: [column for column, kind in columns]
            for name, columns in shape(tmp_path / "fresh.db").items()
            if name in said or not name.startswith("boxes_")
        }
        assert said == made, head
        mark = re.findall(r"`user_version` (0x[0-9a-f]+|\d+)\.", chapters[head])[0]
        assert int(mark, 0) == schema.newest, head
        (tmp_path / "fresh.db").unlink()


def test_dumps_are_of_events_that_this_program_reads(tmp_path: Path) -> None:
    path = old("station-2", tmp_path / "station.ledger")
    with closing(room_ledger.CollectedLedger.open(path)) as ledger:
        assert [envelope.seq for envelope in ledger.events("01")] == [1, 2]
        assert next(ledger.events("01")).at.boot == AT.boot
