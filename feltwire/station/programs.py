"""Which program each machine of the room runs, the release that lies at the station, and which version of the
messages the room writes.

Until the director confirms an upgrade, everybody writes what the release before reads, so each machine can be
upgraded, or go back, by itself (docs/decisions/0078-a-room-with-two-versions.md). A press sends the release to one
machine, whose installer judges it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish
from feltwire.station.director.arguments import MachineWanted, NoArguments, arguments_of
from feltwire.station.director.director import Director
from feltwire.station.processes import Processes, who_is
from feltwire.station.station_io import Directed, Effect, ReleaseSeen, SaveWrites, UpgradeStation
from feltwire.station.tables.known import KnownTables
from feltwire.station.tables.link import ProgramSeen
from feltwire.version import order_of, program_version
from table_core.messages import (
    MESSAGES_VERSION,
    ItemKind,
    MachinesView,
    MachineView,
    Millis,
    Primary,
    QueueItem,
    Severity,
    Street,
    UpgradeOrder,
    encode,
)

UPGRADE, BACK, CONFIRM = "upgrade_machine", "roll_back_machine", "confirm_upgrade"
COMMANDS = (UPGRADE, BACK, CONFIRM)
STATION = "station"
UNSAID_MS = 30_000  # a machine says which program it runs every ten seconds
UNKNOWN = "an early version"
_CONFIRM = Primary(
    "Confirm the upgrade",
    CONFIRM,
    confirm="From then on the room uses what is new in this version. The way back ends: an earlier version cannot "
    "read what is recorded afterwards.",
)
_SEE = Primary("See the machines", open="/station/machines")


@dataclass(frozen=True, slots=True)
class Machine:
    """One that is heard. `id` is the name in its certificate, `who` in words; `seen` is what it said of its
    program, None where it says nothing."""

    id: str
    who: str
    table: str
    seen: ProgramSeen | None

    @property
    def upgrade(self) -> str:
        return "" if self.seen is None else self.seen.program.upgrade


class Programs:
    """`writes` is the version of the messages that the room writes."""

    def __init__(
        self, venue: str, writes: int, tables: KnownTables, processes: Processes, director: Director
    ) -> None:
        self._topic = topics.tournament(venue, "upgrade")
        self._writes = writes
        self._tables = tables
        self._processes = processes
        self._director = director
        self._own = program_version()
        self._release = ReleaseSeen()
        self._station_says = ""
        self._unsaid: dict[str, Millis] = {}  # since when a machine that is heard says no version

    @property
    def confirmed(self) -> bool:
        """Whether the room writes all that this program can."""
        return self._writes >= MESSAGES_VERSION

    def release_seen(self, seen: ReleaseSeen) -> None:
        self._release = seen

    # ------------------------------------------------------------------------------- what is shown

    def items(self, now: Millis) -> Iterator[QueueItem]:
        """One for each machine that has another program, then for a release or an upgrade that waits for a
        person."""
        machines = self._machines(now)
        others = [(one, words) for one in machines if (words := self._other(one, now))]
        for machine, fact in others:
            said = f"{machine.upgrade[:1].upper()}{machine.upgrade[1:]}. " if machine.upgrade else ""
            do = f"{said}It plays on. Update it in a break: docs/upgrade.md."
            id_ = f"version-{machine.id}"
            yield QueueItem(id_, ItemKind.VERSION, Severity.SOON, fact, machine.table, do=do, primary=_SEE)
        yield from self._backups(machines)
        if self._release.why:
            fact = f"The release at the station is none: {self._release.why}."
            yield QueueItem("release", ItemKind.VERSION, Severity.SOON, fact, primary=_SEE)
        elif self._is_later(self._release.version, self._own):
            fact = f"Version {self._release.version} lies at the station, which has {self._own}."
            do = "Send it to one machine after the other, in a break. The station comes first."
            yield QueueItem(
                "release", ItemKind.VERSION, Severity.KNOW, fact, do=do, primary=_SEE, can_be_done=True
            )
        if machines and not self.confirmed and not others and not self._behind(machines):
            fact = f"Every machine that is heard has {self._own}. The upgrade waits for you."
            do = "Until then the room can go back to the version before, and no event is lost."
            yield QueueItem("upgrade", ItemKind.VERSION, Severity.KNOW, fact, do=do, primary=_CONFIRM)

    def _backups(self, machines: Sequence[Machine]) -> Iterator[QueueItem]:
        """Where a machine's records are no longer backed up as they were to be."""
        for machine in machines:
            if machine.seen is not None and (words := machine.seen.program.backup):
                fact = f"{machine.who[:1].upper()}{machine.who[1:]}: {words}"
                do = f"Look there at its disk: systemctl status feltwire-backup@{machine.id}."
                yield QueueItem(
                    f"backup-of-{machine.id}",
                    ItemKind.DISK,
                    Severity.SOON,
                    fact,
                    machine.table,
                    do=do,
                    can_be_done=True,
                )

    def view(self, now: Millis) -> MachinesView:
        """For the page of machines."""
        playing = {view.table for view in self._tables.views() if view.hand > 0 and view.street is not Street.DONE}
        own = MachineView(STATION, "the station", self._own, self._station_says)
        heard = [
            MachineView(
                one.id,
                one.who,
                UNKNOWN if one.seen is None else one.seen.program.version,
                one.upgrade,
                in_hand=one.table in playing,
            )
            for one in self._machines(now)
        ]
        there = {one.id for one in heard}
        away = [
            MachineView(f"table-{table}", f"table {table}", "", "is not heard", heard=False)
            for table in self._tables.tables
            if f"table-{table}" not in there
        ]
        return MachinesView((own, *heard, *away), self._release.version, self._release.why, self.confirmed)

    def station_says(self, words: str) -> None:
        """How far a release for the station's own machine is."""
        self._station_says = words

    # ------------------------------------------------------------------------------------- presses

    def press(self, given: Directed, now: Millis, *, bus_up: bool) -> Iterator[Effect]:
        if given.command == CONFIRM:
            yield from self._confirm(given, now)
            return
        wanted = arguments_of(given, MachineWanted).machine
        machine = next((one for one in self._machines(now) if one.id == wanted), None)
        who = "the station" if wanted == STATION else machine.who if machine is not None else ""
        if why := self._why_not(given.command, wanted, machine, bus_up):
            yield from self._director.reply(given, why, refused=True)
            return
        release = self._release
        order = (
            UpgradeOrder(given.id, wanted, back=True)
            if given.command == BACK
            else UpgradeOrder(given.id, wanted, release.version, release.size, release.sha256, release.url)
        )
        yield UpgradeStation(order) if wanted == STATION else Publish(self._topic, encode(order))
        what = "asked for its version before" if order.back else f"sent version {release.version}"
        hand = " It waits for the end of the hand." if machine is not None and machine.table else ""
        yield from self._director.reply(given, f"{who[:1].upper()}{who[1:]} is {what}.{hand}")

    def _why_not(self, command: str, wanted: str, machine: Machine | None, bus_up: bool) -> str:
        if wanted != STATION and (machine is None or not bus_up):
            return "That machine is not heard: it cannot be told anything now."
        if command == BACK:
            return ""  # its installer judges whether the version before reads what was recorded since
        if self._release.why or not self._release.version:
            return self._release.why or "No release lies at the station: feltwire upgrade --for-the-room FILE."
        has = self._own if machine is None else "" if machine.seen is None else machine.seen.program.version
        return f"It has version {has} already." if has == self._release.version else ""

    def _confirm(self, given: Directed, now: Millis) -> Iterator[Effect]:
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
        if self._is_later(theirs, self._own):
            return f"Update the station: {machine.who} has {theirs}, the station has {self._own}."
        return f"Update {machine.who}: it has {theirs}, the station has {self._own}."

    @staticmethod
    def _is_later(one: str, other: str) -> bool:
        """Whether both are versions, and `one` is the later one."""
        first, second = order_of(one), order_of(other)
        return first is not None and second is not None and first > second
