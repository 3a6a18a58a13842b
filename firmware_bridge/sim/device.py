"""A simulated device: the firmware's own line protocol behind a cable that can be unplugged."""

from __future__ import annotations

import os
import random
import select
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge import payloads
from firmware_bridge.device import Device
from firmware_bridge.frames import LAMP, Frame
from firmware_bridge.report_log import NoLog
from firmware_bridge.sim.kept import KeptReports
from firmware_bridge.sim.line import line_to

_ROOM = 100_000  # a simulated device never runs out of memory


class SimDevice:
    """What `SimKeypad` and `SimShoe` share. Only bytes cross to the host, over the terminal at `link_path`, or
    over a line in memory where that is `sim://NAME`.

    Plugged in from the start; runs in a thread of its own until `close()`. All methods may be called from any
    thread. `boot` (default: random) names this boot of the device.

    `sent_at[(boot, seq)]` is CLOCK_BOOTTIME in milliseconds when the frame was written for the first time.
    `lamps[number]` is the `(red, green, blue, blinking)` that the host last asked for, `sounds` every
    `(hertz, on_ms, off_ms, times)` that it asked for, in order.
    """

    def __init__(
        self,
        link_path: str | Path,
        *,
        device_kind: int,
        firmware: str,
        capabilities: int = 0,
        boot: int | None = None,
        source: bytes = bytes(payloads.HASH_BYTES),
    ) -> None:
        self.sent_at: dict[tuple[int, int], float] = {}
        self.lamps: dict[int, tuple[int, int, int, bool]] = {}
        self._started = time.monotonic_ns()
        self.sounds: list[tuple[int, int, int, int]] = []
        self._made = (device_kind, firmware, capabilities, source)
        self._log: NoLog = KeptReports()
        self._device = self._switched_on(boot)
        self._line = line_to(link_path)
        self._line.plug()
        self._cable = True
        self._drops = 0
        self._changed = threading.Condition()
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"sim-{self._line.path.name}", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._line.path)!r}, boot={self.boot:x}, waiting={self.waiting})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Switch off and remove the link."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
        self._wake()
        self._thread.join(timeout=5)
        self._line.unplug()
        os.close(self._wake_r)
        os.close(self._wake_w)

    # ---------------------------------------------------------------------------- what a robot waits for

    @property
    def boot(self) -> int:
        return self._device.boot

    @property
    def plugged(self) -> bool:
        return self._line.fd is not None

    @property
    def waiting(self) -> int:
        """Frames that the host has not acknowledged."""
        return self._device.waiting

    @property
    def resent(self) -> int:
        """How often a frame had to be sent again."""
        return self._device.resent

    def finds(self, faults: int) -> None:
        """What it finds wrong with itself from now on: the bits of HEALTH."""
        with self._changed:
            self._device.health.faults = faults

    def wait_acked(self, timeout: float | None = None) -> bool:
        """Wait until the host has acknowledged everything; False after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._device.waiting == 0, timeout)

    def wait_lamp(self, number: int, timeout: float | None = None) -> bool:
        """Wait until the host has set lamp `number` at least once; False after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: number in self.lamps, timeout)

    # ------------------------------------------------------------------------------------------- faults

    def unplug(self) -> None:
        """Unplug the cable: the host's port vanishes. Reports of the device wait in it meanwhile."""
        self._set_cable(False)

    def plug(self) -> None:
        """Plug the cable in again: the same boot, and every unacknowledged frame comes in order."""
        self._set_cable(True)

    def reboot(self, boot: int | None = None, *, keep: bool = True) -> None:
        """Switch the device off and on: a new boot id, numbers from 1.

        `keep`: it has a memory, so unacknowledged reports survive under their old numbers and go first; otherwise
        they are lost, and the device says that it has restarted.
        """
        with self._changed:
            self._log = self._log if keep else NoLog()
            self._device = self._switched_on(boot)
            self._changed.notify_all()
        self._wake()

    def drop_next(self, count: int = 1) -> None:
        """The next `count` transmissions are lost on the wire."""
        with self._changed:
            self._drops += count

    def garbage(self, data: bytes) -> None:
        """Put `data` on the wire as it is."""
        with self._changed:
            self._line.write(data)

    # --------------------------------------------------------------------------------------- the inside

    def _switched_on(self, boot: int | None) -> Device:
        kind, firmware, capabilities, source = self._made
        number = _fresh_boot() if boot is None else boot
        return Device(kind, firmware, number, room=_ROOM, capabilities=capabilities, source=source, log=self._log)

    def _now(self) -> int:
        """The device's own clock: milliseconds since it was first switched on."""
        return (time.monotonic_ns() - self._started) // 1_000_000

    def _report(self, kind: int, payload: bytes) -> tuple[int, int]:
        """Send a frame until it is acknowledged; its `(boot, seq)`. The caller holds `_changed`."""
        seq = self._device.report(kind, payload, self._now())
        if seq is None:
            raise OverflowError(f"{self!r}: {_ROOM} frames wait; let a host read them")
        return self._device.boot, seq

    def _set_cable(self, plugged: bool) -> None:
        """Let the thread, which alone waits on the line, plug or unplug, and wait until it has."""
        with self._changed:
            self._cable = plugged
            self._wake()
            self._changed.wait_for(lambda: self.plugged == self._cable or self._closing)

    def _fit_cable(self) -> None:
        if self._cable and not self.plugged:
            self._line.plug()
            self._device.greet()
            self._changed.notify_all()
        elif self.plugged and not self._cable:
            self._line.unplug()
            self._changed.notify_all()

    def _wake(self) -> None:
        try:
            os.write(self._wake_w, b"\x00")
        except BlockingIOError:
            return  # enough wake-ups wait there already

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._closing:
                    return
                self._fit_cable()
                timeout_ms = self._transmit() if self.plugged else None
                waiter = select.poll()
                waiter.register(self._wake_r, select.POLLIN)
                if self._line.fd is not None:
                    waiter.register(self._line.fd, select.POLLIN)
            ready = [fd for fd, _ in waiter.poll(timeout_ms)]
            if self._wake_r in ready:
                os.read(self._wake_r, 4096)
            if self._line.fd in ready:
                self._receive()

    def _transmit(self) -> int | None:
        """Write what is due; the milliseconds until more is due, None: when something happens."""
        now = self._now()
        first = self._device.oldest
        data = self._device.transmit(now)
        if data and first is not None and first not in self.sent_at:  # the host may read it before `write` returns
            self.sent_at[first] = time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1e6
        if data and self._drops:
            self._drops -= 1
        else:
            self._line.write(data)
        wake_at = self._device.wake_at()
        return None if wake_at is None else max(0, wake_at - now)

    def _receive(self) -> None:
        with self._changed:
            for frame in self._device.receive(self._line.read(), self._now()):
                try:
                    self._obey(frame)
                except ValueError:
                    continue  # a command that cannot be read is none
            self._changed.notify_all()

    def _obey(self, frame: Frame) -> None:
        if frame.kind == LAMP:
            number, red, green, blue, blinking = payloads.read_lamp(frame.payload)
            self.lamps[number] = (red, green, blue, blinking)
        else:
            self.sounds.append(payloads.read_sound(frame.payload))


def _fresh_boot() -> int:
    return random.SystemRandom().randrange(1, 2**32)
