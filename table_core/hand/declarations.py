"""Words and chips: what a player said, and what they put out, as the action that it is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from table_core.hand.engine import Engine
from table_core.messages import Act, Action, Chips, Seat, Source
from table_core.parameters import SilentChips, SingleChip
from table_core.rulebook import Rulebook


class ActingSeat(Struct, frozen=True):
    """Where the player to act stands. Amounts are totals in front of the seat on this street."""

    seat: Seat
    bet: int  # in front already
    high: int  # to match
    full_raise: int
    least_to: int | None  # smallest bet or raise, None when betting is closed to the player
    all_in: int


class Said(Struct, frozen=True):
    """Spoken in turn, or a sign that stands for words. `to` is the amount that was named."""

    action: Action
    to: int | None = None


def acting_seat(hand: Engine) -> ActingSeat:
    """The seat to act and its amounts. Raise `ValueError` when nobody is to act."""
    now, state = hand.legal(), hand.state
    if now is None:
        raise ValueError("nobody is to act")
    bet, stack = hand.bets[now.seat], hand.stacks[now.seat]
    return ActingSeat(now.seat, bet, state.high, state.full_raise, now.min_to, bet + stack)


def act_of(
    acting: ActingSeat,
    rulebook: Rulebook,
    *,
    said: Said | None = None,
    chips: Sequence[int] = (),
    released: bool = True,
) -> Act | None:
    """The action that words and chips make together; None when they make none yet.

    Words said in turn bind and win over the chips (wfp.nolimit.7). Chips without words bind once they are
    released (wfp.nolimit.6).
    """
    rules = rulebook.rules
    out = acting.bet + sum(chips)
    if said is not None and (rules.words_over_chips.value or not chips):
        return _spoken(acting, said, out if chips else None)
    if not chips or (rules.released_chips_bind.value and not released):
        return None
    return _single(acting, rulebook, out) if len(chips) == 1 else _several(acting, rulebook, out)


def _spoken(acting: ActingSeat, said: Said, out: int | None) -> Act:
    if said.action in (Action.BET, Action.RAISE):
        to = said.to if said.to is not None else out
        return _wager(acting, acting.all_in if to is None else to)
    return _act(acting, said.action)


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
    """A bet or raise of too little is one of exactly the minimum, where the chips allow it (wfp.nolimit.11)."""
    if acting.least_to is None:
        return _act(acting, _pay(acting))
    action = Action.RAISE if acting.high else Action.BET
    return Act(acting.seat, action, Chips(min(max(to, acting.least_to), acting.all_in)), Source.KEY)


def _pay(acting: ActingSeat) -> Action:
    return Action.CALL if acting.high > acting.bet else Action.CHECK


def _act(acting: ActingSeat, action: Action) -> Act:
    return Act(acting.seat, action)
