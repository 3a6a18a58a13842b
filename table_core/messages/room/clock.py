"""The tournament clock on the wire."""

from __future__ import annotations

from table_core.messages.base import Chips, Few, Frozen, Many, Millis, Name, Number, Signed, Text
from table_core.messages.parts import Level


class Mark(Frozen, frozen=True):
    """The clock at one instant: `left_ms` of entry `index` of the schedule at `at` of boot `boot`.

    `announcement` counts the levels that began, whatever began them; `revision` the changes that people made.
    """

    boot: str
    at: Millis
    index: int
    left_ms: int
    running: bool = False
    announcement: int = 1
    revision: int = 1


class ClockState(Frozen, frozen=True):
    """The tournament clock at one instant of the station's boot time. `entry` is the place of `level` in `levels`,
    from 0; a level that goes on behind a break is there twice."""

    boot: Name
    at: Millis
    revision: Number
    running: bool
    level: Level
    left_ms: Signed
    next_level: Level | None
    players_left: Number
    entrants: Number
    average_stack: Chips
    levels: Many[Level] = ()
    chips: Chips = Chips(0)  # in play
    buy_in: Number = 0  # cents, as posted; 0 for none
    payouts: Few[Number] = ()  # cents by place, as posted: the first hundred places
    entry: Number | None = None
    note: Text = ""  # text beside the time: "on its own: no word from the station"
