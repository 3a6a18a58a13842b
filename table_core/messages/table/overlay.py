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
    bet: Chips = Chips(0)  # in front of the seat on this street
    last: Text = ""  # its last action on this street: "raise 1,200"
    in_hand: bool = False
    all_in: bool = False
    away: bool = False
    share: Number | None = None  # of the pot, in thousandths, where the cards of every live seat are shown
    makes: Text = ""  # its best hand in words, from the flop on, where its cards are shown


class OverlayPot(Frozen, frozen=True):
    """Chips of one pot and who contests them."""

    amount: Chips
    seats: Few[Seat]


class OverlayView(Frozen, frozen=True):
    """The delayed public feed of one table: only what the relay released. Without seats there is nothing to show:
    pages are empty.

    It is the table as it was `air_s` seconds ago, or a hand that was released in the meantime once more.
    """

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
    button: Seat | None = None
    small_blind: Seat | None = None
    big_blind: Seat | None = None
    to_act: Seat | None = None
    air_s: float | None = None
    cards_in_ms: Number | None = None  # until the hole cards of this hand, which is over, are released
