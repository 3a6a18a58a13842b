"""Reducers of betting: actions, and the end of a street's betting."""

from __future__ import annotations

from typing import Final

from table_core.hand.duties import follow_action
from table_core.hand.seats import members
from table_core.hand.state import NOBODY, NOT_YET, HandState
from table_core.messages import Acted, Action, BetCorrected, BetReturned, BettingClosed, Street

_FOLD: Final = Action.FOLD  # looked up once
_RIVER: Final = Street.RIVER
_SHOWDOWN: Final = Street.SHOWDOWN


def acted(state: HandState, event: Acted) -> None:
    reduce_action(state, state.ring.index[event.seat], event)


def reduce_action(state: HandState, index: int, event: Acted) -> None:
    """An action of the player at `index`."""
    bit, added = 1 << index, event.added
    pending = state.pending = state.pending & ~bit
    if added:
        left = state.stacks[index] = state.stacks[index] - added
        to = state.bets[index] = event.to
        state.paid[index] += added
        if left < state.unit and not state.plays(index):
            state.able &= ~bit
        if to > state.high:
            _raised(state, bit, event)
            pending = state.pending
        elif state.raisers:
            state.raisers &= ~bit
    elif event.action is _FOLD:
        state.live &= ~bit
        state.able &= ~bit
        state.folded |= bit
    elif state.raisers:
        state.raisers &= ~bit
    state.faced[index] = state.high
    state.dealt = True
    if state.short or event.flag:
        _note_short_call(state, index, event)
    if index != state.to_act:  # out of turn: the seat to act stays the same
        state.pass_action(index if state.to_act == NOBODY else state.to_act - 1)
    elif pending & bit << 1 and state.able & (state.able - 1):
        state.to_act = index + 1  # the usual case, as in `pass_action`
    else:
        state.pass_action(index)
    if state.duties:
        follow_action(state, index, event)


def _note_short_call(state: HandState, index: int, event: Acted) -> None:
    """Note the chips missing from a call; a new action settles those of an earlier call."""
    short = {other: chips for other, chips in state.short.items() if other != index}
    if event.flag and event.action is not _FOLD and event.to < state.high and not event.all_in:
        short[index] = state.high - event.to
    state.short = short


def _raised(state: HandState, bit: int, event: Acted) -> None:
    """A legal raise of a player with chips behind is a full one; an all-in must be of full size, and so must a
    raise that was let pass against the rules."""
    to = event.to
    size = to - state.high
    if (state.able & bit and not event.flag) or size >= state.reopening_raise:
        least = state.last_raise if state.raise_by_last else state.full_raise
        state.last_raise = size if size > least else least
        state.full_high = to
    state.high = to
    state.raises += 1
    state.aggressor = bit.bit_length() - 1
    state.raisers |= bit
    state.pending = state.able & ~bit


def bet_returned(state: HandState, event: BetReturned) -> None:
    index = state.ring.index[event.seat]
    state.stacks[index] += event.amount
    state.bets[index] -= event.amount
    state.paid[index] -= event.amount
    state.able |= 1 << index & state.live
    state.to_act = NOBODY


def betting_closed(state: HandState, event: BettingClosed) -> None:
    close_betting(state)
    alone = not state.live & (state.live - 1)
    state.settling = alone
    if event.street is _RIVER and not alone:
        state.street = _SHOWDOWN


def close_betting(state: HandState) -> None:
    """Collect the bets. Chips missing from calls that were let pass are missing from the main pot."""
    seats = len(state.bets)
    if state.short:
        state.paid, state.dead = state.levels()
        owed = state.owed
        state.owed = {**owed, **{index: owed.get(index, 0) + chips for index, chips in state.short.items()}}
        state.short = {}
    state.bets, state.faced = [0] * seats, [NOT_YET] * seats
    state.high = state.full_high = state.pending = state.raisers = 0
    state.to_act, state.closed = NOBODY, True
    state.duties = {}
    if state.unit > 1:  # chips that made a unit with those in front do not make one alone
        state.able = sum([1 << index for index in members(state.able) if state.plays(index)])


def bet_corrected(state: HandState, event: BetCorrected) -> None:
    index = state.ring.index[event.seat]
    if event.returned:
        _found_short(state, index, event.returned)
        return
    state.stacks[index] -= event.added
    if not state.plays(index):
        state.able &= ~(1 << index)
    if index in state.owed and index not in state.short:  # missing from the main pot since its street closed
        state.dead += event.added
        missing = {**state.owed, index: state.owed[index] - event.added}
        state.owed = {other: chips for other, chips in missing.items() if chips > 0}
        return
    state.short = {other: chips for other, chips in state.short.items() if other != index}
    state.bets[index] += event.added
    state.paid[index] += event.added
    if event.to > state.high:
        _bring_up(state, index, event.to)


def _found_short(state: HandState, index: int, chips: int) -> None:
    """Chips of a call never went in; on an earlier street they are missing from the main pot."""
    state.stacks[index] += chips
    if state.bets[index]:
        state.bets[index] -= chips
        state.paid[index] -= chips
        state.short = {**state.short, index: state.short.get(index, 0) + chips}
    else:
        state.dead -= chips
        state.owed = {**state.owed, index: state.owed.get(index, 0) + chips}


def _bring_up(state: HandState, index: int, to: int) -> None:
    """The bet is now `to`: who called it before owes the rest, and may not raise for it (wfp.betting.16b). Who has
    not acted since the bet that it raised faces all of it."""
    if not state.rulebook.rules.correction_reopens.value:
        state.faced = [to if faced == state.high else faced for faced in state.faced]
    owing = sum([1 << other for other in members(state.able) if state.bets[other] < to])
    state.pending |= owing & ~(1 << index)
    state.high = state.full_high = to
    state.pass_action(state.to_act - 1 if state.to_act != NOBODY else index)
