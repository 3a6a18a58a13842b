"""Mistakes of the desk that are found later: an entry that is another person's, places in the wrong order."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import msgspec

from table_core.messages import Few, Frozen, Name, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import EntryGiven, Instant, PlacesCorrected
from table_core.tournament.field.finishing import undecided_of
from table_core.tournament.field.lookup import entrant_of, known
from table_core.tournament.penalties import may_not_play
from table_core.tournament.state import Facts, State, Status


class GiveEntry(Frozen, frozen=True):
    """The entry of `player` is that of `other`, who takes over payment, seat and chips; `player` was never in."""

    player: Name
    other: Name
    why: Said = ""
    anyway: Said = ""


class CorrectPlaces(Frozen, frozen=True):
    """Players who have final places have them in this order, the best first."""

    players: Few[Name]
    why: Said


def give_entry(state: State, wanted: GiveEntry, now: Instant, facts: Facts) -> Decision:
    entrant = known(state, wanted.player)
    if isinstance(entrant, Refusal):
        return entrant
    if fault := _why_not(state, wanted.player):
        return Refusal(reason=f"{wanted.player} {fault}: the entry stays.", rule="")
    other = state.field.entrants.get(wanted.other)
    if other is not None and other.status is not Status.CANCELLED:
        return Refusal(reason=f"{wanted.other} is on the list already: {other.status}.", rule="")
    kept_from = may_not_play(state, wanted.other)
    if kept_from is not None and not wanted.anyway:
        return kept_from
    return (EntryGiven(wanted.player, wanted.other, wanted.why or wanted.anyway),)


def _why_not(state: State, player: str) -> str:
    """Why what the player has done cannot be another's; empty where it can."""
    entrant = state.field.entrants[player]
    if entrant.status not in (Status.REGISTERED, Status.PLAYING):
        return f"is {entrant.status}"
    if entrant.bought or entrant.owes is not None:
        return "has bought chips"
    if any(move.ordered.player == player for move in state.seats.moves.values()):
        return "is on the way to another seat"
    games = [*state.bounties.targets.values(), *(one for all_ in state.bounties.hunters.values() for one in all_)]
    return "is in a bounty game" if player in games else ""


def correct_places(state: State, wanted: CorrectPlaces, now: Instant, facts: Facts) -> Decision:
    found = [known(state, player) for player in wanted.players]
    for entrant in found:
        if isinstance(entrant, Refusal):
            return entrant
    places = [entrant.place for entrant in found if not isinstance(entrant, Refusal)]
    without = [player for player, place in zip(wanted.players, places, strict=True) if place is None]
    if without:
        return Refusal(reason=f"{without[0]} has no final place.", rule="")
    if len(set(wanted.players)) < max(2, len(wanted.players)):
        return Refusal(reason="Name two players or more, and each once.", rule="")
    if not wanted.why.strip():
        return Refusal(reason="Say why.", rule="")
    if open_ := next((one for player in wanted.players if (one := undecided_of(state, player))), None):
        return Refusal(reason=f"Decide these places first: {', '.join(open_.players)}.", rule=open_.rule)
    new = tuple(sorted(place for place in places if place is not None))
    return () if [*new] == places else (PlacesCorrected(wanted.players, new, wanted.why),)


# ------------------------------------------------------------------------------------------------ reducers


def _given(state: State, event: EntryGiven, now: Instant) -> None:
    entrant_of(state, event.player, Status.REGISTERED, Status.PLAYING)
    known = state.field.entrants.pop(event.other, None)
    if known is not None and known.status is not Status.CANCELLED:
        raise ConflictError(f"{event.other} is on the list")
    names = {event.player: event.other}
    state.field.entrants = {
        names.get(name, name): dataclasses.replace(one, player=names.get(name, name))
        for name, one in state.field.entrants.items()
    }
    at = state.seats.at.pop(event.player, None)
    if at is not None:
        state.seats.at[event.other] = at
        state.seats.tables[at.table].players[at.seat] = event.other
    for by_player in (state.field.knockouts, state.prizes.moved, state.chips.corrected):
        if event.player in by_player:
            by_player[event.other] = by_player.pop(event.player)
    if event.player in state.chips.counts:
        state.chips.counts[event.other] = state.chips.counts.pop(event.player)
    for id_, given in state.penalties.given.items():
        if given.player == event.player:
            state.penalties.given[id_] = msgspec.structs.replace(given, player=event.other)


def _corrected(state: State, event: PlacesCorrected, now: Instant) -> None:
    entrants = [entrant_of(state, player) for player in event.players]
    if sorted(entrant.place or 0 for entrant in entrants) != [*event.places]:
        raise ConflictError("the places are others")
    for entrant, place in zip(entrants, event.places, strict=True):
        entrant.place = place


COMMANDS: Mapping[type, Any] = {GiveEntry: give_entry, CorrectPlaces: correct_places}
REDUCERS: Mapping[type, Any] = {EntryGiven: _given, PlacesCorrected: _corrected}
