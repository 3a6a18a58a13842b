"""A rulebook is data: typed parameters, each with the id of the rule that it comes from.

The engine asks the rulebook; it never asks which rulebook. Profiles are TOML files in `table_core/rulebooks`;
each is read over `base.toml` and falls back to it where it is silent. A director's own profile (`own_rulebook`) is
one more, and goes on record with all that it says. `Rulebook.source_of` says where a value comes from: the book
itself, `base`, or a setting of the house (`Rulebook.with_house`).
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from table_core.notices import Note, Notices, Reason, Topic
from table_core.parameters import (
    AnteOrder,
    Blind,
    ButtonMethod,
    Cites,
    HeadsUpButton,
    MinRaise,
    OddChip,
    Reopening,
    Rule,
    Rules,
    ShowdownOrder,
)
from table_core.policies import Policies
from table_core.tournament.policies import Tournament

__all__ = [
    "BASE",
    "AnteOrder",
    "Blind",
    "ButtonMethod",
    "Cites",
    "HeadsUpButton",
    "MinRaise",
    "OddChip",
    "Origin",
    "Policies",
    "Profile",
    "Reopening",
    "Rule",
    "Rulebook",
    "RulebookError",
    "Rules",
    "ShowdownOrder",
    "Tournament",
    "load_rulebook",
    "own_rulebook",
    "recorded_rulebook",
    "rulebook_ids",
]

BASE = "base"

Origin = Literal["book", "base", "house"]

SECTIONS = ("rules", "policies", "tournament", "cites", "reasons", "notices", "notes", "announcements")


class RulebookError(ValueError):
    """A missing or invalid rulebook: which one, what, and what was expected."""


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a book itself says: by section its entries, as in a profile's file."""

    id: str
    name: str
    says: dict[str, dict[str, Any]]


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """One profile with everything it falls back to filled in. `spoken` names what the book itself says,
    `house` what the house set over it; `reasons` are those of penalties, by name; `notes` are on single rules, by
    id; `announcements` the topics before the start, each with its rule. `own` is the `Profile` of a director's own
    book as JSON, unset for those that ship with the program."""

    id: str
    name: str
    rules: Rules
    policies: Policies
    tournament: Tournament
    cites: Cites
    reasons: dict[str, Reason]
    notices: Notices
    notes: dict[str, Note]
    announcements: dict[Topic, str]
    spoken: frozenset[str] = frozenset()
    house: frozenset[str] = frozenset()
    own: str | UnsetType = UNSET

    @property
    def recorded(self) -> str:
        """What a record has to hold beside the id, for `recorded_rulebook`; empty for a book that ships."""
        return "" if self.own is UNSET else self.own

    def printed(self) -> Rulebook:
        """This book without the settings of the house."""
        return recorded_rulebook(self.id, self.recorded)

    def source_of(self, parameter: str) -> tuple[str, Origin]:
        """The rule behind `parameter` and its source. Raise `RulebookError` for an unknown name, or where every
        book is silent."""
        for section in (self.rules, self.policies, self.tournament, self.cites):
            found = getattr(section, parameter, None)
            if found is not None:
                return (found if isinstance(found, str) else found.rule), self._origin(parameter)
        raise RulebookError(f"rulebook {self.id!r} says nothing about {parameter!r}")

    def _origin(self, parameter: str) -> Origin:
        if parameter in self.house:
            return "house"
        return "book" if parameter in self.spoken and self.id != BASE else "base"

    def usual_practice(self, rule: str) -> str:
        """Text for a rule that holds by usual practice, because the book leaves that choice open; empty for its
        own rules and for rules without a choice in them."""
        return self._practice(rule, self.rules)

    def tournament_practice(self, rule: str) -> str:
        """The same for what the tournament at the station reads."""
        return self._practice(rule, self.tournament)

    def standing_in_words(self, rule: str) -> str:
        """What is said beside a rule of the tournament that is shown to the director and is not the book's own; of
        the common rules too, whose gaps are filled from other books."""
        own = rule.partition(".")[0] in ("tda", "house", "")
        if self.id == BASE:
            return "" if own else "The TDA is silent; another book has it so."
        return self.tournament_practice(rule)

    def _practice(self, rule: str, section: Rules | Tournament) -> str:
        source, _, number = rule.partition(".")
        if self.id == BASE or source in (self.id, "house"):
            return ""
        rules = {name: getattr(section, name) for name in section.__struct_fields__}
        citing = {name for name, found in rules.items() if found is not None and found.rule == rule}
        if not citing or citing & self.spoken:
            return ""
        followed = f"usual practice: TDA {number}" if source == "tda" else f"another book has it so: {rule}"
        return f"Your book is silent; {followed}."

    def with_house(self, overrides: Mapping[str, Any], *, event: bool = False) -> Rulebook:
        """This rulebook with settings of the house over it: plain values by parameter, as in a settings file.

        Each is marked: its rule is `house.<parameter>`. `event`: the settings of one tournament, which may also
        set what only the tournament reads. Raise `RulebookError` for an unknown parameter, one that
        no process reads, or a value that it cannot have.
        """
        plain: dict[str, Any] = msgspec.to_builtins(self)
        for parameter, value in overrides.items():
            section = self._section_of(parameter, event=event)
            plain[section][parameter] = {"value": value, "rule": f"house.{parameter}"}
        plain["house"] = [*self.house, *overrides]
        return _convert(plain)

    def house_settings(self, *, event: bool = False) -> dict[str, Any]:
        """The settings of the house as `with_house` takes them."""
        sections = {name: self._section_of(name, event=event) for name in sorted(self.house)}
        found = {name: getattr(getattr(self, section), name) for name, section in sections.items()}
        return {name: msgspec.to_builtins(rule.value) for name, rule in found.items()}

    def sha256(self) -> str:
        """The SHA-256 (hex) of everything that the book says, settings of the house included."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()

    def _section_of(self, parameter: str, *, event: bool = False) -> str:
        if event and parameter in Tournament.__struct_fields__:
            return "tournament"
        for section in ("rules", "policies"):
            if parameter in getattr(self, section).__struct_fields__:
                return section
        if parameter in Tournament.__struct_fields__:
            waits = "it belongs to one tournament: give it when the event is opened, and take it out here"
            raise RulebookError(f"{parameter!r} cannot be set: {waits}")
        known = sorted([*Rules.__struct_fields__, *Policies.__struct_fields__])
        raise RulebookError(f"no parameter {parameter!r} to set; there are: {', '.join(known)}")


def rulebook_ids() -> tuple[str, ...]:
    """Every profile that ships with the program, `base` first."""
    found = (entry.name for entry in resources.files("table_core").joinpath("rulebooks").iterdir())
    ids = {name.removesuffix(".toml") for name in found if name.endswith(".toml")}
    return (BASE, *sorted(ids - {BASE}))


@cache
def load_rulebook(rulebook_id: str) -> Rulebook:
    """The profile with this id, over `base`. Raise `RulebookError` when there is none or it is not valid."""
    if rulebook_id not in rulebook_ids():
        raise RulebookError(f"no rulebook {rulebook_id!r}; there are: {', '.join(rulebook_ids())}")
    spoken = _read(rulebook_id)
    profile = _over(_read(BASE), spoken) if rulebook_id != BASE else spoken
    names = [name for section in SECTIONS for name in spoken.get(section, {})]
    return _convert({**profile, "spoken": names})


def own_rulebook(profile: Profile) -> Rulebook:
    """A director's own book over `base`. Raise `RulebookError` for an id of the program's, an unknown parameter or
    a value that it cannot have."""
    if profile.id in rulebook_ids():
        raise RulebookError(f"a book of the program's has the id {profile.id!r} already; choose another")
    if not profile.says.keys() <= {*SECTIONS}:
        raise RulebookError(f"rulebook {profile.id!r}: a book has the sections {', '.join(SECTIONS)}")
    said = {"id": profile.id, "name": profile.name, **profile.says}
    names = [name for section in said.values() if isinstance(section, dict) for name in section]
    own = msgspec.json.encode(profile, order="deterministic").decode()
    return _convert({**_over(_read(BASE), said), "spoken": names, "own": own})


@cache
def recorded_rulebook(rulebook_id: str, recorded: str) -> Rulebook:
    """The book of a record: its id and its `Rulebook.recorded`. Raise `RulebookError`."""
    if not recorded:
        return load_rulebook(rulebook_id)
    try:
        profile = msgspec.json.decode(recorded, type=Profile)
    except msgspec.DecodeError as error:
        raise RulebookError(f"rulebook {rulebook_id!r}: {error}") from error
    return own_rulebook(profile)


def _convert(profile: Mapping[str, Any]) -> Rulebook:
    try:
        return msgspec.convert(profile, Rulebook)
    except msgspec.ValidationError as error:
        raise RulebookError(f"rulebook {profile['id']!r}: {error}") from error


def _read(rulebook_id: str) -> dict[str, Any]:
    text = resources.files("table_core").joinpath("rulebooks", f"{rulebook_id}.toml").read_text("utf-8")
    return tomllib.loads(text)


def _over(base: dict[str, Any], profile: dict[str, Any]) -> dict[str, Any]:
    """`profile` where it speaks, `base` where it is silent; sections merge entry by entry."""
    sections = {name: {**base.get(name, {}), **profile.get(name, {})} for name in SECTIONS}
    return {**base, **profile, **sections}
