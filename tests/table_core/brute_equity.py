"""Equity by brute force: deal every board, value every hand. The exact method is compared with it."""

from collections import Counter
from itertools import chain, combinations
from math import comb

import numpy as np

from table_core.equity.spot import Spot
from table_core.ranking_batch import rank_hands


def boards_by_winners(spot: Spot) -> dict[int, int]:
    """How many boards each set of hands (a bit a hand) wins together; sets that never win are left out."""
    boards = comb(len(spot.stub), spot.to_come)
    dealt = chain.from_iterable(combinations(spot.stub, spot.to_come))
    cards = np.empty((boards, 7), np.int8)
    cards[:, 2 : 7 - spot.to_come] = spot.board
    cards[:, 7 - spot.to_come :] = np.fromiter(dealt, np.int8).reshape(boards, spot.to_come)
    values = []
    for hand in spot.hands:
        cards[:, :2] = hand
        values.append(rank_hands(cards))
    best = np.max(values, axis=0)
    winners = sum((value == best).astype(int) << number for number, value in enumerate(values))
    return dict(Counter(winners.tolist()))
