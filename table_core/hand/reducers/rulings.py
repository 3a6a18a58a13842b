"""Reducers of rulings in a hand: dead hands, hands given back, counts, absence."""

from __future__ import annotations

from table_core.hand import absence
from table_core.hand.state import NOBODY, NOT_YET, HandState
from table_core.messages import AwaySet, Counted, DealClosed, DutiesSet, HandKilled, HandRetrieved, HandStarted


def killed(state: HandState, event: HandKilled) -> None:
    index = state.ring.index[event.seat]
    bit = 1 << index
    turn = state.to_act
    if state.is_last_of_pot(index):
        state.last_of_pot |= bit
    state.live &= ~bit
    state.able &= ~bit
    state.pending &= ~bit
    state.folded |= bit
    if state.closed:  # between two rounds the last hand left has the pots by that
        state.settling = not state.live & (state.live - 1)
    else:
        state.pass_action(turn if turn in (NOBODY, index) else turn - 1)


def duties_set(state: HandState, event: DutiesSet) -> None:
    index = state.ring.index[event.seat]
    others = {other: owed for other, owed in state.duties.items() if other != index}
    state.duties = {**others, index: event.duties} if event.duties else others


def retrieved(state: HandState, event: HandRetrieved) -> None:
    index = state.ring.index[event.seat]
    bit = 1 << index
    state.live |= bit
    state.folded &= ~bit
    state.mucked &= ~bit
    state.last_of_pot &= ~bit
    state.away &= ~bit  # it is live, whoever was absent
    state.missed &= ~bit
    if not state.plays(index):
        return
    state.able |= bit
    if event.acts or (not state.closed and state.bets[index] < state.high):
        state.pending |= bit
        state.faced[index] = state.bets[index] or NOT_YET  # its fold was no action: what it had faced before
        if event.acts and state.has_passed(index):
            state.to_act = index
        else:
            state.pass_action(state.to_act - 1 if state.to_act != NOBODY else NOBODY)


def counted(state: HandState, event: Counted) -> None:
    index = state.ring.index.get(event.seat)
    if index is None or not state.under_way:
        return
    bit = 1 << index
    state.stacks[index] = event.stack
    if state.plays(index):
        state.able |= bit & state.live
        return
    state.able &= ~bit
    state.pending &= ~bit
    if not state.closed:
        turn = state.to_act
        state.pass_action(turn if turn in (NOBODY, index) else turn - 1)


def away_set(state: HandState, event: AwaySet) -> None:
    index = state.ring.index.get(event.seat)
    if index is None or not state.under_way:
        return
    bit = 1 << index
    if event.away:
        state.away |= bit
        if absence.leaving_kills(state):
            state.missed |= bit
    elif not absence.is_too_late(state, index):  # else it is for this hand (cpp.dealing.5)
        state.away &= ~bit
    _turn_in_deal(state)


def deal_closed(state: HandState, event: DealClosed) -> None:
    """Who is away now has missed the deal. The turn comes to those over whom it has passed. Where the first act
    says it, only who was away from the riffle on: who left since may have seen the last card."""
    start = state.start
    if not state.dealt:
        state.missed |= state.away
        state.dealt = True
        _first_turn(state)
    elif isinstance(start, HandStarted):
        state.missed |= state.away & state.ring.indices(start.away)


def _turn_in_deal(state: HandState) -> None:
    if not state.dealt:
        _first_turn(state)


def _first_turn(state: HandState) -> None:
    if not state.closed:
        state.pass_action(state.ring.index[state.start.big_blind])
