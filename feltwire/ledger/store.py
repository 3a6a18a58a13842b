"""One SQLite file that survives kill -9 and power cuts, with errors that a person can act on.

WAL with `synchronous=FULL`: a transaction that returned is on the disk. A failed transaction (disk full, file
locked by another process) leaves nothing behind and raises `LedgerError`.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from feltwire.errors import UsageError
from feltwire.ledger.schema import Schema, Step, carry_out
from feltwire.private_files import data_folder, narrow, private_file, sync_folder

APPLICATION_ID = 0x46454C54  # "FELT" in the file's header
BUSY_MS = 2_000
SEE = "docs/storage.md says the way back"
RESTORING = ".restoring"  # the folder beside the files while `feltwire restore` puts them there
LOG_PAGES = 250  # the write-ahead log goes into the file at a megabyte, so that a small disk has room for both


class LedgerError(UsageError):
    """A ledger that cannot be opened, read or written: which file, why, what to do."""

    passes = True  # the disk may be back, and a person may put another file there meanwhile


class DamagedRecord(LedgerError):
    """A record whose bytes are not those that were written."""


class WrongLedger(LedgerError):
    """A file that this program does not read, whatever the disk does."""

    passes = False


class Store:
    """A connection shared by the threads of one process, one transaction at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path, schema: Schema, *, read_only: bool = False) -> Store:
        """Open or create the file. One of an earlier version is brought to the newest; with `read_only` a copy in
        memory is.

        Raise `LedgerError` where the file is missing (`read_only`), is no such ledger, is of a later version or
        cannot be opened.
        """
        if not read_only:
            _create_private(path)
        elif not path.is_file():
            raise LedgerError(f"{path}: no such ledger; name an existing file")
        with _errors(path):
            uri = f"{path.resolve().as_uri()}{'?mode=ro' if read_only else ''}"
            connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        store = cls(path, connection)
        try:
            store._prepare(schema, read_only)
        except LedgerError:
            store.connection.close()
            raise
        return store

    def _prepare(self, schema: Schema, read_only: bool) -> None:
        with _errors(self.path):
            self.connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
            fresh = not self._pragma("schema_version")
            mark = self._pragma("user_version")
        if not fresh:
            self._check_kind(schema, mark)
        if not read_only:
            self.check_pages()  # a damaged page is found at the start, not in mid-hand
            with _errors(self.path):
                self.connection.execute("PRAGMA journal_mode=WAL")
                self.connection.execute("PRAGMA synchronous=FULL")
                self.connection.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
        elif fresh:
            raise LedgerError(f"{self.path}: nothing was recorded in it yet; name another file")
        elif mark != schema.newest:
            self._copy_into_memory()
        if fresh or mark != schema.newest:
            self._bring_to_newest(schema, (schema.tables,) if fresh else schema.steps_from(mark))

    def _check_kind(self, schema: Schema, mark: int) -> None:
        with _errors(self.path):
            ours = self._pragma("application_id") == APPLICATION_ID
            has = self.connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (schema.has,)).fetchone()
        if ours and schema.is_newer(mark):
            raise WrongLedger(
                f"{self.path}: written by a later version of this program (schema {mark:#x}; this one has "
                f"{schema.newest:#x}); use that version"
            )
        if not (ours and has and mark in schema.marks):
            raise WrongLedger(f"{self.path}: not a ledger of this kind; name another file")

    def check_pages(self) -> None:
        """Raise `LedgerError` for a damaged page; 0.13 s for a file of 120 MB."""
        with _errors(self.path):
            fault = self.connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if fault != "ok":
            raise LedgerError(f"{self.path}: a page of it is damaged ({fault.splitlines()[-1]}); {SEE}")

    def _copy_into_memory(self) -> None:
        with _errors(self.path):
            copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            self.connection.backup(copy)
            self.connection.close()
            self.connection = copy

    def _bring_to_newest(self, schema: Schema, steps: tuple[Step, ...]) -> None:
        """All steps or none: a process that is killed here finds the earlier version again."""
        with self.transaction() as run:
            for step in steps:
                carry_out(run, step)
            run.execute(f"PRAGMA application_id={APPLICATION_ID}")
            run.execute(f"PRAGMA user_version={schema.newest}")

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; on the disk when the block has ended."""
        with self._lock, _errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            finally:
                # Still open: the block or the commit failed. SQLite may have rolled back by itself.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def rows(self, query: str, *arguments: Any) -> list[Any]:
        with self._lock, _errors(self.path):
            return self.connection.execute(query, arguments).fetchall()

    def one(self, query: str, *arguments: Any) -> Any:
        """The first row or None."""
        with self._lock, _errors(self.path):
            return self.connection.execute(query, arguments).fetchone()

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copy the file as of one instant; whoever writes to it meanwhile does not wait."""
        with self._lock, _errors(self.path):
            self.connection.backup(target)

    def shrink(self) -> None:
        """Move the write-ahead log into the file and cut it to nothing, as far as nobody is reading in it."""
        with self._lock, _errors(self.path):
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def move(self, to: Path) -> None:
        """Close the file and give it another name in its folder."""
        self.shrink()
        self.close()
        with _errors(self.path):
            os.replace(self.path, to)
            sync_folder(to.parent)

    def close(self) -> None:
        with self._lock:
            self.connection.close()


def check_stored(path: Path, what: str, raw: bytes, hash_: str) -> None:
    """Raise `DamagedRecord` where the bytes of `what` have not the SHA-256 that was stored with them."""
    if not isinstance(raw, bytes) or sha256(raw).hexdigest() != hash_:  # SQLite gives None from a damaged page
        raise DamagedRecord(f"{path}: {what} is not as it was written: the disk damaged it, or somebody; {SEE}")


def _create_private(path: Path) -> None:
    if (path.parent / RESTORING).is_dir():
        raise UsageError(
            f"{path.parent}: a restore did not end there; call the same `feltwire restore` again, or begin with "
            "an empty folder"
        )
    try:
        data_folder(path.parent)
        private_file(path)
        for beside in (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if beside.is_symlink() or beside.exists():
                narrow(beside)
    except OSError as error:
        raise LedgerError(f"{path}: cannot be created or written ({error.strerror})") from error


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        # The text of SQLite's errors names no values: a private row cannot leak through it.
        no_database = getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB"
        raise (WrongLedger if no_database else LedgerError)(f"{path}: {_advice(error)}") from error


def _advice(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return "the disk is full and nothing was written; free space on it"
    if name.startswith("SQLITE_IOERR"):
        return f"the disk failed ({error}) and nothing was written; {SEE}"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        return f"the disk does not let it be written ({error}); {SEE}"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "locked by another process and nothing was written; stop that process"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return f"not a ledger or damaged ({error}); keep it, and {SEE}"
    if name.startswith("SQLITE_CONSTRAINT"):
        return f"another process wrote to it ({error}); stop one of the two"
    return f"cannot be read or written ({error})"
