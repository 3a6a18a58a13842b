"""The clocks on the table's own screen: the tournament's as the station said it, and one that was called."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from feltwire.runtime.node_io import Show
from feltwire.table.table_io import BeatCame, Effect
from table_core.messages import (
    Beat,
    Chips,
    FollowClock,
    Key,
    Level,
    Mark,
    Millis,
    Seat,
    SetSchedule,
    TableClocks,
)
from tests.table_under_test import TableUnderTest

BOOT = "station"
LEVELS = (
    Level(1, Chips(100), Chips(200), minutes=20),
    Level(0, Chips(0), Chips(0), minutes=10, is_break=True),
    Level(2, Chips(200), Chips(400), minutes=20),
)


class Clocked(TableUnderTest):
    """`clocks_screen` is the newest snapshot of the clocks, empty before the first."""

    clocks_screen = b""

    def _take(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Show) and effect.channel == "clock/01":
                self.clocks_screen = effect.snapshot
        super()._take(effects)


def shown(table: Clocked) -> TableClocks:
    return msgspec.json.decode(table.clocks_screen, type=TableClocks)


def beat(table: Clocked, at: int) -> None:
    table.give(BeatCame(Beat(BOOT, Millis(at))))


def follow(table: Clocked, index: int, left_ms: int, *, running: bool = True, at: int) -> None:
    table.command(FollowClock(f"c-{at}", 1, Mark(BOOT, Millis(at), index, left_ms, running)))


def test_without_a_station_there_is_no_clock() -> None:
    table = Clocked()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    assert not table.clocks_screen


def test_the_time_left_is_counted_from_what_the_station_said_last() -> None:
    table = Clocked()
    beat(table, 1_000_000)
    table.command(SetSchedule("s-1", 1, LEVELS))
    follow(table, 0, 600_000, at=990_000)
    blinds = shown(table).blinds
    assert blinds is not None
    assert (blinds.level.no, blinds.left_ms, blinds.running, blinds.entry) == (1, 590_000, True, 0)
    assert blinds.next_level is not None
    assert blinds.next_level.is_break
    follow(table, 1, 300_000, running=False, at=1_000_000)
    paused = shown(table).blinds
    assert paused is not None
    assert (paused.level.is_break, paused.left_ms, paused.running) == (True, 300_000, False)


def test_it_is_sent_only_when_it_changes() -> None:
    table = Clocked()
    beat(table, 1_000_000)
    table.command(SetSchedule("s-1", 1, LEVELS))
    follow(table, 0, 600_000, at=1_000_000)
    table.clocks_screen = b""
    table.wait(5_000)
    beat(table, 1_005_000)
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    assert not table.clocks_screen


def test_a_clock_that_was_called_says_on_whom_by_whom_and_how_much_is_left() -> None:
    table = Clocked()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.wait(200_000)
    table.press("2", Key.TIME)
    called = shown(table).called
    assert called is not None
    assert called.seat == Seat(1)
    assert called.left_ms == called.of_ms
    assert called.words.endswith("called by seat 2")
    table.press(Key.FOLD)
    assert shown(table).called is None
