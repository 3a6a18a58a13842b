"""Moments of a hand at which something may be killed, read from the table's own ledger."""

from __future__ import annotations

from collections.abc import Callable

from table_core.messages import Street
from table_core.projections.table import TableFold
from table_core.tracker.state import TrackerState

Moment = Callable[[TableFold, TrackerState], bool]

_LEFT_BEFORE_STREET = {0: 0, 3: 4, 4: 6, 5: 8}  # burns and board cards that were out with so many on the board


def _hole_cards(fold: TableFold) -> int:
    return sum(to.startswith("seat-") for to in fold.destinations())


def _dealing(fold: TableFold, state: TrackerState) -> bool:
    """Some hole cards have left the shoe, others have not."""
    return fold.in_hand and 0 < len(state.deal.handles) < _hole_cards(fold)


def _typing(fold: TableFold, state: TrackerState) -> bool:
    """Digits are typed, and their function key has not come."""
    return fold.in_hand and bool(state.keypad.typed)


def _betting(fold: TableFold, state: TrackerState) -> bool:
    return fold.in_hand and fold.hand is not None and fold.hand.legal() is not None and not _dealing(fold, state)


def _street(fold: TableFold, state: TrackerState) -> bool:
    """Burn or board cards of the next street have left the shoe, and the street is not read yet."""
    hand = fold.hand
    if hand is None or hand.ended or not hand.awaiting_board:
        return False
    return len(state.deal.handles) > _hole_cards(fold) + _LEFT_BEFORE_STREET[len(hand.board)]


def _showdown(fold: TableFold, state: TrackerState) -> bool:
    """Betting is over, and nobody has shown a hand."""
    hand = fold.hand
    return hand is not None and not hand.ended and hand.street is Street.SHOWDOWN and not hand.tabled


def _tabled(fold: TableFold, state: TrackerState) -> bool:
    """A hand is tabled, and the pots are not awarded."""
    return fold.hand is not None and not fold.hand.ended and bool(fold.hand.tabled)


MOMENTS: dict[str, Moment] = {
    "dealing": _dealing,
    "typing": _typing,
    "betting": _betting,
    "street": _street,
    "showdown": _showdown,
    "tabled": _tabled,
}
