"""A station's desk, at which the names of banned players are tried in other spellings; pairs of two people."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from feltwire.lab.station.memory import MemoryStation, of
from feltwire.runtime.node_io import Reply
from feltwire.station.station_io import Directed
from table_core.notices import PenaltyKind
from table_core.people.names import same_person
from table_core.tournament.events import OnFile
from tests.feltwire.station_room import config
from tests.people.lists import LANGUAGES, drawn, sibling
from tests.people.mutations import mutated

BANNED = 60
PRESSES_A_NIGHT = 2_000  # of one station: its answers and its log are not what is tried


class Tried(msgspec.Struct):
    """How often a mutation ended how: by the door's answer, and by what was done to the name."""

    outcomes: dict[str, int] = msgspec.field(default_factory=dict)
    by_kind: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    evaded: list[str] = msgspec.field(default_factory=list)

    def add(self, outcome: str, kinds: tuple[str, ...], case: str) -> None:
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + 1
        for kind in kinds:
            row = self.by_kind.setdefault(kind, {})
            row[outcome] = row.get(outcome, 0) + 1
        if outcome == "evaded":
            self.evaded.append(case)

    def __str__(self) -> str:
        rows = [f"  {kind}: {row}" for kind, row in sorted(self.by_kind.items())]
        return "\n".join([f"{sum(self.outcomes.values())} spellings of banned names: {self.outcomes}", *rows])


class Desk:
    """A station whose event is open, with `BANNED` players of all languages on file."""

    def __init__(self, chance: Random) -> None:
        names = {drawn(chance, language): None for _ in range(8) for language in LANGUAGES}
        self.names = {f"p{no}": name for no, name in enumerate([*names][:BANNED], 1)}
        filed = tuple(OnFile(one, "2026-11-20", PenaltyKind.BANNED, "cheating", "") for one in self.names)
        self.station = MemoryStation(config(("01",)), names=self.names, on_file=filed).up()
        self._presses = 0
        self.press("open", house={"starting_stack": 2_000})

    def press(self, command: str, **arguments: Any) -> Reply:
        self._presses += 1
        (reply,) = of(self.station.give(Directed(f"press-{self._presses}", command, arguments)), Reply)
        return reply

    def tries(self, chance: Random) -> tuple[str, tuple[str, ...], str]:
        """One spelling at one door: the outcome, what was done to the name, the case in words."""
        player = chance.choice([*self.names])
        name, kinds = mutated(chance, self.names[player])
        door = chance.choices(("register_new", "import_players", "register"), (3, 2, 1))[0]
        case = f"{door} {name!r} for {self.names[player]!r} ({', '.join(kinds)})"
        return self._outcome(self._at(door, name), name, player), kinds, case

    def _at(self, door: str, name: str) -> Reply:
        if door == "register_new":
            return self.press(door, name=name, member=True, adult=True)
        if door == "register":
            return self.press(door, player=name, member=True, adult=True)
        quoted = name.replace('"', '""')
        return self.press(door, text=f'name,member,adult\n"{quoted}",yes,yes\n')

    def _outcome(self, reply: Reply, name: str, player: str) -> str:
        if not reply.refused:
            return "evaded"
        if self.names[player] not in reply.text and f"({player})" not in reply.text:
            return "refused as no name"
        return str(same_person(name, self.names[player]))


def try_spellings(count: int, chance: Random, tried: Tried) -> None:
    """`count` spellings; a new station after each night's worth of them."""
    desk = Desk(chance)
    for no in range(1, count + 1):
        outcome, kinds, case = desk.tries(chance)
        tried.add(outcome, kinds, case)
        if no % PRESSES_A_NIGHT == 0 or outcome == "evaded":
            desk = Desk(chance)


class Pairs(msgspec.Struct):
    """Pairs of two people by how their names compare; `shown` are some that are not different."""

    outcomes: dict[str, int] = msgspec.field(default_factory=dict)
    shown: list[str] = msgspec.field(default_factory=list)

    def share(self, outcome: str) -> float:
        return self.outcomes.get(outcome, 0) / max(1, sum(self.outcomes.values()))

    def __str__(self) -> str:
        return f"{sum(self.outcomes.values())} pairs of two people: {self.outcomes}"


def try_pairs(count: int, chance: Random, pairs: Pairs) -> None:
    """Half of the pairs are drawn freely from all languages, half have the family or the given name in common. Two
    people of one name are left out: no name tells them apart."""
    languages = [*LANGUAGES]
    while sum(pairs.outcomes.values()) < count:
        language = chance.choice(languages)
        one = drawn(chance, language)
        near = chance.random() < 0.5
        other = sibling(chance, one, language) if near else drawn(chance, chance.choice(languages))
        if one == other:
            continue
        outcome = str(same_person(one, other))
        pairs.outcomes[outcome] = pairs.outcomes.get(outcome, 0) + 1
        if outcome != "different" and len(pairs.shown) < 40:
            pairs.shown.append(f"{outcome}: {one} | {other}")
