"""The STREET key: yes to the question on the screen; without one, the street is out, or the chips name the
actions."""

from __future__ import annotations

from table_core.messages import Millis, Noticed, Refused, Zone
from table_core.tracker import waits
from table_core.tracker.asking import missed_keys
from table_core.tracker.asking.questions import Question, answer, asked
from table_core.tracker.camera import chips
from table_core.tracker.dealing.board import (
    board_is_out,
    camera_reads_board,
    confirm_street,
    deal_unknown,
    read_board,
    without_devices,
)
from table_core.tracker.dealing.deal import next_street
from table_core.tracker.dealing.evidence import keyed_too_early, never_came
from table_core.tracker.hands import result, showdown
from table_core.tracker.keys import action_on
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.timers import Check
from table_core.tracker.ruling import pending
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def street_pressed(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """Carry STREET out: yes to the question; without one, the street is out, or the chips name the actions."""
    if action_on.is_said(unit, press):
        action_on.say(unit, state, press, now)
        return
    due = unit.table.hand is not None and unit.table.hand.awaiting_board and board_is_out(unit, state)
    if press.number is None and state.presses.repeats_street(now) and not due:
        unit.record(Noticed("street_twice", "STREET pressed twice, counted once. For the next street: once more"))
        return
    match asked(unit):
        case Question.RULING if press.number is None and _for_the_street(unit, state):
            _unasked(unit, state, now)
        case Question.RULING:
            pending.answer(unit, state, press, now)
        case str() if state.presses.meant_another(now):
            unit.record(Refused("Another question is asked now: read it, then press again", "base.street"))
        case Question.SPLIT:
            unit.record(
                Refused("The pot is being split: POT PUSHED when all are named, UNDO if not", "base.award")
            )
        case Question.AWARD:
            unit.record(Refused("Who won is asked: its seat number, AWARD", "base.award"))
        case Question.HAND_OPEN:
            result.hand_goes_on(unit, state)
            _unasked(unit, state, now)
        case Question.RESULT_ONLY:
            result.enter_result(unit, state, press.source)
        case Question.TABLED:
            showdown.confirm_hands(unit, state)
        case Question.MISSED_BEFORE:
            missed_keys.take_proposal(unit, state, press)
        case Question.MISSED_ACTIONS:
            answer(unit, "All checked or called", press.source)
            missed_keys.fill_in(unit, state)
        case _ if unit.table.question is not None:
            answer(unit, "Confirmed", press.source)
            _confirm(unit, state)
        case _:
            _unasked(unit, state, now)


def _counted_already(unit: UnitOfWork, state: TrackerState, why: str) -> None:
    """STREET changes nothing, and says so; pressed once more it is meant."""
    state.presses.told_of_street()
    unit.record(Noticed("street_twice", f"{why}. For what comes next: once more"))


def _for_the_street(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether STREET while a ruling is asked for means the street: the ruling is the director's, or STREET alone
    does not take it, it is not about the board, and the street that is due lies there."""
    hand = unit.table.hand
    due = hand is not None and hand.awaiting_board and board_is_out(unit, state)
    return pending.is_directors(state) or (due and pending.needs_number(unit, state))


def _unasked(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    if state.presses.just_settled(now) and not state.presses.told:
        _counted_already(unit, state, "STREET counted for the question before it")
        return  # confirms what the devices have answered meanwhile
    if missed_keys.street_over(unit, state):
        missed_keys.say_street(unit, state)
    elif not board_is_out(unit, state) and chips.take_prediction(unit, state):
        return
    elif missed_keys.river_over(unit, state, now):
        missed_keys.say_street(unit, state)
    elif board_is_out(unit, state):
        if not _waits_for_camera(unit, state, now):
            _confirm(unit, state)
    else:
        _too_early(unit, state, now)


def _waits_for_camera(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """Whether STREET for a street that the camera is about to read waits until it has looked; STREET once more
    waits no longer."""
    hand = unit.table.hand
    if hand is None or not hand.awaiting_board or not camera_reads_board(unit, state):
        return False
    said = state.timers.find(Check.STREET_LIES)
    if said is not None and now - said.due >= waits.LOOKED_MS:
        return False
    if said is None and state.look.time(now, Zone.BOARD) < now:
        state.timers.start(Check.STREET_LIES, now)
    return state.timers.find(Check.STREET_LIES) is not None


def street_lies(unit: UnitOfWork, state: TrackerState) -> None:
    """The camera has looked since STREET was pressed, or is waited for no longer."""
    if unit.table.question is None and board_is_out(unit, state):
        confirm_street(unit, state)


def _too_early(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """No device has seen the street yet."""
    hand = unit.table.hand
    if hand is not None and hand.ended:
        unit.record(Refused(f"Hand {unit.table.hand_number} is over: NEW HAND is next", "base.street"))
        return
    keyed_too_early(unit, state)
    if without_devices(unit) and deal_unknown(unit, state):
        return
    if _said_again(unit, state, now):
        missed_keys.say_street(unit, state)
        deal_unknown(unit, state)
        return
    if missed_keys.street_just_read(unit, state, now):
        _counted_already(unit, state, f"STREET counted for the {hand.street if hand is not None else 'street'}")
    elif not missed_keys.street_said(unit, state, now):
        unit.record(Refused(not_out(unit, state), "base.street"))


def not_out(unit: UnitOfWork, state: TrackerState) -> str:
    """Why STREET is refused: no device has seen the street, and the dealer may know better."""
    street, hand = _awaited(unit, state), unit.table.hand
    if hand is None:
        return "No hand is in progress"
    if street is None:
        legal = hand.legal()
        return "No street is due" if legal is None else f"No street is due: seat {legal.seat} is to act"
    return (
        f"By the devices the {street} is not out. If it lies there, STREET once more: its cards are unknown then"
    )


def _awaited(unit: UnitOfWork, state: TrackerState) -> str | None:
    """The street that comes next, where no camera reads it."""
    hand = unit.table.hand
    return None if hand is None or camera_reads_board(unit, state) else next_street(hand)


def _confirm(unit: UnitOfWork, state: TrackerState) -> None:
    """The street's cards lie face up."""
    if not read_board(unit, state) and not confirm_street(unit, state):
        unit.record(Refused(not_out(unit, state), "base.street"))


def _said_again(unit: UnitOfWork, state: TrackerState, now: Millis) -> bool:
    """STREET was refused because by count the street is not out, and comes again unchanged: where no camera
    works the cards lie there, and the count is off."""
    street = _awaited(unit, state)
    if street is None:
        return False
    if not state.witness.refused_before(street, now):
        return False
    never_came(unit, state)
    return True
