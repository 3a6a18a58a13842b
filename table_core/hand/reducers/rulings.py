"""What rulings do to a seat in the middle of a hand: dead hands, hands given back, counts, absence."""

from __future__ import annotations

from table_core.hand.state import NOBODY, HandState
from table_core.messages import AwaySet, Counted, HandKilled, HandRetrieved
from table_core.parameters import Presence


def killed(state: HandState, event: HandKilled) -> None:
    place = state.ring.place[event.seat]
    bit = 1 << place
    turn = state.to_act
    state.live &= ~bit
    state.able &= ~bit
    state.pending &= ~bit
    state.folded |= bit
    if not state.closed:
        state.pass_action(turn if turn in (NOBODY, place) else turn - 1)


def retrieved(state: HandState, event: HandRetrieved) -> None:
    place = state.ring.place[event.seat]
    bit = 1 << place
    state.live |= bit
    state.folded &= ~bit
    state.mucked &= ~bit
    if state.stacks[place]:
        state.able |= bit
        if not state.closed and state.bets[place] < state.high:
            state.pending |= bit
            state.pass_action(state.to_act - 1 if state.to_act != NOBODY else NOBODY)


def counted(state: HandState, event: Counted) -> None:
    place = state.ring.place.get(event.seat)
    if place is None or not state.under_way:
        return
    bit = 1 << place
    state.stacks[place] = event.stack
    if event.stack:
        state.able |= bit & state.live
        return
    state.able &= ~bit
    state.pending &= ~bit
    if not state.closed:
        turn = state.to_act
        state.pass_action(turn if turn in (NOBODY, place) else turn - 1)


def away_set(state: HandState, event: AwaySet) -> None:
    place = state.ring.place.get(event.seat)
    if place is None or not state.under_way:
        return
    bit = 1 << place
    if event.away:
        state.away |= bit
    elif state.rulebook.rules.presence.value is not Presence.FIRST_CARD:  # too late for this hand (cpp.dealing.5)
        state.away &= ~bit
