"""What of the tournament waits for a person now, as items of the exception queue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from feltwire.station.clock import StationClock
from feltwire.station.queue.late_levels import LateLevels
from feltwire.station.queue.of_decisions import decisions, without_a_seat
from feltwire.station.queue.of_tournament import (
    items_of_seats,
    items_of_tournament,
    items_of_trouble,
    missing_chips,
    old_chips,
)
from feltwire.station.queue.trouble import Item, items, tables_not_heard
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.records import TournamentRecords
from feltwire.station.tournament.seat_orders import Seen, chips_on_order
from table_core.messages import Chips, Millis, QueueItem
from table_core.tournament.chips.account import chip_account
from table_core.tournament.events import Instant
from table_core.tournament.state import Facts, State

QUEUED_MS = 1_000  # what depends on time alone is looked at so often


class TournamentQueue:
    """`seen` is what the tables have of the draw that holds."""

    def __init__(
        self,
        records: TournamentRecords,
        names: Mapping[str, str],
        *,
        clock: StationClock,
        tables: StationTables,
        seen: Callable[[], Seen],
    ) -> None:
        self._records = records
        self._names = names
        self._clock = clock
        self._known = tables.known
        self._watches = tables.known.watches()
        self._changes = tables.changes
        self._seen = seen
        self._levels = LateLevels()
        self._as_of: Any = None
        self._items: tuple[QueueItem, ...] = ()
        self._seats_as_of: Any = None
        self._of_seats: tuple[QueueItem, ...] = ()

    def items(self, now: Millis) -> tuple[QueueItem, ...]:
        """While records are on their way to the disk they are what they were before; else they are computed when
        something changed, a table went silent, and once a second."""
        records = self._records
        decided = (records.version, self._changes.count)
        as_of = (*decided, now // QUEUED_MS, records.disk, tuple(self._known.silent(now)))
        if records.pending is None and self._as_of != as_of:
            at, state, facts = self._clock.instant(now), records.state, self._known.facts()
            found: Iterable[QueueItem] = ()
            if records.opened and state.finished is None:
                found = self._while_it_is_played(decided, at, state, facts)
            if records.opened:
                found = (*found, *decisions(state, self._names))
            self._items = (*items_of_trouble(self._trouble(at), at), *found)
            self._as_of = as_of
        return self._items

    def _while_it_is_played(
        self, decided: tuple[int, int], at: Instant, state: State, facts: Facts
    ) -> Iterator[QueueItem]:
        yield from items_of_tournament(state, facts, self._names, at)
        yield from without_a_seat(state, self._names)
        if self._seats_as_of != decided:  # not of the time: the draw of a whole room is the dearest part
            self._seats_as_of, self._of_seats = decided, tuple(items_of_seats(state, facts, self._names))
        yield from self._of_seats
        missing = chip_account(state, facts).missing - chips_on_order(state, self._seen(), facts)
        yield from missing_chips(missing, state.book)
        smallest = {table: Chips(watch.smallest_chip) for table, watch in self._watches.items()}
        yield from old_chips(state, smallest, at)
        if state.clock is not None and state.clock.mark.boot == at.boot:
            says = state.book.policies.level_applies_from
            playing = {name: self._watches[name] for name in state.seats.tables if name in self._watches}
            yield from self._levels.look(state.clock, playing, facts, at, says.rule if says is not None else "")

    def _trouble(self, at: Instant) -> tuple[Item, ...]:
        state, known = self._records.state, self._known
        silent = {table: Millis(at.wall - (at.at - heard)) for table, heard in known.silent(at.at).items()}
        unheard, mute = known.unheard(), known.mute()
        if not self._records.opened:
            heard = [table for table, watch in self._watches.items() if watch.heard]
            return tuple(tables_not_heard(heard, silent, mute, unheard))
        return items(
            state,
            known.facts(),
            at,
            disk=self._records.disk,
            silent=silent,
            mute=mute,
            unheard=unheard,
            names=self._names,
        )
