"""Silent chips: the action that a player's chips stand for."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from table_core.hand.betting import nearest
from table_core.hand.engine import Engine
from table_core.messages import Act, Action, Chips, Seat, Source
from table_core.parameters import SilentChips, SingleChip
from table_core.rulebook import Rulebook


class ActingSeat(Struct, frozen=True):
    """The player to act. Amounts are totals in front of the seat on this street."""

    seat: Seat
    bet: int  # in front already
    high: int  # to match
    full_raise: int
    least_to: int | None  # smallest bet or raise, None when betting is closed to the player
    all_in: int
    unit: int  # of wagers


def acting_seat(hand: Engine) -> ActingSeat:
    """The seat to act and its amounts. Raise `ValueError` when nobody is to act."""
    now, state = hand.legal(), hand.state
    if now is None:
        raise ValueError("nobody is to act")
    bet, plays = hand.bets[now.seat], state.plays(state.to_act)
    return ActingSeat(now.seat, bet, state.high, state.full_raise, now.min_to, bet + plays, state.unit)


def act_of(acting: ActingSeat, rulebook: Rulebook, chips: Sequence[int]) -> Act:
    """The action of chips put in without a declaration; `chips` has the value of each, and at least one.

    A declaration wins over chips: the dealer keys it, and this is not used then (wfp.nolimit.7).
    """
    out = acting.bet + sum(chips)
    return _single(acting, rulebook, out) if len(chips) == 1 else _several(acting, rulebook, out)


def _single(acting: ActingSeat, rulebook: Rulebook, out: int) -> Act:
    """One silent chip: facing a bet a call, whatever it is worth; otherwise a bet of its full value."""
    rules = rulebook.rules
    if acting.high > acting.bet:
        silent = rules.single_chip_facing_bet.value
    else:
        silent = rules.single_chip_opens.value
    return _wager(acting, out) if silent is SingleChip.FULL_VALUE else _act(acting, _pay(acting))


def _several(acting: ActingSeat, rulebook: Rulebook, out: int) -> Act:
    if acting.high <= acting.bet:
        return _wager(acting, out)
    silent = rulebook.rules.silent_chips.value
    raises = silent is SilentChips.TOTAL and out > acting.high
    if silent is SilentChips.RAISE_FROM_HALF:
        raises = 2 * (out - acting.high) >= acting.full_raise
    return _wager(acting, out) if raises else _act(acting, Action.CALL)


def _wager(acting: ActingSeat, to: int) -> Act:
    """A bet or raise below the minimum counts as the minimum, where the chips allow it (wfp.nolimit.11)."""
    if acting.least_to is None:
        return _act(acting, _pay(acting))
    action = Action.RAISE if acting.high else Action.BET
    to = nearest(to, acting.unit)
    return Act(acting.seat, action, Chips(min(max(to, acting.least_to), acting.all_in)), Source.KEY)


def _pay(acting: ActingSeat) -> Action:
    return Action.CALL if acting.high > acting.bet else Action.CHECK


def _act(acting: ActingSeat, action: Action) -> Act:
    return Act(acting.seat, action)
