"""Tables behind `ranking`: the value of every set of ranks and of every flush, built at the first question.

Of the 25 million sums of rank keys 73,775 occur. They are cut into rows, and the rows are laid over each other
so that no two sums fall on the same cell, each row at the first place where it fits.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from table_core.ranking_keys import COLUMN_BITS, COLUMN_MASK, ONE_CARD, RANK_KEYS

Ints = NDArray[np.int32]
Index = NDArray[np.intp]

RANKS = 13
RANK_SETS = 1 << RANKS  # sets of ranks, one bit a rank

_ROW_BYTES = (COLUMN_MASK >> 3) + 1
_WINDOW = 8 * _ROW_BYTES  # bytes of cells looked at together

# Categories, as in `ranking.Category`.
_PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL, _QUADS, _STRAIGHT_FLUSH = (n << 20 for n in range(1, 9))


class RankTables(NamedTuple):
    """`rows` and `values` find a value without flushes (see `ranking_keys`); `flushes` is indexed by the set of
    ranks of one suit and is 0 for fewer than five."""

    rows: Index
    values: Ints
    flushes: Ints


@cache
def tables() -> RankTables:
    """Built once, in some hundredths of a second."""
    sums, values = _sums_and_values()
    rows, places, size = _lay_out(sums)
    cells = np.zeros(size, np.int32)
    cells[places] = values
    return RankTables(rows, cells, _flush_values())


def rank_multisets(cards: int) -> NDArray[np.int8]:
    """Every way to draw `cards` ranks, at most four alike: an array of shape (ways, cards), sorted in each row."""
    every = chain.from_iterable(combinations_with_replacement(range(RANKS), cards))
    ways = np.fromiter(every, np.int8).reshape(comb(RANKS + cards - 1, cards), cards)
    if cards <= 4:
        return ways
    at_most_four: NDArray[np.bool_] = (ways[:, 4:] != ways[:, :-4]).all(axis=1)
    return ways[at_most_four]


def rank_sums(ways: NDArray[np.int8]) -> Index:
    """Sum of the rank keys in each row.

    `ways` has the shape (n, cards), ranks 0 to 12; the result has the shape (n,).
    """
    return np.asarray(np.array(RANK_KEYS, np.intp)[ways].sum(axis=1), np.intp)


def _sums_and_values() -> tuple[Index, Ints]:
    """Of all five to seven ranks: the sum as `ranking_keys` makes it, and the value without flushes."""
    sums, values = [], []
    for cards in (5, 6, 7):
        ways = rank_multisets(cards)
        sums.append(rank_sums(ways) + (cards - 5) * ONE_CARD)
        values.append(_values_of_ranks(*_held(ways)))
    return np.concatenate(sums), np.concatenate(values)


def _held(ways: NDArray[np.int8]) -> tuple[Ints, Ints, Ints, Ints]:
    """Sets of the ranks held at least once, twice, three and four times. Rows are sorted: equal ranks are
    neighbours."""
    bits = np.left_shift(1, ways, dtype=np.int32)
    held = []
    for times in range(4):
        alike = ways[:, times:] == ways[:, : ways.shape[1] - times]
        held.append(np.bitwise_or.reduce(bits[:, times:] * alike, axis=1))
    return held[0], held[1], held[2], held[3]


def _values_of_ranks(once: Ints, twice: Ints, thrice: Ints, four: Ints) -> Ints:
    """Values when no five cards share a suit. Each set of ranks comes with those held more often in it."""
    top, straight = _top_ranks(), _straight_tops()
    best_pair, best_trips, best_quads = (top[held] >> 16 for held in (twice, thrice, four))
    second_pair = top[twice] >> 12 & 15
    under_trips = top[twice & ~(1 << best_trips)] >> 16
    two_pair = best_pair << 16 | second_pair << 12 | _kickers(once & ~(1 << best_pair) & ~(1 << second_pair), 2, 1)
    has_two_pair = twice & (twice - 1) != 0
    has_full_house = (thrice != 0) & has_two_pair
    choices = [
        (four != 0, _QUADS | best_quads << 16 | _kickers(once & ~(1 << best_quads), 1, 1)),
        (has_full_house, _FULL | best_trips << 16 | under_trips << 12),
        (straight[once] >= 0, _STRAIGHT | straight[once] << 16),
        (thrice != 0, _TRIPS | best_trips << 16 | _kickers(once & ~(1 << best_trips), 1, 2)),
        (has_two_pair, _TWO_PAIR | two_pair),
        (twice != 0, _PAIR | best_pair << 16 | _kickers(once & ~(1 << best_pair), 1, 3)),
    ]
    values: Ints = np.select([held for held, _ in choices], [value for _, value in choices], top[once])
    return values.astype(np.int32)


def _flush_values() -> Ints:
    held = np.arange(RANK_SETS)
    straight = _straight_tops()
    values = np.where(straight >= 0, _STRAIGHT_FLUSH | straight << 16, _FLUSH | _top_ranks())
    five = sum(held >> rank & 1 for rank in range(RANKS)) >= 5
    return np.where(five, values, 0).astype(np.int32)


def _kickers(held: Ints, after: int, count: int) -> Ints:
    """The top `count` ranks of each set, packed to follow `after` ranks."""
    room = (1 << 4 * count) - 1 << 4 * (5 - after - count)
    packed: Ints = _top_ranks()[held] >> 4 * after & room
    return packed


@cache
def _top_ranks() -> Ints:
    """By set of ranks: its highest five, four bits each, the highest in bits 16 to 19; 0 where there are fewer."""
    packed = np.zeros(RANK_SETS, np.int32)
    taken = np.zeros(RANK_SETS, np.int32)
    held = np.arange(RANK_SETS)
    for rank in reversed(range(RANKS)):
        here = (held >> rank & 1 == 1) & (taken < 5)
        packed[here] |= rank << (16 - 4 * taken[here])
        taken += here
    return packed


@cache
def _straight_tops() -> Ints:
    """By set of ranks: the highest rank of a straight in it, -1 for none. The ace also counts below the deuce."""
    held = np.arange(RANK_SETS)
    ladder = held << 1 | held >> 12
    tops = np.full(RANK_SETS, -1, np.int32)
    for top in range(3, RANKS):
        run = 0b11111 << top - 3
        tops[ladder & run == run] = top
    return tops


def _lay_out(sums: Index) -> tuple[Index, Index, int]:
    """Where each row of sums starts, where each sum falls, and the number of cells. Rows with most sums go first,
    those with as many follow on where the last of them fitted."""
    in_order = np.sort(sums)
    numbers, firsts, counts = np.unique(in_order >> COLUMN_BITS, return_index=True, return_counts=True)
    columns = np.split(in_order & COLUMN_MASK, firsts[1:])
    starts = np.zeros(len(numbers), np.intp)
    free = bytearray(b"\xff") * (len(sums) // 2)  # a bit a cell
    at = count = 0
    for place in np.argsort(-counts, kind="stable").tolist():
        if counts[place] != count:
            at, count = 0, counts[place]
        at, starts[place] = _lay_row(columns[place].tolist(), free, at)
    rows = np.zeros(int(numbers[-1]) + 1, np.intp)
    rows[numbers] = starts
    places = rows[sums >> COLUMN_BITS] + (sums & COLUMN_MASK)
    return rows, places, int(places.max()) + 1


def _lay_row(columns: list[int], free: bytearray, at: int) -> tuple[int, int]:
    """Lay a row on free cells, from byte `at` of them on. The byte where it was found, and the row's start."""
    first = columns[0]
    row = sum(1 << column - first for column in columns)
    while True:
        window = int.from_bytes(free[at : at + _WINDOW], "little")
        fits = window
        for column in columns[1:]:
            fits &= window >> column - first
        if fits:
            break
        at += _WINDOW - _ROW_BYTES
    cell = (fits & -fits).bit_length() - 1
    free[at : at + _WINDOW] = (window ^ row << cell).to_bytes(_WINDOW, "little")
    return at, 8 * at + cell - first
