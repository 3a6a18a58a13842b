"""The records of a tournament on the disk: chained, replayed, and none of a batch that does not fit."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from feltwire.ledger.store import LedgerError
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.station.players_store import PlayersStore
from table_core.tournament.night import Night, Recorded
from tests.table_core.tournament.simulated import Simulated


@pytest.fixture(scope="module")
def played() -> Simulated:
    night = Simulated("rpl", 27, seed=5)
    night.play()
    return night


def kept(folder: Path, records: list[Recorded]) -> Path:
    path = folder / "tournament.ledger"
    ledger = TournamentLedger.open(path)
    for record in records:
        ledger.append([record])
    ledger.close()
    return path


def test_a_whole_night_read_from_the_disk_is_the_same_night(tmp_path: Path, played: Simulated) -> None:
    ledger = TournamentLedger.open(kept(tmp_path, played.night.records), read_only=True)
    assert Night.replayed(ledger.records()).state == played.night.state
    ledger.close()


def test_records_are_readable_json_with_the_tag_of_their_event(tmp_path: Path, played: Simulated) -> None:
    path = kept(tmp_path, played.night.records[:3])
    rows = sqlite3.connect(path).execute("SELECT bytes FROM records ORDER BY no").fetchall()
    assert b'"data":{"type":"registered","player":"p1"' in rows[2][0]


def test_a_record_that_does_not_follow_is_refused_with_its_whole_batch(tmp_path: Path, played: Simulated) -> None:
    ledger = TournamentLedger.open(tmp_path / "tournament.ledger")
    first, second, _, fourth = played.night.records[:4]
    with pytest.raises(LedgerError, match="record 4 does not follow 2"):
        ledger.append([first, second, fourth])
    assert ledger.records() == []
    ledger.close()


def test_a_record_that_was_changed_is_found_when_it_is_opened(tmp_path: Path, played: Simulated) -> None:
    path = kept(tmp_path, played.night.records[:6])
    with sqlite3.connect(path) as connection:
        changed = "UPDATE records SET bytes = CAST(replace(bytes, 'p1', 'p9') AS BLOB) WHERE no = 3"
        connection.execute(changed)
    connection.close()
    with pytest.raises(LedgerError, match="record 4 does not continue"):
        TournamentLedger.open(path)


def test_a_disk_that_takes_nothing_leaves_the_ledger_as_it_was(tmp_path: Path, played: Simulated) -> None:
    path = kept(tmp_path, played.night.records[:4])
    ledger = TournamentLedger.open(path)
    ledger._store.connection.execute("PRAGMA query_only=ON")
    with pytest.raises(LedgerError):
        ledger.append(played.night.records[4:6])
    ledger._store.connection.execute("PRAGMA query_only=OFF")
    ledger.append(played.night.records[4:6])
    assert [record.no for record in ledger.records()] == [1, 2, 3, 4, 5, 6]
    ledger.close()


def test_a_name_that_is_deleted_is_gone_from_the_files(tmp_path: Path) -> None:
    store = PlayersStore.open(tmp_path)
    store.save("p1", "Ann Example")
    store.save("p2", "Bo Example")
    store.save("p1", "")
    assert store.names() == {"p2": "Bo Example"}
    store.close()
    assert not any(b"Ann Example" in path.read_bytes() for path in tmp_path.iterdir())
