"""The keypad's grammar: digits make a number, a function key takes it."""

from __future__ import annotations

from table_core.messages import HIGHEST_SEAT_NAMED, Key, KeyPressed, Seat, Source
from table_core.tracker import waits
from table_core.tracker.state import Press, TrackerState

_DEVICE_CLOCK_MS = 2**32

_DIGITS = {Key(code): str(code) for code in range(10)} | {Key.D00: "00", Key.D000: "000"}


def bounced(state: TrackerState, pressed: KeyPressed) -> bool:
    """Whether a worn key came through twice: again, by the keypad's own clock, sooner than a finger can."""
    last, state.last_key = state.last_key, pressed
    if last is None or pressed.device_ms is None or last.device_ms is None:
        return False
    same = (last.key, last.origin.boot) == (pressed.key, pressed.origin.boot)
    return same and (pressed.device_ms - last.device_ms) % _DEVICE_CLOCK_MS < waits.BOUNCE_MS


def press(state: TrackerState, key: Key) -> Press | None:
    """Take one key; the finished press when it is a function key, else None."""
    if key in _DIGITS:
        # One digit more is kept: a number that is too long is refused, and not taken for its first digits.
        digits = (state.typed + _DIGITS[key]).lstrip("0") or "0"
        state.typed = digits[: waits.LONGEST_NUMBER + 1]
        return None
    number = int(state.typed) if state.typed else None
    state.typed = ""
    if key is Key.SEAT:
        state.typed_seat = None if number is None else Seat(min(number, HIGHEST_SEAT_NAMED))
        return None
    seat, state.typed_seat = state.typed_seat, None
    if key is Key.CLEAR:
        return None
    return Press(key, number, seat, Source.KEY)
