"""What is wired to the header, served step by step: presses out, lamps and buzzer as the table wants them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from firmware_bridge import health_words
from firmware_bridge.debounce import Change
from firmware_bridge.drivers.gpio.contacts import Contacts
from firmware_bridge.drivers.gpio.header import Header, HeaderError
from firmware_bridge.drivers.gpio.panel import Panel
from firmware_bridge.drivers.gpio.wiring import Wiring
from firmware_bridge.drivers.interface import Colour
from firmware_bridge.reports import KeyDown
from table_core.messages import DeviceFault, Millis

HELD_MS = 20_000  # a button that is down for longer has something lying on it
_CLOCK = 2**32


class Board:
    """`clock()` is this machine's boot time in milliseconds. `open`, `step` and `close` belong to one thread, the
    rest may be called from any."""

    def __init__(self, wiring: Wiring, clock: Callable[[], float]) -> None:
        self._wiring = wiring
        self._clock = clock
        self._began = clock()
        self._panel = Panel(wiring)
        self._orders = threading.Lock()  # of the panel
        self._edges: queue.SimpleQueue[tuple[int, bool, int]] = queue.SimpleQueue()
        self._header: Header | None = None
        self._contacts = Contacts(wiring.settle_ms)
        self._held: list[int] = []

    def open(self, factory: Any) -> None:
        """Take the pins. Raise `HeaderError` where they cannot be had."""
        self._header = Header(self._wiring, factory, self._edge)
        down = [pin for pin, closed in self._header.levels().items() if closed]
        self._contacts = Contacts(self._wiring.settle_ms, down)

    def close(self) -> None:
        """Everything off."""
        if self._header is not None:
            self._header.close()
            self._header = None

    def step(self) -> list[KeyDown]:
        """The presses that count by now; to be called every `LOOK_MS`. Raise `HeaderError` when a pin is gone."""
        assert self._header is not None
        now = int(self._clock())
        try:
            levels = self._header.levels()
            with self._orders:
                shown = self._panel.levels(now)
            self._header.switch(shown)
        except Exception as error:  # each factory has errors of its own kind
            raise HeaderError(f"a pin does not answer any more ({error})") from error
        changes: list[Change] = []
        while not self._edges.empty():
            changes += self._contacts.edge(*self._edges.get())
        changes += self._contacts.look(levels, now)
        self._held = self._contacts.held(HELD_MS, now)
        return [self._press(change) for change in changes if change.level]

    @property
    def words(self) -> str:
        """What is there, and what is wrong with it."""
        words = f"{len(self._wiring.buttons)} buttons at the header"
        if not self._held:
            return words
        names = ", ".join(self._wiring.buttons[pin].name for pin in self._held)
        return f"{words}; {names}: {health_words.in_words(DeviceFault.KEY_HELD)}"

    @property
    def bounces(self) -> int:
        """Since the pins were taken."""
        return self._contacts.bounces

    @property
    def faults(self) -> tuple[DeviceFault, ...]:
        return (DeviceFault.KEY_HELD,) if self._held else ()

    def recorded(self) -> None:
        """A press is in the ledger."""
        with self._orders:
            self._panel.recorded(int(self._clock()))

    def lamp(self, number: int, colour: Colour, blinking: bool) -> None:
        with self._orders:
            self._panel.lamp(number, colour, blinking)

    def sound(self, on_ms: int, off_ms: int, times: int) -> None:
        with self._orders:
            self._panel.sound(on_ms, off_ms, times, int(self._clock()))

    def _edge(self, pin: int, closed: bool, age_ms: float) -> None:
        self._edges.put((pin, closed, int(self._clock() - age_ms)))

    def _press(self, change: Change) -> KeyDown:
        own_clock = int(change.at_ms - self._began) % _CLOCK
        return KeyDown(Millis(change.at_ms), self._wiring.buttons[change.pin], own_clock)
