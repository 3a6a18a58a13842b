"""The keypad's grammar: digits make a number, a function key takes it."""

from __future__ import annotations

from table_core.messages import Key, Seat, Source
from table_core.tracker.state import Press, TrackerState

LONGEST_NUMBER = 10  # digits; nobody bets ten billion

_DIGITS = {Key(code): str(code) for code in range(10)} | {Key.D00: "00", Key.D000: "000"}


def press(state: TrackerState, key: Key) -> Press | None:
    """Take one key; the finished press when it is a function key, else None."""
    if key in _DIGITS:
        state.typed = (state.typed + _DIGITS[key])[:LONGEST_NUMBER]
        return None
    number = int(state.typed) if state.typed else None
    state.typed = ""
    if key is Key.SEAT:
        state.typed_seat = None if number is None else Seat(number)
        return None
    seat, state.typed_seat = state.typed_seat, None
    if key is Key.CLEAR:
        return None
    return Press(key, number, seat, Source.KEY)
