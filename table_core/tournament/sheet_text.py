"""Sheets as CSV and JSON, and CSV from other programs read back.

A cell of text that a spreadsheet would take as a formula begins with an apostrophe, which reading takes off again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_GUARDED = (*_FORMULA, "'")
SEPARATORS = ",;\t"


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
    """Each row with its line, by the names of its head line in small letters. Commas, semicolons or tabs: what the
    head line has most of. Empty lines are passed over; a row of too few cells has empty ones.

    Raise `csv.Error` for a cell of more than 100,000 letters.
    """
    lines = text.removeprefix("\ufeff")
    head = lines.split("\n", 1)[0]
    reader = csv.reader(io.StringIO(lines, newline=""), delimiter=max(SEPARATORS, key=head.count))
    names: Sequence[str] = [name.strip().lower() for name in next(reader, [])]
    for row in reader:
        if any(cell.strip() for cell in row):
            cells = [unguarded(cell.strip()) for cell in row] + [""] * (len(names) - len(row))
            yield reader.line_num, dict(zip(names, cells, strict=False))
