"""Reports of a device that does not number and keep them itself: its driver does.

They are told one at a time, again each second until the table has acknowledged, the next only then. They live in
memory: what is not acknowledged when the process ends is lost, and the next process, which has another boot
number, says so.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque

from firmware_bridge.drivers.interface import Listener
from firmware_bridge.reports import Report
from supervised.thread import SupervisedThread
from table_core.messages import DeviceState

_AGAIN_S = 1.0


class Outbox:
    """`put` and `acknowledge` may be called from any thread; the listener is called from a thread of its own
    between `start` and `stop`."""

    def __init__(self, listener: Listener, name: str) -> None:
        self.boot = secrets.randbits(32) or 1
        self._listener = listener
        self._waiting: deque[tuple[int, Report]] = deque()
        self._seq = 0
        self.taken = 0  # reports that were acknowledged
        self._said = 0  # the number of the newest report that was told
        self._closing = False
        self._failing = False  # whoever is told has failed at the newest report
        self._news = threading.Condition()
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, f"outbox-{name}", stopping=self._stopping, failed=self._failed)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._news:
            self._closing = True
            self._news.notify_all()
        self._stopping.set()
        self._thread.join(5)

    def put(self, report: Report) -> None:
        with self._news:
            self._seq += 1
            self._waiting.append((self._seq, report))
            self._news.notify_all()

    def acknowledge(self, boot: int, seq: int) -> bool:
        """Whether it is the report that was told, for the first time."""
        with self._news:
            right = bool(boot == self.boot and self._waiting and self._waiting[0][0] == seq)
            if right:
                self._waiting.popleft()
                self.taken += 1
                self._news.notify_all()
            return right

    def _run(self) -> None:
        while (due := self._next()) is not None:
            self._listener.report(self.boot, *due)
            if self._failing:
                self._failing = False
                self._listener.state(DeviceState.OK, "what it tells arrives again")

    def _failed(self) -> None:
        self._failing = True
        self._listener.state(
            DeviceState.NOT_RESPONDING, "this program failed at what it tells; the log says where"
        )

    def _next(self) -> tuple[int, Report] | None:
        """Waits for what is to be told next; None: no more."""
        with self._news:
            while not self._closing:
                told_before = bool(self._waiting) and self._waiting[0][0] == self._said
                if self._waiting and not told_before:
                    break
                if not self._news.wait(_AGAIN_S if told_before else None):
                    break  # a second without its acknowledgement
            if self._closing:
                return None
            self._said = self._waiting[0][0]
            return self._waiting[0]
