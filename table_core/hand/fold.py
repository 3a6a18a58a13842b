"""How each event changes the state of a hand. Nothing here decides; what happened is folded as it happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_core.hand.seats import Ring, members, next_in, ring_of
from table_core.hand.state import NOBODY, NOT_YET, HandState
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    AwaySet,
    BetCorrected,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    CardExposed,
    Counted,
    DealClosed,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandRetrieved,
    HandsBeaten,
    HandStarted,
    HandTabled,
    Misdealt,
    Post,
    Posted,
    PotAwarded,
    Reported,
    ResultEntered,
    Source,
    Street,
)
from table_core.parameters import Presence

_FOLD, _RIVER = Action.FOLD, Street.RIVER  # looked up once
_BIG_BLIND_ANTE, _STRADDLE = Post.BIG_BLIND_ANTE, Post.STRADDLE
_IN_FRONT = (Post.SMALL_BLIND, Post.BIG_BLIND, Post.STRADDLE)


def begin_empty(state: HandState, ring: Ring) -> None:
    """A hand of the players in `ring`, in which nothing has happened yet."""
    seats = len(ring.seats)
    state.ring = ring
    state.stacks, state.bets, state.paid = [0] * seats, [0] * seats, [0] * seats
    state.faced = [NOT_YET] * seats
    state.live = state.able = state.pending = ring.everyone
    state.acted = state.raisers = state.folded = state.mucked = state.beaten = state.away = 0
    state.dead = state.awarded = 0
    state.closed, state.settling = False, False
    state.aggressor = NOBODY
    state.board, state.tabled, state.earlier = (), {}, ()
    state.short, state.owed = {}, {}


def _started(state: HandState, event: HandStarted) -> None:
    state.start = event
    ring = ring_of(event.button, tuple([seat.seat for seat in event.seats]))
    begin_empty(state, ring)
    stacks, place = state.stacks, ring.place
    for seat in event.seats:
        stacks[place[seat.seat]] = seat.stack
    if event.away:
        state.away = ring.places(event.away)
    state.street = Street.PREFLOP
    state.dead = event.carried
    # A big blind posted short still makes a full bet to match (wfp.nolimit.2a).
    full = state.rulebook.rules.short_big_blind_counts_full.value
    state.high = state.full_high = event.level.big_blind if full else 0
    state.last_raise = state.minimum_bet(Street.PREFLOP)
    state.raises = 1
    state.to_act = next_in(state.pending, ring.place[event.big_blind])


def _posted(state: HandState, event: Posted) -> None:
    place = state.ring.place[event.seat]
    amount, what = event.amount, event.what
    state.stacks[place] -= amount
    if what is _BIG_BLIND_ANTE or event.dead:
        state.dead += amount
    else:
        state.paid[place] += amount
        if what in _IN_FRONT:
            state.bets[place] += amount
            state.high = max(state.high, state.bets[place])
            state.full_high = max(state.full_high, state.high)
    if not state.stacks[place]:
        state.able &= ~(1 << place)
        state.pending &= state.able
    elif what is not _STRADDLE and state.able & (state.able - 1):
        return  # the turn stays where the start of the hand put it
    state.pass_action(place if what is _STRADDLE else state.ring.place[state.start.big_blind])


def _acted(state: HandState, event: Acted) -> None:
    fold_action(state, state.ring.place[event.seat], event)


def fold_action(state: HandState, place: int, event: Acted) -> None:
    """An action of the player at `place`."""
    bit = 1 << place
    turn = state.to_act
    pending = state.pending = state.pending & ~bit
    if state.short and place in state.short:
        state.short = {other: chips for other, chips in state.short.items() if other != place}
    if event.action is _FOLD:
        state.live &= ~bit
        state.able &= ~bit
        state.folded |= bit
    else:
        if event.added:
            _put_in(state, place, event)
            pending = state.pending
        elif state.raisers:
            state.raisers &= ~bit
        if event.flag and event.to < state.high and not event.all_in:
            state.short = {**state.short, place: state.high - event.to}
    state.faced[place] = state.high
    state.acted |= bit
    if place == turn:
        able = state.able
        if pending & bit << 1 and able & (able - 1):
            state.to_act = place + 1  # most often; `pass_action` says the same of it
        else:
            state.pass_action(place)
    else:  # out of turn: the turn stays where it is
        state.pass_action(place if turn == NOBODY else turn - 1)


def _put_in(state: HandState, place: int, event: Acted) -> None:
    """A call, bet or raise."""
    added, to, stacks = event.added, event.to, state.stacks
    stacks[place] -= added
    state.bets[place] = to
    state.paid[place] += added
    if not stacks[place]:
        state.able &= ~(1 << place)
    if to > state.high:
        _raised(state, place, event)
    elif state.raisers:
        state.raisers &= ~(1 << place)


def _raised(state: HandState, place: int, event: Acted) -> None:
    """A legal raise of a player with chips behind is a full one; an all-in must be of full size, and so must a
    raise that was let pass against the rules."""
    bit = 1 << place
    size = event.to - state.high
    legal = state.able & bit and not event.flag
    if legal or size >= state.reopening_raise:
        state.acted = 0
        state.last_raise = max(size, state.full_raise)
        state.full_high = event.to
    state.high = event.to
    state.raises += 1
    state.aggressor = place
    state.raisers |= bit
    state.pending = state.able & ~bit


def _bet_returned(state: HandState, event: BetReturned) -> None:
    place = state.ring.place[event.seat]
    state.stacks[place] += event.amount
    state.bets[place] -= event.amount
    state.paid[place] -= event.amount
    state.able |= 1 << place & state.live
    state.to_act = NOBODY


def _betting_closed(state: HandState, event: BettingClosed) -> None:
    close_betting(state)
    alone = not state.live & (state.live - 1)
    state.settling = alone
    if event.street is _RIVER and not alone:
        state.street = Street.SHOWDOWN


def close_betting(state: HandState) -> None:
    """Collect the bets. Chips missing from calls that were let pass are missing from the main pot."""
    seats = len(state.bets)
    if state.short:
        state.paid, state.dead = state.levels()
        owed = state.owed
        state.owed = {**owed, **{place: owed.get(place, 0) + chips for place, chips in state.short.items()}}
        state.short = {}
    state.bets, state.faced = [0] * seats, [NOT_YET] * seats
    state.high = state.full_high = state.pending = state.acted = state.raisers = 0
    state.to_act, state.closed = NOBODY, True


def _board_dealt(state: HandState, event: BoardDealt) -> None:
    if not state.closed:  # a reported street before its time: whoever had not acted is taken to have called
        missing = {place: state.high - state.bets[place] for place in members(state.able)}
        state.short = {place: chips for place, chips in missing.items() if chips > 0}
        close_betting(state)
    state.board += event.cards
    state.street = event.street
    if state.able & (state.able - 1):
        state.closed = False
        state.aggressor = NOBODY
        state.raises = 0
        state.last_raise = state.minimum_bet(event.street)
        state.pending = state.able
        state.to_act = next_in(state.pending, NOBODY)
    elif event.street is _RIVER:
        state.street = Street.SHOWDOWN


def _board_read(state: HandState, event: BoardRead) -> None:
    state.board = event.cards


def _tabled(state: HandState, event: HandTabled) -> None:
    state.tabled[state.ring.place[event.seat]] = event.cards


def _mucked(state: HandState, event: HandMucked) -> None:
    bit = 1 << state.ring.place[event.seat]
    state.live &= ~bit
    state.able &= ~bit
    state.mucked |= bit


def _killed(state: HandState, event: HandKilled) -> None:
    place = state.ring.place[event.seat]
    bit = 1 << place
    turn = state.to_act
    state.live &= ~bit
    state.able &= ~bit
    state.pending &= ~bit
    state.folded |= bit
    if not state.closed:
        state.pass_action(turn if turn in (NOBODY, place) else turn - 1)


def _retrieved(state: HandState, event: HandRetrieved) -> None:
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


def _bet_corrected(state: HandState, event: BetCorrected) -> None:
    place = state.ring.place[event.seat]
    state.stacks[place] -= event.added
    if not state.stacks[place]:
        state.able &= ~(1 << place)
    if place in state.owed and place not in state.short:  # missing from the main pot since its street closed
        state.dead += event.added
        missing = {**state.owed, place: state.owed[place] - event.added}
        state.owed = {other: chips for other, chips in missing.items() if chips > 0}
        return
    state.short = {other: chips for other, chips in state.short.items() if other != place}
    state.bets[place] += event.added
    state.paid[place] += event.added
    if event.to > state.high:
        _bring_up(state, place, event.to)


def _bring_up(state: HandState, place: int, to: int) -> None:
    """The bet is now `to`: earlier callers owe the rest, and may not raise (wfp.betting.16b)."""
    if not state.rulebook.rules.correction_reopens.value:
        state.faced = [to if faced != NOT_YET else NOT_YET for faced in state.faced]
    owing = sum([1 << other for other in members(state.able) if state.bets[other] < to])
    state.pending |= owing & ~(1 << place)
    state.high = state.full_high = to
    state.pass_action(state.to_act - 1 if state.to_act != NOBODY else place)


def _misdealt(state: HandState, event: Misdealt) -> None:
    for share in event.stacks:
        state.stacks[state.ring.place[share.seat]] = share.amount
    state.to_act, state.closed = NOBODY, True


def _resumed(state: HandState, event: HandResumed) -> None:
    state.start = event
    ring = ring_of(event.button, tuple([seat.seat for seat in event.seats]))
    begin_empty(state, ring)
    for seat in event.seats:
        place = ring.place[seat.seat]
        state.stacks[place], state.bets[place], state.paid[place] = seat.stack, seat.bet, seat.bet
        if not seat.live:
            state.live &= ~(1 << place)
            state.folded |= 1 << place
    able = sum([1 << place for place in members(state.live) if state.stacks[place]])
    state.able = able
    state.earlier = tuple([(pot.amount, ring.places(pot.seats)) for pot in event.pots])
    state.board, state.street = event.board, event.street
    state.high = max(state.bets, default=0)
    if event.street is Street.PREFLOP:
        state.high = max(state.high, event.level.big_blind)
    state.full_high = state.high
    state.last_raise = event.last_raise or state.minimum_bet(event.street)
    state.raises = int(state.high > 0)
    _resume_turn(state, NOBODY if event.to_act is None else ring.place[event.to_act])


def _resume_turn(state: HandState, turn: int) -> None:
    """Who must still act: `turn`, whoever owes chips and, where nobody raised, those after `turn`."""
    state.pending, state.closed = 0, turn == NOBODY
    state.to_act = turn
    if turn == NOBODY:
        close_betting(state)
        return
    unopened = state.high == (state.start.level.big_blind if state.street is Street.PREFLOP else 0)
    last = state.ring.place[state.start.big_blind] if state.street is Street.PREFLOP else len(state.bets) - 1
    for place in members(state.able):
        behind = (place - turn) % len(state.bets) <= (last - turn) % len(state.bets)
        if place == turn or state.bets[place] < state.high or (unopened and behind):
            state.pending |= 1 << place
        else:
            state.faced[place] = state.high
            state.acted |= 1 << place


def _beaten(state: HandState, event: HandsBeaten) -> None:
    state.beaten |= state.ring.places(event.seats)


def _pot_awarded(state: HandState, event: PotAwarded) -> None:
    if not state.closed:  # pushed before betting was over
        close_betting(state)
    for share in event.shares:
        state.stacks[state.ring.place[share.seat]] += share.amount
    state.awarded += 1


def _result_entered(state: HandState, event: ResultEntered) -> None:
    for share in event.stacks:
        state.stacks[state.ring.place[share.seat]] = share.amount
    state.to_act, state.closed = NOBODY, True


def _ended(state: HandState, event: HandEnded) -> None:
    state.street, state.closed, state.to_act = Street.DONE, True, NOBODY
    state.bets = [0] * len(state.bets)
    state.paid = state.bets[:]
    state.pending = state.dead = state.awarded = 0
    state.earlier, state.short, state.owed, state.settling = (), {}, {}, False


def _counted(state: HandState, event: Counted) -> None:
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


def _away_set(state: HandState, event: AwaySet) -> None:
    place = state.ring.place.get(event.seat)
    if place is None or not state.under_way:
        return
    bit = 1 << place
    if event.away:
        state.away |= bit
    elif state.rulebook.rules.presence.value is not Presence.FIRST_CARD:  # too late for this hand (cpp.dealing.5)
        state.away &= ~bit


def _nothing(state: HandState, event: CardExposed | DealClosed | Reported) -> None:
    """Recorded for everyone to read; the hand is as it was."""


def begins_step(state: HandState, event: AnyEvent) -> bool:
    """Whether `event` answered a command, rather than followed from the event before it."""
    match event:
        case Posted():
            return event.what is Post.STRADDLE
        case HandKilled() | Counted():
            return event.source is not Source.ENGINE
        case BetReturned():  # chopped blinds; else it follows once nobody is to act
            return state.to_act != NOBODY
        case PotAwarded():  # pots of the last hand standing follow from the fold that left it alone
            return not (state.awarded or state.beaten or state.settling)
        case HandsBeaten():
            return not (state.awarded or state.beaten)
        case BettingClosed() | HandEnded():
            return False
        case _:
            return True


FOLD: dict[type, Callable[[HandState, Any], None]] = {
    HandStarted: _started,
    Posted: _posted,
    Acted: _acted,
    BetReturned: _bet_returned,
    BettingClosed: _betting_closed,
    BoardDealt: _board_dealt,
    BoardRead: _board_read,
    CardExposed: _nothing,
    Reported: _nothing,
    DealClosed: _nothing,
    HandTabled: _tabled,
    HandMucked: _mucked,
    HandKilled: _killed,
    HandRetrieved: _retrieved,
    BetCorrected: _bet_corrected,
    Counted: _counted,
    AwaySet: _away_set,
    Misdealt: _misdealt,
    HandResumed: _resumed,
    HandsBeaten: _beaten,
    PotAwarded: _pot_awarded,
    ResultEntered: _result_entered,
    HandEnded: _ended,
}
