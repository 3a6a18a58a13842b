"""The people on file by their names: who may be meant by a name that somebody states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from table_core.people.names import Likeness, NameKeys, compare, keys_of


class Candidate(NamedTuple):
    """Somebody on file whose name is not different."""

    player: str
    likeness: Likeness


class ByName:
    """Players' ids by what their names are compared by.

    >>> people = ByName({"p1": "Ann Lee", "p2": "Bo Ek"})
    >>> people.alike("lee ann")
    (Candidate(player='p1', likeness=<Likeness.PERHAPS: 'perhaps'>),)
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._keys: dict[str, NameKeys] = {}
        self._shared: dict[str, dict[str, None]] = {}  # ids, the oldest first
        for player, name in names.items():
            self.add(player, name)

    def add(self, player: str, name: str) -> None:
        """`player` has this name from now on."""
        self.remove(player)
        self._keys[player] = keys = keys_of(name)
        for one in keys.shared():
            self._shared.setdefault(one, {})[player] = None

    def remove(self, player: str) -> None:
        """Nobody is found as `player` any more."""
        if player not in self._keys:
            return
        for one in self._keys.pop(player).shared():
            del self._shared[one][player]

    def alike(self, name: str) -> tuple[Candidate, ...]:
        """Who may be meant, with equal names first."""
        keys = keys_of(name)
        near = dict.fromkeys(player for one in keys.shared() for player in self._shared.get(one, ()))
        found = [Candidate(player, compare(keys, self._keys[player])) for player in near]
        alike = [one for one in found if one.likeness is not Likeness.DIFFERENT]
        return tuple(sorted(alike, key=lambda one: one.likeness is not Likeness.EQUAL))

    def equal(self) -> Iterator[tuple[str, ...]]:
        """The players who have one name, name by name."""
        by_name: dict[tuple[str, str], list[str]] = {}
        for player, keys in self._keys.items():
            by_name.setdefault(keys.one_name, []).append(player)
        return (tuple(players) for players in by_name.values() if len(players) > 1)
