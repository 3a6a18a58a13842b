"""What a seat owes at its next turn by a ruling on an act out of turn, for each option of that ruling."""

from __future__ import annotations

from table_core.hand.hand import Hand
from table_core.messages import Action, Chips, Duty, Owes, Seat
from table_core.parameters import Rule
from table_core.projections.table_state import TableState
from table_core.record.course import last_waiting, on_this_street
from table_core.rulings.cites import cited_here

_LIMITS = {"no_raise": Owes.NO_RAISE, "never_a_raise": Owes.NO_RAISE, "must_call": Owes.MUST_CALL}


def held_to(option: str, rule: str, table: TableState, seat: Seat, to: int | None) -> tuple[Duty, ...]:
    """What an act binds the seat to ends when somebody bets, calls or raises; a limit that the book has for who
    checked or called is left then. `to` is how much was bet; without it a bet binds to nothing."""
    hand, policies = table.hand, table.rulebook.policies
    assert hand is not None
    match option:
        case "no_raise":
            return (Duty(Owes.NO_RAISE, rule),)
        case "must_call":
            # While nobody has bet, it is the act itself that binds.
            binds = Duty(Owes.MUST_CALL, cited_here(table.rulebook.id, "out_of_turn_binds"), until_wager=True)
            return (*(() if hand.to_call(seat) else (binds,)), Duty(Owes.MUST_CALL, rule))
        case "check_if_checked" if hand.to_act == seat:
            return (Duty(Owes.NO_RAISE, rule),) if behind_a_check(table, seat) else ()
        case "check_if_checked":
            return (Duty(Owes.NO_RAISE, rule, behind_check=True),)
        case "binds_check":
            return (Duty(Owes.CALL, rule, until_wager=True), *_left(policies.out_of_turn_check))
        case "binds_call":
            return (Duty(Owes.CALL, rule, until_wager=True), *_left(policies.out_of_turn_call))
        case "binds_bet" if to is not None:
            bets, policy = Duty(Owes.BET, rule, Chips(to), until_wager=True), policies.out_of_turn_bet
            if policy is None or policy.value != "check_if_checked_before" or not passed_over_one(table, seat):
                return (bets,)
            if hand.to_act == seat:
                return (Duty(Owes.CALL, policy.rule),) if behind_a_check(table, seat) else (bets,)
            return (Duty(Owes.CALL, policy.rule, until_wager=True, behind_check=True), bets)
    return ()


def _left(limit: Rule[str] | None) -> tuple[Duty, ...]:
    owes = None if limit is None else _LIMITS.get(limit.value)
    return () if limit is None or owes is None else (Duty(owes, limit.rule),)


def behind_a_check(table: TableState, seat: Seat) -> bool:
    """Whether the turn has come to the seat with a check of the player directly before."""
    did = [one for one in on_this_street(table.hand_log) if one.in_turn]
    return table.hand is not None and table.hand.to_act == seat and bool(did) and did[-1].action is Action.CHECK


def passed_over_one(table: TableState, seat: Seat) -> bool:
    """Whether the seat acted when the turn was with the player directly before it."""
    hand, early = table.hand, last_waiting(table.hand_log, seat)
    assert hand is not None
    if hand.to_act != seat:
        return _is_next(hand, seat)
    did = on_this_street(table.hand_log)
    return early is None or sum(one.in_turn and one.seq > early.seq for one in did) == 1


def _is_next(hand: Hand, seat: Seat) -> bool:
    live = hand.live_seats
    if hand.to_act not in live or seat not in live:
        return False
    return live[(live.index(hand.to_act) + 1) % len(live)] == seat
