"""What the station's pages show: the room, its queue, each table, the tournament; and how often."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from feltwire.config import StationConfig
from feltwire.runtime.node_io import Show
from feltwire.station.alerts import StationAlerts
from feltwire.station.processes import Processes
from feltwire.station.queue.exception_queue import ExceptionQueue, queue_without_ages
from feltwire.station.queue.of_tables import items_of_health, items_of_tables, no_table
from feltwire.station.restored import RestoredRecords
from feltwire.station.station_io import Effect, SaveQueue
from feltwire.station.tables.cells import STALE_MS, room_without_ages
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.commands import FORMS
from feltwire.station.tournament.pages.forms import command_view
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import ClockState, Frozen, ItemKind, Millis, QueueItem, encode
from table_core.projections.room import room_view
from table_core.rulebook import Rulebook

ROOM_MS = 100  # the room, its queue and each table are shown at most this often,
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
        processes: Processes,
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
        self._processes = processes
        self._wall = wall
        self._saved = queue.said()
        self._changed = True
        self._goes_quiet_at: Millis | None = None
        self._shown: dict[str, Frozen] = {}
        self._shown_rulings = b""
        self._commands_shown = False
        self._shown_names: dict[str, dict[str, str]] = {}
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
        queue = self._queue.look(self._waiting(no_bus_since, now), now)
        room = room_view(
            venue=self._venue,
            rulebook=self._rulebook,
            cells=self._tables.known.cells(now, self._tournament.pages.closed(), queue.items),
            clock=clock(),
        )
        yield from self._show_anew("room", room, room_without_ages(room))
        yield from self._show_anew("queue", queue, queue_without_ages(queue))
        yield from self._save_queue(now)
        yield from self._show_tournament(now)
        rulings = encode(self._tables.known.rulings())
        if rulings != self._shown_rulings:
            self._shown_rulings = rulings
            yield Show("rulings", rulings)

    def _show_anew(self, channel: str, view: Frozen, lasting: Frozen) -> Iterator[Effect]:
        """Show `view` where it differs from the last one; `lasting` is the part of it that time alone does not
        change, because pages count ages on by themselves."""
        if self._shown.get(channel) != lasting:
            self._shown[channel] = lasting
            yield Show(channel, encode(view))

    def _save_queue(self, now: Millis) -> Iterator[Effect]:
        said = self._queue.said()
        if said != self._saved:
            self._saved = said
            yield SaveQueue(self._queue.kept(now, self._wall(now)))

    def _show_tournament(self, now: Millis) -> Iterator[Effect]:
        if not self._commands_shown:
            self._commands_shown = True
            yield Show("commands", _forms())
        announced = self._tournament.pages.announced()
        if announced is not None:
            yield Show("announcements", announced)
        for channel, snapshot in self._tournament.pages.shown(now).items():
            yield Show(channel, snapshot)
        if self._named_as_of != self._tournament.records.version:
            self._named_as_of = self._tournament.records.version
            yield from self._show_names(self._tables.known.watches())

    def _show_names(self, tables: Iterable[str]) -> Iterator[Effect]:
        """Whom the station's pages call by a name where the table has an id."""
        for table in tables:
            names = self._tournament.pages.names_at(table)
            if self._shown_names.get(table) != names:
                self._shown_names[table] = names
                yield Show(f"names/{table}", msgspec.json.encode(names))

    def _waiting(self, no_bus_since: Millis | None, now: Millis) -> Iterator[QueueItem]:
        """Everything that waits for a person. What the disk does not take is an item of the tournament;
        without a broker no table is silent by itself."""
        records = self._tournament.records
        said = {"bus"} | ({"disk"} if records.opened and records.disk else set())
        alerts = [*self._alerts.texts(said), *self._tables.problems(now)]
        known, claims = self._tables.known, self._tables.machines.claims(now)
        yield from items_of_tables(known.views(), known.devices(), known.rulings(), claims, alerts)
        yield from items_of_health(known.health())
        yield from self._restored.items()
        away_ms = 0 if no_bus_since is None else now - no_bus_since
        quiet_ms = max(away_ms, known.all_quiet_ms(now, self._tournament.pages.closed()))
        if quiet_ms >= STALE_MS:
            yield no_table(Millis(quiet_ms))
        if no_bus_since is None:
            yield from self._processes.items(now)
        for item in self._tournament.queue.items(now):
            if quiet_ms < STALE_MS or item.kind not in (ItemKind.SILENT, ItemKind.NO_ANSWER):
                yield item


@cache
def _forms() -> bytes:
    """Every command of the tournament with its fields, JSON: the same for every station."""
    return msgspec.json.encode(command_view(FORMS))
