"""A list of players registered in one command: every line of it, or what is wrong with which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect
from feltwire.station.tournament.commands import ImportPlayers, RegisterRegulars
from feltwire.station.tournament.kept import Kept, Regular
from feltwire.station.tournament.names import Names, is_equal
from feltwire.station.tournament.player_names import MOST_NAMED, PlayerNames
from feltwire.station.tournament.records import TournamentRecords
from table_core.messages import Millis, Refusal
from table_core.people.names import Likeness, same_person
from table_core.people.register import Candidate
from table_core.people.shown import Shows
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
    register: PlayerNames,
    director: Director,
) -> Iterator[Effect]:
    """Everybody on the list, in one transaction; nobody where a line is wrong, unless `part` is wanted."""
    if not records.opened:
        yield from director.reply(given, "There is no event yet: open one.", True)
        return
    entrants = records.state.field.entrants
    taken = PlayersImport(
        names,
        register,
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
    for player in dict.fromkeys((*taken.names, *taken.shown)):
        names[player] = taken.names.get(player) or names[player]
        if player in taken.born:
            names.born[player] = taken.born[player]
        if player in taken.shown:
            names.shown[player] = Shows(taken.shown[player])
        yield names.to_save(player)
    for player, others in taken.apart.items():
        yield from register.keep_apart(player, others)
    entrants = records.state.field.entrants
    waiting = sum(entrants[player].status is Status.WAITING for player in taken.registered)
    count = len(taken.registered)
    said = f"{count} player{' is' if count == 1 else 's are'} registered"
    said += f", {waiting} of them wait" if waiting else ""
    text = f"{said}.{there}{' Not registered:' if faults else ''}{why}"
    yield records.offer(tuple(taken.records), given, text)


def register_regulars(
    wanted: RegisterRegulars,
    given: Directed,
    now: Millis,
    records: TournamentRecords,
    kept: Kept,
    names: Names,
    register: PlayerNames,
    director: Director,
) -> Iterator[Effect]:
    """Everybody named who is known from an earlier event, in one command; it is said who may not play."""
    if not records.opened:
        yield from director.reply(given, "There is no event yet: open one.", True)
        return
    entrants = records.state.field.entrants
    there = {player for player, one in entrants.items() if one.status is not Status.CANCELLED}
    known = {one.player: one for event in reversed(kept.played) for one in event.players}
    done: list[Recorded] = []
    count, left_out = 0, []
    for player in dict.fromkeys(wanted.players):
        if player in there or player not in names:
            continue
        was = known.get(player, Regular(player))
        kept_out = register.kept_out(player)
        decided = (
            Refusal(reason=f"{names[player]} may not play", rule="")
            if kept_out
            else records.do(
                Register(player, was.member, was.adult), now, press=given.id, by=given.by, proven=given.proven
            )
        )
        if isinstance(decided, Refusal):
            rule = f" ({decided.rule})" if decided.rule else ""
            left_out.append(f"{names[player]}: {decided.reason.rstrip('.')}{rule}")
        else:
            done += decided
            count += 1
    why = f" Not registered: {'; '.join(left_out)}." if left_out else ""
    if not done:
        text = f"Nobody is registered.{why}" if why else "They are on the list already."
        yield from director.reply(given, text, bool(why))
        return
    yield records.offer(tuple(done), given, f"{count} player{' is' if count == 1 else 's are'} registered.{why}")


class PlayersImport:
    """`names` are the station's, `people` says who is meant by one, `entrants` are the ids on the event's list;
    `register` decides one registration."""

    def __init__(
        self,
        names: Names,
        people: PlayerNames,
        entrants: Iterable[str],
        register: Callable[[Register], tuple[Recorded, ...] | Refusal],
    ) -> None:
        self.records: list[Recorded] = []
        self.names: dict[str, str] = {}  # of this import, by id
        self.apart: dict[str, tuple[str, ...]] = {}  # who is another person than whom on file
        self.born: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.registered: list[str] = []
        self.wrong: list[WrongLine] = []
        self.there: list[str] = []  # who was on the list of the event before
        self._entrants = {*entrants}
        self._names = names
        self._people = people
        self._given = people.given()
        self._register = register

    def take(self, listed: Iterable[ListedPlayer]) -> None:
        listed = tuple(listed)
        self._given |= {one.id for one in listed if one.id}
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
            self._given.add(player)
            if player not in self._names:
                self.names[player] = one.name
                if one.born:
                    self.born[player] = one.born
                if one.shown:
                    self.shown[player] = one.shown
                self.apart[player] = tuple(who.player for who in self._names.alike(one.name))

    def _id(self, one: ListedPlayer) -> str | WrongLine:
        """The player's id: that of the list, that of the register by the name, or a new one."""
        known = self._names.get(one.id)
        if known is not None:
            if same_person(known, one.name) is Likeness.DIFFERENT:
                return WrongLine(one.line, f"{one.id} is {known} in the register, not {one.name}")
            return self._asked(one, self._people.kept_out(one.id), one.id)
        if one.id and (refused := self._people.not_an_id(one.id)) is not None:
            return WrongLine(one.line, refused.reason)
        alike = self._people.who(one.name, but=(one.id,))
        equal = [who.player for who in alike if is_equal(who)]
        equal = [player for player in equal if self._names.get(player) == one.name] or equal
        if not one.another and not one.id:
            if len(equal) > 1:
                which = " and ".join(equal)
                return WrongLine(one.line, f"the register has {one.name} as {which}: write which as id")
            if equal:
                return self._asked(one, self._people.kept_out(equal[0]), equal[0])
        return self._asked(one, alike, one.id or self._names.next_id(self._given))

    def _asked(self, one: ListedPlayer, alike: Sequence[Candidate], player: str) -> str | WrongLine:
        """`player`, where nobody else may be meant, or the desk has asked."""
        if not alike or one.another:
            return player
        how = "is" if any(map(is_equal, alike)) else "is perhaps"
        who = "; ".join(self._people.on_list(other.player) for other in alike[:MOST_NAMED])
        way = "write the id, or `another` yes for another person"
        return WrongLine(one.line, f"{one.name} {how} {who}: {way}")
