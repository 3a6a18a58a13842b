"""What the relay keeps on its disk: sealed cards, and the events of hands that it has yet to release."""

from __future__ import annotations

from pathlib import Path

from feltwire.relay_inbox import SealedInbox
from feltwire.store import Store
from table_core.messages import SealedCard, decode_envelope

_KIND = 4
_SCHEMA = """
CREATE TABLE boxes (
    table_id TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL, hand INTEGER NOT NULL,
    attempt INTEGER NOT NULL, place INTEGER NOT NULL, box TEXT NOT NULL,
    PRIMARY KEY (table_id, epoch, seq)
) STRICT;
CREATE INDEX boxes_of_hand ON boxes (table_id, hand);
CREATE TABLE inboxes (table_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL, upto INTEGER NOT NULL) STRICT;
CREATE TABLE events (
    no INTEGER PRIMARY KEY AUTOINCREMENT, table_id TEXT NOT NULL, hand INTEGER NOT NULL,
    epoch INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL, UNIQUE (table_id, epoch, seq)
) STRICT;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT
"""


class RelayStore:
    """Open with `RelayStore.open(path)`; what a method wrote is on the disk when it returns."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @classmethod
    def open(cls, path: Path) -> RelayStore:
        """Open or create; raise `LedgerError` for a file that is no such store."""
        return cls(Store.open(path, kind=_KIND, schema=_SCHEMA))

    def keep_box(self, table: str, card: SealedCard) -> None:
        row = (table, card.epoch, card.sealed_seq, card.hand, card.attempt, card.place, card.box)
        with self._store.transaction() as run:
            run.execute("INSERT OR IGNORE INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def boxes(self, table: str, hand: int) -> list[str]:
        """The boxes of a hand in the order in which they came; a number used again means more of them."""
        query = "SELECT box FROM boxes WHERE table_id = ? AND hand = ? ORDER BY epoch, seq"
        return [row[0] for row in self._store.rows(query, table, hand)]

    def acked(self, table: str, epoch: int, upto: int) -> None:
        """This is about to be acknowledged to the table."""
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO inboxes VALUES (?, ?, ?)", (table, epoch, upto))

    def inboxes(self) -> dict[str, SealedInbox]:
        rows = self._store.rows("SELECT table_id, epoch, upto FROM inboxes")
        return {table: SealedInbox(epoch, upto) for table, epoch, upto in rows}

    def keep_event(self, table: str, hand: int, raw: bytes) -> None:
        envelope = decode_envelope(raw)
        with self._store.transaction() as run:
            run.execute(
                "INSERT OR IGNORE INTO events (table_id, hand, epoch, seq, bytes) VALUES (?, ?, ?, ?, ?)",
                (table, hand, envelope.epoch, envelope.seq, raw),
            )

    def forget_events(self, table: str, hand: int) -> None:
        with self._store.transaction() as run:
            run.execute("DELETE FROM events WHERE table_id = ? AND hand = ?", (table, hand))

    def events(self, table: str) -> list[bytes]:
        """Events of the hands of `table` that are not released, in order."""
        query = "SELECT bytes FROM events WHERE table_id = ? ORDER BY no"
        return [row[0] for row in self._store.rows(query, table)]

    def under_delay(self, delay: str) -> bool:
        """Note the delay in force. False when it was another one before: hands that were played under that
        are then forgotten, so that a changed setting never releases them."""
        row = self._store.one("SELECT value FROM settings WHERE key = 'delay_s'")
        same = row is None or row[0] == delay
        with self._store.transaction() as run:
            if not same:
                run.execute("DELETE FROM events")
            run.execute("INSERT OR REPLACE INTO settings VALUES ('delay_s', ?)", (delay,))
        return same

    def close(self) -> None:
        self._store.close()
