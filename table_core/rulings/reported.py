"""What the table did against the advice: recorded with the rule that it breaks, and play goes on from there."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.hand.hand import Hand
from table_core.messages import Act, Action, AwardPots, Chips, Refusal, Report, Source, Street
from table_core.projections.words import chips
from table_core.rulings.case import Case, Option, Push
from table_core.rulings.register import Group, incident


def _nothing(case: Case) -> str:
    """Why there is nothing to report of the seat."""
    if case.the_seat not in case.hand.seats:
        return f"seat {case.seat} was not dealt in"
    acts = bool(case.pressed) or case.is_to_act(case.the_seat)
    return "" if acts or case.hand.street is Street.SHOWDOWN else f"no key for seat {case.seat} was refused"


@incident("table_did", 75, "The table did it all the same", Group.CHIPS, needs_seat=True, unfit=_nothing)
def table_did(case: Case) -> Iterator[Option]:
    """An action out of turn that was accepted, a bet or raise that was refused and stood, a pot that was pushed to
    a hand that could not win it. What the book allows has keys of its own."""
    if case.hand.street is Street.SHOWDOWN:
        yield from _pushed(case)
    elif case.pressed:
        yield from _accepted(case)
    elif case.is_to_act(case.the_seat):
        yield from _stood(case)


def _pushed(case: Case) -> Iterator[Option]:
    """The pot went to the seat, whoever could have won it."""
    if case.the_seat in case.hand.live_seats:
        text = f"Seat {case.seat} can win it: {case.seat} AWARD"
        yield Option("key_it", text, case.book.cites.pot_award)
        return
    command = AwardPots((case.the_seat,), Source.DIRECTOR)
    pot = sum(pot.amount for pot in case.hand.pots)
    text = f"The pot of {chips(pot)} was pushed to seat {case.seat}, whose hand is dead"
    yield Option("pushed", text, case.book.cites.dead_hand, (Push(Report(command)),))


def _accepted(case: Case) -> Iterator[Option]:
    """The seat acted before its turn, and the table went on from it."""
    high = max(case.hand.bets.values(), default=Chips(0))
    action = (Action.RAISE if high else Action.BET) if case.pressed == "bet" else Action(case.pressed)
    amount = case.amount or case.pressed_amount
    rule = case.book.cites.action_in_turn
    if action in (Action.BET, Action.RAISE) and amount is None:
        text = f"Seat {case.seat}: {action} before its turn stood"
        yield Option("accepted", text, rule, asks="How much was it? Amount, COUNT")
        return
    to = Chips(amount or 0) if action in (Action.BET, Action.RAISE) else None
    act = Act(case.the_seat, action, to, Source.DIRECTOR)
    text = f"Seat {case.seat}, {_words(act)} before its turn: the table went on from it"
    yield Option("accepted", text, rule, (Push(Report(act)),))


def _stood(case: Case) -> Iterator[Option]:
    """The seat to act bet or raised what was refused."""
    high = max(case.hand.bets.values(), default=Chips(0))
    action = Action.RAISE if high else Action.BET
    if case.amount is None:
        rule = case.rule("min_raise")
        yield Option("stood", f"Seat {case.seat}: {action} that stood", rule, asks="To how much? Amount, COUNT")
        return
    act = Act(case.the_seat, action, Chips(case.amount), Source.DIRECTOR)
    refused, most = _refused(case.hand, act), case.hand.bets[case.the_seat] + case.hand.stacks[case.the_seat]
    if refused is None or not high < case.amount <= most:
        yield Option("key_it", f"Seat {case.seat}, {_words(act)}: key it", case.rule("min_raise"))
        return
    text = f"Seat {case.seat}, {_words(act)}: the table let it stand"
    yield Option("stood", text, refused.rule, (Push(Report(act)),))


def _refused(hand: Hand, act: Act) -> Refusal | None:
    answer = hand.decide(act)
    return answer if isinstance(answer, Refusal) else None


def _words(act: Act) -> str:
    if act.to is None:
        return str(act.action)
    return f"{act.action}{' to' if act.action is Action.RAISE else ''} {chips(act.to)}"
