"""The clock of a table while the station is silent: levels and breaks begin as in the schedule that it has."""

from __future__ import annotations

from msgspec.structs import replace

from feltwire.table.commands import Staleness
from feltwire.table.unit_of_work import TableUnitOfWork
from table_core.messages import LevelBegan, Millis
from table_core.projections.table import TableProjection
from table_core.tournament.clock import TournamentClock
from table_core.tracker.hands.level import level_came
from table_core.tracker.state import TrackerState
from table_core.tracker.tracker import settle


def clock_of(table: TableProjection) -> TournamentClock | None:
    """The clock that the station said last; None without one that runs on this table's schedule."""
    known = table.clock
    if known is None or known.revision != table.schedule_revision or not known.mark.running:
        return None
    return TournamentClock(table.schedule, known.mark) if known.mark.index < len(table.schedule) else None


def turns_at(table: TableProjection, station: Staleness, now: Millis) -> Millis | None:
    """When the table itself turns to the next entry of the schedule, if the station says nothing until then."""
    clock = clock_of(table)
    there = station.time_at(clock.mark.boot, now) if clock is not None else None
    if clock is None or there is None:
        return None
    ahead = clock.changes_at(max(there, clock.mark.at)) if clock.read(there).index == clock.mark.index else there
    return None if ahead is None else max(station.silent_from, Millis(now + ahead - there))


def turn(unit: TableUnitOfWork, state: TrackerState, station: Staleness, now: Millis) -> None:
    """Begin what has begun by the schedule while the station is silent."""
    table = unit.table
    clock = clock_of(table)
    if clock is None or table.clock is None or now < station.silent_from:
        return
    there = station.time_at(clock.mark.boot, now)
    if there is None or clock.read(there).index == clock.mark.index:
        return
    unit.record(replace(table.clock, mark=clock.marked(there).mark))
    if clock.playing_level(there) != table.next_level:
        unit.record(LevelBegan(clock.playing_level(there)))
        level_came(unit, state, now)
        settle(unit, state, now)
