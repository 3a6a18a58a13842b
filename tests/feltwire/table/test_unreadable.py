"""A table whose records hold one that cannot be read starts with all the others, and nothing finished is lost."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from feltwire.config import TableConfig, load
from feltwire.ledger.chain import check_chain
from feltwire.ledger.table_ledger import Ledger
from feltwire.table.process import TableProcess
from feltwire.table.table_io import Touched
from feltwire.tools.export import finished_hands
from feltwire.tools.start_check import start_faults
from feltwire.tools.verify.events import verify_table
from table_core.messages import HandStarted, Key, Noticed, SeatsSet, decode_stored
from table_core.rulebook import load_rulebook
from tests.feltwire.machines import Machine, Room
from tests.feltwire.processes import table_settings
from tests.feltwire.station_room import VENUE
from tests.feltwire.unreadable import plant, plant_event
from tests.ports import free_port
from tests.waiting import until

HAND = (Key.NEW_HAND, Key.FOLD, Key.FOLD)


def said(machine: Machine, kind: str) -> list[str]:
    return [event.text for event in machine.of(Noticed) if event.kind == kind]


def stacks(machine: Machine) -> list[int]:
    return [seat.stack for seat in machine.view.seats]


def rows(machine: Machine) -> list[tuple[int, int, bytes]]:
    return list(machine.ledger.raw_events())


def planted(room: Room, *keys: Key) -> Machine:
    """Machine `a` plays a hand and `keys`, then its ledger gets an event that nobody can read; it starts again."""
    machine = room.start("a")
    machine.press(*HAND, *keys)
    room.settle()
    machine.kill()
    plant_event(machine.path, VENUE, "01")
    return room.start("a")


def test_an_event_behind_a_finished_hand_costs_none_and_the_next_hands_are_played(tmp_path: Path) -> None:
    room = Room(tmp_path)
    machine = planted(room)
    assert len(said(machine, "record_unread")) == 1
    before = stacks(machine)
    machine.press(*HAND)
    room.settle()
    assert sum(stacks(machine)) == sum(before) == 30_000
    report = check_chain(rows(machine))
    assert report.ok
    assert len(report.unread) == 1
    assert room.collected == machine.rows, "the station has it too, as bytes"
    found = verify_table("01", rows(machine), load_rulebook("base"))
    assert (found.ok, found.hands) == (True, 2)
    told = finished_hands("01", map(decode_stored, machine.rows), "base")
    assert sum(1 for hand in told if not isinstance(hand, Exception)) == 2


def test_it_is_said_once_however_often_the_table_starts(tmp_path: Path) -> None:
    room = Room(tmp_path)
    planted(room)
    again = room.start("a")
    assert said(again, "record_unread") == []
    assert said(again, "hand_not_observed") == []


def test_an_event_in_mid_hand_ends_the_hand_unobserved_and_the_stacks_are_those_before_it(tmp_path: Path) -> None:
    room = Room(tmp_path)
    machine = planted(room, Key.NEW_HAND, Key.CHECK_CALL)
    assert said(machine, "hand_not_observed") == ["Hand 2 was not observed to its end: count stacks"]
    (seats,) = machine.of(SeatsSet)
    assert seats.gap
    assert sum(seat.stack for seat in seats.seats) == 30_000
    machine.press(*HAND)
    assert [event.hand for event in machine.of(HandStarted)] == [3]


def test_the_station_shows_the_event_that_it_cannot_read_and_follows_the_table(tmp_path: Path) -> None:
    room = Room(tmp_path)
    machine = planted(room, Key.NEW_HAND, Key.CHECK_CALL)
    assert any("cannot be read here" in text for text in room.station.alerts)
    machine.press(*HAND)
    room.settle()
    room.restart_station()
    room.wait(3_000)
    assert any("cannot be read here" in text for text in room.station.alerts)
    assert not any("is told no seats" in text for text in room.station.alerts)
    state = room.station.node._tables.known.state_of("01")
    assert state is not None
    assert state.view() == machine.view


def test_another_machine_takes_the_table_over_with_the_event_that_nobody_can_read(tmp_path: Path) -> None:
    room = Room(tmp_path)
    first = planted(room)
    spare = room.take_over("b")
    assert spare.rows[: len(first.rows)] == first.rows
    spare.press(*HAND)
    room.settle()
    assert room.collected == spare.rows
    assert check_chain(rows(spare)).ok


@pytest.mark.parametrize("key", ["tracker", "faces", "commands", "presses", "charge", "decks"])
@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"[1]", b'{"keypad":{"typed":7}}'])
def test_a_note_that_cannot_be_read_stops_no_start(tmp_path: Path, key: str, raw: bytes) -> None:
    room = Room(tmp_path)
    machine = room.start("a")
    machine.press(*HAND)
    room.settle()
    machine.kill()
    plant(machine.path, "INSERT OR REPLACE INTO notes VALUES (?, ?)", key, raw)
    again = room.start("a")
    room.wait(3_000)
    again.press(*HAND)
    room.settle()
    assert sum(stacks(again)) == 30_000
    assert room.collected == again.rows


def test_a_trackers_note_that_cannot_be_read_in_mid_hand_ends_the_hand_unobserved(tmp_path: Path) -> None:
    room = Room(tmp_path)
    machine = room.start("a")
    machine.press(*HAND, Key.NEW_HAND, Key.CHECK_CALL)
    room.settle()
    machine.kill()
    plant(machine.path, "INSERT OR REPLACE INTO notes VALUES ('tracker', ?)", b'{"keypad":{"typed":7}}')
    again = room.start("a")
    assert said(again, "hand_not_observed")
    assert said(again, "record_unread") == [
        "The note of what was seen of the hand could not be read; it is kept for an engineer"
    ]
    again.press(*HAND)
    assert sum(stacks(again)) == 30_000


def test_a_name_that_cannot_be_read_makes_it_another_machine(tmp_path: Path) -> None:
    room = Room(tmp_path)
    machine = room.start("a")
    machine.press(*HAND)
    machine.kill()
    plant(machine.path, "INSERT OR REPLACE INTO notes VALUES ('identity', ?)", b"\xff\xfe")
    ledger = Ledger.open(machine.path)
    assert len(ledger.identity()) == 16
    ledger.close()


def test_a_process_keeps_the_note_aside_and_its_next_life_begins_a_hand(tmp_path: Path) -> None:
    """`feltwire table` as it runs under a table, without devices and broker."""
    broker = f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n'
    (tmp_path / "table.toml").write_text(table_settings(tmp_path, broker, free_port()))
    path = tmp_path / "table-data" / "table-01.ledger"
    with running(tmp_path) as process:
        process.driver.put(Touched(Key.NEW_HAND, id="t1"))
        until(lambda: process.node.table.in_hand, "the hand")
    plant_event(path, VENUE, "01")
    note = b'{"keypad":{"typed":7}}'
    plant(path, "INSERT OR REPLACE INTO notes VALUES ('tracker', ?)", note)
    event, of_note = (fault.words for fault in start_faults(path.parent))
    assert event.startswith("table-01.ledger: event 1/")
    assert of_note == "table-01.ledger: the note tracker cannot be read."
    with running(tmp_path) as process:
        until(lambda: any(one.kind == "record_unread" for one in process.node.table.notices), "the notice")
        assert not process.node.table.in_hand
        process.driver.put(Touched(Key.NEW_HAND, id="t2"))
        until(lambda: process.node.table.in_hand, "the next hand")
    (kept,) = (tmp_path / "table-data" / "unreadable").iterdir()
    assert kept.read_bytes() == note
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [fault.words for fault in start_faults(path.parent)] == [event]


@contextmanager
def running(folder: Path) -> Iterator[TableProcess]:
    process = TableProcess(load(folder / "table.toml", TableConfig))
    try:
        process.start()
        yield process
    finally:
        process.stop()
