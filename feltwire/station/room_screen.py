"""What the station's pages show: the room, its queue, each table, the tournament; and how often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import TypeVar

import msgspec

from feltwire.config import StationConfig
from feltwire.runtime.node_io import Show
from feltwire.runtime.views import Fault, Part, Views
from feltwire.station.alerts import StationAlerts
from feltwire.station.backups import Backups
from feltwire.station.phone.requests import PhoneRequests
from feltwire.station.phones import Phones, phones_without_ages
from feltwire.station.plugged import PluggedDevices
from feltwire.station.processes import Processes
from feltwire.station.programs import Programs
from feltwire.station.queue.exception_queue import ExceptionQueue, queue_without_ages
from feltwire.station.queue.of_tables import (
    item_of_floor,
    items_of_alerts,
    items_of_claims,
    items_of_devices,
    items_of_health,
    items_of_rulings,
    items_of_wishes,
    no_table,
)
from feltwire.station.queue.of_views import item_of_another, items_of_views
from feltwire.station.restored import RestoredRecords
from feltwire.station.station_io import Effect, SaveQueue
from feltwire.station.tables.cells import STALE_MS, cell_by_hand, room_without_ages
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.commands import FORMS
from feltwire.station.tournament.pages.forms import command_view
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import (
    ClockState,
    Frozen,
    ItemKind,
    MachinesView,
    Millis,
    PhonesView,
    QueueItem,
    QueueView,
    RoomView,
    RulingsView,
    Seat,
    TableRuling,
    encode,
)
from table_core.projections.room import room_view
from table_core.rulebook import Rulebook

F = TypeVar("F", bound=Frozen)
QUEUE = Part("The queue", page="/station/seats", asks=True)
QUEUE_SENT = Part("All of the queue", page="/station/seats", asks=True)
ROOM = Part("The tables of the room", page="/station/seats")
RULINGS = Part("Rulings", asks=True)
BY_HAND = Part("Tables of an event by hand", page="/station/seats")
CLOSED = Part("Which tables play no longer", page="/station/seats")
CLAIMS = Part("Machines that claim a table", asks=True)
ALERTS = Part("What is said of the station", asks=True)
RESTORED = Part("Records from a backup", page="/station/log", asks=True)
BACKUPS = Part("How the backups are", asks=True)
PHONES = Part("Phones that ask to be let in", page="/people", asks=True)
PLAYERS = Part("What players ask by phone", page="/station/players", asks=True)
PLUGGED = Part("Devices that are plugged in here", page="/devices")
PROCESSES = Part("Whether relay and wall clocks are heard")
PROGRAMS = Part("Which version each machine has", page="/station/machines")
ROOM_MS = 100  # the room, its queue and each table are shown at most this often,
MOST_SENT = 100  # items, where all of them are more than a message holds
SHOWN_A_MS = 2  # and in a hall a millisecond later for so many tables


class RoomScreen:
    """`wall` gives the wall time of a boot time; the kept queue has it, because a restart may be a boot."""

    def __init__(
        self,
        config: StationConfig,
        rulebook: Rulebook,
        tables: StationTables,
        tournament: StationTournament,
        queue: ExceptionQueue,
        alerts: StationAlerts,
        restored: RestoredRecords,
        backups: Backups,
        processes: Processes,
        phones: Phones,
        programs: Programs,
        plugged: PluggedDevices,
        requests: PhoneRequests,
        views: Views,
        *,
        now: Millis,
        wall: Callable[[Millis], Millis],
    ) -> None:
        self._venue = config.venue
        self._rulebook = rulebook.id
        self._tables = tables
        self._tournament = tournament
        self._queue = queue
        self._alerts = alerts
        self._restored = restored
        self._backups = backups
        self._processes = processes
        self._phones = phones
        self._programs = programs
        self._plugged = plugged
        self._requests = requests
        self._views = views
        self._told_faults: tuple[Fault, ...] = ()
        self._wall = wall
        self._saved = queue.said()
        self._changed = True
        self._goes_quiet_at: Millis | None = None
        self._shown: dict[str, Frozen] = {}
        self._shown_rulings = b""
        self._commands_shown = False
        self._shown_names: dict[str, bytes] = {}
        self._named_as_of = 0  # the tournament's version
        self._pause_ms = max(ROOM_MS, len(config.tables) // SHOWN_A_MS)
        self._room_shown_at = self._tables_shown_at = Millis(now - self._pause_ms)

    def changed(self) -> None:
        """Something that the room shows may have changed."""
        self._changed = True

    def wake_at(self) -> Iterator[Millis]:
        if self._tables.changed:
            yield Millis(self._tables_shown_at + self._pause_ms)
        if self._changed:
            yield Millis(self._room_shown_at + self._pause_ms)
        elif self._goes_quiet_at is not None:
            yield self._goes_quiet_at

    def show_tables(self, now: Millis) -> Iterator[Effect]:
        """Pages get the newest state of a table, not each one: it costs more than to collect the event."""
        if self._tables.changed and now - self._tables_shown_at >= self._pause_ms:
            self._tables_shown_at = now
            tables = [*self._tables.changed]
            yield from self._tables.show_changed()
            yield from self._show_names(tables)

    def show(self, clock: Callable[[], ClockState], no_bus_since: Millis | None, now: Millis) -> Iterator[Effect]:
        """`no_bus_since`: since when there is no broker; None where there is one."""
        if self._goes_quiet_at is not None and now >= self._goes_quiet_at:
            self._changed = True
        if not self._changed or now - self._room_shown_at < self._pause_ms:
            return
        self._changed = False
        self._room_shown_at = now
        quiet = self._tables.known.goes_quiet_at(now), self._processes.goes_quiet_at(now)
        self._goes_quiet_at = min((at for at in quiet if at is not None), default=None)
        queue = self._look(no_bus_since, now)
        room = self._room(queue.items, clock(), now)
        yield from self._show_anew("queue", queue, queue_without_ages(queue), QUEUE)
        yield from self._show_anew("room", room, room_without_ages(room), ROOM)
        phones = self._views.show(PHONES, lambda: self._phones.view(now), lambda _: PhonesView())
        yield from self._show_anew("phones", phones, phones_without_ages(phones), PHONES)
        machines = self._views.show(PROGRAMS, lambda: self._programs.view(now), lambda _: MachinesView(()))
        yield from self._show_anew("machines", machines, machines, PROGRAMS)
        yield from self._save_queue(now)
        yield from self._show_tournament(now)
        rulings = self._views.snapshot(RULINGS, lambda: encode(RulingsView(tuple(self._rulings()))))
        if rulings != self._shown_rulings:
            self._shown_rulings = rulings
            yield Show("rulings", rulings)
        if self._views.faults != self._told_faults:  # the queue has them at the next look
            self._told_faults, self._changed = self._views.faults, True

    def _look(self, no_bus_since: Millis | None, now: Millis) -> QueueView:
        """The queue; where a message cannot hold all of it, what it can hold, the worst first."""
        show = self._views.show
        queue = show(QUEUE, lambda: self._queue.look(self._waiting(no_bus_since, now), now), self._only_faults)
        return show(QUEUE_SENT, lambda: _encoded(queue), lambda _: self._within_bounds(queue))

    def _only_faults(self, fault: Fault) -> QueueView:
        return QueueView(tuple(items_of_views(self._views.faults)), ())

    def _within_bounds(self, queue: QueueView) -> QueueView:
        items = []
        for item in queue.items[:MOST_SENT]:
            part = Part(f"An item of the queue ({item.kind})", item.table, "/station/seats", asks=True)
            items += self._views.all(part, lambda item=item: [_encoded(item)])  # type: ignore[misc]
        return QueueView((*items_of_views(self._views.faults), *items), ())

    def _room(self, queue: Iterable[QueueItem], clock: ClockState, now: Millis) -> RoomView:
        closed, of_table = self._closed(), defaultdict[str, list[QueueItem]](list)
        for item in queue:
            of_table[item.table].append(item)
        known = self._tables.known
        by_hand = self._views.show(BY_HAND, self._by_hand, lambda _: None)
        cells = [
            self._views.show(
                Part(f"Table {table} in the room", table),
                partial(known.cell, table, now, closed, of_table[table]),
                lambda _, table=table: known.cell_not_shown(table, now),  # type: ignore[misc]
            )
            for table in known.tables
            if by_hand is None or (table not in by_hand and known.is_heard(table, now))
        ]
        cells += [cell_by_hand(table, seats, of_table[table]) for table, seats in (by_hand or {}).items()]
        return room_view(venue=self._venue, rulebook=self._rulebook, cells=cells, clock=clock)

    def _by_hand(self) -> dict[str, tuple[Seat, ...]] | None:
        """The tables of an event that is played by hand, with the seats that somebody has; None where tables
        report."""
        pages = self._tournament.pages
        tables = pages.by_hand()
        return None if tables is None else {table: pages.seats_by_hand(table) for table in tables}

    def _closed(self) -> set[str]:
        """Tables that play no longer."""
        return self._views.show(CLOSED, self._tournament.pages.closed, lambda _: set())

    def _rulings(self) -> Iterator[TableRuling]:
        known = self._tables.known
        for table in known.tables:
            yield self._views.show(
                Part(f"The last ruling at table {table}", table),
                partial(known.ruling, table),
                lambda _, table=table: known.ruling_without_the_last(table),  # type: ignore[misc]
            )

    def _show_anew(self, channel: str, view: Frozen, lasting: Frozen, part: Part) -> Iterator[Effect]:
        """Show `view` where it differs from the last one; `lasting` is the part of it that time alone does not
        change, because pages count ages on by themselves."""
        if self._shown.get(channel) != lasting:
            self._shown[channel] = lasting
            yield Show(channel, self._views.snapshot(part, lambda: encode(view)))

    def _save_queue(self, now: Millis) -> Iterator[Effect]:
        said = self._queue.said()
        if said != self._saved:
            self._saved = said
            yield SaveQueue(self._queue.kept(now, self._wall(now)))

    def _show_tournament(self, now: Millis) -> Iterator[Effect]:
        if not self._commands_shown:
            self._commands_shown = True
            yield Show("commands", _forms())
        for channel, snapshot in self._tournament.pages.shown(now).items():
            yield Show(channel, snapshot)
        if self._named_as_of != self._tournament.records.version:
            self._named_as_of = self._tournament.records.version
            yield from self._show_names(self._tables.known.tables)

    def _show_names(self, tables: Iterable[str]) -> Iterator[Effect]:
        """Whom the station's pages call by a name where the table has an id."""
        for table in tables:
            part = Part(f"Who sits at table {table}", table)
            names = self._views.snapshot(part, partial(self._names, table))
            if self._shown_names.get(table) != names:
                self._shown_names[table] = names
                yield Show(f"names/{table}", names)

    def _names(self, table: str) -> bytes:
        return msgspec.json.encode(self._tournament.pages.names_at(table))

    def _waiting(self, no_bus_since: Millis | None, now: Millis) -> Iterator[QueueItem]:
        """Everything that waits for a person, each part guarded. What the disk does not take is an item of the
        tournament; without a broker no table is silent by itself."""
        all_, known = self._views.all, self._tables.known
        for table in known.tables:
            yield from self._of_table(table)
        yield from all_(CLAIMS, lambda: items_of_claims(self._tables.machines.claims(now)))
        yield from all_(ALERTS, lambda: items_of_alerts(self._said(now)))
        yield from all_(RESTORED, self._restored.items)
        yield from all_(PHONES, lambda: self._phones.items(now))
        yield from all_(PLAYERS, lambda: self._requests.items(now))
        yield from all_(PLUGGED, self._plugged.items)
        yield from all_(BACKUPS, lambda: self._backups.items(now))
        away_ms = 0 if no_bus_since is None else now - no_bus_since
        by_hand = self._tournament.night.state.by_hand
        quiet_ms = max(away_ms, 0 if by_hand else known.all_quiet_ms(now, self._closed()))
        if quiet_ms >= STALE_MS:
            yield no_table(Millis(quiet_ms))
        if no_bus_since is None:
            yield from all_(PROCESSES, lambda: self._processes.items(now))
            yield from all_(PROGRAMS, lambda: self._programs.items(now))
        for item in self._tournament.queue.items(now):
            if quiet_ms < STALE_MS or item.kind not in (ItemKind.SILENT, ItemKind.NO_ANSWER):
                yield item
        yield from items_of_views(self._views.faults)

    def _said(self, now: Millis) -> Iterator[str]:
        records = self._tournament.records
        yield from self._alerts.texts({"bus"} | ({"disk"} if records.opened and records.disk else set()))
        yield from self._tables.problems(now)

    def _of_table(self, table: str) -> Iterator[QueueItem]:
        """What a table brings: an incident, or else its floor call; its devices, its faults."""
        known, all_ = self._tables.known, self._views.all
        asks = Part(f"What table {table} waits for", table, asks=True)
        found = all_(asks, lambda: items_of_rulings([known.ruling_without_the_last(table)]))
        if not found and (view := known.view(table)) is not None:
            floor = Part(f"Whether table {table} calls the floor", table, asks=True)
            found = all_(floor, lambda: item_of_floor(view))
        yield from found
        if (asking := known.view(table)) is not None:
            wishes = Part(f"What table {table} asks of the desk", table, asks=True)
            yield from all_(wishes, partial(items_of_wishes, asking))
        devices = Part(f"How the devices of table {table} are", table)
        yield from all_(devices, lambda: items_of_devices(table, known.devices(table)))
        if (health := known.health(table)) is not None:
            worn = Part(f"What is worn at table {table}", table)
            yield from all_(worn, lambda: items_of_health(health, known.devices(table)))
        problems = Part(f"What is wrong with the records of table {table}", table)
        yield from all_(problems, lambda: items_of_alerts(known.problems(table)))
        if (fault := known.cannot_show(table)) and known.is_heard(table, self._room_shown_at):
            yield item_of_another(f"Table {table}", fault, table)


def _encoded(view: F) -> F:
    """`view`, where a message can hold it; else this raises."""
    encode(view)
    return view


@cache
def _forms() -> bytes:
    """Every command of the tournament with its fields, JSON: the same for every station."""
    return msgspec.json.encode(command_view(FORMS))
