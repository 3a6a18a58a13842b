"""Make an action out of turn that was ruled binding, when its turn comes."""

from __future__ import annotations

from table_core.messages import Act, Action, Chips, Source
from table_core.rulings.turn_limits import becomes_check, limit_on, wagered_since
from table_core.tracker.unit_of_work import UnitOfWork


def carry_out_bound(unit: UnitOfWork) -> bool:
    """Make an out-of-turn action that was ruled binding when its turn comes, unless somebody bet or called in
    between; whether it was."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    ruled = limit_on(unit.table, legal.seat) if legal is not None else None
    if hand is None or legal is None or ruled is None or not ruled.option.startswith("binds_"):
        return False
    if wagered_since(unit.table, ruled):
        return False
    high = max(hand.bets.values(), default=Chips(0))
    if ruled.option in ("binds_call", "binds_check") or becomes_check(unit.table, ruled):
        action = Action.CALL if legal.call else Action.CHECK
        return unit.push(Act(legal.seat, action, source=Source.DIRECTOR)) is None
    if ruled.amount is None:
        return False  # it is unknown: the dealer keys it
    action = Action.RAISE if high else Action.BET
    return unit.push(Act(legal.seat, action, ruled.amount, Source.DIRECTOR)) is None
