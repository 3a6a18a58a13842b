"""What the station keeps from one event to the next: templates, the club's chips, who played which event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from feltwire.station.director.arguments import arguments_of
from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, KeepEvents
from feltwire.station.tournament.kept import Bagged, Kept, Played, Regular, Template
from table_core.messages import Few, Frozen, Malformed, Name, Said
from table_core.setting_forms import typed_of
from table_core.tournament.chips.handout import OwnChips
from table_core.tournament.events import Flight, Instant
from table_core.tournament.flights import after_flights, flight
from table_core.tournament.state import State

MOST_PLAYED = 60  # events that are remembered
MOST_PLAYERS = 20_000  # of all these events together
MOST_TEMPLATES = 100
MOST_FLIGHTS = 20  # that wait for their final day
SHOWN_PLAYED = 20


class SaveTemplate(Frozen, frozen=True):
    """Keep what an event is opened with, under a name. Another template of that name is replaced."""

    name: Name
    event: Said = ""
    rulebook: Name = ""
    house: dict[str, Any] = msgspec.field(default_factory=dict)
    players: int = 0
    hours: float = 0


class RenameTemplate(Frozen, frozen=True):
    name: Name
    to: Name


class DeleteTemplate(Frozen, frozen=True):
    name: Name


class KeepChips(Frozen, frozen=True):
    """The chips that the club owns, by colour."""

    chips: Few[OwnChips]


KEPT_COMMANDS: Mapping[str, type] = {
    "save_template": SaveTemplate,
    "rename_template": RenameTemplate,
    "delete_template": DeleteTemplate,
    "keep_chips": KeepChips,
}


class KeptEvents:
    """The commands for it. `kept` is what the disk has; `changed()` is called where pages are to follow."""

    def __init__(
        self, kept: Kept, names: Mapping[str, str], director: Director, changed: Callable[[], None]
    ) -> None:
        self.kept = kept
        self._names = names
        self._director = director
        self._changed = changed

    def take(self, given: Directed) -> Iterator[Effect]:
        """A press of one of `KEPT_COMMANDS`."""
        wanted: Any = arguments_of(given, KEPT_COMMANDS[given.command])
        match wanted:
            case SaveTemplate():
                yield from self._save(given, wanted)
            case RenameTemplate(name, to):
                yield from self._rename(given, name, to.strip())
            case DeleteTemplate(name):
                left = tuple(one for one in self.kept.templates if one.name != name)
                if len(left) == len(self.kept.templates):
                    yield from self._director.reply(given, f"There is no template {name}.", True, about="name")
                    return
                yield self._keep(templates=left)
                yield from self._director.reply(given, f"The template {name} is deleted.")
            case KeepChips(chips):
                yield self._keep(chips=chips)
                worth = sum(one.value * one.count for one in chips)
                pieces = sum(one.count for one in chips)
                yield from self._director.reply(given, f"{pieces:,} chips are kept, worth {worth:,}.")

    def _save(self, given: Directed, wanted: SaveTemplate) -> Iterator[Effect]:
        name = wanted.name.strip()
        others = tuple(one for one in self.kept.templates if one.name != name)
        if not name:
            yield from self._director.reply(given, "The template wants a name.", True, about="name")
            return
        if len(others) >= MOST_TEMPLATES:
            text = f"{MOST_TEMPLATES} templates are kept: delete one first."
            yield from self._director.reply(given, text, True, about="name")
            return
        new = Template(name, wanted.event, wanted.rulebook, wanted.house, wanted.players, wanted.hours)
        yield self._keep(templates=tuple(sorted((*others, new), key=lambda one: one.name.casefold())))
        again = len(others) < len(self.kept.templates) - 1
        yield from self._director.reply(given, f"The template {name} is {'kept' if not again else 'replaced'}.")

    def _rename(self, given: Directed, name: str, to: str) -> Iterator[Effect]:
        found = next((one for one in self.kept.templates if one.name == name), None)
        taken = any(one.name == to for one in self.kept.templates)
        if found is None or not to or taken:
            why = f"There is no template {name}." if found is None else "Another name, that no template has."
            yield from self._director.reply(given, why, True, about="to" if found is not None else "name")
            return
        others = (one for one in self.kept.templates if one is not found)
        renamed = msgspec.structs.replace(found, name=to)
        played = tuple(
            msgspec.structs.replace(one, template=to) if one.template == name else one for one in self.kept.played
        )
        templates = tuple(sorted((*others, renamed), key=lambda one: one.name.casefold()))
        current = to if self.kept.current == name else self.kept.current
        yield self._keep(templates=templates, played=played, current=current)
        yield from self._director.reply(given, f"The template {name} is {to} now.")

    # ------------------------------------------------------------------------------------- the event

    def opened(self, template: str) -> Iterator[Effect]:
        """An event was opened from this template, or from none."""
        if template != self.kept.current:
            yield self._keep(current=template)

    def closed(self, tournament: str, state: State, opened: Mapping[str, Any], now: Instant) -> Effect:
        """The event is put aside: how it was opened, and who played it. `opened` are arguments of `open`."""
        regulars = tuple(
            Regular(one.player, one.member, one.adult) for one in state.field.entrants.values() if one.entries
        )
        new = Played(tournament, state.name, state.day, self.kept.current, dict(opened), regulars)
        others = (one for one in self.kept.played if one.tournament != tournament)
        done = {one.tournament for one in state.carried}
        flights = [one for one in self.kept.flights if one.flight.tournament not in {*done, tournament}]
        of = state.book.tournament.flight_of
        if state.bags and of is not None:
            flights.append(Bagged(of.value, dict(opened), flight(state, tournament, now)))
        played = tuple(_as_many((new, *others)))
        return self._keep(played=played, current="", flights=tuple(flights[-MOST_FLIGHTS:]))

    def bags_of(self, tournaments: Sequence[str]) -> tuple[Flight, ...]:
        """The flights with these ids. Raise `Malformed` for one that does not wait."""
        found = {one.flight.tournament: one.flight for one in self.kept.flights}
        strange = [name for name in tournaments if name not in found]
        if strange:
            raise Malformed(f"no flight {strange[0]} waits for its final day")
        return tuple(found[name] for name in dict.fromkeys(tournaments))

    def players(self) -> Iterator[str]:
        """Everybody who played one of the events that are remembered."""
        return (regular.player for one in self.kept.played for regular in one.players)

    def _keep(self, **changed: Any) -> KeepEvents:
        self.kept = msgspec.structs.replace(self.kept, **changed)
        self._changed()
        return KeepEvents(self.kept)

    # ------------------------------------------------------------------------------------- what is shown

    def view(self, state: State) -> dict[str, Any]:
        """Templates, chips, the last events and, of the events like this one, who played them; a name that was
        forgotten is left out."""
        played = self.kept.played[:SHOWN_PLAYED]
        return {
            "templates": [
                msgspec.to_builtins(one) | {"typed": typed_of(one.house)} for one in self.kept.templates
            ],
            "own_chips": [msgspec.to_builtins(one) for one in self.kept.chips],
            "played": [
                {
                    "name": one.name,
                    "day": one.day,
                    "template": one.template,
                    "open": {name: value for name, value in one.open.items() if name != "levels"},
                    "typed": typed_of(one.open.get("house", {})),
                }
                for one in played
            ],
            "template": self.kept.current if state.opened else "",
            "flights": [*_waiting(self.kept.flights)] if not state.opened else [],
            "regulars": self._regulars(state),
        }

    def _regulars(self, state: State) -> list[dict[str, Any]]:
        """Who played events of the same template or the same name; the newest event first.
        `of` counts these events from 1, the newest first."""
        if not state.opened:
            return []
        template = self.kept.current
        like = [
            one for one in self.kept.played if one.name == state.name or (template and one.template == template)
        ]
        found: dict[str, dict[str, Any]] = {}
        for no, one in enumerate(like, 1):
            for regular in one.players:
                if regular.player in self._names:
                    known = found.setdefault(
                        regular.player,
                        {**msgspec.to_builtins(regular), "name": self._names[regular.player], "of": []},
                    )
                    known["of"].append(no)
        return [*found.values()]


def _as_many(played: Sequence[Played]) -> Iterator[Played]:
    """The newest of these events, as many as are remembered; the newest one always."""
    players = 0
    for no, one in enumerate(played):
        players += len(one.players)
        if no and (no >= MOST_PLAYED or players > MOST_PLAYERS):
            return
        yield one


def _waiting(flights: Sequence[Bagged]) -> Iterator[dict[str, Any]]:
    """The final days that can be opened: arguments of `open`, and what it begins with."""
    for of in dict.fromkeys(one.of for one in flights):
        each = [one for one in flights if one.of == of]
        told = after_flights([one.flight for one in each])
        bags = [chips for chips, _ in told.values() if chips]
        opened = each[-1].open
        house = {name: value for name, value in opened.get("house", {}).items() if name != "flight_of"}
        yield {
            "of": of,
            "flights": [{"name": one.flight.name, "day": one.flight.day} for one in each],
            "players": len(bags),
            "chips": sum(bags),
            "entries": sum(entrant.entries for one in each for entrant in one.flight.entrants),
            "open": {**opened, "name": of, "house": house, "flights": [one.flight.tournament for one in each]},
        }
