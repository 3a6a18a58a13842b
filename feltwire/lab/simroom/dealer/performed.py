"""The result of one hand: the truth and what the table showed. For checks only, never for the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltwire.lab.simroom.dealer.mischief import Mischief
from table_core.messages import UNKNOWN_CARD, CardText, Chips, Seat


@dataclass
class DealerWorkload:
    """How much work the hand was for its dealer."""

    presses: int = 0
    corrections: int = 0  # presses to put the screen right
    questions: int = 0  # that the screen asked
    counts: int = 0  # stacks that had to be counted
    faults: list[Mischief] = field(default_factory=list)


@dataclass(frozen=True)
class Performed:
    """A hand as the perfect observer has it, and as the dealer screen ended up with it.

    Only cards that lay face up are in here.
    """

    hand: int
    stacks: Mapping[Seat, Chips]
    board: tuple[CardText, ...]
    tabled: Mapping[Seat, tuple[CardText, ...]]
    shown_board: tuple[CardText, ...]
    shown_hands: Mapping[Seat, tuple[CardText, ...]]
    shown_stacks: Mapping[Seat, Chips]
    tally: DealerWorkload

    @property
    def stacks_agree(self) -> bool:
        return all(self.shown_stacks.get(seat) == stack for seat, stack in self.stacks.items())

    @property
    def misread(self) -> int:
        """Cards that the screen shows where other cards lie."""
        wrong = _strangers(self.shown_board, self.board)
        return wrong + sum(_strangers(cards, self.tabled.get(s, ())) for s, cards in self.shown_hands.items())

    @property
    def unread(self) -> int:
        """Cards that lay face up and never reached the screen."""
        missing = _strangers(self.board, self.shown_board)
        return missing + sum(_strangers(cards, self.shown_hands.get(s, ())) for s, cards in self.tabled.items())


def _strangers(cards: tuple[CardText, ...], known: tuple[CardText, ...]) -> int:
    return sum(1 for card in cards if card != UNKNOWN_CARD and card not in known)
