"""`feltwire restore`: the records of a backup, into the data folder of a process that is not running."""

from __future__ import annotations

import argparse
import fnmatch
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.private_files import data_folder, keep_files_private, replace
from feltwire.station.station_store import StationStore
from feltwire.tools.backup import BackupFile, read_manifest

HELP = "Put the records of a backup into a data folder. It overwrites nothing."
EXAMPLE = "feltwire restore /mnt/usb/feltwire-2026-11-24T19-30-05.120000Z --to /var/lib/feltwire"

AFTERWARDS = (
    (
        "table-*.ledger",
        "start the table: it begins an epoch of its own and makes a claim; hand it over at the station",
    ),
    ("station.db", "start the station: complete the tournament's records as its queue says; people sign in again"),
    ("relay.db", "start the relay: hands that waited when the backup was made stay sealed"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backup", metavar="BACKUP", type=Path, help="a folder that `feltwire backup` made")
    parser.add_argument("--to", metavar="DATA", type=Path, required=True, help="the process's data folder")
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        default=[],
        help="only files of this name, such as table-01.ledger",
    )


def run(args: argparse.Namespace) -> int:
    """Check the backup, then copy it. Raise `UsageError` for what is damaged, missing or there already."""
    keep_files_private()
    files = restore(args.backup, args.to, args.only)
    for file in files:
        print(f"{args.to / file.name}: {file.holds or f'{file.bytes:,} bytes'}")
    for pattern, then in AFTERWARDS:
        if any(fnmatch.fnmatch(file.name, pattern) for file in files):
            print(f"now: {then}")
    return 0


def restore(backup: Path, data: Path, only: list[str]) -> list[BackupFile]:
    """Copy the files of a backup, those of `only` where it names any; the answer is what was copied."""
    known = {file.name: file for file in read_manifest(backup).files}
    for name in only:
        if name not in known:
            raise UsageError(f"--only {name}: is not in this backup; it has {', '.join(known)}")
    files = [known[name] for name in only] or list(known.values())
    contents = [_whole(backup, file) for file in files]
    try:
        data_folder(data)
        _check_free(data, files)
        for file, content in zip(files, contents, strict=True):
            replace(data / file.name, content, mode=0o600)
    except OSError as error:
        raise UsageError(f"{data}: cannot be written ({error.strerror})") from error
    _mark_station(data, {file.name for file in files})
    return files


def _whole(backup: Path, file: BackupFile) -> bytes:
    try:
        raw = (backup / file.name).read_bytes()
    except OSError as error:
        raise UsageError(
            f"{backup / file.name}: cannot be read ({error.strerror}); take another backup"
        ) from error
    if sha256(raw).hexdigest() != file.sha256:
        raise UsageError(f"{backup / file.name}: is not as it was written; take another backup")
    return raw


def _check_free(data: Path, files: list[BackupFile]) -> None:
    for file in files:
        key = [data / f"{file.name}.key"] if fnmatch.fnmatch(file.name, "table-*.ledger") else []
        log = data / f"{file.name}-wal"
        there = [path for path in (data / file.name, *key) if path.exists()]
        there += [log] if log.exists() and log.stat().st_size else []  # SQLite would take it for the new file's
        for path in there:
            text = "is there already, and nothing is overwritten; stop the process and move it away"
            raise UsageError(f"{path}: {text}")
        for beside in (log, data / f"{file.name}-shm"):
            beside.unlink(missing_ok=True)


def _mark_station(data: Path, restored: set[str]) -> None:
    """A station that keeps its own `station.db` and gets earlier records of the tournament knows it."""
    if "tournament.ledger" not in restored or "station.db" in restored or not (data / "station.db").exists():
        return
    with closing(TournamentLedger.open(data / "tournament.ledger", read_only=True)) as ledger:
        records = ledger.head.seq
    with closing(StationStore.open_file(data / "station.db")) as store:
        store.becomes_restored(time.time_ns() // 1_000_000, records)
