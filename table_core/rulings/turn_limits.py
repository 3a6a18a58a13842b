"""Limits that a ruling out of turn put on a seat's next action: no raise, or only a call."""

from __future__ import annotations

from table_core.messages import Acted, Action, AnyEvent, Chips, Key, Refused, Ruled, Seat
from table_core.projections.table import TableProjection
from table_core.rulings.case import cited_here

_NO_RAISE = ("no_raise", "must_call", "check_if_checked")
_WAGERS = (Action.BET, Action.RAISE, Action.CALL)


def limit_on(table: TableProjection, seat: Seat) -> Ruled | None:
    """The ruling that limits the seat at this turn: made in this hand, and the seat has not acted since."""
    for logged in reversed(table.hand_log):
        event = logged.event
        if isinstance(event, Acted) and event.seat == seat:
            return None
        if isinstance(event, Ruled) and event.incident == "out_of_turn" and event.seat == seat:
            return event
    return None


def refused_by_limit(table: TableProjection, seat: Seat, key: Key) -> Refused | None:
    """Why the limit forbids this key, None when it does not."""
    ruled = limit_on(table, seat)
    if ruled is None or ruled.option == "warning":
        return None
    raises = key in (Key.BET_RAISE, Key.ALL_IN)
    if ruled.option == "check_if_checked" and not _checked_before(table):
        return None
    option, by = _left_of(table, ruled)
    again = "41 FLOOR to rule otherwise"
    if option in _NO_RAISE and raises:
        rule, hand = by, table.hand
        if option == "must_call" and hand is not None and not max(hand.bets.values(), default=Chips(0)):
            rule = cited_here(table.rulebook.id, "out_of_turn_binds")  # nobody has bet since: the check stands
        may = "check or call" if option == "must_call" else "check, call or fold"
        return Refused(f"Seat {seat} acted out of turn: {may}; {again}", rule)
    if option == "must_call" and key is Key.FOLD:
        return Refused(f"Seat {seat} checked out of turn: it must call; {again}", by)
    return None


def _left_of(table: TableProjection, ruled: Ruled) -> tuple[str, str]:
    """What is left of a ruling, and by which rule, once somebody has bet, called or raised: a check that bound
    keeps the limit that its book has for one, and so does a call that may never become a raise (wfp.betting.7c).
    """
    policies = table.rulebook.policies
    limits = {"binds_check": policies.out_of_turn_check, "binds_call": policies.out_of_turn_call}
    limit = limits.get(ruled.option)
    if limit is None or not wagered_since(table, ruled):
        return ruled.option, ruled.rule
    return {"never_a_raise": "no_raise", "may_bind": ""}.get(limit.value, limit.value), limit.rule


def wagered_since(table: TableProjection, ruled: Ruled) -> bool:
    """Whether somebody has bet, called or raised since the ruling: it binds no more."""
    return any(isinstance(event, Acted) and event.action in _WAGERS for event in events_since(table, ruled))


def becomes_check(table: TableProjection, ruled: Ruled) -> bool:
    """Whether a bet that was ruled binding is a check after all: the player directly before has checked, and that
    one alone was passed over (home.betting.10)."""
    policy = table.rulebook.policies.out_of_turn_bet
    since = [event for event in events_since(table, ruled) if isinstance(event, Acted)]
    by_check = policy is not None and policy.value == "check_if_checked_before"
    return ruled.option == "binds_bet" and by_check and len(since) < 2 and _checked_before(table)


def _checked_before(table: TableProjection) -> bool:
    """Whether the player directly before the seat to act has checked."""
    acts = [logged.event for logged in table.hand_log if isinstance(logged.event, Acted)]
    return bool(acts) and acts[-1].action is Action.CHECK


def events_since(table: TableProjection, ruled: Ruled) -> list[AnyEvent]:
    events = [logged.event for logged in table.hand_log]
    return events[events.index(ruled) :]
