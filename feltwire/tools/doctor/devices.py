"""Keypad, shoe and decks of a table: each device is asked who it is and how it is, with its own driver.

What a device reports meanwhile is not acknowledged: it keeps it for the table.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from feltwire.config import SerialDevice, TableConfig
from feltwire.errors import UsageError
from feltwire.private_files import readable_by_others
from feltwire.table.devices.keypad_and_shoe import keypad_of, settings_of
from feltwire.tools.deck.room import failing_cards, known_decks
from feltwire.tools.doctor.findings import GREEN, Finding, look, of_fact, well, wrong
from firmware_bridge.decks import wear
from firmware_bridge.drivers import registry
from firmware_bridge.drivers.gpio.header import wanted_factory
from firmware_bridge.drivers.interface import DeviceCounts, Driver, DriverError
from firmware_bridge.reports import Report
from table_core.messages import DeviceReadings, DeviceState
from table_core.projections.health import of_device

PATIENCE_S = (
    6.0  # a device that is asked who it is answers within one; a driver tries a line again after half a one
)
HEALTH_S = 0.5
HEADER = "See `Keys at the Pi's own header` in docs/venue.md; or take a keypad on USB and remove [gpio]."
IN_USE = "Stop the program that has it: systemctl stop 'feltwire-table@*', or a feltwire deck that is under way."


def check(config: TableConfig, *, ask: bool) -> Iterator[Finding]:
    """Without `ask` only the decks: another process has the devices."""
    keypad = keypad_of(config)
    if keypad is None:
        yield well("keypad", "None: the table's screen has every key.")
    elif keypad.driver == "gpio" and wanted_factory(config.gpio.pin_factory) == "mock":
        yield wrong(
            "keypad", "Its pins are gpiozero's mock pins: no button is heard.", "Remove pin_factory = mock."
        )
    elif ask:
        yield from _device("keypad", keypad)
    if not config.shoe.port:
        yield well("shoe", "None: cards are keyed, or read by the camera.")
        return
    if ask:
        yield from _device("shoe", config.shoe)
    yield from _decks(config)


# ----------------------------------------------------------------------------------------------- a device


def _device(name: str, device: SerialDevice) -> Iterator[Finding]:
    asked = _Asked()
    try:
        driver = _made(name, device, asked)
    except DriverError as error:
        what, _, do = str(error).partition("; ")
        yield wrong(name, f"{what}.", do or "See docs/drivers.md.")
        return
    driver.start()
    try:
        state, words = asked.answer(PATIENCE_S)
        counts = _counts(driver) if state is DeviceState.OK else None
    finally:
        driver.stop()
    if state is not DeviceState.OK:
        what, _, do = words.partition("; ")
        busy = "in use" in what
        usual = "Look at its cable and power." if device.driver != "gpio" else HEADER
        yield wrong(name, f"{what or 'Nothing answers'}.", IN_USE if busy else do or usual)
        return
    yield well(name, f"{words}.")
    if counts is not None:
        yield from (of_fact(fact) for fact in of_device(_readings(name, counts)) if fact.colour is not GREEN)


def _made(name: str, device: SerialDevice, asked: _Asked) -> Driver:
    settings = settings_of(name, device)
    if name == "keypad":
        return registry.keypad(device.driver)(settings, asked)
    return registry.shoe(device.driver)(settings, asked)


def _counts(driver: Driver) -> DeviceCounts | None:
    """With what the device says of itself, which comes behind its name; not every device says anything."""
    until = time.monotonic() + HEALTH_S
    while time.monotonic() < until:
        if (counts := driver.counts) is not None and counts.resent is not None:
            return counts
        time.sleep(0.02)
    return driver.counts


def _readings(name: str, counts: DeviceCounts) -> DeviceReadings:
    """As of the device's whole boot: nobody has looked at it before."""
    return DeviceReadings(
        name,
        0,
        reports=counts.reports,
        lost=counts.lost,
        passages=counts.passages,
        unread=counts.unread,
        supply_mv=counts.supply_mv,
        faults=counts.faults,
    )


class _Asked:
    """A `Listener` that waits for the first answer."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._last = (DeviceState.CONNECTING, "")

    def report(self, boot: int, seq: int, report: Report) -> None: ...

    def bytes(self, text: str) -> None: ...

    def lost(self, count: int) -> None: ...

    def state(self, state: DeviceState, detail: str) -> None:
        with self._news:
            self._last = state, detail
            self._news.notify_all()

    def answer(self, patience_s: float) -> tuple[DeviceState, str]:
        """Once the device works, or cannot; else what was said by then."""
        with self._news:
            self._news.wait_for(lambda: self._last[0] in (DeviceState.OK, DeviceState.NOT_RESPONDING), patience_s)
            return self._last


# ------------------------------------------------------------------------------------------------- decks


def _decks(config: TableConfig) -> Iterator[Finding]:
    part = "decks"
    if not config.decks:
        yield wrong(part, "None: no card that the shoe reads is known.", "Set decks = FILE; feltwire deck enrol.")
        return
    try:
        known = known_decks(config)
    except UsageError as error:
        what, _, do = str(error).partition("; ")
        yield wrong(part, f"{what}.", do or "feltwire deck enrol (docs/venue.md).")
        return
    if readable_by_others(Path(config.decks)):
        do = f"chmod 600 {config.decks}: whoever read it can read cards through their backs."
        yield wrong(part, f"{config.decks}: others may read it.", do)
    if len(known.in_use) < 2:
        yield look(
            part, f"Only {known.in_use[0]} is in use.", "Two alternate: enrol another, or feltwire deck use."
        )
    else:
        yield well(part, f"{', '.join(known.in_use)} in use, of {len(known.decks)} known.")
    for name in known.in_use:
        failing = failing_cards(wear.total(known.decks[name].worn))
        if failing:
            do = "Replace these cards, or put another deck in use: feltwire deck rotate."
            yield look(part, f"{name}: tags that often do not answer: {', '.join(failing)}.", do)
