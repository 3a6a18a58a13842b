"""A table's end of a driver: what it was told, in order; it acknowledges unless it is told to hold back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from firmware_bridge.drivers.interface import Driver
from firmware_bridge.reports import Report
from table_core.messages import DeviceState
from tests.firmware_bridge.conftest import PATIENCE


class Listening:
    """A `Listener`; `driver` is set by whoever makes the driver, and `check`, which raises where the device has
    ended. `reports` has each report once."""

    def __init__(self, *, acknowledges: bool = True) -> None:
        self.driver: Driver | None = None
        self.check: Callable[[], None] = lambda: None
        self.acknowledges = acknowledges
        self.named: dict[tuple[int, int], Report] = {}
        self.said: list[tuple[int, int]] = []
        self.states: list[tuple[DeviceState, str]] = []
        self.texts: list[str] = []
        self.lost_counts: list[int] = []
        self._news = threading.Condition()

    @property
    def reports(self) -> list[Report]:
        return list(self.named.values())

    def wait(self, fact: Callable[[], bool]) -> None:
        """Wait for a fact, of what was heard or of the device: the latter tells nobody, it is looked at. It fails
        when for long nothing new was heard."""
        heard, end = (-1, -1), 0.0
        with self._news:
            while not fact():
                self.check()
                if heard != (len(self.named), len(self.states)):
                    heard = len(self.named), len(self.states)
                    end = time.monotonic() + PATIENCE
                assert time.monotonic() < end, f"{self.states[-3:]}, {len(self.named)} reports, {self.said[-3:]}"
                self._news.wait(0.02)

    def report(self, boot: int, seq: int, report: Report) -> None:
        with self._news:
            self.named.setdefault((boot, seq), report)
            self.said.append((boot, seq))
            self._news.notify_all()
        if self.acknowledges and self.driver is not None:
            self.driver.acknowledge(boot, seq)

    def state(self, state: DeviceState, detail: str) -> None:
        with self._news:
            self.states.append((state, detail))
            self._news.notify_all()

    def bytes(self, text: str) -> None:
        with self._news:
            self.texts.append(text)
            self._news.notify_all()

    def lost(self, count: int) -> None:
        self.lost_counts.append(count)
