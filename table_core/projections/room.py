"""The whole room for the director: the field over all tables, and one cell per table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from table_core.messages import Cell, ClockState, RoomView, SeatView, Street, TableView


@dataclass(frozen=True, slots=True)
class Field:
    """The number of players left and their chips. `buy_in` and `payouts` (by place) in cents, where posted."""

    players: int = 0
    chips: int = 0
    entrants: int = 0
    buy_in: int = 0
    payouts: tuple[int, ...] = ()

    @property
    def average_stack(self) -> int:
        """Chips a player, rounded to the nearest; 0 with nobody left."""
        return (2 * self.chips + self.players) // (2 * self.players) if self.players else 0


def field_of(views: Iterable[TableView], *, entrants: int = 0) -> Field:
    """The field as the tables report it. Chips in the middle belong to the players who can still win them.

    `entrants` is the number known so far, and at least the number of players left.
    """
    players = chips = 0
    for view in views:
        players += sum(_is_left(seat, view) for seat in view.seats)
        chips += sum(seat.stack for seat in view.seats) + view.pot
    return Field(players=players, chips=chips, entrants=max(entrants, players))


def _is_left(seat: SeatView, view: TableView) -> bool:
    """Whether the player is in: out only once the hand is over, because an all-in player still plays."""
    return seat.stack > 0 or (view.street is not Street.DONE and seat.in_hand)


def room_view(
    *,
    venue: str,
    rulebook: str,
    cells: Iterable[Cell],
    clock: ClockState | None,
) -> RoomView:
    """Cells in the order of their tables."""
    return RoomView(
        venue=venue,
        rulebook=rulebook,
        cells=tuple(sorted(cells, key=lambda cell: cell.table)),
        clock=clock,
    )
