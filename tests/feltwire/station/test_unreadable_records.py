"""Records of a tournament that cannot be read: nothing of it goes on, and nothing else stops, before a person has
decided."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltwire.ledger.store import LedgerError
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.tools.start_check import start_faults
from table_core.messages import QueueView
from table_core.tournament.events import Unread
from table_core.tournament.night import Night, Recorded
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station.test_restored import chips_of, newcomer, rebuy, told
from tests.feltwire.unreadable import LONG, plant, plant_record


@pytest.fixture
def room() -> NightRoom:
    room = NightRoom(book="rpl")
    room.run_up(6, rulebook="rpl")
    for table in room.tables:
        room.begin_hand(table)
        room.finish(table, winner=0, loser=0)
    return room


def item(room: NightRoom, id_: str) -> Any:
    room.wait(1_100)
    items = msgspec.json.decode(room.station.pages["queue"], type=QueueView).items
    return next((one for one in items if one.id == id_), None)


def forget(room: NightRoom, no: int) -> None:
    """Record `no` cannot be read any more, and the station is started again."""
    records = room.station.records
    one = records[no - 1]
    records[no - 1] = Recorded(one.no, one.at, one.command, one.by, Unread())
    room.kill_station()
    room.wait(2_000)


def test_the_tournament_is_shut_until_a_person_decides_and_the_room_plays_on(room: NightRoom) -> None:
    rebuy(room)
    before = chips_of(room)
    forget(room, len(room.station.records))
    found = item(room, "lost")
    assert f"Record {len(room.station.records)} of the tournament cannot be read" in found.fact
    assert found.primary.command == "records_without"
    assert room.press("buy", player="p2", kind="rebuy", anyway="agreed before").refused
    assert room.press("pause").refused
    assert chips_of(room) == before
    assert "change_seats" not in told(room)
    room.begin_hand("01")
    room.finish("01", winner=0, loser=0)
    assert item(room, "lost") is not None


def test_a_person_goes_on_without_it_enters_it_anew_and_nothing_is_given_twice(room: NightRoom) -> None:
    rebuy(room)
    before = chips_of(room)
    forget(room, len(room.station.records))
    room.do("records_without")
    assert item(room, "lost") is None
    assert "cannot be read. Tables are told nothing" in item(room, "restored").fact
    room.kill_station()
    room.wait(2_000)
    assert item(room, "lost") is None, "what was decided is on the disk"
    rebuy(room)
    room.do("records_complete")
    room.wait(5_000)
    assert chips_of(room) == before
    newcomer(room)
    assert room.press("records_without").refused


def test_what_rests_on_a_record_that_cannot_be_read_is_named_too(room: NightRoom) -> None:
    entered = next(one.no for one in room.station.records if type(one.event).__name__ == "Entered")
    forget(room, entered)
    assert f"Records {entered}, " in item(room, "lost").fact


def test_without_the_record_that_opened_it_there_is_no_event(room: NightRoom) -> None:
    forget(room, 1)
    assert "of the tournament cannot be read" in item(room, "lost").fact
    assert item(room, "lost").primary.command == "records_without"


def test_the_chain_goes_on_over_a_record_that_cannot_be_read(room: NightRoom, tmp_path: Path) -> None:
    """A break's name of 200 letters was taken once."""
    path = tmp_path / "tournament.ledger"
    with closing(TournamentLedger.open(path)) as ledger:
        ledger.append(room.station.records)
    no = plant_record(path, b'"by":"', b'"by":"' + LONG)
    with closing(TournamentLedger.open(path)) as ledger:
        assert isinstance(ledger.records()[-1].event, Unread)
        _, lost = Night.as_far_as_told(ledger.records())
        assert lost == [no]
        last = ledger.records()[0]
        ledger.append([Recorded(no + 1, last.at, "again", "", room.station.records[-1].event)])
    with closing(TournamentLedger.open(path)) as ledger:
        assert [one.no for one in ledger.records() if isinstance(one.event, Unread)] == [no]
    assert start_faults(tmp_path)[0].words.startswith(f"tournament.ledger: record {no} ")
    plant(path, "UPDATE records SET bytes = ? WHERE no = ?", b"{}", no)
    with pytest.raises(LedgerError, match=f"record {no + 1} does not continue"):
        TournamentLedger.open(path)
