"""Finishing positions and knock-outs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct

from table_core.rulebook import Rulebook
from table_core.tournament.policies import BustRank, KnockoutCredit


class Bust(Struct, frozen=True):
    """A player who lost their last chips, and what they had at the start of that hand."""

    player: str
    start_stack: int


class FinishingPosition(Struct, frozen=True):
    """A finishing place and who shares it."""

    place: int
    players: tuple[str, ...]


def rank_busts(busts: Sequence[Bust], left: int, rulebook: Rulebook) -> tuple[FinishingPosition, ...]:
    """Places of players who went out at the same time, best first; `left` players are still in.

    The larger stack at the hand's start ranks higher, equal stacks tie (wfp.procedures.28); hand for hand so do
    those of different tables.
    """
    by_stack = rulebook.tournament.simultaneous_bust_rank.value is BustRank.LARGER_START_STACK

    def worth(bust: Bust) -> int:
        return bust.start_stack if by_stack else 0

    places: list[FinishingPosition] = []
    best = left + 1
    for _, tied in groupby(sorted(busts, key=worth, reverse=True), key=worth):
        players = tuple(bust.player for bust in tied)
        places.append(FinishingPosition(best, players))
        best += len(players)
    return tuple(places)


def knockout_credit(by: Sequence[str], rulebook: Rulebook) -> tuple[str, ...]:
    """Who knocked a player out, of those who won the chips, the largest stack first (ccp.showdown.8)."""
    shared = rulebook.tournament.knockout_credit.value is KnockoutCredit.SHARED
    return tuple(by) if shared else tuple(by[:1])
