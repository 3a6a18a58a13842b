"""Child processes of a simulated room: started, watched, started again when they die, and stopped together.

A child dies with its parent, however the parent ends (`PR_SET_PDEATHSIG`), and hears nothing of the parent's
Ctrl-C (a session of its own): the parent stops its children in the order it wants.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

log = logging.getLogger(__name__)

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)

SHORTEST_BACKOFF_S = 0.3
LONGEST_BACKOFF_S = 5.0
LIVED_LONG_S = 10.0  # a child that lived this long starts again with the shortest backoff
STOP_PATIENCE_S = 4.0


@dataclass(frozen=True, kw_only=True)
class ChildSpec:
    """One process: `argv` with its output appended to `log_file`.

    `talks` gives it a pipe on stdin and stdout; `on_line` then hears each line that it prints.
    """

    name: str
    argv: tuple[str, ...]
    log_file: Path
    talks: bool = False
    on_line: Callable[[bytes], None] | None = None
    first_backoff_s: float = SHORTEST_BACKOFF_S
    longest_backoff_s: float = LONGEST_BACKOFF_S
    stops_last: bool = False  # others say goodbye through it


@dataclass
class _Running:
    process: subprocess.Popen[bytes]
    began: float
    reader: threading.Thread | None = None

    def close_pipes(self) -> None:
        """After its end: what it still said has been heard."""
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # it ended before it read its last line
                self.process.stdin.close()
        if self.reader is not None:
            self.reader.join(timeout=STOP_PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()


@dataclass
class _Watched:
    spec: ChildSpec
    running: _Running | None = None
    backoff_s: float = SHORTEST_BACKOFF_S
    start_at: float = 0.0
    starts: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Supervisor:
    """Keeps every child of `specs` alive between `start()` and `stop()`; a context manager.

    Children start in the order given. `starts(name)` says how often one was started.
    """

    def __init__(self, specs: Sequence[ChildSpec]) -> None:
        self._children = {spec.name: _Watched(spec, backoff_s=spec.first_backoff_s) for spec in specs}
        self._stopping = threading.Event()
        # PR_SET_PDEATHSIG watches the *thread* that forked, so one thread forks all of them and outlives them.
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    def __enter__(self) -> Supervisor:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ask every child to end, last started first; kill what has not ended after a few seconds."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=STOP_PATIENCE_S * 3)

    def kill(self, name: str, *, sig: int = signal.SIGKILL) -> bool:
        """Send `sig` to a child; it is started again. False when it is not running just now."""
        child = self._children[name]
        with child.lock:
            if child.running is None or child.running.process.poll() is not None:
                return False
            child.running.process.send_signal(sig)
            return True

    def tell(self, name: str, line: bytes) -> bool:
        """Write a line to the stdin of a child that `talks`. False when it is not there to hear it."""
        child = self._children[name]
        with child.lock:
            if child.running is None or child.running.process.stdin is None:
                return False
            try:
                child.running.process.stdin.write(line.rstrip(b"\n") + b"\n")
                child.running.process.stdin.flush()
            except OSError:  # it has just died
                return False
            return True

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._children)

    def pid(self, name: str) -> int:
        """The process that a child is now; 0 where it is not running."""
        running = self._children[name].running
        return running.process.pid if running is not None else 0

    def starts(self, name: str) -> int:
        return self._children[name].starts

    # ------------------------------------------------------------------------------- the watching thread

    def _watch(self) -> None:
        try:
            while not self._stopping.wait(0.05):
                for child in self._children.values():
                    self._look_after(child)
        finally:
            self._stop_all()

    def _look_after(self, child: _Watched) -> None:
        now = time.monotonic()
        with child.lock:
            if child.running is not None:
                status = child.running.process.poll()
                if status is None:
                    return
                self._bury(child, status, now)
            if now >= child.start_at:
                child.running = _spawn(child.spec, now)
                child.starts += 1

    def _bury(self, child: _Watched, status: int, now: float) -> None:
        assert child.running is not None
        lived = now - child.running.began
        first = child.spec.first_backoff_s
        child.backoff_s = (
            first if lived >= LIVED_LONG_S else min(child.backoff_s * 2, child.spec.longest_backoff_s)
        )
        child.start_at = now + (first if lived >= LIVED_LONG_S else child.backoff_s)
        log.warning(
            "%s ended (%s) after %.1f s; its log is %s", child.spec.name, _why(status), lived, child.spec.log_file
        )
        child.running.close_pipes()
        child.running = None

    def _stop_all(self) -> None:
        for last in (False, True):
            _end(
                [
                    child.running
                    for child in reversed(self._children.values())
                    if child.running is not None and child.spec.stops_last is last
                ]
            )


def _end(children: Sequence[_Running]) -> None:
    """Ask every one to end; kill what has not after a few seconds."""
    deadline = time.monotonic() + STOP_PATIENCE_S
    for child in children:
        if child.process.poll() is None:
            child.process.terminate()
    for child in children:
        try:
            child.process.wait(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.process.kill()
            child.process.wait()
        child.close_pipes()


def _spawn(spec: ChildSpec, now: float) -> _Running:
    parent = os.getpid()

    def die_with_parent() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died between fork and prctl
            os._exit(1)

    pipe = subprocess.PIPE if spec.talks else subprocess.DEVNULL
    with spec.log_file.open("ab") as log_file:
        process = subprocess.Popen(
            spec.argv,
            stdin=pipe,
            stdout=pipe if spec.talks else log_file,
            stderr=log_file,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
    reader = None
    if process.stdout is not None:
        heard = spec.on_line or _unheard
        reader = threading.Thread(
            target=_read_lines, args=(process.stdout, heard), name=f"{spec.name} stdout", daemon=True
        )
        reader.start()
    return _Running(process, now, reader)


def _read_lines(stream: IO[bytes], on_line: Callable[[bytes], None]) -> None:
    for line in stream:
        on_line(line)


def _unheard(_line: bytes) -> None:
    """Nobody listens, but the child must not wait for that."""


def _why(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"
