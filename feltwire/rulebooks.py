"""Rulebooks by name: one that ships with the program, or a director's own in a file (`docs/rulebook.md`)."""

from __future__ import annotations

from pathlib import Path

from table_core.rulebook import Rulebook, RulebookError, load_rulebook
from table_core.rulebook_check import contradictions
from table_core.rulebook_file import Fault, RulebookFileError, lines_of, read_rulebook

SUFFIX = ".toml"


def rulebook_named(name: str) -> Rulebook:
    """`"wfp"`, or `"friday.toml"`. Raise `RulebookError`; for a file it names the line and what to write."""
    if not name.endswith(SUFFIX):
        return load_rulebook(name)
    book, faults = examined(Path(name))
    if book is None or faults:
        first, more = faults[0], len(faults) - 1
        others = f"; and {more} more: `feltwire rulebook check {name}`" if more else ""
        raise RulebookError(f"{name}:{first.line}: {first}{others}")
    return book


def beside(file: Path, name: str) -> str:
    """The rulebook that `file` names: a book in a file is looked for beside it."""
    return str(file.parent / name) if name.endswith(SUFFIX) else name


def examined(path: Path) -> tuple[Rulebook | None, tuple[Fault, ...]]:
    """The rulebook in a file, None where it cannot be read as one, and everything that is wrong with it. Raise
    `RulebookError` for a file that cannot be opened."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise RulebookError(f"{path}: cannot be read ({error.strerror}); name an existing file") from error
    except UnicodeDecodeError as error:
        raise RulebookError(f"{path}: not text ({error.reason}); save it as UTF-8") from error
    try:
        book = read_rulebook(text)
    except RulebookFileError as error:
        return None, error.faults
    lines = lines_of(text)
    found = []
    for one in contradictions(book):
        key = next((name for name in one.settings if name in lines), one.settings[0])
        beside = " and ".join(name for name in one.settings if name != key)
        wrong = f"it contradicts {beside}: {one.wrong}" if beside else one.wrong
        found.append(Fault(lines.get(key, 0), key, wrong, one.write))
    return book, tuple(sorted(found))
