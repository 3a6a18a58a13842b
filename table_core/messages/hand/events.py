"""Events of a hand, from the blinds to the last chip awarded."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Event, Few, Name, Number, Seat, Signed, Text
from table_core.messages.parts import Duty, Level, ResumedPot, ResumedSeat, SeatStack, Share
from table_core.messages.vocabulary import Action, Post, Source, Street


class HandStarted(Event, frozen=True, tag="hand_started"):
    hand: Number
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    seats: Few[SeatStack]
    source: Source
    extra_small_blinds: Few[Seat] = ()
    extra_big_blinds: Few[Seat] = ()
    away: Few[Seat] = ()
    carried: Chips = Chips(0)
    flag: Name = ""
    unit: Chips = Chips(1)  # of wagers: chips below it play only in quantity


class Posted(Event, frozen=True, tag="posted"):
    seat: Seat
    what: Post
    amount: Chips
    all_in: bool = False
    source: Source = Source.ASSUMED
    dead: bool = False  # not part of the seat's bet


class CardDealt(Event, frozen=True, tag="card_dealt"):
    """A card left the deck face down. `place` counts cards of this attempt from 1; `to` is `seat-4`, `burn`
    or `board`. `commitment` (hex) binds place and card; None for a card that was not read."""

    place: Number
    to: Name
    commitment: Name | None
    attempt: Number = 1


class Acted(Event, frozen=True, tag="acted"):
    """`added` chips went in, `to` is then the total in front of the seat on this street."""

    seat: Seat
    action: Action
    added: Chips
    to: Chips
    all_in: bool
    source: Source
    flag: Name = ""


class ActedOutOfTurn(Event, frozen=True, tag="acted_out_of_turn"):
    """Somebody says that the seat did this before its turn. It changes nothing unless a person rules so. `to` is
    the total in front of a bet or raise, None where nobody said how much."""

    seat: Seat
    action: Action
    to: Chips | None
    source: Source


class BetReturned(Event, frozen=True, tag="bet_returned"):
    seat: Seat
    amount: Chips


class BettingClosed(Event, frozen=True, tag="betting_closed"):
    street: Street
    pots: Few[Chips]


class BoardDealt(Event, frozen=True, tag="board_dealt"):
    street: Street
    cards: Few[CardText]
    sources: Few[Source]
    flag: Name = ""


class BoardsAgreed(Event, frozen=True, tag="boards_agreed"):
    """The cards to come are run on so many boards, each for an equal part of every pot."""

    boards: Number


class BoardRead(Event, frozen=True, tag="board_read"):
    """The whole board so far: cards that were unread are filled in, known ones are unchanged."""

    cards: Few[CardText]
    sources: Few[Source]


class HandTabled(Event, frozen=True, tag="hand_tabled"):
    seat: Seat
    cards: Few[CardText]
    sources: Few[Source]
    flag: Name = ""


class HandMucked(Event, frozen=True, tag="hand_mucked"):
    seat: Seat
    source: Source
    flag: Name = ""


class HandKilled(Event, frozen=True, tag="hand_killed"):
    """A hand is dead by a ruling or because its player is absent; its chips stay in the pot."""

    seat: Seat
    why: Text
    rule: Name
    source: Source


class DutiesSet(Event, frozen=True, tag="duties_set"):
    """What the seat owes at its next turn by a ruling; nothing where a ruling took that off it."""

    seat: Seat
    duties: Few[Duty] = ()


class HandRetrieved(Event, frozen=True, tag="hand_retrieved"):
    """A ruling gave a mucked hand back. `acts`: it must still act on this street, at once where its turn has
    passed."""

    seat: Seat
    source: Source
    flag: Name = ""
    acts: bool = False


class BetCorrected(Event, frozen=True, tag="bet_corrected"):
    """Chips that were missing from a bet or call went in; `to` is then the total in front of the seat. What was
    missing from a call of an earlier street goes to the main pot: nothing in front changes. `returned` chips were
    recorded with a call and never went in."""

    seat: Seat
    added: Chips
    to: Chips
    source: Source
    returned: Chips = Chips(0)


class LevelChanged(Event, frozen=True, tag="level_changed"):
    """The hand is played at this level: antes and blinds are posted anew by the events behind it. Nobody has
    acted."""

    level: Level
    source: Source
    unit: Chips = Chips(1)


class DealClosed(Event, frozen=True, tag="deal_closed"):
    """The last hole card is out."""


class CardExposed(Event, frozen=True, tag="card_exposed"):
    to: Name
    card: CardText
    sources: Few[Source]


class Reported(Event, frozen=True, tag="reported"):
    """The table did something that the hand's state cannot hold; it is kept for a person who reads the log."""

    what: Text
    flag: Name


class Misdealt(Event, frozen=True, tag="misdealt"):
    """The deal is void and chips went back; a `hand_ended` follows."""

    hand: Number
    why: Text
    stacks: Few[Share]
    source: Source
    flag: Name = ""


class HandResumed(Event, frozen=True, tag="hand_resumed"):
    """The hand goes on from here; what happened before was not observed."""

    hand: Number
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    street: Street
    board: Few[CardText]
    seats: Few[ResumedSeat]
    pots: Few[ResumedPot]
    to_act: Seat | None
    last_raise: Chips | None
    source: Source
    gap: bool = True
    unit: Chips = Chips(1)


class HandsBeaten(Event, frozen=True, tag="hands_beaten"):
    """Hands that lost pot `no` are killed before it is awarded."""

    no: Number
    seats: Few[Seat]


class PotAwarded(Event, frozen=True, tag="pot_awarded"):
    """Pot `no` (0 is the main pot) of `amount`. `why`: `cards`, `last_standing` or `dealer`; `hand` names the
    winning hand in words when cards decided. Chips not in `shares` are carried to the next hand's pot."""

    no: Number
    amount: Chips
    eligible: Few[Seat]
    shares: Few[Share]
    why: Text
    hand: Text = ""
    flag: Name = ""


class ResultEntered(Event, frozen=True, tag="result_entered"):
    """A hand that nobody keyed: the counts at its end. `change` is the difference to the computed chips; a
    `hand_ended` follows."""

    hand: Number
    winners: Few[Seat]
    stacks: Few[Share]
    change: Signed
    source: Source
    gap: bool = True


class HandEnded(Event, frozen=True, tag="hand_ended"):
    """`carried` chips stay in the pot of the next hand."""

    hand: Number
    stacks: Few[Share]
    out: Few[Seat] = ()
    carried: Chips = Chips(0)


AnyHandEvent = (
    HandStarted
    | Posted
    | CardDealt
    | Acted
    | ActedOutOfTurn
    | BetReturned
    | BettingClosed
    | BoardDealt
    | BoardRead
    | BoardsAgreed
    | HandTabled
    | HandMucked
    | HandKilled
    | DutiesSet
    | HandRetrieved
    | BetCorrected
    | LevelChanged
    | DealClosed
    | CardExposed
    | Reported
    | Misdealt
    | HandResumed
    | HandsBeaten
    | PotAwarded
    | ResultEntered
    | HandEnded
)
