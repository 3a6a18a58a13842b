"""Make an action out of turn that was ruled binding, when its turn comes."""

from __future__ import annotations

from table_core.messages import Act, Acted, Action, Chips, Ruled, Source
from table_core.rulings.turn_limits import events_since, limit_on
from table_core.tracker.unit_of_work import UnitOfWork


def carry_out_bound(unit: UnitOfWork) -> bool:
    """Make an out-of-turn action that was ruled binding when its turn comes, unless somebody bet or called in
    between; whether it was."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    ruled = limit_on(unit.table, legal.seat) if legal is not None else None
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


def _bet_since(unit: UnitOfWork, ruled: Ruled) -> bool:
    wagers = (Action.BET, Action.RAISE, Action.CALL)
    return any(isinstance(event, Acted) and event.action in wagers for event in events_since(unit.table, ruled))
