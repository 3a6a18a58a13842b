"""A simulated dealer's keypad."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge import payloads
from firmware_bridge.debounce import Change, Debouncer
from firmware_bridge.frames import KEY
from firmware_bridge.sim.device import SimDevice

SETTLE_MS = 5
FINGER_MS = 80  # from one press to the next: the fastest finger, on the keypad's own clock


class SimKeypad(SimDevice):
    """`press(key)` presses a key: contact edges go through the firmware's debouncer and out as a frame."""

    def __init__(
        self, link_path: str | Path, *, boot: int | None = None, source: bytes = bytes(payloads.HASH_BYTES)
    ) -> None:
        super().__init__(
            link_path,
            device_kind=payloads.KEYPAD,
            firmware="feltwire-keypad sim",
            capabilities=payloads.HAS_LAMPS | payloads.HAS_SOUND | payloads.HAS_SEAT_KEYS,
            boot=boot,
            source=source,
        )
        self._contacts = Debouncer(SETTLE_MS)
        self._finger_at = 0
        self._bounces = 0
        self._bounce_ms = 0

    def press(self, key: int) -> tuple[int, int]:
        """Press and release; the `(boot, seq)` of its last frame."""
        with self._changed:
            names = [
                self._report(KEY, payloads.key(change.pin, change.at_ms))
                for change in self._touch(int(key))
                if change.level
            ]
        self._wake()
        return names[-1]

    def bounce(self, times: int = 8, gap_ms: int = 1) -> None:
        """Let the next press chatter `times` times, `gap_ms` apart.

        With gaps under the settling time one press results, as from a good switch; with longer gaps each is a
        press, as from a worn one.
        """
        with self._changed:
            self._bounces, self._bounce_ms = times, gap_ms

    def _touch(self, pin: int) -> list[Change]:
        """The contact's life from rest to rest, on a time line of its own that is never behind the clock."""
        at = max(self._now(), self._finger_at)
        changes: list[Change] = []
        for _ in range(self._bounces):
            changes += self._contacts.edge(pin, 1, at)
            changes += self._contacts.edge(pin, 0, at + self._bounce_ms)
            at += 2 * self._bounce_ms
        self._bounces = 0
        changes += self._contacts.edge(pin, 1, at)
        changes += self._contacts.edge(pin, 0, at + SETTLE_MS)
        self._finger_at = at + FINGER_MS
        return changes + self._contacts.due(at + 2 * SETTLE_MS)
