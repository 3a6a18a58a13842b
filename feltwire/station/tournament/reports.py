"""What tables report, as commands of the tournament, as long as the records do not have it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from feltwire.station.clock import StationClock
from feltwire.station.tournament.seat_orders import Seen, chips_to_take_back, left_with, seated_with
from feltwire.station.tournament.table_watch import TableWatch
from table_core.messages import Chips, Millis
from table_core.tournament.control import PressClock
from table_core.tournament.disputes import CloseDispute, OpenDispute
from table_core.tournament.events import BustDropped, BustReported, DisputeOpened, Left, Returned
from table_core.tournament.field.absences import Leave, Return
from table_core.tournament.field.busts import DropBust, ReportBust
from table_core.tournament.hand_for_hand import next_step
from table_core.tournament.night import Recorded
from table_core.tournament.opening import RestartClock, Start
from table_core.tournament.seats.moves import ReportLeft, ReportSeated
from table_core.tournament.state import Facts, MoveStage, State, Status

BY_TABLE = "table "  # begins who reported what a table's events say


class TableReports:
    """`watches` are the tables', `seen` what they have of the draw that holds, `records` those on the disk."""

    def __init__(
        self,
        records: Iterable[Recorded],
        *,
        clock: StationClock,
        watches: Mapping[str, TableWatch],
        facts: Callable[[], Facts],
        seen: Callable[[], Seen],
    ) -> None:
        self._clock = clock
        self._watches = watches
        self._facts = facts
        self._seen = seen
        self._reported = _Reported(records)

    def take(self, records: Iterable[Recorded]) -> None:
        """More is on the disk."""
        self._reported.take(records)

    def commands(self, state: State, now: Millis, starts_at: Millis | None) -> Iterator[tuple[str, Any]]:
        """What follows from what tables say and is not on record, each with its table; `starts_at`: when the clock
        starts by itself."""
        if state.clock is not None and state.clock.mark.boot != self._clock.boot:
            yield "", RestartClock(self._clock.clock.marked(now).mark)
        if state.started is None and starts_at is not None and now >= starts_at:
            yield "", Start()
        if not state.by_hand:
            yield from self._of_tables(state, now)

    def _of_tables(self, state: State, now: Millis) -> Iterator[tuple[str, Any]]:
        yield from self._absences(state)
        if state.started is not None:
            yield from self._busts_taken_back(state)
            yield from self._busts(state)
            yield from self._disputes(state)
            if (step := next_step(state, self._facts(), now)) is not None:
                yield "", step
        for table, watch in self._watches.items():
            if watch.clock_asked is not None and watch.clock_asked[0] not in state.clock_presses:
                yield table, PressClock(watch.clock_asked[0], table, watch.clock_asked[1])
        for name, move in state.seats.moves.items():
            ordered = move.ordered
            if move.stage is MoveStage.CONFIRMED:
                rack = left_with(ordered, self._watches)
                if rack is not None:
                    yield ordered.start.table, ReportLeft(name, Chips(rack))
            else:
                rack = seated_with(ordered, self._watches)
                if rack is not None:
                    yield ordered.to.table, ReportSeated(name, Chips(rack))

    def _disputes(self, state: State) -> Iterator[tuple[str, OpenDispute | CloseDispute]]:
        """Where the clock stands for disputes, a table that calls the floor has one until the floor is there."""
        stops = state.book.tournament.clock_stops_for_disputes
        if stops is None or not stops.value:
            return
        for table, watch in self._watches.items():
            dispute = f"floor-{table}-{watch.floor_calls}"
            if watch.floor and dispute not in self._reported.disputes:
                yield table, OpenDispute(table, "the floor was called", dispute)
            elif not watch.floor and dispute in state.disputes:
                yield table, CloseDispute(dispute)

    def _busts(self, state: State) -> Iterator[tuple[str, ReportBust]]:
        entrants = state.field.entrants
        for table, watch in self._watches.items():
            for hand, out in sorted(watch.busts.items()):
                new = tuple(
                    one
                    for one in out
                    if (f"{table}-{hand}", one.player) not in self._reported.once
                    and one.player in entrants
                    and entrants[one.player].status is Status.PLAYING
                    and self._stack(table, one.player) == 0
                    and not self._has_chips_elsewhere(table, one.player)
                )
                if new:
                    yield table, ReportBust(table, hand, new)

    def _has_chips_elsewhere(self, table: str, player: str) -> bool:
        """Another table has seated the player already: what was keyed here since, nobody played."""
        return any(self._stack(other, player) for other in self._watches if other != table)

    def _absences(self, state: State) -> Iterator[tuple[str, Leave | Return]]:
        """AWAY and its end, as dealers keyed them; a key that says what is known already is done with."""
        entrants = state.field.entrants
        for table, watch in self._watches.items():
            sits = {held.player for held in watch.sits().values()}
            for player, (mark, away) in watch.away.items():
                entrant = entrants.get(player)
                if mark in self._reported.away or entrant is None or player not in sits or not watch.draw:
                    continue
                if entrant.status is not Status.PLAYING or away == (entrant.away is not None):
                    self._reported.away.add(mark)
                else:
                    yield table, Leave(player, mark=mark) if away else Return(player, mark)

    def _busts_taken_back(self, state: State) -> Iterator[tuple[str, DropBust]]:
        for id_, bust in state.field.busts.items():
            if id_ in self._reported.by_tables:
                told = {one.player for one in self._watches[bust.table].busts.get(bust.hand, ())}
                for one in bust.out:
                    stack = self._stack(bust.table, one.player) or 0
                    if one.player not in told or stack > chips_to_take_back(self._seen(), one.player):
                        why = "the table took it back"
                        yield bust.table, DropBust(id_, one.player, why, anyway=why)

    def _stack(self, table: str, player: str) -> int | None:
        held = (one for one in self._watches[table].sits().values() if one.player == player)
        return next((int(one.stack) for one in held), None)


class _Reported:
    """Busts that are on record, with their players: each is reported once, and again only where its table took the
    hand back before."""

    def __init__(self, records: Iterable[Recorded]) -> None:
        self.once: set[tuple[str, str]] = set()
        self.by_tables: set[str] = set()
        self.away: set[str] = set()  # keys of dealers
        self.disputes: set[str] = set()
        self.take(records)

    def take(self, records: Iterable[Recorded]) -> None:
        for record in records:
            event, by_table = record.event, record.by.startswith(BY_TABLE)
            if isinstance(event, Left | Returned):
                self.away.add(event.mark)
            if isinstance(event, DisputeOpened):
                self.disputes.add(event.dispute)
            elif isinstance(event, BustReported):
                self.once |= {(event.bust, one.player) for one in event.out}
                self.by_tables |= {event.bust} if by_table else set()
            elif isinstance(event, BustDropped) and by_table:
                self.once.discard((event.bust, event.player))
