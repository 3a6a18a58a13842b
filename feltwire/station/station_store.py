"""What the station keeps beside the tables' events: its clock, its schedule, who comes for what in the
queue, the leaseholders, unanswered commands.

One SQLite file, `station.db`, in the station's data folder; when a method returns, its record is on the disk.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from feltwire.ledger.schema import Schema
from feltwire.ledger.store import Store
from feltwire.ledger.unread import Unread
from feltwire.station.queue.exception_queue import QueueRecord
from feltwire.station.tournament.kept import Kept
from table_core.messages import (
    EARLIEST_WRITTEN,
    MESSAGES_VERSION,
    MOST_STORED,
    AnyTableCommand,
    Frozen,
    Leaseholder,
    Level,
    Mark,
    decode,
    decode_command,
    encode,
)

SCHEMA = Schema(
    has="outgoing",
    marks=(3,),
    tables="""
CREATE TABLE notes (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE outgoing (
    no INTEGER PRIMARY KEY AUTOINCREMENT, "table" TEXT NOT NULL, id TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL
) STRICT
""",
)

T = TypeVar("T")
_WRITES_LEAST = "It writes what the release before reads: confirm the upgrade again."
_ID = re.compile(rb"[0-9a-f]{8}")

REVISIONS_SKIPPED = (
    1_000  # of the schedule, by a restored station: tables refuse one that is not later than theirs
)


class ClockRecord(Frozen, frozen=True):
    """The clock as it was last recorded, with the schedule that its entries belong to."""

    levels: tuple[Level, ...]
    schedule_revision: int
    mark: Mark


class Restored(Frozen, frozen=True):
    """The tournament's records were restored from a backup made at `made_at` (wall time, ms since 1970), with so
    many `records`. `marks` are the orders that count as carried out by the tables (`tournament/seat_orders.py`),
    once the director has said that the records are complete; None before."""

    made_at: int
    records: int
    marks: tuple[str, ...] | None = None


class _Closing(Frozen, frozen=True):
    aside: str
    clock: ClockRecord
    last: bytes


class _Restorations(Frozen, frozen=True):
    all: tuple[Restored, ...]


class StationStore:
    """Open with `StationStore.open(folder)`; usable from several threads."""

    def __init__(self, store: Store, unread: Unread) -> None:
        self._store = store
        self.unread = unread

    @classmethod
    def open(cls, folder: Path) -> StationStore:
        """Open or create `station.db`. Raise `LedgerError` when it cannot be used."""
        return cls.open_file(folder / "station.db")

    @classmethod
    def open_file(cls, path: Path, *, read_only: bool = False) -> StationStore:
        return cls(Store.open(path, SCHEMA, read_only=read_only), Unread(path, keep=not read_only))

    def tournament(self) -> str:
        """Eight hex digits, drawn once. They begin the ids of commands, so those of another tournament are
        never mistaken for this one's."""
        known = self._note("tournament")
        if known is not None and not _ID.fullmatch(known):
            self.unread.met(
                "the tournament's id", known, "Another one was drawn: tables are told everything again."
            )
            known = None
        if known is None:
            known = secrets.token_hex(4).encode()
            with self._store.transaction() as run:
                run.execute("INSERT OR REPLACE INTO notes VALUES ('tournament', ?)", (known,))
        return known.decode()

    def writes(self) -> int:
        """The version of the messages that the room writes: of a new room the newest; of one that an earlier
        program left here, the one that it reads, until the director confirms the upgrade."""
        raw = self._note("writes")
        known = None if raw is None else self._read("which version the room writes", raw, int, _WRITES_LEAST)
        if known is None:
            known = MESSAGES_VERSION if self._note("tournament") is None else EARLIEST_WRITTEN
            self.save_writes(known)
        return known

    def save_writes(self, version: int) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES ('writes', ?)", (str(version).encode(),))

    def last_event(self) -> bytes:
        """What the next event may begin with, as JSON; empty before the first was closed."""
        return self._note("last") or b""

    def kept(self) -> Kept:
        """Templates, the club's chips and the events that were played."""
        raw = self._note("kept")
        then = "Templates, the club's chips and who played the last events are forgotten."
        found = None if raw is None else self._read("what is kept for the next event", raw, _decode_kept, then)
        return found or Kept()

    def save_kept(self, kept: Kept) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES ('kept', ?)", (encode(kept, MOST_STORED),))

    def points(self) -> str:
        """The formula of the league's points; empty: the book's."""
        return (self._note("points") or b"").decode(errors="replace")

    def save_points(self, formula: str) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES ('points', ?)", (formula.encode(),))

    def begin_closing(self, aside: str, clock: ClockRecord, last: bytes) -> None:
        """The records of the event are to be put into the file `aside`. A kill in between is made good at the
        start."""
        raw = encode(_Closing(aside, clock, last))
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES ('closing', ?)", (raw,))

    def closing(self) -> str:
        """The file into which records are being put; empty where none are."""
        raw = self._note("closing")
        done = None if raw is None else self._closing(raw)
        return "" if done is None else done.aside

    def _closing(self, raw: bytes) -> _Closing | None:
        return self._read("which event is being closed", raw, _decode_closing, "It is open: close it again.")

    def closed(self) -> None:
        """The records are there: the next tournament begins, with ids of its own."""
        raw = self._note("closing")
        done = None if raw is None else self._closing(raw)
        if done is None:
            return
        notes = (("clock", encode(done.clock)), ("last", done.last), ("tournament", secrets.token_hex(4).encode()))
        with self._store.transaction() as run:
            run.execute("DELETE FROM outgoing")
            run.execute("DELETE FROM notes WHERE key IN ('queue', 'restored', 'closing')")
            run.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?)", notes)

    def clock(self) -> ClockRecord | None:
        raw = self._note("clock")
        then = "It begins as configured, or as the tournament's records have it: set it."
        return None if raw is None else self._read("the clock", raw, _decode_clock, then)

    def save_clock(self, record: ClockRecord) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES ('clock', ?)", (encode(record),))

    def queue(self) -> QueueRecord | None:
        raw = self._note("queue")
        then = "Who came for what is forgotten; what is open is asked again."
        return None if raw is None else self._read("the queue", raw, _decode_queue, then)

    def save_queue(self, record: QueueRecord) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES ('queue', ?)", (encode(record),))

    def restored(self) -> tuple[Restored, ...]:
        """The restorations of the tournament's records, the oldest first."""
        raw = self._note("restored")
        if raw is None:
            return ()
        then = "Tables are told nothing of seats, chips and clock until you say that the records are complete."
        found = self._read("what was restored from a backup", raw, _decode_restored, then)
        return (Restored(0, 0),) if found is None else found

    def save_restored(self, restored: tuple[Restored, ...]) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES ('restored', ?)", (encode(_Restorations(restored)),))

    def becomes_restored(self, made_at: int, records: int) -> None:
        """Go on from a backup with so many records of a tournament: commands under way are forgotten, and the
        schedule gets a revision that no table has. Records that were incomplete already still are."""
        known, clock = self.restored(), self.clock()
        if known and known[-1].marks is None:
            known, records = known[:-1], min(known[-1].records, records)
        with self._store.transaction() as run:
            run.execute("DELETE FROM outgoing")
            if records:
                raw = encode(_Restorations((*known, Restored(made_at, records))))
                run.execute("INSERT OR REPLACE INTO notes VALUES ('restored', ?)", (raw,))
            if clock is not None:
                later = replace(clock, schedule_revision=clock.schedule_revision + REVISIONS_SKIPPED)
                run.execute("INSERT OR REPLACE INTO notes VALUES ('clock', ?)", (encode(later),))

    def leaseholders(self) -> dict[str, Leaseholder]:
        """The leaseholder of each table. One that cannot be read is nobody's: every machine makes a claim, and the
        director decides."""
        rows = self._store.rows("SELECT substr(key, 8), bytes FROM notes WHERE key LIKE 'charge/%'")
        return {table: self._leaseholder(table, raw) for table, raw in rows}

    def _leaseholder(self, table: str, raw: bytes) -> Leaseholder:
        then = "Nothing that it says counts before you hand it over to its machine, which claims it."
        found = self._read(f"which machine is table {table}", raw, _decode_leaseholder, then)
        return Leaseholder("", 0, "") if found is None else found

    def save_leaseholder(self, table: str, leaseholder: Leaseholder) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (f"charge/{table}", encode(leaseholder)))

    def outgoing(self) -> list[tuple[str, AnyTableCommand]]:
        """`(table, command)` of the director's commands that no event has answered, oldest first."""
        rows = self._store.rows('SELECT no, "table", bytes FROM outgoing ORDER BY no')
        found = [(table, self._command(no, table, raw)) for no, table, raw in rows]
        return [(table, command) for table, command in found if command is not None]

    def _command(self, no: int, table: str, raw: bytes) -> AnyTableCommand | None:
        then = "It is not carried out: look at that table, and decide again."
        return self._read(f"command {no} to table {table}", raw, decode_command, then)

    def add_outgoing(self, table: str, command: AnyTableCommand) -> None:
        with self._store.transaction() as run:
            run.execute(
                'INSERT OR IGNORE INTO outgoing ("table", id, bytes) VALUES (?, ?, ?)',
                (table, command.id, encode(command)),
            )

    def drop_outgoing(self, command_id: str) -> None:
        with self._store.transaction() as run:
            run.execute("DELETE FROM outgoing WHERE id = ?", (command_id,))

    def read_all(self) -> None:
        """Read what a start reads; what cannot be is in `unread`."""
        known = self._note("tournament")
        if known is not None and not _ID.fullmatch(known):
            self.unread.met("the tournament's id", known, "")
        for read in (
            self.closing,
            self.clock,
            self.queue,
            self.restored,
            self.leaseholders,
            self.outgoing,
            self.kept,
        ):
            read()

    def close(self) -> None:
        self._store.close()

    def _note(self, key: str) -> bytes | None:
        row = self._store.one("SELECT bytes FROM notes WHERE key = ?", key)
        return None if row is None else bytes(row[0])

    def _read(self, what: str, raw: bytes, decode: Callable[[bytes], T], then: str) -> T | None:
        return self.unread.read(what, raw, decode, then)


def _decode_closing(raw: bytes) -> _Closing:
    return decode(raw, _Closing)


def _decode_queue(raw: bytes) -> QueueRecord:
    return decode(raw, QueueRecord)


def _decode_leaseholder(raw: bytes) -> Leaseholder:
    return decode(raw, Leaseholder)


def _decode_restored(raw: bytes) -> tuple[Restored, ...]:
    return decode(raw, _Restorations).all


def _decode_kept(raw: bytes) -> Kept:
    return msgspec.json.decode(raw, type=Kept)


def _decode_clock(raw: bytes) -> ClockRecord:
    return decode(raw, ClockRecord)
