"""The relay's released hands with their pages: kept at the release, signed and numbered when they are shown.

A hand is shown once: its number `no` counts the shown ones without a gap, its bytes never change, and each names
the SHA-256 of the one shown before it. What waits has no number, so that nothing of it can be told from the
others."""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec
from nacl.signing import SigningKey

from feltwire.ledger.chain import hash_of
from feltwire.ledger.schema import Schema
from feltwire.ledger.store import Store
from feltwire.relay.feed.signed_hand import FeedHand, FeedSeat
from feltwire.relay.relay_io import HandKey
from table_core.messages import CardText, Chips, Frozen, Level

HANDS = "hands.db"
SCHEMA = Schema(
    has="hands",
    marks=(9,),
    tables="""
CREATE TABLE hands (
    kept INTEGER PRIMARY KEY AUTOINCREMENT, table_id TEXT NOT NULL, lineage TEXT NOT NULL, hand INTEGER NOT NULL,
    attempt INTEGER NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL,
    no INTEGER UNIQUE, hash TEXT NOT NULL DEFAULT '', listed BLOB NOT NULL DEFAULT x'',
    UNIQUE (table_id, lineage, hand, attempt), UNIQUE (table_id, name)
) STRICT
""",
)
_KEY = "(table_id, lineage, hand, attempt) = (?, ?, ?, ?)"


class Page(Frozen, frozen=True):
    """What the relay signs of a hand: `no` counts shown hands from 1, `prev` is the SHA-256 (hex) of the line of
    the hand that was shown before."""

    no: int
    prev: str
    hand: FeedHand


class SignedPage(Frozen, frozen=True):
    """The line of a hand: `signature` (hex, Ed25519) of the page's JSON by `key` (hex)."""

    page: Page
    key: str
    signature: str


# Made here, in one thread: two that make a decoder of the same struct for the first time end the process.
_told, _signed = msgspec.json.Decoder(FeedHand), msgspec.json.Decoder(SignedPage)


class ListedHand(Frozen, frozen=True):
    """A hand in `/feed/hands.json` and on `/feed/hands`. `page` is its address at this relay."""

    no: int
    table: str
    hand: int
    name: str
    page: str
    began: str
    ended: str
    level: Level
    pot: Chips
    board: tuple[CardText, ...]
    seats: tuple[FeedSeat, ...]


class HandStore:
    """Open with `HandStore.open(path)`; when a method returns, its record is on the disk. Pages read with an
    opening of their own (`read_only`), which no writer waits for."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> HandStore:
        """Open or create; raise `LedgerError` for a file that is no such store."""
        return cls(Store.open(path, SCHEMA, read_only=read_only))

    # ------------------------------------------------------------------------------- what is released

    def name_of(self, key: HandKey) -> str:
        """What the hand is called in its address; the first hand of a number keeps the number alone for ever."""
        row = self._store.one(f"SELECT name FROM hands WHERE {_KEY}", *key)
        if row is not None:
            return str(row[0])
        query = "SELECT count(*) FROM hands WHERE (table_id, hand) = (?, ?)"
        before = self._store.rows(query, key.table, key.hand)[0][0]
        return f"{key.hand}.{before + 1}" if before else str(key.hand)

    def keep(self, key: HandKey, hand: FeedHand) -> None:
        """Keep a hand that waits to be shown; one that is kept stays as it is."""
        row = (*key, hand.name, zlib.compress(msgspec.json.encode(hand)))
        with self._store.transaction() as run:
            columns = "table_id, lineage, hand, attempt, name, bytes"
            run.execute(f"INSERT OR IGNORE INTO hands ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)

    def waiting(self) -> list[HandKey]:
        """The hands that are kept and not shown, in order."""
        rows = self._store.rows(
            "SELECT table_id, lineage, hand, attempt FROM hands WHERE no IS NULL ORDER BY kept"
        )
        return [HandKey(*row) for row in rows]

    def show(self, key: HandKey, signing: SigningKey) -> int | None:
        """Number and sign a hand that waits; its number, None where there is no such hand."""
        row = self._store.one(f"SELECT bytes FROM hands WHERE {_KEY} AND no IS NULL", *key)
        if row is None:
            return None
        hand = _told.decode(zlib.decompress(row[0]))
        newest = self._store.one("SELECT no, hash FROM hands WHERE no IS NOT NULL ORDER BY no DESC LIMIT 1")
        no, prev = (newest[0] + 1, newest[1]) if newest else (1, "")
        page = Page(no, prev, hand)
        signature = signing.sign(msgspec.json.encode(page)).signature.hex()
        line = msgspec.json.encode(SignedPage(page, bytes(signing.verify_key).hex(), signature))
        with self._store.transaction() as run:
            run.execute(
                f"UPDATE hands SET no = ?, hash = ?, bytes = ?, listed = ? WHERE {_KEY}",
                (no, hash_of(line), zlib.compress(line), msgspec.json.encode(_listed(no, hand)), *key),
            )
        return no

    # ---------------------------------------------------------------------------------- what is shown

    def newest(self) -> int:
        """The number of the hand that was shown last; 0 before the first."""
        return int(self._store.rows("SELECT coalesce(max(no), 0) FROM hands")[0][0])

    def listed(self, *, before: int | None, table: str, most: int) -> list[bytes]:
        """Shown hands (JSON), the newest first, below the number `before`; of one `table` unless that is empty."""
        where = "no IS NOT NULL AND no < ? AND (? = '' OR table_id = ?)"
        query = f"SELECT listed FROM hands WHERE {where} ORDER BY no DESC LIMIT ?"
        return [row[0] for row in self._store.rows(query, 2**62 if before is None else before, table, table, most)]

    def after(self, no: int, most: int) -> list[tuple[int, bytes]]:
        """Shown hands with a higher number, in order."""
        query = "SELECT no, listed FROM hands WHERE no > ? ORDER BY no LIMIT ?"
        return list(self._store.rows(query, no, most))

    def line(self, table: str, name: str) -> bytes | None:
        """The signed line of a shown hand."""
        query = "SELECT bytes FROM hands WHERE (table_id, name) = (?, ?) AND no IS NOT NULL"
        row = self._store.one(query, table, name)
        return None if row is None else zlib.decompress(row[0])

    def names(self) -> list[tuple[str, str]]:
        """Table and name of every shown hand, in order."""
        return list(self._store.rows("SELECT table_id, name FROM hands WHERE no IS NOT NULL ORDER BY no"))

    def unread(self) -> list[tuple[str, str]]:
        """Table and name of the shown hands that cannot be read."""
        unread = []
        for table, name in self.names():
            try:
                hand_in(self.line(table, name) or b"")
            except (msgspec.DecodeError, zlib.error):
                unread.append((table, name))
        return unread

    def close(self) -> None:
        self._store.close()


def _listed(no: int, hand: FeedHand) -> ListedHand:
    return ListedHand(
        no=no,
        table=hand.table,
        hand=hand.hand,
        name=hand.name,
        page=f"/hand/{hand.table}/{hand.name}",
        began=hand.began,
        ended=hand.ended,
        level=hand.level,
        pot=hand.pot,
        board=hand.board,
        seats=hand.seats,
    )


def hand_in(line: bytes) -> FeedHand:
    """The hand in a signed line."""
    return _signed.decode(line).page.hand
