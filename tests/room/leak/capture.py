"""Everything that was read, each different thing once, with the time when it was first read."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Captured:
    """`stream` is where it was read: `mqtt fw/demo/…`, `GET table-01 /api/…`, `file data/…`."""

    stream: str
    at: int  # boot time in ms
    data: bytes


class Capture:
    """Thread-safe; counts every byte, keeps each content of a stream once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: set[bytes] = set()
        self.kept: list[Captured] = []
        self.bytes = 0
        self.readings: Counter[tuple[str, str]] = Counter()  # (who, stream)

    def add(self, who: str, stream: str, data: bytes, at: int | None = None) -> None:
        at = now_ms() if at is None else at
        key = sha256(stream.encode() + b"\0" + data).digest()
        with self._lock:
            self.bytes += len(data)
            self.readings[who, stream] += 1
            if key not in self._seen:
                self._seen.add(key)
                self.kept.append(Captured(stream, at, data))

    @property
    def streams(self) -> set[str]:
        return {stream for _, stream in self.readings}

    def streams_of(self, who: str) -> set[str]:
        return {stream for reader, stream in self.readings if reader == who}


def now_ms() -> int:
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
