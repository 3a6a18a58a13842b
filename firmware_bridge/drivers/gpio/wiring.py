"""Which key, lamp and buzzer is wired to which pin of the header, from the settings `[gpio]`.

Pins have their GPIO numbers (GPIO17 is 17), which is what gpiozero calls them, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from firmware_bridge.drivers.interface import DriverError
from table_core.messages import Key

LAST_PIN = 27
RESERVED = (0, 1)  # the memory chips of add-on boards answer there
HIGHEST_SEAT = 11


class Wiring(NamedTuple):
    """`buttons`: pin -> key. `seat_lamps`: seat -> pin. `lamp`: the keypad's own, three pins for red, green and
    blue, or one, or none."""

    buttons: Mapping[int, Key]
    seat_lamps: Mapping[int, int]
    lamp: tuple[int, ...]
    buzzer: int | None
    settle_ms: int
    pin_factory: str

    def used(self) -> Iterator[tuple[int, str]]:
        """Each pin with what is wired to it."""
        yield from ((pin, key.name) for pin, key in self.buttons.items())
        yield from ((pin, f"the lamp of seat {seat}") for seat, pin in self.seat_lamps.items())
        yield from ((pin, "lamp") for pin in self.lamp)
        if self.buzzer is not None:
            yield self.buzzer, "buzzer"


def read(options: Mapping[str, Any]) -> Wiring:
    """Raise `DriverError` for a key, seat or pin that there is not, and for a pin that is used twice."""
    unique: dict[int, str] = {}
    buttons = {}
    for name, pin in options.get("buttons", {}).items():
        buttons[_free(pin, name, unique)] = _key(name)
    if not buttons:
        raise DriverError("gpio: no buttons; name some, such as buttons = {FOLD = 5}, or remove the section")
    lamps = {}
    for seat, pin in options.get("seat_lamps", {}).items():
        lamps[_seat(seat)] = _free(pin, f"the lamp of seat {seat}", unique)
    own = tuple([_free(pin, "lamp", unique) for pin in options.get("lamp", ())])
    if len(own) not in (0, 1, 3):
        raise DriverError(f"gpio: lamp has {len(own)} pins; name one, or three for red, green and blue")
    buzzer = options.get("buzzer") or None
    settle_ms = int(options.get("settle_ms", 5))
    if not 1 <= settle_ms <= 50:
        raise DriverError(f"gpio: settle_ms {settle_ms}; write 1 to 50 (milliseconds)")
    return Wiring(
        buttons,
        lamps,
        own,
        None if buzzer is None else _free(buzzer, "buzzer", unique),
        settle_ms,
        str(options.get("pin_factory", "")),
    )


def _key(name: str) -> Key:
    try:
        return Key[name]
    except KeyError:
        raise DriverError(f"gpio: there is no key {name!r}; docs/wire.md lists them") from None


def _seat(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= HIGHEST_SEAT:
        raise DriverError(f"gpio: seat_lamps: {text!r} is no seat; write 1 to {HIGHEST_SEAT}")
    return int(text)


def _free(pin: int, what: str, used: dict[int, str]) -> int:
    """The pin, which is used for nothing else."""
    if not 0 <= pin <= LAST_PIN:
        raise DriverError(f"gpio: {what}: the header has no GPIO{pin}; write 2 to {LAST_PIN}")
    if pin in RESERVED:
        raise DriverError(f"gpio: {what}: GPIO{pin} is for the memory chip of an add-on board; use another pin")
    if pin in used:
        raise DriverError(f"gpio: GPIO{pin} is used twice, for {used[pin]} and for {what}; move one")
    used[pin] = what
    return pin
