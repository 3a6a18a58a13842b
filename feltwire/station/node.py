"""The station's node: collects the tables' events, runs the clock, sends commands to tables and views to screens.

No I/O: `step(input, now) -> effects, wake_at`. An event is acknowledged only once the ledger has it on the disk.
All other state follows from the ledgers, so the process may be killed at any instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import msgspec

from feltwire.config import StationConfig
from feltwire.ledger.room_ledger import EventVerdict
from feltwire.runtime import topics
from feltwire.runtime.certificates.expiry import CertificateExpiry
from feltwire.runtime.node_io import TOO_LATE, Arrived, BusDown, BusUp, Publish, Quarantined, Reply, Say, Show
from feltwire.station.cells import STALE_MS, room_without_ages
from feltwire.station.clock import StationClock
from feltwire.station.director import Director, command_words
from feltwire.station.director_arguments import HandOverWanted, PictureWanted, arguments_of
from feltwire.station.leases import TableLease
from feltwire.station.queue.exception_queue import COMMANDS as queue_commands
from feltwire.station.queue.exception_queue import ExceptionQueue, ItemWanted, QueueRecord, queue_without_ages
from feltwire.station.queue.of_tables import items_of_tables, no_table
from feltwire.station.ruling_facts import RulingFactsWanted, ruling_facts
from feltwire.station.station_io import (
    Committed,
    Directed,
    DropCommand,
    Effect,
    GrantLease,
    Input,
    LeaseGranted,
    NotRecorded,
    RecordsCommitted,
    RecordsRefused,
    SaveClock,
    SaveQueue,
    SheetMade,
    SheetWanted,
)
from feltwire.station.station_store import ClockRecord
from feltwire.station.tables import StationTables
from feltwire.station.tournament.commands import FORMS
from feltwire.station.tournament.forms import command_view
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import (
    AnyTableCommand,
    Beat,
    ClockState,
    Expiry,
    Frozen,
    ItemKind,
    Leaseholder,
    Malformed,
    Millis,
    QueueItem,
    decode,
    encode,
)
from table_core.projections.clock import clock_state
from table_core.projections.room import field_of, room_view
from table_core.rulebook import Rulebook
from table_core.tournament.events import OnFile
from table_core.tournament.money.league import EventResult
from table_core.tournament.night import Night

BEAT_MS = 1_000
CLOCK_MS = 10_000  # the clock is published and recorded at least this often
ROOM_MS = 100  # the room, its queue and each table are shown at most this often,
SHOWN_A_MS = 2  # and in a hall a millisecond later for so many tables
PICTURE_LIFE_MS = 10_000  # nobody looks for it any longer
# Between two looks at all tables for what one reports, a millisecond for so many: a look takes 0.04 ms for each.
TABLES_A_MS = 5


class StationNode:
    """`tournament` is the prefix of this station's command ids; `recorded` is the clock as last recorded, `queue`
    the exception queue; `night` is the tournament as its records tell it, `names` are the names of its players,
    `on_file` penalties of earlier events, `season()` the results of the league's.

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
        season: Callable[[], Sequence[EventResult]] = lambda: (),
        wall: Callable[[Millis], Millis] = lambda now: now,
    ) -> None:
        self._config = config
        self._rulebook = rulebook
        prefix = f"{tournament}/"
        night = night or Night(rulebook)
        levels = night.state.clock.levels if night.state.clock is not None else None
        self._clock = StationClock(config, prefix, boot=boot, now=now, recorded=recorded, levels=levels)
        self._director = Director(
            self._clock, prefix, config.tables, rulebook, outgoing, lambda wanted: self._tables.going_back(wanted)
        )
        known = leaseholders or {}
        self._authorities = {table: TableLease(table, known.get(table)) for table in config.tables}
        self._tables = StationTables(
            config,
            rulebook,
            prefix,
            boot=boot,
            now=now,
            answered=self._director.answered,
            authorities=self._authorities,
        )
        self.tournament = StationTournament(
            night,
            names or {},
            config=config,
            rulebook=rulebook,
            tournament=tournament,
            clock=self._clock,
            director=self._director,
            watches=self._tables.watches(),
            changes=self._tables.changes,
            facts=self._tables.facts,
            wall=wall,
            on_file=on_file,
            season=season,
            silent=self._tables.silent,
            mute=self._tables.mute,
        )
        self.tournament.restored(recorded, boot, now)
        self._recovered: list[DropCommand | Show] = []
        self._bus_up = False
        self._alerts = {"bus": f"Waiting for the broker at {config.broker.url}; the tables keep their events."}
        if self._clock.restart_note:
            self._alerts["restart"] = self._clock.restart_note
        self._field = field_of((), entrants=config.entrants)
        self._next_beat = now
        self._next_clock = now
        self._shown_clock: ClockState | None = None
        self._shown_rulings = b""
        self._wall = wall
        self._queue = ExceptionQueue(queue, now, wall(now))
        self._queue_saved = self._queue.said()
        self._no_bus_since = now
        self._goes_quiet_at: Millis | None = None
        self._shown: dict[str, Frozen] = {}
        self._commands_shown = False
        self._room_changed = True
        self._field_changed = False
        self._counted_at = now
        self._pause_ms = len(config.tables) // TABLES_A_MS
        self._room_ms = max(ROOM_MS, len(config.tables) // SHOWN_A_MS)
        self._room_shown_at = self._tables_shown_at = Millis(now - self._room_ms)
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
        if isinstance(given, Arrived) and self._only_a_beat(given, now):
            return [*self._tables.arrived(given, now)], self._wake_at(now)
        effects: list[Effect] = [*self._recovered]
        self._recovered = []
        if given is not None:
            effects += self._take(given, now)
        if self._field_changed and now - self._counted_at >= self._pause_ms:
            self._counted_at = now
            self._count_field()
        due = [*self.tournament.go_on(now), *self._let_expire(now), *self._keep_time(now)]
        effects += due
        if self._bus_up:
            effects += self._speak(given, now, everybody=bool(due))
        effects += self._show_tables(now)
        effects += self._show_room(now)
        # While the broker is away nothing is queued: what still matters then is said when it is back.
        effects = [effect for effect in effects if self._bus_up or not isinstance(effect, Publish)]
        # The director is answered last, when what was done is on the disk.
        effects.sort(key=lambda effect: isinstance(effect, Reply))
        return effects, self._wake_at(now)

    def _only_a_beat(self, given: Arrived, now: Millis) -> bool:
        """A table that was heard all along is heard: nothing is said or shown for it. Each of hundreds of tables
        beats every second, and every other input looks at all of them."""
        table, leaf = topics.split_table(given.topic) or ("", "")
        return leaf == "beat" and self._tables.is_heard(table, now)

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

    def _take(self, given: Input, now: Millis) -> Iterator[Effect]:
        self._room_changed = True
        match given:
            case Arrived() if (name := topics.device_of_expiry(given.topic)) is not None:
                self._certificate_ends(name, given.payload)
            case Arrived():
                yield from self._tables.arrived(given, now)
            case Committed():
                yield from self._tables.committed(given, now)
                if given.accepted.kind is EventVerdict.NEW:
                    self._alerts.pop("disk", None)
                    self.tournament.disk = ""
                self._field_changed = True
            case LeaseGranted():
                yield from self._tables.lease_granted(given, now)
            case NotRecorded():
                # Not acknowledged, so the tables keep it and send it again.
                for authority in self._authorities.values():
                    authority.not_taken()
                self._tables.not_recorded()
                self.tournament.disk = given.why
                yield from self._warn("disk", f"Nothing can be recorded: {given.why}.")
            case RecordsCommitted():
                self._alerts.pop("disk", None)
                yield from self.tournament.committed(now)
                self._count_field()
            case RecordsRefused():
                yield from self._warn("disk", f"Nothing can be recorded: {given.why}.")
                yield from self.tournament.not_committed(given.why, now)
            case Directed():
                yield from self._directed(given, now)
            case SheetWanted():
                yield SheetMade(given.id, self.tournament.sheet(given.name))
            case Quarantined():
                yield from self._warn("quarantine", f"{given.words}. Its bytes are kept for an engineer.")
                if isinstance(given.given, SheetWanted):
                    yield SheetMade(given.given.id, b"")
                if isinstance(given.given, Directed):
                    text = "That could not be carried out, and nothing was changed: a fault of the station's."
                    yield Reply(given.given.id, text, refused=True)
            case BusUp():
                yield from self._on_bus_up(now)
            case BusDown():
                yield from self._on_bus_down(given, now)

    def _certificate_ends(self, name: str, payload: bytes) -> None:
        """A device reports which of its certificates expires first."""
        kind = f"ends {name}"
        try:
            ends = decode(payload, CertificateExpiry)
        except Malformed:
            return
        if not ends.soon:
            self._alerts.pop(kind, None)
        elif (text := ends.words(name)) not in self._alerts.values():  # the broker's is said by each device
            self._alerts[kind] = text

    def _wake_at(self, now: Millis) -> Millis:
        times = [self._next_beat, self._next_clock]
        if self._tables.changed:
            times.append(Millis(self._tables_shown_at + self._room_ms))
        if self._room_changed:
            times.append(Millis(self._room_shown_at + self._room_ms))
        times += [
            due
            for due in (
                self._clock.changes_at(now),
                self._director.next_expiry(),
                self.tournament.wake_at(),
                self._goes_quiet_at,
            )
            if due is not None
        ]
        return min(times)

    # ---------------------------------------------------------------------------------------- bus

    def _on_bus_up(self, now: Millis) -> Iterator[Effect]:
        self._bus_up = True
        self._alerts.pop("bus", None)
        yield Say(f"connected to the broker at {self._config.broker.url}")
        yield from self._tables.bus_up(now)
        self._next_clock = now

    def _on_bus_down(self, given: BusDown, now: Millis) -> Iterator[Effect]:
        why = given.why or f"broker at {self._config.broker.url}: no connection"
        text = f"{why[0].upper()}{why[1:]}. The tables play on and keep their events."
        self._tables.bus_down()
        if self._bus_up:
            self._no_bus_since = now
        self._bus_up = False
        if self._alerts.get("bus") != text:
            self._alerts["bus"] = text
            yield Say(text, "warning")

    # --------------------------------------------------------------------------------- the director

    def _directed(self, given: Directed, now: Millis) -> Iterator[Effect]:
        if given.until is not None and given.until < now:
            yield from self._director.once(given, lambda late: self._director.reply(late, TOO_LATE, True))
            return
        for kind in [kind for kind in self._alerts if kind.startswith("expired")]:
            del self._alerts[kind]  # the director is there and decides anew
        if given.command in queue_commands:
            yield from self._director.once(given, lambda given: self._about_item(given, now))
        elif self.tournament.takes(given.command):
            yield from self._director.once(given, lambda given: self.tournament.take(given, now))
        elif given.command == "hand_over":
            yield from self._director.once(given, self._hand_over)
        elif given.command == "ruling_facts":
            yield from self._director.once(given, self._ruling_facts)
        elif given.command == "take_picture":
            yield from self._director.once(given, lambda given: self._take_picture(given, now))
        else:
            for effect in self._director.take(given, now):
                yield self._with_doubt(effect, given, now)
        self._queue.pressed(given.command, given.arguments, given.by, now)
        if self._clock.touched:
            self._alerts.pop("restart", None)

    def _with_doubt(self, effect: Effect, given: Directed, now: Millis) -> Effect:
        """What was told to a table that is not heard is recorded, and no more is known."""
        table = given.arguments.get("table")
        if not isinstance(effect, Reply) or effect.refused or table not in self._authorities:
            return effect
        quiet_ms = self._tables.quiet_ms(table, now)
        if quiet_ms < STALE_MS:
            return effect
        said = f"Recorded. Table {table} has not been heard for {quiet_ms // 1_000} s and has not answered yet."
        return Reply(effect.id, said)

    def _about_item(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, ItemWanted)
        text, refused = self._queue.press(given.command, wanted.item, given.by or "The director", now)
        yield from self._director.reply(given, text, refused)

    def _ruling_facts(self, given: Directed) -> Iterator[Effect]:
        wanted = arguments_of(given, RulingFactsWanted)
        table = self._tables.state_of(wanted.table)
        if table is None:
            yield from self._director.reply(given, f"There is no table {wanted.table!r}.", refused=True)
            return
        out = self.tournament.out_at(wanted.table)
        facts = ruling_facts(table, out, wanted.seat, given.by, self.tournament.names)
        yield from self._director.reply(given, encode(facts).decode())

    def _take_picture(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, PictureWanted)
        if wanted.table not in self._authorities:
            yield from self._director.reply(given, f"There is no table {wanted.table!r}.", refused=True)
        elif not (self._bus_up and self._tables.is_heard(wanted.table, now)):
            text = f"Table {wanted.table} is not heard: its camera cannot be asked."
            yield from self._director.reply(given, text, refused=True)
        else:
            yield self._tables.take_picture(wanted.table, Expiry(self._clock.boot, Millis(now + PICTURE_LIFE_MS)))
            yield from self._director.reply(given, f"Table {wanted.table} is asked for its camera's picture.")

    def _hand_over(self, given: Directed) -> Iterator[Effect]:
        wanted = arguments_of(given, HandOverWanted)
        authority = self._authorities.get(wanted.table)
        epoch = None
        if authority is not None:
            epoch = authority.hand_over(wanted.ledger, wanted.key, self._tables.head_of(wanted.table))
        if epoch is None:
            text = f"No machine claims table {wanted.table} now."
            yield from self._director.reply(given, text, refused=True)
            return
        yield GrantLease(wanted.table, wanted.ledger, wanted.key, epoch)
        text = (
            f"Table {wanted.table} is handed over to machine {wanted.ledger[:4]}: epoch {epoch} begins. "
            "If that machine does not show the table at once, start it again."
        )
        yield from self._director.reply(given, text)

    def _let_expire(self, now: Millis) -> Iterator[Effect]:
        for table, command in self._director.expired(now):
            yield DropCommand(command.id)
            text = f"Table {table} did not answer in time: {command_words(command)} is not done. Decide again."
            yield from self._warn(f"expired {table}", text)

    def _commands(self, table: str, now: Millis) -> list[AnyTableCommand]:
        """The current commands for the table."""
        after = self._tables.seats_changed_at(table)
        seats = self.tournament.orders(table, after) if after is not None else []
        clock = self.tournament.clock_orders(table, now)
        presence = self.tournament.presence_orders(table)
        return [*self._clock.commands(now), *clock, *self._director.commands(table), *seats, *presence]

    # ------------------------------------------------------------------------------- clock and beat

    def _keep_time(self, now: Millis) -> Iterator[Effect]:
        if now >= self._next_beat:
            self._next_beat = Millis(now + BEAT_MS)
            self._room_changed = True  # "seen 3 s ago"
            beat = encode(Beat(self._clock.boot, now))
            yield Publish(topics.tournament(self._config.venue, "beat"), beat, qos=0)
            yield Show("beat", beat)
        state = clock_state(self._clock.clock, now, self._field)
        if now >= self._next_clock or _differs(state, self._shown_clock):
            self._next_clock = Millis(now + CLOCK_MS)
            self._shown_clock = state
            self._room_changed = True
            # On the disk before anyone sees it: a clock that was seen is the clock after a restart.
            yield SaveClock(self._clock.record(now))
            raw = encode(state)
            yield Publish(topics.tournament(self._config.venue, "clock"), raw, retain=True)
            yield Show("clock", raw)

    # ------------------------------------------------------------------------------------- the room

    def _count_field(self) -> None:
        entrants = max(self._config.entrants, self._field.entrants)
        self._field_changed = False
        self._field = self.tournament.posted(
            self.tournament.field() or field_of(self._tables.views(), entrants=entrants)
        )

    def _may_show(self, now: Millis) -> bool:
        return now - self._room_shown_at >= self._room_ms

    def _show_tables(self, now: Millis) -> Iterator[Effect]:
        """Pages get the newest state of a table, not each one: it costs more than to collect the event."""
        if self._tables.changed and now - self._tables_shown_at >= self._room_ms:
            self._tables_shown_at = now
            yield from self._tables.show_changed()

    def _show_room(self, now: Millis) -> Iterator[Effect]:
        if self._goes_quiet_at is not None and now >= self._goes_quiet_at:
            self._room_changed = True
        if self._room_changed and self._may_show(now):
            self._room_changed = False
            self._room_shown_at = now
            self._goes_quiet_at = self._tables.goes_quiet_at(now)
            queue = self._queue.look(self._waiting(now), now)
            room = room_view(
                venue=self._config.venue,
                rulebook=self._rulebook.id,
                cells=self._tables.cells(now, self.tournament.closed(), queue.items),
                clock=clock_state(self._clock.clock, now, self._field),
            )
            yield from self._show_anew("room", room, room_without_ages(room))
            yield from self._show_anew("queue", queue, queue_without_ages(queue))
            yield from self._save_queue(now)
            yield from self._show_tournament(now)
            rulings = encode(self._tables.rulings())
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
        if said != self._queue_saved:
            self._queue_saved = said
            yield SaveQueue(self._queue.kept(now, self._wall(now)))

    def _show_tournament(self, now: Millis) -> Iterator[Effect]:
        if not self._commands_shown:
            self._commands_shown = True
            yield Show("commands", _forms())
        announced = self.tournament.announced()
        if announced is not None:
            yield Show("announcements", announced)
        for channel, snapshot in self.tournament.shown(now).items():
            yield Show(channel, snapshot)

    def _waiting(self, now: Millis) -> Iterator[QueueItem]:
        """Everything that waits for a person. What the disk does not take is an item of the tournament;
        without a broker no table is silent by itself."""
        said = {"bus"} | ({"disk"} if self.tournament.opened and self.tournament.disk else set())
        alerts = [text for kind, text in self._alerts.items() if kind not in said]
        alerts += self._tables.problems(now)
        tables = self._tables
        yield from items_of_tables(tables.views(), tables.devices(), tables.rulings(), tables.claims(now), alerts)
        away_ms = 0 if self._bus_up else now - self._no_bus_since
        quiet_ms = max(away_ms, self._tables.all_quiet_ms(now, self.tournament.closed()))
        if quiet_ms >= STALE_MS:
            yield no_table(Millis(quiet_ms))
        for item in self.tournament.queued(now):
            if quiet_ms < STALE_MS or item.kind not in (ItemKind.SILENT, ItemKind.NO_ANSWER):
                yield item

    def _warn(self, kind: str, text: str) -> Iterator[Effect]:
        if self._alerts.get(kind) != text:
            self._alerts[kind] = text
            yield Say(text, "warning")


@cache
def _forms() -> bytes:
    """Every command of the tournament with its fields, JSON: the same for every station."""
    return msgspec.json.encode(command_view(FORMS))


def _differs(state: ClockState, shown: ClockState | None) -> bool:
    """Whether screens need an update now: anything but the time running down."""
    if shown is None or state.running != shown.running:
        return True
    same = msgspec.structs.replace(state, at=shown.at, left_ms=shown.left_ms)
    return same != shown
