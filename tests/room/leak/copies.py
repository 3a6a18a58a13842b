"""What the venue's own commands bring out of a room's folder while it deals; files that are secrets by themselves.

Backups are read like every other file. A deck's registry names every tag, so it is not searched: it must stay the
same, byte for byte, for as long as the room is open, and so it tells nothing of a hand.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from feltwire.private_files import python
from feltwire.tools.provision.access import table_name
from firmware_bridge.decks import CARDS
from tests.room.leak.capture import Capture, now_ms
from tests.room.leak.folder import DATABASE, cells, read_only
from tests.room.leak.truth import Truth


def back_up(capture: Capture, data: Path, to: Path) -> bool:
    """`feltwire backup` while the room deals, and everything in the backup; whether there was one."""
    shutil.rmtree(to, ignore_errors=True)
    done = subprocess.run(
        python("feltwire", "backup", str(data), "--to", str(to)), capture_output=True, check=False
    )
    capture.add("commands", "command backup", done.stdout + done.stderr)
    for path in sorted(path for path in to.rglob("*") if path.is_file()):
        at = now_ms()
        capture.add("files", f"file backup/{path.name}", path.read_bytes(), at)
        if DATABASE.search(path.name):
            for name, cell in cells(path):
                capture.add("files", f"row backup {path.name} {name}", cell, at)
    return done.returncode == 0


def list_decks(capture: Capture, folder: Path, tables: tuple[str, ...]) -> None:
    """`feltwire deck list`, as a person reads it and as a program does."""
    for table in tables:
        for form in ((), ("--json",)):
            command = python("feltwire", "deck", "list", "--config", str(folder / f"table-{table}.toml"), *form)
            done = subprocess.run(command, capture_output=True, check=False)
            capture.add("commands", f"command deck list {' '.join(form)} table-{table}", done.stdout + done.stderr)


def sums(files: Iterator[Path]) -> dict[str, str]:
    """What the files hold, without their holding it."""
    found = {}
    for path in files:
        with contextlib.suppress(FileNotFoundError):
            found[path.name] = sha256(path.read_bytes()).hexdigest()
    return found


def wear_of(ledger: Path) -> bytes:
    """The note of what the table's decks have been through."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(read_only(ledger)) as base:
        row = base.execute("SELECT bytes FROM notes WHERE key = 'decks'").fetchone()
        return bytes(row[0]) if row else b""
    return b""


def misworn(notes: list[bytes], table: str, truth: Truth) -> Iterator[str]:
    """Cards that a note counts beyond the one before it, and that were public in no hand between the two."""
    before = _counts(b"")
    last = 0
    for note in notes:
        now, hand = _counts(note), int(json.loads(note)["hand"])
        public: set[str] = set()
        for number in range(max(1, last), hand + 1):
            public |= {card for dealt in truth.numbered(table, number) for card in dealt.face_up}
        grown = {card for (deck, what, card), count in now.items() if count != before.get((deck, what, card), 0)}
        if not grown <= public:
            yield f"{table_name(table)}: the wear of hand {hand} counts cards that were hidden"
        before, last = now, hand


def _counts(note: bytes) -> dict[tuple[str, str, str], int]:
    decks = json.loads(note)["decks"] if note else {}
    return {
        (deck, what, card): count
        for deck, kept in decks.items()
        for what in ("seen", "silent")
        for card, count in zip(CARDS, kept[what], strict=True)
    }
