"""Names of players by id, and their penalties of earlier events: a tournament's only personal data, apart from its
records, so that it can be deleted.

One SQLite file, `players.db`, in the station's data folder. What is deleted is overwritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from feltwire.ledger.schema import Schema
from feltwire.ledger.store import Store
from feltwire.ledger.unread import Unread
from table_core.messages import convert
from table_core.notices import PenaltyKind
from table_core.tournament.events import OnFile

_PENALTIES = """CREATE TABLE IF NOT EXISTS penalties (
    event TEXT NOT NULL, player TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL,
    rule TEXT NOT NULL, major INTEGER NOT NULL, served TEXT NOT NULL) STRICT"""
_APART = "CREATE TABLE apart (one TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (one, other)) STRICT"
_BORN = "born TEXT NOT NULL DEFAULT ''"
# Beside the mark: a release before opens the file all the same, and leaves these rows alone.
_SHOWN = "CREATE TABLE IF NOT EXISTS shown (player TEXT PRIMARY KEY, shows TEXT NOT NULL) STRICT"
SCHEMA = Schema(
    has="players",
    # 0x108: penalties, which some files of before have too; 0x208: who are two people, birthdays
    marks=(8, 0x108, 0x208),
    steps=(_PENALTIES, f"{_APART}; ALTER TABLE players ADD COLUMN {_BORN}; {_SHOWN}"),
    tables=f"CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL, {_BORN}) STRICT;"
    f"{_PENALTIES};{_APART};{_SHOWN}",
)


class PlayersStore:
    """Open with `PlayersStore.open(folder)`."""

    def __init__(self, store: Store, unread: Unread) -> None:
        self._store = store
        self.unread = unread
        store.connection.execute("PRAGMA secure_delete=ON")

    @classmethod
    def open(cls, folder: Path) -> PlayersStore:
        """Open or create `players.db`. Raise `LedgerError` when it cannot be used."""
        return cls.open_file(folder / "players.db")

    @classmethod
    def open_file(cls, path: Path, *, read_only: bool = False) -> PlayersStore:
        store = Store.open(path, SCHEMA, read_only=read_only)
        if not read_only:
            with store.transaction() as run:
                run.execute(_SHOWN)
        return cls(store, Unread(path, keep=not read_only))

    def names(self) -> dict[str, str]:
        """The name of each player, by id."""
        return dict(self._store.rows("SELECT id, name FROM players WHERE name <> '' ORDER BY rowid"))

    def known(self) -> dict[str, str]:
        """As `names`, with an empty name for who was forgotten: nobody gets that id again."""
        return dict(self._store.rows("SELECT id, name FROM players ORDER BY rowid"))

    def born(self) -> dict[str, str]:
        """The birthdays that are kept, by player's id: `1991-03-02`."""
        return dict(self._store.rows("SELECT id, born FROM players WHERE born <> ''"))

    def shown(self) -> dict[str, str]:
        """How players chose to be shown to the public, by id: a `Shows`."""
        if not self._store.rows("SELECT 1 FROM sqlite_schema WHERE name = 'shown'"):
            return {}  # a file that is only read, and was last written by a release before
        return dict(self._store.rows("SELECT player, shows FROM shown"))

    def apart(self) -> tuple[tuple[str, str], ...]:
        """Pairs of players of whom a person has said that they are two people."""
        return tuple(self._store.rows("SELECT one, other FROM apart ORDER BY rowid"))

    def keep_apart(self, one: str, other: str) -> None:
        """These two players are two people."""
        with self._store.transaction() as run:
            run.execute("INSERT OR IGNORE INTO apart VALUES (?, ?)", sorted((one, other)))

    def on_file(self, but: str = "") -> tuple[OnFile, ...]:
        """Penalties of all events except `but`, the oldest first."""
        rows = self._store.rows(
            "SELECT player, day, kind, reason, rule, major, served FROM penalties WHERE event <> ? ORDER BY rowid",
            but,
        )
        return tuple(self._penalty(row) for row in rows)

    def _penalty(self, row: tuple[str, str, str, str, str, int, str]) -> OnFile:
        """What is not known as it is keeps its player out until a person has decided."""
        raw = msgspec.json.encode(row)
        then = f"Player {row[0][:40]} is kept out: look at the earlier events, and decide."
        found = self.unread.read(f"a penalty of player {row[0][:40]}", raw, _as_penalty, then)
        return OnFile(row[0], row[1], PenaltyKind.BANNED, "cannot be read: decide", "") if found is None else found

    def file(self, event: str, day: str, penalties: Sequence[OnFile]) -> None:
        """The penalties of `event` are these, but for players who were forgotten; suspensions of earlier days are
        served on its `day`."""
        forgotten = {player for (player,) in self._store.rows("SELECT id FROM players WHERE name = ''")}
        rows = [(event, *msgspec.structs.astuple(one)) for one in penalties if one.player not in forgotten]
        with self._store.transaction() as run:
            run.execute("DELETE FROM penalties WHERE event = ?", (event,))
            for row in rows:
                run.execute("INSERT INTO penalties VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            run.execute(
                "UPDATE penalties SET served = ? WHERE kind = ? AND served = '' AND day < ?",
                (day, PenaltyKind.SUSPENDED, day),
            )

    def save(self, player: str, name: str, born: str = "", shown: str = "") -> None:
        """A name, a birthday where the club keeps it, what the public reads where the player chose that. An empty
        name: nothing is kept about the player any more, penalties included, but that the id was forgotten: the
        records of an event name it, and its penalties are not to come back."""
        with self._store.transaction() as run:
            run.execute("INSERT OR REPLACE INTO players VALUES (?, ?, ?)", (player, name, born))
            if not name:
                run.execute("DELETE FROM penalties WHERE player = ?", (player,))
                run.execute("DELETE FROM apart WHERE ? IN (one, other)", (player,))
            run.execute("DELETE FROM shown WHERE player = ?", (player,))
            if name and shown:
                run.execute("INSERT INTO shown VALUES (?, ?)", (player, shown))
        if not name:
            self._store.shrink()  # out of the write-ahead log, too

    def close(self) -> None:
        self._store.close()


def _as_penalty(raw: bytes) -> OnFile:
    """As a record of the tournament may hold it. Raise `Malformed`."""
    plain = dict(zip(OnFile.__struct_fields__, msgspec.json.decode(raw), strict=True))
    return convert(plain | {"major": bool(plain["major"])}, OnFile)


def names_in(folder: Path) -> dict[str, str]:
    """The names in a station's data folder; none where it has kept none. Raise `LedgerError`."""
    if not (folder / "players.db").exists():
        return {}
    store = PlayersStore.open(folder)
    try:
        return store.names()
    finally:
        store.close()
