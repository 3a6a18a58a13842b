"""Cards as small integers, and as the text that travels on the wire.

A card is `rank * 4 + suit`: rank 0 is the deuce and 12 the ace, suits are clubs, diamonds, hearts, spades. The
text is rank then suit, `"Ah"`; `messages.UNKNOWN_CARD` is not a card and never becomes one here.
"""

from __future__ import annotations

from typing import NewType

Card = NewType("Card", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)

# New deck order of this program: all deuces first, clubs before diamonds before hearts before spades.
DECK: tuple[Card, ...] = tuple(Card(number) for number in range(52))

_TEXTS = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {text: Card(number) for number, text in enumerate(_TEXTS)}


def find_card(text: str) -> Card | None:
    """The card that `text` names, None when it names none."""
    return _CARDS.get(text)


def parse_card(text: str) -> Card:
    """The card that `text` names, `"Ah"`. Raise `ValueError` saying what was expected."""
    card = _CARDS.get(text)
    if card is None:
        raise ValueError(f"{text!r} is not a card; expected rank {RANKS} and suit {SUITS}, such as 'Ah'")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards written one after another, `"AhKd"`. Raise `ValueError` for anything that is not a card."""
    return tuple(parse_card(text[start : start + 2]) for start in range(0, len(text), 2))


def card_text(card: Card) -> str:
    """`"Ah"` for the ace of hearts."""
    return _TEXTS[card]


def rank_of(card: Card) -> int:
    """0 for a deuce to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3
