"""Cards that the files of a folder name: their bytes as they lie on the disk, free pages and logs of databases
included, and every cell of the databases."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.room.leak.notation import cards_in

DATABASE = re.compile(r"\.(ledger|db|people)$")
_TEXT = re.compile(rb"[\x20-\x7e]{24,}")
"""A shorter run is no text: among the hashes, signatures and sealed boxes of one table's log, runs of 6 to 15
printable bytes name a card by chance about once an evening, and in its encrypted clips one of 16 or 17 does
in some five hundred hands. A record of the ledger is longer than 24."""


def named_in(folder: Path, cards: set[str]) -> dict[str, set[str]]:
    """Which of `cards` each file names, in any notation; files that name none are left out."""
    found: dict[str, set[str]] = {}
    for path in sorted(path for path in (folder, *folder.rglob("*")) if path.is_file()):
        texts = [run.decode() for run in _TEXT.findall(path.read_bytes())]
        if DATABASE.search(path.name):
            texts += [text for _, cell in cells(path) for text in texts_in(cell)]
        named = {card for text in texts for card in cards_in(text)} & cards
        if named:
            found[path.name] = named
    return found


def texts_in(raw: bytes) -> list[str]:
    """All of it where it is text, of other bytes the printable runs."""
    try:
        return [raw.decode()]
    except UnicodeDecodeError:
        return [run.decode() for run in _TEXT.findall(raw)]


def read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def cells(path: Path) -> Iterator[tuple[str, bytes]]:
    """Every cell of a database with the name of its table."""
    with closing(read_only(path)) as base:
        for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in base.execute(f"SELECT * FROM {name}"):
                yield from ((name, cell if isinstance(cell, bytes) else str(cell).encode()) for cell in row)
