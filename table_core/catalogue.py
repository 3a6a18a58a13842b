"""The rule catalogue: every rule of the five rulebooks, and of TDA 2024 behind `base`.

One row is one rule: its text, how the software handles it and what must then be observed. Rulebooks, refusals,
notices and tests cite rows by id.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

_FILES = ("tda.csv", "catalogue.csv")


class Handling(StrEnum):
    """How a rule is handled."""

    ENGINE = "engine"
    SENSOR = "sensor"
    RULING = "ruling"
    CLOCK = "clock"
    DIRECTOR = "director"
    NOTICE = "notice"


HANDLING_IN_WORDS = {
    Handling.ENGINE: "The hand engine applies it by itself.",
    Handling.SENSOR: "Shoe, camera or keypad notice it and the table says so.",
    Handling.RULING: "The table opens a ruling; a person decides between the ways the rule allows.",
    Handling.CLOCK: "The tournament clock applies it.",
    Handling.DIRECTOR: "The tournament director does it at the station.",
    Handling.NOTICE: "People see to it; the station shows it and keeps what they decide.",
}


class RuleRow(Struct, frozen=True):
    """One rule. `profile` is its rulebook, `source` the position there, `inputs` what the software needs to
    know, `expected` what must then be observed."""

    id: str
    profile: str
    source: str
    topic: str
    statement: str
    handling: Handling
    inputs: tuple[str, ...]
    expected: str


class CatalogueError(ValueError):
    """The shipped catalogue is damaged, or has no such rule."""


@cache
def catalogue() -> tuple[RuleRow, ...]:
    """Every row, TDA first. Raise `CatalogueError` with file, line and what was expected."""
    rows = tuple(row for file in _FILES for row in _read(file))
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            raise CatalogueError(f"rule {row.id} is in the catalogue twice; expected every id once")
        seen.add(row.id)
    return rows


def find_rule(rule_id: str) -> RuleRow | None:
    """The row with this id."""
    return _by_id().get(rule_id)


@cache
def _by_id() -> dict[str, RuleRow]:
    return {row.id: row for row in catalogue()}


def _read(file: str) -> Iterator[RuleRow]:
    text = resources.files("table_core").joinpath("rules", file).read_text("utf-8")
    reader = csv.DictReader(text.splitlines())
    for fields in reader:
        plain = {**fields, "inputs": (fields["inputs"] or "none").split(";")}
        try:
            yield msgspec.convert(plain, RuleRow)
        except msgspec.ValidationError as error:
            raise CatalogueError(f"rules/{file}:{reader.line_num}: {error}") from error
