"""A list of players registered in one command: every line of it, or what is wrong with which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, SavePlayer
from feltwire.station.tournament.commands import ImportPlayers
from feltwire.station.tournament.records import TournamentRecords
from feltwire.station.tournament.words import Names
from table_core.messages import Millis, Refusal
from table_core.tournament.field.registration import Register
from table_core.tournament.night import Recorded
from table_core.tournament.players_text import ListedPlayer, WrongLine, read_players
from table_core.tournament.state import Status


def import_players(
    wanted: ImportPlayers,
    given: Directed,
    now: Millis,
    records: TournamentRecords,
    names: Names,
    director: Director,
) -> Iterator[Effect]:
    """Everybody on the list, in one transaction; nobody where a line is wrong, unless `part` is wanted."""
    if not records.opened:
        yield from director.reply(given, "There is no event yet: open one.", True)
        return
    entrants = records.state.field.entrants
    taken = PlayersImport(
        names,
        [player for player, one in entrants.items() if one.status is not Status.CANCELLED],
        lambda command: records.do(command, now, press=given.id, by=given.by, proven=given.proven),
    )
    listed, wrong = read_players(wanted.text)
    taken.take(listed)
    faults = sorted([*wrong, *taken.wrong])
    why = "".join(f"\n{fault}" for fault in faults)
    there = f" {len(taken.there)} are on the list already." if taken.there else ""
    if wanted.check or (faults and not wanted.part) or not taken.registered:
        records.drop(len(taken.records))
        lines = f"{len(faults)} of {len(listed) + len(wrong)} lines are wrong."
        if wanted.check:
            text = f"{len(taken.registered)} can be registered.{there}{f' {lines}' if faults else ''}{why}"
            yield from director.reply(given, text)
        else:
            text = f"Nobody is registered{f': {lines}' if faults else '.'}{there}{why}"
            yield from director.reply(given, text, bool(faults) or not taken.there)
        return
    for player, name in taken.names.items():
        if names.get(player) != name:
            names[player] = name
            yield SavePlayer(player, name)
    entrants = records.state.field.entrants
    waiting = sum(entrants[player].status is Status.WAITING for player in taken.registered)
    count = len(taken.registered)
    said = f"{count} player{' is' if count == 1 else 's are'} registered"
    said += f", {waiting} of them wait" if waiting else ""
    text = f"{said}.{there}{' Not registered:' if faults else ''}{why}"
    yield records.offer(tuple(taken.records), given, text)


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
