"""The usual action of the player whose turn it is: a fold, a check, a call, a bet or a raise.

A table does little else, so it is judged and applied in one go. `betting.judge` and
`reduce_betting.reduce_action` say the same of it, and all there is to say of other actions.
"""

from __future__ import annotations

from typing import Any

from table_core.hand.betting import may_raise
from table_core.hand.state import NOBODY, HandState
from table_core.messages import Act, Acted, Action, Chips

_FOLD, _CHECK, _CALL = Action.FOLD, Action.CHECK, Action.CALL  # looked up once
_BET, _RAISE = Action.BET, Action.RAISE
_NOTHING = Chips(0)


def act_in_turn(state: HandState, act: Act) -> Acted | None:
    """The event of a usual action, applied; None, and nothing changed, for one that needs a closer look."""
    place = state.to_act
    if place == NOBODY or state.ring.seats[place] != act.seat or state.away or state.short:
        return None
    action = act.action
    if action is _CALL or action is _CHECK:
        if act.to is not None:
            return None
        if state.bets[place] < state.high:
            return _call(state, place, act) if action is _CALL else None
        return _check(state, place, act)
    if action is _FOLD:
        return _fold(state, place, act)
    return _bet_or_raise(state, place, act)


def _check(state: HandState, place: int, act: Act) -> Acted:
    bit = 1 << place
    bet: Any = state.bets[place]
    state.faced[place] = state.high
    pending = state.pending = state.pending - bit
    if pending & (bit + bit):
        state.to_act = place + 1  # most often; `pass_action` says the same of it
    else:
        state.pass_action(place)
    return Acted(act.seat, _CHECK, _NOTHING, bet, False, act.source)


def _fold(state: HandState, place: int, act: Act) -> Acted:
    bit = 1 << place
    bet: Any = state.bets[place]
    able = state.able = state.able & ~bit
    state.live &= ~bit
    state.folded |= bit
    state.faced[place] = state.high
    pending = state.pending = state.pending - bit
    if pending & (bit + bit) and able & (able - 1):
        state.to_act = place + 1
    else:
        state.pass_action(place)
    return Acted(act.seat, _FOLD, _NOTHING, bet, False, act.source)


def _call(state: HandState, place: int, act: Act) -> Acted:
    """A call, for all of the stack when the bet is more."""
    bit = 1 << place
    high, stack = state.high, state.stacks[place]
    bet: Any = state.bets[place]
    added: Any = high - bet
    if added >= stack:
        added = stack
        state.able &= ~bit
    state.stacks[place] = stack - added
    state.paid[place] += added
    state.bets[place] = bet + added
    if state.raisers:
        state.raisers &= ~bit
    state.faced[place] = high
    pending = state.pending = state.pending - bit
    if pending & (bit + bit) and added < stack:
        state.to_act = place + 1
    else:
        state.pass_action(place)
    return Acted(act.seat, _CALL, added, bet + added, added == stack, act.source)


def _bet_or_raise(state: HandState, place: int, act: Act) -> Acted | None:
    """A bet or raise, for which everyone else must act again; all-in it may be less than a full one."""
    bet, high = state.bets[place], state.high
    all_in: Any = bet + state.stacks[place]
    to: Any = act.to
    if to is None or to >= all_in:
        to = all_in
        if to <= high:  # a call
            return None
    elif to < state.least_to:
        return None
    if not may_raise(state, place):
        return None
    bit, size = 1 << place, to - high
    if to < all_in or size >= state.reopening_raise:
        least = state.last_raise if state.raise_by_last else state.full_raise
        state.last_raise = size if size > least else least
        state.full_high = to
    if to == all_in:
        state.able &= ~bit
    state.stacks[place] = all_in - to
    state.paid[place] += to - bet
    state.bets[place] = state.faced[place] = state.high = to
    state.raises += 1
    state.aggressor = place
    state.raisers |= bit
    state.pending = state.able & ~bit
    state.pass_action(place)
    return Acted(act.seat, _RAISE if high else _BET, to - bet, to, to == all_in, act.source)
