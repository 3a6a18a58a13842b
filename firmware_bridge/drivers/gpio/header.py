"""The header itself, through gpiozero: contacts that are heard and looked at, pins that are switched."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from gpiozero import GPIOZeroError, InputDevice, OutputDevice, PinUnknownPi

from firmware_bridge.drivers.gpio.wiring import Wiring
from supervised.thread import guarded

USUAL_FACTORY = "lgpio"  # the one that runs on every Raspberry Pi with a kernel of today
_FACTORIES = "gpiozero_pin_factories"
_CHIPS = Path("/dev")
_PACKAGES = {"RPi": "RPi.GPIO"}  # where a package is not called as the module in it


class HeaderError(Exception):
    """Pins that cannot be used: which, why and what to do."""


class Header:
    """Every pin of a `Wiring`, open. `changed(pin, closed, age_ms)` is called, from any thread, for each edge of a
    button with its age. Raise `HeaderError` where the pins cannot be had."""

    def __init__(self, wiring: Wiring, factory: Any, changed: Callable[[int, bool, float], None]) -> None:
        self._factory = factory
        self._buttons: dict[int, InputDevice] = {}
        self._outputs: dict[int, OutputDevice] = {}
        self._edges: list[_Edges] = []  # gpiozero keeps only weak references
        self._deaf = threading.Event()  # an edge was lost: whoever is told of it raised
        outputs = [pin for pin, _ in wiring.used() if pin not in wiring.buttons]
        names = dict(wiring.used())
        try:
            for pin in wiring.buttons:
                self._button(pin, names[pin], changed)
            for pin in outputs:
                with _said(pin, names[pin]):
                    self._outputs[pin] = OutputDevice(pin, pin_factory=factory)
        except HeaderError:
            self.close()
            raise

    def _button(self, pin: int, name: str, changed: Callable[[int, bool, float], None]) -> None:
        with _said(pin, name):
            button = InputDevice(pin, pull_up=True, pin_factory=self._factory)
            self._buttons[pin] = button
            edges = _Edges(self._factory, pin, guarded(changed, f"GPIO{pin}", self._deaf.set))
            self._edges.append(edges)
            button.pin.edges = "both"
            button.pin.when_changed = edges.changed

    def levels(self) -> dict[int, bool]:
        """Pin -> whether the button there is down. Raise `HeaderError` where edges are lost."""
        if self._deaf.is_set():
            raise HeaderError("a button was pressed and this program failed at it; the log says where")
        return {pin: bool(button.value) for pin, button in self._buttons.items()}

    def switch(self, levels: Mapping[int, bool]) -> None:
        for pin, level in levels.items():
            output = self._outputs[pin]
            if bool(output.value) != level:
                output.value = level

    def close(self) -> None:
        """Everything off."""
        devices: Iterable[Any] = [*self._buttons.values(), *self._outputs.values()]
        for device in devices:
            with contextlib.suppress(Exception):  # a pin that is gone is closed
                device.close()
        self._buttons.clear()
        self._outputs.clear()


class _Edges:
    """One button's edges, from whatever thread gpiozero tells them."""

    def __init__(self, factory: Any, pin: int, changed: Callable[[int, bool, float], None]) -> None:
        self._factory = factory
        self._pin = pin
        self._changed = changed

    def changed(self, ticks: Any, state: Any) -> None:
        age_s = self._factory.ticks_diff(self._factory.ticks(), ticks)
        self._changed(self._pin, not state, 1000.0 * max(0.0, age_s))  # a button that is down pulls its pin low


def wanted_factory(name: str) -> str:
    """The name of the pin factory that is used where the settings say `name`."""
    return name or os.environ.get("GPIOZERO_PIN_FACTORY") or USUAL_FACTORY


def open_factory(name: str) -> Any:
    """gpiozero's pin factory of that name; without one, what `GPIOZERO_PIN_FACTORY` says, else lgpio. Raise
    `HeaderError` where there are no pins to be had."""
    wanted = wanted_factory(name)
    found = {point.name: point for point in entry_points(group=_FACTORIES)}
    if wanted not in found:
        raise HeaderError(f"there is no pin factory {wanted!r}; there are {', '.join(sorted(found))}")
    try:
        return found[wanted].load()()
    except PinUnknownPi:
        raise HeaderError("this machine is no Raspberry Pi: it has no header") from None
    except ModuleNotFoundError as error:
        package = _PACKAGES.get(error.name or "", error.name)
        raise HeaderError(f"{package} is not installed: pip install {package} (docs/venue.md)") from None
    except OSError as error:
        raise HeaderError(
            f"{wanted} cannot be used in the folder {os.getcwd()} ({error.strerror}): "
            "start the process in one that it may write"
        ) from None
    except Exception as error:  # noqa: BLE001  (each factory has errors of its own kind)
        raise HeaderError(_without_pins(str(error))) from None


def _without_pins(why: str) -> str:
    chips = sorted(_CHIPS.glob("gpiochip*"))
    if not chips:
        return f"the kernel offers no pins, there is no {_CHIPS}/gpiochip ({why})"
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return f"not allowed to use the pins ({why}): add this user to the group gpio"
    return f"the pins cannot be used: {why}"


@contextlib.contextmanager
def _said(pin: int, name: str) -> Any:
    """Errors of one pin, with what is wired to it."""
    try:
        yield
    except HeaderError:
        raise
    except GPIOZeroError as error:
        raise HeaderError(f"GPIO{pin} ({name}) cannot be used: {error}") from error
    except Exception as error:
        raise HeaderError(f"GPIO{pin} ({name}) cannot be used: {error}; does something else use it?") from error
