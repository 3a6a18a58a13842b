"""What tables are told of the tournament: their seats, and the clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from feltwire.station.clock import StationClock
from feltwire.station.tournament.records import TournamentRecords
from feltwire.station.tournament.seat_orders import Given, SeatOrders, Seen
from feltwire.station.tournament.table_watch import DRAW, Changes, TableWatch
from table_core.messages import ChangeSeats, FollowClock, Millis, SetPresence
from table_core.tournament.events import Undone
from table_core.tournament.night import Recorded
from table_core.tournament.stops import Wait, break_rule, broken_wait, short_wait, stopped_wait


class TableOrders:
    """`watches` are the tables', and `changes` counts what they have said. A table is told nothing that is not on
    the disk."""

    def __init__(
        self,
        records: TournamentRecords,
        *,
        tournament: str,
        clock: StationClock,
        watches: Mapping[str, TableWatch],
        changes: Changes,
    ) -> None:
        self._records = records
        self._clock = clock
        self._watches = watches
        self._changes = changes
        self._orders = SeatOrders(f"{tournament}/")
        self._given = Given.by(records.night.records)
        self._version = 0  # of the records
        self._seen_at: Any = None
        self._assumed: frozenset[str] = frozenset()
        self._seen_then = Seen.of(self._given, {})
        self._away: dict[str, tuple[Any, list[SetPresence]]] = {}
        self._told: dict[str, tuple[Any, ChangeSeats | None]] = {}

    def take(self, records: tuple[Recorded, ...]) -> None:
        """More is on the disk: the last `records`."""
        self._version += 1
        if any(isinstance(record.event, Undone) for record in records):
            self._given = Given.by(self._records.night.records)
        else:
            for record in records:
                self._given.take(record)

    def assume(self, marks: Iterable[str]) -> None:
        """The tables have carried out the orders with these marks, though they may not say so."""
        self._assumed |= set(marks)
        self._version += 1

    def marks_since(self, record: int) -> tuple[str, ...]:
        """The marks of what the records behind this one give once and do not take back."""
        return self._given.marks_since(record)

    def tables_of_another_draw(self) -> list[str]:
        """Tables whose seats were drawn by a record that is none of these."""
        draw = f"{DRAW}{self._given.draw}"
        return [table for table, watch in self._watches.items() if watch.draw not in ("", draw)]

    def seats(self, table: str, after: tuple[int, int]) -> list[ChangeSeats]:
        """What the table is to be told about its seats; while records are on their way to the disk, what it was
        told last."""
        if not self._records.opened or self._records.state.by_hand:
            return []
        known, command = self._told.get(table, (None, None))
        version = (self._version, after, self._changes.count)
        if self._records.pending is None and known != version:
            command = self._orders.of(table, self._records.state, self.seen(), after)
            self._told[table] = (version, command)
        return [] if command is None else [command]

    def presence(self, table: str) -> list[SetPresence]:
        """Whom the table is to have away, or back; nothing while what its dealer keyed is not on record."""
        records = self._records
        if (
            not records.opened
            or records.state.by_hand
            or records.pending is not None
            or records.again_at is not None
        ):
            return []
        version = (self._version, self._changes.count)
        known, commands = self._away.get(table, (None, []))
        if known != version:
            commands = self._orders.presence(table, records.state, self.seen())
            self._away[table] = (version, commands)
        return commands

    def clock(self, table: str, now: Millis) -> list[FollowClock]:
        """What the table is to be told of the clock; nothing where it does not play in the tournament. Without a
        tournament only what is left of the level: its screen shows that."""
        state = self._records.state
        seats = state.seats.tables.get(table)
        if self._records.pending is not None:
            return []
        if not self._records.opened:
            return [self._clock.orders(now, None, "", None, kept_here=False)]
        if seats is None or state.by_hand or not (seats.open or seats.players):
            return []
        last = state.round_hands.get(table) if state.hand_for_hand is not None else None
        wait = broken_wait(seats) or stopped_wait(state) or short_wait(state, seats)
        if last is not None and state.hand_for_hand is not None:
            wait = wait or (Wait("", state.hand_for_hand.rule))
        here = table == state.clock_table
        return [self._clock.orders(now, wait, break_rule(state), last, kept_here=here)]

    def seen(self) -> Seen:
        """What the tables have of the draw that holds, computed once for all of them."""
        version = self._version, self._changes.count
        if self._seen_at != version:
            self._seen_at, self._seen_then = version, Seen.of(self._given, self._watches, self._assumed)
        return self._seen_then
