"""Writes the public page into its folder and runs the venue's command, in a thread of its own.

Only the newest page counts. Each file is whole at each moment. What fails is said and tried again, after pauses
that grow; the station goes on meanwhile. Nothing is read from the web host.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from display.language import ENGLISH
from display.public_page import LOGO, OLD_S, STATIC, Room, public_files
from feltwire.config import PublicPageConfig
from feltwire.private_files import sync_folder
from feltwire.runtime.static_files import TYPEFACE, static_of
from feltwire.station.station_io import PublicPageMade, PublicPageSeen
from supervised.thread import SupervisedThread

FIRST_PAUSE_S, LONGEST_PAUSE_S = 5.0, 300.0
_LOOK_S = 0.1  # between two looks at a command that runs
_MOST_SAID = 160  # characters of what a command says
_MODE, _FOLDER_MODE = 0o644, 0o755  # a web server reads them as another user
_TEMPORARY = ".feltwire-new"
_NOT_FOR_CHILDREN = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")


class PushFailed(Exception):
    """Why the page is not where people read it, in words for the director."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the page goes. `own` is the folder where only a command is set; the rest is the room's."""

    config: PublicPageConfig
    own: Path
    title: str
    zone: str
    language: str = ENGLISH

    @property
    def folder(self) -> Path:
        return Path(self.config.folder) if self.config.folder else self.own


class PagePusher:
    """`say` takes what became of a page, from this thread. `pause_s`: after the first failure."""

    def __init__(
        self, place: Place, say: Callable[[PublicPageSeen], object], *, pause_s: float = FIRST_PAUSE_S
    ) -> None:
        self._place = place
        self._say = say
        self._first_pause_s = self._pause_s = pause_s
        self._newest: PublicPageMade | None = None
        self._static = dict(static_of({**STATIC, **TYPEFACE}))
        self._written: dict[str, bytes] = {}
        self._came = threading.Condition()
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, "public page", stopping=self._stopping, failed=self._fault)
        self._thread.start()

    def take(self, made: PublicPageMade) -> None:
        """The newest page; one that waits is overtaken."""
        with self._came:
            self._newest = made
            self._came.notify()

    def close(self) -> None:
        """A command that runs is ended."""
        self._stopping.set()
        with self._came:
            self._came.notify()
        self._thread.join(10)

    def _run(self) -> None:
        while (made := self._next()) is not None:
            try:
                self._push(made)
            except PushFailed as failed:
                self._say(PublicPageSeen(f"{failed} It is tried again in {self._pause_s:.0f} s."))
                self._wait_and_try_again(made)
            else:
                self._pause_s = self._first_pause_s
                self._say(PublicPageSeen())

    def _next(self) -> PublicPageMade | None:
        with self._came:
            self._came.wait_for(lambda: self._newest is not None or self._stopping.is_set())
            made, self._newest = self._newest, None
            return None if self._stopping.is_set() else made

    def _wait_and_try_again(self, made: PublicPageMade) -> None:
        self._stopping.wait(self._pause_s)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        with self._came:
            self._newest = self._newest or made

    def _fault(self) -> None:
        self._say(PublicPageSeen("A fault of the program; its log says where."))

    # ------------------------------------------------------------------------------------- files

    def _push(self, made: PublicPageMade) -> None:
        place = self._place
        fresh_s = max(OLD_S, 3 * place.config.every_s)
        room = Room(place.title, made.wall, made.live, place.zone, place.language, made.look, fresh_s=fresh_s)
        try:
            self._write(self._static | public_files(room, made.contents))
        except OSError as error:
            raise PushFailed(f"{error.filename or place.folder}: {error.strerror}.") from error
        if place.config.command:
            self._command()

    def _write(self, files: Mapping[str, bytes]) -> None:
        """What differs from what lies there, pages last: what they name is there already. Raise `OSError`."""
        folder = self._place.folder
        _make_folder(folder)
        for name, content in sorted(files.items(), key=lambda one: one[0].endswith(".html")):
            path = folder / name
            if self._written.get(name) == content and path.exists():
                continue
            _make_folder(path.parent)
            _replace(path, content)
            self._written[name] = content
        if LOGO not in files:
            (folder / LOGO).unlink(missing_ok=True)
            self._written.pop(LOGO, None)

    # ------------------------------------------------------------------------------------- command

    def _command(self) -> None:
        """Raise `PushFailed` for one that fails, or that does not end in time."""
        command = [part.replace("{folder}", str(self._place.folder)) for part in self._place.config.command]
        environment = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_CHILDREN}
        with tempfile.TemporaryFile() as said:
            try:
                running = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=said,
                    cwd=self._place.folder,
                    env=environment,
                    start_new_session=True,
                )
            except OSError as error:
                raise PushFailed(f"The command {command[0]} does not begin: {error.strerror}.") from error
            ended = self._ended(running)
            if self._stopping.is_set() and ended is None:
                return
            if ended is None:
                limit = self._place.config.limit_s
                raise PushFailed(f"The command {command[0]} took longer than {limit} s and was ended.")
            if ended:
                raise PushFailed(f"The command {command[0]} failed with status {ended}{_last_words(said)}.")

    def _ended(self, running: subprocess.Popen[bytes]) -> int | None:
        """Its status; None for one that was ended because it took too long, or because the station ends."""
        until = time.monotonic() + self._place.config.limit_s
        try:
            while time.monotonic() < until and not self._stopping.is_set():
                with suppress(subprocess.TimeoutExpired):
                    return running.wait(_LOOK_S)
            return None
        finally:
            with suppress(ProcessLookupError):  # its children, too
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def _last_words(said: IO[bytes]) -> str:
    """`: its last line`, without what does not print; empty where it said nothing."""
    said.seek(0, os.SEEK_END)
    said.seek(max(0, said.tell() - 4_096))
    lines = [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]
    words = "".join(one for one in (lines[-1] if lines else "") if one.isprintable()).strip(" .")
    return f": {words[:_MOST_SAID]}" if words else ""


def _make_folder(folder: Path) -> None:
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(exist_ok=True)
        missing.chmod(_FOLDER_MODE)


def _replace(path: Path, content: bytes) -> None:
    """Write a file that everybody may read: it is the old one or the new one, whole, also after a power cut."""
    fresh = path.with_name(f"{path.name}{_TEMPORARY}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "wb") as file:
        try:
            file.write(content)
            os.fchmod(file.fileno(), _MODE)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
    fresh.replace(path)
    sync_folder(path.parent)
