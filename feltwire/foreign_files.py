"""Files that other programs wrote: lists, schedules, tournaments."""

from __future__ import annotations

import sys
from pathlib import Path

from feltwire.errors import UsageError
from table_core.foreign_text import MOST_BYTES, ForeignText, ForeignTextError, read_text


def read_file(path: Path) -> ForeignText:
    """The text of a file of 8 MB at most. Raise `UsageError`, which names the file, for one that cannot be read or
    is no text."""
    try:
        with path.open("rb") as file:
            return read_text(file.read(MOST_BYTES + 1))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; name an existing file") from error
    except ForeignTextError as error:
        raise UsageError(f"{path}: {error}") from error


def tell_assumed(path: Path, found: ForeignText) -> None:
    """What had to be assumed about a file's letters, on stderr; a refusal is one line without it."""
    if found.assumed:
        print(f"{path}: {found.assumed}", file=sys.stderr)
