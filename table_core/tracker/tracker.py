"""Observations against what the hand expects next: commands, facts, questions.

`observe` takes one accepted observation, `wake` what fell due. Both work at a `Desk`, which records every
consequence in order; the tracker's own memory is `TrackerState`. The game never waits: every question can be
answered later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from table_core.messages import (
    AnyObservation,
    CardLeftShoe,
    DeviceChanged,
    KeyPressed,
    Millis,
    Refused,
    ScreenTouched,
    Seat,
    Source,
    ZoneSeen,
)
from table_core.tracker import (
    betting,
    called_clock,
    chips,
    devices,
    disc,
    evidence,
    irregular,
    limits,
    missed,
    queued_keys,
    ruling,
    seen,
    showdown,
    waits,
    watching,
    zones,
)
from table_core.tracker.board import ask_for_board, read_board
from table_core.tracker.deal import card_left, say_once
from table_core.tracker.desk import Desk
from table_core.tracker.function_keys import take_press
from table_core.tracker.memory.keypad import Press
from table_core.tracker.memory.timers import Check, Timer
from table_core.tracker.questions import Question, answer, asked
from table_core.tracker.state import TrackerState


def observe(desk: Desk, state: TrackerState, given: AnyObservation, now: Millis) -> None:
    """Take one observation and record everything that follows from it."""
    match given:
        case KeyPressed():
            _key(desk, state, given, now)
        case ScreenTouched():
            take_press(desk, state, Press(given.key, given.amount, given.seat, Source.SCREEN, given.reason), now)
        case CardLeftShoe():
            if not state.deal.handles and desk.table.in_hand:
                state.timers.start(Check.BLINDS, now + waits.BLINDS_MS)
            out = len(state.deal.handles)
            card_left(desk, state, given)
            evidence.passed(desk, state, given, out)
            irregular.card_came(desk, state, given, now)
            watching.card_beyond_unread_street(desk, state)
        case ZoneSeen():
            zones.zone_seen(desk, state, given, now)
        case DeviceChanged():
            devices.device_changed(desk, state, given, now)
    settle(desk, state, now)


def _key(desk: Desk, state: TrackerState, given: KeyPressed, now: Millis) -> None:
    if state.keypad.bounced(given):
        say_once(desk, state, "key_bounced", f"{given.key.name} came through twice; counted once")
        return
    queued_keys.key_down(state, now)
    press = state.keypad.take(given.key)
    if press is not None:
        take_press(desk, state, press, now)


def wake(desk: Desk, state: TrackerState, now: Millis) -> None:
    """Carry out the checks that fell due."""
    for timer in state.timers.fallen_due(now):
        if state.timers.stop(timer.check, timer.seat, timer.device):  # else an earlier one has settled it
            _carry_out(desk, state, timer, now)
    ruling.ask_next(desk, state)


def _carry_out(desk: Desk, state: TrackerState, timer: Timer, now: Millis) -> None:
    match timer.check, timer.seat:
        case Check.MISSING_KEYS, _:
            watching.ask_for_missed_keys(desk, state, now)
        case Check.UNREAD_STREET, _:
            ask_for_board(desk, state)
        case Check.STREET_SAID, _:
            desk.record(Refused("Nothing to confirm", "base.street"))
        case Check.KEYS_END, _:
            queued_keys.no_more_keys(desk, state)
        case ((Check.EMPTY_SEAT | Check.DEAL_ENDS), _):
            settle(desk, state, now)
        case Check.DEAL_COUNT, _:
            irregular.check_deal(desk, state, now)
        case Check.BLINDS, _:
            chips.check_blinds(desk, state)
        case Check.DISC, _:
            disc.check_disc(desk, state)
        case (Check.CLOCK_WARNING | Check.CLOCK_UP) as check, _:
            called_clock.fell_due(desk, state, check, now)
        case Check.DEVICE_LOST, _:
            devices.say_lost(desk, state, timer.device)
        case Check.BET, int(seat):
            chips.check_chips(desk, state, Seat(seat))
        case Check.TABLED, int(seat):
            showdown.ask_for_hand(desk, state, Seat(seat))
        case Check.EXPOSED, int(seat):
            zones.say_exposed(desk, state, Seat(seat), now)


def wake_at(state: TrackerState) -> Millis | None:
    return state.timers.next_due()


def settle(desk: Desk, state: TrackerState, now: Millis) -> None:
    """Whatever became possible: each step that changes something begins the round anew."""
    seen.begin_with_the_deal(desk, state, now)
    while any(step.does(desk, state, now) for step in STEPS):
        pass
    for follows in FOLLOWING:
        follows.does(desk, state, now)


def _next_waiting(desk: Desk, state: TrackerState) -> bool:
    hand = desk.table.hand
    if not state.presses.waiting or hand is None or (hand.awaiting_board and not hand.ended):
        return False
    betting.act(desk, state, state.presses.take_waiting())
    return True


def _close_question(desk: Desk, state: TrackerState, now: Millis) -> None:
    """A question that answered itself disappears."""
    hand, what = desk.table.hand, asked(desk)
    if hand is None or what is None:
        return
    hands_asked = showdown.asked_hands(desk)
    settled = {
        Question.BOARD_UNREAD: not hand.awaiting_board,
        Question.MISSED_ACTIONS: hand.legal() is None,
        Question.MISSED_BEFORE: state.presses.proposed is None,
        Question.TABLED: set(hands_asked) <= set(hand.tabled),
        Question.AWARD: hand.ended,
    }
    if settled.get(what, False):
        answer(desk, "Settled by itself", Source.ENGINE)
        state.presses.question_settled(now)


class Step(NamedTuple):
    """`does` whether something changed; `why` it has its place in the order."""

    does: Callable[[Desk, TrackerState, Millis], object]
    why: str


STEPS = (
    Step(
        lambda desk, state, now: read_board(desk, state),
        "cards that lie there are facts, and every press behind them is about the street that they make",
    ),
    Step(
        lambda desk, state, now: limits.carry_out_bound(desk),
        "a ruling stands above what is seen or pressed of the seat that it binds",
    ),
    Step(
        lambda desk, state, now: missed.street_came(desk, state),
        "STREET said that all acted; one fold read alone would leave the others to be asked for",
    ),
    Step(
        seen.fold_seen,
        "cards went before the presses that wait were carried out; the press is for the next seat",
    ),
    Step(
        lambda desk, state, now: _next_waiting(desk, state),
        "betting comes before the showdown that it leads to",
    ),
    Step(
        lambda desk, state, now: showdown.read_hands(desk, state),
        "hands that lie open are tabled before the gone ones of others count as mucked",
    ),
    Step(seen.muck_seen, "the weakest evidence: cards are lifted at a showdown"),
)
FOLLOWING = (
    Step(chips.follow_street, "a new street first: chips that lie there are not of its actions"),
    Step(
        lambda desk, state, now: state.arrivals.follow(desk.table.hand_log, desk.table.seq, now),
        "then the actions: chips that come from now on are of others",
    ),
    Step(lambda desk, state, now: evidence.remember(desk, state), "any place will do"),
    Step(lambda desk, state, now: irregular.order_of_board(desk, state), "any place will do"),
    Step(disc.follow_hand, "any place will do"),
    Step(_close_question, "before anything is asked: one question at a time"),
    Step(called_clock.follow_turn, "before a ruling is asked for: a clock ends with its decision"),
    Step(watching.watch_for_missed_keys, "with the question closed that may have been about them"),
    Step(watching.watch_for_unread_board, "likewise"),
    Step(
        lambda desk, state, now: ruling.ask_next(desk, state), "last: a ruling waits while anything else is asked"
    ),
)
