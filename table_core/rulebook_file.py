"""A director's own rulebook as text: TOML over `base`, read into a `Profile` or into a list of what is wrong.

A setting is a line `name = value`, under its section (`[rules]`, `[policies]`, `[tournament]`) or under none. Its
rule is `<id of the book>.<name>`, or the one that is named with the value as in the books of the program:
`{ value = 9, rule = "friday.4" }`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from table_core.notices import Note, Notice, Notices, Reason
from table_core.parameters import Cites, Dollars, Rule, Rules
from table_core.policies import Policies
from table_core.rulebook import SECTIONS as ALL_SECTIONS
from table_core.rulebook import Profile, Rulebook, RulebookError, load_rulebook, own_rulebook, rulebook_ids
from table_core.toml_text import read_toml
from table_core.tournament.policies import Tournament

SECTIONS: Mapping[str, type[msgspec.Struct]] = {
    "rules": Rules,
    "policies": Policies,
    "tournament": Tournament,
    "cites": Cites,
}
ENTRIES: Mapping[str, type[Reason | Notice | Note]] = {"reasons": Reason, "notices": Notice, "notes": Note}
RESERVED = ("house", "tda")  # begin the ids of other rules
MOST = 10**9  # of every number
LONGEST = 100  # list
MOST_LETTERS = 200  # of a text
LARGEST = 50_000  # characters of everything that a book says
_RULE = re.compile(r"[A-Za-z0-9._-]{1,100}")


class Fault(NamedTuple):
    """What is wrong with a file. `line` counts from 1; 0: with the file as a whole."""

    line: int
    key: str
    wrong: str
    write: str

    def __str__(self) -> str:
        key = f"{self.key}: " if self.key else ""
        return f"{key}{self.wrong}; {self.write}"


class RulebookFileError(RulebookError):
    """A file that is no rulebook, with everything that is wrong with it."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(str(faults[0]))
        self.faults = faults


def read_rulebook(text: str) -> Rulebook:
    """The rulebook of a file's text. Raise `RulebookFileError`; what its settings say together is not looked at
    (`rulebook_check.contradictions`)."""
    try:
        document = read_toml(text)
    except ValueError as error:
        line = re.search(r"at line (\d+)", str(error))
        fault = Fault(int(line[1]) if line else 0, "", f"not TOML: {error}", "mend that line")
        raise RulebookFileError((fault,)) from error
    reader = _Reader(document, lines_of(text))
    profile = reader.profile()
    if reader.faults:
        raise RulebookFileError(tuple(sorted(reader.faults)))
    try:
        book = own_rulebook(profile)
    except RulebookError as error:
        fault = Fault(0, "", str(error), "write it as in a book of the program")
        raise RulebookFileError((fault,)) from error
    if len(book.recorded) > LARGEST:
        fault = Fault(0, "", f"it says {len(book.recorded):,} characters", f"shorten it to {LARGEST:,}")
        raise RulebookFileError((fault,))
    return book


def lines_of(text: str) -> dict[str, int]:
    """The line of each key and section in a TOML text, counted from 1."""
    found: dict[str, int] = {}
    for no, line in enumerate(text.splitlines(), 1):
        if key := re.match(r"""\s*\[?\s*["']?([^"'=\]]*[^"'=\]\s])["']?\s*(=|\])""", line):
            found.setdefault(key[1], no)
    return found


class _Reader:
    def __init__(self, document: Mapping[str, Any], lines: Mapping[str, int]) -> None:
        self.faults: list[Fault] = []
        self._document = document
        self._lines = lines

    def profile(self) -> Profile:
        id_, name = self._id(), self._name()
        said: dict[str, dict[str, Any]] = {section: {} for section in ALL_SECTIONS}
        for key, value in self._document.items():
            if key in SECTIONS and isinstance(value, dict):
                for name_, setting in value.items():
                    self._take(said, id_, name_, setting, key)
            elif key in ENTRIES and isinstance(value, dict):
                for name_, entry in value.items():
                    self._take_entry(said, id_, name_, entry, key)
            elif key in ALL_SECTIONS and isinstance(value, dict):
                said[key] = value
            elif key not in ("id", "name"):
                self._take(said, id_, key, value, "")
        return Profile(id_, name, {section: entries for section, entries in said.items() if entries})

    def _wrong(self, key: str, wrong: str, write: str) -> None:
        self.faults.append(Fault(self._lines.get(key, 0), key, wrong, write))

    def _id(self) -> str:
        id_, example = self._document.get("id"), 'write a short word, as id = "friday"'
        if id_ is None:
            self._wrong("id", "it is missing", example)
        elif not isinstance(id_, str) or not re.fullmatch(r"[a-z][a-z0-9_-]{0,31}", id_):
            self._wrong("id", f"{id_!r} is no id: a small letter, then small letters, digits, - and _", example)
        elif id_ in (*rulebook_ids(), *RESERVED):
            self._wrong("id", f"{id_!r} is taken", "choose another word")
        return id_ if isinstance(id_, str) else "own"

    def _name(self) -> str:
        name = self._document.get("name")
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or len(name) > 200:
            what = "it is missing" if name is None else f"{name!r} is no name of one line"
            self._wrong("name", what, 'write how players call the book, as name = "Friday night"')
        return name if isinstance(name, str) else ""

    def _take(self, said: dict[str, dict[str, Any]], id_: str, name: str, setting: Any, under: str) -> None:
        section = section_of(name)
        if section is None:
            near = get_close_matches(name, [*_sections()], 3, 0.6)
            write = f"did you mean {' or '.join(near)}?" if near else "`feltwire rulebook settings` lists all"
            self._wrong(name, "there is no such setting", write)
        elif under and under != section:
            self._wrong(name, f"it does not belong to [{under}]", f"write it under [{section}]")
        elif name in said[section]:
            self._wrong(name, "it is there twice", "take one out")
        elif section == "cites":
            if isinstance(setting, str) and _RULE.fullmatch(setting):
                said[section][name] = setting
            else:
                self._wrong(name, f"{_shown(setting)} is no id of a rule", f'write {name} = "{id_}.4"')
        else:
            self._take_rule(said[section], id_, name, setting)

    def _take_entry(self, said: dict[str, Any], id_: str, name: str, entry: Any, section: str) -> None:
        """A reason of a penalty, a notice or a note: by a name of the book's own, a notice by its place."""
        own = {} if section == "notes" else {"rule": f"{id_}.{re.sub(r'[^a-z0-9]+', '-', name.lower())}"}
        plain = {"text": entry} if isinstance(entry, str) else entry
        try:
            taken = {**own, **plain}
            msgspec.convert(taken, ENTRIES[section])
            if section == "notices" and name not in Notices.__struct_fields__:
                raise msgspec.ValidationError(f"there are: {', '.join(Notices.__struct_fields__)}")
        except (TypeError, msgspec.ValidationError) as error:
            what = '{ ladder = ["warning", "time_out"] }' if section == "reasons" else '{ text = "…" }'
            self._wrong(name, f"no entry of [{section}]: {error}", f'write "{name}" = {what}')
        else:
            said[section][name] = taken

    def _take_rule(self, said: dict[str, Any], id_: str, name: str, setting: Any) -> None:
        rule = setting if isinstance(setting, dict) else {"value": setting}
        rule = {"rule": f"{id_}.{name}", **rule}
        try:
            msgspec.convert({**rule, "value": 0}, Rule[int])
        except msgspec.ValidationError as error:
            write = f'write {name} = VALUE, or {name} = {{ value = VALUE, rule = "{id_}.4" }}'
            self._wrong(name, f"not a value with its rule ({error})", write)
            return
        wrong = value_fault(name, rule["value"]) if "value" in rule else "its value is missing"
        strange = [named for named in (rule["rule"], *rule.get("also", ())) if not _RULE.fullmatch(named)]
        if strange:
            self._wrong(name, f"{strange[0]!r} is no id of a rule", f'write rule = "{id_}.4"')
        elif wrong:
            self._wrong(name, wrong, f"write {name} = {example_of(name)}")
        else:
            said[name] = rule


@cache
def _sections() -> Mapping[str, str]:
    return {name: section for section in SECTIONS for name in names_of(section)}


def names_of(section: str) -> tuple[str, ...]:
    """The settings of a section, in the order of its struct."""
    return tuple(field.name for field in msgspec.structs.fields(SECTIONS[section]))


def section_of(name: str) -> str | None:
    """The section of a setting; None where there is no such setting."""
    return _sections().get(name)


# ------------------------------------------------------------------------------------------- types and choices


@cache
def type_of(name: str) -> Any:
    """The type of a parameter's value."""
    hint = get_type_hints(SECTIONS[_sections()[name]])[name]
    rule = next(part for part in (hint, *get_args(hint)) if part is not NoneType and get_origin(part) is Rule)
    return get_args(rule)[0]


@cache
def choices_of(name: str) -> tuple[str, ...]:
    """The words that a parameter may have, or that each part of its list may have; empty where it has no words."""
    kind = type_of(name)
    parts = [part for part in get_args(kind) if part is not Ellipsis] or [kind]
    if isinstance(parts[0], type) and issubclass(parts[0], Enum):
        return tuple(str(member.value) for member in parts[0])
    if parts[0] is not str:
        return ()
    found: dict[str, None] = {}
    for value in _in_books(name):
        found |= dict.fromkeys([value] if isinstance(value, str) else value)
    fixed = all(re.fullmatch(r"[a-z_]+", word) for word in found)  # else free: a time of day, seats
    return tuple(found) if fixed else ()


def _in_books(name: str) -> Iterator[Any]:
    """The parameter's values in the books of the program."""
    for book_id in rulebook_ids():
        rule = getattr(getattr(load_rulebook(book_id), _sections()[name]), name)
        if rule is not None:
            yield msgspec.json.decode(msgspec.json.encode(rule.value))  # lists, as a file has them


def value_fault(name: str, value: Any) -> str:
    """What is wrong with a parameter's value; empty for a value that it can have."""
    choices = choices_of(name)
    words = value if isinstance(value, list) else [value]
    strange = [word for word in words if choices and word not in choices]
    if strange:
        return f"{_shown(strange[0])} is none of its words: {', '.join(choices)}"
    try:
        msgspec.convert(value, type_of(name))
    except msgspec.ValidationError:
        return f"{_shown(value)} is not {_wanted(type_of(name))}"
    if type_of(name) == Dollars and abs(value * 100 - round(value * 100)) > 1e-6:
        return f"{_shown(value)} has more than two decimals"
    numbers = list(_numbers(value))
    outside = [number for number in numbers if not 0 <= number <= MOST]
    if outside:
        return f"{outside[0]} is below 0" if outside[0] < 0 else f"{outside[0]} is more than {MOST:,}"
    return _too_long(value)


def _too_long(value: Any) -> str:
    """What is too long in a value, a list within a list included; empty for nothing."""
    if isinstance(value, list):
        return f"more than {LONGEST} in a list" if len(value) > LONGEST else max(map(_too_long, value), default="")
    return f"more than {MOST_LETTERS} letters" if isinstance(value, str) and len(value) > MOST_LETTERS else ""


def _numbers(value: Any) -> Iterator[float]:
    """Every number in a value; a yes or no is none."""
    if isinstance(value, list):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, float | int) and not isinstance(value, bool):
        yield value


def _wanted(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return "a list of that kind"
    return {bool: "true or false", int: "a whole number", float: "a number", Dollars: "an amount"}.get(
        kind, "a word in quotes"
    )


def example_of(name: str) -> str:
    """A value that the parameter can have, as TOML."""
    if choices_of(name) and get_origin(type_of(name)) is not tuple:
        return " or ".join(f'"{word}"' for word in choices_of(name))
    if type_of(name) is bool:
        return "true or false"
    return msgspec.json.encode(value_like(name)).decode()


def value_like(name: str) -> Any:
    """A value that the parameter can have: that of a book of the program, where one has it."""
    value = next(_in_books(name), None)
    if value is not None:
        return value
    kind = type_of(name)
    nested = {tuple[int, int]: [[25, 8], [100, 8]], tuple[int, str]: [[1, "the final"]]}
    return {int: 10, bool: True, float: 0.5, Dollars: 10, str: "the final"}.get(kind) or nested.get(
        get_args(kind)[0], [10, 8, 6]
    )


def _shown(value: Any) -> str:
    return (
        msgspec.json.encode(value).decode() if isinstance(value, str | int | float | bool | list) else str(value)
    )
