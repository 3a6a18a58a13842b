"""What of the tournament waits for a person now, as items of the exception queue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

from feltwire.runtime.views import Part, Views
from feltwire.station.clock import StationClock
from feltwire.station.queue.late_levels import LateLevels
from feltwire.station.queue.of_decisions import DECISIONS, same_names, without_a_seat
from feltwire.station.queue.of_tournament import (
    OF_THE_FIELD,
    OF_THE_SEATS,
    items_of_trouble,
    missing_chips,
    old_chips,
    old_chips_by_hand,
)
from feltwire.station.queue.trouble import NOT_HEARD, Item, tables_not_heard, trouble
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.names import Names
from feltwire.station.tournament.records import TournamentRecords
from feltwire.station.tournament.seat_orders import Seen, chips_on_order, removed_otherwise
from table_core.messages import Chips, Millis, QueueItem
from table_core.tournament.by_hand import facts_of
from table_core.tournament.chips.account import chip_account
from table_core.tournament.events import Instant
from table_core.tournament.state import Facts, State

WITHOUT_A_SEAT = Part("Who has no seat", page="/station/seats", asks=True)
CHIPS_OF_THE_ROOM = Part("The chips of the room", page="/station/chips", asks=True)
OLD_CHIPS = Part("Chips that leave play", page="/station/chips", asks=True)
LEVELS = Part("Hands on an old level")
SAME_NAMES = Part("Players of one name", page="/station/players", asks=True)
QUEUED_MS = 1_000  # what depends on time alone is looked at so often


class TournamentQueue:
    """`seen` is what the tables have of the draw that holds."""

    def __init__(
        self,
        records: TournamentRecords,
        names: Names,
        *,
        clock: StationClock,
        tables: StationTables,
        seen: Callable[[], Seen],
        views: Views,
    ) -> None:
        self._views = views
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
            at, state = self._clock.instant(now), records.state
            facts = facts_of(state, self._known.facts(), at)
            all_ = self._views.all
            items: list[QueueItem] = []
            for part, found in self._trouble(at).items():
                items += all_(part, partial(_items_of_trouble, found, at))
            if records.opened and state.finished is None:
                items += self._while_it_is_played(decided, at, state, facts)
            items += all_(SAME_NAMES, lambda: same_names(self._names))
            for part, make in DECISIONS.items() if records.opened else ():
                items += all_(part, partial(make, state, self._names))
            self._items, self._as_of = tuple(items), as_of
        return self._items

    def _while_it_is_played(
        self, decided: tuple[int, int], at: Instant, state: State, facts: Facts
    ) -> Iterator[QueueItem]:
        all_, names = self._views.all, self._names
        for part, make in OF_THE_FIELD.items():
            yield from all_(part, partial(make, state, facts, names, at))
        yield from all_(WITHOUT_A_SEAT, lambda: without_a_seat(state, names))
        if self._seats_as_of != decided:  # not of the time: the draw of a whole room is the dearest part
            self._seats_as_of = decided
            made = [all_(part, partial(of_seats, state, facts, names)) for part, of_seats in OF_THE_SEATS.items()]
            self._of_seats = tuple(chain.from_iterable(made))
        yield from self._of_seats
        yield from all_(CHIPS_OF_THE_ROOM, lambda: self._missing(state, facts))
        yield from all_(OLD_CHIPS, lambda: self._old_chips(state, at))
        if not state.by_hand:
            yield from all_(LEVELS, lambda: self._late_levels(state, facts, at))

    def _missing(self, state: State, facts: Facts) -> Iterator[QueueItem]:
        seen = self._seen()
        ordered = chips_on_order(state, seen, facts) + removed_otherwise(seen)
        return missing_chips(chip_account(state, facts).missing - ordered, state.book)

    def _old_chips(self, state: State, at: Instant) -> Iterator[QueueItem]:
        smallest = {table: Chips(watch.smallest_chip) for table, watch in self._watches.items()}
        return old_chips_by_hand(state, at) if state.by_hand else old_chips(state, smallest, at)

    def _late_levels(self, state: State, facts: Facts, at: Instant) -> Iterator[QueueItem]:
        if state.clock is not None and state.clock.mark.boot == at.boot:
            says = state.book.policies.level_applies_from
            playing = {name: self._watches[name] for name in state.seats.tables if name in self._watches}
            yield from self._levels.look(state.clock, playing, facts, at, says.rule if says is not None else "")

    def _trouble(self, at: Instant) -> Mapping[Part, Callable[[], Iterator[Item]]]:
        state, known = self._records.state, self._known
        silent = {table: Millis(at.wall - (at.at - heard)) for table, heard in known.silent(at.at).items()}
        unheard, mute, by_hand = known.unheard(), known.mute(), known.by_hand()
        if state.by_hand:
            silent, mute = {}, ()
        if not self._records.opened:
            heard = [table for table, watch in self._watches.items() if watch.heard]
            return {NOT_HEARD: lambda: tables_not_heard(heard, silent, mute, unheard, by_hand)}
        return trouble(
            state,
            facts_of(state, known.facts(), at),
            at,
            disk=self._records.disk,
            silent=silent,
            mute=mute,
            unheard=unheard,
            by_hand=by_hand,
            names=self._names,
            reporting=[table for table in known.tables if table not in known.silent(at.at)],
        )


def _items_of_trouble(found: Callable[[], Iterator[Item]], at: Instant) -> Iterator[QueueItem]:
    return items_of_trouble(found(), at)
