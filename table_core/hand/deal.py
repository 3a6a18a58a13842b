"""Where each card of a hand goes, in the order in which the deck gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table_core.hand.seats import clockwise_from
from table_core.messages import Seat

HOLE_CARDS: Final = 2
BURN: Final = "burn"
BOARD: Final = "board"
_SEAT: Final = "seat-"
STREETS: Final = (BURN, BOARD, BOARD, BOARD, BURN, BOARD, BURN, BOARD)


def to_seat(seat: Seat) -> str:
    """The destination of a hole card, as events hold it: `seat-4`."""
    return f"{_SEAT}{seat}"


def is_to_seat(to: str) -> bool:
    """True for the destination of a hole card; False for a burn, the board, and where rulings put cards."""
    return to.startswith(_SEAT)


def seat_of(to: str) -> Seat:
    """The seat of a hole card's destination; the inverse of `to_seat`."""
    return Seat(int(to.removeprefix(_SEAT)))


def deal_order(dealt_in: Sequence[Seat], button: Seat) -> tuple[str, ...]:
    """Destination of every place of the deal: `"seat-4"`, `"burn"` or `"board"`; place 1 is the first entry.

    One card at a time, twice round from the first player left of the button (rpl.deal.4a), who heads-up is the
    big blind, so that the button is dealt last (tda.34); then a burn before each street (rpl.deal.4c-4g).
    """
    round_of_cards = tuple(to_seat(seat) for seat in clockwise_from(button, dealt_in))
    return round_of_cards * HOLE_CARDS + STREETS
