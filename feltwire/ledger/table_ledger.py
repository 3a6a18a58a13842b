"""The table's ledger: what happened, in order, kept for ever.

One transaction records a step of the table: its events (linked by hash), their outbox rows, the observations
that led to them, boxes for the relay and for recovery, and small notes of state. Only when that transaction is
on the disk may a device's frame be acknowledged or an event be sent.

Beside the file lies the key that signs its events (`feltwire/ledger/signing.py`). Events are public. The tables
`observations`, `recovery`, `sealed` and `notes` are private to this machine: nothing in them names a card that is
not on the board in the clear.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

import msgspec

from feltwire.ledger.chain import ChainEntry, LedgerHead, hash_of, not_of_this_version, past_epoch, read_row
from feltwire.ledger.schema import Schema
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.store import SEE, LedgerError, Store, check_stored
from table_core.messages import (
    Envelope,
    LaterVersion,
    Origin,
    PastEpoch,
    SealedCard,
    StoredEvent,
    decode_envelope,
    decode_stored,
)

__all__ = ["Ledger", "LedgerError", "LedgerHead", "NewEpoch", "ObservationRecord", "Row"]

Row = tuple[int, int, bytes]  # epoch, seq, bytes as they are stored and sent

IDENTITY_DIGITS = 16
_ASIDE = """CREATE TABLE IF NOT EXISTS aside (
    no INTEGER PRIMARY KEY AUTOINCREMENT, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL
) STRICT"""
SCHEMA = Schema(
    has="outbox",
    # 0x101: `aside` is always there; before, a takeover made it
    marks=(1, 0x101),
    steps=(_ASIDE,),
    # A copy is another machine: with a name of its own, nothing granted to it, and an epoch of its own. Sealed
    # cards and the boxes of the hand stay with the machine that has their keys.
    left_out="""
DELETE FROM notes WHERE key IN ('identity', 'charge', 'faces', 'presses');
DELETE FROM recovery;
DELETE FROM sealed;
DELETE FROM sealed_outbox;
INSERT OR REPLACE INTO meta SELECT 'epoch', 1 + max(e.epoch, coalesce(m.number, 0))
    FROM (SELECT max(epoch) AS epoch FROM events) AS e
    LEFT JOIN meta AS m ON m.key = 'epoch' WHERE e.epoch IS NOT NULL
""",
    tables=f"""
CREATE TABLE events (
    epoch INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (epoch, seq)
) STRICT;
CREATE TABLE outbox (epoch INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (epoch, seq)) STRICT;
CREATE TABLE observations (
    device TEXT NOT NULL, boot INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (device, boot, seq)
) STRICT;
CREATE TABLE sealed (
    epoch INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (epoch, seq)
) STRICT;
CREATE TABLE sealed_outbox (epoch INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (epoch, seq)) STRICT;
CREATE TABLE recovery (no INTEGER PRIMARY KEY AUTOINCREMENT, bytes BLOB NOT NULL) STRICT;
CREATE TABLE notes (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE meta (key TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT;
{_ASIDE}
""",
)


@dataclass(frozen=True, slots=True)
class ObservationRecord:
    """One observation as a device numbered it; `body` is its encoded bytes, concealed where it must be."""

    device: str
    boot: int
    seq: int
    body: bytes


@dataclass(frozen=True, slots=True)
class NewEpoch:
    """Go on in `epoch`. With `history` (encoded envelopes in order) this ledger first becomes the table's: what it
    held itself is put aside, in the table `aside` of the same file."""

    epoch: int
    history: tuple[bytes, ...] | None = None


class Ledger:
    """Open with `Ledger.open(path)`; usable from several threads, one transaction at a time."""

    def __init__(self, store: Store, head: LedgerHead, key: LedgerKey | None) -> None:
        self._store = store
        self._head = head
        self._key = key

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Ledger:
        """Open or create. Raise `LedgerError` for a file that is no ledger or whose end is damaged."""
        store = Store.open(path, SCHEMA, read_only=read_only)
        try:
            return cls(store, _read_head(store), None if read_only else LedgerKey.of_ledger(path))
        except LedgerError:
            store.close()
            raise

    @property
    def head(self) -> LedgerHead:
        return self._head

    @property
    def key(self) -> LedgerKey:
        """The key that signs this ledger's events; raise `LedgerError` where it is open read-only."""
        if self._key is None:
            raise LedgerError(f"{self._store.path}: opened to be read only")
        return self._key

    def past(self) -> tuple[PastEpoch, ...]:
        """The epochs before this one, in order."""
        query = (
            "SELECT last.epoch, last.seq, last.hash, first.bytes FROM events AS last "
            "JOIN events AS first ON first.epoch = last.epoch AND first.seq = 1 "
            "WHERE last.seq = (SELECT max(seq) FROM events WHERE epoch = last.epoch) AND last.epoch < ? "
            "ORDER BY last.epoch"
        )
        return tuple([past_epoch(*row) for row in self._store.rows(query, self._head.epoch)])

    # ----------------------------------------------------------------------------------- writing

    def begin_epoch(self, epoch: int) -> None:
        """Go on in `epoch` as granted by the station; the same epoch again changes nothing.

        Raise `LedgerError` for a lower one: its numbers are used up.
        """
        if epoch == self._head.epoch:
            return
        if epoch < self._head.epoch:
            raise LedgerError(f"{self._store.path}: epoch {epoch} is over; this is {self._head.epoch}")
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", (epoch,))
        self._head = self._head.in_epoch(epoch)

    def commit(
        self,
        *,
        entries: Sequence[ChainEntry] = (),
        observations: Sequence[ObservationRecord] = (),
        sealed: Sequence[SealedCard] = (),
        boxes: Sequence[bytes] = (),
        drop_boxes: bool = False,
        notes: Mapping[str, bytes] | None = None,
        new_epoch: NewEpoch | None = None,
    ) -> None:
        """Record one step, all of it or nothing.

        `new_epoch` comes first. `entries` continue `head` (see `chain`). An observation that is there already is
        passed over.
        `sealed` cards are numbered here: their `epoch` and `sealed_seq` are set. `boxes` are the vault's
        recovery boxes; `drop_boxes` first removes those of the hand before. `notes` replace earlier ones.
        """
        with self._store.transaction() as run:
            head = self._append(run, self._begin(run, new_epoch), entries)
            run.executemany(
                "INSERT OR IGNORE INTO observations VALUES (?, ?, ?, ?)",
                [(seen.device, seen.boot, seen.seq, seen.body) for seen in observations],
            )
            self._append_sealed(run, head.epoch, sealed)
            if drop_boxes:
                run.execute("DELETE FROM recovery")
            run.executemany("INSERT INTO recovery (bytes) VALUES (?)", [(box,) for box in boxes])
            run.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?)", list((notes or {}).items()))
        self._head = head

    def _begin(self, run: Connection, new: NewEpoch | None) -> LedgerHead:
        if new is None:
            return self._head
        head = self._head if new.history is None else _adopt(run, new.history)
        # The station has every event before the one that begins the epoch.
        run.execute("DELETE FROM outbox WHERE epoch < ?", (new.epoch,))
        run.execute("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", (new.epoch,))
        return head.in_epoch(new.epoch)

    def _append(self, run: Connection, head: LedgerHead, entries: Sequence[ChainEntry]) -> LedgerHead:
        for entry in entries:
            envelope = entry.envelope
            if envelope.epoch != head.epoch or not head.follows(envelope):
                raise LedgerError(
                    f"{self._store.path}: event {envelope.epoch}/{envelope.seq} does not follow "
                    f"{head.epoch}/{head.seq}; build it from the ledger's head"
                )
            head = entry.head
            run.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (head.epoch, head.seq, entry.raw, head.hash))
            run.execute("INSERT INTO outbox VALUES (?, ?)", (head.epoch, head.seq))
        return head

    def _append_sealed(self, run: Connection, epoch: int, cards: Sequence[SealedCard]) -> None:
        if not cards:
            return
        last = run.execute("SELECT coalesce(max(seq), 0) FROM sealed WHERE epoch = ?", (epoch,)).fetchone()[0]
        for seq, card in enumerate(cards, start=last + 1):
            raw = self.key.sign(msgspec.structs.replace(card, epoch=epoch, sealed_seq=seq))
            run.execute("INSERT INTO sealed VALUES (?, ?, ?)", (epoch, seq, raw))
            run.execute("INSERT INTO sealed_outbox VALUES (?, ?)", (epoch, seq))

    def identity(self) -> str:
        """Sixteen decimal digits that name this ledger, drawn when it was made.

        No hex digits: logs and pages show the first four, and `2d6c` is two cards to whoever looks for leaks.
        """
        known = self.note("identity")
        if known is None or not (known.isdigit() and len(known) == IDENTITY_DIGITS):  # then another machine it is
            known = f"{secrets.randbelow(10**IDENTITY_DIGITS):0{IDENTITY_DIGITS}d}".encode()
            with self._store.transaction() as run:
                run.execute("INSERT OR REPLACE INTO notes VALUES ('identity', ?)", (known,))
        return known.decode()

    def make_room(self) -> None:
        """Give back the disk space of the write-ahead log; raise `LedgerError` where that needs space itself."""
        self._store.shrink()

    # ----------------------------------------------------------------------------------- reading

    def raw_events(self, from_seq: int = 1, epoch: int | None = None) -> Iterator[Row]:
        """Stored events in order: from `from_seq` of `epoch` on, later epochs included; without `epoch` every one
        there is."""
        after = (0, 0) if epoch is None else (epoch, from_seq - 1)
        query = "SELECT epoch, seq, bytes FROM events WHERE (epoch, seq) > (?, ?) ORDER BY epoch, seq LIMIT 500"
        while page := self._store.rows(query, *after):
            yield from page
            after = page[-1][:2]

    def events(self, from_seq: int = 1, epoch: int | None = None) -> Iterator[Envelope]:
        """`raw_events`, decoded."""
        return (decode_envelope(raw) for _, _, raw in self.raw_events(from_seq, epoch))

    def hashed_events(self) -> list[tuple[StoredEvent, str]]:
        """Every event with the hash of its bytes, those that cannot be read too. Raise `LedgerError` for one that
        is not as it was written."""
        rows = self._store.rows("SELECT epoch, seq, bytes, hash FROM events ORDER BY epoch, seq")
        return [(self._decoded(*row), row[3]) for row in rows]

    def _decoded(self, epoch: int, seq: int, raw: bytes, hash_: str) -> StoredEvent:
        check_stored(self._store.path, f"event {epoch}/{seq}", raw, hash_)
        try:
            return read_row("", epoch, seq, raw)
        except LaterVersion as error:
            raise LedgerError(f"{self._store.path}: event {epoch}/{seq} is of a later {error}; {SEE}") from None

    def note(self, key: str) -> bytes | None:
        row = self._store.one("SELECT bytes FROM notes WHERE key = ?", key)
        return None if row is None else bytes(row[0])

    def boxes(self) -> list[bytes]:
        """Recovery boxes of the hand in progress, oldest first: for `Vault.recover`."""
        return [row[0] for row in self._store.rows("SELECT bytes FROM recovery ORDER BY no")]

    def seen(self, device: str, boot: int) -> frozenset[int]:
        """Every sequence number recorded from `device` in `boot`."""
        query = "SELECT seq FROM observations WHERE device = ? AND boot = ?"
        return frozenset(row[0] for row in self._store.rows(query, device, boot))

    def observed(self, device: str, boot: int, seq: int) -> bool:
        """Whether this observation is recorded: its frame is then acknowledged again and not used again."""
        query = "SELECT 1 FROM observations WHERE device = ? AND boot = ? AND seq = ?"
        return self._store.one(query, device, boot, seq) is not None

    def observations(self) -> list[ObservationRecord]:
        """Every observation in the order in which it was recorded."""
        query = "SELECT device, boot, seq, bytes FROM observations ORDER BY rowid"
        return [ObservationRecord(*row) for row in self._store.rows(query)]

    # ---------------------------------------------------------------------------------- outboxes

    def outbox(self, limit: int = 100) -> list[Row]:
        """Events that the station has not acknowledged, oldest first."""
        query = "SELECT epoch, seq, bytes FROM outbox JOIN events USING (epoch, seq) ORDER BY epoch, seq LIMIT ?"
        return self._store.rows(query, limit)

    def waiting(self) -> int:
        """How many events the station has not acknowledged."""
        ((count,),) = self._store.rows("SELECT count(*) FROM outbox")
        return int(count)

    def acked(self, epoch: int, seq: int) -> None:
        """The station committed every event of `epoch` up to `seq`. Again, or late, changes nothing."""
        self._clear("outbox", epoch, seq)

    def sealed_outbox(self, limit: int = 100) -> list[Row]:
        """Encoded `SealedCard`s that the relay has not acknowledged, oldest first."""
        query = (
            "SELECT epoch, seq, bytes FROM sealed_outbox JOIN sealed USING (epoch, seq) "
            "ORDER BY epoch, seq LIMIT ?"
        )
        return self._store.rows(query, limit)

    def sealed_newest(self, count: int) -> list[Row]:
        """The last `count` encoded `SealedCard`s, oldest first."""
        query = "SELECT epoch, seq, bytes FROM sealed ORDER BY epoch DESC, seq DESC LIMIT ?"
        return self._store.rows(query, count)[::-1]

    def sealed_acked(self, epoch: int, seq: int) -> None:
        self._clear("sealed_outbox", epoch, seq)

    def _clear(self, outbox: str, epoch: int, seq: int) -> None:
        with self._store.transaction() as run:
            run.execute(f"DELETE FROM {outbox} WHERE epoch = ? AND seq <= ?", (epoch, seq))

    def close(self) -> None:
        self._store.close()


def _adopt(run: Connection, history: Sequence[bytes]) -> LedgerHead:
    """Put aside what this ledger held and take `history` instead, with the frames that led to it: a device that
    was moved here sends again what the other machine had no time to acknowledge."""
    run.execute("INSERT INTO aside (epoch, seq, bytes) SELECT epoch, seq, bytes FROM events ORDER BY epoch, seq")
    for table in ("events", "outbox", "sealed_outbox"):
        run.execute(f"DELETE FROM {table}")
    head = LedgerHead()
    for raw in history:
        envelope = decode_stored(raw)
        head = LedgerHead(envelope.epoch, envelope.seq, hash_of(raw))
        run.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (head.epoch, head.seq, raw, head.hash))
        if isinstance(envelope, Envelope) and (origin := Origin.parse(envelope.cause)) is not None:
            frame = (origin.device, origin.boot, origin.seq, b"{}")
            run.execute("INSERT OR IGNORE INTO observations VALUES (?, ?, ?, ?)", frame)
    return head


def _read_head(store: Store) -> LedgerHead:
    last = store.one("SELECT epoch, seq, bytes, hash FROM events ORDER BY epoch DESC, seq DESC LIMIT 1")
    head = LedgerHead()
    if last is not None:
        epoch, seq, raw, stored = last
        check_stored(store.path, f"event {epoch}/{seq}", raw, stored)
        if why := not_of_this_version(raw):
            raise LedgerError(f"{store.path}: {why}")
        head = LedgerHead(epoch, seq, stored)
    granted = store.one("SELECT number FROM meta WHERE key = 'epoch'")
    if granted is not None and granted[0] > head.epoch:
        return head.in_epoch(granted[0])
    return head
