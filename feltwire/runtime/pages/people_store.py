"""The people who may sign in at a process, their sessions and the audit: one SQLite file that survives a kill.

It holds hashes of cookies and of PINs, never either.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

import msgspec

from display.identity.people import AuditEntry, NotKept, Person, Session, without
from feltwire.ledger.schema import Schema
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.unread import Unread
from table_core.messages import Unencodable, encode

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


class PeopleNotKept(LedgerError, NotKept):
    """The disk did not take a person, a session or a line of the audit."""


class PeopleStore:
    """A `display.identity.people.AccountStore` on disk; usable from several threads."""

    def __init__(self, store: Store, unread: Unread) -> None:
        self._store = store
        self.unread = unread
        store.connection.execute("PRAGMA secure_delete=ON")  # old lines, and names that are forgotten

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> PeopleStore:
        """Open or create the file. Raise `LedgerError` when it cannot be used."""
        return cls(Store.open(path, SCHEMA, read_only=read_only), Unread(path, keep=not read_only))

    def people(self) -> list[Person]:
        """Whoever cannot be read has no rights, and is signed in nowhere."""
        rows = self._store.rows("SELECT id, bytes FROM people ORDER BY rowid")
        then = "They cannot sign in: add them again under /people."
        found = [self.unread.read(f"person {id_}", raw, _as_person, then) for id_, raw in rows]
        return [person for person in found if person is not None]

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
        """One that cannot be read is over, and so are those of a person who cannot."""
        gone = {id_ for (id_,) in self._store.rows("SELECT id FROM people")} - {one.id for one in self.people()}
        then = "That browser signs in again."
        found = [
            self.unread.read(f"session {key[:12]}", raw, _as_session, then)
            for key, raw in self._store.rows("SELECT key, bytes FROM sessions ORDER BY rowid")
        ]
        for session in [one for one in found if one is not None and one.person in gone]:
            self.drop_session(session.key)
        return [one for one in found if one is not None and one.person not in gone]

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
        rows = self._store.rows("SELECT no, bytes FROM audit ORDER BY no DESC LIMIT ?", most)
        found = [
            self.unread.read(f"line {no} of the audit", raw, _as_entry, "It is left out there.")
            for no, raw in rows
        ]
        return [entry for entry in found if entry is not None]

    def forget(self, name: str, instead: str) -> None:
        """As in `AccountStore`; the disk has no copy of it either."""
        rows = self._store.rows("SELECT no, bytes FROM audit")
        with self._kept() as run:
            for no, raw in rows:
                entry = self.unread.read(f"line {no} of the audit", raw, _as_entry, "It is left out there.")
                if entry is not None and (changed := without(entry, name, instead)) is not entry:
                    run.execute("UPDATE audit SET bytes = ? WHERE no = ?", (encode(changed), no))
        self._store.shrink()

    def close(self) -> None:
        self._store.close()

    @contextmanager
    def _kept(self) -> Iterator[Connection]:
        try:
            with self._store.transaction() as run:
                yield run
        except (LedgerError, Unencodable) as error:
            raise PeopleNotKept(str(error)) from error


def _as_person(raw: bytes) -> Person:
    return msgspec.json.decode(raw, type=Person)


def _as_session(raw: bytes) -> Session:
    return msgspec.json.decode(raw, type=Session)


def _as_entry(raw: bytes) -> AuditEntry:
    return msgspec.json.decode(raw, type=AuditEntry)
