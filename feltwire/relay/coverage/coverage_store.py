"""The lines of the coverage on the disk, and what was heard last of the field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from feltwire.ledger.schema import Schema
from feltwire.ledger.store import Store
from feltwire.ledger.unread import Unread
from feltwire.relay.coverage.desk import MOST_LINES, Kept
from table_core.messages import decode, encode

DATABASE = "coverage.db"  # in the data folder
SCHEMA = Schema(
    has="lines",
    marks=(10,),
    tables="""
CREATE TABLE lines (no INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT;
CREATE TABLE heard (what TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT
""",
)


class CoverageStore:
    """Open with `CoverageStore.open(path)`; when a method returns, its record is on the disk."""

    def __init__(self, store: Store, unread: Unread) -> None:
        self._store = store
        self.unread = unread

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> CoverageStore:
        """Open or create; raise `LedgerError` for a file that is no such store."""
        return cls(Store.open(path, SCHEMA, read_only=read_only), Unread(path, keep=not read_only))

    def keep(self, line: Kept) -> None:
        with self._store.transaction() as run:
            run.execute(
                "INSERT INTO lines (id, bytes) VALUES (?, ?) "
                "ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes",
                (line.id, encode(line)),
            )

    def lines(self) -> Iterator[Kept]:
        """The newest lines, in the order in which they came about; one that cannot be read is left out."""
        query = "SELECT id, bytes FROM (SELECT * FROM lines ORDER BY no DESC LIMIT ?) ORDER BY no"
        for name, raw in self._store.rows(query, MOST_LINES):
            line = self.unread.read(f"the line {name}", raw, lambda raw: decode(raw, Kept), "It is not shown.")
            if line is not None:
                yield line

    def keep_heard(self, what: str, raw: bytes) -> None:
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO heard VALUES (?, ?)", (what, raw))

    def heard(self, what: str) -> bytes | None:
        row = self._store.one("SELECT bytes FROM heard WHERE what = ?", what)
        return row[0] if row is not None else None

    def close(self) -> None:
        self._store.close()
