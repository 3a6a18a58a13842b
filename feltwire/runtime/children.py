"""Child processes of a room on one machine: started, watched, started again when they die, and stopped together.

A child dies with its parent, however the parent ends (`PR_SET_PDEATHSIG`, on Linux), and hears nothing of the
parent's Ctrl-C (a session of its own): the parent stops its children in the order it wants. When one ends by
itself the log says so, with the last line that it wrote and how often that has happened in a row. A process of
ours says that it gets on (`feltwire/runtime/notify.py`); one that does not for long is ended and started again.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from supervised.thread import SupervisedThread

log = logging.getLogger(__name__)

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None

SHORTEST_BACKOFF_S = 0.3
LONGEST_BACKOFF_S = 5.0
LIVED_LONG_S = 10.0  # a child that lived this long starts again with the shortest backoff
STOP_PATIENCE_S = 4.0
LOOK_S = 0.05
STOOD_STILL_S = 2.0  # between two looks: then the supervisor itself did not run
NOTICE_BYTES = 4_096
LAST_LINE_BYTES = 4_000  # of a log, in which its last line is looked for


@dataclass(frozen=True, kw_only=True)
class ChildSpec:
    """One process: `argv` with its output appended to `log_file`.

    `talks` gives it a pipe on stdin and stdout; `on_line` then hears each line that it prints. With
    `hangs_after_s` it says that it is ready and gets on, as to systemd; 0: it is not watched.
    """

    name: str
    argv: tuple[str, ...]
    log_file: Path
    talks: bool = False
    on_line: Callable[[bytes], None] | None = None
    first_backoff_s: float = SHORTEST_BACKOFF_S
    longest_backoff_s: float = LONGEST_BACKOFF_S
    stops_last: bool = False  # others say goodbye through it
    hangs_after_s: float = 0.0


@dataclass
class _Running:
    process: subprocess.Popen[bytes]
    began: float
    log_from: int  # where in its log file what it writes begins
    reader: SupervisedThread | None = None
    notices: socket.socket | None = None  # what it says of itself
    got_on_at: float = 0.0
    ready: bool = False
    aborted_at: float = 0.0  # it was told to end because it hung; 0: it was not

    def hear(self, now: float) -> None:
        """Read what it said since the last look."""
        while self.notices is not None:
            try:
                lines = self.notices.recv(NOTICE_BYTES).split(b"\n")
            except BlockingIOError:
                return
            self.got_on_at = now
            self.ready = self.ready or b"READY=1" in lines

    def close_pipes(self) -> None:
        """After its end: what it still said has been heard."""
        if self.notices is not None:
            self.notices.close()
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
    short_lives: int = 0  # in a row
    called_back: bool = False  # it was told to end and start again
    lock: threading.Lock = field(default_factory=threading.Lock)


class Supervisor:
    """Keeps every child of `specs` alive between `start()` and `stop()`; a context manager.

    Children start in the order given. `starts(name)` says how often one was started.
    """

    def __init__(self, specs: Sequence[ChildSpec]) -> None:
        self._children = {spec.name: _Watched(spec, backoff_s=spec.first_backoff_s) for spec in specs}
        self._stopping = threading.Event()
        # PR_SET_PDEATHSIG watches the *thread* that forked, so one thread forks all of them and outlives them.
        self._thread = SupervisedThread(self._watch, "supervisor", stopping=self._stopping)

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

    def restart(self, name: str) -> None:
        """Have a child end and start again: it reads its settings anew. That is no fault, and not said as one."""
        child = self._children[name]
        with child.lock:
            if child.running is not None:
                child.called_back = True
                child.running.process.terminate()

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

    def ready(self, name: str) -> bool:
        """Whether a child that is watched says that it has started."""
        running = self._children[name].running
        return running is not None and running.ready

    def starts(self, name: str) -> int:
        return self._children[name].starts

    # ------------------------------------------------------------------------------- the watching thread

    def _watch(self) -> None:
        looked_at = time.monotonic()
        try:
            while not self._stopping.wait(LOOK_S):
                before, looked_at = looked_at, time.monotonic()
                self._forgive(looked_at - before)
                for child in self._children.values():
                    self._look_after(child)
        finally:
            if self._stopping.is_set():  # else the thread begins again, and the children have gone on meanwhile
                self._stop_all()

    def _forgive(self, seconds: float) -> None:
        """After a stop of this process itself, as when a laptop is closed or a virtual machine is paused, no child
        hangs: it stood still as well, or said what nobody heard."""
        if seconds < STOOD_STILL_S:
            return
        for child in self._children.values():
            if child.running is not None:
                child.running.got_on_at += seconds

    def _look_after(self, child: _Watched) -> None:
        now = time.monotonic()
        with child.lock:
            if child.running is not None:
                status = child.running.process.poll()
                if status is None:
                    _watch_over(child.spec, child.running, now)
                    return
                self._bury(child, status, now)
            if now >= child.start_at:
                child.running = _spawn(child.spec, now)
                child.starts += 1

    def _bury(self, child: _Watched, status: int, now: float) -> None:
        assert child.running is not None
        if child.called_back:
            child.running.close_pipes()
            child.running, child.called_back, child.start_at = None, False, now
            return
        spec, lived = child.spec, now - child.running.began
        if lived >= LIVED_LONG_S:
            child.backoff_s, child.short_lives = spec.first_backoff_s, 0
        else:
            child.backoff_s, child.short_lives = (
                min(child.backoff_s * 2, spec.longest_backoff_s),
                child.short_lives + 1,
            )
        child.start_at = now + child.backoff_s
        child.running.close_pipes()
        again = f", {child.short_lives} times in a row" if child.short_lives > 1 else ""
        said = _last_line(spec.log_file, child.running.log_from)
        log.warning(
            "%s ended (%s) after %.1f s%s%s; its log is %s",
            *(spec.name, _why(status), lived, again, said and f": {said}", spec.log_file),
        )
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


def _watch_over(spec: ChildSpec, running: _Running, now: float) -> None:
    """End a child that hangs: first so that it can still say where, then at once."""
    running.hear(now)
    if running.notices is None or now - running.got_on_at < spec.hangs_after_s:
        return
    if not running.aborted_at:
        log.warning("%s has not got on for %.0f s: it is ended", spec.name, now - running.got_on_at)
        running.aborted_at = now
        running.process.send_signal(signal.SIGABRT)
    elif now - running.aborted_at >= STOP_PATIENCE_S:
        running.process.kill()


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
        if _libc is None:
            return
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died between fork and prctl
            os._exit(1)

    # Not the one of this process's own supervisor.
    environment = {name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"}
    notices = _notices() if spec.hangs_after_s else None
    if notices is not None:
        environment["NOTIFY_SOCKET"] = f"@{notices.getsockname()[1:].decode()}"
    pipe = subprocess.PIPE if spec.talks else subprocess.DEVNULL
    with spec.log_file.open("ab") as log_file:
        log_from = log_file.tell()
        process = subprocess.Popen(
            spec.argv,
            stdin=pipe,
            stdout=pipe if spec.talks else log_file,
            stderr=log_file,
            env=environment,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
    reader = None
    if process.stdout is not None:
        heard = spec.on_line or _unheard
        said = process.stdout
        reader = SupervisedThread(lambda: _read_lines(said, heard), f"{spec.name} stdout")
        reader.start()
    return _Running(process, now, log_from, reader, notices, now)


def _notices() -> socket.socket | None:
    """A socket with a name that the kernel chose; None where it chooses none (Linux alone does)."""
    if sys.platform != "linux":
        return None
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
    notices.setblocking(False)
    notices.bind("")
    return notices


def _read_lines(stream: IO[bytes], on_line: Callable[[bytes], None]) -> None:
    for line in stream:
        on_line(line)


def _unheard(_line: bytes) -> None:
    """Nobody listens, but the child must not wait for that."""


def _last_line(file: Path, since: int) -> str:
    """The last line of `file` behind byte `since`, without what a terminal acts on; empty where there is none."""
    with file.open("rb") as opened:
        opened.seek(max(since, file.stat().st_size - LAST_LINE_BYTES))
        lines = opened.read().decode("utf-8", "replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return "".join(letter if letter.isprintable() else " " for letter in last).strip()


def _why(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"
