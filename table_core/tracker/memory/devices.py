"""Broken lines to devices. They outlive a hand."""

from __future__ import annotations

from table_core.messages import DeviceState
from table_core.tracker import waits
from table_core.tracker.kept import Millis
from table_core.tracker.memory.slice import Slice


class DeviceLines(Slice):
    keypad_out_at: Millis | None = None  # since when the keypad is lost
    keypad_back_at: Millis = Millis(-10_000)  # when it came back and resent its presses
    lost: tuple[str, ...] = ()  # devices reported as lost

    def keypad_changed(self, before: DeviceState | None, after: DeviceState, now: Millis) -> None:
        if after is DeviceState.OK and self.keypad_out_at is not None:
            self.keypad_out_at, self.keypad_back_at = None, now
        elif before is DeviceState.OK:
            self.keypad_out_at = now

    def keys_held_up(self, now: Millis, *, works: bool) -> bool:
        """Whether keys may be on their way: the keypad is not connected, or has just come back."""
        out = self.keypad_out_at is not None and now - self.keypad_out_at <= waits.KEYS_HELD_UP_MS
        return out or (works and now - self.keypad_back_at <= waits.KEYS_COME_MS)

    def is_lost(self, device: str) -> None:
        self.lost = (*self.lost, device)

    def is_back(self, device: str) -> None:
        self.lost = tuple([other for other in self.lost if other != device])
