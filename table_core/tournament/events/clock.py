"""The blind clock: changed by a person, stopped by the book, left to a table."""

from __future__ import annotations

from table_core.messages import Level, Many, Mark, Name, Text
from table_core.tournament.events.base import TournamentEvent


class ClockChanged(TournamentEvent, frozen=True, tag="clock_changed"):
    """The blind clock after a change that a person made: its schedule, its mark, and what was done."""

    levels: Many[Level]
    mark: Mark
    what: Text


class ClockStopped(TournamentEvent, frozen=True, tag="clock_stopped"):
    """The clock stands while tables are balanced, or goes on afterwards."""

    mark: Mark
    rule: Name
    goes_on: bool = False


class ClockDelegated(TournamentEvent, frozen=True, tag="clock_delegated"):
    """The clock may be stopped and started at `table` too; empty: at the station alone."""

    table: Name
    rule: Name = ""


class ClockPressed(TournamentEvent, frozen=True, tag="clock_pressed"):
    """A table asked to stop the clock or to let it go on; `taken`: the clock was left to it."""

    press: Name
    table: Name
    running: bool
    taken: bool
    rule: Name = ""
