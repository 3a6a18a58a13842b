"""What a ruling does: a small closed set of records.

Places in the stub are those of `situation`.  Where a shuffle has made them unknown they are left out:
`BoardIs.stub` and `NextStreet.stub` are None, the cards of the other records are ().  A card that completes a
short hand is not counted in the stub.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.spec.situation import Act, Street

# --- Turn and betting -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnGoesTo:
    """It is (again) this seat's turn."""

    seat: int


@dataclass(frozen=True, slots=True)
class Waits:
    """Nothing is decided about the seat's act before its turn comes: what others do first decides it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Binds:
    """The seat's act holds as this act when its turn comes; no other is open to it."""

    seat: int
    act: Act
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Unbinds:
    """The seat's act falls: chips it put in by it come back, and at its turn it may do anything legal."""

    seat: int


@dataclass(frozen=True, slots=True)
class MayNotRaise:
    """At its next turn the seat may neither bet nor raise; it may check or call, and it may fold."""

    seat: int


@dataclass(frozen=True, slots=True)
class MustCall:
    """At its next turn the seat must call this total (or all it has); it may not raise and may not fold."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class MustCheck:
    """At its next turn the seat must check."""

    seat: int


@dataclass(frozen=True, slots=True)
class LosesRightToAct:
    """The skipped seat's right to act on this street is lost."""

    seat: int


@dataclass(frozen=True, slots=True)
class CountsAs:
    """The seat's chips or words count as this act; `change` goes back to it, `owes` must be added by it."""

    seat: int
    act: Act
    to: int
    change: int = 0
    owes: int = 0


@dataclass(frozen=True, slots=True)
class TakesChipsBack:
    """The seat takes so many chips back and acts again."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class ChipsStay:
    """The seat gets none of its chips in the pot back, though its hand is fouled by an error of the deal."""

    seat: int


# --- Hands ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KillsHand:
    """The seat's hand is dead; its chips stay in the pot."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandLives:
    """The seat's hand is live."""

    seat: int


@dataclass(frozen=True, slots=True)
class Misdeal:
    """The deal is void: cards are collected, shuffled and cut, bets and blinds go back, the same hand is
    redealt."""


@dataclass(frozen=True, slots=True)
class NoMisdeal:
    """No misdeal: the hand is played to its end from here."""


@dataclass(frozen=True, slots=True)
class ReplacesCard:
    """The seat loses the irregular card and gets another one.

    `when`: "now" (the next card of the deck), "after the round", "after the deal" (the top card of the stub).
    """

    seat: int
    when: str


@dataclass(frozen=True, slots=True)
class CompletesHand:
    """The seat that is one card short gets the top card, which is the card due to it."""

    seat: int


# --- Board and deck -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BoardIs:
    """The board has so many cards; `stub` names them where the text fixes them, None where chance does."""

    n_cards: int
    stub: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class BurnIs:
    """These cards of the stub are the burns of the street; "exposed" is the replaced hole card."""

    street: Street
    cards: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class CardsReturn:
    """These cards of the stub go back: "top" of the stub, or "shuffled" into it.  Burns and discards stay out."""

    stub: tuple[int, ...]
    how: str


@dataclass(frozen=True, slots=True)
class ShownToAll:
    """These cards of the stub are shown to the whole table."""

    stub: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NextStreet:
    """How the street is dealt once betting before it is complete.

    `burns`: how many cards are burned first; `stub`: the board cards it brings, None when a shuffle decides.
    """

    street: Street
    burns: int
    stub: tuple[int, ...] | None = None


# --- Pot and conduct ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PotTo:
    """The seat is due so many chips of the pot, wherever they were pushed."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class SplitsPot:
    """The pot is split: what each seat is due, in seat order, and what is carried into the next pot."""

    shares: tuple[tuple[int, int], ...]
    carried: int = 0


@dataclass(frozen=True, slots=True)
class ResultStands:
    """The award is not changed any more."""


@dataclass(frozen=True, slots=True)
class HandGoesOn:
    """The hand is not over; the new hand does not start."""


@dataclass(frozen=True, slots=True)
class TablesNow:
    """These seats turn up their hands now."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PenaltyFor:
    """The director may penalise the seat."""

    seat: int


Effect = (
    TurnGoesTo
    | Waits
    | Binds
    | Unbinds
    | MayNotRaise
    | MustCall
    | MustCheck
    | LosesRightToAct
    | CountsAs
    | TakesChipsBack
    | ChipsStay
    | KillsHand
    | HandLives
    | Misdeal
    | NoMisdeal
    | ReplacesCard
    | CompletesHand
    | BoardIs
    | BurnIs
    | CardsReturn
    | ShownToAll
    | NextStreet
    | PotTo
    | SplitsPot
    | ResultStands
    | HandGoesOn
    | TablesNow
    | PenaltyFor
)
