"""Pairs that are kept apart, and those that the tables do not allow to be."""

from __future__ import annotations

from table_core.messages import Refusal
from table_core.tournament.seats.draw import playing, tables_for
from table_core.tournament.state import State, Status

Pair = frozenset[str]


def unkept(state: State) -> frozenset[Pair]:
    """Before the draw the pairs for which there are too few tables, afterwards those at one table."""
    if not state.seats.apart:
        return frozenset()
    if state.seats.drawn:
        at = state.seats.at
        met = (pair for pair in state.seats.apart if pair <= at.keys())
        return frozenset(pair for pair in met if len({at[player].table for player in pair}) == 1)
    chosen = tables_for(state, max(2, len(playing(state))), ())
    return _left_together(state, 1 if isinstance(chosen, Refusal) else len(chosen))


def _left_together(state: State, tables: int) -> frozenset[Pair]:
    """Whoever has the most people to keep apart from chooses a table first."""
    gone = {name for name, entrant in state.field.entrants.items() if entrant.status is Status.CANCELLED}
    pairs = sorted((pair for pair in state.seats.apart if not pair & gone), key=sorted)
    others: dict[str, list[str]] = {}
    for one, other in map(sorted, pairs):
        others.setdefault(one, []).append(other)
        others.setdefault(other, []).append(one)
    at: dict[str, int] = {}
    for player in sorted(others, key=lambda name: (-len(others[name]), name)):
        met = [at[other] for other in others[player] if other in at]
        at[player] = min(range(tables), key=met.count)
    return frozenset(pair for pair in pairs if len({at[player] for player in pair}) == 1)
