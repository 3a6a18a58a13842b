"""What hangs on the Pi's own pins: the floor button and a lamp per seat.

Wiring: the button between its pin and ground (the Pi's pull-up holds the pin high); each lamp from its pin through
a resistor to ground. Pins are numbered as gpiozero numbers them: 17, "GPIO17" or "BOARD11". `pin_factory` is
gpiozero's; tests and simulated rooms drive its mock pins.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import gpiozero

from firmware_bridge.debounce import Debouncer
from firmware_bridge.link import boot_ms
from table_core.messages import Seat

Pin = int | str


class GpioError(Exception):
    """Pins that cannot be used: which, why and what to do."""


class _Pins(ABC):
    """Something that holds pins until it is closed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Let go of the pins."""


class FloorButton(_Pins):
    """The button that calls the floor.

    >>> with FloorButton(17, on_press=lambda at_ms: print("floor!", at_ms)):  # doctest: +SKIP
    ...     signal.pause()

    `on_press(at_ms)` comes from the button's own thread, once a press, with the time (`clock`: CLOCK_BOOTTIME
    milliseconds) at which the contact began to hold. Contacts are debounced here and not by gpiozero, whose
    `bounce_time` can swallow an edge. `GpioError` when the pin cannot be had.
    """

    def __init__(
        self,
        pin: Pin,
        *,
        on_press: Callable[[int], None],
        settle_ms: int = 5,
        clock: Callable[[], float] = boot_ms,
        pin_factory: Any = None,
    ) -> None:
        self._on_press = on_press
        self._clock = clock
        self._contacts = Debouncer(settle_ms)
        self._changed = threading.Condition()
        self._closing = False
        self._input = _claim(gpiozero.DigitalInputDevice, pin, pull_up=True, pin_factory=pin_factory)
        self._input.when_activated = lambda: self._edge(1)
        self._input.when_deactivated = lambda: self._edge(0)
        self._presses: list[int] = []
        self._thread = threading.Thread(target=self._run, name="floor-button", daemon=True)
        self._thread.start()

    def close(self) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._input.close()
        self._thread.join(timeout=5)

    def _edge(self, level: int) -> None:
        with self._changed:
            self._note(level, int(self._clock()))
            self._changed.notify()

    def _note(self, level: int | None, now: int) -> None:
        changes = self._contacts.due(now) if level is None else self._contacts.edge(0, level, now)
        self._presses += [change.at_ms for change in changes if change.level]

    def _run(self) -> None:
        while (pressed := self._next_presses()) is not None:
            for at_ms in pressed:
                self._on_press(at_ms)

    def _next_presses(self) -> list[int] | None:
        """Wait for presses that have settled; None when the button is closed."""
        with self._changed:
            while not self._closing:
                self._note(None, int(self._clock()))
                if self._presses:
                    pressed, self._presses = self._presses, []
                    return pressed
                due = self._contacts.next_due()
                self._changed.wait(None if due is None else max(1.0, due - self._clock()) / 1000)
        return None


class SeatLamps(_Pins):
    """A lamp per seat.

    >>> lamps = SeatLamps({1: 5, 2: 6, 3: 13})  # doctest: +SKIP
    >>> lamps.only(3)  # seat 3 is to act  # doctest: +SKIP
    """

    def __init__(self, pins: Mapping[Seat, Pin], *, pin_factory: Any = None) -> None:
        self._lamps: dict[Seat, Any] = {}
        try:
            for seat, pin in pins.items():
                self._lamps[seat] = _claim(gpiozero.LED, pin, pin_factory=pin_factory)
        except GpioError:
            self.close()
            raise

    def __repr__(self) -> str:
        lit = [f"{seat}{'*' if lamp.is_lit else ''}" for seat, lamp in self._lamps.items()]
        return f"SeatLamps({' '.join(lit)})"

    def close(self) -> None:
        for lamp in self._lamps.values():
            lamp.close()

    def light(self, seat: Seat, *, blinking: bool = False) -> None:
        """KeyError for a seat without a lamp."""
        if blinking:
            self._lamps[seat].blink(on_time=0.25, off_time=0.25)
        else:
            self._lamps[seat].on()

    def out(self, seat: Seat) -> None:
        self._lamps[seat].off()

    def only(self, *seats: Seat) -> None:
        """Light these seats' lamps and put out all others; seats without a lamp are passed over."""
        for seat, lamp in self._lamps.items():
            lamp.value = seat in seats

    @property
    def lit(self) -> tuple[Seat, ...]:
        """Seats whose lamp burns now."""
        return tuple(seat for seat, lamp in self._lamps.items() if lamp.is_lit)


def _claim(kind: Any, pin: Pin, **options: Any) -> Any:
    try:
        return kind(pin, **options)
    except gpiozero.BadPinFactory as error:
        raise GpioError(
            f"pin {pin}: this machine has no GPIO pins; leave them out of the configuration"
        ) from error
    except gpiozero.GPIOZeroError as error:
        raise GpioError(f"pin {pin}: {error}; choose another pin") from error
