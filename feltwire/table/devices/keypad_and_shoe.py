"""The keypad and the shoe under a table: their drivers, their reports as inputs of the node, the keypad's
lamps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from feltwire.config import ConfigError, SerialDevice, TableConfig
from feltwire.table.devices.keypad_lights import KeypadPanel
from feltwire.table.devices.sensed import Sensed
from feltwire.table.table_io import AckFrame, DeviceSaid, FrameCame, FramesLost, KeypadLights
from firmware_bridge.drivers import registry
from firmware_bridge.drivers.interface import DeviceCounts, Driver, DriverError, DriverSettings
from firmware_bridge.reports import Report
from table_core.messages import DeviceState


class TableDevices:
    """`put` enqueues inputs of the node, from any thread; `sensed` shows the bytes as they come. Raise
    `ConfigError` for a driver that there is not, or that cannot work with its settings."""

    def __init__(self, config: TableConfig, sensed: Sensed, put: Callable[[Any], None]) -> None:
        self._drivers: dict[str, Driver] = {}
        self._panel: KeypadPanel | None = None
        self._put = put
        try:
            if (driver := keypad_of(config)) is not None:
                heard = _Heard("keypad", sensed, put, self._keypad_is_back)
                keypad = registry.keypad(driver.driver)(settings_of("keypad", driver), heard)
                self._panel = KeypadPanel(keypad)
                self._drivers["keypad"] = keypad
            if config.shoe.port:
                heard = _Heard("shoe", sensed, put)
                self._drivers["shoe"] = registry.shoe(config.shoe.driver)(settings_of("shoe", config.shoe), heard)
        except DriverError as error:
            raise ConfigError(str(error)) from error

    def start(self) -> None:
        for name in ("keypad", "shoe"):
            if name not in self._drivers:
                self._put(DeviceSaid(name, DeviceState.NONE))
        for driver in self._drivers.values():
            driver.start()

    def stop(self) -> None:
        for driver in self._drivers.values():
            driver.stop()

    def acknowledge(self, frame: AckFrame) -> None:
        self._drivers[frame.device].acknowledge(frame.boot, frame.seq)

    def counts(self) -> dict[str, DeviceCounts | None]:
        """What is counted of each device; None of one that has not answered."""
        return {name: driver.counts for name, driver in self._drivers.items()}

    def show(self, lights: KeypadLights) -> None:
        if self._panel is not None:
            self._panel.show(lights)

    def _keypad_is_back(self) -> None:
        if self._panel is not None:
            self._panel.show_again()


class _Heard:
    """What one driver tells the table; a `Listener`."""

    def __init__(
        self,
        name: str,
        sensed: Sensed,
        put: Callable[[Any], None],
        back: Callable[[], None] | None = None,
    ) -> None:
        self._name = name
        self._sensed = sensed
        self._put = put
        self._back = back

    def report(self, boot: int, seq: int, report: Report) -> None:
        self._put(FrameCame(self._name, boot, seq, report))

    def state(self, state: DeviceState, detail: str) -> None:
        self._put(DeviceSaid(self._name, state, detail))
        if state is DeviceState.OK and self._back is not None:
            self._back()

    def bytes(self, text: str) -> None:
        self._sensed.line(self._name, text)

    def lost(self, count: int) -> None:
        self._put(FramesLost(self._name, count))


def keypad_of(config: TableConfig) -> SerialDevice | None:
    """The table's keypad: on a line, or buttons at the header."""
    if config.gpio.buttons:
        return SerialDevice("header", driver="gpio", options=msgspec.to_builtins(config.gpio))
    return config.keypad if config.keypad.port else None


def settings_of(name: str, device: SerialDevice) -> DriverSettings:
    return DriverSettings(name, device.port, device.baud, device.options)
