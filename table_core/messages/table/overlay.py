"""The delayed public feed that the relay releases."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Few, Frozen, Millis, Name, Number, Seat, Text
from table_core.messages.parts import Level
from table_core.messages.vocabulary import Action, Street


class SeatStats(Frozen, frozen=True):
    """How a player has played this event, from public acts alone, as of the picture. Thousandths of `hands` dealt
    to the player, or of the chances that there were; None without one. `aggression`: bets and raises for each
    call, in hundredths; None without a call. Definitions: docs/player-statistics.md."""

    hands: Number
    vpip: Number | None = None
    pfr: Number | None = None
    three_bet: Number | None = None
    aggression: Number | None = None
    wtsd: Number | None = None


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
    position: Name = ""  # in this hand: BTN, SB, BB, UTG, UTG+1, …, HJ, CO; empty where it was not dealt in
    busted: bool = False  # out of chips, and the hand is over
    country: Name = ""  # of the player: two letters (ISO 3166-1), where the tournament knows them
    photo: Name = ""  # of the player: the name of a picture under `/photo/`, where the producer's list has one
    to_call: Chips = Chips(0)  # what it has to add to stay in; of live seats that are not all-in
    action: Action | None = None  # its last action on this street
    amount: Chips | None = None  # of that action: what it called, or the total that it bet or raised to
    stack_bb: Number | None = None  # the stack in tenths of a big blind, rounded down; None without a level
    bet_bb: Number | None = None
    amount_bb: Number | None = None
    tie: Number | None = None  # how often it ties, in thousandths; beside `share`
    ahead: bool = False  # its hand is best on this board, alone or tied, where `share` is told
    outs: Few[CardText] = ()  # next cards that put it in front, where `share` is told
    outs_to_tie: Few[CardText] = ()  # next cards that let it tie
    stats: SeatStats | None = None


class OverlayPot(Frozen, frozen=True):
    """Chips of one pot and who contests them."""

    amount: Chips
    seats: Few[Seat]


class ShotClock(Frozen, frozen=True):
    """The clock that was called on the player at `seat`: what is left of it when the picture is sent."""

    seat: Seat
    left_ms: Number
    of_ms: Number


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
    to_call: Chips | None = None  # what the seat to act has to add
    run_out: bool = False  # nobody can bet any more, and two hands or more are live
    shot_clock: ShotClock | None = None
    wall_ms: Millis | None = None  # wall time (ms since 1970) of the picture: a label, by the relay's machine
    again: bool = False  # the end of a hand that was released behind it, shown once more
