"""Reducers of a hand's end: pots awarded, a result alone, a misdeal."""

from __future__ import annotations

from typing import Final

from table_core.hand.reducers.betting import close_betting
from table_core.hand.state import NOBODY, HandState
from table_core.messages import HandEnded, HandsBeaten, Misdealt, PotAwarded, ResultEntered, Street

_DONE: Final = Street.DONE  # looked up once


def beaten(state: HandState, event: HandsBeaten) -> None:
    state.beaten |= state.ring.indices(event.seats)


def pot_awarded(state: HandState, event: PotAwarded) -> None:
    if not state.closed:  # pushed before betting was over
        close_betting(state)
    for share in event.shares:
        state.stacks[state.ring.index[share.seat]] += share.amount
    state.awarded += 1


def result_entered(state: HandState, event: ResultEntered) -> None:
    for share in event.stacks:
        state.stacks[state.ring.index[share.seat]] = share.amount
    state.to_act, state.closed = NOBODY, True


def misdealt(state: HandState, event: Misdealt) -> None:
    for share in event.stacks:
        state.stacks[state.ring.index[share.seat]] = share.amount
    state.to_act, state.closed = NOBODY, True


def ended(state: HandState, event: HandEnded) -> None:
    state.street, state.closed, state.to_act = _DONE, True, NOBODY
    nothing = [0] * len(state.bets)
    state.bets, state.paid = nothing, nothing.copy()
    state.pending = state.dead = state.awarded = 0
    state.earlier, state.short, state.owed, state.settling = (), {}, {}, False
