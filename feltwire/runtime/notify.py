"""What a process says to systemd: that it is ready, that it gets on, that a long start needs more time.

One datagram each to the socket in `NOTIFY_SOCKET` (sd_notify(3)); without that socket nothing is said. What says
that the process gets on is the thread that drives its node: one that hangs is started again (`WatchdogSec`).
"""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import threading
import time
from collections.abc import Iterator

from supervised.thread import SupervisedThread

LOOK_S = 5.0  # between two looks at whether long work gets on
MORE_S = 60  # that a start gets from each look on
LONGEST_S = 3_600  # whatever takes longer goes round in a circle
NOTHING_S = 0.02  # of a processor, in such a while: it stands still


class Supervisor:
    """systemd, or whoever else listens at `address`; empty: nobody."""

    def __init__(self, address: str = "") -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if address else None
        if self._socket is not None:
            self._socket.setblocking(False)

    @classmethod
    def of_environment(cls) -> Supervisor:
        """The one that started this process; its children do not speak to it."""
        return cls(os.environ.pop("NOTIFY_SOCKET", ""))

    def ready(self) -> None:
        """It has started."""
        self._say("READY=1")

    def alive(self) -> None:
        """The node's thread gets on."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        self._say("STOPPING=1")

    @contextlib.contextmanager
    def long_work(self, look_s: float = LOOK_S) -> Iterator[None]:
        """A block that may take minutes: it is given the time as long as it gets on, that is as long as this
        process uses a processor or reads the disk."""
        done = threading.Event()

        def look() -> None:
            before, ends = _work(), time.monotonic() + LONGEST_S
            while not done.wait(look_s) and time.monotonic() < ends:
                now = _work()
                if now - before >= NOTHING_S:
                    self._say(f"EXTEND_TIMEOUT_USEC={MORE_S * 1_000_000}", "WATCHDOG=1")
                before = now

        if self._socket is None:
            yield
            return
        self._say(f"EXTEND_TIMEOUT_USEC={MORE_S * 1_000_000}", "WATCHDOG=1")
        watching = SupervisedThread(look, "long-work", stopping=done)
        watching.start()
        try:
            yield
        finally:
            done.set()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def _say(self, *lines: str) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it is gone, or its queue is full: it hears the next one
                self._socket.sendto("\n".join(lines).encode(), self._address)


def _work() -> float:
    """What this process has done so far: seconds of a processor, and a little for each block read."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime + used.ru_inblock * NOTHING_S
