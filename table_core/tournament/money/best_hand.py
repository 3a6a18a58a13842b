"""Best hand of the night: which hands count for the prize (rpl.league.3a, rpl.league.3b)."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.cards import Card
from table_core.ranking import rank_hand
from table_core.rulebook import Rulebook


def counts_as_best_hand(
    hole: Sequence[Card], board: Sequence[Card], rulebook: Rulebook, *, shown: bool = True
) -> bool:
    """Whether a hand is in the running: shown, the river dealt, and both hole cards needed for its best five."""
    tournament = rulebook.tournament
    if not shown or len(board) < 3:
        return False
    if tournament.best_hand_needs_river.value and len(board) < 5:
        return False
    return not tournament.best_hand_needs_both_hole_cards.value or _needs_both(tuple(hole), tuple(board))


def _needs_both(hole: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    whole = rank_hand(hole + board)
    fewer = [(hole[0], *board), (hole[1], *board)]
    return all(rank_hand(cards) < whole for cards in fewer if len(cards) >= 5)
