"""Hand for hand: every table plays one hand and waits for the others; the clock is charged for each round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_core.messages import Frozen, Millis, Refusal
from table_core.tournament.clock import MINUTE_MS, TournamentClock, length_ms
from table_core.tournament.decision import Decision
from table_core.tournament.events import ClockChanged, HandForHand, Instant, RoundBegan, TableHand
from table_core.tournament.state import Facts, State
from table_core.tournament.stops import as_rounds_go


class SetHandForHand(Frozen, frozen=True):
    """All tables begin their hands together; the clock stands and is charged for each hand."""

    on: bool


class BeginRound(Frozen, frozen=True):
    """Each table may begin one more hand; the clock is not charged. The station does it once all have finished."""


class ChargeHand(Frozen, frozen=True):
    """A round of hand for hand is over: the clock is charged for it, and the next one begins once all tables have
    finished. The station does it by itself."""


class StandAfterBreak(Frozen, frozen=True):
    """A break is over: the clock stands again, at the whole of the level that follows. The station does it by
    itself."""


def set_hand_for_hand(state: State, wanted: SetHandForHand, now: Instant, facts: Facts) -> Decision:
    if state.clock is None or state.started is None:
        return Refusal(reason="It has not started.", rule="")
    if wanted.on == (state.hand_for_hand is not None):
        return ()
    minutes = state.book.tournament.hand_for_hand_minutes
    charged = minutes.value * MINUTE_MS if minutes is not None else 0
    stands = wanted.on and not state.clock.level(now.at).is_break  # a break is not charged by the hand
    # Marked in the break, also where the clock came to it by itself: `break_is_over` goes by the mark.
    clock = state.clock.pause(now.at) if stands else state.clock.marked(now.at).resume(now.at)
    what = "hand for hand" if wanted.on else "no longer hand for hand"
    rule = minutes.rule if minutes is not None else ""
    events = (HandForHand(wanted.on, charged, rule), ClockChanged(clock.levels, clock.mark, what))
    return (*events, _round(state, facts, 0)) if wanted.on else events


def begin_round(state: State, wanted: BeginRound, now: Instant, facts: Facts) -> Decision:
    if state.hand_for_hand is None:
        return Refusal(reason="It is not played hand for hand.", rule="")
    if waiting := still_playing(state, facts):
        return Refusal(reason=f"Not all have finished: table {', '.join(waiting)}.", rule=state.hand_for_hand.rule)
    return (_round(state, facts, 1),)


def charge_hand(state: State, wanted: ChargeHand, now: Instant, facts: Facts) -> Decision:
    """A level that the charge uses up is followed by the next one."""
    if state.clock is None or state.hand_for_hand is None:
        return Refusal(reason="It is not played hand for hand.", rule="")
    clock, left = state.clock, state.clock.read(now.at).left_ms - state.hand_for_hand.charged_ms
    changed: TournamentClock | Refusal
    if left > 0:
        changed = clock.with_time(-state.hand_for_hand.charged_ms, now.at)
    else:
        changed = clock.go_to_next(now.at)
        if isinstance(changed, TournamentClock) and left:
            changed = changed.with_time(left, now.at)
    if isinstance(changed, Refusal):
        return changed
    changed = as_rounds_go(state, changed, now)
    begins = () if still_playing(state, facts) else (_round(state, facts, 1),)
    return (ClockChanged(changed.levels, changed.mark, "a hand of hand for hand"), *begins)


def stand_after_break(state: State, wanted: StandAfterBreak, now: Instant, facts: Facts) -> Decision:
    if state.clock is None or not break_is_over(state, now.at):
        return Refusal(reason="No break has ended while it is played hand for hand.", rule="")
    whole = length_ms(state.clock.level(now.at)) - state.clock.read(now.at).left_ms
    changed = state.clock.pause(now.at).with_time(whole, now.at)
    return (ClockChanged(changed.levels, changed.mark, "hand for hand after the break"),)


def still_playing(state: State, facts: Facts) -> list[str]:
    """Tables that the others wait for: in their hand, or still to play the one of this round. By hand the director
    sees it."""
    if state.by_hand:
        return []
    return [
        name
        for name, table in state.seats.tables.items()
        if table.open
        and (fact := facts.get(name)) is not None
        and (fact.in_hand or (len(table.players) > 1 and fact.hand < state.round_hands.get(name, 0)))
    ]


def next_step(state: State, facts: Facts, now: Millis) -> BeginRound | ChargeHand | StandAfterBreak | None:
    """What follows by itself: a round begins once every table has finished, no bust is to be decided and no break
    lasts, as long as there is a table at which two play. The hands that were in progress at the announcement are
    not charged."""
    if state.hand_for_hand is None or state.clock is None:
        return None
    if all(len(table.players) < 2 for table in state.seats.open_tables()):
        return None
    if break_is_over(state, now):
        return StandAfterBreak()
    if state.clock.level(now).is_break or state.field.busts or still_playing(state, facts):
        return None
    return ChargeHand() if state.rounds > 1 else BeginRound()


def break_is_over(state: State, now: Millis) -> bool:
    """Whether it is played hand for hand and the clock ran out of a break by itself; a clock that was started in a
    level is the director's."""
    clock = state.clock
    if state.hand_for_hand is None or clock is None:
        return False
    return clock.mark.running and clock.levels[clock.mark.index].is_break and not clock.level(now).is_break


def _round(state: State, facts: Facts, more: int) -> RoundBegan:
    """Tables may play `more` hands beyond those that they have begun."""
    tables = [name for name, table in state.seats.tables.items() if table.open]
    hands = {name: facts[name].hand if name in facts else 0 for name in tables}
    return RoundBegan(tuple(TableHand(name, hand + more) for name, hand in hands.items()))


# ------------------------------------------------------------------------------------------------ reducers


def _hand_for_hand(state: State, event: HandForHand, now: Instant) -> None:
    state.hand_for_hand = event if event.on else None
    state.round_hands, state.rounds = {}, 0


def _round_began(state: State, event: RoundBegan, now: Instant) -> None:
    state.round_hands = {one.table: one.hand for one in event.hands}
    state.rounds += 1


COMMANDS: Mapping[type, Any] = {
    SetHandForHand: set_hand_for_hand,
    BeginRound: begin_round,
    ChargeHand: charge_hand,
    StandAfterBreak: stand_after_break,
}
REDUCERS: Mapping[type, Any] = {HandForHand: _hand_for_hand, RoundBegan: _round_began}
