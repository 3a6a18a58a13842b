"""The relay's store: the leaseholders, sealed cards and events of hands not yet released, and the released hands.

Deleted rows are overwritten, so that somebody who later gets the disk and the relay's key opens no card that
stayed sealed.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from pathlib import Path
from sqlite3 import Connection

from feltwire.ledger.chain import event_in
from feltwire.ledger.granted import lineage_of
from feltwire.ledger.schema import Schema, carry_out
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.unread import Unread
from feltwire.relay.inbox import SealedInbox
from feltwire.relay.relay_io import SealedUpto
from table_core.messages import CardDealt, Leaseholder, Malformed, SealedCard, decode, decode_envelope, encode

_HELD_TABLES = "SELECT table_id FROM boxes UNION SELECT table_id FROM events"
MOST_OF_HAND = 2_000  # boxes: 52 cards a deal, each with a new promise where a place was wrong
MOST_OF_TABLE = 100_000
MOST_SPENT = 2_000_000  # promises: of fifty thousand hands, in 200 MB
ALL_LINES = 2**53  # certain lines of the releases log: none is cut
_PROMISE = re.compile("[0-9a-f]{64}")
_PROMISE_IN = re.compile(rb'"commitment":"([0-9a-f]{64})"')
_LEASES = """
CREATE TABLE charges (table_id TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE released (
    table_id TEXT NOT NULL, lineage TEXT NOT NULL, hand INTEGER NOT NULL, attempt INTEGER NOT NULL,
    PRIMARY KEY (table_id, lineage, hand, attempt)
) STRICT"""
_SPENT = "CREATE TABLE spent (no INTEGER PRIMARY KEY AUTOINCREMENT, promise BLOB NOT NULL UNIQUE) STRICT"
# A box of an earlier version can never be opened by the rules of this one: its hand stays sealed.
_NOTHING_WAITS = "PRAGMA secure_delete=ON; DELETE FROM boxes; DELETE FROM events"
_TERMS = """
CREATE TABLE followed (table_id TEXT PRIMARY KEY, delay_s TEXT NOT NULL) STRICT;
CREATE TABLE sealed_upto (
    table_id TEXT NOT NULL, lineage TEXT NOT NULL, folds INTEGER NOT NULL, hands INTEGER NOT NULL,
    PRIMARY KEY (table_id, lineage)
) STRICT"""
_BOXES_OF_HAND = "CREATE INDEX boxes_of_hand ON boxes (table_id, epoch, hand)"


def _begin_terms(run: Connection) -> None:
    """Which settings the hands began under that wait is not known."""
    carry_out(run, _TERMS)
    run.execute("INSERT INTO followed SELECT table_id, value FROM charges, settings WHERE key = 'delay_s'")
    run.execute("DELETE FROM settings WHERE key = 'delay_s'")
    waiting = "SELECT table_id, charges.bytes, max(hand) FROM charges JOIN events USING (table_id) GROUP BY 1"
    for table, raw, hand in run.execute(waiting).fetchall():
        with contextlib.suppress(Malformed):  # of such a table nothing that waits is released
            lineage = lineage_of(decode(raw, Leaseholder))
            run.execute("INSERT INTO sealed_upto VALUES (?, ?, ?, 0)", (table, lineage, hand))


SCHEMA = Schema(
    has="boxes",
    # 4: before tables signed what they seal; 5: before boxes named the key of their table; 6: before settings
    # belonged to a hand from its beginning
    marks=(4, 5, 6, 0x106),
    steps=(
        f"{_NOTHING_WAITS}; DROP INDEX boxes_of_hand; {_BOXES_OF_HAND}; {_LEASES}",
        f"{_NOTHING_WAITS}; {_SPENT}",
        _begin_terms,
    ),
    left_out="DELETE FROM boxes; DELETE FROM events",  # the hands that wait stay sealed
    tables=f"""
CREATE TABLE boxes (
    table_id TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, hand INTEGER NOT NULL,
    attempt INTEGER NOT NULL, place INTEGER NOT NULL, box TEXT NOT NULL,
    PRIMARY KEY (table_id, epoch, seq)
) STRICT;
{_BOXES_OF_HAND};
{_LEASES};
{_SPENT};
{_TERMS};
CREATE TABLE inboxes (table_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL, upto INTEGER NOT NULL) STRICT;
CREATE TABLE events (
    no INTEGER PRIMARY KEY AUTOINCREMENT, table_id TEXT NOT NULL, hand INTEGER NOT NULL,
    epoch INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (table_id, epoch, seq)
) STRICT;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT
""",
)


class RelayStore:
    """Open with `RelayStore.open(path)`; when a method returns, its record is on the disk."""

    def __init__(self, store: Store, unread: Unread) -> None:
        self._store = store
        self.unread = unread
        self._held: dict[str, int] = {}  # boxes of a table, at least so many

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> RelayStore:
        """Open or create; raise `LedgerError` for a file that is no such store."""
        opened = cls(Store.open(path, SCHEMA, read_only=read_only), Unread(path, keep=not read_only))
        if not read_only:
            opened._store.connection.execute("PRAGMA secure_delete=ON")
            opened._shrink()  # a file of an earlier version had boxes
        return opened

    def keep_box(self, table: str, card: SealedCard) -> None:
        """Store a box, unless this hand or table has more than the maximum: the hand then stays sealed."""
        row = (table, card.epoch, card.sealed_seq, card.hand, card.attempt, card.place, card.box)
        of_hand = "SELECT count(*) FROM boxes WHERE (table_id, epoch, hand) = (?, ?, ?)"
        if self._store.one(of_hand, table, card.epoch, card.hand) >= (MOST_OF_HAND,):
            return
        if table not in self._held:
            self._held[table] = self._store.rows("SELECT count(*) FROM boxes WHERE table_id = ?", table)[0][0]
        if self._held[table] >= MOST_OF_TABLE:
            return
        with self._store.transaction() as run:
            run.execute("INSERT OR IGNORE INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        self._held[table] += 1

    def boxes(self, table: str, epoch: int, hand: int) -> list[str]:
        """The boxes of a hand in the order in which they came."""
        query = "SELECT box FROM boxes WHERE table_id = ? AND epoch = ? AND hand = ? ORDER BY seq"
        return [row[0] for row in self._store.rows(query, table, epoch, hand)]

    def keep_leaseholder(self, table: str, leaseholder: Leaseholder) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO charges VALUES (?, ?)", (table, encode(leaseholder)))

    def leaseholders(self) -> dict[str, Leaseholder]:
        """Of a table whose leaseholder cannot be read nothing is followed before the station names it again."""
        then = "Nothing of it is released before the station says which machine it is."
        found = {
            table: self.unread.read(f"which machine is table {table}", raw, _as_leaseholder, then)
            for table, raw in self._store.rows("SELECT table_id, bytes FROM charges")
        }
        return {table: who for table, who in found.items() if who is not None}

    def was_released(self, table: str, lineage: str, hand: int, attempt: int) -> bool:
        query = "SELECT 1 FROM released WHERE (table_id, lineage, hand, attempt) = (?, ?, ?, ?)"
        return self._store.one(query, table, lineage, hand, attempt) is not None

    def released(self, table: str, lineage: str, hand: int, attempt: int, end: tuple[int, str] = (0, "")) -> None:
        """Record that the hand is in the releases log, and how the log ends."""
        with self._store.transaction() as run:
            run.execute("INSERT OR IGNORE INTO released VALUES (?, ?, ?, ?)", (table, lineage, hand, attempt))
            run.execute("INSERT OR REPLACE INTO settings VALUES ('log_end', ?)", (f"{end[0]} {end[1]}",))

    def log_end(self) -> tuple[int, str]:
        """The end of the releases log after the last release."""
        row = self._store.one("SELECT value FROM settings WHERE key = 'log_end'")
        no, _, last = row[0].partition(" ") if row else ("0", "", "")
        if not (no.isascii() and no.isdecimal()):
            then = "No line of it is cut, and lines may be missing."
            self.unread.met("where the releases log ends", row[0].encode(), then)
            return ALL_LINES, ""
        return int(no), last

    def acked(self, table: str, epoch: int, upto: int) -> None:
        """Record what is about to be acknowledged to the table."""
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO inboxes VALUES (?, ?, ?)", (table, epoch, upto))

    def inboxes(self) -> dict[str, SealedInbox]:
        rows = self._store.rows("SELECT table_id, epoch, upto FROM inboxes")
        return {table: SealedInbox(epoch, upto) for table, epoch, upto in rows}

    def keep_event(self, table: str, hand: int, raw: bytes) -> None:
        envelope = decode_envelope(raw)
        with self._store.transaction() as run:
            run.execute(
                "INSERT INTO events (table_id, hand, epoch, seq, bytes) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (table_id, epoch, seq) DO UPDATE SET hand = excluded.hand",
                (table, hand, envelope.epoch, envelope.seq, raw),
            )

    def events_of(self, table: str, hand: int) -> list[bytes]:
        """The events of one hand that is not dropped yet, in order."""
        query = "SELECT bytes FROM events WHERE (table_id, hand) = (?, ?) ORDER BY no"
        return [row[0] for row in self._store.rows(query, table, hand)]

    def keep_sealed_upto(self, table: str, lineage: str, upto: SealedUpto) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO sealed_upto VALUES (?, ?, ?, ?)", (table, lineage, *upto))

    def sealed_upto(self) -> dict[tuple[str, str], SealedUpto]:
        """By table and lineage."""
        rows = self._store.rows("SELECT table_id, lineage, folds, hands FROM sealed_upto")
        return {(table, lineage): SealedUpto(folds, hands) for table, lineage, folds, hands in rows}

    def is_spent(self, promise: str) -> bool:
        """Whether the commitment belongs to a hand that is released or never will be."""
        return self._store.one("SELECT 1 FROM spent WHERE promise = ?", bytes.fromhex(promise)) is not None

    def drop_hand(self, table: str, epoch: int, hand: int, promises: Iterable[str] = ()) -> None:
        """Delete a hand that is released or never will be; its commitments (hex) open nothing from now on."""
        with self._store.transaction() as run:
            _spend(run, promises)
            run.execute("DELETE FROM events WHERE table_id = ? AND hand = ?", (table, hand))
            run.execute("DELETE FROM boxes WHERE (table_id, epoch, hand) = (?, ?, ?)", (table, epoch, hand))
        self._shrink()

    def drop_stale(self, table: str, epoch: int, hand: int) -> None:
        """Delete boxes of hands before this one."""
        stale = "table_id = ? AND (epoch, hand) < (?, ?)"
        if self._store.one(f"SELECT 1 FROM boxes WHERE {stale}", table, epoch, hand) is None:
            return
        with self._store.transaction() as run:
            run.execute(f"DELETE FROM boxes WHERE {stale}", (table, epoch, hand))
        self._shrink()

    def drop_all(self) -> None:
        """Delete everything; nothing here will be released."""
        self._drop_tables([row[0] for row in self._store.rows(_HELD_TABLES)])

    def _drop_tables(self, tables: Iterable[str]) -> None:
        with self._store.transaction() as run:
            for table in tables:
                raws = run.execute("SELECT bytes FROM events WHERE table_id = ?", (table,)).fetchall()
                _spend(run, [one for (raw,) in raws for one in _promised(raw)])
                run.execute("DELETE FROM events WHERE table_id = ?", (table,))
                run.execute("DELETE FROM boxes WHERE table_id = ?", (table,))
        self._shrink()

    def events(self, table: str) -> list[bytes]:
        """Events of the hands of `table` that are not released, in order. A hand of which one cannot be read stays
        sealed: it lacks that event."""
        query = "SELECT bytes, hand, seq FROM events WHERE table_id = ? ORDER BY no"
        rows = self._store.rows(query, table)
        for raw, hand, seq in rows:
            what = f"event {seq} of table {table} (hand {hand})"
            self.unread.read(what, raw, decode_envelope, "The hand stays sealed.")
        return [raw for raw, _, _ in rows]

    def read_all(self) -> None:
        """Read what a start reads; what cannot be is in `unread`."""
        self.leaseholders()
        self.log_end()
        for (table,) in self._store.rows("SELECT DISTINCT table_id FROM events"):
            self.events(table)

    def begin_run(self, delay: str, tables: Iterable[str]) -> frozenset[str]:
        """The tables that the run before followed under the same delay; in a new file all. What is stored of other
        tables is deleted, so that a changed setting never releases it; they count as changed until
        `keep_followed`."""
        before = dict(self._store.rows("SELECT table_id, delay_s FROM followed"))
        followed = frozenset(tables)
        same = frozenset([table for table in followed if not before or before.get(table) == delay])
        others = [row[0] for row in self._store.rows(_HELD_TABLES) if row[0] not in same]
        if others:
            self._drop_tables(others)
        rows = [(table, delay if table in same else "") for table in followed]
        with self._store.transaction() as run:
            run.execute("DELETE FROM followed")
            run.executemany("INSERT INTO followed VALUES (?, ?)", rows)
        return same

    def keep_followed(self, table: str, delay: str) -> None:
        """Record that the table is followed under this delay."""
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO followed VALUES (?, ?)", (table, delay))

    def _shrink(self) -> None:
        """Remove deleted rows from the write-ahead log too; on a full disk, with the next hand."""
        self._held.clear()
        with contextlib.suppress(LedgerError):
            self._store.shrink()

    def close(self) -> None:
        self._store.close()


def _as_leaseholder(raw: bytes) -> Leaseholder:
    return decode(raw, Leaseholder)


def _promised(raw: bytes) -> list[str]:
    """The commitments that an event names, also where it cannot be read: they open nothing any more."""
    event = event_in(raw)
    if event is None:
        return [found.decode() for found in _PROMISE_IN.findall(raw)]
    return [event.commitment] if isinstance(event, CardDealt) and event.commitment else []


def _spend(run: Connection, promises: Iterable[str]) -> None:
    rows = [(bytes.fromhex(promise),) for promise in promises if _PROMISE.fullmatch(promise)]
    run.executemany("INSERT OR IGNORE INTO spent (promise) VALUES (?)", rows)
    run.execute("DELETE FROM spent WHERE no <= (SELECT max(no) FROM spent) - ?", (MOST_SPENT,))
