"""The delayed public feed that the relay releases."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Few, Frozen, Name, Number, Seat, Text
from table_core.messages.parts import Level
from table_core.messages.vocabulary import Street


class OverlaySeat(Frozen, frozen=True):
    seat: Seat
    player: Name
    stack: Chips
    cards: Few[CardText] = ()
    folded: bool = False
    won: Chips = Chips(0)


class OverlayPot(Frozen, frozen=True):
    """Chips of one pot and who contests them."""

    amount: Chips
    seats: Few[Seat]


class OverlayView(Frozen, frozen=True):
    """The delayed public feed of one table: only what the relay released."""

    table: Name
    feed: Name
    hand: Number
    street: Street
    board: Few[CardText]
    pot: Chips
    seats: Few[OverlaySeat]
    delay_s: float | None
    level: Level | None = None
    last: Text = ""
    pots: Few[OverlayPot] = ()  # main pot first, where there is a side pot
