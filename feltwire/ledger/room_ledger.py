"""The station's ledger: the events of every table, each table's chain complete and in order.

An event is accepted only when it is the next of its table and its `prev` fits. Otherwise the answer says which
event the station expects. An event is acknowledged after its commit.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from feltwire.ledger.chain import LedgerHead, hash_of, not_of_this_version, past_epoch, read_row
from feltwire.ledger.checkpoints import RECORDS, Checkpoint, CheckpointHead
from feltwire.ledger.schema import Schema
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.store import LedgerError, Store, check_stored
from table_core.messages import (
    Envelope,
    HandEnded,
    Malformed,
    PastEpoch,
    StoredEvent,
    decode,
    decode_envelope,
    decode_stored,
)

__all__ = ["Accepted", "CollectedLedger", "EventVerdict"]

_CHECKPOINTS = """CREATE TABLE checkpoints (
    no INTEGER PRIMARY KEY, table_id TEXT NOT NULL, bytes BLOB NOT NULL
) STRICT"""
SCHEMA = Schema(
    has="events",
    marks=(2, 0x102),  # 0x102: checkpoints
    steps=(_CHECKPOINTS,),
    tables=f"""
CREATE TABLE events (
    table_id TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL,
    hash TEXT NOT NULL, PRIMARY KEY (table_id, epoch, seq)
) STRICT;
{_CHECKPOINTS}
""",
)


class EventVerdict(StrEnum):
    NEW = "new"  # committed
    DUPLICATE = "duplicate"  # committed before, the same bytes
    GAP = "gap"  # something before it is missing: ask for it
    BROKEN_CHAIN = "broken_chain"  # contradicts what is committed: a person must look
    MALFORMED = "malformed"  # not an event at all


@dataclass(frozen=True, slots=True)
class Accepted:
    """The result for one received event.

    `epoch` and `expected_seq` say what the table should send next; everything up to `expected_seq - 1` is
    committed. `envelope` is None when it could not be decoded.
    """

    kind: EventVerdict
    table: str
    epoch: int
    expected_seq: int
    envelope: StoredEvent | None = None
    why: str = ""

    @property
    def is_there(self) -> bool:
        """Whether the event is on the disk, since now or before."""
        return self.kind in (EventVerdict.NEW, EventVerdict.DUPLICATE)


class CollectedLedger:
    """Open with `CollectedLedger.open(path)`."""

    def __init__(self, store: Store, key: LedgerKey | None = None) -> None:
        self._store = store
        self._key = key
        self._heads = _read_heads(store)
        self._checkpoint = _read_checkpoint(store)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> CollectedLedger:
        """Open or create, with the key beside it that signs its checkpoints. Raise `LedgerError` for a file that
        is no such ledger."""
        store = Store.open(path, SCHEMA, read_only=read_only)
        newest = store.one("SELECT bytes FROM events ORDER BY rowid DESC LIMIT 1")
        if newest is not None and (why := not_of_this_version(newest[0])):
            store.close()
            raise LedgerError(f"{path}: {why}")
        try:
            return cls(store, None if read_only else LedgerKey.of_ledger(path))
        except LedgerError:
            store.close()
            raise

    @property
    def public(self) -> str:
        """The key (hex) with which checkpoints are verified; empty where it is open read-only."""
        return "" if self._key is None else self._key.public

    def heads(self) -> dict[str, LedgerHead]:
        """The last committed event of each table."""
        return dict(self._heads)

    def count(self) -> int:
        """How many events are committed, of all tables."""
        return int(self._store.rows("SELECT count(*) FROM events")[0][0])

    def epochs(self, table: str) -> tuple[PastEpoch, ...]:
        """Every epoch of a table, in order, as far as it is committed."""
        query = (
            "SELECT last.epoch, last.seq, last.hash, first.bytes FROM events AS last "
            "JOIN events AS first "
            "ON first.table_id = last.table_id AND first.epoch = last.epoch AND first.seq = 1 "
            "WHERE last.table_id = ?1 AND last.seq = "
            "(SELECT max(seq) FROM events WHERE table_id = ?1 AND epoch = last.epoch) ORDER BY last.epoch"
        )
        return tuple([past_epoch(*row) for row in self._store.rows(query, table)])

    def accept(self, raw: bytes) -> Accepted:
        """Take one received event; `EventVerdict.NEW` means that it is on the disk."""
        return self.accept_all([raw])[0]

    def accept_all(self, raws: Sequence[bytes]) -> list[Accepted]:
        """Take received events in their order, all in one transaction: what is new is on the disk. Where the disk
        refuses it, none of them is there, and `LedgerError` is raised."""
        before = dict(self._heads), self._checkpoint
        try:
            with self._store.transaction() as run:
                return [self._accept(raw, run) for raw in raws]
        except LedgerError:
            self._heads, self._checkpoint = before
            raise

    def _accept(self, raw: bytes, run: sqlite3.Connection) -> Accepted:
        try:
            envelope = decode_stored(raw)
        except Malformed as error:
            return Accepted(EventVerdict.MALFORMED, "", 0, 0, why=str(error))
        head = self._heads.get(envelope.table)
        kind, why = self._judge(head, envelope, raw)
        if kind is EventVerdict.NEW:
            head = LedgerHead(envelope.epoch, envelope.seq, hash_of(raw))
            row = (envelope.table, head.epoch, head.seq, raw, head.hash)
            run.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
            self._heads[envelope.table] = head
            if isinstance(envelope, Envelope) and isinstance(envelope.data, HandEnded):
                self._sign(run, envelope.venue, envelope.table, head, hand=envelope.data.hand)
        head = head or LedgerHead()
        return Accepted(kind, envelope.table, head.epoch, head.seq + 1, envelope, why)

    def _sign(
        self,
        run: sqlite3.Connection,
        venue: str,
        table: str,
        head: LedgerHead,
        *,
        hand: int = 0,
        event: str = "",
    ) -> None:
        if self._key is None:
            raise LedgerError(f"{self._store.path}: opened to be read only")
        no, raw = self._checkpoint.link(self._key, venue, table, head, hand=hand, event=event)
        run.execute("INSERT INTO checkpoints VALUES (?, ?, ?)", (no, table, raw))
        self._checkpoint = CheckpointHead(no, hash_of(raw))

    def sign_records(self, venue: str, event: str, head: LedgerHead) -> None:
        """Add a checkpoint of the records of the tournament with the id `event`, of which `head` is the last."""
        before = self._checkpoint
        try:
            with self._store.transaction() as run:
                self._sign(run, venue, RECORDS, head, event=event)
        except LedgerError:
            self._checkpoint = before
            raise

    def records_signed(self, event: str) -> LedgerHead | None:
        """Where the records of the tournament `event` end as of the last checkpoint; None where it has none."""
        query = "SELECT bytes FROM checkpoints WHERE table_id = ? ORDER BY no DESC LIMIT 1"
        last = self._store.one(query, RECORDS)
        if last is None:
            return None
        try:
            found = decode(last[0], Checkpoint)
        except Malformed:
            return None
        return LedgerHead(found.epoch, found.seq, found.head) if found.event == event else None

    def checkpoints(self, after: int = 0, most: int = -1) -> list[bytes]:
        """Signed checkpoints behind number `after`, the oldest first; with `most`, not more than that."""
        query = "SELECT bytes FROM checkpoints WHERE no > ? ORDER BY no LIMIT ?"
        return [raw for (raw,) in self._store.rows(query, after, most)]

    def _judge(self, head: LedgerHead | None, envelope: StoredEvent, raw: bytes) -> tuple[EventVerdict, str]:
        number = f"{envelope.epoch}/{envelope.seq}"
        if head is None:
            if envelope.seq == 1 and not envelope.prev:
                return EventVerdict.NEW, ""
            return EventVerdict.GAP, f"{number} came first; everything before it is missing"
        if head.follows(envelope):
            return EventVerdict.NEW, ""
        if (envelope.epoch, envelope.seq) <= (head.epoch, head.seq):
            return self._judge_known(envelope, raw)
        if (envelope.epoch, envelope.seq) == (head.epoch, head.seq + 1):
            return EventVerdict.BROKEN_CHAIN, f"{number} does not continue the event before it as committed here"
        return EventVerdict.GAP, f"{number} came after {head.epoch}/{head.seq}"

    def _judge_known(self, envelope: StoredEvent, raw: bytes) -> tuple[EventVerdict, str]:
        query = "SELECT hash FROM events WHERE table_id = ? AND epoch = ? AND seq = ?"
        known = self._store.one(query, envelope.table, envelope.epoch, envelope.seq)
        number = f"{envelope.epoch}/{envelope.seq}"
        if known is None:
            return EventVerdict.BROKEN_CHAIN, f"{number} is of an epoch that is over"
        if known[0] != hash_of(raw):
            return EventVerdict.BROKEN_CHAIN, f"{number} is committed here with other content"
        return EventVerdict.DUPLICATE, ""

    def raw_events(self, table: str, after: tuple[int, int] = (0, 0)) -> Iterator[tuple[int, int, bytes]]:
        """`(epoch, seq, bytes)` of one table in order, from behind `after` on."""
        query = (
            "SELECT epoch, seq, bytes FROM events WHERE table_id = ? AND (epoch, seq) > (?, ?) "
            "ORDER BY epoch, seq LIMIT 500"
        )
        while page := self._store.rows(query, table, *after):
            yield from page
            after = page[-1][:2]

    def checked_events(self, table: str) -> Iterator[tuple[int, int, bytes]]:
        """`raw_events`; raise `LedgerError` at the first that is not as it was written."""
        query = "SELECT seq, hash FROM events WHERE table_id = ? AND epoch = ?"
        hashes: dict[int, str] = {}
        known = 0
        for epoch, seq, raw in self.raw_events(table):
            if epoch != known:
                known, hashes = epoch, dict(self._store.rows(query, table, epoch))
            check_stored(self._store.path, f"event {epoch}/{seq} of table {table}", raw, hashes[seq])
            yield epoch, seq, raw

    def stored_events(self, table: str) -> Iterator[tuple[StoredEvent, str]]:
        """Every event of a table with the SHA-256 (hex) of its bytes, those that cannot be read too. Raise
        `LedgerError` for one that is not as it was written, `LaterVersion`."""
        for epoch, seq, raw in self.checked_events(table):
            yield read_row(table, epoch, seq, raw), hash_of(raw)

    def unread_checkpoint(self) -> str:
        """What of the checkpoints a start cannot read, in words; empty where it can."""
        last = self._store.one("SELECT no, bytes FROM checkpoints WHERE table_id = ? ORDER BY no DESC", RECORDS)
        try:
            if last is not None:
                decode(last[1], Checkpoint)
        except Malformed:
            return f"checkpoint {last[0]}, the last of the tournament's records, cannot be read."
        return ""

    def events(self, table: str) -> Iterator[Envelope]:
        return (decode_envelope(raw) for _, _, raw in self.raw_events(table))

    def close(self) -> None:
        self._store.close()


def _read_heads(store: Store) -> dict[str, LedgerHead]:
    rows = store.rows(
        "SELECT table_id, epoch, seq, hash FROM events AS e WHERE NOT EXISTS ("
        "SELECT 1 FROM events AS later WHERE later.table_id = e.table_id "
        "AND (later.epoch, later.seq) > (e.epoch, e.seq))"
    )
    return {table: LedgerHead(epoch, seq, hash_) for table, epoch, seq, hash_ in rows}


def _read_checkpoint(store: Store) -> CheckpointHead:
    last = store.one("SELECT no, bytes FROM checkpoints ORDER BY no DESC LIMIT 1")
    return CheckpointHead() if last is None else CheckpointHead(last[0], hash_of(last[1]))
