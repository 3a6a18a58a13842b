"""Exact equity without dealing every board.

Without flushes only ranks matter, so that 6,175 draws of five ranks stand for 2.6 million boards, each with the
number of ways it can come. Flushes are then put right: for each suit, the boards on which somebody's flush beats
the best hand by ranks are moved from that draw's winners to the flush's. Two facts keep this small: one suit at
most makes a flush, and who has a flush among seven cards has no full house or quads, so that the best hand by
ranks beats a flush exactly when it is a full house or quads of somebody else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from table_core.cards import Card, rank_of, suit_of
from table_core.equity.boards import WAYS, Draws, draws, suited
from table_core.equity.spot import Spot
from table_core.ranking_keys import COLUMN_BITS, COLUMN_MASK, ONE_CARD, RANK_KEYS
from table_core.ranking_tables import RANKS, Index, Ints, tables

Floats = NDArray[np.float64]  # counts of boards: whole numbers, exact below 2**53

_SHARES = 27_720  # a pot in so many parts splits evenly between any number of hands up to eleven
_RANK_BITS = 1 << np.arange(RANKS)
_SEVEN_CARDS = 2 * ONE_CARD


@dataclass(frozen=True, slots=True)
class Equity:
    """One hand's part of all boards to come: won alone, tied, and the share of the pot in all."""

    share: Fraction
    won: int
    tied: int
    boards: int

    @property
    def equity(self) -> float:
        return float(self.share)

    @property
    def win(self) -> float:
        return self.won / self.boards

    @property
    def tie(self) -> float:
        return self.tied / self.boards


def equities(spot: Spot) -> tuple[Equity, ...]:
    """Each hand's equity over all boards that can still come. Shares sum to exactly 1."""
    count = len(spot.hands)
    boards = boards_by_winners(spot)
    split = _splits(count)
    total = int(boards.sum())
    shares, won, tied = (boards @ split.shares, boards @ split.alone, boards @ split.tied)
    return tuple(
        Equity(Fraction(int(shares[hand]), _SHARES * total), int(won[hand]), int(tied[hand]), total)
        for hand in range(count)
    )


def boards_by_winners(spot: Spot) -> Floats:
    """How many boards each set of hands wins together: indexed by a bit a hand, shape (2 ** hands,)."""
    left = np.ones((RANKS, 4), np.intp)
    left.put(spot.known, 0)
    ways = _ways(draws(spot.to_come), left.sum(axis=1))
    best, winners = _best_by_ranks(spot)
    boards = np.zeros(1 << len(spot.hands))
    for suit in range(4):
        _move_flushes(_one_suit(spot, suit, left), best, ways, boards)
    return boards + np.bincount(winners, ways, len(boards))


class _OneSuit(NamedTuple):
    """A spot as one suit sees it: sets of ranks of that suit, and what is left of each rank in other suits."""

    board: int
    hands: Index  # shape (hands, 1)
    stub: int
    others: Index  # shape (RANKS,)
    to_come: int
    on_board: int
    most: int  # cards of the suit that one hand has, with the board


def _one_suit(spot: Spot, suit: int, left: Index) -> _OneSuit:
    board = _bits(spot.board, suit)
    hands = [_bits(hand, suit) for hand in spot.hands]
    on_board = board.bit_count()
    return _OneSuit(
        board=board,
        hands=np.array(hands)[:, np.newaxis],
        stub=int(left[:, suit] @ _RANK_BITS),
        others=left.sum(axis=1) - left[:, suit],
        to_come=spot.to_come,
        on_board=on_board,
        most=on_board + max(held.bit_count() for held in hands),
    )


def _move_flushes(suit: _OneSuit, best: Ints, ways: Floats, boards: Floats) -> None:
    """Take boards on which a flush in this suit beats the best hand by ranks from their draw's `ways`, and give
    them to the flush's winners in `boards`."""
    for coming in range(max(3 - suit.on_board, 5 - suit.most, 0), suit.to_come + 1):
        layout = suited(suit.to_come, coming)
        (possible,) = np.nonzero(layout.ranks & ~suit.stub == 0)
        held = suit.hands | suit.board | layout.ranks[possible]
        flushes = tables().flushes[held]  # shape (hands, sets); 0 for fewer than five
        flush = flushes.max(axis=0)
        drawn = layout.draws[possible]  # shape (sets, draws of other suits)
        moved = (best[drawn] < flush[:, np.newaxis]) * _ways(draws(suit.to_come - coming), suit.others)
        boards += np.bincount(_as_bits(flushes == flush), moved.sum(axis=1), len(boards))
        ways -= np.bincount(drawn.ravel(), moved.ravel(), len(ways))


def _best_by_ranks(spot: Spot) -> tuple[Ints, Index]:
    """For each draw that completes the board: the best value without flushes, and which hands have it."""
    rows, cells, _ = tables()
    held = [sum(RANK_KEYS[rank_of(card)] for card in hand) for hand in spot.hands]
    on_board = sum(RANK_KEYS[rank_of(card)] for card in spot.board)
    sums = np.add.outer(np.array(held) + on_board + _SEVEN_CARDS, draws(spot.to_come).sums)
    # Draws that would make five of a rank find any value, or lie beyond the tables; they come in no way at all.
    values = cells.take(rows.take(sums >> COLUMN_BITS, mode="clip") + (sums & COLUMN_MASK), mode="clip")
    best = values.max(axis=0)
    return best, _as_bits(values == best)


def _ways(drawn: Draws, left: Index) -> Floats:
    """How many ways each draw can come when `left` of each rank are there."""
    ways: Floats = WAYS[left].ravel()[drawn.parts].prod(axis=0)
    return ways


def _as_bits(marks: NDArray[np.bool_]) -> Index:
    """Columns of up to eleven marks as integers, the first row in bit 0."""
    packed = np.packbits(marks, axis=0, bitorder="little").astype(np.intp)
    bits: Index = packed[0] if len(packed) == 1 else packed[0] | packed[1] << 8
    return bits


def _bits(cards: Iterable[Card], suit: int) -> int:
    """The ranks of one suit among `cards`, a bit each."""
    return sum(1 << rank_of(card) for card in cards if suit_of(card) == suit)


class _Splits(NamedTuple):
    """For each set of winners (rows) and each hand (columns): its parts of the pot, and 1 where it wins alone or
    ties. Shape (2 ** hands, hands)."""

    shares: Floats
    alone: Floats
    tied: Floats


@cache
def _splits(hands: int) -> _Splits:
    winners = np.arange(1 << hands)[:, np.newaxis] >> np.arange(hands) & 1
    count = winners.sum(axis=1, keepdims=True)
    shares = winners * _SHARES // count.clip(min=1)
    return _Splits(*(part.astype(np.float64) for part in (shares, winners * (count == 1), winners * (count > 1))))
