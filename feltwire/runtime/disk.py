"""The disk of a process: what must be on it before the process goes on; what is said while it fails or is slow."""

from __future__ import annotations

import contextlib
import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator

from feltwire.ledger.store import LedgerError
from supervised.thread import SupervisedThread

log = logging.getLogger(__name__)

SLOW_S = 1.0  # an operation that takes longer is said while it lasts
LOOK_S = 0.25
AGAIN_S = 1.0  # between two attempts
LATELY_S = 60.0


class Disk:
    """`say(why)` is called, from any thread, when nothing can be recorded, `over()` when recording goes on,
    `alive()` with each attempt that failed."""

    def __init__(
        self, say: Callable[[str], None], over: Callable[[], None], alive: Callable[[], None] = lambda: None
    ) -> None:
        self._say, self._over, self._alive = say, over, alive
        self._lock = threading.Lock()
        self._since: float | None = None  # when the operation under way began
        self._why = ""  # what was said
        self._took: deque[tuple[float, float]] = deque()  # when an operation ended and how long it took
        self._stopping = threading.Event()
        self._watch = SupervisedThread(self._look, "disk", stopping=self._stopping)
        self._watch.start()

    def close(self) -> None:
        """Give up what is being tried; the operation raises its error."""
        self._stopping.set()

    def must(self, do: Callable[[], None], make_room: Callable[[], None] | None = None) -> None:
        """Carry out `do`; where the disk refuses it, say why and try again until it takes it. `make_room` is tried
        after the first refusal. Raise `LedgerError` only once the process stops."""
        for failed in itertools.count():
            try:
                with self.watched():
                    do()
            except LedgerError as error:
                if failed % 2 == 0 and make_room is not None:
                    with contextlib.suppress(LedgerError):
                        make_room()
                    continue
                self._stuck(str(error))
                self._alive()  # the disk is tried again: nothing hangs
                if self._stopping.wait(AGAIN_S):
                    raise
            else:
                return

    @contextlib.contextmanager
    def watched(self, slow: Callable[[float], object] | None = None) -> Iterator[None]:
        """Say so while the block takes long; `slow(seconds)` when it was done after all."""
        began = time.monotonic()
        with self._lock:
            self._since = began
        try:
            yield
        finally:
            with self._lock:
                self._since = None
        self._unstuck()
        took = (ended := time.monotonic()) - began
        with self._lock:
            self._forget_before(ended - LATELY_S)
            while self._took and self._took[-1][1] <= took:
                self._took.pop()  # it is not the longest while this one counts
            self._took.append((ended, took))
        if took >= SLOW_S:
            log.warning("the disk took %.1f s to record: it may be failing (docs/storage.md)", took)
            if slow is not None:
                slow(took)

    @property
    def why(self) -> str:
        """Why nothing can be recorded at present; empty where it can."""
        return self._why

    def longest_s(self) -> float:
        """Seconds that the slowest operation of the last minute took, to the millisecond; from any thread."""
        with self._lock:
            self._forget_before(time.monotonic() - LATELY_S)
            return round(self._took[0][1], 3) if self._took else 0.0

    def _forget_before(self, then: float) -> None:
        while self._took and self._took[0][0] < then:
            self._took.popleft()

    def _look(self) -> None:
        """While an operation takes long, say it."""
        while not self._stopping.wait(LOOK_S):
            with self._lock:  # else the operation could end, and be said to be over, before this is said
                waited = 0.0 if self._since is None else time.monotonic() - self._since
                if waited >= SLOW_S:
                    self._stuck("the disk does not answer")

    def _stuck(self, why: str) -> None:
        if why != self._why:
            self._why = why
            log.error("nothing can be recorded: %s", why)
            self._say(why)

    def _unstuck(self) -> None:
        if self._why:
            self._why = ""
            log.warning("recording goes on")
            self._over()
