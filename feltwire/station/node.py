"""The station's node: collects the tables' events, runs the clock, sends commands to tables and views to screens.

No I/O: `step(input, now) -> effects, wake_at`. An event is acknowledged only once the ledger has it on the disk.
All other state follows from the ledgers, so the process may be killed at any instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from feltwire.config import StationConfig
from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.room_ledger import EventVerdict
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Reply, Say, ScreensSeen, Show
from feltwire.runtime.parts import Parts
from feltwire.runtime.views import Part, Views
from feltwire.station.alerts import StationAlerts
from feltwire.station.backups import Backups
from feltwire.station.clock import StationClock
from feltwire.station.director.director import Director, command_words
from feltwire.station.director.outgoing import Outgoing
from feltwire.station.director.presses import Presses
from feltwire.station.director.ruled_already import RuledAlready
from feltwire.station.field_on_air import FieldOnAir
from feltwire.station.look import StationLook
from feltwire.station.on_disk import OnDisk
from feltwire.station.phone.facts import PhoneFacts
from feltwire.station.phone.requests import PhoneRequests
from feltwire.station.phones import Phones
from feltwire.station.plugged import PluggedDevices
from feltwire.station.processes import Processes
from feltwire.station.programs import Programs
from feltwire.station.public_page.publishing import PublicPage
from feltwire.station.queue.exception_queue import ExceptionQueue
from feltwire.station.restored import RestoredRecords
from feltwire.station.room_field import RoomField
from feltwire.station.room_screen import RoomScreen
from feltwire.station.station_io import (
    BackupSeen,
    Committed,
    Directed,
    DiskWasSlow,
    DropCommand,
    Effect,
    Input,
    LeaseGranted,
    MachineSeen,
    NotRecorded,
    PictureGiven,
    PlayerAsked,
    PlayerCalled,
    PluggedSeen,
    PublicPageSeen,
    RecordsCommitted,
    RecordsRefused,
    ReleaseSeen,
    SheetMade,
    SheetWanted,
    UpgradeSeen,
)
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.timekeeping import BEAT_MS, Timekeeping
from feltwire.station.tournament.pages.sheets import SHEETS
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import AnyTableCommand, Millis
from table_core.rulebook import Rulebook

TOURNAMENT = "the tournament"
SLOW_SAID_MS = 60_000  # how long a slow disk is said
# Between two looks at all tables for what one reports, a millisecond for so many: a look takes 0.04 ms for each.
TABLES_A_MS = 5


class StationNode:
    """`found` is what the disk has; `wall` gives the wall time of a boot time.

    Before the first step, `recover` applies what the ledger holds. Raises `ScheduleError` for a bad schedule.
    """

    def __init__(
        self,
        config: StationConfig,
        rulebook: Rulebook,
        found: OnDisk,
        *,
        boot: str,
        now: Millis,
        wall: Callable[[Millis], Millis] = lambda now: now,
        views: Views | None = None,
        parts: Parts | None = None,
        phone_page: str = "",
    ) -> None:
        self.views = views = views if views is not None else Views()
        self._parts = parts or Parts()
        self._config = config
        self._rulebook = rulebook
        prefix = f"{found.tournament}/"
        self._clock = clock = StationClock(
            config, prefix, boot=boot, now=now, wall=wall, recorded=found.clock, levels=found.levels
        )
        self._outgoing = Outgoing(found.outgoing, boot)
        self._tables = tables = StationTables(
            config,
            rulebook,
            prefix,
            boot=boot,
            now=now,
            answered=self._outgoing.answered,
            leaseholders=found.leaseholders,
            views=views,
        )
        known, ruled_already = tables.known, RuledAlready(tables.known.open_ruling)
        self._director = director = Director(
            clock, prefix, config.tables, rulebook, self._outgoing, known.going_back, ruled_already
        )
        self.tournament = tournament = StationTournament(
            found, config=config, rulebook=rulebook, clock=clock, director=director, tables=tables, views=views
        )
        tournament.restored(found.clock, now)
        self._alerts = StationAlerts(
            bus=f"Waiting for the broker at {config.broker.url}; the tables keep their events.",
            missing=found.missing,
            restart=clock.restart_note,
            **{f"unread {no}": text for no, text in enumerate(found.unread)},
        )
        queue = ExceptionQueue(found.queue, now, wall(now))
        self._processes = Processes(boot)
        self._backups = Backups(tournament, boot, now)
        self._restored = RestoredRecords(found.restored, found.lost, tournament, director)
        tournament.shut = lambda: self._restored.shut
        self._phones = Phones(tables, director, boot)
        self._plugged = PluggedDevices(config.tables, director, found.devices)
        self._requests = PhoneRequests(tournament, director, queue)
        self._phone_facts = PhoneFacts(clock, tournament, tables.changes, self._requests, views)
        self._programs = Programs(config.venue, found.writes, known, self._processes, director)
        self._look = StationLook(config.venue, found.look, director, phone_page)
        self._presses = Presses(
            director,
            tournament,
            tables,
            queue,
            clock,
            self._restored,
            self._phones,
            self._programs,
            self._plugged,
            self._look,
            self._requests,
            views,
            opens_clips=bool(config.clip_key),
        )
        self._screen = RoomScreen(
            config,
            rulebook,
            tables,
            tournament,
            queue,
            self._alerts,
            self._restored,
            self._backups,
            self._processes,
            self._phones,
            self._programs,
            self._plugged,
            self._requests,
            views,
            now=now,
            wall=wall,
        )
        self._pause_ms = len(config.tables) // TABLES_A_MS
        self._field = RoomField(config, tournament.records, known, views, pause_ms=self._pause_ms, now=now)
        self._time = Timekeeping(
            config.venue, clock, self._field, tournament.records, tournament.names, views, now
        )
        self._field_on_air = FieldOnAir(
            config.venue, clock, tournament, tables.changes, views, pause_ms=self._pause_ms
        )
        self._public_page = PublicPage(
            config.public,
            clock,
            tournament,
            tables.changes,
            self._look,
            self._alerts,
            views,
            state=self._time.state,
        )
        self._recovered: list[DropCommand | Show] = []
        self._no_bus_since: Millis | None = now
        self._slow_until = now
        self._spoken_for = (0, 0)  # changes at tables and records as of which all tables were spoken to last
        self._spoken_at = now

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook in force: with the settings of the event, once one is open."""
        return self.tournament.night.state.book if self.tournament.records.opened else self._rulebook

    # ----------------------------------------------------------------------------------- recovery

    def recover(self, table: str, events: Iterable[tuple[int, int, bytes]]) -> None:
        """Apply what the ledger holds of one table; before the first step."""
        self._recovered += self._tables.recover(table, events)
        self._field.count()

    def recover_nothing(self, table: str, head: LedgerHead) -> None:
        """Of this table only where its events end is known: its next hand begins anew here."""
        self._tables.recover_nothing(table, head)

    # --------------------------------------------------------------------------------------- step

    def step(self, given: Input | None, now: Millis) -> tuple[list[Effect], Millis]:
        if isinstance(given, Arrived):
            if self._only_a_beat(given, now):
                return [*self._tables.arrived(given, now)], self._wake_at(now)
            if self._tables.knows(given):
                return [], self._wake_at(now)
        effects: list[Effect] = [*self._recovered]
        self._recovered = []
        if given is not None:
            effects += self._take(given, now)
        run = self._parts.run
        due = run("the count of the field", lambda: self._count_field(now))
        due += run(TOURNAMENT, lambda: self.tournament.go_on(now))
        if TOURNAMENT in self._parts.left_out:
            due += self.tournament.refuse_waiting("a fault in the tournament: the station has to be started again")
        due += run("the presses that no table answered", lambda: self._let_expire(now))
        due += run("the clock", lambda: self._keep_time(now))
        effects += due
        effects += run("the field on air", lambda: self._field_on_air.publish(now))
        effects += run("the look of the screens", lambda: self._look.go_on(bus_up=self._bus_up))
        effects += run("the requests of phones", lambda: self._requests.go_on(now))
        effects += run("the players' phones", lambda: self._phone_facts.show(now))
        effects += run("the public page", lambda: self._public_page.go_on(now))
        if self._bus_up:
            effects += run("what tables are told", lambda: self._speak(given, now, everybody=bool(due)))
        effects += run("the pages of the tables", lambda: self._screen.show_tables(now))
        effects += run("the pages", lambda: self._show(now))
        # While the broker is away nothing is queued: what still matters then is said when it is back.
        effects = [effect for effect in effects if self._bus_up or not isinstance(effect, Publish)]
        # The director is answered last, when what was done is on the disk.
        effects.sort(key=lambda effect: isinstance(effect, Reply))
        return effects, self._wake_at(now)

    def _count_field(self, now: Millis) -> Iterator[Effect]:
        self._field.go_on(now)
        return iter(())

    def _show(self, now: Millis) -> Iterator[Effect]:
        return self._screen.show(lambda: self._time.state(now), self._no_bus_since, now)

    def _only_a_beat(self, given: Arrived, now: Millis) -> bool:
        """A table that was heard all along is heard: nothing is said or shown for it. Each of hundreds of tables
        beats every second, and every other input looks at all of them."""
        table, leaf = topics.split_table(given.topic) or ("", "")
        return leaf == "beat" and self._tables.known.is_heard(table, now)

    def _speak(self, given: Input | None, now: Millis, *, everybody: bool) -> Iterator[Effect]:
        """What is to be said to the table that `given` came from; to all of them after any other input, where what
        one reports may concern the others, and once a second."""
        match given:
            case Arrived():
                tables = [(topics.split_table(given.topic) or ("", ""))[0]]
            case Committed():
                tables = [given.accepted.table]
            case None:
                tables = []
            case _:
                tables, everybody = [], True
        said_for = (self._tables.changes.count, self.tournament.records.version)
        soon = now - self._spoken_at < self._pause_ms and said_for[1] == self._spoken_for[1]
        if everybody or now - self._spoken_at >= BEAT_MS or (said_for != self._spoken_for and not soon):
            self._spoken_for, self._spoken_at = said_for, now
            yield from self._tables.speak(lambda table: self._commands(table, now), now)
        else:
            yield from self._tables.speak(lambda table: self._commands(table, now), now, tables)

    @property
    def _bus_up(self) -> bool:
        return self._no_bus_since is None

    def _take(self, given: Input, now: Millis) -> Iterator[Effect]:
        self._screen.changed()
        match given:
            case Arrived() if (said := topics.split_process(given.topic)) is not None:
                self._processes.arrived(*said, given.payload, now)
            case Arrived() if (name := topics.device_of_expiry(given.topic)) is not None:
                self._alerts.certificate_ends(name, given.payload)
            case Arrived():
                yield from self._tables.arrived(given, now)
            case Committed():
                yield from self._tables.committed(given, now)
                if given.accepted.kind is EventVerdict.NEW:
                    self._alerts.end("disk")
                    self.tournament.records.disk = ""
                self._field.changed()
            case LeaseGranted():
                yield from self._tables.machines.granted(given, now)
            case NotRecorded():
                # Not acknowledged, so the tables keep it and send it again.
                self._tables.not_recorded()
                self.tournament.records.disk = given.why
                yield from self._alerts.warn("disk", f"Nothing can be recorded: {given.why}.")
            case DiskWasSlow():
                self._slow_until = Millis(now + SLOW_SAID_MS)
                text = f"The station's disk took {given.seconds:.0f} s to record: make a backup."
                yield from self._alerts.warn("slow disk", text)
            case MachineSeen():
                yield from self._alerts.machine(given.machine)
            case BackupSeen():
                self._backups.seen(given.status)
            case PluggedSeen():
                self._plugged.seen(given)
            case ReleaseSeen():
                self._programs.release_seen(given)
            case UpgradeSeen():
                self._programs.station_says(given.words)
            case RecordsCommitted():
                self._alerts.end("disk")
                yield from self.tournament.committed(now)
                self._field.count()
            case RecordsRefused():
                yield from self._alerts.warn("disk", f"Nothing can be recorded: {given.why}.")
                yield from self.tournament.not_committed(given.why, now)
            case Directed():
                yield from self._directed(given, now)
            case PictureGiven():
                yield from self._look.picture(given)
            case SheetWanted():
                yield self._sheet(given)
            case PlayerAsked():
                yield from self._requests.asked(given, now)
            case PlayerCalled():
                yield from self._requests.called(given, now)
            case PublicPageSeen():
                yield from self._public_page.seen(given)
            case ScreensSeen():
                self._phones.seen_here(given)
            case Quarantined():
                kept = "" if given.given is None else " Its bytes are kept for an engineer."
                yield from self._alerts.warn(f"quarantine {given.words}"[:60], f"{given.words}.{kept}")
                if isinstance(given.given, SheetWanted):
                    yield SheetMade(given.given.id, b"")
                if isinstance(given.given, Directed | PictureGiven | PlayerAsked | PlayerCalled):
                    yield Reply(given.given.id, given.answer("station"), refused=True)
            case BusUp():
                yield from self._on_bus_up(now)
            case BusDown():
                yield from self._on_bus_down(given, now)

    def _wake_at(self, now: Millis) -> Millis:
        dues = self._clock.changes_at(now), self._outgoing.next_expiry(), self.tournament.wake_at()
        shown = (self._field_on_air, self._requests, self._phone_facts, self._public_page)
        parts = (self._time, self._screen, self._field, *shown)
        times = [at for part in parts for at in part.wake_at()]
        return min([*times, *(due for due in dues if due is not None)])

    def _sheet(self, given: SheetWanted) -> SheetMade:
        return self.views.show(
            Part(f"The sheet {given.name}" if given.name in SHEETS else "A sheet", page="/station/log"),
            lambda: SheetMade(given.id, self.tournament.pages.sheet(given.name)),
            lambda fault: SheetMade(given.id, why=f"{fault.words}."),
        )

    # ---------------------------------------------------------------------------------------- bus

    def _on_bus_up(self, now: Millis) -> Iterator[Effect]:
        self._no_bus_since = None
        self._alerts.end("bus")
        yield Say(f"connected to the broker at {self._config.broker.url}")
        self._processes.bus_up(now)
        yield from self._tables.bus_up(now)
        self._time.say_again(now)
        self._field_on_air.say_again()
        self._look.say_again()

    def _on_bus_down(self, given: BusDown, now: Millis) -> Iterator[Effect]:
        why = given.why or f"broker at {self._config.broker.url}: no connection"
        text = f"{why[0].upper()}{why[1:]}. The tables play on and keep their events."
        self._tables.bus_down()
        if self._bus_up:
            self._no_bus_since = now
        yield from self._alerts.warn("bus", text)

    # --------------------------------------------------------------------------------- the director

    def _directed(self, given: Directed, now: Millis) -> Iterator[Effect]:
        if given.until is not None and given.until < now:
            yield from self._presses.refuse_late(given)
            return
        self._alerts.end_expired()
        yield from self._presses.take(given, now, bus_up=self._bus_up)
        if self._clock.touched:
            self._alerts.end("restart")

    def _let_expire(self, now: Millis) -> Iterator[Effect]:
        for table, command in self._outgoing.expired(now):
            yield DropCommand(command.id)
            part = Part(f"What table {table} was told", table, asks=True)
            words = self.views.show(part, partial(command_words, command), lambda _: "what it was told")
            text = f"Table {table} did not answer in time: {words} is not done. Decide again."
            yield from self._alerts.warn(f"expired {table}", text)

    def _commands(self, table: str, now: Millis) -> list[AnyTableCommand]:
        """The current commands for the table."""
        if self._restored.holds:
            return self._outgoing.to(table)
        after, orders = self._tables.known.seats_changed_at(table), self.tournament.orders
        clock = orders.clock(table, now)
        seats = orders.seats(table, after) if after is not None else []
        return [*self._clock.commands(now), *clock, *self._outgoing.to(table), *seats, *orders.presence(table)]

    # ------------------------------------------------------------------------------- clock and beat

    def _keep_time(self, now: Millis) -> Iterator[Effect]:
        beat = [*self._time.beat(now)]
        if beat and now >= self._slow_until:
            self._alerts.end("slow disk")
        shown = [*self._time.show(now)]
        if beat or shown:
            self._screen.changed()  # "seen 3 s ago"
        yield from (*beat, *shown)
