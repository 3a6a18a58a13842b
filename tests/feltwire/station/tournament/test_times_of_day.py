"""Times of day at the station: what its book states is what a clock on the wall shows, when clocks change too."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from feltwire.config import TableConfig
from feltwire.lab.station.room import MemoryRoom
from table_core.tournament.clock import MINUTE_MS, length_ms
from table_core.tournament.events import Entered, TournamentOpened
from tests.feltwire.night_room import STRANGERS, NightTable
from tests.feltwire.station_room import LEVELS, VENUE, config

NEW_YORK = "America/New_York"


class Hall:
    """A station in a time zone, from a time of day there on."""

    def __init__(self, book: str, zone: str, since: str) -> None:
        self.zone = ZoneInfo(zone)
        began = round(datetime.fromisoformat(since).replace(tzinfo=self.zone).timestamp() * 1_000)
        table = NightTable("01", TableConfig(VENUE, "01", "unused", STRANGERS, LEVELS, 9, rulebook=book))
        settings = config(("01",), rulebook=book, time_zone=zone)
        self.room = MemoryRoom(settings, {"01": table}, wall=lambda now: began + now)

    def do(self, command: str, **arguments: object) -> str:
        reply = self.room.press(command, **arguments)
        assert not reply.refused, (command, reply)
        return reply.text

    def wait(self, minutes: float) -> None:
        self.room.deliver(self.room.station.wait(round(minutes * MINUTE_MS)))

    def seat(self, players: int = 4) -> None:
        for no in range(1, players + 1):
            self.do("register_new", name=f"Player {no}", member=True, adult=True)
            self.do("enter", player=f"p{no}")
        self.do("draw_seats", tables=["01"])
        self.do("set_button", table="01")

    def breaks(self, what: str) -> list[str]:
        """When the breaks of that name that are left begin, if the clock runs on."""
        station = self.room.station
        clock = station.node.tournament.records.state.clock
        assert clock is not None
        reading = clock.read(station.now)
        at, found = station.wall(station.now) + reading.left_ms, []
        for level in clock.levels[reading.index + 1 :]:
            if level.what == what:
                found.append(datetime.fromtimestamp(at / 1_000, self.zone).strftime("%H:%M"))
            at += length_ms(level)
        return found


@pytest.mark.rule("home.start.5")
@pytest.mark.parametrize("day", ["2026-11-01", "2027-03-14", "2027-03-15"])
def test_meals_are_at_their_time_on_days_on_which_clocks_change(day: str) -> None:
    hall = Hall("home", NEW_YORK, f"{day}T10:59:55")
    hall.do("open", name="Sunday")
    hall.do("book_schedule")
    hall.seat()
    hall.wait(0.1)
    state = hall.room.station.node.tournament.records.state
    assert state.started is not None, "at 11:00, by itself"
    assert hall.breaks("meal") == ["13:00", "18:00"]
    hall.do("pause")
    hall.wait(0.5)
    hall.do("resume")
    assert hall.breaks("meal") == ["13:00", "18:00"]


def test_a_meal_behind_midnight_is_at_its_time_in_the_night_in_which_clocks_change() -> None:
    for day in ("2026-10-31", "2027-03-13", "2027-03-17"):
        hall = Hall("home", NEW_YORK, f"{day}T20:29:55")
        opened = hall.do("open", name="Night", house={"meals": [["04:00", 30]], "start_time": "20:30"})
        assert "04:00" not in opened
        hall.do("book_schedule", count=20)
        hall.seat()
        hall.wait(0.1)
        assert hall.room.station.node.tournament.records.state.started is not None
        hall.do("load_schedule", text="level,small_blind,big_blind,ante,big_blind_ante,minutes,break,what\n"
                "1,25,50,0,0,600,,\n,0,0,0,0,30,break,meal\n2,50,100,0,0,60,,\n")  # fmt: skip
        hall.do("add_time", by_ms=MINUTE_MS)
        assert hall.breaks("meal") == ["04:00"], day


def test_a_time_that_the_day_lacks_or_has_twice_is_said_when_the_event_is_opened_or_its_rules_change() -> None:
    hall = Hall("home", NEW_YORK, "2027-03-13T20:00")
    said = hall.do("open", name="Night", house={"meals": [["02:30", 30]], "start_time": "20:30"})
    assert "02:30 does not exist then: the clocks go from 02:00 to 03:00. 03:30 counts." in said
    assert "02:45 does not exist then" in hall.do("change_rules", house={"meals": [["02:45", 30]]})
    hall = Hall("home", NEW_YORK, "2026-10-31T20:00")
    said = hall.do("open", name="Night", house={"meals": [["01:30", 30]], "start_time": "20:30"})
    assert "01:30 comes twice then: the clocks go from 02:00 back to 01:00. The first counts." in said


@pytest.mark.rule("cpp.chips.2")
@pytest.mark.parametrize(("registered", "bonus"), [("20:29", True), ("20:31", False)])
@pytest.mark.parametrize("day", ["2026-11-01", "2027-03-14", "2027-03-16"])
def test_the_bonus_of_the_early_ends_at_its_time(day: str, registered: str, bonus: bool) -> None:
    hall = Hall("cpp", NEW_YORK, f"{day}T{registered}")
    hall.do("open", name="Sunday", house={"starting_stack": 2_000})
    hall.do("register_new", name="Ann", member=True, adult=True)
    hall.do("enter", player="p1")
    entered = [one.event for one in hall.room.station.records if isinstance(one.event, Entered)]
    assert [bool(one.bonus) for one in entered] == [bonus]


def test_a_break_is_planned_for_a_time_of_day_of_the_rooms_own_zone() -> None:
    hall = Hall("home", NEW_YORK, "2026-11-01T10:59:55")
    hall.do("open", name="Sunday")
    hall.seat()
    hall.wait(0.1)
    hall.do("take_break", minutes=5, what="draw", at="11:10")
    assert hall.breaks("draw") == ["11:10"]
    assert hall.room.press("take_break", minutes=5, at="25:00").text == "25:00 is no time of day; write 18:30."


def test_an_event_that_an_earlier_version_opened_has_the_times_that_it_had() -> None:
    """Without changes of the clocks on record a time of day is so long behind midnight."""
    hall = Hall("home", NEW_YORK, "2026-11-01T10:30")
    hall.do("open", name="Sunday")
    night = hall.room.station.node.tournament.records
    opened = next(one.event for one in hall.room.station.records if isinstance(one.event, TournamentOpened))
    assert [shift.by_ms for shift in opened.shifts] == [-60 * MINUTE_MS]
    assert night.state.local_day is not None
    noon = night.state.local_day.at(12 * 60)
    assert night.state.local_day._replace(shifts=()).at(12 * 60) == noon - 60 * MINUTE_MS
