"""The tournament clock on the wire."""

from __future__ import annotations

from table_core.messages.base import Chips, Frozen, Millis
from table_core.messages.parts import Level


class ClockState(Frozen, frozen=True):
    """The tournament clock at one instant of the station's boot time."""

    boot: str
    at: Millis
    revision: int
    running: bool
    level: Level
    left_ms: int
    next_level: Level | None
    players_left: int
    entrants: int
    average_stack: Chips
    levels: tuple[Level, ...] = ()
    note: str = ""  # what a screen must say beside the time: "on its own: no word from the station"


class Beat(Frozen, frozen=True):
    """Once a second, not retained: the station's boot time, for offset estimates."""

    boot: str
    at: Millis
