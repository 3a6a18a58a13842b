"""Where a command of `feltwire vision` writes is tried before it works for minutes."""

from __future__ import annotations

import tempfile
from pathlib import Path

import cv2

from feltwire.errors import UsageError


def check_folder(folder: Path | None) -> None:
    """Make the folder; raise `UsageError` where that or writing into it cannot be done."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: no folder can be made there ({error.strerror}); name another") from error
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise UsageError(
            f"{folder}: nothing can be written in this folder ({error.strerror}); name another"
        ) from error


def check_file(path: Path | None) -> None:
    """Raise `UsageError` where the file cannot be written; what is in it stays."""
    if path is None or path.is_fifo():  # whoever reads a pipe would see it end
        return
    new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror}); name another file") from error
    if new:
        path.unlink()


def check_picture_file(path: Path | None) -> None:
    """The same for a picture, whose format its ending tells."""
    if path is not None and not cv2.haveImageWriter(str(path)):
        raise UsageError(f"{path}: this ending is of no picture that can be written; use .jpg or .png")
    check_file(path)
