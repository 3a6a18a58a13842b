"""Cards that lie face up, as sets: integers with one bit a card."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from table_core.cards import DECK, card_text
from table_core.messages import CardText

CARD_BITS: Final = {card_text(card): 1 << card for card in DECK}


@lru_cache(4_096)  # there are 2,652 hands to be tabled
def bits_of(cards: tuple[CardText, ...]) -> int:
    """The set of those of `cards` that somebody has read."""
    bits = 0
    for card in cards:
        bits |= CARD_BITS.get(card, 0)
    return bits
