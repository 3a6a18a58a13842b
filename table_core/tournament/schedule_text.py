"""Blind schedules as CSV, as TOML, and out of The Tournament Director 3. TOML is that of a station's
configuration: `[[levels]]`."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from table_core.messages import Frozen, Level, Many
from table_core.toml_text import read_toml
from table_core.tournament.clock import ScheduleError, check_schedule
from table_core.tournament.schedule_rows import columns_of, level_of
from table_core.tournament.sheet_text import BEYOND, read_csv
from table_core.tournament.tdt import TdtError, read_tdt

_COLUMNS = (
    *("level", "small_blind", "big_blind", "ante", "big_blind_ante", "minutes", "break"),
    *("what", "colour_up"),
)
_HEAD = 200  # letters in which a tournament's file says what it is


class _Levels(Frozen, frozen=True):
    levels: Many[Level]


def to_csv(levels: Sequence[Level]) -> str:
    """The schedule as a table with a head line; a break has no level number."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for level in levels:
        blinds = (level.small_blind, level.big_blind, level.ante, level.big_blind_ante)
        number = "" if level.is_break else level.no
        rest = ("break" if level.is_break else "", level.what, level.colour_up or "")
        writer.writerow((number, *blinds, f"{level.minutes:g}", *rest))
    return out.getvalue()


def to_toml(levels: Sequence[Level]) -> str:
    """The schedule as a station's configuration has it."""
    lines: list[str] = []
    for level in levels:
        lines.append("[[levels]]")
        for name, value in msgspec.to_builtins(level).items():
            if name in ("no", "small_blind", "big_blind") or value not in (0, "", False):
                lines.append(f"{name} = {msgspec.json.encode(value).decode()}")
        lines.append("")
    return "\n".join(lines)


class FoundSchedule(NamedTuple):
    """`unread` names what says something in the file and is not taken over."""

    levels: tuple[Level, ...]
    unread: tuple[str, ...] = ()


def read_schedule(text: str) -> tuple[Level, ...]:
    """A schedule of which nothing is left out. Raise `ScheduleError`, in CSV with the line."""
    found = find_schedule(text)
    if found.unread:
        what = f"{found.unread[0][:40]!r} is nothing of a schedule here"
        raise ScheduleError(f"{what}; take it out, or let `feltwire plan --convert` leave it out")
    return found.levels


def find_schedule(text: str) -> FoundSchedule:
    """A schedule from CSV, TOML or a file of The Tournament Director 3, as far as it can be taken over. Raise
    `ScheduleError`."""
    if "new Tournament(" in text[:_HEAD]:
        return _from_tdt(text)
    return FoundSchedule(from_toml(text)) if "[[levels]]" in text else _from_csv(text)


def from_toml(text: str) -> tuple[Level, ...]:
    try:
        levels = msgspec.convert({"levels": read_toml(text).get("levels", [])}, _Levels).levels
    except ValueError as error:
        raise ScheduleError(f"TOML: {error}") from error
    check_schedule(levels)
    return levels


def _from_csv(text: str) -> FoundSchedule:
    """Any separator of `read_csv`, any heads of `columns_of`."""
    levels: list[Level] = []
    unread: dict[str, None] = {}
    try:
        rows = list(read_csv(text))
    except csv.Error as error:
        raise ScheduleError(f"CSV: {error}") from error
    columns = columns_of(rows[0][1]) if rows else {}
    for at, row in rows:
        if BEYOND in row:
            raise ScheduleError(
                f"line {at}: {row[BEYOND][:40]!r} has no column; the head line is {','.join(_COLUMNS)}"
            )
        unread |= dict.fromkeys(name for name, cell in row.items() if name not in columns and cell.strip())
        cells = {columns[name]: cell for name, cell in row.items() if name in columns}
        levels.append(level_of(cells, at, 1 + sum(not level.is_break for level in levels)))
    check_schedule(tuple(levels))
    return FoundSchedule(tuple(levels), tuple(unread))


def _from_tdt(text: str) -> FoundSchedule:
    try:
        found = FoundSchedule(*read_tdt(text).schedule())
    except TdtError as error:
        raise ScheduleError(str(error)) from error
    check_schedule(found.levels)
    return found
