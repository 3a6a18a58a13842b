"""The relay's audit: who changed what goes on air. One JSON line a change, signed by the relay and linked to the
line before.

A line that is changed, left out or put in is found by whoever has the relay's public key (`sign` in `relay.pub`).
Lines that are cut off at the end are found by whoever has noted an earlier end (`feltwire audit --had`).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from threading import Lock

from nacl.signing import SigningKey

from feltwire.errors import UsageError
from feltwire.ledger.chain import hash_of
from feltwire.ledger.signing import LedgerKey, signed_by
from feltwire.ledger.store import LedgerError
from feltwire.private_files import private_file, sync_folder
from table_core.messages import At, Frozen, Malformed, Name, Number, Text, decode

AUDIT = "audit.jsonl"  # in the data folder
MOST_KEPT = 200  # of the newest, for pages
LONGEST = 1_000  # letters of a text


class AuditNote(Frozen, frozen=True):
    """`no` counts lines from 1; `prev` is the SHA-256 (hex) of the line before. `who` has the role, too:
    `Ann (producer)`."""

    venue: Name
    no: Number
    prev: Name
    at: At
    who: Name
    what: Name
    text: Text = ""
    signature: Name = ""


class AuditError(UsageError):
    """An audit that does not verify: which line, and why."""


class Audit:
    """Appends to the file at `path`; usable from any thread. When `note` returns, its line is on the disk."""

    def __init__(self, path: Path, venue: str, signing: SigningKey, at: Callable[[], At]) -> None:
        self.path = path
        self._venue = venue
        self._key = LedgerKey(bytes(signing))
        self._at = at
        self._lock = Lock()
        private_file(path)
        raw = path.read_bytes()
        lines = raw.splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):  # torn by a power cut
            lines.pop()
        self._size = sum(map(len, lines))
        self._no = len(lines)
        self._prev = hash_of(lines[-1].removesuffix(b"\n")) if lines else ""
        notes = [*_readable(lines)]
        self._newest: deque[AuditNote] = deque(notes, MOST_KEPT)
        self._last = {note.what: note for note in notes}

    @property
    def newest(self) -> list[AuditNote]:
        """The last lines, the newest first."""
        with self._lock:
            return [*reversed(self._newest)]

    @property
    def end(self) -> tuple[int, str]:
        """How many lines there are, and the SHA-256 (hex) of the last one."""
        with self._lock:
            return self._no, self._prev

    def last(self, what: str) -> AuditNote | None:
        """The newest line about this."""
        with self._lock:
            return self._last.get(what)

    def note(self, who: str, what: str, text: str = "") -> None:
        """Add a line. Raise `LedgerError` where the disk does not take it.

        `audit.note("Ann (producer)", "air delay", "1800 s → 2400 s")`
        """
        with self._lock:
            note = AuditNote(self._venue, self._no + 1, self._prev, self._at(), who, what, text[:LONGEST])
            line = self._key.sign(note)
            try:
                self._write(line)
            except OSError as error:
                raise LedgerError(f"{self.path}: cannot be written ({error.strerror})") from error
            self._no, self._prev = note.no, hash_of(line)
            self._newest.append(note)
            self._last[what] = note

    def _write(self, line: bytes) -> None:
        """Behind the last line that is known; what an attempt that failed left there is overwritten."""
        with self.path.open("r+b") as file:
            file.seek(self._size)
            file.truncate()
            file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        sync_folder(self.path.parent)
        self._size = size


def _readable(lines: list[bytes]) -> Iterator[AuditNote]:
    for line in lines:
        try:
            yield decode(line, AuditNote)
        except Malformed:
            continue  # `feltwire audit` names it


def read_audit(path: Path, *, key: str, had: tuple[int, str] = (0, "")) -> tuple[list[AuditNote], str]:
    """Every line, and the SHA-256 (hex) of the last one. Signatures by `key` (hex) and links are checked; with an
    empty `key` only the links. `had`: an end that was noted earlier. Raise `AuditError` at the first line that
    does not hold."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise AuditError(f"{path}: cannot be read ({error.strerror}); name the relay's {AUDIT}") from error
    notes = []
    for no, (before, line) in enumerate(pairwise((b"", *lines)), start=1):
        try:
            note = decode(line, AuditNote)
        except Malformed as error:
            raise AuditError(f"{path} line {no}: no line of an audit ({error})") from error
        if key and not signed_by(line, AuditNote, key):
            raise AuditError(f"{path} line {no}: not signed by the relay's key {key[:16]}…")
        if (note.no, note.prev) != (no, hash_of(before) if before else ""):
            raise AuditError(f"{path} line {no}: does not follow the line before; a line was removed or added")
        notes.append(note)
    no, hashed = had
    if no and [hash_of(line) for line in lines[no - 1 : no]] != [hashed]:
        raise AuditError(f"{path}: line {no} is not the one that was noted; lines were removed since")
    return notes, hash_of(lines[-1]) if lines else ""
