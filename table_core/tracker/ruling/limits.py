"""Limits that a ruling put on a seat's next action: no raise, only a call, or a binding action."""

from __future__ import annotations

from table_core.messages import Act, Acted, Action, AnyEvent, Chips, Key, Refused, Ruled, Seat, Source
from table_core.rulings.case import cited_here
from table_core.tracker.unit_of_work import UnitOfWork

_NO_RAISE = ("no_raise", "must_call", "check_if_checked")


def limit_on(unit: UnitOfWork, seat: Seat) -> Ruled | None:
    """The ruling that limits the seat at this turn: made in this hand, and the seat has not acted since."""
    for logged in reversed(unit.table.hand_log):
        event = logged.event
        if isinstance(event, Acted) and event.seat == seat:
            return None
        if isinstance(event, Ruled) and event.incident == "out_of_turn" and event.seat == seat:
            return event
    return None


def refused_by_limit(unit: UnitOfWork, seat: Seat, key: Key) -> Refused | None:
    """Why the limit forbids this key, None when it does not."""
    ruled = limit_on(unit, seat)
    if ruled is None or ruled.option == "warning":
        return None
    raises = key in (Key.BET_RAISE, Key.ALL_IN)
    if ruled.option == "check_if_checked" and not _checked_before(unit, ruled):
        return None
    if ruled.option in _NO_RAISE and raises:
        rule = ruled.rule
        hand = unit.table.hand
        if ruled.option == "must_call" and hand is not None and not max(hand.bets.values(), default=Chips(0)):
            rule = cited_here(
                unit.table.rulebook.id, "out_of_turn_binds"
            )  # nobody has bet since: the check stands
        return Refused(f"Seat {seat} acted out of turn: check, call or fold", rule)
    if ruled.option == "must_call" and key is Key.FOLD:
        return Refused(f"Seat {seat} checked out of turn: it must call", ruled.rule)
    return None


def carry_out_bound(unit: UnitOfWork) -> bool:
    """Make an out-of-turn action that was ruled binding when its turn comes, unless somebody bet or called in
    between; whether it was."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    ruled = limit_on(unit, legal.seat) if legal is not None else None
    if hand is None or legal is None or ruled is None or not ruled.option.startswith("binds_"):
        return False
    if _bet_since(unit, ruled):
        return False
    high = max(hand.bets.values(), default=Chips(0))
    if ruled.option == "binds_bet" and ruled.amount is None:
        return False  # the amount is unknown: the dealer keys it
    if ruled.option == "binds_call":
        return (
            unit.push(Act(legal.seat, Action.CALL if legal.call else Action.CHECK, source=Source.DIRECTOR)) is None
        )
    action = Action.RAISE if high else Action.BET
    return unit.push(Act(legal.seat, action, ruled.amount, Source.DIRECTOR)) is None


def _checked_before(unit: UnitOfWork, ruled: Ruled) -> bool:
    """Whether the player directly before the offender has checked since."""
    acts = [event for event in _events_since(unit, ruled) if isinstance(event, Acted)]
    return bool(acts) and acts[-1].action is Action.CHECK


def _events_since(unit: UnitOfWork, ruled: Ruled) -> list[AnyEvent]:
    events = [logged.event for logged in unit.table.hand_log]
    return events[events.index(ruled) :]


def _bet_since(unit: UnitOfWork, ruled: Ruled) -> bool:
    wagers = (Action.BET, Action.RAISE, Action.CALL)
    return any(isinstance(event, Acted) and event.action in wagers for event in _events_since(unit, ruled))
