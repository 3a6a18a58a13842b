"""Penalties: what the book has for a reason, time-outs and their end, and the history of each player.

The software proposes; a person gives a penalty. A player who is out leaves with the stack, as the book has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Amount, Chips, Count, Frozen, Millis, Name, Number, Refusal, Said
from table_core.notices import PenaltyKind, Reason
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.decision import ConflictError, Decision, refused, unused
from table_core.tournament.events import (
    Docked,
    Forfeited,
    Instant,
    OnFile,
    PenaltyGiven,
    PenaltyServed,
    TimeOutCarried,
    elapsed_ms,
)
from table_core.tournament.field.absences import disqualified_stays, where_played
from table_core.tournament.field.finishing import OVER
from table_core.tournament.field.lookup import more_than_in_play
from table_core.tournament.state import Facts, State, Status

ENDS_THE_EVENT = (
    PenaltyKind.OUT,
    PenaltyKind.OUT_FOR_DAY,
    PenaltyKind.MEMBERSHIP_REVOKED,
    PenaltyKind.BANNED,
)
TIMED = (PenaltyKind.TIME_OUT, PenaltyKind.DEALT_OUT)


class GivePenalty(Frozen, frozen=True):
    """`reason`: the name of one of the book's, or free text. Without a `kind` it is what the book has for it.

    `rounds`: as many hands as players sit at the table. `chips`: the stack of a player who is out; unless
    given, what the table counts. `removed`: chips of a player who stays that leave play.
    """

    player: Name
    reason: Said
    kind: PenaltyKind | None = None
    rule: Name = ""
    major: bool = False
    minutes: Count | None = None
    hands: Count = 0
    rounds: Count = 0
    chips: Amount | None = None
    removed: Amount = Chips(0)
    anyway: Said = ""


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


class MergeMissed(Frozen, frozen=True):
    """The last tables became one while a player was in a time-out: a person takes the player out of the event."""

    penalty: Name
    player: Name
    rule: Name


def history(state: State, player: str) -> tuple[PenaltyGiven, ...]:
    return tuple(given for given in state.penalties.given.values() if given.player == player)


def on_file(state: State, player: str) -> tuple[OnFile, ...]:
    """The player's penalties of earlier events, the oldest first."""
    return tuple(one for one in state.penalties.on_file if one.player == player)


def kept_out(state: State, player: str) -> OnFile | None:
    """The penalty of an earlier event for which the player may not play in this one."""
    for one in reversed(on_file(state, player)):
        for_good = one.kind in (PenaltyKind.BANNED, PenaltyKind.MEMBERSHIP_REVOKED)
        for_day = one.kind is PenaltyKind.OUT_FOR_DAY and one.day == state.day
        next_date = one.kind is PenaltyKind.SUSPENDED and one.day < state.day and one.served in ("", state.day)
        if for_good or for_day or next_date:
            return one
    return None


def may_not_play(state: State, player: str) -> Refusal | None:
    """Why the player may not play in this event: barred, sent out, or by a penalty of an earlier one."""
    barred = state.field.barred.get(player)
    if barred is not None:
        return Refusal(reason=f"{player} may not play today: {barred.why}.", rule=barred.rule)
    sent_out = next((one for one in history(state, player) if one.kind in ENDS_THE_EVENT), None)
    filed = (
        kept_out(state, player)
        if sent_out is None
        else OnFile(player, state.day, sent_out.kind, sent_out.reason, sent_out.rule)
    )
    if filed is not None:
        why = f"{filed.kind.replace('_', ' ')} on {filed.day}: {filed.reason}"
        return Refusal(reason=f"{player} may not play today: {why}.", rule=filed.rule)
    return None


def proposed_kinds(state: State, player: str, reason: str, *, major: bool = False) -> tuple[PenaltyKind, ...]:
    """What the book has for the player's next penalty of this reason; several are a person's choice."""
    named = state.book.reasons.get(reason)
    book, here, earlier = state.book.tournament, history(state, player), on_file(state, player)
    if named is not None and named.ladder:
        times = sum(one.reason == reason for one in here) + sum(one.reason == reason for one in earlier)
        return (named.ladder[min(times, len(named.ladder) - 1)],)
    if major or (named is not None and named.major):
        return book.major_penalties.value
    ladder = book.penalty_ladder.value
    today = sum(not one.major for one in here) + sum(not one.major and one.day == state.day for one in earlier)
    return (ladder[min(today, len(ladder) - 1)],)


def give_penalty(state: State, wanted: GivePenalty, now: Instant, facts: Facts) -> Decision:
    entrant = state.field.entrants.get(wanted.player)
    if entrant is None:
        return Refusal(reason=f"{wanted.player} is not registered.", rule="")
    name = wanted.reason.strip()
    named = state.book.reasons.get(name)
    major = wanted.major or (named is not None and named.major)
    behind = _rule_behind(state, named, major)
    kinds = proposed_kinds(state, wanted.player, name, major=major)
    if wanted.kind is None and len(kinds) > 1:
        words = " or ".join(kind.replace("_", " ") for kind in kinds)
        return Refusal(reason=f"A person chooses here: {words}. Name the penalty.", rule=behind)
    kind = wanted.kind or kinds[0]
    if named is not None and named.ladder and kind not in named.ladder and not wanted.anyway:
        words = ", then ".join(kind.replace("_", " ") for kind in named.ladder)
        return Refusal(reason=f"The book has for {name}: {words}.", rule=named.rule)
    length = _length(state, wanted, kind, facts)
    if isinstance(length, Refusal):
        return length
    minutes, hands = length
    if kind in ENDS_THE_EVENT and not entrant.in_play:
        return Refusal(reason=f"{wanted.player} is not in the event: {entrant.status}.", rule=behind)
    ends = kind in ENDS_THE_EVENT
    if ends and state.finished is not None:
        return Refusal(reason=OVER, rule=behind)
    if wanted.removed and not ends and entrant.status is not Status.PLAYING:
        return Refusal(reason=f"{wanted.player} has no chips to lose: {entrant.status}.", rule=behind)
    at = state.seats.at.get(wanted.player)
    fact = facts.get(at.table) if at is not None else None
    if ends and (stays := disqualified_stays(state, wanted.anyway)) is not None:
        return stays
    chips = (wanted.chips or Chips(0)) if ends else wanted.removed
    if ends and wanted.chips is None and fact is not None and at is not None:
        chips = fact.stacks.get(at.seat, Chips(0))
    if chips and (too_many := more_than_in_play(state, chips)) is not None:
        return too_many
    id_ = unused("penalty-", len(state.penalties.given), state.penalties.given)
    rule = wanted.rule or (named.rule if named is not None else behind)
    given = PenaltyGiven(
        id_, wanted.player, kind, name, rule, major, minutes, hands, fact.hand if fact is not None else 0, chips,
        behind, len(state.seats.open_tables()),
    )  # fmt: skip
    if ends:
        suspended = kind is not PenaltyKind.OUT
        table, hand = where_played(state, wanted.player, facts)
        out = Forfeited(wanted.player, chips, behind, name, suspended, disqualified=True, table=table, hand=hand)
        return (given, out)
    return (given, Docked(wanted.player, chips, id_, rule)) if chips else (given,)


def _rule_behind(state: State, named: Reason | None, major: bool) -> str:
    """The rule that the outcome rests on."""
    if named is not None and named.ladder:
        return named.rule
    book = state.book.tournament
    return book.major_penalties.rule if major else book.penalty_ladder.rule


def _length(state: State, wanted: GivePenalty, kind: PenaltyKind, facts: Facts) -> tuple[Number, Number] | Refusal:
    """Minutes and hands of a penalty that is served."""
    at, hands = state.seats.at.get(wanted.player), wanted.hands
    if wanted.rounds and at is not None:  # tda.71
        hands += wanted.rounds * len(state.seats.tables[at.table].players)
    minutes = wanted.minutes
    if minutes is None:
        book = state.book.tournament.time_out_minutes
        minutes = book.value if kind is PenaltyKind.TIME_OUT and not hands and book is not None else 0
    if kind in TIMED and not minutes and not hands:
        return refused(state.book, "penalty_ladder", "How long? Name minutes, hands or rounds.")
    return minutes, hands


def end_time_out(state: State, wanted: EndTimeOut, now: Instant, facts: Facts) -> Decision:
    if wanted.penalty not in state.penalties.since:
        return Refusal(reason=f"{wanted.penalty} is no time-out that is not served.", rule="")
    return (PenaltyServed(wanted.penalty),)


def time_outs(state: State, now: Instant, facts: Facts) -> tuple[TimeOut, ...]:
    """Time-outs that are not served, the next to end first; none is left when the event is over."""
    found = []
    for id_, since in state.penalties.since.items():
        given = state.penalties.given[id_]
        if state.finished is not None or not state.field.entrants[given.player].in_play:
            continue
        at = state.seats.at.get(given.player)
        fact = facts.get(at.table) if at is not None else None
        hands, hand = state.penalties.hands[id_]
        hands -= fact.hand - hand if fact is not None and hands else 0
        left = max(0, given.minutes * MINUTE_MS - elapsed_ms(since, now))
        found.append(TimeOut(id_, given.player, Millis(left), max(0, hands), given.rule))
    return tuple(sorted(found, key=lambda time_out: (time_out.left_ms, time_out.hands)))


def carried(state: State, player: str, facts: Facts, table: str = "") -> tuple[TimeOutCarried, ...]:
    """The hands that the player still has to serve go along to `table`, or from a table."""
    running = [id_ for id_ in state.penalties.since if state.penalties.given[id_].player == player]
    if not any(state.penalties.hands[id_][0] for id_ in running):
        return ()
    at = state.seats.at.get(player)
    here = facts.get(at.table) if at is not None else None
    there = facts[table].hand if table in facts else Number(0)
    return tuple(
        TimeOutCarried(id_, max(0, left - (here.hand - hand if here is not None else 0)), there)
        for id_, (left, hand) in ((id_, state.penalties.hands[id_]) for id_ in running)
    )


def sent_away(state: State, player: str) -> tuple[bool, bool]:
    """Whether a penalty keeps the player from the table now, and from the cards too (wfp.procedures.23)."""
    if state.finished is not None:
        return False, False
    given = (state.penalties.given[id_] for id_ in state.penalties.since)
    kinds = {one.kind for one in given if one.player == player}
    return bool(kinds), PenaltyKind.DEALT_OUT in kinds


def merges_missed(state: State, now: Instant, facts: Facts) -> tuple[MergeMissed, ...]:
    """Players who were sent away before the final table was formed and are not back."""
    rule = state.book.tournament.missed_merge_is_out
    if rule is None or not rule.value or len(state.seats.open_tables()) != 1:
        return ()
    away = [state.penalties.given[one.penalty] for one in time_outs(state, now, facts)]
    return tuple(
        MergeMissed(one.penalty, one.player, rule.rule)
        for one in away
        if one.tables > 1 and _runs_at_merge(state, one)
    )


def would_miss_merge(state: State) -> tuple[MergeMissed, ...]:
    """Players in a time-out, not called back yet, as the last two tables are about to become one."""
    rule = state.book.tournament.missed_merge_is_out
    if rule is None or not rule.value or len(state.seats.open_tables()) != 2:
        return ()
    given = (state.penalties.given[id_] for id_ in state.penalties.since)
    sent = (one for one in given if state.field.entrants[one.player].in_play)
    return tuple(MergeMissed(one.penalty, one.player, rule.rule) for one in sent)


def _runs_at_merge(state: State, given: PenaltyGiven) -> bool:
    """Whether the time was not over as the final table formed; who was only not called back yet missed nothing."""
    merged, since = state.seats.final_since, state.penalties.since[given.penalty]
    return merged is None or not given.minutes or elapsed_ms(since, merged) < given.minutes * MINUTE_MS


# ------------------------------------------------------------------------------------------------ reducers


def _given(state: State, event: PenaltyGiven, now: Instant) -> None:
    state.penalties.given[event.penalty] = event
    if event.kind in TIMED:
        state.penalties.since[event.penalty] = now
        state.penalties.hands[event.penalty] = event.hands, event.hand


def _carried(state: State, event: TimeOutCarried, now: Instant) -> None:
    state.penalties.hands[event.penalty] = event.left, event.hand


def _served(state: State, event: PenaltyServed, now: Instant) -> None:
    if event.penalty not in state.penalties.since:
        raise ConflictError(f"{event.penalty} is served")
    del state.penalties.since[event.penalty]


COMMANDS: Mapping[type, Any] = {GivePenalty: give_penalty, EndTimeOut: end_time_out}
REDUCERS: Mapping[type, Any] = {PenaltyGiven: _given, PenaltyServed: _served, TimeOutCarried: _carried}
