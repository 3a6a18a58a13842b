"""What authenticates each file of a backup: the signature of the whole, or what the station signed of a ledger."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from feltwire.ledger.checkpoints import RECORDS
from feltwire.ledger.releases import ReleasesError, read_releases
from feltwire.tools.backup_manifest import RELEASES, BackupFile, ReadManifest
from feltwire.tools.verify.checkpoints import Stated, read_stated
from feltwire.tools.verify.events import Proofs, verify_table
from feltwire.tools.verify.ledgers import read_tables
from feltwire.tools.verify.records import verify_records
from feltwire.tools.verify.verdict import LedgerVerdict
from table_core.rulebook import BASE, load_rulebook


class Proof(NamedTuple):
    """`words` say what of the file `name` is authenticated, and by what; `whole`: all of it is."""

    name: str
    words: str
    whole: bool


def proofs(
    read: ReadManifest, files: Sequence[BackupFile], folder: Path, keys: Collection[str], checkpoints: Path | None
) -> list[Proof]:
    """One for each of `files`, which lie in `folder`. `keys` (hex) are trusted. Raise `UsageError` for a file of
    `checkpoints` that cannot be read."""
    key = f"{read.manifest.key[:16]}…"
    if read.signed_by(keys):
        words = f"authenticated by the backup's signature with the key {key}"
        return [Proof(file.name, words, whole=True) for file in files]
    why = f"the key {key} that signed it is none that was named" if read.signed else "the backup is not signed"
    if read.manifest.key and not read.signed:
        why = "its manifest was changed since it was signed"
    sources = [path for path in (checkpoints, folder / "station.ledger") if path is not None and path.exists()]
    if checkpoints is not None and checkpoints not in sources:
        sources.insert(0, checkpoints)  # it says why it cannot be read
    stated = read_stated(sources, keys) if keys else Stated({})
    return [_by_itself(file.name, folder, stated, keys, why) for file in files]


def _by_itself(name: str, folder: Path, stated: Stated, keys: Collection[str], why: str) -> Proof:
    """What holds of a file although nothing authenticates the backup."""
    nothing = Proof(name, f"NOT authenticated: {why}", whole=False)
    if not keys:
        return nothing
    if name == RELEASES:
        signed = any(_released(folder / name, key) for key in keys)
        return Proof(name, "authenticated by the relay's signatures", whole=True) if signed else nothing
    if not name.endswith(".ledger"):
        return nothing
    verdicts = [*_verdicts(folder / name, stated, keys)]
    wrong = [
        f"{verdict.table or 'records'} {verdict.first_bad}: {verdict.why}" for verdict in verdicts if verdict.why
    ]
    if wrong:
        return Proof(name, f"NOT as it was signed: {'; '.join(wrong)}", whole=False)
    if not stated.of or (verdicts and not any(verdict.checkpoints for verdict in verdicts)):
        return nothing
    open_ends = [words for verdict in verdicts for words in verdict.unchecked]
    by = "authenticated by the station's checkpoints"
    return Proof(name, f"{by}, but NOT {'; '.join(open_ends)}" if open_ends else by, whole=not open_ends)


def _verdicts(path: Path, stated: Stated, keys: Collection[str]) -> Iterator[LedgerVerdict]:
    if path.name.startswith("tournament"):
        yield verify_records(path, stated)
        return
    tables, book = read_tables(path), load_rulebook(BASE)
    for table, rows in tables.items():
        yield verify_table(table, rows, book, Proofs(None, stated, keys))
    if path.name == "station.ledger":
        for table in sorted(stated.of.keys() - tables.keys() - {RECORDS}):
            yield LedgerVerdict.gone(table)


def _released(path: Path, key: str) -> bool:
    try:
        return any(True for _ in read_releases(path, key=key)) or path.stat().st_size == 0
    except ReleasesError:
        return False
