"""What became of the last backup of a data folder: `feltwire backup` writes it there, its process reads it."""

from __future__ import annotations

import os
from pathlib import Path

from feltwire.private_files import replace
from feltwire.runtime.boottime import boot_id, boot_millis
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

    def fault_in_words(self) -> str:
        """What the director is told of a `fault`."""
        return f"The last backup is not whole: {self.fault}"

    def late_in_words(self) -> str:
        """What the director is told of that."""
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


class OwnBackups:
    """The backups of a process's own folder, `data`, as the station is told of them."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._boot, self._started = boot_id(), boot_millis()

    def trouble(self) -> str:
        """What is wrong with them; empty where nothing is, and where none was ever tried."""
        status = read_status(self._data)
        if status is None:
            return ""
        if status.fault:
            return status.fault_in_words()
        late = status.late_ms(self._boot, self._started, boot_millis())
        return status.late_in_words() if late else ""
