"""The keypad's grammar: digits make a number, a function key takes it."""

from __future__ import annotations

import msgspec

from table_core.messages import Key, KeyPressed, Source
from table_core.tracker import waits
from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.slice import Slice

_DEVICE_CLOCK_MS = 2**32
_DIGITS = {Key(code): str(code) for code in range(10)} | {Key.D00: "00", Key.D000: "000"}


class Press(msgspec.Struct, frozen=True):
    """A function key with the number typed before it: `seat` and `amount` as the dealer gave them."""

    key: Key
    number: int | None = None
    seat: Seat | None = None  # given with the SEAT key
    source: Source = Source.KEY
    reason: str = ""  # from the pick-list, with a ruling

    @property
    def of_seat(self) -> Seat | None:
        """The seat of a key that takes one: with the SEAT key, or as a bare number."""
        if self.seat is not None:
            return self.seat
        return None if self.number is None else Seat(self.number)

    @property
    def counted(self) -> int | None:
        """The amount at which an all-in was counted: typed behind a seat, or a number that no seat has."""
        if self.key is not Key.ALL_IN or self.number is None:
            return None
        return self.number if self.seat is not None or self.number > waits.HIGHEST_SEAT else None

    @property
    def named_seat(self) -> Seat | None:
        """The seat that a betting key names: BET/RAISE takes its number as chips, the others as a seat."""
        return self.seat if self.key is Key.BET_RAISE or self.counted is not None else self.of_seat


class Keypad(Slice):
    """Digits that no function key has taken yet."""

    typed: str = ""
    seat: Seat | None = None  # given with the SEAT key
    last: KeyPressed | None = None
    last_at: Millis = Millis(0)

    def bounced(self, pressed: KeyPressed, now: Millis) -> bool:
        """Whether a worn key sent the press twice: by the keypad's own clock it came too soon for a finger. What
        was typed too long ago is forgotten: nobody remembers it at the next key."""
        last, self.last = self.last, pressed
        since, self.last_at = now - self.last_at, now
        if last is None:
            return False
        own = None
        if (
            pressed.device_ms is not None
            and last.device_ms is not None
            and last.origin.boot == pressed.origin.boot
        ):
            own = (pressed.device_ms - last.device_ms) % _DEVICE_CLOCK_MS
        if (since if own is None else own) > waits.NUMBER_MS:
            self.forget()
        return own is not None and last.key == pressed.key and own < waits.BOUNCE_MS

    def forget(self) -> None:
        self.typed, self.seat = "", None

    def take(self, key: Key) -> Press | None:
        """Take one key; the finished press when it is a function key, else None."""
        if key in _DIGITS:
            # One digit more is kept: a number that is too long is refused, and not taken for its first digits.
            digits = (self.typed + _DIGITS[key]).lstrip("0") or "0"
            self.typed = digits[: waits.LONGEST_NUMBER + 1]
            return None
        if key.seat is not None:  # what was typed stays: an amount may come before its seat
            self.seat = Seat(key.seat)
            return None
        number = int(self.typed) if self.typed else None
        self.typed = ""
        if key is Key.SEAT:
            self.seat = None if number is None else Seat(number)
            return None
        seat, self.seat = self.seat, None
        return None if key is Key.CLEAR else Press(key, number, seat, Source.KEY)
