"""Which program each machine of the room runs, and which version of the messages the room writes.

Until the director confirms an upgrade, everybody writes what the release before reads, so each machine can be
upgraded, or go back, by itself (docs/decisions/0078-a-room-with-two-versions.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from feltwire.station.director.arguments import NoArguments, arguments_of
from feltwire.station.director.director import Director
from feltwire.station.processes import Processes, who_is
from feltwire.station.station_io import Directed, Effect, SaveWrites
from feltwire.station.tables.known import KnownTables
from feltwire.station.tables.link import ProgramSeen
from feltwire.version import order_of, program_version
from table_core.messages import MESSAGES_VERSION, ItemKind, Millis, Primary, QueueItem, Severity

COMMAND = "confirm_upgrade"
UNSAID_MS = 30_000  # a machine says which program it runs every ten seconds
CONFIRM = Primary(
    "Confirm the upgrade",
    COMMAND,
    confirm="From then on the room uses what is new in this version. The way back ends: an earlier version cannot "
    "read what is recorded afterwards.",
)


@dataclass(frozen=True, slots=True)
class Machine:
    """One that is heard. `who` in words; `seen` is what it said of its program, None where it says nothing."""

    id: str
    who: str
    table: str
    seen: ProgramSeen | None


class Programs:
    """`writes` is the version of the messages that the room writes."""

    def __init__(self, writes: int, tables: KnownTables, processes: Processes, director: Director) -> None:
        self._writes = writes
        self._tables = tables
        self._processes = processes
        self._director = director
        self._own = program_version()
        self._unsaid: dict[str, Millis] = {}  # since when a machine that is heard says no version

    @property
    def confirmed(self) -> bool:
        """Whether the room writes all that this program can."""
        return self._writes >= MESSAGES_VERSION

    def items(self, now: Millis) -> Iterator[QueueItem]:
        """One for each machine that has another program, then for the upgrade that waits for a person."""
        machines = self._machines(now)
        others = [(one, words) for one in machines if (words := self._other(one, now))]
        for machine, fact in others:
            do = "It plays on. Update it in a break: docs/upgrade.md."
            yield QueueItem(f"version-{machine.id}", ItemKind.VERSION, Severity.SOON, fact, machine.table, do=do)
        if machines and not self.confirmed and not others and not self._behind(machines):
            fact = f"Every machine that is heard has {self._own}. The upgrade waits for you."
            do = "Until then the room can go back to the version before, and no event is lost."
            yield QueueItem("upgrade", ItemKind.VERSION, Severity.KNOW, fact, do=do, primary=CONFIRM)

    def press(self, given: Directed, now: Millis) -> Iterator[Effect]:
        """The director confirms the upgrade."""
        arguments_of(given, NoArguments)
        machines = self._machines(now)
        behind = self._behind(machines)
        if self.confirmed:
            yield from self._director.reply(given, "There is no upgrade to confirm.", refused=True)
        elif behind:
            text = f"Not yet: {', '.join(one.who for one in behind)} could not read it. Update that first."
            yield from self._director.reply(given, text, refused=True)
        else:
            self._writes = MESSAGES_VERSION
            yield SaveWrites(self._writes)
            away = sorted({*self._tables.tables} - {one.table for one in machines})
            more = f" Table {', '.join(away)} is not heard now: an earlier version there has to be updated."
            yield from self._director.reply(given, f"The upgrade is confirmed.{more if away else ''}")

    # --------------------------------------------------------------------------------- the machines

    def _machines(self, now: Millis) -> list[Machine]:
        known = self._tables
        tables = [
            Machine(f"table-{table}", f"table {table}", table, known.program(table))
            for table in known.tables
            if known.is_heard(table, now)
        ]
        others = [Machine(name, who_is(name), "", seen) for name, seen in self._processes.programs(now)]
        heard = [*tables, *others]
        # What was said long ago says nothing: an earlier program may run there by now.
        silent = [one.id for one in heard if one.seen is None or now - one.seen.at > UNSAID_MS]
        self._unsaid = {id_: self._unsaid.get(id_, now) for id_ in silent}
        return heard

    def _says_nothing(self, machine: Machine, now: Millis) -> bool:
        return now - self._unsaid.get(machine.id, now) >= UNSAID_MS

    def _behind(self, machines: list[Machine]) -> list[Machine]:
        """Those that could not read what this program writes, or have not said whether they could."""
        return [
            one
            for one in machines
            if one.id in self._unsaid or one.seen is None or one.seen.program.reads < MESSAGES_VERSION
        ]

    def _other(self, machine: Machine, now: Millis) -> str:
        """What is to be updated, and why; empty for a machine with the station's program, or that has not said
        yet which it has."""
        if self._says_nothing(machine, now):
            return (
                f"Update {machine.who}: it has a version that does not say which one it is; the station has "
                f"{self._own}."
            )
        if machine.seen is None or machine.seen.program.version == self._own:
            return ""
        theirs = machine.seen.program.version
        order, own = order_of(theirs), order_of(self._own)
        if order is not None and own is not None and order > own:
            return f"Update the station: {machine.who} has {theirs}, the station has {self._own}."
        return f"Update {machine.who}: it has {theirs}, the station has {self._own}."
