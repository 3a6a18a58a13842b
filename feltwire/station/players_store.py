"""Names of players by id: a tournament's only personal data, apart from its records, so that it can be deleted.

One SQLite file, `players.db`, in the station's data folder. What is deleted is overwritten.
"""

from __future__ import annotations

from pathlib import Path

from feltwire.ledger.store import Store

_KIND = 8
_SCHEMA = "CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT"


class PlayersStore:
    """Open with `PlayersStore.open(folder)`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        store.connection.execute("PRAGMA secure_delete=ON")

    @classmethod
    def open(cls, folder: Path) -> PlayersStore:
        """Open or create `players.db`. Raise `LedgerError` when it cannot be used."""
        return cls(Store.open(folder / "players.db", kind=_KIND, schema=_SCHEMA))

    def names(self) -> dict[str, str]:
        """The name of each player, by id."""
        return dict(self._store.rows("SELECT id, name FROM players ORDER BY rowid"))

    def save(self, player: str, name: str) -> None:
        """A name; empty: nothing is kept about the player any more."""
        with self._store.transaction() as run:
            if name:
                run.execute("INSERT OR REPLACE INTO players VALUES (?, ?)", (player, name))
            else:
                run.execute("DELETE FROM players WHERE id = ?", (player,))
        if not name:
            self._store.shrink()  # out of the write-ahead log, too

    def close(self) -> None:
        self._store.close()
