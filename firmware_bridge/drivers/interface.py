"""What a table asks of a device, whatever its make; one protocol a kind of device.

A driver is made by a function that is registered as an entry point (docs/drivers.md) and called as
`make(settings, listener)`. It must not block there; it works between `start` and `stop`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from firmware_bridge.reports import Report
from table_core.messages import DeviceFault, DeviceState, Millis

Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue, 0 to 255; black is off."""


class DriverError(Exception):
    """A driver that cannot be made: what, where and what to do."""


@dataclass(frozen=True, slots=True)
class DriverSettings:
    """What the table's configuration says of a device. `device` is its name at the table (`keypad`, `shoe`),
    `options` are the driver's own settings."""

    device: str
    port: str
    baud: int = 115200
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeviceCounts:
    """What is counted of a device since it started as `boot`; None: it does not count or measure that.

    `heard_ms` is when it gave its last sign of life, `reports` how many the table has taken. The rest is as in
    HEALTH (docs/wire.md)."""

    boot: int
    heard_ms: Millis | None = None
    reports: int | None = None
    resent: int | None = None
    damaged: int | None = None
    lost: int | None = None
    passages: int | None = None
    unread: int | None = None
    bounces: int | None = None
    supply_mv: int | None = None
    faults: tuple[DeviceFault, ...] = ()


class Listener(Protocol):
    """What a driver tells its table, from any thread. Nothing here blocks."""

    def report(self, boot: int, seq: int, report: Report) -> None:
        """A report, with a name that no other has: `boot` is drawn at random when the device (or its driver)
        starts, `seq` counts from 1. It is said again until it is acknowledged, and the next one only then."""

    def state(self, state: DeviceState, detail: str) -> None:
        """What has become of the device, with words for it."""

    def bytes(self, text: str) -> None:
        """What came over the wire, for the page *as it is sensed*. Never a tag."""

    def lost(self, count: int) -> None:
        """So many reports are lost, where the device cannot say it in a report."""


class Driver(Protocol):
    """What every driver has."""

    @property
    def counts(self) -> DeviceCounts | None:
        """Asked twice a minute, from any thread; None while no device has answered."""

    def start(self) -> None: ...

    def stop(self) -> None:
        """Stop, and wait until nothing more will be said."""

    def acknowledge(self, boot: int, seq: int) -> None:
        """The report is in the table's ledger: the next one may come."""


class ShoeDriver(Driver, Protocol):
    """A shoe reports `CardPassed`, and what else of `reports` it can see."""


class KeypadDriver(Driver, Protocol):
    """A keypad reports `KeyDown`, and shows what the table asks for, as far as it can."""

    def lamp(self, number: int, colour: Colour, *, blinking: bool = False) -> None:
        """The keypad's own lamp (0) or that of a seat."""

    def sound(self, hertz: int, on_ms: int, off_ms: int = 0, times: int = 1) -> None:
        """A tone of `on_ms`, then silence of `off_ms`, so many `times`."""


MakeShoe: TypeAlias = Callable[[DriverSettings, Listener], ShoeDriver]
MakeKeypad: TypeAlias = Callable[[DriverSettings, Listener], KeypadDriver]
