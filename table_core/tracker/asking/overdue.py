"""Questions about what is missing: keys, or a street to be read."""

from __future__ import annotations

from table_core.messages import Millis, Noticed
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.register import Group
from table_core.tracker import devices, waits
from table_core.tracker.asking import missed_keys
from table_core.tracker.asking.questions import Question, as_it_is, asked, busy
from table_core.tracker.camera.gone_cards import cards_are_gone
from table_core.tracker.dealing.board import board_is_out, deal_unknown, lies_unread
from table_core.tracker.dealing.deal import deal_of, next_street
from table_core.tracker.dealing.evidence import may_have_burned_two
from table_core.tracker.hands import showdown
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def watch_for_missed_keys(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Start or stop waiting for the keys of a finished street."""
    hand = unit.table.hand
    street_over = missed_keys.street_is_over(unit, state) and not _ruled_on(state)
    withdrawn = _withdrawn(unit, state, Question.MISSED_ACTIONS)
    if hand is None or hand.legal() is None or not street_over or withdrawn:
        state.timers.stop(Check.MISSING_KEYS)
    elif not busy(unit) and not state.timers.find(Check.MISSING_KEYS):
        state.timers.start(Check.MISSING_KEYS, now + waits.MISSING_KEYS_MS)


def ask_for_missed_keys(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """The keys have not come: ask for all of them in one question."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None or busy(unit) or not missed_keys.street_is_over(unit, state):
        return
    if devices.keys_held_up(unit, state, now):
        state.timers.start(Check.MISSING_KEYS, now + waits.MISSING_KEYS_MS)
        return
    if not state.presses.since_asked:
        return  # nobody presses keys at this table: ask once only
    state.presses.keys_asked_for()
    missed_keys.ask_who_acted(unit, state)


def draw_anew(unit: UnitOfWork, state: TrackerState) -> None:
    """The hand has moved on while it is asked who acted: ask about those who are to act now."""
    hand, question = unit.table.hand, unit.table.question
    about_acts = asked(unit) is Question.MISSED_ACTIONS and hand is not None and hand.legal() is not None
    if question is not None and about_acts and question.text != missed_keys.who_acted(unit, state):
        missed_keys.ask_who_acted(unit, state)


def watch_for_unread_board(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Start or stop waiting for the camera to read a street that is out."""
    hand = unit.table.hand
    two_burns = any(one.incident == "burn_double" for one in state.rulings.open) or may_have_burned_two(state)
    out = board_is_out(unit, state) and not two_burns and not _ruled_on(state)
    withdrawn = _withdrawn(unit, state, Question.BOARD_UNREAD)
    if hand is None or not hand.awaiting_board or not out or withdrawn or _can_wait(unit, state):
        state.timers.stop(Check.UNREAD_STREET)
    elif not busy(unit) and not state.timers.find(Check.UNREAD_STREET):
        state.timers.start(Check.UNREAD_STREET, now + waits.UNREAD_STREET_MS)


def _withdrawn(unit: UnitOfWork, state: TrackerState, what: Question) -> bool:
    return state.presses.withdrawn == as_it_is(unit, state, what)


def _can_wait(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether the next action's key will open what lies there unread; nobody has acted on it yet."""
    hand = unit.table.hand
    if hand is None or state.presses.waiting or showdown.betting_over(hand) or not lies_unread(unit, state):
        return False
    cards, arrivals = state.seat_cards, state.arrivals
    return not any(
        cards_are_gone(unit, state, seat) or cards.has_faces(seat) or arrivals.motions_to_come(seat)
        for seat in hand.live_seats
    )


def _ruled_on(state: TrackerState) -> bool:
    """Whether a ruling about the board is open that a person raised, or a flop of four that the camera saw: a
    question about the board would repeat it, or stand before it."""
    board = [one for one in state.rulings.open if INCIDENTS[one.incident].group is Group.BOARD]
    return any(one.by_person or one.incident == "flop_overdeal" for one in board)


def card_beyond_unread_street(unit: UnitOfWork, state: TrackerState) -> None:
    """A card left the shoe past a street that nobody read: the street is out, and the game went on."""
    hand = unit.table.hand
    street = next_street(hand) if hand is not None and hand.awaiting_board else None
    if street is None or not state.presses.waiting:
        return
    if len(state.deal.handles) > deal_of(unit, state).street(street)[-1] and deal_unknown(unit, state):
        unit.record(Noticed("street_unread", f"The {street} was not read; the hand goes on"))
