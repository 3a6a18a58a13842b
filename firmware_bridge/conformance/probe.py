"""One end of a serial line with a clock: what was said, what came, and when. It acknowledges only what it is told
to."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from firmware_bridge.frames import ACK, HELLO_REQUEST, Decoder, Frame, encode


class Port(Protocol):
    """What pyserial's ports have."""

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int) -> bytes: ...
    def write(self, data: bytes) -> object: ...


class Came(NamedTuple):
    at: float  # seconds of this machine's clock
    frame: Frame


class Probe:
    """`came` is everything that the device has said, in order. `port.read` waits for a moment at most."""

    def __init__(self, port: Port, clock: Callable[[], float] = time.monotonic) -> None:
        self.came: list[Came] = []
        self.clock = clock
        self._port = port
        self._decoder = Decoder()

    def say(self, data: bytes) -> None:
        self._port.write(data)

    def ask(self) -> None:
        """HELLO_REQUEST, with a zero in front: half a frame may lie on the line."""
        self.say(b"\x00" + encode(HELLO_REQUEST, 0, 0))

    def acknowledge(self, frame: Frame) -> None:
        self.say(encode(ACK, frame.boot, frame.seq))

    def listen(self, seconds: float, until: Callable[[Came], bool] = lambda _: False) -> list[Came]:
        """What comes within `seconds`; no longer than to the first that is as `until` says."""
        start, end = len(self.came), self.clock() + seconds
        while self.clock() < end:
            data = self._port.read(1)
            if data:
                data += self._port.read(self._port.in_waiting)
            now = self.clock()
            fresh = [Came(now, frame) for frame in self._decoder.feed(data)]
            self.came += fresh
            if any(until(came) for came in fresh):
                break
        return self.came[start:]

    def first(self, seconds: float, kind: int) -> Came | None:
        """The next frame of a kind, None where none comes within `seconds`."""
        found = self.listen(seconds, lambda came: came.frame.kind == kind)
        return next((came for came in found if came.frame.kind == kind), None)

    def report(self, seconds: float) -> Came | None:
        """The next report."""
        found = self.listen(seconds, is_report)
        return next((came for came in found if is_report(came)), None)


def is_report(came: Came) -> bool:
    return 0x10 <= came.frame.kind < 0x80
