"""Values of many hands at once: `ranking.rank_hand` for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from table_core.ranking_keys import CARD_KEYS, COLUMN_BITS, COLUMN_MASK, FLUSH_BITS, START, SUIT_BITS
from table_core.ranking_tables import Index, Ints, tables

_CHUNK = 8_192  # hands whose sums fit a core's cache
_PAIR_KEYS = np.add.outer(CARD_KEYS, CARD_KEYS).astype(np.int64).ravel()
_KEYS = np.array(CARD_KEYS, np.int64)


def rank_hands(cards: NDArray[np.integer[Any]]) -> Ints:
    """The value of each row of `cards`, an array of shape (hands, 5, 6 or 7) of different cards a row, as
    `rank_hand` gives it. Raise `ValueError` for another shape or numbers that are not cards."""
    if cards.ndim != 2 or not 5 <= cards.shape[1] <= 7:
        raise ValueError(f"hands of shape {cards.shape} have no rank; expected (hands, 5, 6 or 7)")
    if cards.size and (cards.min() < 0 or cards.max() >= len(CARD_KEYS)):
        raise ValueError(f"cards are numbers from 0 to 51, not {cards.min()} to {cards.max()}")
    values = np.empty(len(cards), np.int32)
    for start in range(0, len(cards), _CHUNK):
        chunk = cards[start : start + _CHUNK]
        values[start : start + _CHUNK] = _rank_chunk(np.ascontiguousarray(chunk.T, np.intp))
    return values


def _rank_chunk(columns: Index) -> Ints:
    """Values of hands given as one row a card: (5 to 7, hands)."""
    sums = _sums(columns)
    ranks = sums >> SUIT_BITS
    rows, cells, _ = tables()
    values = cells.take(rows.take(ranks >> COLUMN_BITS, mode="clip") + (ranks & COLUMN_MASK), mode="clip")
    (suited,) = np.nonzero(sums & FLUSH_BITS)
    values[suited] = _flushes(columns[:, suited], sums[suited])
    return values


def _sums(columns: Index) -> NDArray[np.int64]:
    """Sums of the card keys, two cards a lookup."""
    count = len(columns)
    sums = _KEYS.take(columns[-1], mode="clip") if count % 2 else np.zeros(columns.shape[1], np.int64)
    sums += START
    for card in range(0, count - 1, 2):
        sums += _PAIR_KEYS.take(columns[card] * 52 + columns[card + 1], mode="clip")
    return sums


def _flushes(columns: Index, sums: NDArray[np.int64]) -> Ints:
    """Values of hands with five or more of a suit."""
    suit = np.select([sums >> 4 * suit & 8 != 0 for suit in range(3)], [0, 1, 2], 3)
    held = ((columns & 3 == suit) << (columns >> 2)).sum(axis=0)
    values: Ints = tables().flushes[held]
    return values
