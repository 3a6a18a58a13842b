"""What a process says of the backups of its own folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.runtime.backup_status import LATE_MS, STATUS, BackupStatus, OwnBackups, write_status
from feltwire.runtime.boottime import at, boot_millis
from table_core.messages import Millis


def test_a_process_says_what_is_wrong_with_the_backups_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = OwnBackups(tmp_path)
    assert backups.trouble() == "", "none was ever tried"
    now = boot_millis()
    write_status(tmp_path, BackupStatus(at(now), every_s=60))
    assert backups.trouble() == ""
    write_status(tmp_path, BackupStatus(at(now), "/var/backups: no space left", 60))
    assert backups.trouble() == "The last backup is not whole: /var/backups: no space left"
    write_status(tmp_path, BackupStatus(at(now), every_s=60))
    monkeypatch.setattr("feltwire.runtime.backup_status.boot_millis", lambda: Millis(now + 60_000 + LATE_MS + 1))
    assert backups.trouble().startswith("No backup was made since ")
    write_status(tmp_path, BackupStatus(at(now)))
    assert backups.trouble() == "", "nobody promised another one"
    (tmp_path / STATUS).write_text("{")
    assert "cannot be read" in backups.trouble()
