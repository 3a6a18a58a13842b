"""Says in one line what is wrong with a file that a command of ours writes: which file, why, and that command."""

from __future__ import annotations

import contextlib
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

# What tomllib, json, numpy and zipfile raise where bytes inside a file are damaged.
DAMAGED = (
    TypeError, ValueError, EOFError, AttributeError, ArithmeticError,
    zipfile.BadZipFile, zlib.error, NotImplementedError, RecursionError,
)  # fmt: skip


@contextlib.contextmanager
def told_as(error: type[Exception], path: Path, what: str, writer: str) -> Iterator[None]:
    """Whatever goes wrong while `path`, a `what`, is read becomes an `error` that names the command `writer`."""
    try:
        yield
    except OSError as wrong:
        raise error(f"{path}: cannot be opened ({wrong.strerror or wrong}); `{writer}` writes one") from wrong
    except KeyError as wrong:
        raise error(f"{path}: {wrong} is missing; `{writer}` writes one") from wrong
    except DAMAGED as wrong:
        raise error(f"{path}: is no {what} ({wrong}); `{writer}` writes one") from wrong
