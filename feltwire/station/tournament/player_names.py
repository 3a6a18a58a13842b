"""The register of players at the station: who a name is, a new name, a name that is deleted on request.

Who may be on file already is never given a new id unasked: the press is refused with those whose name is equal or
perhaps equal, and with what may be pressed instead (decision 68).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import msgspec

from feltwire.runtime.node_io import Choice
from feltwire.station.director.arguments import arguments_of
from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, KeepApart, SavePlayer
from feltwire.station.tournament.commands import (
    AddPlayer,
    CorrectName,
    ForgetPlayer,
    GiveEntryHere,
    RegisterHere,
    RegisterNew,
    ShowAs,
    TellApart,
)
from feltwire.station.tournament.names import Names, is_equal
from feltwire.station.tournament.penalty_file import to_file
from feltwire.station.tournament.records import TournamentRecords
from table_core.messages import Refusal
from table_core.notices import PenaltyKind
from table_core.people.names import clean_name, in_small, is_birthday, same_person
from table_core.people.register import Candidate
from table_core.people.shown import Shows
from table_core.tournament.events import EntryGiven, OnFile, Registered
from table_core.tournament.field.registration import Register
from table_core.tournament.penalties import may_not_play
from table_core.tournament.state import Status

MOST_NAMED = 4  # of those who may be meant
_LASTS = (PenaltyKind.BANNED, PenaltyKind.MEMBERSHIP_REVOKED, PenaltyKind.SUSPENDED)


class Asked(Refusal, frozen=True):
    """Who may be meant, and what may be pressed instead."""

    choices: tuple[Choice, ...] = ()


def _no_day(born: str) -> Refusal | None:
    """Why a birthday is none; empty is not stated."""
    return None if is_birthday(born) else Refusal(reason="Write the birthday as 1991-03-02.", rule="")


def _no_choice(shown: str) -> Refusal | None:
    """Why nobody is shown so to the public; empty is as the club has it."""
    known = not shown or shown in {*Shows}
    return None if known else Refusal(reason="A player is shown by name, initials or number.", rule="")


class PlayerNames:
    """`names` by player's id, changed in place; `in_season()` are the ids of the league's results, `on_file` the
    penalties of earlier events."""

    def __init__(
        self,
        names: Names,
        records: TournamentRecords,
        director: Director,
        *,
        in_season: Callable[[], Iterator[str]],
        on_file: Sequence[OnFile],
    ) -> None:
        self._names = names
        self._records = records
        self._director = director
        self._in_season = in_season
        self.on_file = tuple(on_file)

    # ------------------------------------------------------------------------------------- presses

    def add(self, given: Directed) -> Iterator[Effect]:
        """A name for the register, without an entry."""
        wanted = arguments_of(given, AddPlayer)
        player = (
            _no_day(wanted.born)
            or _no_choice(wanted.shown)
            or self._new(given, wanted.name, wanted.id, wanted.another)
        )
        if isinstance(player, Refusal):
            yield from self._refuse(given, player)
            return
        self._know(player, wanted.born, wanted.shown)
        yield from self._saved(player, wanted.another)
        yield from self._director.reply(given, f"{self._names[player]} is player {player}.")

    def registered(self, given: Directed) -> Generator[Effect, None, Register | None]:
        """The command for the press `register_new`; None where the new name was refused."""
        wanted = arguments_of(given, RegisterNew)
        player = (
            _no_day(wanted.born)
            or _no_choice(wanted.shown)
            or self._new(given, wanted.name, wanted.id, wanted.another, other="register")
        )
        if isinstance(player, Refusal):
            yield from self._refuse(given, player)
            return None
        self._know(player, wanted.born, wanted.shown)
        yield from self._saved(player, wanted.another)
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

    def known(self, given: Directed) -> Generator[Effect, None, bool]:
        """Whether the press `register` names somebody who may be registered under this id."""
        wanted = arguments_of(given, RegisterHere)
        refused = _no_day(wanted.born) or _no_choice(wanted.shown) or self._of_id(given, wanted)
        if refused is not None:
            yield from self._refuse(given, refused)
            return False
        if wanted.player in self._names and self._know(wanted.player, wanted.born, wanted.shown):
            yield from self._saved(wanted.player, ())
        yield from self.keep_apart(wanted.player, wanted.another)
        return True

    def with_other(self, given: Directed) -> Generator[Effect, None, Directed | None]:
        """The press `give_entry` with the id of whom the entry is given to; None where that was refused."""
        wanted = arguments_of(given, GiveEntryHere)
        other: str | Refusal = wanted.other
        if wanted.other:
            there = self._retired(wanted.other)
            other = there if there is not None else wanted.other
        else:
            keep = given.proven != ""  # it is asked again with a PIN
            other = self._new(given, wanted.name, "", wanted.another, keep=keep, other="give_entry")
        if isinstance(other, Refusal):
            yield from self._refuse(given, other)
            return None
        if other in self._names and not wanted.other:
            yield from self._saved(other, wanted.another)
        said = {"player": wanted.player, "other": other, "why": wanted.why, "anyway": wanted.anyway}
        return msgspec.structs.replace(given, arguments=said)

    def tell_apart(self, given: Directed) -> Iterator[Effect]:
        """Two entries on file with one name are two people."""
        wanted = arguments_of(given, TellApart)
        strange = [one for one in (wanted.one, wanted.other) if one not in self._names]
        if strange or wanted.one == wanted.other:
            text = f"No name is kept for {strange[0]}." if strange else "Name two players."
            yield from self._director.reply(given, text, True)
            return
        yield from self.keep_apart(wanted.one, (wanted.other,))
        names = " and ".join(self.on_list(one) for one in (wanted.one, wanted.other))
        yield from self._director.reply(given, f"{names} are two people.")

    def correct(self, given: Directed) -> Iterator[Effect]:
        """Another spelling for a name on file. Where that is another name and a ban follows it, it is asked."""
        wanted = arguments_of(given, CorrectName)
        player, name = wanted.player, clean_name(wanted.name)
        if player not in self._names:
            yield from self._director.reply(given, f"No name is kept for {player}.", True)
            return
        if isinstance(name, Refusal):
            yield from self._refuse(given, name)
            return
        refused = _no_day(wanted.born) or self._not_called(given, wanted, name)
        if refused is not None:
            yield from self._refuse(given, refused)
            return
        was = self._names[player]
        self._names[player] = name
        if wanted.born:
            self._names.born[player] = wanted.born
        self._records.version += 1
        yield from self._saved(player, wanted.another)
        yield from self._director.reply(given, f"{was} ({player}) is {name}.")

    def show_as(self, given: Directed) -> Iterator[Effect]:
        """What the public reads of a player from now on."""
        wanted = arguments_of(given, ShowAs)
        player = wanted.player
        if player not in self._names:
            yield from self._director.reply(given, f"No name is kept for {player}.", True)
            return
        if (refused := _no_choice(wanted.shown)) is not None:
            yield from self._refuse(given, refused)
            return
        self._names.shown.pop(player, None)
        self._know(player, "", wanted.shown)
        self._records.version += 1
        yield from self._saved(player, ())
        shows = self._names.shown.get(player, self._names.default)
        as_club = "" if wanted.shown else ", as the club has it"
        yield from self._director.reply(given, f"The public reads {self._names[player]} by {shows}{as_club}.")

    def forget(self, given: Directed) -> Iterator[Effect]:
        """Delete a name; the records keep the id alone, which nobody gets again."""
        wanted = arguments_of(given, ForgetPlayer)
        player = wanted.player
        if player not in self._names:
            yield from self._director.reply(given, f"No name is kept for {player}.", True)
            return
        out = self._kept_out(player)
        if out and not wanted.end_ban:
            text = (
                f"{self._names[player]} ({player}) is {out}. Without the name nobody is kept out by that: it ends "
                "with the name. Keep the name for as long as it lasts, or end both."
            )
            end = Choice("Delete the name, and end that", given.command, given.arguments | {"end_ban": True})
            yield from self._refuse(given, Asked(text, "", choices=(end,)), about="end_ban")
            return
        left = self._names.alike(self._names[player], but=(player, *self._names.told_apart(player)))
        self._names.forget(player)
        self.on_file = tuple(one for one in self.on_file if one.player != player)
        self._records.version += 1
        yield SavePlayer(player, "")
        ended = f" {player} is no longer {out}; who comes under that name is a newcomer." if out else ""
        also = (
            f" Still on file: {', '.join(self._called(one.player) for one in left[:MOST_NAMED])}." if left else ""
        )
        text = f"The name of {player} is deleted; the records keep {player}, which nobody else gets.{ended}{also}"
        yield from self._director.reply(given, text)

    # ------------------------------------------------------------------------------------- who is it

    def _not_called(self, given: Directed, wanted: CorrectName, name: str) -> Refusal | None:
        """Why the player is not called `name` from now on."""
        player = wanted.player
        out, was = self._kept_out(player), self._names[player]
        if out and not wanted.with_ban and same_person(was, name) == "different":
            text = (
                f"{was} ({player}) is {out}. From then on that keeps out {name}, and nobody who is called {was}."
            )
            choice = Choice(f"It is {name}", given.command, given.arguments | {"with_ban": True})
            return Asked(text, "", choices=(choice,))
        asked = self.who(name, (player, *self._names.told_apart(player), *wanted.another))
        return self._ask(given, asked, wanted.another, "") if asked else None

    def _new(
        self,
        given: Directed,
        name: str,
        player: str,
        another: Sequence[str],
        *,
        keep: bool = True,
        other: str = "",
    ) -> str | Refusal:
        """The id of a new name: `player`, or the next one; or why there is none. `other`: the command for somebody
        who is on file."""
        cleaned, player = clean_name(name), player.strip()
        if isinstance(cleaned, Refusal):
            return cleaned
        entrants = self._records.state.field.entrants
        if player in self._names:
            if self._names[player] == cleaned and player not in entrants:
                return player  # a press that a kill cut in two is pressed again
            return Refusal(reason=f"{player} is {self._names[player]}: choose another id.", rule="")
        if player and (refused := self.not_an_id(player)) is not None:
            return refused
        asked = self.who(cleaned, but=(player, *another))
        if asked:
            return self._ask(given, asked, another, other)
        player = player or self._names.next_id(self.given())
        if keep:
            self._names[player] = cleaned
            self._records.version += 1
        return player

    def _of_id(self, given: Directed, wanted: RegisterHere) -> Refusal | None:
        """Why this id is not registered as it stands: it is nobody's any more, or somebody who may not play has a
        name that is perhaps the same."""
        player = wanted.player
        if (there := self._retired(player)) is not None:
            return there
        if player not in self._names and player not in self._records.state.field.entrants:
            if (refused := self.not_an_id(player)) is not None:
                return refused
            asked = self.who(player, but=(player, *wanted.another))
            return self._ask(given, asked, wanted.another, "register") if asked else None
        out = self.kept_out(player, but=wanted.another)
        return self._ask(given, out, wanted.another, "") if out else None

    def kept_out(self, player: str, but: Sequence[str] = ()) -> tuple[Candidate, ...]:
        """Who may not play, has a name that is not different from that of `player`, and is not said to be somebody
        else."""
        name = self._names.get(player, player)
        alike = self.who(name, (player, *but, *self._names.told_apart(player)))
        return tuple(one for one in alike if self._out(one.player) is not None)

    def who(self, name: str, but: Sequence[str] = ()) -> tuple[Candidate, ...]:
        """Who on file may be meant, also of those whose id is all that is known of them."""
        state = self._records.state
        ids = {*state.field.entrants, *state.field.barred, *(one.player for one in self.on_file)}
        bare = ids - self._names.keys() - self._names.retired - {*but}
        found = (Candidate(one, same_person(name, one)) for one in sorted(bare))
        return (*self._names.alike(name, but), *(one for one in found if one.likeness != "different"))

    def given(self) -> set[str]:
        """Every id that anything here still names, beside those of the register."""
        found = {*self._in_season(), *(one.player for one in self.on_file)}
        for record in self._records.night.records:
            if isinstance(record.event, Registered):
                found.add(record.event.player)
            elif isinstance(record.event, EntryGiven):
                found.add(record.event.other)
        return found

    def not_an_id(self, player: str) -> Refusal | None:
        """Why nobody gets this id."""
        if (there := self._retired(player)) is not None:
            return there
        cleaned = clean_name(player)
        if isinstance(cleaned, Refusal):
            return Refusal(reason=f"The id: {cleaned.reason}", rule="")
        if cleaned != player:
            reason = "The id has spaces too many, or characters that do not show: write it as it is read."
            return Refusal(reason=reason, rule="")
        taken = (*self._names, *self._names.retired, *self._records.state.field.entrants)
        if any(one != player and in_small(one) == in_small(player) for one in taken):
            return Refusal(reason="That id is taken, in other letters or digits: choose another one.", rule="")
        return None

    def _retired(self, player: str) -> Refusal | None:
        if player not in self._names.retired:
            return None
        return Refusal(reason=f"{player} was somebody whose name is deleted: nobody gets that id again.", rule="")

    # ------------------------------------------------------------------------------------- the question

    def _ask(self, given: Directed, who: Sequence[Candidate], another: Sequence[str], other: str) -> Asked:
        """The question who it is. `other`: the command for somebody on file, where that is a way."""
        entrants = self._records.state.field.entrants
        said, more = [self.on_list(one.player) for one in who[:MOST_NAMED]], len(who) - MOST_NAMED
        equal = any(map(is_equal, who))
        outs = [out for one in who if is_equal(one) and (out := self._out(one.player)) is not None]
        lead = "On file with this name" if equal else "On file with a name that is perhaps the same"
        # The audit keeps the first line: no birthday stands in it.
        text = "\n".join([f"{lead}. Is it another person?", *said, *([f"and {more} more"] if more > 0 else [])])
        choices = []
        for one in who[:MOST_NAMED] if other else ():
            entrant = entrants.get(one.player)
            if entrant is None or entrant.status is Status.CANCELLED:
                words = f"It is {self._called(one.player)}"
                choices.append(Choice(words, other, self._instead(given, other, one.player)))
        apart = {"another": [*another, *(one.player for one in who)]}
        choices.append(Choice("Another person", given.command, given.arguments | apart))
        return Asked(text, outs[0].rule if outs else "", choices=tuple(choices))

    def _instead(self, given: Directed, command: str, player: str) -> dict[str, Any]:
        """The arguments of `command` for somebody on file."""
        kept = {name: value for name, value in given.arguments.items() if name not in ("name", "id", "another")}
        return kept | {"other" if command == "give_entry" else "player": player}

    def on_list(self, player: str) -> str:
        """`Ann Lee (p3), member, playing, table 01 seat 4`."""
        state = self._records.state
        entrant, at = state.field.entrants.get(player), state.seats.at.get(player)
        told = [self._called(player)]
        if born := self._names.born.get(player):
            told.append(f"born {born}")
        if entrant is not None:
            told += ["member"] if entrant.member else []
            told.append(entrant.status.value.replace("_", " "))
        told += [str(at)] if at is not None else []
        if (out := self._out(player)) is not None:
            told.append(out.reason.partition(": ")[2].rstrip("."))
        elif out_later := self._kept_out(player):
            told.append(out_later)
        return ", ".join(told)

    def _called(self, player: str) -> str:
        return f"{self._names[player]} ({player})" if player in self._names else player

    def _out(self, player: str) -> Refusal | None:
        return may_not_play(self._records.state, player) if self._records.opened else None

    def _kept_out(self, player: str) -> str:
        """`banned on 2026-11-20: cheating`: what keeps the player out of later events; empty: nothing does."""
        tonight = to_file(self._records.state) if self._records.opened else ()
        lasting = (
            one
            for one in (*self.on_file, *tonight)
            if one.player == player and one.kind in _LASTS and not one.served
        )
        return "; ".join(f"{one.kind.replace('_', ' ')} on {one.day}: {one.reason}" for one in lasting)

    # ------------------------------------------------------------------------------------- effects

    def _refuse(self, given: Directed, refused: Refusal, about: str = "") -> Iterator[Effect]:
        choices = refused.choices if isinstance(refused, Asked) else ()
        about = about or ("another" if choices else "")
        text = refused.reason
        yield from self._director.reply(given, text, True, rule=refused.rule, about=about, choices=choices)

    def _saved(self, player: str, another: Sequence[str]) -> Iterator[Effect]:
        yield self._names.to_save(player)
        yield from self.keep_apart(player, another)

    def _know(self, player: str, born: str, shown: str) -> bool:
        """Whether any of that is news. A birthday on file stays; the last choice of how to be shown holds."""
        day = bool(born) and player not in self._names.born
        if day:
            self._names.born[player] = born
        choice = bool(shown) and self._names.shown.get(player) != shown
        if choice:
            self._names.shown[player] = Shows(shown)
        return day or choice

    def keep_apart(self, player: str, others: Sequence[str]) -> Iterator[Effect]:
        """`player` is another person than these."""
        for other in others:
            if other in self._names and player in self._names and other != player:
                self._names.apart.add(frozenset((player, other)))
                self._records.version += 1
                yield KeepApart(player, other)
