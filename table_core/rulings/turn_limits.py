"""Limits that a ruling out of turn put on a seat's next action: no raise, or only a call."""

from __future__ import annotations

from table_core.messages import Acted, Action, AnyEvent, Chips, Key, Refused, Ruled, Seat
from table_core.projections.table import TableProjection
from table_core.rulings.case import cited_here

_NO_RAISE = ("no_raise", "must_call", "check_if_checked")


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
    if ruled.option == "check_if_checked" and not _checked_before(table, ruled):
        return None
    again = "41 FLOOR to rule otherwise"
    if ruled.option in _NO_RAISE and raises:
        rule, hand = ruled.rule, table.hand
        if ruled.option == "must_call" and hand is not None and not max(hand.bets.values(), default=Chips(0)):
            rule = cited_here(table.rulebook.id, "out_of_turn_binds")  # nobody has bet since: the check stands
        may = "check or call" if ruled.option == "must_call" else "check, call or fold"
        return Refused(f"Seat {seat} acted out of turn: {may}; {again}", rule)
    if ruled.option == "must_call" and key is Key.FOLD:
        return Refused(f"Seat {seat} checked out of turn: it must call; {again}", ruled.rule)
    return None


def _checked_before(table: TableProjection, ruled: Ruled) -> bool:
    """Whether the player directly before the offender has checked since."""
    acts = [event for event in events_since(table, ruled) if isinstance(event, Acted)]
    return bool(acts) and acts[-1].action is Action.CHECK


def events_since(table: TableProjection, ruled: Ruled) -> list[AnyEvent]:
    events = [logged.event for logged in table.hand_log]
    return events[events.index(ruled) :]
