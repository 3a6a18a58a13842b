"""Another release on this machine, and the way back (docs/decisions/0077-one-file-a-release.md).

The new program lies beside the old one before anything of a room is touched. Then a note is written, the link
`current` leads to the new one, and its services are started. Where they do not work the link leads back. The note
is there from before the link changes until all is well, so that a machine whose power went in between starts with
the program that ran before (`resume`).
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from feltwire.errors import UsageError
from feltwire.install.places import DATA
from feltwire.install.program_file import MOST_BYTES, Release, check_whole, read_release
from feltwire.install.programs import (
    install_program,
    point,
    remove,
    target,
    version_in,
)
from feltwire.install.release_keys import check_signature
from feltwire.private_files import replace, sync_folder
from feltwire.version import order_of

SENT, BACK = "feltwire.pyz", "back"
_CHUNK = 1 << 20
_OF_A_VERSION = re.compile(r"[0-9].*")  # a folder that a release made


class Running(Protocol):
    """The roles of a machine (`feltwire.install.services.Services`)."""

    def back_up(self, name: str) -> list[str]: ...
    def newly_red(self, program: Path, before: Path) -> str: ...
    def settle(self, program: Path) -> None: ...
    def restart(self) -> None: ...
    def restart_running(self) -> None: ...
    def fault(self, version: str) -> str: ...


class Programs:
    """The programs of a machine in `folder`, with the links `current` and `previous`; `say` is told each step, and
    `keys` gives and takes what it trusts."""

    def __init__(self, folder: Path, services: Running, say: Callable[[str], None], keys: Keys) -> None:
        self._folder = folder
        self._services = services
        self._say = say
        self._keys = keys
        self.current, self.previous = folder / "current", folder / "previous"
        self._note = folder / "upgrade.json"
        self._copy = folder / "upgrade.pyz"

    def running(self) -> Path:
        """Raise `UsageError` where `feltwire install` has not been here."""
        found = target(self.current)
        if found is None:
            raise UsageError(
                f"{self.current}: leads to no program; this machine is not installed: feltwire install"
            )
        return found

    # ------------------------------------------------------------------------------------- upgrade

    def upgrade(self, file: int, *, older: bool = False) -> None:
        """To the release in the open file. Raise `UsageError` for one that this machine does not take, and
        `Failed` when it went back."""
        with self._alone():
            before = self.running()
            try:
                _copied(file, self._copy)
                release = self._checked(before, older=older)
                self._say(f"{release.version}: signed by a key that this machine trusts, and whole")
                self._back_up(release.version)
                self._say(f"into {self._folder / release.version}")
                program = install_program(self._copy, release, self._folder)
            finally:
                self._copy.unlink(missing_ok=True)
            self._examine(program, before)
            self._switch(program, before)
            if release.keys:
                self._keys.replace(release.keys)
                self._say("it trusts the keys that this release names from now on")
            self._remove_old()

    def _checked(self, before: Path, *, older: bool) -> Release:
        release = read_release(self._copy)
        check_signature(release, self._keys.trusted())
        here = version_in(before)
        if here == release.version:
            raise UsageError(f"this machine has Feltwire {here} already")
        if here and not older and _order(release.version) < _order(here):
            raise UsageError(
                f"Feltwire {release.version} is older than {here}, which runs here; feltwire rollback goes back "
                "to the one before, --older takes any"
            )
        check_whole(self._copy, release)
        return release

    def _back_up(self, name: str) -> None:
        done = self._services.back_up(name)
        self._say(f"backup of {', '.join(done)}" if done else "no records yet, so no backup")

    def _examine(self, program: Path, before: Path) -> None:
        if worse := self._services.newly_red(program, before):
            if program != target(self.previous):
                remove(program)
            raise UsageError(
                f"doctor of {program.name} finds what {before.name} does not: {worse}; nothing was changed"
            )
        self._say(f"doctor of {program.name} finds nothing red that was not so before")

    # ------------------------------------------------------------------------------------- back

    def roll_back(self) -> None:
        """To the release that ran before. Raise `UsageError` where there is none or it would not work, `Failed`
        when the one that runs was kept."""
        with self._alone():
            before, program = self.running(), target(self.previous)
            if program is None or program == before or not version_in(program):
                raise UsageError(
                    "no earlier release lies on this machine; feltwire upgrade --older FILE takes one"
                )
            self._back_up(program.name)
            self._examine(program, before)
            self._switch(program, before)

    def resume(self) -> None:
        """After a power cut or a kill within an upgrade: the program that ran before is the one that runs.
        A machine that starts does not have its services started here: it does that itself."""
        with self._alone(take_back=False):
            self._take_back(start=False)
            self._services.restart_running()

    # ------------------------------------------------------------------------------------- the switch

    def _switch(self, program: Path, before: Path) -> None:
        earlier = target(self.previous)
        note = {"from": str(before), "to": str(program), "previous": str(earlier or "")}
        replace(self._note, json.dumps(note).encode())
        point(self.previous, before)  # with which a machine goes back: before the link changes
        point(self.current, program)
        self._say(f"{program.name} instead of {before.name}: its services start")
        try:
            self._services.settle(program)
            self._services.restart()
            fault = self._services.fault(version_in(program))
        except UsageError as error:
            fault = str(error)
        except BaseException:  # somebody ends the command
            self._take_back(start=True)
            raise
        if fault:
            self._say(f"{program.name} does not work here: {fault}")
            still = self._take_back(start=True)
            raise Failed(f"{fault}; {still}")
        self._end_note()
        self._say(f"{program.name} works")

    def _take_back(self, *, start: bool) -> str:
        """As the note says. What is so afterwards, in words."""
        try:
            note: Any = json.loads(self._note.read_bytes())
            before, program, earlier = (Path(note[name]) for name in ("from", "to", "previous"))
        except (OSError, ValueError, KeyError, TypeError):
            self._note.unlink(missing_ok=True)
            return "nothing was under way"
        point(self.current, before)
        said = f"back to {before.name}"
        with contextlib.suppress(UsageError):
            self._services.settle(before)
        if start:
            self._services.restart()
            fault = self._services.fault(version_in(before))
            said = f"{said}, which does not work either: {fault}" if fault else f"{said}, which works"
        if note["previous"] and earlier.is_dir() and earlier != before:
            point(self.previous, earlier)
        else:
            self.previous.unlink(missing_ok=True)
        self._end_note()
        if program not in (before, earlier):
            remove(program)
        self._say(said)
        return said

    def _end_note(self) -> None:
        self._note.unlink(missing_ok=True)
        sync_folder(self._folder)

    def _remove_old(self) -> None:
        """All but the two that the links lead to."""
        kept = {target(self.current), target(self.previous)}
        for folder in self._folder.iterdir():
            if folder not in kept and _OF_A_VERSION.fullmatch(folder.name) and (folder / "pyvenv.cfg").exists():
                remove(folder)
                self._say(f"{folder.name} is removed")

    @contextlib.contextmanager
    def _alone(self, *, take_back: bool = True) -> Iterator[None]:
        """One upgrade at a time; what one that was killed has left is taken back first."""
        try:
            handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            self.running()  # says why
            raise
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError("another upgrade is under way on this machine; wait for it") from None
            if take_back and self._note.exists():
                self._take_back(start=True)
            yield
        finally:
            os.close(handle)


class Keys(Protocol):
    """The release keys that a machine trusts."""

    def trusted(self) -> tuple[str, ...]: ...
    def replace(self, keys: tuple[str, ...]) -> None: ...


class Failed(Exception):
    """The release did not work on this machine; in words, with what runs now."""


def _order(version: str) -> tuple[int, ...]:
    found = order_of(version)
    if found is None:
        raise UsageError(f"{version!r}: is no version of Feltwire")
    return found


def _copied(file: int, to: Path) -> None:
    """For root alone, so that nobody changes it after it was checked."""
    to.unlink(missing_ok=True)
    left = MOST_BYTES
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        while chunk := os.read(file, _CHUNK):
            left -= len(chunk)
            if left < 0:
                raise UsageError(f"more than {MOST_BYTES:,} bytes, so it is no release of Feltwire")
            out.write(chunk)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[int]:
    """A release that somebody names. Raise `UsageError`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); name the file of a release") from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise UsageError(f"{path}: is no file; name the file of a release")
        yield handle
    finally:
        os.close(handle)


class Sent:
    """What the process of a role has put into its folder: a release, or that it wants to go back. That user may
    put anything there, so no link is followed, and nothing stays."""

    def __init__(self, name: str, data: Path = DATA) -> None:
        self._name = name
        self._place = data / name / "upgrade"

    @contextlib.contextmanager
    def taken(self) -> Iterator[tuple[int | None, bool]]:
        """The open file of a release, and whether to go back; both are removed from the folder."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        with contextlib.ExitStack() as open_files:
            try:
                data = os.open(self._place.parent, flags | os.O_DIRECTORY)
                open_files.callback(os.close, data)
                folder = os.open(self._place.name, flags | os.O_DIRECTORY, dir_fd=data)
                open_files.callback(os.close, folder)
            except OSError as error:
                raise UsageError(f"{self._place}: {error.strerror}; install {self._name} again") from error
            file = None
            with contextlib.suppress(OSError):
                file = os.open(SENT, flags | os.O_NONBLOCK, dir_fd=folder)
                open_files.callback(os.close, file)
            back = _unlinked(folder, BACK)
            _unlinked(folder, SENT)
            if file is not None and not stat.S_ISREG(os.fstat(file).st_mode):
                raise UsageError(f"{self._place / SENT}: is no file")
            yield file, back


def _unlinked(folder: int, name: str) -> bool:
    """Whether it was there; a folder of that name is left, so the path unit gives up after some starts."""
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        return False
    return True


def step_line(words: str) -> dict[str, object]:
    return {"step": words, "at": time.time_ns() // 1_000_000}
