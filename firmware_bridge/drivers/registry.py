"""Finds a driver by its name: those of this program, and those that other packages register as entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from firmware_bridge.drivers.interface import DriverError, MakeKeypad, MakeShoe

SHOES = "feltwire.shoes"
KEYPADS = "feltwire.keypads"

_OWN = (
    EntryPoint("feltwire", "firmware_bridge.drivers.feltwire:keypad", KEYPADS),
    EntryPoint("feltwire", "firmware_bridge.drivers.feltwire:shoe", SHOES),
    EntryPoint("gpio", "firmware_bridge.drivers.gpio.driver:keypad", KEYPADS),
    EntryPoint("typed-line", "firmware_bridge.drivers.typed:line_shoe", SHOES),
    EntryPoint("typed-keyboard", "firmware_bridge.drivers.typed:keyboard_shoe", SHOES),
)


def shoe(name: str) -> MakeShoe:
    """The maker of the shoe driver `name`; raise `DriverError` where there is none."""
    return cast(MakeShoe, _load(SHOES, name))


def keypad(name: str) -> MakeKeypad:
    """The maker of the keypad driver `name`; raise `DriverError` where there is none."""
    return cast(MakeKeypad, _load(KEYPADS, name))


def _load(group: str, name: str) -> Any:
    there = [*(point for point in _OWN if point.group == group), *entry_points(group=group)]
    found = {point.value: point for point in there if point.name == name}
    if not found:
        known = ", ".join(sorted({point.name for point in there}))
        raise DriverError(f"{group}: there is no driver {name!r}; there are: {known}")
    if len(found) > 1:
        raise DriverError(f"{group}: {' and '.join(sorted(found))} are both called {name!r}: remove one package")
    (point,) = found.values()
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise DriverError(f"{group}: the driver {name!r} ({point.value}) cannot be loaded: {error}") from error
