"""The key that players' codes are derived from: in a file of its own, made where there is none, in no backup."""

from __future__ import annotations

import os
from pathlib import Path

from feltwire.ledger.store import LedgerError
from feltwire.private_files import replace

FILE = "phones.key"  # in a station's data folder
BYTES = 32


def phones_key(folder: Path) -> bytes:
    """Raise `LedgerError` for a file that cannot be read or written, or holds no key."""
    path = folder / FILE
    try:
        if not path.exists():
            replace(path, os.urandom(BYTES), mode=0o600)
        key = path.read_bytes()
    except OSError as error:
        raise LedgerError(f"{path}: cannot be read or written ({error.strerror})") from error
    if len(key) != BYTES:
        raise LedgerError(
            f"{path}: holds no key; move it away: a new one is made, and seat slips are printed again"
        )
    return key
