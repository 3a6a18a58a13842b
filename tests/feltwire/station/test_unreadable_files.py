"""A station that finds something unreadable in one of its files starts with the rest, and says what is missing."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from feltwire.config import StationConfig, load
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.season_file import SEASON
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.station.players_store import PlayersStore
from feltwire.station.process import StationProcess
from feltwire.station.station_io import Directed
from feltwire.station.station_store import StationStore
from feltwire.station.tournament.station_tournament import StationTournament
from feltwire.tools.start_check import start_faults
from table_core.messages import QueueView
from tests.feltwire.processes import station_settings
from tests.feltwire.station_room import FakeTable, notices, seated
from tests.feltwire.unreadable import plant, unreadable_event
from tests.ports import free_port
from tests.waiting import until

GARBAGE = b'\xff{"no":'


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a station that has collected a table's events."""
    folder = tmp_path / "station-data"
    StationStore.open(folder).close()
    PlayersStore.open(folder).close()
    PeopleStore.open(folder / "people.db").close()
    table = FakeTable()
    ledger = CollectedLedger.open(folder / "station.ledger")
    ledger.accept_all(table.write(seated(1_000, 1_000), *notices(2)))
    bad = unreadable_event(table.head, "hall", "01", table.ledger.encode().ljust(32))
    assert ledger.accept(bad).is_there
    ledger.close()
    return folder


@contextmanager
def running(data: Path) -> Iterator[StationProcess]:
    """The station in this process, without a broker."""
    config = data.parent / "station.toml"
    config.write_text(station_settings(data.parent, f"mqtt://127.0.0.1:{free_port()}", free_port()))
    process = StationProcess(load(config, StationConfig))
    try:
        process.start()
        yield process
    finally:
        process.stop()


def said(process: StationProcess, words: str) -> bool:
    """Whether the director's queue says it."""
    latest = process.hub.latest("queue")
    items = msgspec.json.decode(latest.data, type=QueueView).items if latest is not None else ()
    return any(words in one.fact for one in items)


NOTE = "INSERT OR REPLACE INTO notes VALUES (?, ?)"
STATION_DB = {
    "clock": ("clock", "the clock cannot be read"),
    "queue": ("queue", "the queue cannot be read"),
    "restored": ("restored", "what was restored from a backup cannot be read"),
    "closing": ("closing", "which event is being closed cannot be read"),
    "tournament": ("tournament", "the tournament's id cannot be read"),
    "leaseholder": ("charge/01", "which machine is table 01 cannot be read"),
}


@pytest.mark.parametrize("what", STATION_DB)
def test_a_note_of_station_db_is_kept_aside_and_named(what: str, data: Path) -> None:
    key, words = STATION_DB[what]
    plant(data / "station.db", NOTE, key, GARBAGE)
    assert any(words in fault.words for fault in start_faults(data))
    with running(data) as process:
        until(lambda: said(process, words), words)
    (kept,) = (data / "unreadable").iterdir()
    assert kept.read_bytes() == GARBAGE
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with running(data):
        pass


def test_a_command_that_cannot_be_read_is_not_carried_out_and_named(data: Path) -> None:
    plant(data / "station.db", 'INSERT INTO outgoing ("table", id, bytes) VALUES (?, ?, ?)', "01", "c1", GARBAGE)
    with running(data) as process:
        until(lambda: said(process, "command 1 to table 01 cannot be read"), "the command")


def test_a_table_whose_leaseholder_cannot_be_read_is_nobodys_before_the_director_decides(data: Path) -> None:
    plant(data / "station.db", NOTE, "charge/01", GARBAGE)
    with running(data) as process:
        lease = process.node._tables._leases["01"]
        assert not lease.is_vacant, "the first that asks does not get it"
        assert lease.leaseholder is not None
        assert not lease.leaseholder.key


def test_a_penalty_that_cannot_be_read_keeps_its_player_out(data: Path) -> None:
    row = ("e1", "p7", "2026-11-01", "no_such_kind", "abuse", "tda.71", 0, "")
    plant(data / "players.db", "INSERT INTO penalties VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
    with running(data) as process:
        until(lambda: said(process, "a penalty of player p7 cannot be read"), "the penalty")
        (on_file,) = process.players.on_file()
        assert on_file.kind == "banned"


def test_a_person_who_cannot_be_read_has_no_rights_and_no_session(data: Path) -> None:
    plant(data / "people.db", "INSERT INTO people VALUES ('ann', ?)", GARBAGE)
    session = b'{"key":"k1","person":"ann","made_at":1,"expires":9e9,"seen_at":1}'
    plant(data / "people.db", "INSERT INTO sessions VALUES ('k1', ?)", session)
    plant(data / "people.db", "INSERT INTO sessions VALUES ('k2', ?)", GARBAGE)
    plant(data / "people.db", "INSERT INTO audit (bytes) VALUES (?)", GARBAGE)
    with running(data) as process:
        until(lambda: said(process, "person ann cannot be read"), "the person")
        assert process.signin.person("ann") is None
        assert "k1" not in {session.key for session in process.signin.sessions()}
        assert process.signin.accounts.audit(10) == []


def test_a_line_of_the_season_is_kept_and_named(data: Path) -> None:
    (data / SEASON).write_bytes(b"no event\n")
    with running(data) as process:
        until(lambda: said(process, "season.jsonl: line 1 cannot be read"), "the line")


def test_an_event_that_cannot_be_read_is_named_with_its_number(data: Path) -> None:
    with running(data) as process:
        until(lambda: said(process, "event 1/4 of its records cannot be read here"), "the event")


def test_a_checkpoint_that_cannot_be_read_ends_nothing(data: Path) -> None:
    plant(data / "station.ledger", "INSERT INTO checkpoints VALUES (1, '', ?)", GARBAGE)
    assert any("checkpoint 1" in fault.words for fault in start_faults(data))
    with running(data):
        pass


# ------------------------------------------------------------------------------------------------ timers


def test_a_timer_that_raises_is_left_out_and_the_station_goes_on(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What ended a station for good: it raised at each step, and was started again with the same records."""

    def faulty(*_: object) -> None:
        raise ValueError("Ah Kd")

    monkeypatch.setattr(StationTournament, "go_on", faulty)
    with running(data) as process:
        until(lambda: said(process, "A fault in the tournament: it is left out"), "the fault")
        process.driver.put(Directed("p1", "pause", until=None))
        until(lambda: b'"running":false' in process.hub.latest("clock").data, "the clock stands")  # type: ignore[union-attr]
        assert process.driver.failure is None
    assert "ValueError at test_unreadable_files.py" in caplog.text
    assert "Ah Kd" not in caplog.text
