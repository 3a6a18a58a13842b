"""A station that goes on from a backup while its tables are further: nothing is given or done a second time."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from feltwire.lab.station.memory import MemoryStation, of
from feltwire.runtime.broker.topics import leaf_of
from feltwire.runtime.node_io import Publish
from feltwire.station.station_store import REVISIONS_SKIPPED, Restored
from table_core.messages import QueueView
from tests.feltwire.night_room import NightRoom

MADE_AT = 1_700_000_000_000


@dataclass
class Backup:
    """What was on the station's disk."""

    disk: dict[str, Any]
    records: int

    @classmethod
    def of(cls, station: MemoryStation) -> Backup:
        disk = {
            "ledger": deepcopy(station.ledger),
            "records": list(station.records),
            "names": dict(station.names),
            "leaseholders": dict(station.leaseholders),
            "recorded": station.clock_record,
        }
        return cls(disk, len(station.records))

    def restore(self, room: NightRoom, *, known: bool = True) -> None:
        """The station's machine is another one with this backup; the tables send again what it asks for. With
        `known=False` it does not know that it was restored."""
        restored = [Restored(MADE_AT, self.records)] if known else []
        before = room.station
        room.station = MemoryStation(
            before.config, boot="b2", now=before.now + 60_000, wall=before.wall, restored=restored, **self.disk
        ).up()
        room._heard = dict.fromkeys(room.tables, 0)
        room._online()
        room.deliver(room.station.effects)
        room.wait(2_000)


@pytest.fixture
def room() -> NightRoom:
    room = NightRoom(book="rpl")
    room.run_up(6, rulebook="rpl")
    for table in room.tables:
        room.begin_hand(table)
        room.finish(table, winner=0, loser=0)
    return room


def newcomer(room: NightRoom) -> None:
    """Somebody is entered and sits down at table 01."""
    free = min({1, 2, 3, 4, 5} - room.tables["01"].sits.keys())
    taken = next((seat for seat, (who, _) in room.tables["01"].sits.items() if who == "late"), free)
    room.do("register", player="late", member=True, adult=True)
    room.do("enter", player="late")
    room.do("seat_player", player="late", at={"table": "01", "seat": taken})


def rebuy(room: NightRoom) -> None:
    room.do("buy", player="p1", kind="rebuy", anyway="agreed before")


def penalty_in_chips(room: NightRoom) -> None:
    room.do("dock", player="p2", chips=500, reason="abuse")


def chips_of(room: NightRoom) -> dict[str, int]:
    return {who: stack for table in room.tables.values() for who, stack in table.sits.values()}


def told(room: NightRoom) -> set[str]:
    """What the tables were told since the station was restored, beside questions and grants."""
    published = [effect for effect in of(room.station.effects, Publish) if leaf_of(effect.topic) == "command"]
    kinds = {str(msgspec.json.decode(one.payload)["type"]) for one in published}
    return kinds - {"resend"}


def item(room: NightRoom) -> Any:
    room.wait(1_100)
    items = msgspec.json.decode(room.station.pages["queue"], type=QueueView).items
    return next((one for one in items if one.id == "restored"), None)


AFTERWARDS = [[newcomer, rebuy], [rebuy, newcomer], [rebuy], [newcomer]]


@pytest.mark.parametrize(
    "again", [lambda doings: doings, lambda doings: doings[::-1]], ids=["in order", "reversed"]
)
@pytest.mark.parametrize("doings", AFTERWARDS, ids=lambda doings: "-".join(one.__name__ for one in doings))
def test_what_tables_have_done_since_the_backup_is_not_done_again(
    room: NightRoom, doings: list[Callable[[NightRoom], None]], again: Callable[[Any], Any]
) -> None:
    backup = Backup.of(room.station)
    for do in doings:
        do(room)
    before = chips_of(room)

    backup.restore(room)
    assert told(room) == set()
    for do in again(doings):
        do(room)
    assert told(room) == set()
    assert chips_of(room) == before
    room.do("records_complete")
    room.wait(5_000)
    assert chips_of(room) == before
    assert item(room) is None
    assert {"follow_clock"} <= told(room) <= {"follow_clock", "set_schedule", "set_level"}
    room.kill_station()
    room.wait(5_000)
    assert chips_of(room) == before


def test_without_it_chips_would_be_given_twice(room: NightRoom) -> None:
    """What the rule is for: the same backup, taken for the truth."""
    backup = Backup.of(room.station)
    newcomer(room)
    rebuy(room)
    before = chips_of(room)
    backup.restore(room, known=False)
    rebuy(room)
    room.wait(5_000)
    assert chips_of(room) != before


def test_what_is_given_after_the_records_are_complete_is_given(room: NightRoom) -> None:
    backup, without = Backup.of(room.station), chips_of(room)["p1"]
    rebuy(room)
    once = chips_of(room)["p1"]
    backup.restore(room)
    rebuy(room)
    room.do("records_complete")
    rebuy(room)
    room.wait(2_000)
    assert chips_of(room)["p1"] - once == once - without > 0


def test_it_is_the_first_thing_in_the_directors_queue_with_its_button(room: NightRoom) -> None:
    backup = Backup.of(room.station)
    backup.restore(room)
    found = item(room)
    assert f"restored from a backup of 22:13 UTC: {backup.records} records" in found.fact
    assert found.primary.command == "records_complete"
    assert room.press("records_complete").refused is False
    assert room.press("records_complete").refused


def test_a_restart_in_between_does_not_forget_it(room: NightRoom) -> None:
    backup = Backup.of(room.station)
    rebuy(room)
    before = chips_of(room)
    backup.restore(room)
    room.kill_station()
    rebuy(room)
    room.kill_station()
    assert item(room) is not None
    assert told(room) == set()
    room.do("records_complete")
    room.wait(2_000)
    assert chips_of(room) == before


def test_a_table_that_plays_under_another_draw_needs_a_later_backup() -> None:
    room = NightRoom(book="rpl")
    room.do("open", rulebook="rpl", house={"starting_stack": 2_000})
    for no in range(1, 7):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    backup = Backup.of(room.station)
    room.do("draw_seats", tables=["01", "02"])
    room.do("set_button", table="01")
    before = chips_of(room)
    backup.restore(room)
    assert "restore a later backup" in room.press("records_complete").text
    assert chips_of(room) == before


def test_a_schedule_that_was_changed_since_does_not_make_tables_refuse_the_restored_one(room: NightRoom) -> None:
    """`StationStore.becomes_restored` gives it a later revision; without, tables refuse it."""
    backup = Backup.of(room.station)
    for _ in range(3):
        room.do("next_level")
    clock = backup.disk["recorded"]
    later = msgspec.structs.replace(clock, schedule_revision=clock.schedule_revision + REVISIONS_SKIPPED)
    backup.disk["recorded"] = later
    backup.restore(room)
    room.do("records_complete")
    room.wait(5_000)
    assert not [alert for alert in room.alerts if "refused" in alert]
