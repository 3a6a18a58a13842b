"""The values that a station keeps from one event to the next; what is done with them: `kept_events.py`."""

from __future__ import annotations

from typing import Any

import msgspec

from table_core.messages import Few, Frozen, Many, Name, Said
from table_core.tournament.chips.handout import OwnChips
from table_core.tournament.events import Flight


class Template(Frozen, frozen=True):
    """What an event is opened with: its `event` name, its book (empty: the station's own) and settings, for how
    many `players` and `hours` it is planned (0: not said)."""

    name: Name
    event: Said = ""
    rulebook: Name = ""
    house: dict[str, Any] = msgspec.field(default_factory=dict)
    players: int = 0
    hours: float = 0


class Regular(Frozen, frozen=True):
    """Somebody who played, by id, and what the desk had checked."""

    player: Name
    member: bool = False
    adult: bool = False


class Played(Frozen, frozen=True):
    """An event that was put aside. `tournament` begins the ids of its commands; `open` are arguments of `open`."""

    tournament: Name
    name: Said
    day: Name
    template: Name
    open: dict[str, Any]
    players: Many[Regular]


class Bagged(Frozen, frozen=True):
    """A flight whose chips wait in bags for the final day of the event `of`; `open` as of `Played`."""

    of: Said
    open: dict[str, Any]
    flight: Flight


class Kept(Frozen, frozen=True):
    """`current` is the template of the event that is open; `played` has the newest event first, `flights` the
    flights whose final day was not played."""

    templates: Few[Template] = ()
    chips: Few[OwnChips] = ()
    played: Few[Played] = ()
    current: Name = ""
    flights: Few[Bagged] = ()
