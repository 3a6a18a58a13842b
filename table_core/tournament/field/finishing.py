"""Finishing places: which ones are free, which ones no sentence of the book decides, and what a person decides
of them.

Where several players go out in one hand and the book does not say how they rank, the places of that hand are
shown as they would be by usual practice and stay undecided: no prize of them is paid until a person has
decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from table_core.messages import Few, Frozen, Name, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import Instant, Out, PlacesDecided
from table_core.tournament.field.eliminations import FinishingPosition
from table_core.tournament.state import Facts, State, Status, Undecided

OVER = "The event is over: take the last bust back first, or correct the places."


class DecidePlaces(Frozen, frozen=True):
    """The places of players who went out together, where the book leaves them open: best first; `shared`: they
    share the best of them. Places that are decided are corrected otherwise (`corrections.py`)."""

    players: Few[Name]
    shared: bool = False
    why: Said = ""


def play_goes_on(state: State) -> None:
    """Somebody is in again: there is no winner yet, and nobody who plays has a place."""
    if state.finished is not None:
        state.finished = None
        for one in state.field.entrants.values():
            one.place = None if one.in_play else one.place


def free_places(state: State, number: int, later: int = 0) -> tuple[int, ...]:
    """The worst `number` places that nobody has, best first; `later` of the worst ones stay free for players whose
    elimination came before and is not confirmed."""
    placed = Counter(one.place for one in state.field.entrants.values() if one.place is not None)
    taken = {place + at for place, sharing in placed.items() for at in range(sharing)}
    pending = sum(len(bust.out) for bust in state.field.busts.values())
    last = placed.total() + state.field.playing + pending
    free = (place for place in range(last, 0, -1) if place not in taken)
    return tuple(reversed([*islice(free, later, later + number)]))


def places_of(state: State, ranked: Sequence[FinishingPosition], left: int) -> tuple[int, ...]:
    """The place of each player of `ranked`, in order; `left` are the players who rank above all of them."""
    number = sum(len(position.players) for position in ranked)
    spots = free_places(state, number) or tuple(range(left + 1, left + 1 + number))
    return tuple(spots[position.place - left - 1] for position in ranked for _ in position.players)


def undecided_groups(
    state: State, ranked: Sequence[FinishingPosition], outs: Collection[Out]
) -> tuple[tuple[Name, ...], ...]:
    """Players whose order among each other no sentence of the book gives: level stacks, and everybody of a hand
    where the book is silent about several in one."""
    rule = state.book.tournament.simultaneous_bust_rank.rule
    if len(outs) > 1 and state.book.tournament_practice(rule):
        return (tuple(player for position in ranked for player in position.players),)
    return tuple(position.players for position in ranked if len(position.players) > 1)


def undecided_of(state: State, player: str) -> Undecided | None:
    return next((one for one in state.field.undecided if player in one.players), None)


def spots_of(state: State, players: Iterable[str]) -> tuple[int, ...]:
    """The places that these players hold together, best first: two who share place 5 hold 5 and 6."""
    entrants = [entrant for name in players if (entrant := state.field.entrants.get(name)) is not None]
    held = sorted([entrant.place for entrant in entrants if entrant.place is not None])
    spots: list[int] = []
    for place in held:
        spots.append(max(place, spots[-1] + 1) if spots else place)
    return tuple(spots)


def decide_places(state: State, wanted: DecidePlaces, now: Instant, facts: Facts) -> Decision:
    open_ = undecided_of(state, wanted.players[0]) if wanted.players else None
    if open_ is None:
        return Refusal(reason="No places of these players wait for a decision.", rule="")
    if sorted(open_.players) != sorted(wanted.players):
        return Refusal(reason=f"These are decided together: {', '.join(open_.players)}.", rule=open_.rule)
    spots = spots_of(state, wanted.players)
    places = (spots[0],) * len(spots) if wanted.shared else spots
    return (PlacesDecided(wanted.players, tuple(places), wanted.why, open_.rule),)


# ------------------------------------------------------------------------------------------------ reducers


def _decided(state: State, event: PlacesDecided, now: Instant) -> None:
    for player, place in zip(event.players, event.places, strict=True):
        entrant = state.field.entrants[player]
        if entrant.status is not Status.OUT:
            raise ConflictError(f"{player} is not out")
        entrant.place = place
    state.field.undecided = [one for one in state.field.undecided if not set(one.players) & set(event.players)]


COMMANDS: Mapping[type, Any] = {DecidePlaces: decide_places}
REDUCERS: Mapping[type, Any] = {PlacesDecided: _decided}
