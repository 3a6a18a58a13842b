"""The parameters behind a rule under one rulebook, and the house's settings over them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from table_core.catalogue import Handling, RuleRow, catalogue, find_rule
from table_core.notices import Notice
from table_core.rulebook import Rulebook

SECTIONS = ("rules", "policies", "tournament")
_HANDLING = {"rules": Handling.ENGINE, "policies": Handling.RULING, "tournament": Handling.DIRECTOR}


class Setting(Struct, frozen=True):
    """A parameter that cites a rule, with the value of the rule. `house` is the value in force where the house
    overrides it, None where the rule stands."""

    parameter: str
    value: Any
    house: Any = None

    @property
    def overridden(self) -> bool:
        return self.house is not None


def settings_of(rule_id: str, book: Rulebook) -> Iterator[Setting]:
    """Each parameter of `book` that cites the rule, as the rule has it and as the house has it."""
    printed = book.printed()
    for section in SECTIONS:
        part, in_force = getattr(printed, section), getattr(book, section)
        for name in part.__struct_fields__:
            rule = getattr(part, name)
            if rule is not None and (rule.rule == rule_id or rule_id in rule.also):
                house = getattr(in_force, name).value if name in book.house else None
                yield Setting(name, rule.value, house)


def notices_of(book: Rulebook) -> Iterator[tuple[str, Notice]]:
    """Each notice of a book with its name, in the order of `Notices`."""
    for name in book.notices.__struct_fields__:
        notice = getattr(book.notices, name)
        if notice is not None:
            yield name, notice


def in_words(value: Any) -> str:
    """A parameter's value as text: `"last full raise"`, `"yes"`, `"5, 10"`."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, list | tuple):
        return ", ".join(in_words(part) for part in plain)
    return str(plain).replace("_", " ")


def rules_in_force(book: Rulebook) -> tuple[RuleRow, ...]:
    """Every rule in force under a rulebook: its own, and those of other books that it falls back to. A setting of
    a director's own book is a rule that says what the setting says."""
    cited = {getattr(book.cites, name) for name in book.cites.__struct_fields__}
    printed = book.printed()
    for section in SECTIONS:
        part = getattr(printed, section)
        for name in part.__struct_fields__:
            rule = getattr(part, name)
            cited |= set() if rule is None else {rule.rule}
    shipped = tuple(row for row in catalogue() if row.profile == book.id or row.id in cited)
    return (*_own_rows(printed), *shipped)


def _own_rows(book: Rulebook) -> Iterator[RuleRow]:
    for section in SECTIONS if book.recorded else ():
        part = getattr(book, section)
        for name in part.__struct_fields__:
            rule = getattr(part, name)
            if rule is not None and name in book.spoken and find_rule(rule.rule) is None:
                text = sentence(name, rule.value)
                yield RuleRow(rule.rule, book.id, book.name, name, text, _HANDLING[section], (), text)


def sentence(parameter: str, value: Any) -> str:
    """What a parameter says with this value: `"A table has at most 9 seats."`"""
    said = _sentences().get(parameter)
    if said is None:
        return f"{parameter.replace('_', ' ').capitalize()}: {_shown(value)}."
    if isinstance(said, list):
        return str(said[0] if value else said[1])
    return said.replace("{}", _shown(value))


@cache
def _sentences() -> Mapping[str, str | list[str]]:
    return tomllib.loads(resources.files("table_core").joinpath("rules", "settings.toml").read_text("utf-8"))


def _shown(value: Any) -> str:
    """As `in_words`, with separators in large numbers and brackets around lists within a list."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, list | tuple):
        return ", ".join(f"({_shown(part)})" if isinstance(part, list | tuple) else _shown(part) for part in plain)
    if isinstance(plain, int | float) and not isinstance(plain, bool):
        return f"{plain:,}" if isinstance(plain, int) else f"{plain:g}"
    return in_words(plain)
