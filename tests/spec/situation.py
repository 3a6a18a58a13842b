"""A table and what happens at it, in terms of poker and of the room.

Seats are numbered from 1 and go clockwise.  Amounts are whole chips.  The `to` of an act is the seat's total
on that street, so a call of a bet of 200 is `to=200` whatever the seat had in before.

Cards have no names here.  A card is named by its place in the deck: the hole cards by their place in the deal
(1 is the first card dealt), the rest by its place in the stub.  With five seats and no error the stub goes: 1
burn, 2 3 4 flop, 5 burn, 6 turn, 7 burn, 8 river.

>>> table = Table("wfp", button=1, stacks=(10_000,) * 5)
>>> table.small_blind_seat, table.big_blind_seat
(2, 3)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tests.spec.effects import Effect

Book = Literal["ccp", "cpp", "wfp", "home", "rpl"]
Street = Literal["preflop", "flop", "turn", "river"]
Act = Literal["fold", "check", "call", "bet", "raise", "all-in"]

BOOKS: tuple[Book, ...] = ("ccp", "cpp", "wfp", "home", "rpl")
STREETS: tuple[Street, ...] = ("preflop", "flop", "turn", "river")
POSTFLOP: tuple[Street, ...] = ("flop", "turn", "river")


@dataclass(frozen=True, slots=True)
class Table:
    """One table at the start of a hand: stacks are counted before the blinds are posted.

    The button, the blinds and the seats dealt in are right unless a step says otherwise.
    """

    book: Book
    button: int = 1
    stacks: tuple[int, ...] = (10_000,) * 5
    small_blind: int = 50
    big_blind: int = 100

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats, each with a player."""
        return tuple(range(1, len(self.stacks) + 1))

    def left_of(self, seat: int, places: int = 1) -> int:
        """The seat so many places to the left of this one."""
        return (seat - 1 + places) % len(self.stacks) + 1

    @property
    def small_blind_seat(self) -> int:
        """Heads-up the button posts the small blind (every book)."""
        return self.button if len(self.stacks) == 2 else self.left_of(self.button)

    @property
    def big_blind_seat(self) -> int:
        """The seat to the left of the small blind."""
        return self.left_of(self.small_blind_seat)

    @property
    def deal_order(self) -> tuple[int, ...]:
        """Seats in the order of the hole cards; heads-up the first card goes to the big blind."""
        first = self.left_of(self.button)
        return tuple(self.left_of(first, place) for place in range(len(self.stacks)))


# --- Acts of players ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Acts:
    """A seat acts in turn, with words that everybody heard; `to` is None for a fold and a check."""

    seat: int
    act: Act
    to: int | None = None


@dataclass(frozen=True, slots=True)
class ActsOutOfTurn:
    """A seat acts while it is another seat's turn.

    `how`: "said" (words alone), "chips" (chips released as well), "discard" (a hand thrown forward, face
    down, that did not reach the muck).
    """

    seat: int
    act: Act
    to: int | None = None
    how: Literal["said", "chips", "discard"] = "said"


@dataclass(frozen=True, slots=True)
class PutsChips:
    """A seat in turn puts chips in, in one or more motions, with or without words.

    `motions` holds the value of each chip, motion by motion.  `said` is the word spoken before the chips,
    `said_to` the amount spoken (the seat's total on the street), each None when not spoken.
    """

    seat: int
    motions: tuple[tuple[int, ...], ...]
    said: Act | Literal["call and raise"] | None = None
    said_to: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawsChips:
    """A seat asks to take back the chips of its last act because it did not know of the raise."""

    seat: int


@dataclass(frozen=True, slots=True)
class CallsTime:
    """A skipped seat stops the action with "time"."""

    seat: int


# --- Hands of players -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiscardsForward:
    """A seat in turn throws its hand away, face down and forward, without a word; it does not reach the muck."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandInMuck:
    """A hand that was not tabled gets into the muck, face down.

    `by`: "holder" (threw it there), "dealer" (took it by mistake).  `identifiable`: the two cards can be told from
    the rest without doubt.  `misinformed`: the holder had been told something false.
    """

    seat: int
    by: Literal["holder", "dealer"]
    identifiable: bool
    protected: bool = False
    misinformed: bool = False


@dataclass(frozen=True, slots=True)
class TabledHandInMuck:
    """The dealer mucks a hand that lay face up and was read by the table."""

    seat: int


@dataclass(frozen=True, slots=True)
class ThrowsIntoHand:
    """A seat's cards land among the cards of another live hand."""

    seat: int
    into: int
    face_up: bool = False


@dataclass(frozen=True, slots=True)
class TurnsUpOther:
    """A player purposely turns up the live hand of another seat."""

    seat: int
    owner: int


@dataclass(frozen=True, slots=True)
class ShowsCard:
    """A seat with a live hand shows a card to somebody, on purpose or not, or drops it on the floor."""

    seat: int
    how: Literal["deliberate", "flashed", "dropped"]


@dataclass(frozen=True, slots=True)
class TakesCardsBack:
    """A seat that folded takes its cards back from the felt; they were never in the muck."""

    seat: int
    misinformed: bool = False


@dataclass(frozen=True, slots=True)
class IsAway:
    """A seat's player goes away: before the hand, during the deal or during play, by the place of this step."""

    seat: int


@dataclass(frozen=True, slots=True)
class ComesBack:
    """An away player sits down again."""

    seat: int


# --- Acts of the dealer ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DealError:
    """One error in dealing the hole cards.

    kinds and their data:
    "exposed"       `index` of the card in the deal; the dealer exposed it
    "flashed"       `index`; the dealer flashed it: some saw it
    "off table"     `index`; dealt off the table
    "boxed"         `index`; found face up in the deck
    "extra"         `seat`, `count`: cards dealt beyond complete hands
    "extra inside"  `seat`: this seat got two cards in one round of the deal
    "short"         `seat`: one card missing in the hand
    "left out"      `seat`: no cards at all
    "empty seat"    cards dealt to somebody who is not entitled to a hand
    """

    kind: Literal[
        "exposed", "flashed", "off table", "boxed", "extra", "extra inside", "short", "left out", "empty seat"
    ]
    index: int | None = None
    seat: int | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class DealsHands:
    """The hole cards are dealt.  A cell without this step starts after a deal without errors.

    `first_seat` and `button` are None when right; otherwise the seat that got the first card, the seat where the
    button lay.  `upto` is the number of cards dealt when the next step happens, None for the whole deal; a second
    `DealsHands` deals the rest.
    """

    errors: tuple[DealError, ...] = ()
    first_seat: int | None = None
    button: int | None = None
    upto: int | None = None


@dataclass(frozen=True, slots=True)
class Burns:
    """The dealer burns so many cards for a street and has not turned a board card yet; `shown`: a burn was
    seen."""

    street: Street
    burns: int
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Deals:
    """The dealer burns and turns a street.  With the defaults it is dealt right, if betting is complete.

    `cards` is None for the right number.  Dealing before betting is complete is the error "premature".
    """

    street: Street
    burns: int = 1
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class DropsDeck:
    """The dealer takes the deal for finished and mixes the stub with other cards."""


@dataclass(frozen=True, slots=True)
class StartsNewHand:
    """The first riffle of the next deal.  `other_deck`: the idle deck is riffled beside the table, as always."""

    other_deck: bool = False


# --- Showdown and pot -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tables:
    """A seat tables its hand.  `best`: its rank among the live hands, 1 is best; equal ranks tie."""

    seat: int
    best: int


@dataclass(frozen=True, slots=True)
class PushesPot:
    """The dealer pushes so many chips of the pot to a seat; `mingled`: they were mixed with the seat's stack."""

    seat: int
    amount: int
    mingled: bool = False


# --- What a person says ---------------------------------------------------------------------------

Matter = Literal[
    "out of turn",
    "skipped",
    "burns",
    "burn shown",
    "too many cards",
    "premature",
    "misdeal",
    "exposed card",
    "wrong count",
    "boxed card",
    "wrong button",
    "absent",
    "dead hand",
    "hand in muck",
    "shown card",
    "string bet",
    "silent chips",
    "short call",
    "below minimum",
    "amount",
    "more behind",
    "misunderstanding",
    "withdrawal",
    "wrong push",
    "split",
    "not tabled",
    "new hand",
]


@dataclass(frozen=True, slots=True)
class FloorIsTold:
    """Somebody draws attention to an error: this is the moment that the deadlines of the books count from.

    `seat`: the seat it is about.  `facts`: what people at the table say, as (fact, answer).
    """

    matter: Matter
    seat: int | None = None
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class IsRuled:
    """The director has ruled on the last error: the option at place `option` of its expectation, with these
    effects."""

    option: int
    effects: tuple[Effect, ...]


Step = (
    Acts
    | ActsOutOfTurn
    | PutsChips
    | WithdrawsChips
    | CallsTime
    | DiscardsForward
    | HandInMuck
    | TabledHandInMuck
    | ThrowsIntoHand
    | TurnsUpOther
    | ShowsCard
    | TakesCardsBack
    | IsAway
    | ComesBack
    | DealsHands
    | Burns
    | Deals
    | DropsDeck
    | StartsNewHand
    | Tables
    | PushesPot
    | FloorIsTold
    | IsRuled
)
