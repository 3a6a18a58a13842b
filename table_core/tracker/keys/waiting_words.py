"""What was keyed and is not on record yet, in words for the table's own screen."""

from __future__ import annotations

from table_core.messages import Key
from table_core.projections.words import chips
from table_core.tracker import waits
from table_core.tracker.dealing.deal import next_street
from table_core.tracker.kept import Millis
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

_WORDS = {
    Key.FOLD: "fold",
    Key.CHECK_CALL: "check/call",
    Key.BET_RAISE: "bet",
    Key.ALL_IN: "all-in",
    Key.STREET: "STREET",
}


def waiting(unit: UnitOfWork, state: TrackerState) -> str:
    """The presses that wait for a street: `"Waiting for the turn: check/call, bet 300"`."""
    presses = [_in_words(press) for press in state.presses.waiting]
    if state.timers.find(Check.STREET_SAID) or state.timers.find(Check.STREET_LIES):
        presses.append(_WORDS[Key.STREET])
    hand = unit.table.hand
    street = next_street(hand) if hand is not None else None
    return f"Waiting for the {street or 'cards'}: {', '.join(presses)}" if presses else ""


def typed(state: TrackerState, now: Millis) -> str:
    """The digits on the keypad that no key has taken yet: `"Seat 4, 1,200"`; they are forgotten after a while."""
    keypad = state.keypad
    if now - keypad.last_at > waits.NUMBER_MS:
        return ""
    seat = [] if keypad.seat is None else [f"Seat {keypad.seat}"]
    return ", ".join([*seat, *([chips(int(keypad.typed))] if keypad.typed else [])])


def _in_words(press: Press) -> str:
    seat = "" if press.named_seat is None else f"seat {press.named_seat} "
    amount = f" {chips(press.number)}" if press.key is Key.BET_RAISE and press.number is not None else ""
    return f"{seat}{_WORDS.get(press.key, press.key.name)}{amount}"
