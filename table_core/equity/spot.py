"""What is known when equity is asked: the hands, the board so far, and cards that are dead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from table_core.cards import DECK, Card, card_text

MOST_HANDS = 11
_BOARD = 5


class EquityError(ValueError):
    """A spot that cannot be: one line that says what is wrong and where."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Two to eleven hands of two cards, a board of up to five, and cards known to be out of the deck.

    Raise `EquityError` when the cards cannot lie like that.
    """

    hands: tuple[tuple[Card, Card], ...]
    board: tuple[Card, ...] = ()
    dead: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        if not 2 <= len(self.hands) <= MOST_HANDS:
            raise EquityError(
                f"{_count(len(self.hands), 'hand')} given; equity is between 2 and {MOST_HANDS} hands"
            )
        for number, hand in enumerate(self.hands, 1):
            if len(hand) != 2:
                raise EquityError(f"hand {number} has {_count(len(hand), 'card')}; a hand is 2 cards")
        if len(self.board) > _BOARD:
            raise EquityError(f"the board has {len(self.board)} cards; it is at most {_BOARD}")
        self._check_once_each()
        left = len(DECK) - len(self.known)
        if left < self.to_come:
            raise EquityError(f"{left} cards are left in the deck; the board needs {self.to_come} more")

    @property
    def to_come(self) -> int:
        """Board cards still to come."""
        return _BOARD - len(self.board)

    @property
    def known(self) -> tuple[Card, ...]:
        """Cards that cannot come any more."""
        return (*chain.from_iterable(self.hands), *self.board, *self.dead)

    @property
    def stub(self) -> tuple[Card, ...]:
        """Cards that can still come."""
        known = set(self.known)
        return tuple([card for card in DECK if card not in known])

    def _check_once_each(self) -> None:
        if len(set(self.known)) == len(self.known):
            return
        seen: dict[Card, str] = {}
        for card, where in self._places():
            if card in seen:
                raise EquityError(f"{card_text(card)} is given twice: {seen[card]} and {where}")
            seen[card] = where

    def _places(self) -> Iterator[tuple[Card, str]]:
        for number, hand in enumerate(self.hands, 1):
            for card in hand:
                yield card, f"in hand {number}"
        for card in self.board:
            yield card, "on the board"
        for card in self.dead:
            yield card, "among the dead cards"


def spot_of(hands: Sequence[Sequence[Card]], board: Sequence[Card] = (), dead: Sequence[Card] = ()) -> Spot:
    """A spot from any sequences of cards. Raise `EquityError`."""
    pairs = []
    for number, hand in enumerate(hands, 1):
        if len(hand) != 2:
            raise EquityError(f"hand {number} has {_count(len(hand), 'card')}; a hand is 2 cards")
        pairs.append((hand[0], hand[1]))
    return Spot(tuple(pairs), tuple(board), tuple(dead))


def _count(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"
