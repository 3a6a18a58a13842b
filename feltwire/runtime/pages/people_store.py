"""The people who may sign in at a process, their sessions and the audit: one SQLite file that survives a kill.

It holds hashes of cookies and of PINs, never either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

import msgspec

from display.identity.people import AuditEntry, NotKept, Person, Session
from feltwire.ledger.schema import Schema
from feltwire.ledger.store import LedgerError, Store
from table_core.messages import Frozen, encode

_TABLES = """
CREATE TABLE people (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE sessions (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE audit (no INTEGER PRIMARY KEY AUTOINCREMENT, bytes BLOB NOT NULL) STRICT
"""


def _without_acts(run: Connection) -> None:
    """The first files named the audit `acts` and a director `td`; who signed in there signs in anew."""
    if run.execute("SELECT 1 FROM sqlite_schema WHERE name = 'acts'").fetchone() is None:
        return
    for table in ("people", "sessions", "acts"):
        run.execute(f"DROP TABLE {table}")
    for statement in _TABLES.split(";"):
        run.execute(statement)


SCHEMA = Schema(has="people", marks=(5, 0x105), steps=(_without_acts,), tables=_TABLES)
AUDIT_LINES_KEPT = 50_000  # about 10 MB

T = TypeVar("T", bound=Frozen)


class PeopleNotKept(LedgerError, NotKept):
    """The disk did not take a person, a session or a line of the audit."""


class PeopleStore:
    """A `display.identity.people.AccountStore` on disk; usable from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @classmethod
    def open(cls, path: Path) -> PeopleStore:
        """Open or create the file. Raise `LedgerError` when it cannot be used."""
        return cls(Store.open(path, SCHEMA))

    def people(self) -> list[Person]:
        return self._all("SELECT bytes FROM people ORDER BY rowid", Person)

    def save_person(self, person: Person) -> None:
        with self._kept() as run:
            run.execute(
                "INSERT INTO people VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET bytes = ?2",
                (person.id, encode(person)),
            )

    def drop_person(self, person_id: str) -> None:
        with self._kept() as run:
            run.execute("DELETE FROM people WHERE id = ?", (person_id,))

    def sessions(self) -> list[Session]:
        return self._all("SELECT bytes FROM sessions ORDER BY rowid", Session)

    def save_session(self, session: Session) -> None:
        with self._kept() as run:
            run.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?)", (session.key, encode(session)))

    def drop_session(self, key: str) -> None:
        with self._kept() as run:
            run.execute("DELETE FROM sessions WHERE key = ?", (key,))

    def record(self, entry: AuditEntry) -> None:
        with self._kept() as run:
            no = run.execute("INSERT INTO audit (bytes) VALUES (?)", (encode(entry),)).lastrowid or 0
            if no % 1000 == 0:
                run.execute("DELETE FROM audit WHERE no <= ?", (no - AUDIT_LINES_KEPT,))

    def audit(self, most: int) -> list[AuditEntry]:
        return self._all("SELECT bytes FROM audit ORDER BY no DESC LIMIT ?", AuditEntry, most)

    def close(self) -> None:
        self._store.close()

    @contextmanager
    def _kept(self) -> Iterator[Connection]:
        try:
            with self._store.transaction() as run:
                yield run
        except LedgerError as error:
            raise PeopleNotKept(str(error)) from error

    def _all(self, query: str, kind: type[T], *arguments: int) -> list[T]:
        try:
            return [msgspec.json.decode(raw, type=kind) for (raw,) in self._store.rows(query, *arguments)]
        except msgspec.DecodeError as error:
            raise LedgerError(
                f"{self._store.path}: cannot be read ({error}); it was written by another version: use that one, "
                "or move the file away and sign in anew"
            ) from error
