"""Betting keys: the seat that a press belongs to, and the action that it stands for."""

from __future__ import annotations

from collections.abc import Callable

from table_core.hand.hand import Hand
from table_core.messages import (
    MOST_CHIPS,
    Act,
    Acted,
    ActedOutOfTurn,
    Action,
    Chips,
    Counted,
    Key,
    Legal,
    Noticed,
    Refused,
    Seat,
    Street,
)
from table_core.parameters import ShortAllIn
from table_core.projections.words import chips
from table_core.rulebook import BASE, load_rulebook
from table_core.rulings.keyed_as_folded import fold_on_record
from table_core.tracker.dealing.deal import say_once
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_WAGERS = (Action.BET, Action.RAISE)
KEYS = frozenset({Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.ALL_IN})


def act(
    unit: UnitOfWork, state: TrackerState, press: Press, refuse: Callable[[Refused], None] | None = None
) -> bool:
    """Apply a betting key to the seat to act; whether it was taken. Refusals go to `refuse`, or are recorded."""
    refuse = refuse or unit.record
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None:
        about = "No bet is open" if press.named_seat is None else f"Seat {press.named_seat} cannot act"
        refuse(Refused(f"{about}: nobody is to act{_folded(unit, press.named_seat)}", "base.action"))
        return False
    seat = press.named_seat or legal.seat
    if seat != legal.seat:
        refuse(Refused(_not_its_turn(unit, seat, legal.seat), "base.action"))
        unit.record(Noticed("out_of_turn_press", f"Key for seat {seat}; seat {legal.seat} is to act", seat))
        early = _acted_out_of_turn(hand, press, seat)
        if early is not None:
            unit.record(early)
        return False
    command = meaning(press, legal, bet_open=any(hand.bets.values()))
    if command is None:
        refuse(Refused("Type the amount first, then BET/RAISE", "base.action"))
        return False
    if press.counted is not None:
        return _all_in_as_counted(unit, state, command, press.counted, refuse)
    most = legal.max_to
    if press.key is Key.BET_RAISE and most is not None and command.to is not None and command.to > most:
        words = f"Seat {seat} has {chips(most)} by the books: ALL-IN, or {command.to} ALL-IN if it was counted"
        refuse(Refused(words, unit.table.rulebook.cites.all_in))
        return False
    refusal = unit.push(command)
    if refusal is not None:
        refuse(Refused(refusal.reason, refusal.rule))
        state.rulings.bet_was_refused(seat, press.number if press.key is Key.BET_RAISE else None)
    return refusal is None


def _not_its_turn(unit: UnitOfWork, seat: Seat, to_act: Seat) -> str:
    """Why the key is refused. Of a seat that is in the hand it is kept beside the record: the player may have
    acted before its turn."""
    if fold_on_record(unit.table, seat):
        did = f"Seat {seat} has folded. Seat {to_act} is to act. Nothing entered"
        return f"{did}. Not folded? {seat} SEAT 59 FLOOR"
    return f"Seat {seat} pressed, but seat {to_act} is to act"


def _folded(unit: UnitOfWork, seat: Seat | None) -> str:
    """That the seat has a fold on record, and what puts it right."""
    return f"; seat {seat} is keyed as folded: {seat} SEAT 59 FLOOR" if fold_on_record(unit.table, seat) else ""


def _all_in_as_counted(
    unit: UnitOfWork, state: TrackerState, act: Act, counted: int, refuse: Callable[[Refused], None]
) -> bool:
    """What the table counted is so, whatever arithmetic says: `counted` is all in front of the seat. A count far
    off is said twice: it may be a raise, or a number that was left over."""
    hand = unit.table.hand
    assert hand is not None
    own, stack = hand.bets[act.seat], hand.stacks[act.seat]
    if not own < counted <= MOST_CHIPS:
        refuse(Refused(f"Seat {act.seat} has {chips(own)} in front already", "base.action"))
        return False
    far_off = 2 * (counted - own) < stack or counted - own > 2 * stack
    if far_off and state.presses.doubts(counted):
        books = f"Seat {act.seat} has {chips(stack)} by the books"
        words = f"{books}. All-in for {chips(counted)}? Once more, or STREET; a raise: BET/RAISE"
        refuse(Refused(words, "base.action"))
        return False
    if counted - own != stack:
        unit.record(Counted(act.seat, Chips(counted - own), stack, act.source))
    refusal = unit.push(act)
    if refusal is not None:
        refuse(Refused(refusal.reason, refusal.rule))
    return refusal is None


def meaning(press: Press, legal: Legal, *, bet_open: bool) -> Act | None:
    """The action that a betting key stands for, given what is legal; None when its amount is missing."""
    seat, source = legal.seat, press.source
    if press.key is Key.FOLD:
        return Act(seat, Action.FOLD, source=source)
    if press.key is Key.CHECK_CALL:
        return Act(seat, Action.CHECK if legal.can_check else Action.CALL, source=source)
    raising = Action.RAISE if bet_open else Action.BET
    if press.key is Key.ALL_IN:
        return Act(seat, raising, None, source)
    if press.number is None:
        return None
    return Act(seat, raising, Chips(press.number), source)


def say_small_raise(unit: UnitOfWork, state: TrackerState) -> None:
    """Where the book names no least raise, say that the last bet or raise was less than is usual: a person may
    rule otherwise."""
    hand, log = unit.table.hand, unit.table.hand_log
    if hand is None or not hand.state.any_raise or not log or not isinstance(log[-1].event, Acted):
        return
    act = log[-1].event
    before = max((bet for seat, bet in hand.bets.items() if seat != act.seat), default=Chips(0))
    usual = Chips(hand.state.last_raise)
    if act.action not in _WAGERS or act.all_in or act.to - before >= usual:
        return
    text = (
        f"Seat {act.seat}: {chips(act.to - before)} more, and usual practice is {chips(usual)} more at least; "
        "your book names no least raise"
    )
    rule = load_rulebook(BASE).rules.min_raise.rule
    say_once(unit, state, "small_raise", text, act.seat, detail=str(log[-1].seq), rule=rule)


def say_short_of_the_blind(unit: UnitOfWork, state: TrackerState) -> None:
    """An all-in over the blinds alone that is less than the big blind and no less than the least bet: one sentence
    closes the betting to who has called, the book's example does not (home.betting.14)."""
    hand, log, rules = unit.table.hand, unit.table.hand_log, unit.table.rulebook.rules
    if hand is None or not log or not isinstance(log[-1].event, Acted) or hand.street is not Street.PREFLOP:
        return
    act, blind = log[-1].event, hand.level.big_blind
    first = act.all_in and act.action is Action.RAISE and hand.state.raises == 2
    more, least = act.to - blind, hand.state.minimum_bet(Street.PREFLOP)
    if rules.short_all_in.value is not ShortAllIn.LAST_BET or not first or not least <= more < blind:
        return
    text = (
        f"Seat {act.seat}: {chips(more)} more is less than the blind. By the book's words who has called may not "
        "raise it, by its example they may"
    )
    say_once(unit, state, "short_all_in", text, act.seat, rule=rules.short_all_in.rule)


def _acted_out_of_turn(hand: Hand, press: Press, seat: Seat) -> ActedOutOfTurn | None:
    """What the key says that the player did before its turn; None where its turn cannot come."""
    if seat not in hand.live_seats or seat in hand.all_in:
        return None
    passes = Action.CALL if hand.to_call(seat) else Action.CHECK
    wagers = Action.RAISE if hand.high else Action.BET
    action = {Key.FOLD: Action.FOLD, Key.CHECK_CALL: passes}.get(press.key, wagers)
    to = press.number
    if press.key is Key.ALL_IN:
        to = press.counted or hand.bets[seat] + hand.stacks[seat]
        action = wagers if to > hand.high else passes
    return ActedOutOfTurn(seat, action, None if to is None or action is not wagers else Chips(to), press.source)
