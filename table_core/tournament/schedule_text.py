"""Blind schedules as CSV and as TOML. TOML is that of a station's configuration: `[[levels]]`."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import msgspec

from table_core.messages import Chips, Frozen, Level, Many
from table_core.toml_text import read_toml
from table_core.tournament.clock import ScheduleError, check_schedule, entry_fault
from table_core.tournament.sheet_text import BEYOND, read_csv

_COLUMNS = (
    *("level", "small_blind", "big_blind", "ante", "big_blind_ante", "minutes", "break"),
    *("what", "colour_up"),
)
_NUMBERS = ("level", "small_blind", "big_blind", "ante", "big_blind_ante", "colour_up")


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


def read_schedule(text: str) -> tuple[Level, ...]:
    """A schedule from either form. Raise `ScheduleError` saying what is wrong, with its line in CSV."""
    return from_toml(text) if "[[levels]]" in text else from_csv(text)


def from_toml(text: str) -> tuple[Level, ...]:
    try:
        levels = msgspec.convert({"levels": read_toml(text).get("levels", [])}, _Levels).levels
    except ValueError as error:
        raise ScheduleError(f"TOML: {error}") from error
    check_schedule(levels)
    return levels


def from_csv(text: str) -> tuple[Level, ...]:
    """A schedule from `to_csv`'s form, with any separator of `read_csv`. The last two columns may be missing."""
    levels = []
    try:
        rows = list(read_csv(text))
    except csv.Error as error:
        raise ScheduleError(f"CSV: {error}") from error
    for at, row in rows:
        unknown = [name for name in row if name not in _COLUMNS]
        if unknown:
            what = f"unknown column {unknown[0][:40]!r}"
            if BEYOND in row:
                what = f"{row[BEYOND][:40]!r} has no column"
            raise ScheduleError(f"line {at}: {what}; the head line is {','.join(_COLUMNS)}")
        numbers = {name: _number(row.get(name) or "0", name, at) for name in _NUMBERS}
        minutes = row.get("minutes") or ""
        try:
            length = float(minutes.replace(",", "."))  # 12,5 where the cells are separated by semicolons
        except ValueError:
            raise ScheduleError(f"line {at}: minutes {minutes[:40]!r} is no number") from None
        small, big, ante, big_blind_ante, colour_up = (Chips(numbers[name]) for name in _NUMBERS[1:])
        is_break, what = bool(row.get("break")), row.get("what") or ""
        level = Level(numbers["level"], small, big, ante, big_blind_ante, length, is_break, what, colour_up)
        if fault := entry_fault(level):
            raise ScheduleError(f"line {at}: {fault}")
        levels.append(level)
    check_schedule(tuple(levels))
    return tuple(levels)


def _number(text: str, name: str, line: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise ScheduleError(f"line {line}: {name} {text[:40]!r} is no whole number") from None
    if number < 0:
        raise ScheduleError(f"line {line}: {name} is below 0")
    return number
