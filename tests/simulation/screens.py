"""What people see while the story goes on: no screen shows an earlier truth.

Looked at all the time, and not only at the end. The truth is what the station announced as the tournament's
clock, and which machine could have been heard when. A screen may be behind it by three seconds. After that it
shows what is so, or says that it does not hear from whom it has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import msgspec

from feltwire.runtime.broker import topics
from feltwire.runtime.process import Process
from table_core.messages import (
    ClockState,
    DeviceState,
    Level,
    LevelBegan,
    Liveness,
    Millis,
    QueueView,
    RoomView,
    TableView,
)
from table_core.projections.clock import clock_of
from tests.simulation.beats import Beats
from tests.simulation.clock_machine import SimulatedClock
from tests.simulation.director import SimulatedStation
from tests.simulation.machine import Machine
from tests.simulation.table_machine import SimulatedTable

if TYPE_CHECKING:
    from tests.simulation.room import SimulatedRoom

LOOK_MS = 250
SAID_MS = 3_000  # whoever is silent is said to be so
SLACK_MS = LOOK_MS + 50  # between two looks, and a step
CLOCK_MS = 60  # a wall clock differs by no more from the station's than its fastest message took, and this
V = TypeVar("V")


@dataclass(frozen=True)
class Announced:
    """The clock as the station said it at `time` (µs); it was `state.at` there at `instant`."""

    time: int
    instant: float
    state: ClockState

    def passed(self, time: float) -> int:
        """How much of the schedule is over at `time`, in milliseconds."""
        return clock_of(self.state).passed(self._there(time))

    def playing(self, time: float) -> Level:
        """What is played then."""
        return clock_of(self.state).playing_level(self._there(time))

    def _there(self, time: float) -> Millis:
        return Millis(max(0, self.state.at + round((time - self.instant) / 1_000)))


@dataclass
class Screens:
    """`wrong` says what was seen that was not so."""

    room: SimulatedRoom
    wrong: list[str] = field(default_factory=list)
    announced: list[Announced] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._seen: dict[str, tuple[bytes, object]] = {}
        self._works: dict[str, int] = {}  # by machine: at how many looks one after the other it was at work
        self._word: dict[str, int] = {}  # when each machine said the last that can be at the station
        self._since: dict[str, int] = {}  # since when nothing was lost between it and the station
        self._ran: dict[str, tuple[Process | None, int]] = {}  # each machine's process and connection, last look
        self._plays: dict[str, int] = {}  # since when each machine is its table: what it missed comes to it now
        self._heard_by: dict[str, Process | None] = {}  # the station's process that heard it last

    def look(self) -> None:
        now = self.room.world.now
        for name, machine in self.room.machines.items():
            self._works[name] = self._works.get(name, 0) + 1 if _works(machine) else 0
        self._count_calm(now)
        self.wrong += self._what_is_wrong(now)

    # -------------------------------------------------------------------------------------- the truth

    def heard_clock(self, state: bytes) -> None:
        """The station announces its clock."""
        host = self.room.station.host
        known = msgspec.json.decode(state, type=ClockState)
        self.announced.append(Announced(self.room.world.now, host.instant(known.at), known))

    def came_to_station(self, topic: str) -> None:
        """Something of a table or of a process: all that it said until now may have come with it."""
        table, process = topics.split_table(topic), topics.split_process(topic)
        machines = self.room.sites[table[0]].machines if table is not None else ()
        for name in (process[0],) if process is not None else [machine.name for machine in machines]:
            self._word[name] = self.room.links[name].said
            self._heard_by[name] = self.room.station.process

    def _count_calm(self, now: int) -> None:
        """Since when each machine and the station have a connection that loses nothing."""
        room = self.room
        calm = {
            name
            for name, machine in room.machines.items()
            if _is_connected(machine) and not room.links[name].is_out and not room.links[name].noise.drop
            if _runs(machine) == self._ran.get(name)  # a new one has not heard anybody yet
        }
        self._ran = {name: _runs(machine) for name, machine in room.machines.items()}
        sound = calm if room.broker.runs and "station" in calm else set()
        self._since = {name: self._since.get(name, now) for name in sound}
        plays = {name for name, machine in room.machines.items() if _is_table(machine)}
        self._plays = {name: self._plays.get(name, now) for name in plays}

    def _is_unheard(self, name: str, now: int) -> bool:
        """Nothing that this machine said in the last three seconds can be at the station."""
        return now - self._word.get(name, 0) > (SAID_MS + SLACK_MS) * 1_000

    def _misses_station(self, beats: Beats, now: int) -> bool:
        """No beat came that the station sent in the last three seconds. How long one was on its way is known only
        where a faster one came."""
        return now - beats.newest > (SAID_MS + SLACK_MS + beats.fastest_ms) * 1_000

    def _in_force(self, now: int) -> list[Announced]:
        """What the clock was in the last three seconds."""
        since = now - (SAID_MS + SLACK_MS) * 1_000
        late = [at for at, one in enumerate(self.announced) if one.time <= since]
        return self.announced[late[-1] if late else 0 :]

    # ------------------------------------------------------------------------------------ the screens

    def _what_is_wrong(self, now: int) -> Iterator[str]:
        for name, machine in self.room.machines.items():
            if self._works[name] < 2:
                continue  # it stands, or has stood a moment ago: its page is silent
            process = machine.process
            if isinstance(process, SimulatedClock):
                yield from self._wall(machine, process, now)
            elif isinstance(process, SimulatedTable):
                yield from self._table(machine, process, now)
            elif isinstance(process, SimulatedStation):
                yield from self._station(process, now)

    def _wall(self, machine: Machine, process: SimulatedClock, now: int) -> Iterator[str]:
        state = self._page(machine, "clock", ClockState)
        if state is None or state.note:
            return
        if self._misses_station(process.beats, now):
            yield self._at(now, f"{machine.name} does not say that the station is not heard")
            return
        own = clock_of(state)
        shown = own.passed(machine.host.now())
        tolerance = CLOCK_MS + process.beats.fastest_ms
        due = self._in_force(now)
        same = [one for one in due if one.state.running == state.running]
        if not any(
            one.passed(now - tolerance * 1_000) - 1 <= shown <= one.passed(now + tolerance * 1_000) + 1
            for one in same
        ):
            says = [(one.state.running, one.passed(now)) for one in due]
            yield self._at(now, f"{machine.name} shows {state.running, shown}, the clock was {says}, {tolerance=}")

    def _table(self, machine: Machine, process: SimulatedTable, now: int) -> Iterator[str]:
        view = self._page(machine, f"table/{process.config.table}", TableView)
        if view is None or view.devices.get("bus") is not DeviceState.OK:
            return
        if self._misses_station(process.beats, now):
            yield self._at(now, f"{machine.name} does not say that the station is not heard")
            return
        due = {one.playing(now).no for one in self._in_force(now)} | {
            one.playing(now - (SAID_MS + SLACK_MS) * 1_000).no for one in self._in_force(now)
        }
        level = view.next_hand_level
        hears_since = max(self._since.get(machine.name, now), self._plays.get(machine.name, now))
        late = level is not None and bool(due) and level.no not in due
        if now - hears_since > SAID_MS * 1_000 and late and not _is_keyed(process):
            yield self._at(now, f"{machine.name} shows level {level and level.no}, the clock was at {due}")

    def _station(self, process: SimulatedStation, now: int) -> Iterator[str]:
        machine = self.room.station
        room = self._page(machine, "room", RoomView)
        for cell in room.cells if room is not None else ():
            machines = self.room.sites[cell.table].machines
            if cell.link is Liveness.LIVE and all(self._is_unheard(one.name, now) for one in machines):
                yield self._at(now, f"the station shows table {cell.table} as live, and nothing is heard of it")
        queue = self._page(machine, "queue", QueueView)
        said = {item.id for item in queue.items} if queue is not None else set()
        if now - self._since.get("station", now) < SAID_MS * 1_000:
            return
        for name, heard_by in self._heard_by.items():
            quiet = self._is_unheard(name, now) and heard_by is process
            if quiet and not name.startswith("table-") and f"process-{name}" not in said:
                yield self._at(now, f"the station does not say that {name} is not heard")

    def _at(self, now: int, words: str) -> str:
        return f"at {now / 1e6:.2f} s {words}"

    def _page(self, machine: Machine, channel: str, kind: type[V]) -> V | None:
        """What its page shows."""
        assert machine.process is not None
        latest = machine.process.hub.latest(channel)
        if latest is None:
            return None
        key = f"{machine.name} {channel}"
        raw, seen = self._seen.get(key, (b"", None))
        if raw is not latest.data:
            seen = msgspec.json.decode(latest.data, type=kind)
            self._seen[key] = latest.data, seen
        assert isinstance(seen, kind)
        return seen


def _is_keyed(table: SimulatedTable) -> bool:
    """Whether the dealer keyed the level that the table shows: for a hand that had begun under the one before."""
    levels = [event for event in table.ledger.events() if isinstance(event.data, LevelBegan)]
    return bool(levels) and levels[-1].cause.startswith("keypad/")


def _works(machine: Machine) -> bool:
    """Whether its process takes inputs: it is not frozen, and waits for no disk."""
    driver = machine.host.current_driver
    if machine.process is None or driver is None or machine.host.world.now < machine.host.frozen_until:
        return False
    return driver.takes_inputs


def _runs(machine: Machine) -> tuple[Process | None, int]:
    """Its process, and how often that came up: the broker may go and come between two looks."""
    bus = machine.host.current_bus
    return machine.process, bus.connections if bus is not None else 0


def _is_table(machine: Machine) -> bool:
    return isinstance(machine.process, SimulatedTable) and machine.process.node.lease.plays


def _is_connected(machine: Machine) -> bool:
    """At work, and on the broker as far as it knows."""
    bus = machine.host.current_bus
    return _works(machine) and bus is not None and bus.is_up
