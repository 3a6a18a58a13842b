"""Threads that no exception ends unseen.

Every thread that a process of a venue starts is a `SupervisedThread`. An exception in it is counted, logged by its
place in the code and told to whoever owns the thread; then the thread begins again, after a growing pause. The
exception's text is written nowhere: it may quote its input, and a shoe's bytes are cards.

>>> stopping = threading.Event()
>>> thread = SupervisedThread(lambda: None, "disk", stopping=stopping)
>>> thread.start(); thread.join(5); thread.faults
0
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import traceback
from collections.abc import Callable

log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 30.0
WELL_S = 60.0  # what has run so long begins again at once


def where(error: BaseException) -> str:
    """The kind of an exception and the lines of code that led to it, without its text."""
    return f"{type(error).__name__}\n{''.join(traceback.format_tb(error.__traceback__))}"


class SupervisedThread:
    """Runs `run` in a daemon thread until it returns. `failed` is called, from that thread, after each exception.

    With `stopping` it begins again, until that is set; without, an exception is its end.
    """

    def __init__(
        self,
        run: Callable[[], object],
        name: str,
        *,
        stopping: threading.Event | None = None,
        failed: Callable[[], object] | None = None,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        self.name = name
        self.faults = 0
        self._do: Callable[[], object] = run
        self._stopping = stopping
        self._failed = failed
        self._first_pause_s = first_pause_s
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self, timeout: float) -> None:
        """Wait for its end, at most `timeout` seconds; not at all where it was not started or is this thread."""
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._until_it_returns()
        finally:
            # They lead back to the owner: a camera would keep its buffers until they are collected.
            self._do, self._failed = _nothing, None

    def _until_it_returns(self) -> None:
        pause_s = self._first_pause_s
        while True:
            began = time.monotonic()
            try:
                self._do()
            except BaseException as error:  # noqa: BLE001  (`SystemExit` too would end the thread without a word)
                self._note(error)
            else:
                return
            if self._stopping is None:
                return
            if time.monotonic() - began >= WELL_S:
                pause_s = self._first_pause_s
            if self._stopping.wait(pause_s):
                return
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _note(self, error: BaseException) -> None:
        self.faults += 1
        then = "it ends" if self._stopping is None else "it begins again"
        log.error("thread %s, fault %d; %s: %s", self.name, self.faults, then, where(error))
        if self._failed is not None:
            try:
                self._failed()
            except BaseException as again:  # noqa: BLE001  (whoever is told must not end it either)
                log.error("thread %s: whoever is told of it failed: %s", self.name, where(again))


def _nothing() -> None:
    pass


def guarded(call: Callable[..., None], name: str, failed: Callable[[], object]) -> Callable[..., None]:
    """`call` for a thread that is not ours, which an exception might end: noticed as in a thread of ours."""

    def careful(*given: object) -> None:
        try:
            call(*given)
        except Exception as error:  # noqa: BLE001
            log.error("%s, called from another's thread: %s", name, where(error))
            with contextlib.suppress(Exception):
                failed()

    return careful


def tell_of_others(ended: Callable[[], object]) -> None:
    """A thread that is not ours (of a driver, of a library) and ends on an exception is logged by its place, and
    `ended` is called."""

    def uncaught(raised: threading.ExceptHookArgs) -> None:
        if raised.exc_value is not None and raised.exc_type is not SystemExit:
            name = raised.thread.name if raised.thread is not None else "?"
            log.critical("thread %s ended: %s", name, where(raised.exc_value))
            ended()

    threading.excepthook = uncaught
