"""Flights: an event over several days. Each flight is an event of its own that ends with bags (`BagFlight`); the
final day is opened with them, and has the entries, the money and the places of all.

Whoever is in more than one flight goes on with the largest bag; the others leave play. Who is out of every flight
is behind all who have a bag: the level in which one went out decides, then the place in the flight; equal ones
share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from table_core.messages import Chips, Frozen, Name, Number, Refusal, Said
from table_core.tournament.by_hand import stacks_known
from table_core.tournament.chips.account import chip_account
from table_core.tournament.clock import TournamentClock
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import (
    Bag,
    ClockChanged,
    Flight,
    FlightBagged,
    FlightEntrant,
    FlightsCarried,
    Instant,
)
from table_core.tournament.field.entries import BAGGED
from table_core.tournament.state import Entrant, Facts, State, Status


class BagFlight(Frozen, frozen=True):
    """The flight is over: everybody who is in bags the chips. `stacks` are those that were counted; of the others
    the chips that are known. `anyway`: why the bags are not all the chips in play."""

    stacks: dict[Name, Number] = msgspec.field(default_factory=dict)
    anyway: Said = ""


def is_flight(state: State) -> bool:
    """Whether this event is a flight, whose prizes are those of the final day."""
    return state.book.tournament.flight_of is not None


def bag_flight(state: State, wanted: BagFlight, now: Instant, facts: Facts) -> Decision:
    if not is_flight(state):
        return Refusal(reason="This event is no flight: set what it is a flight of.", rule="")
    if state.started is None or state.bags:
        return Refusal(reason=BAGGED if state.bags else "The flight has not begun.", rule="")
    if state.field.busts:
        return Refusal(reason="Players are out of chips: confirm that first.", rule="")
    if any(fact.in_hand for fact in facts.values()) and not wanted.anyway:
        return Refusal(reason="A table is in a hand: bag when it is over.", rule="")
    playing = [one.player for one in state.field.entrants.values() if one.status is Status.PLAYING]
    known = {**stacks_known(state, facts), **wanted.stacks}
    missing = [player for player in playing if not known.get(player)]
    if missing:
        return Refusal(reason=f"How many chips have {', '.join(missing)}? Count them.", rule="")
    account = chip_account(state, facts)
    difference = account.issued - account.removed - sum(known[player] for player in playing)
    if difference and not wanted.anyway:
        how = "are missing" if difference > 0 else "are too many"
        in_play, bagged = account.issued - account.removed, account.issued - account.removed - difference
        reason = f"The bags are {bagged:,}, {in_play:,} are in play: {abs(difference):,} {how}. Count again."
        return Refusal(reason=reason, rule="")
    bags = tuple(Bag(player, Chips(known[player])) for player in playing)
    bagged_ = FlightBagged(bags, difference, wanted.anyway)
    if state.clock is None or not state.clock.mark.running:
        return (bagged_,)
    clock = state.clock.pause(now.at)
    return (bagged_, ClockChanged(clock.levels, clock.mark, "the day is over"))


def flight(state: State, tournament: str, now: Instant) -> Flight:
    """What the final day takes of a flight that is over."""
    entry = state.clock.mark.index if state.clock is not None else 0
    if state.clock is not None and state.clock.mark.boot == now.boot:
        entry = state.clock.read(now.at).index
    entrants = tuple(_of_flight(state, one) for one in state.field.entrants.values() if one.entries)
    return Flight(Name(tournament), state.name, state.day, entry, entrants)


def _of_flight(state: State, one: Entrant) -> FlightEntrant:
    went = state.field.went.get(one.player)
    chips = state.bags.get(one.player, 0)
    return FlightEntrant(
        one.player,
        one.entries,
        one.paid,
        one.pool,
        Chips(chips),
        0 if chips else one.place or 0,
        went.level if went is not None and not chips else 0,
        dict(one.bought),
        state.field.knockouts.get(one.player, 0),
        one.member,
        one.adult,
    )


def taken_up(flights: Sequence[Flight], clock: TournamentClock, now: Instant) -> tuple[Any, ...]:
    """What the final day begins with: the bags, and the clock at the entry at which the earliest flight ended."""
    if not flights:
        return ()
    entry = min(min(one.entry for one in flights), len(clock.levels) - 1)
    there = clock.go_to_entry(entry, now.at)
    carried = FlightsCarried(tuple(flights))
    if isinstance(there, Refusal) or there == clock:
        return (carried,)
    return (carried, ClockChanged(there.levels, there.mark, "goes on where the flights ended"))


def after_flights(flights: Sequence[Flight]) -> Mapping[str, tuple[int, int | None]]:
    """The bag of each player of the flights, and the place of who has none, best first."""
    bags: dict[str, int] = {}
    best: dict[str, tuple[int, int]] = {}  # of who went out: the level, the place in that flight
    for one in (entrant for each in flights for entrant in each.entrants):
        bags[one.player] = max(bags.get(one.player, 0), one.chips)
        key = (-one.level, one.place)
        best[one.player] = min(best.get(one.player, key), key)
    alive = [player for player, chips in bags.items() if chips]
    out = sorted((player for player, chips in bags.items() if not chips), key=lambda player: best[player])
    places = dict(_shared(out, best, len(alive)))
    order: Iterator[str] = iter(bags)
    return {player: (bags[player], places.get(player)) for player in order}


def _shared(out: Sequence[str], best: Mapping[str, tuple[int, int]], ahead: int) -> Iterator[tuple[str, int]]:
    place, last = ahead, None
    for at, player in enumerate(out, ahead + 1):
        if best[player] != last:
            place, last = at, best[player]
        yield player, place


# ------------------------------------------------------------------------------------------------ reducers


def _bagged(state: State, event: FlightBagged, now: Instant) -> None:
    if any(state.field.entrants[one.player].status is not Status.PLAYING for one in event.bags):
        raise ConflictError("somebody with a bag is not in")
    state.bags = {one.player: one.chips for one in event.bags}
    state.finished = now
    for one in event.bags:
        state.field.entrants[one.player].place = None


def _carried(state: State, event: FlightsCarried, now: Instant) -> None:
    if state.field.entrants:
        raise ConflictError("players are in the event already")
    state.carried = event.flights
    told = after_flights(event.flights)
    for each in event.flights:
        for one in each.entrants:
            _add(state, one, told[one.player], now)
    state.field.playing = sum(one.in_play for one in state.field.entrants.values())
    state.field.out = sum(one.status is Status.OUT for one in state.field.entrants.values())
    state.field.placed = len(state.field.entrants)


def _add(state: State, one: FlightEntrant, told: tuple[int, int | None], now: Instant) -> None:
    """One flight of a player, to what the others say."""
    chips, place = told
    status = Status.PLAYING if chips else Status.OUT
    entrant = state.field.entrants.setdefault(one.player, Entrant(one.player, now, status, one.member, one.adult))
    entrant.entries += one.entries
    entrant.paid += one.paid
    entrant.pool += one.pool
    entrant.chips, entrant.place = chips, place
    entrant.why_out = "" if chips else "in a flight"
    for kind, count in one.bought.items():
        entrant.bought[kind] = entrant.bought.get(kind, 0) + count
    if one.knockouts:
        state.field.knockouts[one.player] = state.field.knockouts.get(one.player, 0) + one.knockouts


COMMANDS: Mapping[type, Any] = {BagFlight: bag_flight}
REDUCERS: Mapping[type, Any] = {FlightBagged: _bagged, FlightsCarried: _carried}
