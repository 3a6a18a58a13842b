"""What may go out of the delay box now. No I/O but the ring's; boot time.

A piece goes out when the delay has passed since it arrived, and never before; where it could not go out in time
it does not go out at all. Nothing else here looks at a picture.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from table_core.messages import Millis

LATE_MS = 500  # what is due since longer is left out: the picture is on time, or none is there
MINUTE_MS = 60_000
SETTLES_MS = 500  # from the first bytes of a source on: those come late, out of the probe of its format


class Store(Protocol):
    """Pieces, oldest first (`Ring`)."""

    def new_run(self) -> None: ...
    def put(self, arrived: Millis, data: bytes) -> bool: ...
    def oldest(self) -> Millis | None: ...
    def drop(self) -> None: ...
    def pop(self) -> tuple[int, bytes] | None: ...


class Piece(NamedTuple):
    """What goes out. Within a `run` nothing is missing."""

    run: int
    data: bytes


def wait_of(delay: Millis | None, floor: Millis | None, latency: int) -> Millis | None:
    """How long a piece waits from its arrival on. `delay` is how far what is on air lies back from the moment
    that the camera saw; what the camera and its line took, `latency`, is off that wait, but for the floor. None:
    nothing goes out.

    >>> wait_of(1_800_000, 1_200_000, 300), wait_of(600_000, 1_200_000, 300), wait_of(None, 1_200_000, 0)
    (1799700, 1200000, None)
    """
    if delay is None or floor is None:
        return None
    return Millis(max(delay - latency, floor))


class DelayLine:
    """Pieces wait here. From any thread; `wait` is None while nothing may go out."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._wait: Millis | None = None
        self._run = 0  # of what goes out
        self._stored_run: int | None = None
        self._last = Millis(0)  # arrival
        self._settled_at: Millis | None = None
        self.late = 0  # pieces that were left out
        self._slowest = (0, 0, 0)  # minute, in it, and in the one before: how late a piece went out, at most

    @property
    def wait(self) -> Millis | None:
        return self._wait

    def set_wait(self, wait: Millis | None) -> None:
        with self._lock:
            self._wait = wait

    def new_run(self) -> None:
        """The source begins anew."""
        self._store.new_run()
        self._settled_at = None

    def arrive(self, now: Millis, data: bytes) -> bool:
        """Keep what just arrived; False where it is lost."""
        if self._settled_at is None:
            self._settled_at = Millis(now + SETTLES_MS)
        if now < self._settled_at:
            return True
        self._last = max(self._last, now)
        return self._store.put(self._last, data)

    def due(self, now: Millis) -> Iterator[Piece]:
        """Take what goes out now, in order."""
        while True:
            with self._lock:
                arrived, wait = self._store.oldest(), self._wait
                if arrived is None or wait is None or now < arrived + wait:
                    return
                if now > arrived + wait + LATE_MS:
                    self._store.drop()
                    self.late += 1
                    self._stored_run = None
                    continue
                self._note(now, now - arrived - wait)
                found = self._store.pop()
            if found is None:
                self._stored_run = None
                continue
            run, data = found
            if run != self._stored_run:
                self._stored_run = run
                self._run += 1
            yield Piece(self._run, data)

    def _note(self, now: Millis, late: int) -> None:
        minute, slowest, before = self._slowest
        if now // MINUTE_MS != minute:
            minute, slowest, before = now // MINUTE_MS, 0, slowest
        self._slowest = (minute, max(slowest, late), before)

    def slowest(self, now: Millis) -> Millis:
        """How long after its time a piece went out, at most, in this minute and the last one."""
        minute, slowest, before = self._slowest
        if now // MINUTE_MS > minute + 1:
            return Millis(0)
        return Millis(slowest if now // MINUTE_MS > minute else max(slowest, before))

    def next_due(self) -> Millis | None:
        """When the oldest piece goes out; None where nothing waits or nothing may go out."""
        arrived, wait = self._store.oldest(), self._wait
        return None if arrived is None or wait is None else Millis(arrived + wait)
