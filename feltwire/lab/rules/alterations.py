"""How a rule can be altered to see whether its tests notice: another value for a parameter that cites it, or a
code path that does without it (`mutants.py`). Nothing on the disk is changed.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

import feltwire.lab.rules
import table_core.reference
from feltwire.lab.rules.mutants import MUTANTS, disable, mutants_of
from feltwire.lab.rules.no_difference import no_difference
from table_core.catalogue import Handling, catalogue, find_rule
from table_core.notices import Notice
from table_core.reference import SECTIONS, notices_of, settings_of
from table_core.rulebook import BASE, Rule, Rulebook, load_rulebook, rulebook_ids
from table_core.rulebook_check import contradictions
from table_core.rulebook_file import section_of, type_of, value_fault
from table_core.tournament.local_day import time_of_day

for _module in pkgutil.iter_modules(feltwire.lab.rules.__path__):
    if _module.name.endswith("paths"):  # each registers its mutants
        importlib.import_module(f"feltwire.lab.rules.{_module.name}")

ROW = "catalogue"  # the row itself is left out


class Alteration(Struct, frozen=True):
    """One alteration of one rule: `parameter` gets `value` in every book that cites the rule for it (None: those
    books are silent), or the code path `mutant` is put in place. `same`: why nobody can tell it from the rule."""

    rule: str
    parameter: str = ""
    value: Any = None
    mutant: str = ""
    same: str = ""

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
    for book in _books_that_cite(alteration.rule, alteration.parameter):
        part, rule = _rule_of(book, alteration.parameter)
        if alteration.value is None:
            force_setattr(part, alteration.parameter, None)
        elif rule is not None:
            kind = type_of(alteration.parameter)
            force_setattr(rule, "value", msgspec.convert(alteration.value, kind))


def _books_that_cite(rule_id: str, parameter: str) -> list[Rulebook]:
    """The books that cite the rule for the parameter, `base` for those that fall back to it."""
    found = []
    for book_id in rulebook_ids():
        book = load_rulebook(book_id)
        _, rule = _rule_of(book, parameter)
        if rule is not None and (rule.rule == rule_id or rule_id in rule.also):
            found.append(book)
    return found


def _rule_of(book: Rulebook, parameter: str) -> tuple[Any, Rule[Any] | None]:
    """The parameter's section of the book, and what the book has there."""
    part = getattr(book, section_of(parameter) or "rules")
    return part, getattr(part, parameter)


def _parameter_alterations(rule_id: str) -> Iterator[Alteration]:
    """Values that a book may have: of a word those of other books, else silence."""
    seen: set[str] = set()
    for book_id in rulebook_ids():
        for setting in settings_of(rule_id, load_rulebook(book_id)):
            if setting.parameter in seen:
                continue
            seen.add(setting.parameter)
            word = type(setting.value) is str
            others = _values_elsewhere(setting.parameter, setting.value) if word else []
            books = _books_that_cite(rule_id, setting.parameter)
            for other in others or _others(setting.value):
                plain = msgspec.to_builtins(other)
                if all(_can_have(book, setting.parameter, plain) for book in books):
                    same = no_difference(setting.parameter, other, _played(rule_id, books))
                    yield Alteration(rule_id, setting.parameter, plain, same=same)
                    if isinstance(other, tuple):  # one other list is enough
                        break


def _played(rule_id: str, books: Sequence[Rulebook]) -> Sequence[Rulebook]:
    """Of the books that cite a rule its own, under which its tests are played; `base` for those of TDA 2024."""
    own = rule_id.partition(".")[0].replace("tda", BASE)
    return [book for book in books if book.id == own] or books


def _can_have(book: Rulebook, parameter: str, value: Any) -> bool:
    """Whether a director could write the value: it is one, and means something by itself."""
    if value is None:
        return True
    if value_fault(parameter, msgspec.json.decode(msgspec.json.encode(value))):
        return False
    plain = msgspec.to_builtins(book)
    plain[section_of(parameter)][parameter]["value"] = value
    found = contradictions(msgspec.convert(plain, Rulebook))
    return not any(one.settings == (parameter,) for one in found)


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
    """What other books have for the parameter."""
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
        return _other_words(value)
    if isinstance(value, tuple) and value:
        return _other_lists(value)
    return []


def _other_lists(value: tuple[Any, ...]) -> list[Any]:
    """Another first choice; of numbers, a list without the last, with it added to the first, or doubled."""
    if isinstance(value[0], Enum):
        return [(*(_others(value[0])[:1] * len(value)),)]
    if not isinstance(value[0], int | float):
        return [value[:-1]]
    return [value[:-1], (value[0] + value[-1], *value[1:-1]), tuple(2 * part for part in value)]


def _other_words(value: str) -> list[Any]:
    """Another time of day; silence for a word that no book has otherwise; another text for an address."""
    if time_of_day(value) is not None:
        return ["12:34"]
    return [None] if value.replace("_", "").isalpha() else [f"{value}x"]


def _cited_as(rule_id: str) -> frozenset[str]:
    """What the rule is cited for by any book, `facing_a_bet` for one."""
    found = set()
    for book_id in rulebook_ids():
        cites = load_rulebook(book_id).cites
        found |= {name for name in cites.__struct_fields__ if getattr(cites, name) == rule_id}
    return frozenset(found)
