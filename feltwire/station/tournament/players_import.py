"""A list of players registered in one command: every line of it, or what is wrong with which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from table_core.messages import Refusal
from table_core.tournament.field.registration import Register
from table_core.tournament.night import Recorded
from table_core.tournament.players_text import ListedPlayer, WrongLine


class PlayersImport:
    """`names` are the station's, `entrants` the ids of who is on the event's list; `register` decides one
    registration."""

    def __init__(
        self,
        names: Mapping[str, str],
        entrants: Iterable[str],
        register: Callable[[Register], tuple[Recorded, ...] | Refusal],
    ) -> None:
        self.records: list[Recorded] = []
        self.names: dict[str, str] = {}  # of this import, by id
        self.registered: list[str] = []
        self.wrong: list[WrongLine] = []
        self.there: list[str] = []  # who was on the list of the event before
        self._entrants = {*entrants}
        self._known = dict(names)
        self._taken = {*names, *self._entrants}
        self._by_name: dict[str, list[str]] = {}
        for player, name in names.items():
            self._by_name.setdefault(name.casefold(), []).append(player)
        self._register = register
        self._next = 1

    def take(self, listed: Iterable[ListedPlayer]) -> None:
        for one in listed:
            player = self._id(one)
            if isinstance(player, WrongLine):
                self.wrong.append(player)
                continue
            if player in self._entrants:
                self.there.append(player)
                continue
            decided = self._register(
                Register(player, one.member, one.adult, one.regular, online=one.online, signed_up=one.signed_up)
            )
            if isinstance(decided, Refusal):
                rule = f" ({decided.rule})" if decided.rule else ""
                self.wrong.append(WrongLine(one.line, f"{one.name}: {decided.reason}{rule}"))
                continue
            self.records += decided
            self.registered.append(player)
            self._taken.add(player)
            self.names[player] = one.name

    def _id(self, one: ListedPlayer) -> str | WrongLine:
        """The player's id: that of the list, that of the register by the name, or a new one."""
        if one.id:
            known = self._known.get(one.id, one.name)
            if known.casefold() != one.name.casefold():
                return WrongLine(one.line, f"{one.id} is {known} in the register, not {one.name}")
            return one.id
        alike = self._by_name.get(one.name.casefold(), [])
        if len(alike) > 1:
            return WrongLine(one.line, f"the register has {one.name} as {' and '.join(alike)}: write which as id")
        if alike:
            return alike[0]
        while f"p{self._next}" in self._taken:
            self._next += 1
        return f"p{self._next}"
