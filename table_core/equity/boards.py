"""Boards to come, by rank and by suit: what does not depend on the spot, kept once built.

A *draw* of n cards is a multiset of ranks. For flushes, cards of one suit (a set of ranks) and a draw of the
other suits make up the draw together.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from table_core.ranking_tables import RANKS, Index, rank_multisets, rank_sums

# How many ways `times` cards come from `left` of a rank: shape (5, 5).
WAYS = np.array([[comb(left, times) for times in range(5)] for left in range(5)], np.float64)


class Draws(NamedTuple):
    """All draws of some number of cards: the sums of their rank keys, and their parts, shape (cards, draws). A
    part is `rank * 5 + times`; a draw with repeated ranks fills up with parts of 0 times."""

    sums: Index
    parts: Index


class Suited(NamedTuple):
    """Draws that hold `ranks[n]`, a set of ranks as bits, in one suit, and draw m of the rest in others: together
    draw `draws[n, m]`. Sets come in order of `RANKS choose n`."""

    ranks: Index
    draws: Index


@cache
def draws(cards: int) -> Draws:
    ways = rank_multisets(cards)
    parts = np.zeros((cards, len(ways)), np.intp)
    different = np.zeros(len(ways), np.intp)
    every = np.arange(len(ways))
    for place in range(cards):
        if place:
            different += ways[:, place] != ways[:, place - 1]
        times = parts[different, every] % 5
        parts[different, every] = ways[:, place] * 5 + times + 1
    return Draws(rank_sums(ways), parts)


@cache
def suited(cards: int, of_suit: int) -> Suited:
    """Draws of `cards` cards with `of_suit` of them in one suit."""
    sets = np.array(list(combinations(range(RANKS), of_suit)), np.int8).reshape(comb(RANKS, of_suit), of_suit)
    bits = np.left_shift(1, sets, dtype=np.intp).sum(axis=1)
    together = np.add.outer(rank_sums(sets), draws(cards - of_suit).sums)
    all_sums = draws(cards).sums
    in_order = np.argsort(all_sums)
    # Five alike cannot be: such a pair finds any draw, and no way to be dealt.
    places = np.searchsorted(all_sums, together, sorter=in_order).clip(max=len(all_sums) - 1)
    return Suited(bits, in_order[places])
