"""Records on the disk that cannot be read: an earlier version of the program wrote them, or a fault of it.

The process starts without such a record. Its bytes are kept in the folder `unreadable` beside the file, for
whoever mends it: a later record may be written in its place. What it says is written to no log; it may name
anything.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from feltwire.private_files import data_folder

log = logging.getLogger(__name__)

FOLDER = "unreadable"
MOST_KEPT = 1_000
MOST_SAID = 20  # of one file, one by one

T = TypeVar("T")


class Unread:
    """What of the file at `path` cannot be read. Without `keep` nothing is written: the file is only looked at."""

    def __init__(self, path: Path, *, keep: bool = True) -> None:
        self._path = path
        self._keep = keep
        self._words: dict[str, str] = {}

    @property
    def words(self) -> tuple[str, ...]:
        """What is missing and what to do, a sentence or two each."""
        said = tuple(self._words.values())
        more = len(said) - MOST_SAID
        return said if more <= 0 else (*said[:MOST_SAID], f"{self._path.name}: {more} more cannot be read.")

    def read(self, what: str, raw: bytes, decode: Callable[[bytes], T], then: str) -> T | None:
        """`raw` as `decode` reads it; None where it raises."""
        try:
            return decode(raw)
        except Exception:  # noqa: BLE001  (whatever reading old bytes raises, the rest can be read)
            self.met(what, raw, then)
            return None

    def met(self, what: str, raw: bytes, then: str) -> None:
        """`what` cannot be read; `then` says what that means and what to do."""
        if what in self._words:
            return
        self._words[what] = f"{self._path.name}: {what} cannot be read. {then}"
        if self._keep:
            log.error("%s: %s cannot be read; its bytes are kept in %s", self._path, what, FOLDER)
            self._put_aside(what, raw)

    def _put_aside(self, what: str, raw: bytes) -> None:
        folder = self._path.parent / FOLDER
        plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in what)[:60]
        name = folder / f"{self._path.name}.{plain}.{sha256(raw).hexdigest()[:16]}"
        try:
            data_folder(folder)
            if name.exists() or sum(1 for _ in folder.iterdir()) >= MOST_KEPT:
                return
            with os.fdopen(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            log.error("%s: cannot be written (%s)", name, error.strerror)
