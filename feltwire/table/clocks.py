"""The clocks that the table's own screen shows: the tournament's, as the station said it last, and one that was
called on a player. Both are public. The page counts them on by itself, so they are sent when they change."""

from __future__ import annotations

from feltwire.runtime.node_io import Show
from feltwire.table.commands import Staleness
from table_core.messages import BlindClock, CalledClock, Millis, TableClocks, encode_page
from table_core.projections.table import TableProjection
from table_core.projections.table_view import CLOCK_CALLED
from table_core.tournament.clock import TournamentClock
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState


class ShownClocks:
    """Remembers which clocks are shown, so that only changes are sent."""

    def __init__(self) -> None:
        self._shown: tuple[object, ...] = (None, None)

    def changed(self, table: TableProjection, state: TrackerState, station: Staleness, now: Millis) -> list[Show]:
        """What the channel `clock/<table>` shows from now on; nothing where it goes on as it was."""
        kept, ends = blind_clock(table, station, now), state.timers.find(Check.CLOCK_UP)
        mark = table.clock.mark if kept is not None and table.clock is not None else None
        news = (mark, ends.due if ends is not None else None)
        if news == self._shown:
            return []
        self._shown = news
        clocks = TableClocks(kept, called_clock(table, state, now))
        return [Show(f"clock/{table.table}", encode_page(clocks))]


def blind_clock(table: TableProjection, station: Staleness, now: Millis) -> BlindClock | None:
    """The tournament's clock at `now`; None without a station that said one, or before its first beat."""
    known, levels = table.clock, table.schedule
    if known is None or known.revision != table.schedule_revision or not known.mark.index < len(levels):
        return None
    there = station.time_at(known.mark.boot, now)
    if there is None:
        return None
    clock = TournamentClock(levels, known.mark)
    reading = clock.read(there)
    return BlindClock(
        known.mark.running, levels[reading.index], reading.left_ms, clock.next_level(there), levels, reading.index
    )


def called_clock(table: TableProjection, state: TrackerState, now: Millis) -> CalledClock | None:
    """The clock that runs on the seat to act."""
    seat, ends = state.thinking.clock, state.timers.find(Check.CLOCK_UP)
    whole = table.rulebook.policies.clock_seconds
    if seat is None or ends is None or whole is None:
        return None
    said = [notice.text for notice in table.notices if notice.kind == CLOCK_CALLED and notice.seat == seat]
    left = max(0, ends.due - now)
    return CalledClock(seat, left, max(left, 1_000 * whole.value), said[-1] if said else f"Clock on seat {seat}")
