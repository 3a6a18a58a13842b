"""The records of a tournament on disk: one SQLite file, each record linked by hash to the one before.

A record is stored as JSON with its event's tag, so that a person and another program can read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Union

import msgspec

from feltwire.ledger.chain import LedgerHead, hash_of
from feltwire.ledger.schema import Schema
from feltwire.ledger.store import SEE, LedgerError, Store
from feltwire.ledger.unread import Unread
from table_core.messages import MOST_STORED, Frozen, Malformed, Millis, Name, Number, decode, encode
from table_core.tournament.events import Instant, TournamentEvent, Undone
from table_core.tournament.events import Unread as UnreadRecord
from table_core.tournament.night import REDUCERS, Recorded

SCHEMA = Schema(
    has="records",
    marks=(7,),
    tables="CREATE TABLE records (no INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
)
_MOST_BYTES = MOST_STORED + 8 * 1024  # with who, when and by which command
_EVENTS: Any = Union[(*REDUCERS, Undone)]


class TournamentRecord(Frozen, frozen=True):
    """One stored record. `prev` is the SHA-256 (hex) of the stored bytes of the record before."""

    no: Number
    at: Instant
    command: Name
    by: Name
    prev: Name
    data: msgspec.Raw


class _Link(msgspec.Struct, frozen=True):
    """The part of a record that links it to the one before."""

    no: Number
    prev: Name


class _Origin(msgspec.Struct, frozen=True):
    """The part of a record that says when it came and by whom."""

    at: Instant
    command: Name
    by: Name


class TournamentLedger:
    """Open with `TournamentLedger.open(path)`; when `append` returns, its records are on the disk. One that cannot
    be read keeps its place in the chain."""

    def __init__(self, store: Store, unread: Unread) -> None:
        self._store = store
        self.unread = unread
        rows = [raw for (raw,) in store.rows("SELECT bytes FROM records ORDER BY no")]
        if not all(isinstance(raw, bytes) for raw in rows):
            raise LedgerError(f"{store.path}: a record is none: the disk damaged it, or somebody; {SEE}")
        self._check(rows)
        self._read = [self._recorded(no, raw) for no, raw in enumerate(rows, 1)]
        self._last = len(rows)
        self._head = hash_of(rows[-1]) if rows else ""

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> TournamentLedger:
        """Open or create. Raise `LedgerError` for a file that is no such ledger, or whose chain is broken."""
        store = Store.open(path, SCHEMA, read_only=read_only)
        try:
            return cls(store, Unread(path, keep=not read_only))
        except LedgerError:
            store.close()
            raise

    def records(self) -> list[Recorded]:
        """Every record, in order."""
        return list(self._read)

    @property
    def head(self) -> LedgerHead:
        """The last record: its number, and the SHA-256 (hex) of its bytes."""
        return LedgerHead(0, self._last, self._head)

    def hash_of_record(self, no: int) -> str | None:
        """The SHA-256 (hex) of a record's bytes; `""` for 0, None where there is no such record."""
        if no == 0:
            return ""
        row = self._store.one("SELECT bytes FROM records WHERE no = ?", no)
        return None if row is None else hash_of(bytes(row[0]))

    def append(self, records: Sequence[Recorded]) -> None:
        """All of them, or none with a `LedgerError` or `Unencodable`."""
        head, rows = self._head, []
        for no, record in enumerate(records, self._last + 1):
            if record.no != no:
                raise LedgerError(f"{self._store.path}: record {record.no} does not follow {no - 1}")
            event = msgspec.Raw(record.raw or encode(record.event, MOST_STORED))
            stored = TournamentRecord(no, record.at, record.command, record.by, head, event)
            raw = encode(stored, _MOST_BYTES)
            head = hash_of(raw)
            rows.append((no, raw))
        with self._store.transaction() as run:
            run.executemany("INSERT INTO records VALUES (?, ?)", rows)
        self._head, self._last = head, self._last + len(rows)
        self._read += records

    def move(self, to: Path) -> None:
        """Close it, and give its file another name in the folder. Raise `LedgerError`."""
        self._store.move(to)

    def close(self) -> None:
        self._store.close()

    def _recorded(self, no: int, raw: bytes) -> Recorded:
        found = self.unread.read(f"record {no}", raw, _decoded, "")
        if found is None:
            try:
                said = decode(raw, _Origin, _MOST_BYTES)
            except Malformed:
                said = _Origin(Instant("", Millis(0), Millis(0)), "", "")
            return Recorded(no, said.at, said.command, said.by, UnreadRecord())
        return found

    def _check(self, raws: Sequence[bytes]) -> None:
        """Each record continues the one before. Of one whose link cannot be read, the next one's says that it is
        as it was."""
        head = ""
        for no, raw in enumerate(raws, 1):
            try:
                link = decode(raw, _Link, _MOST_BYTES)
            except Malformed:
                link = _Link(no, head)
            if (link.no, link.prev) != (no, head):
                raise LedgerError(f"{self._store.path}: record {no} does not continue the one before; {SEE}")
            head = hash_of(raw)


def _decoded(raw: bytes) -> Recorded:
    one = decode(raw, TournamentRecord, _MOST_BYTES)
    return Recorded(one.no, one.at, one.command, one.by, decode_event(bytes(one.data)))


def decode_event(raw: bytes) -> TournamentEvent:
    """Raise `Malformed` for what is no event of a tournament."""
    event: TournamentEvent = decode(raw, _EVENTS, MOST_STORED)
    return event
