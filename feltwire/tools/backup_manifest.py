"""What a backup says of itself: its files with their hashes, signed by the machine whose records they are.

A manifest without a signature proves nothing, nor does one whose key nobody knows: whoever has the disk may have
written all of it. The key is the one that the data folder has for its ledger; for the station's and a table's the
public half is known elsewhere (docs/storage.md).
"""

from __future__ import annotations

import fnmatch
import stat
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from feltwire.errors import UsageError
from feltwire.ledger import room_ledger, table_ledger, tournament_ledger
from feltwire.ledger.schema import Schema
from feltwire.ledger.season_file import PLAYED, SEASON
from feltwire.ledger.signing import LedgerKey, signed_by
from feltwire.relay import relay_store
from feltwire.relay.coverage import coverage_store
from feltwire.relay.desk.audit import AUDIT
from feltwire.relay.desk.programme import PROGRAMME
from feltwire.relay.feed import store as feed_store
from feltwire.relay.on_air.air_delay import AIR_DELAY
from feltwire.station import players_store, station_store
from feltwire.station.look_file import LOOK
from table_core.messages import Frozen, Many, Name, Number, Text, Wall, decode, encode

MANIFEST = "manifest.json"
RELEASES = "releases.jsonl"
FORMAT = 2  # 1: without a signature
_NAME = "feltwire-*Z"
_LARGEST = 256 * 1024  # of a manifest, bytes: as of any message

# In this order, so that records and leases are not older than the events that led to them, and the releases not
# older than the store that says which hands they hold: as after a kill.
SCHEMAS: tuple[tuple[str, Schema], ...] = (
    ("table-*.ledger", table_ledger.SCHEMA),
    ("station.ledger", room_ledger.SCHEMA),
    ("tournament.ledger", tournament_ledger.SCHEMA),
    ("tournament-*.ledger", tournament_ledger.SCHEMA),
    ("players.db", players_store.SCHEMA),
    ("station.db", station_store.SCHEMA),
    ("relay.db", relay_store.SCHEMA),
    (feed_store.HANDS, feed_store.SCHEMA),
    (coverage_store.DATABASE, coverage_store.SCHEMA),
)
LINES = (SEASON, PLAYED, RELEASES, AUDIT)
# Written anew as a whole: a cut that is held, the air delay and the venue's look hold after a restore.
WHOLE = (PROGRAMME, AIR_DELAY, LOOK)


class BackupFile(Frozen, frozen=True):
    """One file of a backup: `holds` says up to where, `fault` what a start would not read of it."""

    name: Name
    bytes: Number
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
    holds: Text = ""
    fault: Text = ""


class LeftOut(Frozen, frozen=True):
    """A file that could not be copied, and why."""

    name: Name
    why: Text


class BackupManifest(Frozen, frozen=True):
    """What a backup is: `made_at` is wall time, ms since 1970. `key` (hex) signed it; empty: nobody did, and where
    there is a key that could not, `unsigned` says why."""

    made_at: Wall
    files: Many[BackupFile]
    format: int = FORMAT
    left_out: Many[LeftOut] = ()
    unsigned: Text = ""
    key: Name = ""
    signature: Name = ""

    @property
    def whole(self) -> bool:
        """Whether a start reads every file of the data folder from it."""
        return not self.left_out and not any(file.fault for file in self.files)

    @property
    def wrong(self) -> list[str]:
        """What a person must see to, in sentences."""
        said = [file.fault for file in self.files if file.fault]
        said += [f"{one.name} is not in it: {one.why}." for one in self.left_out]
        return [*said, f"It is not signed: {self.unsigned}."] if self.unsigned else said


class ReadManifest(NamedTuple):
    """`signed`: by the key that it names."""

    manifest: BackupManifest
    signed: bool

    def signed_by(self, keys: Collection[str]) -> bool:
        """Whether one of these keys (hex) signed it."""
        return self.signed and self.manifest.key in keys


def schema_of(name: str) -> Schema | None:
    """The schema of a file of records; None for what is none."""
    return next((schema for pattern, schema in SCHEMAS if fnmatch.fnmatchcase(name, pattern)), None)


def belongs_in_a_backup(name: str) -> bool:
    """Whether a file of this name may be in a backup: a plain name of records, of no key, people or sessions."""
    plain = name.isprintable() and not any(one in name for one in "/\\")
    return plain and (name in (*LINES, *WHOLE) or schema_of(name) is not None)


def key_of_folder(data: Path) -> LedgerKey | None:
    """The key of the ledger in a data folder, the station's before a table's; None where it has none. Raise
    `LedgerError` for one that cannot be read."""
    for key in (data / "station.ledger.key", *sorted(data.glob("table-*.ledger.key"))):
        if key.is_file():
            return LedgerKey.of_ledger(key.with_suffix(""))
    return None


def sealed_manifest(manifest: BackupManifest, key: LedgerKey | None) -> bytes:
    """The bytes of a manifest, signed where there is a key."""
    if key is None:
        return encode(manifest)
    return key.sign(replace(manifest, key=key.public))


def read_manifest(backup: Path) -> ReadManifest:
    """Raise `UsageError` for a folder that is no whole backup of this format, or names files that are none of a
    backup's."""
    path = backup / MANIFEST
    try:
        what = path.lstat()
        if not stat.S_ISREG(what.st_mode) or what.st_size > _LARGEST:
            raise ValueError("its manifest is no plain file of a manifest's size")
        raw = path.read_bytes()
        manifest = decode(raw, BackupManifest)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{backup}: is no backup ({why}); name a folder that `feltwire backup` made") from error
    if not 1 <= manifest.format <= FORMAT:
        text = f"{backup}: is of format {manifest.format}, this program reads 1 to {FORMAT}"
        raise UsageError(f"{text}; use a later version")
    names = [file.name for file in manifest.files]
    for name in names:
        if not belongs_in_a_backup(name):
            raise UsageError(f"{backup}: names {name!r}, which no backup holds: somebody changed it; take another")
    if len({name.casefold() for name in names}) < len(names):
        raise UsageError(f"{backup}: names a file twice: somebody changed it; take another backup")
    return ReadManifest(manifest, bool(manifest.key) and signed_by(raw, BackupManifest, manifest.key))


def backups(folder: Path) -> list[Path]:
    """The backups in a folder, the oldest first."""
    found = (path for path in folder.iterdir() if fnmatch.fnmatchcase(path.name, _NAME))
    return sorted(path for path in found if (path / MANIFEST).is_file())
