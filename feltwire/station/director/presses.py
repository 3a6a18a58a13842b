"""A press of a person at the station: which part of it carries the command out, and the answer."""

from __future__ import annotations

from collections.abc import Iterator

from feltwire.runtime.node_io import TOO_LATE, Reply
from feltwire.runtime.views import Part, Views
from feltwire.station.clock import StationClock
from feltwire.station.director.arguments import ClipWanted, HandOverWanted, PictureWanted, arguments_of
from feltwire.station.director.director import Director
from feltwire.station.director.proof import BY_THEMSELVES, OF_RIGHTS, unproven_by_itself
from feltwire.station.director.ruling_facts import RulingFactsWanted, ruling_facts
from feltwire.station.look import COMMANDS as LOOK
from feltwire.station.look import StationLook
from feltwire.station.phone.requests import COMMANDS as PLAYERS
from feltwire.station.phone.requests import PhoneRequests
from feltwire.station.phones import COMMANDS as PHONES
from feltwire.station.phones import Phones
from feltwire.station.plugged import COMMANDS as DEVICES
from feltwire.station.plugged import PluggedDevices
from feltwire.station.programs import COMMANDS as PROGRAMS
from feltwire.station.programs import Programs
from feltwire.station.queue.exception_queue import COMMANDS as queue_commands
from feltwire.station.queue.exception_queue import ExceptionQueue, ItemWanted
from feltwire.station.restored import COMMAND as records_complete
from feltwire.station.restored import GO_ON_WITHOUT, RestoredRecords
from feltwire.station.station_io import CloseClip, Directed, Effect
from feltwire.station.tables.cells import STALE_MS
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.overlooked import apart
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import Expiry, Millis, encode
from table_core.projections.table import TableProjection

PICTURE_LIFE_MS = 10_000  # nobody looks for it any longer


class Presses:
    """Each press is carried out once, however often it comes; a late one not at all."""

    def __init__(
        self,
        director: Director,
        tournament: StationTournament,
        tables: StationTables,
        queue: ExceptionQueue,
        clock: StationClock,
        restored: RestoredRecords,
        phones: Phones,
        programs: Programs,
        plugged: PluggedDevices,
        look: StationLook,
        requests: PhoneRequests,
        views: Views,
        *,
        opens_clips: bool,
    ) -> None:
        self._director = director
        self._tournament = tournament
        self._tables = tables
        self._queue = queue
        self._clock = clock
        self._restored = restored
        self._phones = phones
        self._programs = programs
        self._plugged = plugged
        self._look = look
        self._requests = requests
        self._views = views
        self._opens_clips = opens_clips

    def take(self, given: Directed, now: Millis, *, bus_up: bool) -> Iterator[Effect]:
        if (unproven := unproven_by_itself(given)) is not None:
            yield from self._director.once(given, lambda given: self._director.ask_pin(given, unproven))
            return
        for effect in self._carry_out(given, now, bus_up):
            if isinstance(effect, OF_RIGHTS) and given.command not in BY_THEMSELVES:
                raise AssertionError(f"{given.command} hands over what needs a PIN: name it in BY_THEMSELVES")
            yield effect
        self._queue.pressed(given.command, given.arguments, given.by, now)

    def _carry_out(self, given: Directed, now: Millis, bus_up: bool) -> Iterator[Effect]:
        once = self._director.once
        if given.command in queue_commands:
            yield from once(given, lambda given: self._about_item(given, now))
        elif self._tournament.takes(given.command):
            yield from once(given, lambda given: self._tournament.take(given, now))
        elif given.command == "hand_over":
            yield from once(given, lambda given: self._hand_over(apart(given)[0]))
        elif given.command == GO_ON_WITHOUT:
            wall = self._clock.wall(now)
            yield from once(given, lambda given: self._restored.without_lost(apart(given)[0], wall))
        elif given.command == records_complete:
            yield from once(given, lambda given: self._restored.complete(apart(given)[0]))
        elif given.command in PHONES:
            yield from once(given, lambda given: self._phones.press(given, now, bus_up=bus_up))
        elif given.command in DEVICES:
            yield from once(given, self._plugged.press)
        elif given.command in LOOK:
            yield from once(given, self._look.press)
        elif given.command in PLAYERS:
            yield from once(given, lambda given: self._requests.press(given, now))
        elif given.command in PROGRAMS:
            yield from once(given, lambda given: self._programs.press(apart(given)[0], now, bus_up=bus_up))
        elif given.command == "ruling_facts":
            yield from once(given, self._ruling_facts)
        elif given.command == "take_picture":
            yield from once(given, lambda given: self._take_picture(given, now, bus_up))
        elif given.command == "open_clip":
            yield from once(given, lambda given: self._open_clip(given, now, bus_up))
        elif given.command == "close_clip":
            yield from once(given, self._close_clip)
        else:
            for effect in self._director.take(given, now):
                yield self._with_doubt(effect, given, now)

    def refuse_late(self, given: Directed) -> Iterator[Effect]:
        yield from self._director.once(given, lambda late: self._director.reply(late, TOO_LATE, refused=True))

    def _with_doubt(self, effect: Effect, given: Directed, now: Millis) -> Effect:
        """What was told to a table that is not heard is recorded, and no more is known."""
        table = given.arguments.get("table")
        if not isinstance(effect, Reply) or effect.refused or self._tables.known.state_of(str(table)) is None:
            return effect
        quiet_ms = self._tables.known.quiet_ms(str(table), now)
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
        table = self._tables.known.state_of(wanted.table)
        if table is None:
            yield from self._director.reply(given, f"There is no table {wanted.table!r}.", refused=True)
            return
        words, fault = self._views.show(
            Part(f"What is known of a seat at table {wanted.table}", wanted.table),
            lambda: (self._facts(wanted, table, given.by), None),
            lambda fault: (f"{fault.words}.", fault),
        )
        yield from self._director.reply(given, words, fault is not None)

    def _facts(self, wanted: RulingFactsWanted, table: TableProjection, by: str) -> str:
        out = self._tournament.pages.out_at(wanted.table)
        return encode(ruling_facts(table, out, wanted.seat, by, self._tournament.names)).decode()

    def _take_picture(self, given: Directed, now: Millis, bus_up: bool) -> Iterator[Effect]:
        wanted = arguments_of(given, PictureWanted)
        if self._tables.known.state_of(wanted.table) is None:
            yield from self._director.reply(given, f"There is no table {wanted.table!r}.", refused=True)
        elif not (bus_up and self._tables.known.is_heard(wanted.table, now)):
            text = f"Table {wanted.table} is not heard: its camera cannot be asked."
            yield from self._director.reply(given, text, refused=True)
        else:
            yield self._tables.take_picture(wanted.table, Expiry(self._clock.boot, Millis(now + PICTURE_LIFE_MS)))
            yield from self._director.reply(given, f"Table {wanted.table} is asked for its camera's picture.")

    def _open_clip(self, given: Directed, now: Millis, bus_up: bool) -> Iterator[Effect]:
        table = arguments_of(given, ClipWanted).table
        if not self._opens_clips:
            text = "This station has no key for clips: docs/venue.md says how to make one."
            yield from self._director.reply(given, text, refused=True)
        elif self._tables.known.state_of(table) is None:
            yield from self._director.reply(given, f"There is no table {table!r}.", refused=True)
        elif not (bus_up and self._tables.known.is_heard(table, now)):
            text = f"Table {table} is not heard: its clip cannot be opened."
            yield from self._director.reply(given, text, refused=True)
        else:
            expires = Expiry(self._clock.boot, Millis(now + PICTURE_LIFE_MS))
            yield from self._tables.open_clip(table, expires, given.by)
            text = f"Table {table} is asked for its camera's last three minutes; it records that you open them."
            yield from self._director.reply(given, text)

    def _close_clip(self, given: Directed) -> Iterator[Effect]:
        table = arguments_of(given, ClipWanted).table
        yield CloseClip(table)
        yield from self._director.reply(given, f"The clip of table {table} is closed.")

    def _hand_over(self, given: Directed) -> Iterator[Effect]:
        wanted = arguments_of(given, HandOverWanted)
        granted = self._tables.machines.hand_over(wanted.table, wanted.ledger, wanted.key)
        if granted is None:
            text = f"No machine claims table {wanted.table} now."
            yield from self._director.reply(given, text, refused=True)
            return
        yield granted
        text = (
            f"Table {wanted.table} is handed over to machine {wanted.ledger[:4]}. "
            "If that machine does not show the table at once, start it again."
        )
        yield from self._director.reply(given, text)
