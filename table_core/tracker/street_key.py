"""STREET: yes to the question on the screen; without one, the street is out, or the chips say what to do."""

from __future__ import annotations

from table_core.messages import Answered, Millis, Refused
from table_core.tracker import action_on, called_clock, chips, hands, missed, ruling, showdown
from table_core.tracker.board import board_is_out, confirm_street, deal_unknown, read_board, without_devices
from table_core.tracker.desk import Desk
from table_core.tracker.evidence import keyed_too_early, never_came
from table_core.tracker.memory.keypad import Press
from table_core.tracker.state import TrackerState


def street_pressed(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    """STREET: yes to the question on the screen; without one, the street is out, or the chips say what to do."""
    question = desk.table.question
    if action_on.is_said(desk, press):
        action_on.say(desk, state, press, now)
        return
    if question is None and state.presses.just_settled(now):
        return  # yes to what the devices have answered meanwhile
    if question is not None and question.kind == ruling.KIND:
        _rule(desk, state, press, now)
        return
    if question is not None and question.kind == "result_only":
        hands.enter_result(desk, state, press.source)
        return
    if showdown.asked_hands(desk):
        showdown.confirm_hands(desk, state)
        return
    if question is not None and question.kind == missed.KIND:
        missed.take_proposal(desk, state, press)
        return
    if question is not None and question.kind == "missed_actions":
        desk.record(Answered(question.question, "All checked or called", press.source))
        missed.fill_in(desk, state)
        return
    if question is None and missed.street_over(desk, state, now):
        missed.fill_in(desk, state)
        return
    if not board_is_out(desk, state) and question is None and chips.take_prediction(desk, state):
        return
    if question is None and missed.river_over(desk, state, now):
        missed.fill_in(desk, state)
        return
    if not board_is_out(desk, state) and question is None:
        keyed_too_early(desk, state)
        if without_devices(desk) and deal_unknown(desk, state):
            return
        if desk.table.hand is not None and desk.table.hand.legal() is not None:
            never_came(desk, state)
        if not missed.street_said(desk, state, now):
            desk.record(Refused("Nothing to confirm", "base.street"))
        return
    if question is not None:
        desk.record(Answered(question.question, "Confirmed", press.source))
    if not read_board(desk, state) and not confirm_street(desk, state):
        desk.record(Refused("Nothing to confirm", "base.street"))


def _rule(desk: Desk, state: TrackerState, press: Press, now: Millis) -> None:
    ruled_before = len(desk.table.rulings())
    ruling.answer(desk, state, press, now)
    rulings = desk.table.rulings()
    last = rulings[-1] if len(rulings) > ruled_before else None
    if last is not None and (last.matter, last.way) == ("clock", "start") and last.seat is not None:
        called_clock.start(desk, state, last.seat, now)
