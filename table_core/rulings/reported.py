"""What the table did against the advice: recorded with the rule that it breaks, and play goes on from there."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.hand.dealing import NEXT_STREET
from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    Act,
    Action,
    AwardPots,
    ChangeLevel,
    Chips,
    DealBoard,
    Refusal,
    Report,
    Source,
    Street,
)
from table_core.projections.words import chips
from table_core.record.course import Did
from table_core.rulings.case import Case, Option, Push
from table_core.rulings.register import Group, incident


def _nothing(case: Case) -> str:
    """Why there is nothing to report of the seat, or of the table."""
    if case.seat is None:
        return "" if [*_levels(case), *_streets(case)] else "say which seat: its number, SEAT, 75 FLOOR"
    if case.the_seat not in case.hand.seats:
        return f"seat {case.seat} was not dealt in"
    acts = case.early is not None or case.is_to_act(case.the_seat)
    return "" if acts or case.hand.street is Street.SHOWDOWN else f"no key for seat {case.seat} was refused"


@incident("table_did", 75, "The table did it all the same", Group.CHIPS, unfit=_nothing)
def table_did(case: Case) -> Iterator[Option]:
    """An action out of turn that was accepted, a bet or raise that was refused and stood, a pot that was pushed to
    a hand that could not win it; without a seat, a level that was not due or a street before its time. What the
    book allows has keys of its own."""
    if case.seat is None:
        yield from _streets(case)
        yield from _levels(case)
    elif case.hand.street is Street.SHOWDOWN:
        yield from _pushed(case)
    elif case.is_to_act(case.the_seat):
        yield from _stood(case)
    elif case.early is not None:
        yield from _accepted(case, case.early)


def _levels(case: Case) -> Iterator[Option]:
    """Another level of the schedule was played. Before anybody acts its blinds and antes are posted instead; later
    it is recorded, and the stacks are counted behind the hand."""
    hand, rule = case.hand, case.rule("level_applies_from")
    known = {level.no: level for level in (*case.table.schedule, case.table.next_level) if level is not None}
    for level in sorted(known.values(), key=lambda one: (abs(one.no - hand.level.no), -one.no)):
        if level.is_break or level == hand.level or abs(level.no - hand.level.no) > 1:
            continue
        blinds = f"{level.small_blind:,}/{level.big_blind:,}"
        change = ChangeLevel(level, Source.DIRECTOR)
        if case.table.acts() or isinstance(hand.decide(change), Refusal):
            text = f"Level {level.no}, {blinds}, was posted: recorded; count the stacks behind the hand"
            yield Option(f"level_{level.no}", text, rule, (Push(Report(change)),))
        else:
            text = f"Level {level.no}, {blinds}, was posted: the hand is played at it"
            yield Option(f"level_{level.no}", text, rule, (Push(change),))


def _streets(case: Case) -> Iterator[Option]:
    """The next street came before the betting was over, and it stood."""
    hand = case.hand
    street = NEXT_STREET.get(hand.street)
    if hand.legal() is None or street is None:
        return
    due, lie = 3 if street is Street.FLOP else 1, case.seen_board[len(hand.board) :]
    cards = lie if len(lie) == due else (UNKNOWN_CARD,) * due
    owing = [(one, hand.to_call(one)) for one in hand.live_seats if one not in hand.all_in and hand.to_call(one)]
    missing = [f"seat {one}: {chips(owed)} not put in" for one, owed in owing]
    words = "; ".join([f"The {street} stood before the betting was over", *missing])
    deal = DealBoard(cards, (Source.DIRECTOR,))
    yield Option("street_stood", words, case.book.cites.premature_board, (Push(Report(deal)),))


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


def _accepted(case: Case, early: Did) -> Iterator[Option]:
    """The seat acted before its turn, and the table went on from it."""
    action, amount = early.action, case.amount or early.to
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
    """The seat to act bet or raised what was refused, or folded what it was bound to call."""
    high = case.hand.high
    action = Action.RAISE if high else Action.BET
    fold = Act(case.the_seat, Action.FOLD, source=Source.DIRECTOR)
    owed = _refused(case.hand, fold)
    if owed is not None and case.amount is None:
        text = f"Seat {case.seat}: the fold stood, it puts nothing in"
        yield Option("fold_stood", text, owed.rule, (Push(Report(fold)),))
    if case.amount is None:
        rule = case.rule("min_raise")
        yield Option(
            "stood",
            f"Seat {case.seat}: its {action} was refused, and stood",
            rule,
            asks="To how much? Amount, COUNT",
        )
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
