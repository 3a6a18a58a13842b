"""Compares observations with the hand: commands, facts and questions follow.

`observe` takes one accepted observation, `wake` the timers that are due. Both record every consequence in order in
a `UnitOfWork`; the tracker's own memory is `TrackerState`. The game never waits: a question can be answered later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from table_core.messages import (
    AnyObservation,
    CardLeftShoe,
    CardsLeftTogether,
    CardWentBack,
    DeviceChanged,
    Key,
    KeyPressed,
    Millis,
    Refused,
    ScreenTouched,
    Seat,
    ShoeChanged,
    Source,
    ZoneSeen,
)
from table_core.tracker import devices, waits
from table_core.tracker.asking import missed_keys, overdue
from table_core.tracker.asking.questions import Question, answer, asked
from table_core.tracker.camera import chips, disc, seat_cards, zones
from table_core.tracker.dealing import evidence, irregular, shoe
from table_core.tracker.dealing.board import ask_for_board, asked_board_came, lies_there_still, read_board
from table_core.tracker.dealing.deal import card_left, complete_deal, say_once
from table_core.tracker.hands import showdown, undo
from table_core.tracker.keys import betting, between_hands, called_clock, queued_keys, street_key
from table_core.tracker.keys.function_keys import take_press
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.timers import Check, Timer
from table_core.tracker.ruling import pending
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

MOST_ROUNDS = 1_000  # of what follows from one input: so many are a loop without end


def observe(unit: UnitOfWork, state: TrackerState, given: AnyObservation, now: Millis) -> None:
    """Take one observation and record everything that follows from it."""
    if isinstance(given, CardLeftShoe | CardsLeftTogether):
        state.at_new_hand = None
    press = None
    match given:
        case KeyPressed():
            press = _key(unit, state, given, now)
        case ScreenTouched() if _answers_another(unit, given):
            unit.record(Refused("That question is asked no more: look again, then press", "base.street"))
        case ScreenTouched():
            state.keypad.forget()
            press = Press(given.key, given.amount, given.seat, Source.SCREEN, given.reason)
        case CardLeftShoe():
            _card(unit, state, given, now)
        case CardsLeftTogether():
            shoe.left_together(unit, state, given)
        case CardWentBack():
            shoe.went_back(unit, state, given)
        case ShoeChanged():
            shoe.changed(unit, state, given)
        case ZoneSeen():
            zones.zone_seen(unit, state, given, now)
        case DeviceChanged():
            devices.device_changed(unit, state, given, now)
    if press is None:
        settle(unit, state, now)
    else:
        _pressed(unit, state, press, now)
    if unit.table.before_hand is None:
        state.at_new_hand = None


def _key(unit: UnitOfWork, state: TrackerState, given: KeyPressed, now: Millis) -> Press | None:
    if state.keypad.bounced(given, now):
        say_once(unit, state, "key_bounced", f"{given.key.name} came through twice; counted once")
        return None
    press = state.keypad.take(given.key)
    if press is None:
        queued_keys.key_down(state, now)
    return press


def _pressed(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """Carry a press out, or, where it is REDO, those that UNDO took back last."""
    if press.key is not Key.UNDO:
        state.redo.forget()
    again = press.key is Key.UNDO and press.number == 0
    meant = undo.redo(unit, state) if again else (press,)
    for one in meant:
        found = undo.before_press(unit, state, one.key)
        whole = state.found() if found is not None and found.key is Key.NEW_HAND else None
        if one.source is Source.KEY:
            queued_keys.key_down(state, now)
        take_press(unit, state, one, now)
        settle(unit, state, now)
        if found is not None and not undo.keep(unit, state, found, one, whole, now) and _is_refused(unit):
            state.presses.changed_nothing(one.key, unit.table.seq, now)
    if press.key is Key.UNDO:
        state.redo.said_until(unit.table.seq)


def _is_refused(unit: UnitOfWork) -> bool:
    """Whether this step has refused something."""
    of_this_step = unit.table.said_in[0] == unit.cause
    return of_this_step and any(isinstance(event, Refused) for event in unit.table.said)


def _card(unit: UnitOfWork, state: TrackerState, given: CardLeftShoe, now: Millis) -> None:
    begins = shoe.begins(unit, state, given, now)
    if unit.table.in_hand and (begins or not state.deal.handles):
        state.timers.start(Check.BLINDS, now + waits.BLINDS_MS)
    out = 0 if begins else len(state.deal.handles)
    state.deal.passes(now)
    if not begins:
        card_left(unit, state, given)
    evidence.passed(unit, state, given, out)
    irregular.card_came(unit, state, given, now)
    overdue.card_beyond_unread_street(unit, state)


def wake(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Carry out the checks that are due."""
    for timer in state.timers.fallen_due(state.look, now):
        if state.timers.stop(timer.check, timer.seat, timer.device):  # else an earlier timer has settled it
            _carry_out(unit, state, timer, now)
    pending.ask_next(unit, state)
    _follow_front(unit, state, now)


def _answers_another(unit: UnitOfWork, touch: ScreenTouched) -> bool:
    """Whether a touch answers another question than the one in front."""
    question = unit.table.question
    return touch.question is not None and (question is None or question.question != touch.question)


def _follow_front(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    question = unit.table.question
    state.presses.follow_front(0 if question is None else question.question, now)


def _carry_out(unit: UnitOfWork, state: TrackerState, timer: Timer, now: Millis) -> None:
    match timer.check, timer.seat:
        case Check.MISSING_KEYS, _:
            overdue.ask_for_missed_keys(unit, state, now)
        case Check.UNREAD_STREET, _:
            ask_for_board(unit, state)
        case Check.STREET_LIES, _:
            street_key.street_lies(unit, state)
        case Check.STREET_SAID, _:
            unit.record(Refused(street_key.not_out(unit, state), "base.street"))
        case Check.KEYS_END, _:
            queued_keys.no_more_keys(unit, state)
        case ((Check.EMPTY_SEAT | Check.DEAL_ENDS), _):
            settle(unit, state, now)
        case Check.DEAL_COUNT, _:
            irregular.check_deal(unit, state, now)
        case Check.BLINDS, _:
            chips.check_blinds(unit, state)
        case Check.DISC, _:
            disc.check_disc(unit, state)
        case (Check.CLOCK_WARNING | Check.CLOCK_UP) as check, _:
            called_clock.fell_due(unit, state, check, now)
        case Check.DEVICE_LOST, _:
            devices.say_lost(unit, state, timer.device)
        case Check.BET, int(seat):
            chips.check_chips(unit, state, Seat(seat))
        case Check.TABLED, int(seat):
            showdown.ask_for_hand(unit, state, Seat(seat))
        case Check.EXPOSED, int(seat):
            zones.say_exposed(unit, state, Seat(seat), now)


def wake_at(state: TrackerState) -> Millis | None:
    return state.timers.next_due(state.look)


def settle(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Carry out what became possible: each step that changes something starts the round again. Raise
    `RuntimeError` where that has no end: such an input is put aside, and the table goes on."""
    seat_cards.begin_with_the_deal(unit, state, now)
    for _ in range(MOST_ROUNDS):
        if not any(step.does(unit, state, now) for step in STEPS):
            break
    else:
        raise RuntimeError("what follows from this input has no end")
    for follows in FOLLOWING:
        follows.does(unit, state, now)


def _next_waiting(unit: UnitOfWork, state: TrackerState) -> bool:
    hand = unit.table.hand
    if not state.presses.waiting or hand is None or (hand.awaiting_board and not hand.ended):
        return False
    betting.act(unit, state, state.presses.take_waiting())
    return True


def _close_question(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Close a question whose answer is known by now."""
    hand, what = unit.table.hand, asked(unit)
    if hand is None or what is None:
        return
    hands_asked = showdown.asked_hands(unit)
    settled = {
        Question.BOARD_UNREAD: asked_board_came(unit),
        Question.MISSED_ACTIONS: hand.legal() is None,
        Question.MISSED_BEFORE: state.presses.proposed is None,
        Question.TABLED: set(hands_asked) <= set(hand.tabled),
        Question.AWARD: hand.ended,
        Question.PRESENT: what is Question.PRESENT and between_hands.it_goes_on(unit),
        Question.SPLIT: hand.ended or not state.showdown.splitting,
    }
    if settled.get(what, False):
        answer(unit, "Known by now: no answer needed", Source.ENGINE)
        state.presses.question_settled(now)


class SettleStep(NamedTuple):
    """`does` returns whether something changed; `why` is the reason for its position in the order."""

    does: Callable[[UnitOfWork, TrackerState, Millis], object]
    why: str


# Measured (decision 27): results depend on BOARD before HANDS, FOLD before MUCK, STREET before ACTIONS and CLOSED
# before RULING. The other reasons state the intended order.
STEPS = (
    SettleStep(lambda unit, state, now: read_board(unit, state), "BOARD: it decides which hands may be tabled"),
    SettleStep(
        lambda unit, state, now: lies_there_still(unit, state), "as BOARD, for a street that no camera reads again"
    ),
    SettleStep(
        lambda unit, state, now: missed_keys.street_came(unit, state),
        "a waiting STREET means that all acted, not one seat",
    ),
    SettleStep(seat_cards.fold_seen, "FOLD: cards went before the waiting press, which belongs to the next seat"),
    SettleStep(lambda unit, state, now: _next_waiting(unit, state), "betting comes before its showdown"),
    SettleStep(lambda unit, state, now: showdown.read_hands(unit, state), "HANDS: a face-up hand is not mucked"),
    SettleStep(seat_cards.muck_seen, "MUCK: the weakest evidence, since cards are lifted at a showdown"),
)
FOLLOWING = (
    SettleStep(lambda unit, state, now: complete_deal(unit, state), "ABSENT: it decides which seat is to act"),
    SettleStep(chips.check_closing_call, "before STREET forgets the chips"),
    SettleStep(chips.follow_street, "STREET: chips that lie there belong to earlier actions"),
    SettleStep(
        lambda unit, state, now: state.arrivals.follow(unit.table.hand_log, unit.table.seq, now),
        "ACTIONS: later chips belong to other actions",
    ),
    SettleStep(lambda unit, state, now: evidence.remember(unit, state), "any position will do"),
    SettleStep(lambda unit, state, now: irregular.order_of_board(unit, state), "any position will do"),
    SettleStep(lambda unit, state, now: betting.say_small_raise(unit, state), "any position will do"),
    SettleStep(lambda unit, state, now: betting.say_short_of_the_blind(unit, state), "any position will do"),
    SettleStep(lambda unit, state, now: showdown.say_odd_chip(unit, state), "any position will do"),
    SettleStep(lambda unit, state, now: showdown.say_absent_winner(unit, state), "any position will do"),
    SettleStep(disc.follow_hand, "any position will do"),
    SettleStep(_close_question, "CLOSED: close an answered question before a new one is asked"),
    SettleStep(lambda unit, state, now: overdue.draw_anew(unit, state), "after it was closed where it is settled"),
    SettleStep(
        lambda unit, state, now: pending.close_declared(unit, state), "before anything is asked in its place"
    ),
    SettleStep(called_clock.follow_turn, "a clock ends with its decision, before questions about it"),
    SettleStep(overdue.watch_for_missed_keys, "after the question about missed keys was closed"),
    SettleStep(overdue.watch_for_unread_board, "likewise"),
    SettleStep(lambda unit, state, now: pending.ask_next(unit, state), "RULING: it waits for all other questions"),
    SettleStep(_follow_front, "FRONT: keep the question in front and its time"),
)
