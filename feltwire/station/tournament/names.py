"""The register of players at the station: names by id, which are one name, which ids are never given again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from feltwire.station.station_io import SavePlayer
from table_core.people.names import Likeness, keys_of
from table_core.people.register import ByName, Candidate
from table_core.people.shown import Shows, shown_names

_NUMBERED = re.compile(r"p([1-9]\d{0,8})")


class Names(dict[str, str]):
    """Names by players' ids. `kept` are those on the disk; an id without a name is one that was forgotten. `apart`
    are pairs of ids of which a person has said that they are two people, `born` birthdays where the club keeps
    them, `shown` how players chose to be shown to the public; others are shown as `default` has it."""

    def __init__(
        self,
        kept: Mapping[str, str],
        apart: Iterable[tuple[str, str]] = (),
        born: Mapping[str, str] | None = None,
        shown: Mapping[str, str] | None = None,
        default: Shows = Shows.INITIALS,
    ) -> None:
        super().__init__({player: name for player, name in kept.items() if name})
        self.retired = {player for player, name in kept.items() if not name}
        self.apart = {frozenset(pair) for pair in apart}
        self.born = {player: day for player, day in (born or {}).items() if day}
        self.shown = {player: Shows(choice) for player, choice in (shown or {}).items() if choice in set(Shows)}
        self.default = default
        self._have = Counter(keys_of(name).one_name for name in self.values())

    @cached_property
    def _by_name(self) -> ByName:
        return ByName(self)

    def __setitem__(self, player: str, name: str) -> None:
        self._leave_out(player)
        super().__setitem__(player, name)
        self._have[keys_of(name).one_name] += 1
        self._by_name.add(player, name)

    def forget(self, player: str) -> str | None:
        """Take out the name of `player`, whose id nobody gets again; what it was."""
        name = self._leave_out(player)
        if name is not None:
            self.retired.add(player)
            self.born.pop(player, None)
            self.shown.pop(player, None)
        return name

    def _leave_out(self, player: str) -> str | None:
        name = super().pop(player, None)
        if name is not None:
            self._have[keys_of(name).one_name] -= 1
            self._by_name.remove(player)
        return name

    def to_save(self, player: str) -> SavePlayer:
        """What the disk is to keep of the player."""
        return SavePlayer(player, self[player], self.born.get(player, ""), self.shown.get(player, ""))

    def several(self, player: str) -> bool:
        """Whether another player has the same name."""
        return self._have[keys_of(self[player]).one_name] > 1

    def in_public(self, players: Iterable[str]) -> dict[str, str]:
        """What the public reads of each of these players, on one list in this order: no two alike. An id without
        a name is shown as it is: tables have nothing else."""
        listed = ((one, self.get(one, one), self.shown.get(one, self.default)) for one in players)
        return shown_names((one, name, Shows.NAME if one not in self else shows) for one, name, shows in listed)

    def alike(self, name: str, but: Iterable[str] = ()) -> tuple[Candidate, ...]:
        """Who may be meant by a name, but for those of whom that is known."""
        but = {*but}
        return tuple(one for one in self._by_name.alike(name) if one.player not in but)

    def told_apart(self, player: str) -> Iterator[str]:
        """Who is said to be another person than `player`."""
        return (one for pair in self.apart if player in pair for one in pair if one != player)

    def same_names(self) -> Iterator[tuple[str, str]]:
        """Pairs of players with one name of whom nobody has said that they are two people."""
        for players in self._by_name.equal():
            for at, one in enumerate(players):
                for other in players[at + 1 :]:
                    if frozenset((one, other)) not in self.apart:
                        yield one, other

    def next_id(self, also: Iterable[str]) -> str:
        """`p…`, with a number above all that were ever given: here, and to `also`."""
        given = {*self, *self.retired, *also}
        number = max((int(found[1]) for one in given if (found := _NUMBERED.fullmatch(one))), default=0) + 1
        while f"p{number}" in given:
            number += 1
        return f"p{number}"


def is_equal(one: Candidate) -> bool:
    return one.likeness is Likeness.EQUAL
