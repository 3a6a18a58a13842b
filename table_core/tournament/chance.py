"""Chance from a recorded seed: anybody who has the seed can draw again and compare.

The stream is SHA-256 of the seed and a counter, so a draw does not depend on a language's own generator.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from table_core.cards import DECK, Card

T = TypeVar("T")


def shuffled(items: Sequence[T], seed: str) -> list[T]:
    """`items` in an order drawn from `seed`: Fisher and Yates, from the last place to the first."""
    stream = _numbers(seed)
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        chosen = _below(last + 1, stream)
        result[last], result[chosen] = result[chosen], result[last]
    return result


def drawn_cards(count: int, seed: str, deck: Sequence[Card] = DECK) -> list[Card]:
    """`count` cards off the top of a deck shuffled with `seed`; a deck of 52 is used again after its last card."""
    cards: list[Card] = []
    while len(cards) < count:
        cards += shuffled(deck, f"{seed}/{len(cards)}")
    return cards[:count]


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number below `bound`, each as likely: numbers beyond the last whole multiple are drawn again."""
    limit = (1 << 64) // bound * bound
    return next(number for number in stream if number < limit) % bound


def _numbers(seed: str) -> Iterator[int]:
    counter = 0
    while True:
        digest = hashlib.sha256(f"{seed}:{counter}".encode()).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        counter += 1
