"""STREET: yes to the question on the screen; without one, the street is out, or the chips say what to do."""

from __future__ import annotations

from table_core.messages import DeviceState, Millis, Refused
from table_core.tracker import action_on, called_clock, chips, hands, missed, ruling, showdown
from table_core.tracker.board import board_is_out, confirm_street, deal_unknown, read_board, without_devices
from table_core.tracker.deal import next_street
from table_core.tracker.desk import Desk
from table_core.tracker.evidence import keyed_too_early, never_came
from table_core.tracker.memory.keypad import Press
from table_core.tracker.questions import Question, answer, asked
from table_core.tracker.state import TrackerState


def street_pressed(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    """STREET: yes to the question on the screen; without one, the street is out, or the chips say what to do."""
    if action_on.is_said(desk, press):
        action_on.say(desk, state, press, now)
        return
    match asked(desk):
        case Question.RULING:
            _rule(desk, state, press, now)
        case Question.RESULT_ONLY:
            hands.enter_result(desk, state, press.source)
        case Question.TABLED:
            showdown.confirm_hands(desk, state)
        case Question.MISSED_BEFORE:
            missed.take_proposal(desk, state, press)
        case Question.MISSED_ACTIONS:
            answer(desk, "All checked or called", press.source)
            missed.fill_in(desk, state)
        case _ if desk.table.question is not None:
            answer(desk, "Confirmed", press.source)
            _confirm(desk, state)
        case _:
            _unasked(desk, state, now)


def _unasked(desk: Desk, state: TrackerState, now: Millis) -> None:
    if state.presses.just_settled(now):
        return  # yes to what the devices have answered meanwhile
    if missed.street_over(desk, state, now):
        missed.fill_in(desk, state)
    elif not board_is_out(desk, state) and chips.take_prediction(desk, state):
        return
    elif missed.river_over(desk, state, now):
        missed.fill_in(desk, state)
    elif board_is_out(desk, state):
        _confirm(desk, state)
    else:
        _too_early(desk, state, now)


def _too_early(desk: Desk, state: TrackerState, now: Millis) -> None:
    """No device has seen the street yet."""
    keyed_too_early(desk, state)
    if without_devices(desk) and deal_unknown(desk, state):
        return
    if _said_again(desk, state, now) and deal_unknown(desk, state):
        return
    if desk.table.hand is not None and desk.table.hand.legal() is not None:
        never_came(desk, state)
    if not missed.street_said(desk, state, now):
        desk.record(Refused("Nothing to confirm", "base.street"))


def _confirm(desk: Desk, state: TrackerState) -> None:
    """The street's cards lie face up."""
    if not read_board(desk, state) and not confirm_street(desk, state):
        desk.record(Refused("Nothing to confirm", "base.street"))


def _said_again(desk: Desk, state: TrackerState, now: Millis) -> bool:
    """STREET was refused, for by count the street is not out, and comes again with nothing new: where no camera
    looks the cards lie there, and the count is off."""
    hand = desk.table.hand
    street = next_street(hand) if hand is not None and hand.awaiting_board else None
    if street is None or desk.table.devices.get("camera") is DeviceState.OK:
        return False
    if not state.witness.refused_before(street, now):
        return False
    never_came(desk, state)
    return True


def _rule(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    ruled_before = len(desk.table.rulings())
    ruling.answer(desk, state, press, now)
    rulings = desk.table.rulings()
    last = rulings[-1] if len(rulings) > ruled_before else None
    if last is not None and (last.matter, last.way) == ("clock", "start") and last.seat is not None:
        called_clock.start(desk, state, last.seat, now)
