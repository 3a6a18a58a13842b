"""The delayed public feed that the relay releases."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Frozen, Seat
from table_core.messages.parts import Level
from table_core.messages.words import Street


class OverlaySeat(Frozen, frozen=True):
    seat: Seat
    player: str
    stack: Chips
    cards: tuple[CardText, ...] = ()
    folded: bool = False
    won: Chips = Chips(0)


class OverlayView(Frozen, frozen=True):
    """The delayed public feed of one table: only what the relay released."""

    table: str
    feed: str
    hand: int
    street: Street
    board: tuple[CardText, ...]
    pot: Chips
    seats: tuple[OverlaySeat, ...]
    delay_s: float | None
    level: Level | None = None
    last: str = ""
