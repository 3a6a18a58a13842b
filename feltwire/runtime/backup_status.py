"""What became of the last backup of a data folder: `feltwire backup` writes it there, the station reads it."""

from __future__ import annotations

import os
from pathlib import Path

from feltwire.private_files import replace
from table_core.messages import At, Frozen, Malformed, Millis, Number, Text, decode, encode

STATUS = "backup.json"


class BackupStatus(Frozen, frozen=True):
    """The last try ended at `at`. `fault` says why it failed, or what is damaged in it; empty: it is whole.
    `every_s`: when the next one follows; 0 where nobody promised one."""

    at: At
    fault: Text = ""
    every_s: Number = 0


UNREADABLE = "what became of it cannot be read"


def write_status(data: Path, status: BackupStatus) -> None:
    """Raise `OSError`."""
    path = data / STATUS
    replace(path, encode(status), mode=0o600)
    if os.geteuid() == 0:  # the station's own user reads it, whoever made the backup
        folder = data.stat()
        os.chown(path, folder.st_uid, folder.st_gid)


def read_status(data: Path) -> BackupStatus | None:
    """None where no backup was ever tried."""
    try:
        return decode((data / STATUS).read_bytes(), BackupStatus)
    except FileNotFoundError:
        return None
    except (OSError, Malformed):
        return BackupStatus(At("", Millis(0)), f"{STATUS}: {UNREADABLE}")
