"""Files that other programs wrote: lists, schedules, tournaments."""

from __future__ import annotations

import sys
from pathlib import Path

from feltwire.errors import UsageError
from table_core.foreign_text import MOST_BYTES, ForeignText, ForeignTextError, read_text
from table_core.tournament.sheet_text import separator_of

_BETWEEN = {";": "semicolons", "\t": "tabs", "|": "bars"}


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


def tell_assumed(path: Path, found: ForeignText, *, table: bool = False) -> None:
    """What had to be assumed about a file's letters, and of a `table` what separates its cells where that is no
    comma; on stderr. A refusal is one line without it."""
    words = [found.assumed] if found.assumed else []
    if table and (between := _BETWEEN.get(separator_of(found.text)[0])):
        words.append(f"cells are separated by {between}")
    for word in words:
        print(f"{path}: {word}", file=sys.stderr)
