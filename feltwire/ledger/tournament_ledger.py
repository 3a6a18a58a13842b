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
from table_core.messages import Frozen, Malformed, Name, Number, decode, encode
from table_core.tournament.events import Instant, TournamentEvent, Undone
from table_core.tournament.night import REDUCERS, Recorded

SCHEMA = Schema(
    has="records",
    marks=(7,),
    tables="CREATE TABLE records (no INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
)
_EVENTS: Any = Union[(*REDUCERS, Undone)]


class TournamentRecord(Frozen, frozen=True):
    """One stored record. `prev` is the SHA-256 (hex) of the stored bytes of the record before."""

    no: Number
    at: Instant
    command: Name
    by: Name
    prev: Name
    data: msgspec.Raw


class TournamentLedger:
    """Open with `TournamentLedger.open(path)`; when `append` returns, its records are on the disk."""

    def __init__(self, store: Store) -> None:
        self._store = store
        rows = store.rows("SELECT bytes FROM records ORDER BY no")
        self._read = [self._decoded(bytes(raw)) for (raw,) in rows]
        self._check([bytes(raw) for (raw,) in rows])
        self._last = len(rows)
        self._head = hash_of(bytes(rows[-1][0])) if rows else ""

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> TournamentLedger:
        """Open or create. Raise `LedgerError` for a file that is no such ledger, or whose chain is broken."""
        return cls(Store.open(path, SCHEMA, read_only=read_only))

    def records(self) -> list[Recorded]:
        """Every record, in order."""
        return [Recorded(one.no, one.at, one.command, one.by, decode_event(bytes(one.data))) for one in self._read]

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
        """All of them, or none with a `LedgerError`."""
        head, rows = self._head, []
        for no, record in enumerate(records, self._last + 1):
            if record.no != no:
                raise LedgerError(f"{self._store.path}: record {record.no} does not follow {no - 1}")
            event = msgspec.Raw(encode(record.event))
            stored = TournamentRecord(no, record.at, record.command, record.by, head, event)
            raw = encode(stored)
            head = hash_of(raw)
            rows.append((no, raw, stored))
        with self._store.transaction() as run:
            run.executemany("INSERT INTO records VALUES (?, ?)", [row[:2] for row in rows])
        self._head, self._last = head, self._last + len(rows)
        self._read += [stored for *_, stored in rows]

    def move(self, to: Path) -> None:
        """Close it, and give its file another name in the folder. Raise `LedgerError`."""
        self._store.move(to)

    def close(self) -> None:
        self._store.close()

    def _decoded(self, raw: bytes) -> TournamentRecord:
        try:
            record = decode(raw, TournamentRecord)
            decode_event(bytes(record.data))
        except Malformed as error:
            raise LedgerError(f"{self._store.path}: a record cannot be read ({error}); {SEE}") from error
        return record

    def _check(self, raws: Sequence[bytes]) -> None:
        head = ""
        for no, (raw, record) in enumerate(zip(raws, self._read, strict=True), 1):
            if record.prev != head or record.no != no:
                raise LedgerError(f"{self._store.path}: record {no} does not continue the one before; {SEE}")
            head = hash_of(raw)


def decode_event(raw: bytes) -> TournamentEvent:
    """Raise `Malformed` for what is no event of a tournament."""
    event: TournamentEvent = decode(raw, _EVENTS)
    return event
