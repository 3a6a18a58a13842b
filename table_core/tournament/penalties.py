"""Penalties: what the book's ladder asks for, time-outs and their end, and the history of each player.

The software proposes; a person gives a penalty. A player who is out leaves with the stack, as the book has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Chips, Frozen, Millis, Name, Number, Refusal, Text
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import (
    Forfeited,
    Instant,
    PenaltyGiven,
    PenaltyKind,
    PenaltyServed,
    elapsed_ms,
)
from table_core.tournament.state import Facts, State

ENDS_THE_EVENT = (PenaltyKind.OUT, PenaltyKind.OUT_FOR_DAY, PenaltyKind.BANNED)


class GivePenalty(Frozen, frozen=True):
    """Without a `kind` it is the next of the book's ladder; `chips`: the stack of a player who is out."""

    player: Name
    reason: Text
    kind: PenaltyKind | None = None
    rule: Name = ""
    major: bool = False
    minutes: Number | None = None
    hands: Number = 0
    chips: Chips = Chips(0)


class EndTimeOut(Frozen, frozen=True):
    """The player is called back."""

    penalty: Name


class TimeOut(Frozen, frozen=True):
    """A time-out that is not served: `left_ms` of its minutes, or `hands` that it lasts on."""

    penalty: Name
    player: Name
    left_ms: Millis
    hands: Number
    rule: Name


def history(state: State, player: str) -> tuple[PenaltyGiven, ...]:
    return tuple(given for given in state.penalties.given.values() if given.player == player)


def next_of_ladder(state: State, player: str) -> PenaltyKind | None:
    """What the book has for the player's next minor infraction; None where it has no ladder."""
    ladder = state.book.tournament.penalty_ladder
    if ladder is None:
        return None
    minor = sum(not given.major for given in history(state, player))
    return PenaltyKind(ladder.value[min(minor, len(ladder.value) - 1)])


def give_penalty(state: State, wanted: GivePenalty, now: Instant, facts: Facts) -> Decision:
    entrant = state.field.entrants.get(wanted.player)
    if entrant is None:
        return Refusal(reason=f"{wanted.player} is not registered.", rule="")
    book = state.book.tournament
    kind = wanted.kind or next_of_ladder(state, wanted.player)
    if kind is None:
        return Refusal(reason="The book has no ladder of penalties: name the penalty.", rule="")
    ladder = book.penalty_ladder.rule if book.penalty_ladder is not None else ""
    minutes = wanted.minutes
    if minutes is None:
        timed = kind is PenaltyKind.TIME_OUT and not wanted.hands and book.time_out_minutes is not None
        minutes = book.time_out_minutes.value if timed and book.time_out_minutes is not None else 0
    if kind is PenaltyKind.TIME_OUT and not minutes and not wanted.hands:
        return Refusal(reason="How long? Name minutes or hands.", rule=ladder)
    if kind in ENDS_THE_EVENT and not entrant.in_play:
        return Refusal(reason=f"{wanted.player} is not in the event: {entrant.status}.", rule=ladder)
    at = state.seats.at.get(wanted.player)
    fact = facts.get(at.table) if at is not None else None
    rule = wanted.rule or ladder
    given = PenaltyGiven(
        f"penalty-{len(state.penalties.given) + 1}", wanted.player, kind, wanted.reason, rule, wanted.major,
        minutes, wanted.hands, fact.hand if fact is not None else 0, wanted.chips,
    )  # fmt: skip
    if kind not in ENDS_THE_EVENT:
        return (given,)
    suspended = kind in (PenaltyKind.OUT_FOR_DAY, PenaltyKind.BANNED)
    return (given, Forfeited(wanted.player, wanted.chips, rule, wanted.reason, suspended, disqualified=True))


def end_time_out(state: State, wanted: EndTimeOut, now: Instant, facts: Facts) -> Decision:
    if wanted.penalty not in state.penalties.since:
        return Refusal(reason=f"{wanted.penalty} is no time-out that is not served.", rule="")
    return (PenaltyServed(wanted.penalty),)


def time_outs(state: State, now: Instant, facts: Facts) -> tuple[TimeOut, ...]:
    """Time-outs that are not served, the next to end first."""
    found = []
    for id_, since in state.penalties.since.items():
        given = state.penalties.given[id_]
        at = state.seats.at.get(given.player)
        fact = facts.get(at.table) if at is not None else None
        hands = given.hand + given.hands - fact.hand if fact is not None and given.hands else 0
        left = max(0, given.minutes * MINUTE_MS - elapsed_ms(since, now))
        found.append(TimeOut(id_, given.player, Millis(left), max(0, hands), given.rule))
    return tuple(sorted(found, key=lambda time_out: (time_out.left_ms, time_out.hands)))


# ------------------------------------------------------------------------------------------------ reducers


def _given(state: State, event: PenaltyGiven, now: Instant) -> None:
    state.penalties.given[event.penalty] = event
    if event.kind is PenaltyKind.TIME_OUT:
        state.penalties.since[event.penalty] = now


def _served(state: State, event: PenaltyServed, now: Instant) -> None:
    if event.penalty not in state.penalties.since:
        raise ConflictError(f"{event.penalty} is served")
    del state.penalties.since[event.penalty]


COMMANDS: Mapping[type, Any] = {GivePenalty: give_penalty, EndTimeOut: end_time_out}
REDUCERS: Mapping[type, Any] = {PenaltyGiven: _given, PenaltyServed: _served}
