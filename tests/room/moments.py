"""Moments of a hand at which something may be killed, read from the table's own ledger."""

from __future__ import annotations

from collections.abc import Callable

from table_core.messages import Street
from table_core.projections.table import TableProjection
from table_core.tracker.state import TrackerState

Moment = Callable[[TableProjection, TrackerState], bool]

_LEFT_BEFORE_STREET = {0: 0, 3: 4, 4: 6, 5: 8}  # burns and board cards that were out with so many on the board


def _hole_cards(projection: TableProjection) -> int:
    return sum(to.startswith("seat-") for to in projection.destinations())


def _dealing(projection: TableProjection, state: TrackerState) -> bool:
    """Some hole cards have left the shoe, others have not."""
    return projection.in_hand and 0 < len(state.deal.handles) < _hole_cards(projection)


def _typing(projection: TableProjection, state: TrackerState) -> bool:
    """Digits are typed, and their function key has not come."""
    return projection.in_hand and bool(state.keypad.typed)


def _betting(projection: TableProjection, state: TrackerState) -> bool:
    return (
        projection.in_hand
        and projection.hand is not None
        and projection.hand.legal() is not None
        and not _dealing(projection, state)
    )


def _street(projection: TableProjection, state: TrackerState) -> bool:
    """Burn or board cards of the next street have left the shoe, and the street is not read yet."""
    hand = projection.hand
    if hand is None or hand.ended or not hand.awaiting_board:
        return False
    return len(state.deal.handles) > _hole_cards(projection) + _LEFT_BEFORE_STREET[len(hand.board)]


def _showdown(projection: TableProjection, state: TrackerState) -> bool:
    """Betting is over, and nobody has shown a hand."""
    hand = projection.hand
    return hand is not None and not hand.ended and hand.street is Street.SHOWDOWN and not hand.tabled


def _tabled(projection: TableProjection, state: TrackerState) -> bool:
    """A hand is tabled, and the pots are not awarded."""
    return projection.hand is not None and not projection.hand.ended and bool(projection.hand.tabled)


MOMENTS: dict[str, Moment] = {
    "dealing": _dealing,
    "typing": _typing,
    "betting": _betting,
    "street": _street,
    "showdown": _showdown,
    "tabled": _tabled,
}
