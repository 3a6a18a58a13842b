"""`feltwire backup`: a copy of a process's records while it runs.

A backup is what it becomes when it is restored: another machine (docs/storage.md). It has no key, no session and
no sealed card; a table's ledger in it has no name and goes on in an epoch of its own; the station's tells tables
nothing until the director has completed its records.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from feltwire.errors import UsageError
from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.schema import Schema, carry_out
from feltwire.ledger.store import LedgerError, Store
from feltwire.ledger.table_ledger import Ledger
from feltwire.private_files import data_folder, keep_files_private, private_file, sync_folder, write_private
from feltwire.runtime.backup_status import BackupStatus, write_status
from feltwire.runtime.boottime import at, boot_millis
from feltwire.station.station_store import StationStore
from feltwire.tools.backup_manifest import (
    LINES,
    MANIFEST,
    SCHEMAS,
    WHOLE,
    BackupFile,
    BackupManifest,
    LeftOut,
    backups,
    key_of_folder,
    read_manifest,
    schema_of,
    sealed_manifest,
)
from feltwire.tools.start_check import start_faults
from table_core.messages import Millis

HELP = """Copy the records of a process that may be running: a table's, the station's, the relay's.

Each copy is opened and read as a start reads it. Where something of it cannot be read the command says so, ends
with 1, and deletes no whole backup; the station's queue says it, too."""
EXAMPLE = "feltwire backup /var/lib/feltwire/station --to /mnt/usb --keep 50 --every 60"

_PARTIAL = ".partial"
_ABANDONED_S = 86_400  # what a kill left of a backup


class _Copied(NamedTuple):
    path: Path
    holds: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", type=Path, help="the data folder of the process")
    parser.add_argument("--to", metavar="FOLDER", type=Path, required=True, help="where backups are kept")
    parser.add_argument("--keep", metavar="N", type=int, default=0, help="delete all but the newest N there")
    parser.add_argument(
        "--every",
        metavar="SECONDS",
        type=int,
        default=0,
        help="the next one follows in so many seconds: the station says when it does not",
    )


def run(args: argparse.Namespace) -> int:
    """Make a backup and print what it holds; exit status 1 where a file is damaged."""
    keep_files_private()
    if args.keep < 0 or not 0 <= args.every <= 31 * 86_400:
        raise UsageError("--keep and --every: a number of backups and of seconds, at most a month; 0 for none")
    try:
        made = make(args.data, args.to)
    except UsageError as error:
        _tell_station(args.data, f"No backup was made: {error}", args.every)
        if not isinstance(error, LedgerError):
            raise
        print(f"no backup was made: {error}")
        return 1
    manifest = read_manifest(made).manifest
    print(made)
    for file in manifest.files:
        print(f"  {file.name}: {file.bytes:,} bytes{', ' if file.holds else ''}{file.holds}")
    if manifest.key:
        print(f"  signed with the key {manifest.key}: keep it elsewhere, `feltwire restore --public` asks for it")
    wrong = manifest.wrong
    for words in wrong:
        print(f"damaged: {words}")
    _tell_station(args.data, " ".join(wrong), args.every)
    if args.keep > 0:
        delete_old(args.to, args.keep)
    return 1 if wrong else 0


def _tell_station(data: Path, fault: str, every_s: int) -> None:
    """A folder that cannot be written has no newer backup, which the station says."""
    with suppress(OSError):
        write_status(data, BackupStatus(at(boot_millis()), fault[:1_000], every_s))


def delete_old(folder: Path, keep: int) -> None:
    """Of the whole backups the newest `keep` stay, and as many of the others: a file that is damaged for hours
    displaces none in which it is whole."""
    whole: list[Path] = []
    others: list[Path] = []
    for made in backups(folder):
        with suppress(UsageError):  # of another program's making: not ours to delete
            (whole if read_manifest(made).manifest.whole else others).append(made)
    for old in (*whole[:-keep], *others[:-keep]):
        shutil.rmtree(old)


def make(data: Path, to: Path) -> Path:
    """Copy the records in `data` to a new folder in `to`; the answer is that folder.

    Raise `UsageError` where there is nothing to copy or it cannot be written, `LedgerError` where nothing of it
    can be read.
    """
    made_at = Millis(time.time_ns() // 1_000_000)
    sources = [*_sources(data)]
    if not sources:
        raise UsageError(f"{data}: holds no records of a table, a station or a relay; name their data folder")
    name = datetime.fromtimestamp(made_at / 1000, UTC).strftime("feltwire-%Y-%m-%dT%H-%M-%S.%fZ")
    partial = to / f"{name}{_PARTIAL}"
    try:
        data_folder(to)
        _remove_abandoned(to)
        partial.mkdir(mode=0o700)
        manifest = _filled(partial, sources, data, made_at)
        write_private(partial / MANIFEST, _sealed(manifest, data))
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


def _sealed(manifest: BackupManifest, data: Path) -> bytes:
    try:
        return sealed_manifest(manifest, key_of_folder(data))
    except LedgerError as error:
        return sealed_manifest(replace(manifest, unsigned=str(error)), None)


def _sources(data: Path) -> Iterator[tuple[Path, Schema]]:
    for pattern, schema in SCHEMAS:
        yield from ((path, schema) for path in sorted(data.glob(pattern)))


def _filled(partial: Path, sources: list[tuple[Path, Schema]], data: Path, made_at: Millis) -> BackupManifest:
    """The copies of all files, each tried as a start reads it. Raise `LedgerError` where none can be copied."""
    copied: list[_Copied] = []
    lost: list[LeftOut] = []
    for path, schema in sources:
        try:
            copied.append(_copy(path, partial, schema))
        except LedgerError as error:
            if len(sources) == 1:
                raise
            (partial / path.name).unlink(missing_ok=True)
            lost.append(LeftOut(path.name, str(error)))
    copied += [_copy_lines(data / lines, partial) for lines in LINES if (data / lines).exists()]
    copied += [_copy_whole(data / name, partial) for name in WHOLE if (data / name).exists()]
    try:
        _become_restored(partial, made_at)
    except LedgerError as error:  # it would not know that it is one
        copied = [one for one in copied if one.path.name != "station.db"]
        (partial / "station.db").unlink()
        lost.append(LeftOut("station.db", str(error)))
    faults: dict[str, list[str]] = {}
    for fault in start_faults(partial):
        faults.setdefault(fault.file, []).append(fault.words)
    files = tuple(_described(one, " ".join(faults.get(one.path.name, ()))[:2_000]) for one in copied)
    return BackupManifest(made_at, files, left_out=tuple(lost))


def _remove_abandoned(to: Path) -> None:
    for path in to.glob(f"*Z{_PARTIAL}"):
        if time.time() - path.stat().st_mtime > _ABANDONED_S:
            shutil.rmtree(path, ignore_errors=True)


# ------------------------------------------------------------------------------------------ one file


def _copy(source: Path, to: Path, schema: Schema) -> _Copied:
    """One transaction's view of the file, without what must not be in a backup."""
    target = to / source.name
    with closing(Store.open(source, schema, read_only=True)) as store, closing(_fresh(target)) as copy:
        store.copy_to(copy)
        copy.execute("PRAGMA secure_delete=ON")
        carry_out(copy, schema.left_out)
        copy.execute("VACUUM")
        _without_log(copy)
    return _Copied(target, _check(target))


def _without_log(copy: sqlite3.Connection) -> None:
    """Whoever reads it needs to write nothing beside it."""
    copy.execute("PRAGMA journal_mode=DELETE")


def _fresh(path: Path) -> sqlite3.Connection:
    private_file(path)
    return sqlite3.connect(path, isolation_level=None)


def _check(path: Path) -> str:
    """Up to where the copy goes. Raise `LedgerError` for a damaged page."""
    schema = schema_of(path.name)
    assert schema is not None
    with closing(Store.open(path, schema, read_only=True)) as store:
        store.check_pages()
        if path.name.startswith("tournament"):
            return f"{_records(store)} records"
    if path.name.startswith("table-"):
        with closing(Ledger.open(path, read_only=True)) as ledger:
            return f"up to event {ledger.head.epoch}/{ledger.head.seq}" if ledger.head.hash else "no event"
    if path.name == "station.ledger":
        with closing(CollectedLedger.open(path, read_only=True)) as collected:
            return f"{collected.count()} events"
    return ""


def _records(store: Store) -> int:
    return int(store.rows("SELECT count(*) FROM records")[0][0])


def _copy_lines(source: Path, to: Path) -> _Copied:
    """The whole lines of a file to which lines are appended."""
    raw = source.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    write_private(to / source.name, whole)
    lines = whole.count(b"\n")
    return _Copied(to / source.name, f"{lines} lines")


def _copy_whole(source: Path, to: Path) -> _Copied:
    """A file that its process replaces by another one: each is whole."""
    write_private(to / source.name, source.read_bytes())
    return _Copied(to / source.name, "")


def records_in(path: Path) -> int:
    """How many records a tournament's file holds, those that cannot be read too. Raise `LedgerError`."""
    schema = schema_of("tournament.ledger")
    assert schema is not None
    with closing(Store.open(path, schema, read_only=True)) as store:
        return _records(store)


def _become_restored(folder: Path, made_at: int) -> None:
    """The station in this backup knows that it is one."""
    if not (folder / "station.db").exists():
        return
    records = 0
    if (folder / "tournament.ledger").exists():
        records = records_in(folder / "tournament.ledger")
    with closing(StationStore.open_file(folder / "station.db")) as store:
        store.becomes_restored(made_at, records)
    with closing(sqlite3.connect(folder / "station.db")) as copy:
        _without_log(copy)


def _described(copied: _Copied, fault: str) -> BackupFile:
    with copied.path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return BackupFile(copied.path.name, copied.path.stat().st_size, digest, copied.holds, fault)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
