"""The station's node: collects the tables' events, runs the clock, sends commands to tables and views to screens.

No I/O: `step(input, now) -> effects, wake_at`. An event is acknowledged only once the ledger has it on the disk.
All other state follows from the ledgers, so the process may be killed at any instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from feltwire.config import StationConfig
from feltwire.ledger.room_ledger import EventVerdict
from feltwire.runtime import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Reply, Say, Show
from feltwire.station.alerts import StationAlerts
from feltwire.station.clock import StationClock
from feltwire.station.director import Director, command_words
from feltwire.station.presses import Presses
from feltwire.station.processes import Processes
from feltwire.station.queue.exception_queue import ExceptionQueue, QueueRecord
from feltwire.station.restored import RestoredRecords
from feltwire.station.room_screen import RoomScreen
from feltwire.station.ruled_already import RuledAlready
from feltwire.station.station_io import (
    Committed,
    Directed,
    DiskWasSlow,
    DropCommand,
    Effect,
    Input,
    LeaseGranted,
    MachineSeen,
    NotRecorded,
    RecordsCommitted,
    RecordsRefused,
    SaveClock,
    SheetMade,
    SheetWanted,
)
from feltwire.station.station_store import ClockRecord, Restored
from feltwire.station.tables.leases import TableLease
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import AnyTableCommand, Beat, ClockState, Leaseholder, Millis, encode
from table_core.projections.clock import clock_state
from table_core.projections.room import field_of
from table_core.rulebook import Rulebook
from table_core.tournament.events import OnFile
from table_core.tournament.money.league import EventResult
from table_core.tournament.night import Night

BEAT_MS = 1_000
CLOCK_MS = 10_000  # the clock is published and recorded at least this often
SLOW_SAID_MS = 60_000  # how long a slow disk is said
# Between two looks at all tables for what one reports, a millisecond for so many: a look takes 0.04 ms for each.
TABLES_A_MS = 5
FIELD_MS = 100  # players left and average stack are counted at most this often: it takes the state of every table


class StationNode:
    """`tournament` is the prefix of this station's command ids; `recorded` is the clock as last recorded, `queue`
    the exception queue; `night` is the tournament as its records tell it, `names` are the names of its players,
    `on_file` penalties of earlier events, `last` what the next event may begin with (JSON), `season()` the results
    of the league's.

    Before the first step, `recover` applies what the ledger holds. Raises `ScheduleError` for a bad schedule.
    """

    def __init__(
        self,
        config: StationConfig,
        rulebook: Rulebook,
        *,
        tournament: str,
        boot: str,
        now: Millis,
        recorded: ClockRecord | None = None,
        outgoing: Sequence[tuple[str, AnyTableCommand]] = (),
        leaseholders: Mapping[str, Leaseholder] | None = None,
        queue: QueueRecord | None = None,
        night: Night | None = None,
        names: Mapping[str, str] | None = None,
        on_file: Sequence[OnFile] = (),
        last: bytes = b"",
        season: Callable[[], Sequence[EventResult]] = lambda: (),
        wall: Callable[[Millis], Millis] = lambda now: now,
        missing: str = "",
        restored: Sequence[Restored] = (),
    ) -> None:
        self._config = config
        self._rulebook = rulebook
        prefix = f"{tournament}/"
        night = night or Night(rulebook)
        levels = night.state.clock.levels if night.state.clock is not None else None
        self._clock = StationClock(config, prefix, boot=boot, now=now, recorded=recorded, levels=levels)
        self._director = Director(
            self._clock,
            prefix,
            config.tables,
            rulebook,
            outgoing,
            lambda wanted: self._tables.known.going_back(wanted),
            RuledAlready(lambda table: self._tables.known.open_ruling(table)),
        )
        known = leaseholders or {}
        self._tables = StationTables(
            config,
            rulebook,
            prefix,
            boot=boot,
            now=now,
            answered=self._director.answered,
            leases={table: TableLease(table, known.get(table)) for table in config.tables},
        )
        self.tournament = StationTournament(
            night,
            names or {},
            config=config,
            rulebook=rulebook,
            tournament=tournament,
            clock=self._clock,
            director=self._director,
            watches=self._tables.known.watches(),
            changes=self._tables.changes,
            facts=self._tables.known.facts,
            wall=wall,
            on_file=on_file,
            last=last,
            season=season,
            silent=self._tables.known.silent,
            unheard=self._tables.known.unheard,
            mute=self._tables.known.mute,
        )
        self.tournament.restored(recorded, boot, now)
        self._alerts = StationAlerts()
        self._alerts.set("bus", f"Waiting for the broker at {config.broker.url}; the tables keep their events.")
        if missing:
            self._alerts.set("missing", missing)
        if self._clock.restart_note:
            self._alerts.set("restart", self._clock.restart_note)
        exceptions = ExceptionQueue(queue, now, wall(now))
        self._processes = Processes(boot)
        self._restored = RestoredRecords(restored, self.tournament, self._director)
        self._presses = Presses(
            self._director,
            self.tournament,
            self._tables,
            exceptions,
            self._clock,
            self._restored,
            opens_clips=bool(config.clip_key),
        )
        self._screen = RoomScreen(
            config.venue,
            rulebook.id,
            self._tables,
            self.tournament,
            exceptions,
            self._alerts,
            self._restored,
            self._processes,
            count=len(config.tables),
            now=now,
            wall=wall,
        )
        self._recovered: list[DropCommand | Show] = []
        self._no_bus_since: Millis | None = now
        self._field = field_of((), entrants=config.entrants)
        self._field_changed = False
        self._counted_at = now
        self._slow_until = now
        self._next_beat = now
        self._next_clock = now
        self._shown_clock: ClockState | None = None
        self._pause_ms = len(config.tables) // TABLES_A_MS
        self._count_ms = max(FIELD_MS, self._pause_ms)
        self._spoken_for = (0, 0)  # changes at tables and records as of which all tables were spoken to last
        self._spoken_at = now

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook in force: with the settings of the event, once one is open."""
        return self.tournament.night.state.book if self.tournament.opened else self._rulebook

    # ----------------------------------------------------------------------------------- recovery

    def recover(self, table: str, events: Iterable[tuple[int, int, bytes]]) -> None:
        """Apply what the ledger holds of one table; before the first step."""
        self._recovered += self._tables.recover(table, events)
        self._count_field()

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
        if self._field_changed and now - self._counted_at >= self._count_ms:
            self._counted_at = now
            self._count_field()
        due = [*self.tournament.go_on(now), *self._let_expire(now), *self._keep_time(now)]
        effects += due
        if self._bus_up:
            effects += self._speak(given, now, everybody=bool(due))
        effects += self._screen.show_tables(now)
        effects += self._screen.show(lambda: self._clock_state(now), self._no_bus_since, now)
        # While the broker is away nothing is queued: what still matters then is said when it is back.
        effects = [effect for effect in effects if self._bus_up or not isinstance(effect, Publish)]
        # The director is answered last, when what was done is on the disk.
        effects.sort(key=lambda effect: isinstance(effect, Reply))
        return effects, self._wake_at(now)

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
        said_for = (self._tables.changes.count, self.tournament.version)
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
                    self.tournament.disk = ""
                self._field_changed = True
            case LeaseGranted():
                yield from self._tables.machines.granted(given, now)
            case NotRecorded():
                # Not acknowledged, so the tables keep it and send it again.
                self._tables.not_recorded()
                self.tournament.disk = given.why
                yield from self._alerts.warn("disk", f"Nothing can be recorded: {given.why}.")
            case DiskWasSlow():
                self._slow_until = Millis(now + SLOW_SAID_MS)
                text = f"The station's disk took {given.seconds:.0f} s to record: make a backup."
                yield from self._alerts.warn("slow disk", text)
            case MachineSeen():
                yield from self._alerts.machine(given.machine)
            case RecordsCommitted():
                self._alerts.end("disk")
                yield from self.tournament.committed(now)
                self._count_field()
            case RecordsRefused():
                yield from self._alerts.warn("disk", f"Nothing can be recorded: {given.why}.")
                yield from self.tournament.not_committed(given.why, now)
            case Directed():
                yield from self._directed(given, now)
            case SheetWanted():
                yield SheetMade(given.id, self.tournament.sheet(given.name))
            case Quarantined():
                yield from self._alerts.warn("quarantine", f"{given.words}. Its bytes are kept for an engineer.")
                if isinstance(given.given, SheetWanted):
                    yield SheetMade(given.given.id, b"")
                if isinstance(given.given, Directed):
                    text = "That could not be carried out, and nothing was changed: a fault of the station's."
                    yield Reply(given.given.id, text, refused=True)
            case BusUp():
                yield from self._on_bus_up(now)
            case BusDown():
                yield from self._on_bus_down(given, now)

    def _wake_at(self, now: Millis) -> Millis:
        dues = self._clock.changes_at(now), self._director.next_expiry(), self.tournament.wake_at()
        times = [self._next_beat, self._next_clock, *self._screen.wake_at()]
        if self._field_changed:
            times.append(Millis(self._counted_at + self._count_ms))
        return min([*times, *(due for due in dues if due is not None)])

    # ---------------------------------------------------------------------------------------- bus

    def _on_bus_up(self, now: Millis) -> Iterator[Effect]:
        self._no_bus_since = None
        self._alerts.end("bus")
        yield Say(f"connected to the broker at {self._config.broker.url}")
        self._processes.bus_up(now)
        yield from self._tables.bus_up(now)
        self._next_clock = now

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
        for table, command in self._director.expired(now):
            yield DropCommand(command.id)
            text = f"Table {table} did not answer in time: {command_words(command)} is not done. Decide again."
            yield from self._alerts.warn(f"expired {table}", text)

    def _commands(self, table: str, now: Millis) -> list[AnyTableCommand]:
        """The current commands for the table."""
        if self._restored.open is not None:
            return self._director.commands(table)
        after = self._tables.known.seats_changed_at(table)
        seats = self.tournament.orders(table, after) if after is not None else []
        clock = self.tournament.clock_orders(table, now)
        presence = self.tournament.presence_orders(table)
        return [*self._clock.commands(now), *clock, *self._director.commands(table), *seats, *presence]

    # ------------------------------------------------------------------------------- clock and beat

    def _keep_time(self, now: Millis) -> Iterator[Effect]:
        if now >= self._next_beat:
            self._next_beat = Millis(now + BEAT_MS)
            self._screen.changed()  # "seen 3 s ago"
            if now >= self._slow_until:
                self._alerts.end("slow disk")
            clock = self._shown_clock.at if self._shown_clock is not None else Millis(0)
            beat = encode(Beat(self._clock.boot, now, clock=clock))
            yield Publish(topics.tournament(self._config.venue, "beat"), beat, qos=0)
            yield Show("beat", beat)
        state = self._clock_state(now)
        if now >= self._next_clock or _differs(state, self._shown_clock):
            self._next_clock = Millis(now + CLOCK_MS)
            self._shown_clock = state
            self._screen.changed()
            # On the disk before anyone sees it: a clock that was seen is the clock after a restart.
            yield SaveClock(self._clock.record(now))
            raw = encode(state)
            yield Publish(topics.tournament(self._config.venue, "clock"), raw, retain=True)
            yield Show("clock", raw)

    def _clock_state(self, now: Millis) -> ClockState:
        return clock_state(self._clock.clock, now, self._field, note=self.tournament.over())

    def _count_field(self) -> None:
        entrants = max(self._config.entrants, self._field.entrants)
        self._field_changed = False
        self._field = self.tournament.posted(
            self.tournament.field() or field_of(self._tables.known.views(), entrants=entrants)
        )


def _differs(state: ClockState, shown: ClockState | None) -> bool:
    """Whether screens need an update now: anything but the time running down."""
    if shown is None or state.running != shown.running:
        return True
    same = msgspec.structs.replace(state, at=shown.at, left_ms=shown.left_ms)
    return same != shown
