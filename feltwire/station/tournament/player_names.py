"""The register of players' names at the station: a new name gets an id, a name is deleted on request."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import msgspec

from feltwire.station.director.arguments import arguments_of
from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, SavePlayer
from feltwire.station.tournament.commands import AddPlayer, ForgetPlayer, GiveEntryHere, RegisterNew
from feltwire.station.tournament.records import TournamentRecords
from feltwire.station.tournament.words import Names
from table_core.messages import Refusal
from table_core.tournament.field.registration import Register


class PlayerNames:
    """`names` by player's id, changed in place."""

    def __init__(self, names: Names, records: TournamentRecords, director: Director) -> None:
        self._names = names
        self._records = records
        self._director = director

    def add(self, given: Directed) -> Iterator[Effect]:
        """A name for the register, without an entry."""
        wanted = arguments_of(given, AddPlayer)
        player = self._new(wanted.name, wanted.id)
        if isinstance(player, Refusal):
            yield from self._director.reply(given, player.reason, True)
            return
        yield SavePlayer(player, self._names[player])
        yield from self._director.reply(given, f"{self._names[player]} is player {player}.")

    def registered(self, given: Directed) -> Generator[Effect, None, Register | None]:
        """The command for the press `register_new`; None where the new name was refused."""
        wanted = arguments_of(given, RegisterNew)
        player = self._new(wanted.name, wanted.id)
        if isinstance(player, Refusal):
            yield from self._director.reply(given, player.reason, True)
            return None
        yield SavePlayer(player, self._names[player])
        return Register(
            player,
            wanted.member,
            wanted.adult,
            wanted.regular,
            wanted.anyway,
            wanted.online,
            applied=wanted.applied,
            locked_out_before=wanted.locked_out_before,
        )

    def with_other(self, given: Directed) -> Generator[Effect, None, Directed | None]:
        """The press `give_entry` with the id of whom the entry is given to; None where a new name was refused."""
        wanted = arguments_of(given, GiveEntryHere)
        other = wanted.other or self._new(wanted.name, "", keep=given.proven != "")  # it is asked again with a PIN
        if isinstance(other, Refusal):
            yield from self._director.reply(given, other.reason, True, about="name")
            return None
        if other in self._names and not wanted.other:
            yield SavePlayer(other, self._names[other])
        said = {"player": wanted.player, "other": other, "why": wanted.why, "anyway": wanted.anyway}
        return msgspec.structs.replace(given, arguments=said)

    def _new(self, name: str, player: str, *, keep: bool = True) -> str | Refusal:
        """The id of a new name: `player`, or one that neither the register nor the event's list have."""
        entrants = self._records.state.field.entrants
        name, player = name.strip(), player.strip()
        if not name:
            return Refusal(reason="Give a name.", rule="")
        if not player:
            taken = {*self._names, *entrants}
            player = next(f"p{no}" for no in range(1, len(taken) + 2) if f"p{no}" not in taken)
        elif self._names.get(player) == name and player not in entrants:
            return player  # a press that a kill cut in two is pressed again
        elif player in self._names:
            return Refusal(reason=f"{player} is {self._names[player]}: choose another id.", rule="")
        if keep:
            self._names[player] = name
            self._records.version += 1
        return player

    def forget(self, given: Directed) -> Iterator[Effect]:
        """Delete a name; the records keep the id alone."""
        player = arguments_of(given, ForgetPlayer).player
        if self._names.forget(player) is None:
            yield from self._director.reply(given, f"No name is kept for {player}.", True)
            return
        self._records.version += 1
        yield SavePlayer(player, "")
        yield from self._director.reply(given, f"The name of {player} is deleted.")
