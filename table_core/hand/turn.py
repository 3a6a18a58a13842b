"""The usual action: a check, a call with chips behind, or a fold, in turn, after which the next seat is to act.

A table does little else, so it is judged and folded in one go. `betting.judge` and `fold_betting.fold_action` say
the same of it, and all there is to say of other actions.
"""

from __future__ import annotations

from typing import Any

from table_core.hand.state import NOBODY, HandState
from table_core.messages import Act, Acted, Action, Chips

_FOLD, _CHECK, _CALL = Action.FOLD, Action.CHECK, Action.CALL  # looked up once
_NOTHING = Chips(0)


def act_in_turn(state: HandState, act: Act) -> Acted | None:
    """The event of a usual action, folded; None, and nothing changed, for one that needs a closer look."""
    place = state.to_act
    if place == NOBODY or state.ring.seats[place] != act.seat or act.to is not None:
        return None
    bit = 1 << place
    if not state.pending & bit << 1 or state.away or state.short:
        return None
    action = act.action
    bet: Any = state.bets[place]
    to: Any = state.high
    owed: Any = to - bet
    if action is _FOLD:
        able = state.able & ~bit
        if not able & (able - 1):
            return None
        acted = Acted(act.seat, _FOLD, _NOTHING, bet, False, act.source)
        state.able = able
        state.live &= ~bit
        state.folded |= bit
    elif action is not _CALL and action is not _CHECK:
        return None
    elif owed <= 0:
        acted = Acted(act.seat, _CHECK, _NOTHING, bet, False, act.source)
        state.raisers &= ~bit
    elif action is _CALL and owed < state.stacks[place]:
        acted = Acted(act.seat, _CALL, owed, to, False, act.source)
        state.stacks[place] -= owed
        state.paid[place] += owed
        state.bets[place] = to
        state.raisers &= ~bit
    else:
        return None
    state.pending &= ~bit
    state.acted |= bit
    state.faced[place] = to
    state.to_act = place + 1
    return acted
