"""A header with gpiozero's mock pins, fingers on its buttons, and time that stands still between them."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import gpiozero.pins.mock
from gpiozero.pins.mock import MockFactory, MockPin

from table_core.messages import Key
from tests.firmware_bridge.conftest import PATIENCE

OPTIONS: dict[str, Any] = {
    "buttons": {
        "FOLD": 5,
        "CHECK_CALL": 6,
        "BET_RAISE": 13,
        "FLOOR": 19,
        "UNDO": 26,
        "D1": 16,
        "D2": 20,
        "D3": 12,
        "D7": 25,
        "D00": 17,
        "CLEAR": 27,
    },
    "seat_lamps": {"4": 21, "11": 7},
    "lamp": [22, 23, 24],
    "buzzer": 18,
    "settle_ms": 5,
    "pin_factory": "",
}
BUTTONS: dict[str, int] = OPTIONS["buttons"]


class Clock:
    """Milliseconds of boot time; mock pins and the board have the same. It stands still until it is put on."""

    def __init__(self) -> None:
        self.ms = 1_000.0
        self._read = threading.Condition()
        self._reads = 0

    def __call__(self) -> float:
        with self._read:
            self._reads += 1
            self._read.notify_all()
            return self.ms

    def until_read(self, times: int) -> None:
        """Until another thread has looked at it so often, which it does once a step."""
        with self._read:
            end = self._reads + times
            assert self._read.wait_for(lambda: self._reads >= end, PATIENCE)

    def seconds(self) -> float:
        return self.ms / 1_000


class TimedFactory(MockFactory):
    """Mock pins whose edges have the times of `clock`; the kernel drops every `drops`-th of them (0: none)."""

    def __init__(self, clock: Clock, drops: int = 0, pin_class: type[MockPin] = MockPin) -> None:
        super().__init__(pin_class=DroppingPin if drops else pin_class)
        self.clock = clock
        self.drops = drops
        self.edges = 0

    def ticks(self) -> float:
        return self.clock.seconds()

    def ticks_diff(self, later: float, earlier: float) -> float:
        return later - earlier


class HeldPin(MockPin):
    """Its button is down already when it gets its pull-up."""

    def _set_pull(self, value: str) -> None:
        self._pull, self._state = value, False


class DroppingPin(MockPin):
    def _call_when_changed(self) -> None:
        self.factory.edges += 1
        if self.factory.edges % self.factory.drops:
            super()._call_when_changed()


def touch(factory: MockFactory, key: str, levels: Iterable[bool]) -> None:
    """The contact of `key` is closed and opened."""
    pin = factory.pin(BUTTONS[key])
    for closed in levels:
        if closed:
            pin.drive_low()
        else:
            pin.drive_high()


def on_time(monkeypatch: Any, clock: Clock) -> None:
    """Mock pins take their times from `clock`."""
    monkeypatch.setattr(gpiozero.pins.mock, "monotonic", clock.seconds)


class Fingers:
    """Fingers on the buttons of a board that a thread serves."""

    def __init__(self, factory: TimedFactory) -> None:
        self.factory = factory

    def press(self, *keys: int) -> None:
        for key in keys:
            self._contact(key, [(True, _HOLD_MS), (False, _HOLD_MS)])

    def chatter(self, key: int) -> None:
        """A press whose contact bounces for four milliseconds when it closes, and when it opens."""
        sparks = [(True, 1), (False, 1)] * 2
        self._contact(key, [*sparks, (True, _HOLD_MS), *sparks, (False, _HOLD_MS)])

    def _contact(self, key: int, levels: list[tuple[bool, int]]) -> None:
        for closed, ms in levels:
            touch(self.factory, Key(key).name, [closed])
            self.factory.clock.ms += ms
            if ms > 1:
                self.factory.clock.until_read(3)  # the board has looked at it since


_HOLD_MS = 60
