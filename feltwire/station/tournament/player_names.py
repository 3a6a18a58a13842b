"""The register of players' names at the station: a new name gets an id, a name is deleted on request."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from feltwire.station.director import Director
from feltwire.station.director_arguments import arguments_of
from feltwire.station.station_io import Directed, Effect, SavePlayer
from feltwire.station.tournament.commands import AddPlayer, ForgetPlayer
from feltwire.station.tournament.words import Names
from table_core.messages import Refusal


class PlayerNames:
    """`names` by player's id, changed in place."""

    def __init__(self, names: Names, director: Director) -> None:
        self._names = names
        self._director = director

    def add(self, given: Directed, entrants: Collection[str]) -> Iterator[Effect]:
        """A name for the register, without an entry."""
        wanted = arguments_of(given, AddPlayer)
        player = self.new(wanted.name, wanted.id, entrants)
        if isinstance(player, Refusal):
            yield from self._director.reply(given, player.reason, True)
            return
        yield SavePlayer(player, self._names[player])
        yield from self._director.reply(given, f"{self._names[player]} is player {player}.")

    def new(self, name: str, player: str, entrants: Collection[str]) -> str | Refusal:
        """The id of a new name: `player`, or one that neither the register nor `entrants` have."""
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
        self._names[player] = name
        return player

    def forget(self, given: Directed) -> Iterator[Effect]:
        """Delete a name; the records keep the id alone."""
        player = arguments_of(given, ForgetPlayer).player
        if self._names.forget(player) is None:
            yield from self._director.reply(given, f"No name is kept for {player}.", True)
            return
        yield SavePlayer(player, "")
        yield from self._director.reply(given, f"The name of {player} is deleted.")
