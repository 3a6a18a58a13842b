"""One small cell for each table of the room."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from table_core.messages import Cell, CellState, Liveness, Millis, QueueItem, RoomView, Seat, Street, TableView
from table_core.tournament.state import TableFacts

STALE_MS, SILENT_MS = 2_500, 10_000  # without a beat; pages are to say the first within three seconds


def liveness_of(heard_ms_ago: int) -> Liveness:
    if heard_ms_ago >= SILENT_MS:
        return Liveness.SILENT
    return Liveness.STALE if heard_ms_ago >= STALE_MS else Liveness.LIVE


def room_without_ages(room: RoomView) -> RoomView:
    """The room without what pages count on by themselves."""
    cells = tuple(msgspec.structs.replace(cell, heard_ms_ago=0, to_act_ms=0) for cell in room.cells)
    clock = room.clock and msgspec.structs.replace(room.clock, at=Millis(0), left_ms=Millis(0))
    return msgspec.structs.replace(room, cells=cells, clock=clock)


class ToAct:
    """Since when the seat to act is to act, as the station hears of it."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[tuple[int, int | None, int], Millis]] = {}

    def ms(self, view: TableView, now: Millis) -> int:
        seat = view.legal.seat if view.legal is not None else None
        turn = (view.hand, seat, view.pot)
        known = self._since.get(view.table)
        if known is None or known[0] != turn:
            known = self._since[view.table] = (turn, now)
        return now - known[1] if seat is not None else 0


def cell_of(
    table: str,
    view: TableView | None,
    facts: TableFacts | None,
    heard_ms_ago: int,
    *,
    online: bool,
    to_act_ms: int,
    closed: bool,
    items: Iterable[QueueItem],
) -> Cell:
    """`items` are those of the table, the worst first; `facts` what it reports of the tournament. A
    table whose broker said that it is gone is not `online`: it is stale at once."""
    link = liveness_of(heard_ms_ago if online else max(heard_ms_ago, STALE_MS))
    worst = next(iter(items), None)
    known = Cell(
        table,
        CellState.CLOSED if closed else CellState.EMPTY,
        link,
        heard_ms_ago if link is not Liveness.LIVE else 0,
        trouble=worst.severity if worst is not None else "",
        taken_by=next((item.taken_by for item in items if item.taken_by), ""),
    )
    if view is None:
        return known
    seats = tuple(seat.seat for seat in view.seats if seat.stack > 0 or seat.in_hand)
    playing = view.hand > 0 and view.street is not Street.DONE
    level = view.level or view.next_hand_level
    return Cell(
        table,
        _state(view, playing=playing, closed=closed, players=len(seats)),
        known.link,
        known.heard_ms_ago,
        view.epoch,
        view.as_of,
        view.hand,
        view.street if view.hand else "",
        seats,
        view.button,
        view.legal.seat if view.legal is not None else None,
        to_act_ms,
        level.no if level is not None else 0,
        _agree(facts),
        known.trouble,
        known.taken_by,
        view.by_hand,
    )


def cell_by_hand(table: str, seats: tuple[Seat, ...], items: Iterable[QueueItem]) -> Cell:
    """A table of an event that is played by hand, with its seats at which somebody sits."""
    of_table = list(items)
    return Cell(
        table,
        CellState.BY_HAND,
        Liveness.LIVE,
        seats=seats,
        trouble=of_table[0].severity if of_table else "",
        taken_by=next((item.taken_by for item in of_table if item.taken_by), ""),
        by_hand=True,
    )


def _state(view: TableView, *, playing: bool, closed: bool, players: int) -> CellState:
    if playing:
        return CellState.PLAYING
    if closed:
        return CellState.CLOSED
    if view.no_hand:
        return CellState.HELD
    return CellState.BETWEEN_HANDS if players else CellState.EMPTY


def _agree(facts: TableFacts | None) -> bool | None:
    if facts is None or not facts.counts:
        return None
    newest = {count.player: count for count in facts.counts}
    return all(count.stack == count.was for count in newest.values())
