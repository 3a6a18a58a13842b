"""A player's legal actions, and the event of an action."""

from __future__ import annotations

from typing import Any, Final

from table_core.hand import duties
from table_core.hand.state import NOBODY, NOT_YET, HandState
from table_core.messages import Act, Acted, Action, BetReturned, Chips, Legal, Refusal, Seat


def legal(state: HandState) -> Legal | None:
    """The legal actions of the seat to act; None when nobody is to act."""
    index = state.to_act
    if index == NOBODY:
        return None
    seat = state.ring.seats[index]
    bet: Any = state.bets[index]
    stack: Any = state.stacks[index] if state.unit == 1 else state.plays(index)
    owed: Any = state.high - bet
    if owed >= stack:
        return Legal(seat, False, stack, None, None)
    checks = owed <= 0
    call = None if checks else owed
    if not may_raise(state, index):
        return Legal(seat, checks, call, None, None)
    all_in: Any = bet + stack
    least: Any = state.least_to
    return Legal(seat, checks, call, least if least < all_in else all_in, all_in)


def may_raise(state: HandState, index: int) -> bool:
    """Whether betting is open to a player (tda.47).

    It is for those who have not acted on this street. Others must face a full raise, or as much in all since they
    acted, in however many short all-ins it came; under `SINGLE_RAISE` one of the raises must have been full. A
    rulebook may close betting only to who checked or called, and may allow so many raises a street.
    """
    faced = state.faced[index]
    if state.raise_cap and state.raises >= state.raise_cap:
        return False
    if state.duties and duties.no_raise(state, index) is not None:
        return False
    if faced == NOT_YET:
        return True
    if not state.check_raise and faced == 0:
        return False
    if state.raiser_may_raise and state.raisers >> index & 1:
        return True
    if state.single_raise:
        return faced < state.full_high
    return faced < state.full_high or state.high - faced >= state.reopening_raise


def judge(state: HandState, act: Act) -> Acted | Refusal:
    """The event of `act`, or the refusal."""
    index, seat, action = state.to_act, act.seat, act.action
    if state.ring.seat_at[index] != seat:
        return _not_in_turn(state, seat)
    if state.away and state.away >> index & 1 and action is not _FOLD:
        reason = f"Seat {seat} is away from the table: {seat} AWAY when the player is back, else FOLD."
        return refuse(state, reason, state.rulebook.rules.presence.rule)
    bet: Any = state.bets[index]
    if action is _CALL or action is _CHECK:
        high: Any = state.high
        if bet >= high and (act.to is None or action is _CHECK):
            return Acted(seat, _CHECK, _NOTHING, bet, False, act.source)
        if action is _CALL and act.to is None and high - bet <= state.stacks[index] - state.unit:
            return Acted(seat, _CALL, high - bet, high, False, act.source)
        return _call(state, index, act)
    if action is _FOLD:
        duty = duties.no_fold(state, index) if state.duties else None
        if duty is not None:
            return refuse(state, duties.words(state, index, duty), duty.rule)
        return Acted(seat, _FOLD, _NOTHING, bet, False, act.source)
    return _bet_or_raise(state, index, act)


def uncalled(state: HandState) -> BetReturned | None:
    """The chips that go back to a bettor whom nobody called in full; None when all was matched.

    A call that was too small and was let pass counts as a call.
    """
    bets = state.bets
    if not state.short and bets.count(state.high) > 1:
        return None
    if state.short:
        bets = [bet + state.short.get(index, 0) for index, bet in enumerate(bets)]
    top = max(bets)
    if bets.count(top) > 1:
        return None
    index = bets.index(top)
    second = max(bets[:index] + bets[index + 1 :])
    return BetReturned(state.ring.seats[index], Chips(top - second)) if state.live >> index & 1 else None


def _call(state: HandState, index: int, act: Act) -> Acted | Refusal:
    """A call of nothing is a check; a call of more than the stack is all-in."""
    bet, stack = state.bets[index], state.plays(index)
    owed = state.high - bet
    if owed <= 0:
        if act.to is not None and act.to != bet:
            return refuse(state, "Nothing to call.", state.rulebook.cites.facing_a_bet)
        return acted(state, index, act, _CHECK, 0)
    added: Any = owed if owed < stack else stack
    if act.action is _CHECK:
        reason = f"Seat {act.seat} cannot check: {added:,} to call."
        return refuse(state, reason, state.rulebook.cites.facing_a_bet)
    to: Any = bet + added
    if act.to is not None and act.to != to and act.to != state.high:
        reason = f"The call is {added:,}, to {to:,}, not to {act.to:,}."
        return refuse(state, reason, state.rulebook.cites.facing_a_bet)
    return Acted(act.seat, _CALL, added, to, added == stack, act.source)


def _bet_or_raise(state: HandState, index: int, act: Act) -> Acted | Refusal:
    bet, stack, high = state.bets[index], state.plays(index), state.high
    all_in: Any = bet + stack
    to: Any = all_in if act.to is None or act.to > all_in else act.to
    if to <= high:
        if to == all_in:  # all-in for no more than the bet is a call
            return acted(state, index, act, Action.CALL, stack)
        reason = f"A raise must go above {high:,}." if high else "A bet needs an amount."
        return refuse(state, reason, state.rulebook.rules.min_raise.rule)
    if not may_raise(state, index):
        return _closed(state, index)
    if to < all_in and to < state.least_to:
        return _too_small(state)
    if to < all_in and to % state.unit:
        return _in_smaller_chips(state, to)
    return Acted(act.seat, _RAISE if high else _BET, to - bet, to, to == all_in, act.source)


def _in_smaller_chips(state: HandState, to: int) -> Refusal:
    """A wager that is no multiple of the unit; the nearest one is what it is changed to (wfp.betting.16a)."""
    near = nearest(to, state.unit)
    other = near + state.unit if near < to else near - state.unit
    rule = unit_rule(state)
    return refuse(state, f"Chips below {state.unit:,} do not play: {near:,} is nearest, or {other:,}.", rule)


def nearest(to: int, unit: int) -> int:
    """The wager in chips that play that is nearest to `to` in size; the larger of two."""
    return (2 * to + unit) // (2 * unit) * unit


def unit_rule(state: HandState) -> str:
    """The rule by which smaller chips do not play."""
    rules = state.rulebook.rules
    return (rules.bring_in_chips if state.unit in rules.bring_in_chips.value else rules.smaller_chips_play).rule


def _too_small(state: HandState) -> Refusal:
    rules, least = state.rulebook.rules, state.least_to
    if not state.high:
        return refuse(state, f"Bet at least {least:,}.", rules.min_bet_by_street.rule)
    rule = rules.min_raise.rule
    if state.high > state.full_high:
        rule = (rules.raise_over_short_raise if state.full_high else rules.raise_over_short_bet).rule
    return refuse(state, f"Raise to at least {least:,}.", rule)


def _closed(state: HandState, index: int) -> Refusal:
    rules, seat = state.rulebook.rules, state.ring.seats[index]
    duty = duties.no_raise(state, index)
    if duty is not None:
        return refuse(state, duties.words(state, index, duty), duty.rule)
    if rules.raise_cap.value and state.raises >= rules.raise_cap.value:
        cap = rules.raise_cap.value
        reason = f"At most {cap} bet{'s and raises' if cap > 1 else ' or raise'} on a street: call or fold."
        return refuse(state, reason, rules.raise_cap.rule)
    if not rules.check_raise.value and state.faced[index] == 0:
        return refuse(state, f"Seat {seat} checked: call or fold.", rules.check_raise.rule)
    reason = f"Seat {seat} has acted and faces less than a full raise: call or fold."
    # One all-in below the smallest bet, with nothing that it could add up to.
    alone = not state.full_high and len({bet for bet in state.bets if bet > state.faced[index]}) == 1
    spoken = state.rulebook.spoken
    adds_up = "short_all_in_reopens" in spoken and not (alone and "short_all_in_closed_to" in spoken)
    return refuse(state, reason, (rules.short_all_in_reopens if adds_up else rules.short_all_in_closed_to).rule)


def acted(state: HandState, index: int, act: Act, action: Action, added: Any, flag: str = "") -> Acted:
    """The event of an action for which `added` chips go in."""
    to: Any = state.bets[index] + added
    return Acted(act.seat, action, added, to, added >= state.plays(index), act.source, flag)


def _not_in_turn(state: HandState, seat: Seat) -> Refusal:
    if state.to_act == NOBODY:
        return refuse(state, "There is no betting now.", state.rulebook.cites.action_in_turn)
    turn = f"Seat {state.ring.seats[state.to_act]} is to act"
    index = state.ring.index.get(seat)
    if index is None:
        why = f"seat {seat} was not dealt in"
    elif state.folded >> index & 1:
        why = f"seat {seat} has folded"
    elif state.all_in >> index & 1:
        why = f"seat {seat} is all-in"
    else:
        why = f"not seat {seat}"
    return refuse(state, f"{turn}, {why}.", state.rulebook.cites.action_in_turn)


def refuse(state: HandState, reason: str, rule: str) -> Refusal:
    """A refusal with what is legal instead; it says where the book is silent and usual practice refuses."""
    return Refusal(f"{reason} {state.rulebook.usual_practice(rule)}".rstrip(), rule, legal(state))


# Looked up and made once.
_NOTHING: Final = Chips(0)
_FOLD: Final = Action.FOLD
_CHECK: Final = Action.CHECK
_CALL: Final = Action.CALL
_BET: Final = Action.BET
_RAISE: Final = Action.RAISE
