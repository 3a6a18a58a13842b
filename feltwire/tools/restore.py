"""`feltwire restore`: the records of a backup, into the data folder of a process that is not running.

A backup is on a disk that others may have had. Names are taken from the list of what a backup holds, links are
refused, every file is opened as a start does before one of them lies in the data folder, and what nothing
authenticates is said, and taken with `--unauthenticated` alone.
"""

from __future__ import annotations

import argparse
import fcntl
import fnmatch
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.store import RESTORING, Store
from feltwire.ledger.unread import Unread
from feltwire.private_files import data_folder, keep_files_private, sync_folder
from feltwire.station.station_store import StationStore
from feltwire.tools.backup import records_in
from feltwire.tools.backup_manifest import BackupFile, BackupManifest, read_manifest
from feltwire.tools.restore_proof import Proof, proofs
from feltwire.tools.start_check import start_faults
from feltwire.tools.verify.command import public_key

HELP = """Put the records of a backup into a data folder. It overwrites nothing.

Name the key that signed the backup with --public: the station's is in its log, and in each checkpoint; a table's
in the first event of its ledger. Without it nothing says that the backup is not somebody else's work."""
EXAMPLE = "feltwire restore /mnt/usb/feltwire-2026-11-24T19-30-05Z --to /var/lib/feltwire/station --public 3f2a…"

AFTERWARDS = (
    (
        "table-*.ledger",
        "start the table: it begins an epoch of its own and makes a claim; hand it over at the station",
    ),
    ("station.db", "start the station: complete the tournament's records as its queue says; people sign in again"),
    ("relay.db", "start the relay: hands that waited when the backup was made stay sealed"),
)
_DMS = 128  # the byte of a -shm file that SQLite has locked as long as anybody has the file open
_PIECE = 1 << 20


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
    parser.add_argument(
        "--public",
        metavar="HEX",
        action="append",
        default=[],
        help="the public key of the station (or of the table, or `sign` in the relay's relay.pub) whose backup it "
        "is; more than once where it changed",
    )
    parser.add_argument(
        "--checkpoints",
        metavar="FILE",
        type=Path,
        help="what the station signed, kept elsewhere: lines of its page /checkpoints; with --public",
    )
    parser.add_argument(
        "--unauthenticated",
        action="store_true",
        help="take what nothing authenticates: whoever had the backup's disk may have written it",
    )


def run(args: argparse.Namespace) -> int:
    """Check the backup, then copy it. Raise `UsageError` for what is damaged, missing, there already or not
    authenticated."""
    keep_files_private()
    keys = frozenset(public_key(key) for key in args.public)
    read = read_manifest(args.backup)
    files = chosen(args.backup, read.manifest, args.only)
    with _staging(args.to, args.backup, files) as staging:
        for file in files:
            _copy(args.backup, file, staging)
        _check_opens(args.backup, files, staging, args.only)
        trusted = keys | _own_keys(args.to)
        found = proofs(read, files, staging, trusted, args.checkpoints)
        _check_authentic(args.backup, found, args.unauthenticated)
        _put_in_place(staging, args.to, files)
    made = datetime.fromtimestamp(read.manifest.made_at / 1000, UTC)
    print(f"{args.backup}: made on {made:%Y-%m-%d at %H:%M:%S} UTC, as it says")
    for file, proof in zip(files, found, strict=True):
        print(f"{args.to / file.name}: {file.holds or f'{file.bytes:,} bytes'}; {proof.words}")
    for pattern, then in AFTERWARDS:
        if any(fnmatch.fnmatch(file.name, pattern) for file in files):
            print(f"now: {then}")
    return 0


def chosen(backup: Path, manifest: BackupManifest, only: Sequence[str]) -> list[BackupFile]:
    """The files of `only`, all where it names none. Raise `UsageError` for names that it has not, and for a backup
    that lacks something which nobody chose to leave out."""
    known = {file.name: file for file in manifest.files}
    for name in only:
        if name not in known:
            raise UsageError(f"--only {name}: is not in this backup; it has {', '.join(known)}")
    if not only and manifest.left_out:
        lacks = ", ".join(one.name for one in manifest.left_out)
        raise UsageError(
            f"{backup}: lacks {lacks}, damaged when it was made; name the files that you want with --only, and "
            "take the others from an earlier backup"
        )
    return [known[name] for name in dict.fromkeys(only)] or list(known.values())


# -------------------------------------------------------------------------------------- the data folder


@contextmanager
def _staging(data: Path, backup: Path, files: Sequence[BackupFile]) -> Iterator[Path]:
    """The folder in `data` in which a restore is prepared. As long as it is there no process starts in `data`:
    what a kill or a full disk left of a restore is not taken for a whole one. The same command again goes on."""
    staging = data / RESTORING
    try:
        data_folder(data)
        _check_not_running(data)
        _check_free(data, files, again=staging.is_dir())
        wanted, there = sum(file.bytes for file in files), shutil.disk_usage(data).free
        if wanted > there:
            raise UsageError(f"{data}: needs {wanted:,} bytes, its disk has {there:,}; free space on it")
        begun = staging.is_dir()
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(mode=0o700)
        sync_folder(data)
        try:
            yield staging
        except BaseException:
            if not begun and not any(os.path.lexists(data / file.name) for file in files):
                shutil.rmtree(staging, ignore_errors=True)  # nothing is in place: as if it had not been called
            raise
        shutil.rmtree(staging)
        sync_folder(data)
    except OSError as error:
        then = (
            "nothing starts there before the same command has ended well"
            if staging.exists()
            else "nothing is there"
        )
        raise UsageError(f"{data}: cannot be written ({error.strerror}); {then}") from error


def _check_not_running(data: Path) -> None:
    for beside in data.glob("*-shm"):
        with beside.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _DMS)
                fcntl.lockf(file, fcntl.LOCK_UN, 1, _DMS)
            except OSError:
                name = beside.name.removesuffix("-shm")
                raise UsageError(f"{data}: a process has {name} open; stop it first (systemctl stop)") from None


def _check_free(data: Path, files: Sequence[BackupFile], *, again: bool) -> None:
    for file in files:
        if again and _is(data / file.name, file):
            continue  # an earlier try put it there
        key = [data / f"{file.name}.key"] if fnmatch.fnmatch(file.name, "table-*.ledger") else []
        log = data / f"{file.name}-wal"
        there = [path for path in (data / file.name, *key) if os.path.lexists(path)]
        there += (
            [log] if os.path.lexists(log) and log.lstat().st_size else []
        )  # SQLite would take it for the new file's
        for path in there:
            text = "is there already, and nothing is overwritten; stop the process and move it away"
            raise UsageError(f"{path}: {text}")
        for beside in (log, data / f"{file.name}-shm"):
            beside.unlink(missing_ok=True)


def _is(path: Path, file: BackupFile) -> bool:
    found = path.lstat() if os.path.lexists(path) else None
    whole = found is not None and stat.S_ISREG(found.st_mode) and found.st_size == file.bytes
    return whole and sha256(path.read_bytes()).hexdigest() == file.sha256


def _copy(backup: Path, file: BackupFile, staging: Path) -> None:
    """Raise `UsageError` for a file that is not as it was written, or is none."""
    source = backup / file.name
    try:
        handle = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise UsageError(f"{source}: cannot be read ({error.strerror}); take another backup") from error
    hashed = sha256()
    with os.fdopen(handle, "rb") as plain:
        found = os.fstat(plain.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size != file.bytes:
            raise UsageError(f"{source}: is not as it was written; take another backup")
        with os.fdopen(os.open(staging / file.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
            while piece := plain.read(_PIECE):
                hashed.update(piece)
                copy.write(piece)
            copy.flush()
            os.fsync(copy.fileno())
    if hashed.hexdigest() != file.sha256:
        raise UsageError(f"{source}: is not as it was written; take another backup")


def _check_opens(backup: Path, files: Sequence[BackupFile], staging: Path, only: Sequence[str]) -> None:
    """Every file is opened and read as a start does. What was damaged before the backup was made is taken where
    `only` names it."""
    for fault in start_faults(staging):
        if fault.stops:
            raise UsageError(f"{backup}: no process starts from it: {fault.words} Take another backup")
        if fault.file not in only:
            raise UsageError(
                f"{backup}: {fault.words} Take an earlier backup, or name this file with --only to go on without"
            )


def _own_keys(data: Path) -> frozenset[str]:
    """The keys that this data folder has: what they signed is its own."""
    keys = (path for pattern in ("station.ledger.key", "table-*.ledger.key") for path in data.glob(pattern))
    return frozenset(LedgerKey.of_ledger(path.with_suffix("")).public for path in keys)


def _check_authentic(backup: Path, found: Collection[Proof], anyway: bool) -> None:
    doubtful = [proof for proof in found if not proof.whole]
    if doubtful and not anyway:
        why = "; ".join(f"{proof.name} {proof.words}" for proof in doubtful)
        raise UsageError(
            f"{backup}: nothing proves who wrote it: {why[:1_500]}. Name the key with --public, or take it as it "
            "is with --unauthenticated: whoever had this disk may have changed it"
        )


def _put_in_place(staging: Path, data: Path, files: Sequence[BackupFile]) -> None:
    for file in files:
        (staging / file.name).replace(data / file.name)
    sync_folder(data)
    _mark_station(data, {file.name for file in files})


def _mark_station(data: Path, restored: set[str]) -> None:
    """A station that keeps its own `station.db` and gets earlier records of the tournament knows it."""
    if "tournament.ledger" not in restored or "station.db" in restored or not (data / "station.db").exists():
        return
    records = records_in(data / "tournament.ledger")
    path = data / "station.db"
    StationStore.open_file(path, read_only=True).close()
    # Past `Store.open`, which opens nothing in a folder that is being restored.
    plain = Store(path, sqlite3.connect(path, isolation_level=None))
    with closing(StationStore(plain, Unread(path, keep=False))) as store:
        store.becomes_restored(time.time_ns() // 1_000_000, records)
