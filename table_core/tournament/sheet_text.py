"""Sheets as CSV and JSON, and CSV from other programs read back.

A cell of text that a spreadsheet would take as a formula begins with an apostrophe, which reading takes off again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_GUARDED = (*_FORMULA, "'")
SEPARATORS = ",;\t|"
BEYOND = "\0beyond"  # the key of cells that no column has
_NO_SEPARATOR = "\x1f"
_SEPARATOR_LINE = re.compile(r'"?sep=([,;|\t:])"?[ \t]*(?:\n|$)', re.IGNORECASE)
_SAMPLE = 10_000  # letters that tell the separator


class Sheet(Struct, frozen=True):
    """A table with a head line. Amounts of money are fractions (dollars), everything else is whole or text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def as_objects(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def to_csv(sheet: Sheet) -> str:
    """The sheet as a spreadsheet reads it, formulas made harmless."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(sheet.columns)
    writer.writerows([_cell(value) for value in row] for row in sheet.rows)
    return out.getvalue()


def to_json(sheet: Sheet) -> bytes:
    """A list of objects, one a row."""
    return msgspec.json.encode(sheet.as_objects())


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.2f}"
        case str() if value.startswith(_GUARDED):
            return f"'{value}"
        case _:
            return str(value)


def unguarded(cell: str) -> str:
    """The text of a cell as it was before `to_csv`."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_GUARDED) else cell


def read_csv(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each row with its line, by the names of its head line in small letters. Empty lines are passed over; a row
    of too few cells has empty ones, what stands behind the last column is under `BEYOND`.

    Raise `csv.Error` for a cell of more than 100,000 letters.
    """
    separator, head = separator_of(text)
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    for _ in range(head):
        lines.readline()
    reader = csv.reader(lines, delimiter=separator)
    names: Sequence[str] = [name.strip().lower() for name in next(reader, [])]
    ended = reader.line_num  # a cell in quotation marks may have several lines: a row's line is its first
    for row in reader:
        begins, ended = head + ended + 1, reader.line_num
        if any(cell.strip() for cell in row):
            cells = [unguarded(cell.strip()) for cell in row] + [""] * (len(names) - len(row))
            beyond = separator.join(cells[len(names) :]).strip(separator)
            found = dict(zip(names, cells, strict=False))
            yield begins, found | {BEYOND: beyond} if beyond else found


def separator_of(text: str) -> tuple[str, int]:
    """What stands between the cells, and how many lines stand before the head line: a line `sep=;` says it, else
    it is what makes the most of the first rows as long as the head line. A list of one column has none.

    >>> separator_of("name;buy-in\\nRuiz, Ana;1,50\\n")
    (';', 0)
    """
    first = text.removeprefix("\ufeff").lstrip("\n")
    blank = len(text.removeprefix("\ufeff")) - len(first)
    said = _SEPARATOR_LINE.match(first)
    if said:
        return said[1], blank + 1
    some = first[:_SAMPLE].rsplit("\n", 1)[0] if len(first) > _SAMPLE else first

    def fits(separator: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in csv.reader(io.StringIO(some, newline=""), delimiter=separator) if row]
        except csv.Error:
            return 0, 0
        return (0, 0) if not widths or widths[0] < 2 else (widths.count(widths[0]), widths[0])

    best = max(SEPARATORS, key=fits)
    return (best if fits(best)[1] else _NO_SEPARATOR), blank
