"""Outs: the next cards that put a hand that is behind in front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table_core.cards import Card
from table_core.equity.spot import Spot
from table_core.ranking import rank_hand

_OUTS_AT = (3, 4)  # board cards: on the flop and on the turn


@dataclass(frozen=True, slots=True)
class Outs:
    """For one hand: is it best on this board, alone or tied; and if not, the next cards after which it would be
    best alone, and those after which it would tie."""

    ahead: bool
    to_win: tuple[Card, ...]
    to_tie: tuple[Card, ...]


def outs(spot: Spot) -> tuple[Outs, ...]:
    """Each hand's outs on the flop or the turn; nothing at all (`()`) on any other board."""
    if len(spot.board) not in _OUTS_AT:
        return ()
    ahead = _best(spot, spot.board)
    after = {card: _best(spot, (*spot.board, card)) for card in spot.stub}
    return tuple(_outs_of(hand, ahead, after) for hand in range(len(spot.hands)))


def _outs_of(hand: int, ahead: frozenset[int], after: dict[Card, frozenset[int]]) -> Outs:
    if hand in ahead:
        return Outs(True, (), ())
    helps = [card for card, best in after.items() if hand in best]
    to_win = tuple(card for card in helps if len(after[card]) == 1)
    return Outs(False, to_win, tuple(card for card in helps if len(after[card]) > 1))


def _best(spot: Spot, board: Sequence[Card]) -> frozenset[int]:
    """The hands that are best on a board of three to five."""
    values = [rank_hand((*hand, *board)) for hand in spot.hands]
    best = max(values)
    return frozenset(hand for hand, value in enumerate(values) if value == best)
