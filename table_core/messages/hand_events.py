"""What happened in a hand, from the blinds to the last chip pushed."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Event, Seat
from table_core.messages.parts import Level, ResumedPot, ResumedSeat, SeatStack, Share
from table_core.messages.words import Action, Post, Source, Street


class HandStarted(Event, frozen=True, tag="hand_started"):
    hand: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    seats: tuple[SeatStack, ...]
    source: Source
    extra_small_blinds: tuple[Seat, ...] = ()
    extra_big_blinds: tuple[Seat, ...] = ()
    away: tuple[Seat, ...] = ()
    carried: Chips = Chips(0)
    flag: str = ""


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

    place: int
    to: str
    commitment: str | None
    attempt: int = 1


class Acted(Event, frozen=True, tag="acted"):
    """`added` chips went in, `to` is then the total in front of the seat on this street."""

    seat: Seat
    action: Action
    added: Chips
    to: Chips
    all_in: bool
    source: Source
    flag: str = ""


class BetReturned(Event, frozen=True, tag="bet_returned"):
    seat: Seat
    amount: Chips


class BettingClosed(Event, frozen=True, tag="betting_closed"):
    street: Street
    pots: tuple[Chips, ...]


class BoardDealt(Event, frozen=True, tag="board_dealt"):
    street: Street
    cards: tuple[CardText, ...]
    sources: tuple[Source, ...]
    flag: str = ""


class BoardRead(Event, frozen=True, tag="board_read"):
    """The whole board so far: cards that were unread are filled in, known ones are unchanged."""

    cards: tuple[CardText, ...]
    sources: tuple[Source, ...]


class HandTabled(Event, frozen=True, tag="hand_tabled"):
    seat: Seat
    cards: tuple[CardText, ...]
    sources: tuple[Source, ...]
    flag: str = ""


class HandMucked(Event, frozen=True, tag="hand_mucked"):
    seat: Seat
    source: Source
    flag: str = ""


class HandKilled(Event, frozen=True, tag="hand_killed"):
    """A hand is dead by a ruling or because its player is absent; its chips stay in the pot."""

    seat: Seat
    why: str
    rule: str
    source: Source


class HandRetrieved(Event, frozen=True, tag="hand_retrieved"):
    """A ruling gave a mucked hand back."""

    seat: Seat
    source: Source
    flag: str = ""


class BetCorrected(Event, frozen=True, tag="bet_corrected"):
    """Chips that were missing from a bet or call went in; `to` is then the total in front of the seat. What was
    missing from a call of an earlier street goes to the main pot: nothing in front changes."""

    seat: Seat
    added: Chips
    to: Chips
    source: Source


class DealClosed(Event, frozen=True, tag="deal_closed"):
    """The last hole card is out."""


class CardExposed(Event, frozen=True, tag="card_exposed"):
    to: str
    card: CardText
    sources: tuple[Source, ...]


class Reported(Event, frozen=True, tag="reported"):
    """The table did something that no hand can take in; it is kept for whoever reads the log."""

    what: str
    flag: str


class Misdealt(Event, frozen=True, tag="misdealt"):
    """The deal is void and chips went back; a `hand_ended` follows."""

    hand: int
    why: str
    stacks: tuple[Share, ...]
    source: Source
    flag: str = ""


class HandResumed(Event, frozen=True, tag="hand_resumed"):
    """The hand goes on from here; what happened before was not observed."""

    hand: int
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    street: Street
    board: tuple[CardText, ...]
    seats: tuple[ResumedSeat, ...]
    pots: tuple[ResumedPot, ...]
    to_act: Seat | None
    last_raise: Chips | None
    source: Source
    gap: bool = True


class HandsBeaten(Event, frozen=True, tag="hands_beaten"):
    """Hands that lost pot `no` are killed before it is awarded."""

    no: int
    seats: tuple[Seat, ...]


class PotAwarded(Event, frozen=True, tag="pot_awarded"):
    """Pot `no` (0 is the main pot) of `amount`. `why`: `cards`, `last_standing` or `dealer`; `hand` names the
    winning hand in words when cards decided. Chips not in `shares` are carried to the next hand's pot."""

    no: int
    amount: Chips
    eligible: tuple[Seat, ...]
    shares: tuple[Share, ...]
    why: str
    hand: str = ""
    flag: str = ""


class ResultEntered(Event, frozen=True, tag="result_entered"):
    """A hand that nobody keyed: what was counted at its end. `change` is what the count found more (or less)
    than arithmetic; a `hand_ended` follows."""

    hand: int
    winners: tuple[Seat, ...]
    stacks: tuple[Share, ...]
    change: int
    source: Source
    gap: bool = True


class HandEnded(Event, frozen=True, tag="hand_ended"):
    """`carried` chips stay in the pot of the next hand."""

    hand: int
    stacks: tuple[Share, ...]
    out: tuple[Seat, ...] = ()
    carried: Chips = Chips(0)


AnyHandEvent = (
    HandStarted
    | Posted
    | CardDealt
    | Acted
    | BetReturned
    | BettingClosed
    | BoardDealt
    | BoardRead
    | HandTabled
    | HandMucked
    | HandKilled
    | HandRetrieved
    | BetCorrected
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
