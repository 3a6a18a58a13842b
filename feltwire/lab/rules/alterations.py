"""How a rule can be altered to see whether its tests notice: another value for a parameter that cites it, or a
code path that does without it (`mutants.py`). Nothing on the disk is changed.
"""

from __future__ import annotations

import importlib
import pkgutil
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

import feltwire.lab.rules
import table_core.reference
from feltwire.lab.rules.mutants import MUTANTS, disable, mutants_of
from table_core.catalogue import Handling, catalogue, find_rule
from table_core.notices import Notice
from table_core.reference import SECTIONS, notices_of, settings_of
from table_core.rulebook import Rule, Rulebook, load_rulebook, rulebook_ids

for _module in pkgutil.iter_modules(feltwire.lab.rules.__path__):
    if _module.name.endswith("paths"):  # each registers its mutants
        importlib.import_module(f"feltwire.lab.rules.{_module.name}")

ROW = "catalogue"  # the row itself is left out


class Alteration(Struct, frozen=True):
    """One alteration of one rule: `parameter` gets `value` in every book that cites the rule for it, or the code
    path `mutant` is put in place."""

    rule: str
    parameter: str = ""
    value: Any = None
    mutant: str = ""

    def text(self) -> str:
        if self.parameter and self.value is None:
            return f"without {self.parameter}"
        return f"{self.parameter} = {self.value}" if self.parameter else self.mutant


def value_alterations(rule_id: str) -> list[Alteration]:
    """Every other value of the parameters that cite a rule, and books without what else they say for it."""
    return [*_parameter_alterations(rule_id), *_entry_alterations(rule_id)]


def page_alterations(rule_id: str) -> list[Alteration]:
    """The row of a rule that people see to, gone, where a book says nothing else for it: the rules page is without
    it."""
    row = find_rule(rule_id)
    notice = row is not None and row.handling is Handling.NOTICE
    return [Alteration(rule_id, ROW)] if notice and not [*_entry_alterations(rule_id)] else []


def is_carried_out(rule_id: str) -> bool:
    """Whether a code path is named for this very rule."""
    return any(rule_id in found.rules for found in MUTANTS.values())


def path_alterations(rule_id: str, topic: str) -> list[Alteration]:
    """The code paths that are registered for a rule, done without one at a time."""
    return [Alteration(rule_id, mutant=name) for name in mutants_of(rule_id, topic, _cited_as(rule_id))]


def apply_alteration(alteration: Alteration) -> None:
    """Alter this process from here on, for those too who hold a rulebook already."""
    if alteration.mutant:
        disable(MUTANTS[alteration.mutant])
        return
    section, _, entry = alteration.parameter.partition(".")
    if entry:
        _take_out(section, entry)
        return
    if section == ROW:
        without = tuple(row for row in catalogue() if row.id != alteration.rule)
        vars(table_core.reference)["catalogue"] = lambda: without
        return
    for book_id in rulebook_ids():
        for part, rule in _rules_that_cite(alteration, load_rulebook(book_id)):
            kind = _value_type(type(part), alteration.parameter)
            force_setattr(rule, "value", msgspec.convert(alteration.value, kind))


def _rules_that_cite(alteration: Alteration, book: Rulebook) -> Iterator[tuple[Any, Rule[Any]]]:
    """The parameter with its section, where the book cites the rule for it."""
    for section in SECTIONS:
        part = getattr(book, section)
        rule = getattr(part, alteration.parameter, None)
        if rule is not None and (rule.rule == alteration.rule or alteration.rule in rule.also):
            yield part, rule


def _parameter_alterations(rule_id: str) -> Iterator[Alteration]:
    seen: set[str] = set()
    for book_id in rulebook_ids():
        book = load_rulebook(book_id)
        for setting in settings_of(rule_id, book):
            if setting.parameter not in seen:
                seen.add(setting.parameter)
                word = type(setting.value) is str
                others = _values_elsewhere(setting.parameter, setting.value) if word else []
                for other in others or _others(setting.value):
                    yield Alteration(rule_id, setting.parameter, msgspec.to_builtins(other))


def _entry_alterations(rule_id: str) -> Iterator[Alteration]:
    """Each reason, notice, note and announcement for the rule, gone."""
    entries = {
        f"{section}.{name}"
        for book_id in rulebook_ids()
        for section, name, cited in _entries(load_rulebook(book_id))
        if rule_id in cited
    }
    for entry in sorted(entries):
        yield Alteration(rule_id, entry)


def _entries(book: Rulebook) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What a book says to people: section, name, and the rules that it cites."""
    for name, reason in book.reasons.items():
        yield "reasons", name, (reason.rule, *reason.also)
    for name, notice in notices_of(book):
        yield "notices", name, (notice.rule, *notice.also)
    for rule in book.notes:
        yield "notes", rule, (rule,)
    for topic, rule in book.announcements.items():
        yield "announcements", topic.value, (rule,)


def _take_out(section: str, name: str) -> None:
    """No book has the entry any more."""
    for book_id in rulebook_ids():
        part = getattr(load_rulebook(book_id), section)
        if isinstance(part, dict):
            part.pop(name, None)
        else:
            force_setattr(part, name, Notice("", ""))


def _values_elsewhere(parameter: str, value: Any) -> list[Any]:
    """What other books have for the parameter. A word that no book has is often read as the book's own: it is
    tried only where there is no other."""
    books = [load_rulebook(book_id) for book_id in rulebook_ids()]
    rules = [getattr(getattr(book, section), parameter, None) for book in books for section in SECTIONS]
    return sorted({rule.value for rule in rules if rule is not None} - {value})


def _others(value: Any) -> list[Any]:
    """Other values that a parameter may have, the likelier ones first."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Enum):
        return [member for member in type(value) if member is not value]
    if isinstance(value, int):
        return [value + 1, *([value - 1] if value > 0 else [])]
    if isinstance(value, float):
        return [value / 2]
    if isinstance(value, str):
        return [f"not_{value}"]
    if isinstance(value, tuple) and value:
        first = _others(value[0])
        return [(*(first[:1] * len(value)),)] if isinstance(value[0], Enum) else [value[:-1]]
    return []


def _value_type(section: type[Struct], parameter: str) -> Any:
    """The type of a parameter's value: `T` of its `Rule[T]`."""
    kind = typing.get_type_hints(section)[parameter]
    for choice in (kind, *typing.get_args(kind)):
        if typing.get_args(choice) and typing.get_origin(choice) is Rule:
            return typing.get_args(choice)[0]
    raise TypeError(f"{parameter} is no parameter")


def _cited_as(rule_id: str) -> frozenset[str]:
    """What the rule is cited for by any book, `facing_a_bet` for one."""
    found = set()
    for book_id in rulebook_ids():
        cites = load_rulebook(book_id).cites
        found |= {name for name in cites.__struct_fields__ if getattr(cites, name) == rule_id}
    return frozenset(found)
