"""Files of hands: in folders and zip archives, by their names and by what they begin with.

An archive is read where it lies, an entry at a time, with bounds on all that it says of itself.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from feltwire.errors import UsageError
from table_core.histories.pieces import Form, Piece, blocks_of, form_of, pieces_of
from table_core.histories.reading import read_hands
from table_core.histories.recorded import HistoryError, RecordedHand

_FORMS = {".phh": Form.PHH, ".phhs": Form.PHH, ".ohh": Form.OHH}
_ASKED = (".json", ".jsonl", ".txt")  # hands only where they begin as such
_ARCHIVE = ".zip"
SUFFIXES = (*_FORMS, *_ASKED, _ARCHIVE)
MOST_ENTRIES = 100_000
MOST_UNPACKED = 20_000_000_000  # bytes of an archive
MOST_RATIO = 200  # unpacked to packed: text packs to a tenth
MOST_NAME, MOST_FOLDERS = 500, 20
# `zipfile` raises these of archives: cut off, encrypted (RuntimeError), packed in another way
# (NotImplementedError), numbers out of range (ValueError).
_BROKEN = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)

PieceOrError = Piece | HistoryError


def find_histories(paths: Sequence[str]) -> tuple[Path, ...]:
    """Hand files and archives among `paths` and in the folders among them, in natural order. Raise `UsageError`
    for a path that holds none."""
    found: list[Path] = []
    for given in paths:
        path = Path(given)
        if path.is_dir():
            files = [file for file in path.rglob("*") if _may_hold_hands(file)]
            if not files:
                raise UsageError(f"{given} holds no hand files; expected {' or '.join(SUFFIXES)}")
            found += sorted(files, key=_natural)
        elif not path.exists():
            raise UsageError(f"{given} does not exist; give a hand file or a folder of them")
        elif path.suffix.lower() not in SUFFIXES:
            raise UsageError(f"{given} is not a hand file; expected {' or '.join(SUFFIXES)}")
        else:
            found.append(path)
    return tuple(found)


def read_all(path: Path) -> Iterator[RecordedHand]:
    """Every hand of a file. Raise `HistoryError` at the first that cannot be read."""
    for file in _files(path):
        if isinstance(file, HistoryError):
            raise file
        with ExitStack() as stack:
            try:
                for hand in read_hands(file.form, _opened(file, stack), file.name):
                    if isinstance(hand, HistoryError):
                        raise hand
                    yield hand
            except OSError as error:
                raise _unreadable(file.name, error) from error


def pieces_in(path: Path) -> Iterator[tuple[str, PieceOrError]]:
    """The name of a file, and each of its hands before it is read; an error for a file that cannot be."""
    for file in _files(path):
        if isinstance(file, HistoryError):
            yield file.file, file
            continue
        with ExitStack() as stack:
            try:
                for piece in pieces_of(file.form, _opened(file, stack)):
                    yield file.name, piece
            except _BROKEN as error:
                yield file.name, _unreadable(file.name, error)


class _File(NamedTuple):
    name: str
    form: Form
    open: Callable[[], IO[bytes]]


def _files(path: Path) -> Iterator[_File | HistoryError]:
    """The file itself, or the entries of an archive."""
    if path.suffix.lower() != _ARCHIVE:
        suffix = path.suffix.lower()
        found = _with_form(str(path), suffix, lambda: path.open("rb"))
        if isinstance(found, HistoryError) and found.kind == _NO_HANDS:  # the first ones may be spoilt
            found = _File(str(path), Form.STARS if suffix == ".txt" else Form.OHH, lambda: path.open("rb"))
        yield found
        return
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _entries(str(path), archive)
    except _BROKEN as error:
        yield _unreadable(str(path), error)


def _entries(name: str, archive: zipfile.ZipFile) -> Iterator[_File | HistoryError]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_ENTRIES or unpacked > MOST_UNPACKED:
        problem = f"{len(entries):,} entries of {unpacked:,} bytes; at most {MOST_ENTRIES:,} of {MOST_UNPACKED:,}"
        yield HistoryError(name, None, problem, "an archive that is too large")
        return
    for entry in sorted(entries, key=lambda entry: entry.filename):
        suffix = PurePosixPath(entry.filename).suffix.lower()
        shown = f"{name}/{entry.filename[:MOST_NAME]}".encode("ascii", "backslashreplace").decode()
        if suffix not in (*_FORMS, *_ASKED):
            continue
        if len(entry.filename) > MOST_NAME or entry.filename.count("/") > MOST_FOLDERS:
            yield HistoryError(shown, None, "a name that is too long or in too many folders", "an archive's name")
        elif entry.file_size > MOST_RATIO * max(entry.compress_size, 100):
            problem = f"{entry.compress_size:,} bytes that become {entry.file_size:,}: no text packs so well"
            yield HistoryError(shown, None, problem, "an archive that is too large")
        else:
            found = _with_form(shown, suffix, lambda entry=entry: archive.open(entry))  # type: ignore[misc]
            if not isinstance(found, HistoryError) or found.kind != _NO_HANDS:
                yield found


_NO_HANDS = "no hands"


def _with_form(name: str, suffix: str, opened: Callable[[], IO[bytes]]) -> _File | HistoryError:
    form = _FORMS.get(suffix)
    if form is None:
        try:
            with opened() as file:
                form = form_of(next(blocks_of(file.read), b""))
        except _BROKEN as error:
            return _unreadable(name, error)
    if form is None:
        return HistoryError(name, 1, f"holds no hands; expected {', '.join(Form)}", _NO_HANDS)
    return _File(name, form, opened)


def _may_hold_hands(path: Path) -> bool:
    """In a folder lie texts and JSON of others too: one that holds no hands is passed over."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES or path.is_dir():
        return False
    found = _with_form(str(path), suffix, lambda: path.open("rb")) if suffix in _ASKED else None
    return not isinstance(found, HistoryError) or found.kind != _NO_HANDS


def _opened(file: _File, stack: ExitStack) -> Iterator[bytes]:
    opened = stack.enter_context(file.open())
    return blocks_of(opened.read)


def _unreadable(name: str, error: BaseException) -> HistoryError:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return HistoryError(name, None, f"cannot be read: {why}"[:300])


def _natural(path: Path) -> tuple[str, int, str]:
    """Folders in order, then `2.phh` before `10.phh`."""
    stem = path.stem
    return (str(path.parent), int(stem) if stem.isdecimal() and len(stem) < 19 else 0, path.name)
