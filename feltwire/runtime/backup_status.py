"""What became of the last backup of a data folder: `feltwire backup` writes it there, the folder's process reads it."""

from __future__ import annotations

import os
from pathlib import Path

from feltwire.private_files import replace
from table_core.messages import At, Frozen, Malformed, Millis, Number, Text, decode, encode

STATUS = "backup.json"
LATE_MS = 240_000  # behind the time at which one was promised; of a long interval, half of it


class BackupStatus(Frozen, frozen=True):
    """The last try ended at `at`. `fault` says why it failed, or what is damaged in it; empty: it is whole.
    `every_s`: when the next one follows; 0 where nobody promised one."""

    at: At
    fault: Text = ""
    every_s: Number = 0


    def late_ms(self, boot: str, started: Millis, now: Millis) -> int:
        """By how much the next one is late; 0 where none was promised. A process that was `started` in another
        boot than this one, `boot`, waits for it first."""
        every_ms = self.every_s * 1_000
        since = self.at.ms if self.at.boot == boot else started
        return max(0, now - since - every_ms - max(LATE_MS, every_ms // 2)) if every_ms else 0

    def late_in_words(self) -> str:
        since = self.at.wall[11:16]
        return f"No backup was made since {since} UTC." if since else "No backup was made for a while."


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
