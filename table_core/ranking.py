"""Which hand is best: the value of five to seven cards as one integer, and its name in words.

A value is `category << 20 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5`: the category, then the ranks that
decide between hands of one category, most important first. Higher wins, equal ties.

Each card carries a key (`ranking_keys`); the sum of the keys determines the value, in any order of
the cards. `ranking_batch` does the same for arrays of hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from table_core.cards import RANK_NAMES, Card
from table_core.ranking_keys import (
    CARD_KEYS,
    COLUMN_BITS,
    COLUMN_MASK,
    FLUSH_BITS,
    START,
    SUIT_BITS,
)


class Category(IntEnum):
    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


# Filled at the first use, from `ranking_tables`, so that importing this module is cheap.
_rows: Final[list[int]] = []
_values: Final[list[int]] = []
_flushes: Final[list[int]] = []

_KEYS: Final = CARD_KEYS  # under a shorter name
# Sums made beforehand, which spare additions of long integers: of two cards, and of one card and the start.
_PAIR_KEYS: Final = [[first + second for second in CARD_KEYS] for first in CARD_KEYS]
_LAST_KEYS: Final = [key + START for key in CARD_KEYS]
# By the bit that says five or more of a suit: for each card the bit of its rank if it is of that suit, else 0.
_SUITED: Final = {
    8 << 4 * suit: [(card & 3 == suit) << (card >> 2) for card in range(52)].__getitem__ for suit in range(4)
}


def rank_hand(cards: Sequence[Card]) -> int:
    """The value of the best five of `cards` (5 to 7 different cards): higher is better, equal is a tie.
    Raise `ValueError` for another number of cards."""
    try:
        a, b, c, d, e, f, g = cards
        total = _PAIR_KEYS[a][b] + _PAIR_KEYS[c][d] + _PAIR_KEYS[e][f] + _LAST_KEYS[g]
    except ValueError:
        total = _sum_of_fewer(cards)
    try:
        if total & FLUSH_BITS:
            # Seven cards with a flush hold neither quads nor a full house, so the flush suit alone decides.
            return _flushes[sum(map(_SUITED[total & FLUSH_BITS], cards))]
        ranks = total >> SUIT_BITS
        return _values[_rows[ranks >> COLUMN_BITS] + (ranks & COLUMN_MASK)]
    except IndexError:  # no tables yet
        return _rank_first(cards)


def rank_on_board(board: Sequence[Card], hands: Sequence[tuple[Card, Card]]) -> list[int]:
    """The value of each of `hands` with the three to five cards of `board`, as `rank_hand` gives it."""
    if not _values:
        return [rank_hand((*board, *hand)) for hand in hands]
    on_board = sum([_KEYS[card] for card in board]) + START
    values: list[int] = []
    for first, second in hands:
        total = on_board + _PAIR_KEYS[first][second]
        if total & FLUSH_BITS:
            values.append(rank_hand((*board, first, second)))
        else:
            ranks = total >> SUIT_BITS
            values.append(_values[_rows[ranks >> COLUMN_BITS] + (ranks & COLUMN_MASK)])
    return values


def category(value: int) -> Category:
    """The category of a value that `rank_hand` gave."""
    return Category(value >> 20)


def describe(cards: Sequence[Card]) -> str:
    """The best five of `cards` in words: `"full house, kings over tens"`."""
    return describe_value(rank_hand(cards))


def describe_value(value: int) -> str:
    """`"two pair, aces and eights"` for a value that `rank_hand` gave."""
    first, second = value >> 16 & 15, value >> 12 & 15
    match category(value):
        case Category.STRAIGHT_FLUSH:
            return "royal flush" if first == 12 else f"straight flush, {RANK_NAMES[first]} high"
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {_plural(first)}"
        case Category.FULL_HOUSE:
            return f"full house, {_plural(first)} over {_plural(second)}"
        case Category.FLUSH:
            return f"flush, {RANK_NAMES[first]} high"
        case Category.STRAIGHT:
            return f"straight, {RANK_NAMES[first]} high"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {_plural(first)}"
        case Category.TWO_PAIR:
            return f"two pair, {_plural(first)} and {_plural(second)}"
        case Category.PAIR:
            return f"pair of {_plural(first)}"
        case Category.HIGH_CARD:
            return f"{RANK_NAMES[first]} high"


def _plural(rank: int) -> str:
    return "sixes" if RANK_NAMES[rank] == "six" else RANK_NAMES[rank] + "s"


def _sum_of_fewer(cards: Sequence[Card]) -> int:
    if not 5 <= len(cards) <= 6:
        raise ValueError(f"{len(cards)} cards have no value; give five, six or seven")
    return sum(map(_KEYS.__getitem__, cards), START)


def _rank_first(cards: Sequence[Card]) -> int:
    """The first hand of all: it fills the tables."""
    import numpy as np

    from table_core.ranking_batch import rank_hands
    from table_core.ranking_tables import tables

    if not _values:
        one_of_each: dict[int, int] = {}  # equal numbers share an object, so that all fit a core's cache
        rows, values, flushes = tables()
        for into, table in ((_rows, rows.tolist()), (_flushes, flushes.tolist()), (_values, values.tolist())):
            into[:] = [one_of_each.setdefault(number, number) for number in table]
    return int(rank_hands(np.array([cards]))[0])
