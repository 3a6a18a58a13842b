"""Reducers of a hand's beginning: dealt and blinds posted, or resumed."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from table_core.hand.face_up import bits_of
from table_core.hand.reducers.betting import close_betting
from table_core.hand.seats import Ring, members, next_in, ring_of
from table_core.hand.state import NOBODY, NOT_YET, HandState
from table_core.messages import HandResumed, HandStarted, LevelChanged, Post, Posted, Street
from table_core.parameters import Presence

_PREFLOP: Final = Street.PREFLOP  # looked up once
_BIG_BLIND_ANTE: Final = Post.BIG_BLIND_ANTE
_IN_FRONT: Final = (Post.SMALL_BLIND, Post.BIG_BLIND)


def begin_empty(state: HandState, ring: Ring) -> None:
    """A hand of the players in `ring`, in which nothing has happened yet."""
    seats = len(ring.seats)
    state.ring = ring
    state.stacks, state.bets, state.paid = [0] * seats, [0] * seats, [0] * seats
    state.faced = [NOT_YET] * seats
    state.live = state.able = state.pending = ring.everyone
    state.raisers = state.folded = state.mucked = state.last_of_pot = state.beaten = 0
    state.away = state.missed = 0
    state.dealt = False
    state.dead = state.awarded = 0
    state.closed, state.settling = False, False
    state.aggressor = NOBODY
    state.board, state.tabled, state.face_up, state.earlier = (), {}, 0, ()
    state.short, state.owed, state.duties = {}, {}, {}


def started(state: HandState, event: HandStarted) -> None:
    state.start = event
    ring = ring_of(event.button, tuple([seat.seat for seat in event.seats]))
    begin_empty(state, ring)
    stacks, index = state.stacks, ring.index
    for seat in event.seats:
        stacks[index[seat.seat]] = seat.stack
    state.unit = event.unit
    if state.unit > 1:
        state.able = state.pending = sum([1 << one for one in members(state.live) if state.plays(one)])
    if event.away:
        state.away = ring.indices(event.away)
        if state.rulebook.rules.presence.value is Presence.FIRST_CARD:
            state.missed = state.away
    state.street = _PREFLOP
    state.dead = event.carried
    # A big blind posted short still makes a full bet to match (wfp.nolimit.2a).
    full = state.rulebook.rules.short_big_blind_counts_full.value
    state.high = state.full_high = event.level.big_blind if full else 0
    state.last_raise = state.minimum_bet(_PREFLOP)
    state.raises = 1
    state.to_act = next_in(state.has_turn(), ring.index[event.big_blind])


def level_changed(state: HandState, event: LevelChanged) -> None:
    """The beginning at another level; blinds and antes of the level before it go back."""
    start, presence, owed = state.start, (state.away, state.missed, state.dealt), state.duties
    assert isinstance(start, HandStarted)
    started(state, replace(start, level=event.level, unit=event.unit))
    (state.away, state.missed, state.dealt), state.duties = presence, owed
    state.to_act = next_in(state.has_turn(), state.ring.index[start.big_blind])


def posted(state: HandState, event: Posted) -> None:
    index = state.ring.index[event.seat]
    amount, what = event.amount, event.what
    state.stacks[index] -= amount
    if what is _BIG_BLIND_ANTE or event.dead:
        state.dead += amount
    else:
        state.paid[index] += amount
        if what in _IN_FRONT:
            bet = state.bets[index] = state.bets[index] + amount
            if bet > state.high:
                state.high = bet
            if state.high > state.full_high:
                state.full_high = state.high
    if not state.plays(index):
        state.able &= ~(1 << index)
        state.pending &= state.able
    elif state.able & (state.able - 1):
        return  # the turn stays where the start of the hand put it
    state.pass_action(state.ring.index[state.start.big_blind])


def resumed(state: HandState, event: HandResumed) -> None:
    state.start = event
    ring = ring_of(event.button, tuple([seat.seat for seat in event.seats]))
    begin_empty(state, ring)
    state.dealt = True
    for seat in event.seats:
        index = ring.index[seat.seat]
        state.stacks[index], state.bets[index], state.paid[index] = seat.stack, seat.bet, seat.bet
        if not seat.live:
            state.live &= ~(1 << index)
            state.folded |= 1 << index
    state.unit = event.unit
    able = sum([1 << index for index in members(state.live) if state.plays(index)])
    state.able = able
    state.earlier = tuple([(pot.amount, ring.indices(pot.seats)) for pot in event.pots])
    state.board, state.street = event.board, event.street
    state.face_up = bits_of(event.board)
    state.high = max(state.bets, default=0)
    if event.street is Street.PREFLOP:
        state.high = max(state.high, event.level.big_blind)
    state.full_high = state.high
    state.last_raise = event.last_raise or state.minimum_bet(event.street)
    state.raises = int(state.high > 0)
    _resume_turn(state, NOBODY if event.to_act is None else ring.index[event.to_act])


def _resume_turn(state: HandState, turn: int) -> None:
    """Who must still act: `turn`, whoever owes chips and, where nobody raised, those after `turn`."""
    state.pending, state.closed = 0, turn == NOBODY
    state.to_act = turn
    if turn == NOBODY:
        close_betting(state)
        return
    unopened = state.high == (state.start.level.big_blind if state.street is Street.PREFLOP else 0)
    last = state.ring.index[state.start.big_blind] if state.street is Street.PREFLOP else len(state.bets) - 1
    for index in members(state.able):
        behind = (index - turn) % len(state.bets) <= (last - turn) % len(state.bets)
        if index == turn or state.bets[index] < state.high or (unopened and behind):
            state.pending |= 1 << index
        else:
            state.faced[index] = state.high
