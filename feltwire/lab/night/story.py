"""The text of a night's story: a header of `name: value` lines, an empty line, then one step a line.

`docs/night.md` describes every step. An unknown word is an error that names file, line and what is expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.rulebooks import beside, rulebook_named
from table_core.messages import Chips, Level
from table_core.rulebook import RulebookError
from table_core.tournament.control import BookSchedule
from table_core.tournament.events import TablePlan

HEADERS = ("title", "rulebook", "rules", "tables", "levels", "minutes", "starts", "house", "seed")
# 2026-01-01 00:00 UTC: a story's hours of day are hours of that day
MIDNIGHT_MS = 1_767_225_600_000


class StoryError(UsageError):
    """A line that cannot be read: file, line, what it says, what is expected."""


@dataclass(frozen=True, slots=True)
class Line:
    no: int
    text: str


@dataclass(frozen=True, slots=True)
class Story:
    """One night as written. `starts` is wall time in milliseconds; `by_book`: the director asks for the book's
    schedule."""

    path: Path
    title: str
    rulebook: str
    rules: tuple[str, ...]
    tables: tuple[TablePlan, ...]
    levels: tuple[Level, ...]
    by_book: BookSchedule | None
    house: dict[str, object]
    seed: str
    starts: int | None
    steps: tuple[Line, ...]

    def wrong(self, line: Line, why: str) -> StoryError:
        return StoryError(f"{self.path}:{line.no}: {line.text!r}: {why}")


def read_story(path: Path) -> Story:
    """The story in a file. Raise `StoryError` for a header that cannot be read."""
    try:
        lines = [Line(no, text.split("#")[0].strip()) for no, text in enumerate(path.read_text().splitlines(), 1)]
    except (OSError, UnicodeDecodeError) as error:
        raise StoryError(f"{path}: cannot be read: {error}") from error
    end = next((at for at, line in enumerate(lines) if at and not line.text and lines[at - 1].text), len(lines))
    found: dict[str, tuple[Line, str]] = {}
    for line in lines[:end]:
        name, colon, value = line.text.partition(":")
        if line.text and (not colon or name not in HEADERS or name in found):
            raise StoryError(f"{path}:{line.no}: {line.text!r}: expected each once of: {', '.join(HEADERS)}")
        if line.text:
            found[name] = line, value.strip()
    if "rulebook" not in found or "tables" not in found:
        raise StoryError(f"{path}: the header needs `rulebook:` and `tables:`")
    values = {name: value for name, (_, value) in found.items()}
    try:
        values["rulebook"] = beside(path, values["rulebook"])
        rulebook_named(values["rulebook"])
        starts, by_book = values.get("starts"), _by_book(values)
        levels, minutes = values.get("levels", "25/50 50/100 100/200 200/400"), float(values.get("minutes", "20"))
        return Story(
            path,
            values.get("title", path.stem),
            values["rulebook"],
            tuple(values.get("rules", "").replace(",", " ").split()),
            _tables(values["tables"]),
            by_book.blinds or _levels("25/50", 20) if by_book is not None else _levels(levels, minutes),
            by_book,
            _house(values.get("house", "")),
            values.get("seed", "story"),
            MIDNIGHT_MS + time_of_day(starts) if starts else None,
            tuple(line for line in lines[end:] if line.text),
        )
    except (ValueError, RulebookError) as error:
        raise StoryError(f"{path}: header: {error}") from error


def time_of_day(text: str) -> int:
    """Milliseconds since midnight of `19:30`."""
    found = re.fullmatch(r"(\d{1,2}):(\d\d)", text)
    if found is None:
        raise ValueError(f"{text!r} is no time of day; write 19:30")
    return (int(found[1]) * 60 + int(found[2])) * 60_000


def duration(text: str) -> int:
    """Milliseconds of `20:00` (minutes and seconds)."""
    found = re.fullmatch(r"(\d+):(\d\d)", text)
    if found is None:
        raise ValueError(f"{text!r} is no time; write minutes and seconds, 20:00")
    return (int(found[1]) * 60 + int(found[2])) * 1_000


def _tables(text: str) -> tuple[TablePlan, ...]:
    """`3 of 10`: tables 1 to 3 with ten seats; `10 9 9`: one number a table."""
    if found := re.fullmatch(r"(\d+) of (\d+)", text):
        sizes = [int(found[2])] * int(found[1])
    elif re.fullmatch(r"\d+( \d+)*", text):
        sizes = [int(size) for size in text.split()]
    else:
        raise ValueError(f"tables {text!r}; write `3 of 10`, or the seats of each table: `8 8 9`")
    return tuple(TablePlan(str(no), seats) for no, seats in enumerate(sizes, 1))


def _by_book(values: Mapping[str, str]) -> BookSchedule | None:
    """`book` before the blinds: with the book's lengths, breaks and meals; `book 16`: sixteen levels with its
    blinds too; `doubling 5/10/1 3`: three levels, each twice the one before. None for a schedule that is written
    out."""
    how, _, rest = values.get("levels", "").partition(" ")
    starts = values.get("starts", "")
    if how == "doubling":
        first, _, count = rest.partition(" ")
        return BookSchedule(_levels(first, 20), int(count), doubling=True, starts=starts)
    if how != "book":
        return None
    own = not rest or rest.isdecimal()
    return BookSchedule(() if own else _levels(rest, 20), int(rest or 12) if own else 12, starts=starts)


def _levels(text: str, minutes: float) -> tuple[Level, ...]:
    """`25/50 50/100/100 break10 100/200/200bb`: blinds and ante, or the big blind's for all; a break with its
    minutes."""
    levels: list[Level] = []
    for word in text.split():
        if found := re.fullmatch(r"break(\d+)", word):
            levels.append(Level(0, Chips(0), Chips(0), minutes=float(found[1]), is_break=True))
        elif found := re.fullmatch(r"(\d+)/(\d+)(?:/(\d+)(bb)?)?", word):
            no = 1 + sum(not level.is_break for level in levels)
            small, big, ante = (Chips(int(part or 0)) for part in found.groups()[:3])
            antes = (Chips(0), ante) if found[4] else (ante, Chips(0))
            levels.append(Level(no, small, big, *antes, minutes=minutes))
        else:
            raise ValueError(f"level {word!r}; write 25/50, 25/50/5 with an ante, 25/50/50bb, or break10")
    return tuple(levels)


def _house(text: str) -> dict[str, object]:
    """`starting_stack = 5000, payouts = [50, 30, 20]`: values as JSON."""
    found: dict[str, object] = {}
    for part in re.split(r",\s*(?=\w+\s*=)", text):
        if not part.strip():
            continue
        name, equals, value = part.partition("=")
        try:
            found[name.strip()] = json.loads(value)
        except json.JSONDecodeError:
            equals = ""
        if not equals:
            raise ValueError(f"house {part.strip()!r}; write `name = value`, separated by commas")
    return found
