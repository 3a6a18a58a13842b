"""A `KeypadDriver` for buttons, lamps and a buzzer at the header of the table's own Raspberry Pi.

One thread looks at the contacts, tells the presses and switches lamps and buzzer. A press is told until the table
has acknowledged it, as a keypad on a line does; then the own lamp flashes.
"""

from __future__ import annotations

import threading
from typing import Any

from firmware_bridge.drivers.gpio import wiring
from firmware_bridge.drivers.gpio.board import Board
from firmware_bridge.drivers.gpio.contacts import LOOK_MS
from firmware_bridge.drivers.gpio.header import HeaderError, open_factory
from firmware_bridge.drivers.interface import Colour, DeviceCounts, DriverSettings, Listener
from firmware_bridge.drivers.outbox import Outbox
from firmware_bridge.link import boot_ms
from firmware_bridge.reports import ReportsLost
from supervised.thread import SupervisedThread
from table_core.messages import DeviceState, Millis

_AGAIN_S = 5.0


class GpioKeypad:
    """`factory`: a gpiozero pin factory; without one, what the settings name. Raise `DriverError` for settings
    that cannot be wired."""

    def __init__(
        self,
        settings: DriverSettings,
        listener: Listener,
        factory: Any = None,
    ) -> None:
        self._wiring = wiring.read(settings.options)
        self._listener = listener
        self._factory = factory
        self._board = Board(self._wiring, boot_ms)
        self._outbox = Outbox(listener, settings.device)
        self._said: tuple[DeviceState, str] | None = None
        self._looked_ms: Millis | None = None  # when the contacts were looked at last
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, "gpio", stopping=self._stopping, failed=self._failed)

    @property
    def counts(self) -> DeviceCounts | None:
        if self._looked_ms is None:
            return None
        board, outbox = self._board, self._outbox
        return DeviceCounts(
            outbox.boot, self._looked_ms, reports=outbox.taken, bounces=board.bounces, faults=board.faults
        )

    def start(self) -> None:
        self._outbox.put(ReportsLost(0, "it hears no button while this program is off"))
        self._outbox.start()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(5)
        self._outbox.stop()

    def acknowledge(self, boot: int, seq: int) -> None:
        if self._outbox.acknowledge(boot, seq):
            self._board.recorded()

    def lamp(self, number: int, colour: Colour, *, blinking: bool = False) -> None:
        self._board.lamp(number, colour, blinking)

    def sound(self, hertz: int, on_ms: int, off_ms: int = 0, times: int = 1) -> None:
        """The buzzer has one tone of its own: `hertz` does not matter."""
        self._board.sound(on_ms, off_ms, times)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                if self._factory is None:
                    self._factory = open_factory(self._wiring.pin_factory)
                self._board.open(self._factory)
                self._serve()
            except HeaderError as error:
                self._tell(DeviceState.NOT_RESPONDING, f"the header: {error}")
            finally:
                self._board.close()
            self._stopping.wait(_AGAIN_S)
        self._tell(DeviceState.OFF, "")

    def _failed(self) -> None:
        self._tell(DeviceState.NOT_RESPONDING, "this program failed at the header; the log says where")

    def _serve(self) -> None:
        while not self._stopping.wait(LOOK_MS / 1000):
            for press in self._board.step():
                self._outbox.put(press)
            self._looked_ms = Millis(int(boot_ms()))
            self._tell(DeviceState.OK, self._board.words)

    def _tell(self, state: DeviceState, detail: str) -> None:
        if (state, detail) != self._said:
            self._said = (state, detail)
            self._listener.state(state, detail)


def keypad(settings: DriverSettings, listener: Listener) -> GpioKeypad:
    return GpioKeypad(settings, listener)
