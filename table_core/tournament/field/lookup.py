"""A player by id: for commands (a refusal where there is none), for reducers (a conflict), the reported stack;
players whose bust is to be decided, in words."""

from __future__ import annotations

from collections.abc import Iterable

from table_core.messages import Refusal
from table_core.tournament.decision import ConflictError
from table_core.tournament.state import Entrant, Facts, State, Status


def known(state: State, player: str) -> Entrant | Refusal:
    entrant = state.field.entrants.get(player)
    return entrant if entrant is not None else Refusal(reason=f"{player} is not registered.", rule="")


def stack_of(state: State, player: str, facts: Facts) -> int | None:
    """What the player's table says that they have; None where no table reports it."""
    at = state.seats.at.get(player)
    fact = facts.get(at.table) if at is not None else None
    return fact.stacks.get(at.seat) if fact is not None and at is not None else None


def more_than_in_play(state: State, chips: int) -> Refusal | None:
    """Why so many chips cannot leave play."""
    there = sum(entrant.chips - entrant.removed for entrant in state.field.entrants.values())
    return Refusal(reason=f"There are {there:,} chips in play, not {chips:,}.", rule="") if chips > there else None


def who_waits(state: State, busts: Iterable[str]) -> str:
    """`"p3 at table 02, p7 at table 02"`: the players of these pending busts."""
    pending = [state.field.busts[id_] for id_ in busts]
    return ", ".join(f"{out.player} at table {bust.table}" for bust in pending for out in bust.out)


def entrant_of(state: State, player: str, *statuses: Status) -> Entrant:
    """The entrant, in one of these statuses where any are named. Raise `ConflictError`."""
    entrant = state.field.entrants.get(player)
    if entrant is None or (statuses and entrant.status not in statuses):
        what = "not registered" if entrant is None else entrant.status
        raise ConflictError(f"{player} is {what}")
    return entrant


def never_came(state: State, entrant: Entrant) -> bool:
    """Whether the player was away at the start and has not been there since."""
    started, away = state.started, entrant.away
    return started is not None and away is not None and away.wall <= started.wall
