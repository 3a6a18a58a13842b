"""Files and folders that only this user may read; one that another user made or may write is refused."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import sys
from pathlib import Path

from feltwire.errors import UsageError

log = logging.getLogger(__name__)

_OTHERS = 0o077
_OTHERS_WRITE = 0o022


def keep_files_private() -> None:
    """Sets the umask: files and folders that this process and its children create are for their user only."""
    os.umask(_OTHERS)


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """The command of a child process. It imports neither from the folder where it is started nor from what
    PYTHONPATH names: whoever may write there is not this program."""
    return (sys.executable, "-I", "-m", module, *arguments)


def data_folder(path: Path) -> None:
    """Make `path` if it is missing. Raise `UsageError` for a folder in which others may put or replace files."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    for folder in missing:
        sync_folder(folder.parent)
    found = path.stat()
    if not stat.S_ISDIR(found.st_mode):
        raise UsageError(f"{path}: is not a folder; name a folder")
    if found.st_uid not in (os.geteuid(), 0):
        raise UsageError(f"{path}: belongs to another user, who could replace its files; name one of yours")
    if found.st_mode & _OTHERS_WRITE and not found.st_mode & stat.S_ISVTX:
        raise UsageError(f"{path}: others may write in it; chmod 700 it, when you know whose files lie in it")


def private_file(path: Path) -> None:
    """Make the file `path` if it is missing; narrow it if others may read it.

    Raise `UsageError` for what is not a plain file of this user's.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        narrow(path)


def narrow(path: Path) -> None:
    """Makes the file 0600. It is not opened, because SQLite would lose its locks when it is closed.

    Raise `UsageError` for a link or another user's file.
    """
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{path}: is not a plain file; a link could lead anywhere, name the file itself")
    if found.st_uid != os.geteuid():
        raise UsageError(f"{path}: belongs to another user; remove it, or start as that user")
    if found.st_mode & _OTHERS:
        path.chmod(0o600)


def say_if_wide(key: str) -> None:
    """A certificate's key or a deck registry that others may have read is used, for a room goes on, and named."""
    if key and readable_by_others(Path(key)):
        log.warning("%s: others may read it: chmod 600, and think of who could have", key)


def readable_by_others(path: Path) -> bool:
    """False also where there is no such file."""
    with contextlib.suppress(OSError):
        return bool(path.stat().st_mode & _OTHERS)
    return False


def secret_folder(path: Path) -> None:
    """Make a folder for keys, 0700.

    Raise `UsageError` for one that is not exactly so: keys may have been planted in it.
    """
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    found, above = path.lstat(), path.parent.stat()
    planted = f"{path}: {{}}, so what lies in it may be planted; remove it, or set another folder as `runtime`"
    if not stat.S_ISDIR(found.st_mode):
        raise UsageError(planted.format("is not a folder but a link or a file"))
    if found.st_uid != os.geteuid():
        raise UsageError(planted.format("belongs to another user"))
    if found.st_mode & _OTHERS:
        raise UsageError(planted.format("is open to other users"))
    if above.st_mode & _OTHERS_WRITE and not above.st_mode & stat.S_ISVTX:
        raise UsageError(planted.format("may be replaced by other users"))


def open_secret(path: Path, flags: int) -> int:
    """Open the existing key file `path`.

    Raise `UsageError` for a link, another user's file, or one that others may read; `OSError` where it is missing.
    """
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    found = os.fstat(handle)
    own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and found.st_nlink == 1
    if not own or found.st_mode & _OTHERS:
        os.close(handle)
        raise UsageError(f"{path}: not a key that this program made (links, owner or mode differ); remove it")
    return handle


def sync_folder(path: Path) -> None:
    """Files that were made, renamed or deleted in this folder stay so over a power cut."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def replace(path: Path, content: bytes, *, mode: int = 0o644) -> None:
    """Write a file so that whoever reads it finds the old or the new content, whole, also after a power cut."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner reads; FileExistsError rather than overwrite a key."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
