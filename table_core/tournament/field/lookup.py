"""A player of the field by id, for commands (a refusal where there is none) and for reducers (a conflict)."""

from __future__ import annotations

from table_core.messages import Refusal
from table_core.tournament.decision import ConflictError
from table_core.tournament.state import Entrant, State, Status


def known(state: State, player: str) -> Entrant | Refusal:
    entrant = state.field.entrants.get(player)
    return entrant if entrant is not None else Refusal(reason=f"{player} is not registered.", rule="")


def entrant_of(state: State, player: str, *statuses: Status) -> Entrant:
    """The entrant, in one of these statuses where any are named. Raise `ConflictError`."""
    entrant = state.field.entrants.get(player)
    if entrant is None or (statuses and entrant.status not in statuses):
        what = "not registered" if entrant is None else entrant.status
        raise ConflictError(f"{player} is {what}")
    return entrant
