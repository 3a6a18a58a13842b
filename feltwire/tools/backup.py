"""`feltwire backup`: a copy of a process's records while it runs.

A backup is what it becomes when it is restored: another machine (docs/storage.md). It has no key, no session and
no sealed card; a table's ledger in it has no name and goes on in an epoch of its own; the station's tells tables
nothing until the director has completed its records.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from feltwire.errors import UsageError
from feltwire.ledger import room_ledger, table_ledger, tournament_ledger
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.schema import Schema, carry_out
from feltwire.ledger.season_file import SEASON
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.table_ledger import Ledger
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.private_files import data_folder, keep_files_private, private_file, sync_folder, write_private
from feltwire.relay import relay_store
from feltwire.station import players_store, station_store
from feltwire.station.station_store import StationStore
from table_core.messages import Frozen, decode, encode

HELP = "Copy the records of a process that may be running: a table's, the station's, the relay's."
EXAMPLE = "feltwire backup /var/lib/feltwire --to /mnt/usb --keep 50"

MANIFEST = "manifest.json"
_PARTIAL = ".partial"
_NAME = "feltwire-*Z"

# In this order, so that records and leases are not older than the events that led to them, and the releases not
# older than the store that says which hands they hold: as after a kill.
SCHEMAS: tuple[tuple[str, Schema], ...] = (
    ("table-*.ledger", table_ledger.SCHEMA),
    ("station.ledger", room_ledger.SCHEMA),
    ("tournament*.ledger", tournament_ledger.SCHEMA),
    ("players.db", players_store.SCHEMA),
    ("station.db", station_store.SCHEMA),
    ("relay.db", relay_store.SCHEMA),
)
LINES = (SEASON, "releases.jsonl")


class BackupFile(Frozen, frozen=True):
    """One file of a backup: `holds` says up to where."""

    name: str
    bytes: int
    sha256: str
    holds: str = ""


class Manifest(Frozen, frozen=True):
    """What a backup is: `made_at` is wall time, ms since 1970."""

    made_at: int
    files: tuple[BackupFile, ...]
    format: int = 1


class _Copied(NamedTuple):
    path: Path
    holds: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", type=Path, help="the data folder of the process")
    parser.add_argument("--to", metavar="FOLDER", type=Path, required=True, help="where backups are kept")
    parser.add_argument("--keep", metavar="N", type=int, default=0, help="delete all but the newest N there")


def run(args: argparse.Namespace) -> int:
    """Make a backup and print what it holds; exit status 1 where a file is damaged."""
    keep_files_private()
    try:
        made = make(args.data, args.to)
    except LedgerError as error:
        print(f"no backup was made: {error}")
        return 1
    print(made)
    for file in read_manifest(made).files:
        print(f"  {file.name}: {file.bytes:,} bytes{', ' if file.holds else ''}{file.holds}")
    if args.keep > 0:
        for old in backups(args.to)[: -args.keep]:
            shutil.rmtree(old)
    return 0


def make(data: Path, to: Path) -> Path:
    """Copy the records in `data` to a new folder in `to`; the answer is that folder.

    Raise `UsageError` where there is nothing to copy or it cannot be written, `LedgerError` for a damaged file.
    """
    made_at = time.time_ns() // 1_000_000
    sources = [(path, schema) for pattern, schema in SCHEMAS for path in sorted(data.glob(pattern))]
    if not sources:
        raise UsageError(f"{data}: holds no records of a table, a station or a relay; name their data folder")
    name = datetime.fromtimestamp(made_at / 1000, UTC).strftime("feltwire-%Y-%m-%dT%H-%M-%S.%fZ")
    partial = to / f"{name}{_PARTIAL}"
    try:
        data_folder(to)
        partial.mkdir(mode=0o700)
        copied = [_copy(path, partial, schema) for path, schema in sources]
        copied += [_copy_lines(data / lines, partial) for lines in LINES if (data / lines).exists()]
        _become_restored(partial, made_at)
        files = tuple(_described(one) for one in copied)
        write_private(partial / MANIFEST, encode(Manifest(made_at, files)))
        for path in partial.iterdir():
            _sync(path)
        sync_folder(partial)
        partial.rename(to / name)
        sync_folder(to)
    except OSError as error:
        raise UsageError(f"{to}: the backup cannot be written ({error.strerror})") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return to / name


def backups(folder: Path) -> list[Path]:
    """The backups in a folder, the oldest first."""
    found = (path for path in folder.iterdir() if fnmatch.fnmatch(path.name, _NAME))
    return sorted(path for path in found if (path / MANIFEST).is_file())


def read_manifest(backup: Path) -> Manifest:
    """Raise `UsageError` for a folder that is no whole backup of this format."""
    path = backup / MANIFEST
    try:
        manifest = decode(path.read_bytes(), Manifest)
    except (OSError, ValueError) as error:
        raise UsageError(f"{backup}: is no backup ({error}); name a folder that `feltwire backup` made") from error
    if manifest.format != 1:
        raise UsageError(f"{backup}: is of format {manifest.format}, this program reads 1; use a later version")
    return manifest


def schema_of(name: str) -> Schema | None:
    """The schema of a file of records; None for a file of lines."""
    return next((schema for pattern, schema in SCHEMAS if fnmatch.fnmatch(name, pattern)), None)


# ------------------------------------------------------------------------------------------ one file


def _copy(source: Path, to: Path, schema: Schema) -> _Copied:
    """One transaction's view of the file, without what must not be in a backup."""
    target = to / source.name
    with closing(Store.open(source, schema, read_only=True)) as store, closing(_fresh(target)) as copy:
        store.copy_to(copy)
        copy.execute("PRAGMA secure_delete=ON")
        carry_out(copy, schema.left_out)
        copy.execute("VACUUM")
        copy.execute("PRAGMA journal_mode=DELETE")  # whoever reads it needs to write nothing beside it
    return _Copied(target, _check(target))


def _fresh(path: Path) -> sqlite3.Connection:
    private_file(path)
    return sqlite3.connect(path, isolation_level=None)


def _check(path: Path) -> str:
    """Whether the copy is whole; up to where it goes."""
    with closing(Store.open(path, schema_of(path.name) or table_ledger.SCHEMA, read_only=True)) as store:
        store.check_pages()
    if fnmatch.fnmatch(path.name, "table-*.ledger"):
        with closing(Ledger.open(path, read_only=True)) as ledger:
            events = ledger.hashed_events()
            last = events[-1][0] if events else None
            return f"up to event {last.epoch}/{last.seq}" if last is not None else "no event"
    if path.name == "station.ledger":
        with closing(CollectedLedger.open(path, read_only=True)) as collected:
            return f"{sum(sum(1 for _ in collected.checked_events(table)) for table in collected.heads())} events"
    if path.name == "tournament.ledger":
        with closing(TournamentLedger.open(path, read_only=True)) as records:
            return f"{records.head.seq} records"
    return ""


def _copy_lines(source: Path, to: Path) -> _Copied:
    """The whole lines of a file to which lines are appended."""
    raw = source.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    write_private(to / source.name, whole)
    lines = whole.count(b"\n")
    return _Copied(to / source.name, f"{lines} lines")


def _become_restored(folder: Path, made_at: int) -> None:
    """The station in this backup knows that it is one."""
    if not (folder / "station.db").exists():
        return
    records = 0
    if (folder / "tournament.ledger").exists():
        with closing(TournamentLedger.open(folder / "tournament.ledger", read_only=True)) as ledger:
            records = ledger.head.seq
    with closing(StationStore.open_file(folder / "station.db")) as store:
        store.becomes_restored(made_at, records)


def _described(copied: _Copied) -> BackupFile:
    raw = copied.path.read_bytes()
    return BackupFile(copied.path.name, len(raw), sha256(raw).hexdigest(), copied.holds)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
