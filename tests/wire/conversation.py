"""A device that makes reports, a host with a ledger, and a line between them whose bytes are counted.

The host is a table's link (`firmware_bridge.link`) and its order of frames; it acknowledges what its ledger holds.
Time is milliseconds that pass when nothing else can happen.
"""

from __future__ import annotations

from collections.abc import Callable

from feltwire.lab.table.wired import StillLink
from feltwire.table.devices.frame_order import FrameOrder, FrameSequencer
from feltwire.table.table_io import FrameCame
from firmware_bridge import payloads
from firmware_bridge.device import Device
from firmware_bridge.frames import KEY
from firmware_bridge.reports import KeyDown, ReportsLost

EVENTS = 200
APART_MS = 40


class Pulled(Exception):
    """The line is broken at this byte."""


class Conversation:
    """`made(boot)` gives the device as it is after it was switched on. `breaks_at`: the byte, of both directions
    together, behind which the line breaks; None: it never does."""

    def __init__(self, made: Callable[[int], Device], breaks_at: int | None = None) -> None:
        self.ms = 0
        self.bytes = 0
        self.ledger: list[tuple[tuple[int, int], object]] = []
        self._made = made
        self._breaks_at = breaks_at
        self._boot = 1
        self._done = 0  # events that have happened
        self._taken: dict[int, set[int]] = {}
        self._order = FrameSequencer(lambda _, boot: self._taken.get(boot, set()))
        self.device = made(self._boot)
        self.link = StillLink("keypad", self._came, lambda: float(self.ms))
        self.link.plug()

    def run(self) -> None:
        """All events, and time for what is still on its way."""
        while self._done < EVENTS or self.device.waiting:
            self.turn()
            if self.ms > EVENTS * APART_MS + 20_000:
                return

    def turn(self) -> None:
        if self._done < EVENTS and self.ms >= self._done * APART_MS:
            code = self._done % 10
            self.device.expect(True)  # the contact closes, or the card comes: from here on it is an event
            self._done += 1
            self.device.report(KEY, payloads.key(code, self.ms), self.ms)
            self.device.expect(False)
        try:
            self._exchange()
        except Pulled:
            self._replug()
        self.ms += self._pause()

    def restart(self) -> None:
        """The device's power comes again."""
        self._boot += 1
        self.device = self._made(self._boot)
        self._replug()

    def made(self) -> int:
        return self._done

    def _exchange(self) -> None:
        """Bytes go over the line until neither end has anything to say."""
        while (said := self.device.transmit(self.ms)) or self.link.line.written:
            self.link.feed(self._through(said), self.ms)
            self.device.receive(self._through(self.link.line.take()), self.ms)

    def _through(self, data: bytes) -> bytes:
        self.bytes += len(data)
        if self._breaks_at is None or self.bytes <= self._breaks_at:
            return data
        over = self.bytes - self._breaks_at
        self._breaks_at = None
        self._last_words(data[: len(data) - over])
        raise Pulled

    def _last_words(self, data: bytes) -> None:
        """What still came through; whose it was shows in who can read it."""
        self.link.feed(data, self.ms)
        self.device.receive(data, self.ms)

    def _replug(self) -> None:
        self.link.unplug()
        self.link.line.take()
        self.ms += 7
        self.link.plug()
        self.device.greet()

    def _pause(self) -> int:
        """Until something can happen."""
        due = [self._done * APART_MS] if self._done < EVENTS else []
        wake = self.device.wake_at()
        due += [] if wake is None else [wake]
        return max(1, min(due, default=self.ms) - self.ms)

    def _came(self, given: object) -> None:
        if not isinstance(given, FrameCame):
            return
        order = self._order.turn(given.device, given.boot, given.seq, self.ms)  # type: ignore[arg-type]
        if order in (FrameOrder.NEW, FrameOrder.AFTER_GAP):
            self._taken.setdefault(given.boot, set()).add(given.seq)
            self.ledger.append(((given.boot, given.seq), given.report))
        if order is not FrameOrder.WAIT:
            self.link.ack(given.boot, given.seq)

    # ------------------------------------------------------------------------------------- what came of it

    def keys(self) -> list[int]:
        return [int(report.key) for _, report in self.ledger if isinstance(report, KeyDown)]

    def losses(self) -> int:
        """How many reports the device says that it lost; one where it does not know how many."""
        return sum(max(1, report.count) for _, report in self.ledger if isinstance(report, ReportsLost))
