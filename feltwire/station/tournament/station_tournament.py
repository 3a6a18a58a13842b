"""The tournament at the station: commands in, records on the disk, then everything else.

One command at a time: it is decided, its records are committed, and only then does anybody see what it did. A
commit that fails takes the command back. What tables report (a bust, a player who left, one who sits) becomes a
command by itself as long as the records do not have it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta

from feltwire.config import StationConfig
from feltwire.station.clock import StationClock
from feltwire.station.director import Director, arguments_of
from feltwire.station.station_io import CommitRecords, Directed, Effect, FilePenalties, SavePlayer
from feltwire.station.station_store import ClockRecord
from feltwire.station.tournament.items import Item, items
from feltwire.station.tournament.penalty_file import day_of, to_file
from feltwire.station.tournament.players_import import PlayersImport
from feltwire.station.tournament.seat_orders import (
    Given,
    SeatOrders,
    Seen,
    chips_to_take_back,
    left_with,
    seated_with,
)
from feltwire.station.tournament.sheets import sheet_of
from feltwire.station.tournament.table_watch import Changes, TableWatch
from feltwire.station.tournament.view import field_of_night, posted, tournament_view
from feltwire.station.tournament.words import words
from table_core.messages import (
    ChangeSeats,
    Chips,
    FollowClock,
    Frozen,
    Level,
    Malformed,
    Millis,
    Name,
    Refusal,
    Text,
    convert,
)
from table_core.messages.base import Many
from table_core.projections.room import Field
from table_core.rulebook import Rulebook, RulebookError, load_rulebook
from table_core.rulebook_check import contradictions
from table_core.tournament.announcements import announced
from table_core.tournament.clock import ScheduleError, TournamentClock
from table_core.tournament.control import PressClock
from table_core.tournament.disputes import CloseDispute, OpenDispute
from table_core.tournament.events import (
    BustDropped,
    BustReported,
    DisputeOpened,
    Instant,
    Left,
    OnFile,
    Returned,
    TablePlan,
    Undone,
)
from table_core.tournament.field.absences import Leave, Return
from table_core.tournament.field.busts import DropBust, ReportBust
from table_core.tournament.field.registration import Register
from table_core.tournament.hand_for_hand import next_step
from table_core.tournament.night import COMMANDS, Night, Recorded, Undo
from table_core.tournament.opening import EditSchedule, GoToLevel, Open, RestartClock, Start
from table_core.tournament.players_text import read_players
from table_core.tournament.schedule import time_of_day
from table_core.tournament.schedule_text import read_schedule
from table_core.tournament.seats.moves import ReportLeft, ReportSeated
from table_core.tournament.state import Facts, MoveStage, State, Status
from table_core.tournament.stops import Wait, break_rule, broken_wait, stopped_wait

TRY_AGAIN_MS = 1_000  # after a disk that did not take a record
MOST_WAITING = 100
SHOWN_MS = 1_000  # what tables report is shown at most so often; what people decide, at once
BY_TABLE = "table "  # begins who reported what a table's events say


def command_name(kind: type) -> str:
    """`ConfirmBust` is `confirm_bust`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


NOT_PRESSED = (RestartClock, PressClock)  # what happens by itself
NAMES: Mapping[str, type] = {command_name(kind): kind for kind in (*COMMANDS, Undo) if kind not in NOT_PRESSED}


class AddPlayer(Frozen, frozen=True):
    """A name for the register, under an `id` that tables and screens show; without one the next free `p…`."""

    name: Text
    id: Name = ""


class RegisterNew(Frozen, frozen=True):
    """`AddPlayer` and `Register` in one."""

    name: Text
    id: Name = ""
    member: bool = False
    adult: bool = False
    regular: bool = False
    anyway: Text = ""
    online: bool = False
    applied: bool = False
    locked_out_before: bool = False


class ImportPlayers(Frozen, frozen=True):
    """Register everybody on a list, the text of a CSV file; `part`: also where some lines are wrong."""

    text: Annotated[str, Meta(max_length=100_000)]
    part: bool = False


class ForgetPlayer(Frozen, frozen=True):
    """Delete the name of a player; the records keep the id."""

    player: Name


class OpenHere(Frozen, frozen=True):
    """`Open`; what is not given comes from the configuration of the station, `house` goes over its settings."""

    name: Text = ""
    rulebook: Name = ""
    tables: Many[TablePlan] = ()
    levels: Many[Level] = ()
    seed: Text = ""
    house: dict[str, Any] | None = None
    starts: Millis | None = None
    day: Name = ""
    on_file: Many[OnFile] = ()


class PreviousLevel(Frozen, frozen=True):
    """Back to the entry of the schedule before the present one, with its whole time."""


class LoadSchedule(Frozen, frozen=True):
    """Another schedule, as the text of a CSV or TOML file."""

    text: Annotated[str, Meta(max_length=100_000)]


class SelectLevelHere(Frozen, frozen=True):
    level: int | None = None
    entry: int | None = None


OWN: Mapping[str, type] = {
    "add_player": AddPlayer,
    "forget_player": ForgetPlayer,
    "register_new": RegisterNew,
    "import_players": ImportPlayers,
    "previous_level": PreviousLevel,
    "load_schedule": LoadSchedule,
}
FORMS: Mapping[str, type] = {**NAMES, **OWN, "open": OpenHere}


@dataclass(slots=True)
class _Pending:
    """Records on their way to the disk, and who waits for them."""

    records: tuple[Recorded, ...]
    given: Directed | None
    said: str = ""  # the answer; empty: what the records say


class StationTournament:
    """`night` as replayed from the disk. `wall` gives the wall time (ms since 1970) that annotates a boot time.
    `watches` are the tables', `projected(table)` the facts of one."""

    def __init__(
        self,
        night: Night,
        names: Mapping[str, str],
        *,
        config: StationConfig,
        rulebook: Rulebook,
        tournament: str,
        clock: StationClock,
        director: Director,
        watches: Mapping[str, TableWatch],
        changes: Changes,
        facts: Callable[[], Facts],
        wall: Callable[[Millis], Millis],
        offline: Callable[[], Mapping[str, Millis]],
        mute: Callable[[], tuple[str, ...]],
        on_file: Sequence[OnFile] = (),
    ) -> None:
        self.night = night
        self.names = dict(names)
        self._config = config
        self._rulebook = rulebook
        self._tournament = tournament
        self._clock = clock
        self._director = director
        self._watches = watches
        self._changes = changes
        self.facts = facts
        self._wall = wall
        self._on_file = tuple(on_file)
        self._filed: tuple[OnFile, ...] | None = None
        self._offline = offline
        self._mute = mute
        self.disk = ""  # why nothing can be recorded
        self._orders = SeatOrders(f"{tournament}/")
        self._given = Given.by(night.records)
        self._done = {record.command for record in night.records}
        self._reported = _Reported(night.records)
        self._waiting: deque[tuple[Directed, Any]] = deque()
        self._pending: _Pending | None = None
        self._again_at: Millis | None = None
        self._starts_at: Millis | None = None  # by itself
        self._seen_at: Any = None
        self._seen_then = Seen.of(self._given, {})
        self._told: dict[str, tuple[Any, ChangeSeats | None]] = {}
        self.version = 1  # of what pages show
        self._looked: Any = None
        self._shown: Any = None
        self._shown_at = Millis(0)
        self._announced_at = 0

    # ------------------------------------------------------------------------------------- for the node

    @property
    def opened(self) -> bool:
        """There is a tournament; without one the station's clock is a clock by itself."""
        return self.night.state.opened

    def takes(self, command: str) -> bool:
        """Whether this is a command of the tournament now."""
        clock = command in ("pause", "resume", "next_level", "select_level")
        return self.opened if clock else command in NAMES or command in OWN

    def wake_at(self) -> Millis | None:
        return min((at for at in (self._again_at, self._starts_at) if at is not None), default=None)

    def take(self, given: Directed, now: Millis) -> Iterator[Effect]:
        """A press of the director. Raise `Malformed` for arguments that are none of its command."""
        if given.id in self._done:
            yield from self._director.reply(given, "That is on record already.")
            return
        if any(given.id == waiting.id for waiting, _ in self._waiting) or self._waits_for(given.id):
            return
        if given.command == "add_player":
            yield from self._add_player(given)
        elif given.command == "forget_player":
            yield from self._forget_player(given)
        elif len(self._waiting) >= MOST_WAITING:
            yield from self._director.reply(given, "Too many presses wait for the disk; press again.", True)
        else:
            yield from self._take_up(given, now)

    def _take_up(self, given: Directed, now: Millis) -> Iterator[Effect]:
        if given.command != "register_new":
            self._waiting.append((given, self._decoded(given, now)))
            return
        wanted = arguments_of(given, RegisterNew)
        player = self._new_player(wanted.name.strip(), wanted.id.strip())
        if isinstance(player, Refusal):
            yield from self._director.reply(given, player.reason, True)
            return
        yield SavePlayer(player, self.names[player])
        registered = Register(
            player,
            wanted.member,
            wanted.adult,
            wanted.regular,
            wanted.anyway,
            wanted.online,
            applied=wanted.applied,
            locked_out_before=wanted.locked_out_before,
        )
        self._waiting.append((given, registered))

    def go_on(self, now: Millis) -> Iterator[Effect]:
        """What tables have reported, then the presses that wait, as far as the disk has what came before."""
        if self._again_at is not None and now < self._again_at:
            yield from self._answer_waiting()
            return
        self._again_at = None
        self._starts_at = self._start_of_play(now)
        if self._filed is None and self._pending is None and self.opened:
            yield from self._file_penalties()
        if self._pending is None and self.opened:
            yield from self._take_reports(now)
        while self._pending is None and self._waiting:
            given, command = self._waiting.popleft()
            if isinstance(command, ImportPlayers):
                yield from self._import(command, given, now)
            else:
                yield from self._do(command, now, given=given, by=given.by)

    def _start_of_play(self, now: Millis) -> Millis | None:
        """When the clock starts by itself, in boot time: where the book has a time of day for it and everybody
        sits at a table with a button."""
        state = self.night.state
        tables = state.seats.open_tables()
        if state.started is not None or state.cancelled or state.starts is None or not tables:
            return None
        if state.book.tournament.start_time is None or any(table.button is None for table in tables):
            return None
        return Millis(now + state.starts - self._wall(now))

    def committed(self, now: Millis) -> Iterator[Effect]:
        """What was decided is on the disk: now it is so."""
        pending, self._pending = self._pending, None
        if pending is None:
            return
        self.disk = ""
        self._done |= {record.command for record in pending.records}
        if any(isinstance(record.event, Undone) for record in pending.records):
            self._given = Given.by(self.night.records)
        else:
            for record in pending.records:
                self._given.take(record)
        self._reported.take(pending.records)
        self.version += 1
        self._follow_clock(now)
        yield from self._file_penalties()
        if pending.given is not None:
            text = pending.said or "; ".join(words(record.event, self.names) for record in pending.records)
            rules = [getattr(record.event, "rule", "") for record in pending.records]
            text = text if pending.said else _with_practice(f"{text}.", rules, self.night.state.book)
            yield from self._director.reply(pending.given, text)

    def _file_penalties(self) -> Iterator[FilePenalties]:
        """What has to outlive the event, where it changed."""
        filed = to_file(self.night.state)
        if filed != self._filed and self.opened:
            self._filed = filed
            yield FilePenalties(self._tournament, self.night.state.day, filed)

    def not_committed(self, why: str, now: Millis) -> Iterator[Effect]:
        """The disk has nothing of it: nothing happened."""
        pending, self._pending = self._pending, None
        if pending is None:
            return
        self.night = Night.replayed(self.night.records[: -len(pending.records)], self._rulebook)
        self._again_at = Millis(now + TRY_AGAIN_MS)
        self.disk = why
        if pending.given is not None:
            yield from self._director.reply(pending.given, f"Nothing was done: {why}.", True)

    def restored(self, recorded: ClockRecord | None, boot: str, now: Millis) -> None:
        """The station was started: the clock is that of the records. After a reboot it goes on from where it was
        last seen, which is a record as well."""
        clock = self.night.state.clock
        if clock is None:
            return
        if clock.mark.boot != boot:
            mark = clock.mark
            if recorded is not None and recorded.mark.revision == mark.revision:
                mark = recorded.mark
            clock, _ = TournamentClock.restored(clock.levels, mark, boot=boot, now=now)
        self._clock.follow(clock, now)
        self._clock.touched = False

    def field(self) -> Field | None:
        """The field of the tournament; None before anybody has entered."""
        return field_of_night(self.night) if self.opened else None

    def posted(self, field: Field) -> Field:
        """`field` with buy-in and prizes, where the event posts them on the clock."""
        return posted(self.night, field)

    def shown(self, now: Millis) -> bytes | None:
        """The tournament for pages and programs; None where that is shown already."""
        if self._pending is not None:
            return None
        state = self.version, self._changes.count, self._items(now) if self.opened else ()
        decided = self._shown is None or self._shown[0] != self.version
        if self._shown == state or (not decided and now < self._shown_at + SHOWN_MS):
            return None
        self._shown, self._shown_at = state, now
        return self.view(now)

    def view(self, now: Millis) -> bytes:
        """The tournament at this moment, JSON."""
        at = Instant(self._clock.boot, now, self._wall(now))
        shown = tournament_view(self.night, self.names, self.facts(), self._seen(), at)
        return msgspec.json.encode(
            shown | ({"items": self._items(now), "control": self._control()} if self.opened else {"items": ()})
        )

    def _control(self) -> dict[str, Any]:
        """What the clock stands for, and why no hand begins."""
        state = self.night.state
        wait = stopped_wait(state)
        return {
            "cancelled": state.cancelled,
            "clock_table": state.clock_table,
            "disputes": list(state.disputes),
            "hand_for_hand": state.round_hands if state.hand_for_hand is not None else None,
            "no_hand": wait.why if wait is not None else "",
            "rule": wait.rule if wait is not None else "",
        }

    def _items(self, now: Millis) -> tuple[Item, ...]:
        at = Instant(self._clock.boot, now, self._wall(now))
        offline = {table: Millis(at.wall - (now - heard)) for table, heard in self._offline().items()}
        return items(self.night.state, self.facts(), at, disk=self.disk, offline=offline, mute=self._mute())

    def announced(self) -> bytes | None:
        """What is announced before the start, for everybody; None where that is shown already."""
        if self._pending is not None or self._announced_at == self.version:
            return None
        self._announced_at = self.version
        state = self.night.state if self.opened else State(self._rulebook)
        return msgspec.json.encode(announced(state, self._config.levels, self._config.time_zone))

    def sheet(self, name: str) -> bytes:
        """A sheet as JSON; empty for a name that there is not. What is not on the disk yet is not in it."""
        night = self.night
        if self._pending is not None:
            night = Night.replayed(night.records[: -len(self._pending.records)], self._rulebook)
        sheet = sheet_of(name, night, self.names, self.facts())
        return msgspec.json.encode(sheet) if sheet is not None else b""

    def orders(self, table: str, after: tuple[int, int]) -> list[ChangeSeats]:
        """What the table is to be told about its seats; nothing before it is on the disk."""
        if not self.opened:
            return []
        known, command = self._told.get(table, (None, None))
        if self._pending is not None:
            return [] if command is None else [command]
        state = (self.version, after, self._changes.count)
        if known != state:
            command = self._orders.of(table, self.night.state, self._seen(), after)
            self._told[table] = (state, command)
        return [] if command is None else [command]

    def clock_orders(self, table: str, now: Millis) -> list[FollowClock]:
        """What the table is to be told of the clock; nothing where it does not play in the tournament."""
        state = self.night.state
        seats = state.seats.tables.get(table)
        if not self.opened or self._pending is not None or seats is None:
            return []
        if not seats.open and not seats.players:
            return []
        last = state.round_hands.get(table) if state.hand_for_hand is not None else None
        wait = broken_wait(seats) or stopped_wait(state)
        if last is not None and state.hand_for_hand is not None:
            wait = wait or (Wait("", state.hand_for_hand.rule))
        here = table == state.clock_table
        return [self._clock.orders(now, wait, break_rule(state), last, kept_here=here)]

    def _seen(self) -> Seen:
        """What the tables have of the draw that holds, computed once for all of them."""
        state = self.version, self._changes.count
        if self._seen_at != state:
            self._seen_at, self._seen_then = state, Seen.of(self._given, self._watches)
        return self._seen_then

    # ------------------------------------------------------------------------------------- deciding

    def _do(self, command: Any, now: Millis, *, given: Directed | None = None, by: str = "") -> Iterator[Effect]:
        id_ = given.id if given is not None else f"{by or 'station'}-{len(self.night.records) + 1}"
        at = Instant(self._clock.boot, now, self._wall(now))
        decided = self.night.do(command, at, self.facts(), id_=id_, by=by)
        if isinstance(decided, Refusal):
            if given is not None:
                text = _with_practice(decided.reason, [decided.rule], self.night.state.book)
                yield from self._director.reply(given, text, True, rule=decided.rule)
        elif not decided:
            if given is not None:
                yield from self._director.reply(given, "It is so already.")
        else:
            self._pending = _Pending(decided, given)
            yield CommitRecords(decided)

    def _decoded(self, given: Directed, now: Millis) -> Any:
        if given.command == "open":
            return self._open(given, now)
        if given.command in ("next_level", "previous_level"):
            return GoToLevel(self._clock.clock.read(now).index + (1 if given.command == "next_level" else -1))
        if given.command == "load_schedule":
            return self._loaded(arguments_of(given, LoadSchedule))
        if given.command == "select_level":
            return GoToLevel(self._entry(arguments_of(given, SelectLevelHere)))
        if given.command == "import_players":
            return arguments_of(given, ImportPlayers)
        return convert(given.arguments, NAMES[given.command])

    def _loaded(self, wanted: LoadSchedule) -> EditSchedule:
        try:
            return EditSchedule(read_schedule(wanted.text))
        except ScheduleError as error:
            raise Malformed(f"the schedule: {error}") from error

    def _open(self, given: Directed, now: Millis) -> Open:
        wanted, config = arguments_of(given, OpenHere), self._config
        seats = self._rulebook.rules.max_seats.value
        plans = tuple(TablePlan(table, seats) for table in config.tables)
        strange = [plan.table for plan in wanted.tables if plan.table not in config.tables]
        if strange:
            raise Malformed(f"there is no table {strange[0]}; there are: {', '.join(config.tables)}")
        book = self._named(wanted)
        house = config.house | (wanted.house or {})
        _check_house(book, house)
        starts = wanted.starts if wanted.starts is not None else self._book_start(wanted, now)
        return Open(
            wanted.name or config.title or config.venue,
            book.id,
            wanted.tables or plans,
            wanted.levels or config.levels,
            wanted.seed or f"{self._tournament}/{given.id}",
            house,
            starts,
            wanted.day or day_of(self._wall(now) if starts is None else starts, self._config.time_zone),
            wanted.on_file or self._on_file,
            book.recorded,
        )

    def _named(self, wanted: OpenHere) -> Rulebook:
        """The station's own rulebook, or another one of the program's. Raise `Malformed`."""
        if wanted.rulebook in ("", self._rulebook.id):
            return self._rulebook.printed()
        try:
            return load_rulebook(wanted.rulebook)
        except RulebookError as error:
            raise Malformed(f"{error}") from error

    def _book_start(self, wanted: OpenHere, now: Millis) -> Millis | None:
        """The next time that it is the book's hour, as wall time."""
        try:
            house = self._config.house | (wanted.house or {})
            book = self._named(wanted).with_house(house, event=True).tournament.start_time
            zone = ZoneInfo(self._config.time_zone or "UTC")
        except (RulebookError, ZoneInfoNotFoundError, ValueError) as error:
            raise Malformed(f"{error}") from error
        minutes = time_of_day(book.value) if book is not None else None
        if minutes is None:
            return None
        there = datetime.fromtimestamp(self._wall(now) / 1_000, zone)
        start = there.replace(hour=int(minutes) // 60, minute=int(minutes) % 60, second=0, microsecond=0)
        if start < there:
            start += timedelta(days=1)
        return Millis(round(start.timestamp() * 1_000))

    def _entry(self, wanted: SelectLevelHere) -> int:
        if wanted.entry is not None:
            return wanted.entry
        levels = self._clock.clock.levels
        found = [i for i, level in enumerate(levels) if level.no == wanted.level and not level.is_break]
        if not found:
            raise Malformed("name a level or an entry of the schedule")
        return found[0]

    def _waits_for(self, press: str) -> bool:
        return self._pending is not None and self._pending.given is not None and self._pending.given.id == press

    def _answer_waiting(self) -> Iterator[Effect]:
        """While the disk takes nothing, no press waits for it."""
        while self._waiting:
            given, _ = self._waiting.popleft()
            yield from self._director.reply(given, "Nothing was done: the disk takes no records now.", True)

    def _follow_clock(self, now: Millis) -> None:
        clock = self.night.state.clock
        if clock is not None and clock.mark.boot == self._clock.boot:
            self._clock.follow(clock, now)

    # ------------------------------------------------------------------------------------- names

    def _import(self, wanted: ImportPlayers, given: Directed, now: Millis) -> Iterator[Effect]:
        """Everybody on the list, in one transaction; nobody where a line is wrong, unless `part` is wanted."""
        if not self.opened:
            yield from self._director.reply(given, "There is no event yet: open one.", True)
            return
        at, facts = Instant(self._clock.boot, now, self._wall(now)), self.facts()
        taken = PlayersImport(
            self.names,
            self.night.state.field.entrants,
            lambda command: self.night.do(command, at, facts, id_=given.id, by=given.by),
        )
        listed, wrong = read_players(wanted.text)
        taken.take(listed)
        faults = sorted([*wrong, *taken.wrong])
        why = "".join(f"\n{fault}" for fault in faults)
        if (faults and not wanted.part) or not taken.registered:
            self.night = Night.replayed(
                self.night.records[: len(self.night.records) - len(taken.records)], self._rulebook
            )
            text = f"Nobody is registered: {len(faults)} of {len(listed) + len(wrong)} lines are wrong.{why}"
            yield from self._director.reply(given, text, True)
            return
        for player, name in taken.names.items():
            if self.names.get(player) != name:
                self.names[player] = name
                yield SavePlayer(player, name)
        entrants = self.night.state.field.entrants
        waiting = sum(entrants[player].status is Status.WAITING for player in taken.registered)
        said = f"{len(taken.registered)} players are registered" + (f", {waiting} of them wait" if waiting else "")
        self._pending = _Pending(
            tuple(taken.records), given, f"{said}.{' Not registered:' if faults else ''}{why}"
        )
        yield CommitRecords(tuple(taken.records))

    def _add_player(self, given: Directed) -> Iterator[Effect]:
        wanted = arguments_of(given, AddPlayer)
        player = self._new_player(wanted.name.strip(), wanted.id.strip())
        if isinstance(player, Refusal):
            yield from self._director.reply(given, player.reason, True)
            return
        yield SavePlayer(player, self.names[player])
        yield from self._director.reply(given, f"{self.names[player]} is player {player}.")

    def _new_player(self, name: str, player: str) -> str | Refusal:
        """The id of a new name in the register."""
        if not name:
            return Refusal(reason="Give a name.", rule="")
        if not player:
            taken = self.names.keys() | self.night.state.field.entrants.keys()
            player = next(f"p{no}" for no in range(1, len(taken) + 2) if f"p{no}" not in taken)
        elif self.names.get(player) == name and player not in self.night.state.field.entrants:
            return player  # a press that a kill cut in two is pressed again
        elif player in self.names:
            return Refusal(reason=f"{player} is {self.names[player]}: choose another id.", rule="")
        self.names[player] = name
        self.version += 1
        return player

    def _forget_player(self, given: Directed) -> Iterator[Effect]:
        player = arguments_of(given, ForgetPlayer).player
        if player not in self.names:
            yield from self._director.reply(given, f"No name is kept for {player}.", True)
            return
        del self.names[player]
        self.version += 1
        yield SavePlayer(player, "")
        yield from self._director.reply(given, f"The name of {player} is deleted.")

    # ------------------------------------------------------------------------------------- what tables report

    def _take_reports(self, now: Millis) -> Iterator[Effect]:
        """The first thing that follows from what tables say and that is not on record."""
        due = self._starts_at is not None and now >= self._starts_at
        looked = (len(self.night.records), self._changes.count, due)
        if looked == self._looked:
            return
        for table, command in list(self._reports(now)):
            yield from self._do(command, now, by=f"{BY_TABLE}{table}" if table else "")
            if self._pending is not None:
                return
        self._looked = looked

    def _reports(self, now: Millis) -> Iterator[tuple[str, Any]]:
        state = self.night.state
        if state.clock is not None and state.clock.mark.boot != self._clock.boot:
            yield "", RestartClock(self._clock.clock.marked(now).mark)
        if state.started is None and self._starts_at is not None and now >= self._starts_at:
            yield "", Start()
        yield from self._absences()
        if state.started is not None:
            yield from self._busts_taken_back()
            yield from self._busts()
            yield from self._disputes()
            if (step := next_step(state, self.facts())) is not None:
                yield "", step
        for table, watch in self._watches.items():
            if watch.clock_asked is not None and watch.clock_asked[0] not in state.clock_presses:
                yield table, PressClock(watch.clock_asked[0], table, watch.clock_asked[1])
        for name, move in state.seats.moves.items():
            ordered = move.ordered
            if move.stage is MoveStage.CONFIRMED:
                rack = left_with(ordered, self._watches)
                if rack is not None:
                    yield ordered.start.table, ReportLeft(name, Chips(rack))
            else:
                rack = seated_with(ordered, self._watches)
                if rack is not None:
                    yield ordered.to.table, ReportSeated(name, Chips(rack))

    def _disputes(self) -> Iterator[tuple[str, OpenDispute | CloseDispute]]:
        """Where the clock stands for disputes, a table that calls the floor has one until the floor is there."""
        state = self.night.state
        stops = state.book.tournament.clock_stops_for_disputes
        if stops is None or not stops.value:
            return
        for table, watch in self._watches.items():
            dispute = f"floor-{table}-{watch.floor_calls}"
            if watch.floor and dispute not in self._reported.disputes:
                yield table, OpenDispute(table, "the floor was called", dispute)
            elif not watch.floor and dispute in state.disputes:
                yield table, CloseDispute(dispute)

    def _busts(self) -> Iterator[tuple[str, ReportBust]]:
        entrants = self.night.state.field.entrants
        for table, watch in self._watches.items():
            for hand, out in sorted(watch.busts.items()):
                new = tuple(
                    one
                    for one in out
                    if (f"{table}-{hand}", one.player) not in self._reported.once
                    and one.player in entrants
                    and entrants[one.player].status is Status.PLAYING
                    and self._stack(table, one.player) == 0
                )
                if new:
                    yield table, ReportBust(table, hand, new)

    def _absences(self) -> Iterator[tuple[str, Leave | Return]]:
        """AWAY and its end, as dealers keyed them; a key that says what is known already is done with."""
        entrants = self.night.state.field.entrants
        for table, watch in self._watches.items():
            sits = {held.player for held in watch.sits().values()}
            for player, (mark, away) in watch.away.items():
                entrant = entrants.get(player)
                if mark in self._reported.away or entrant is None or player not in sits or not watch.draw:
                    continue
                if entrant.status is not Status.PLAYING or away == (entrant.away is not None):
                    self._reported.away.add(mark)
                else:
                    yield table, Leave(player, mark=mark) if away else Return(player, mark)

    def _busts_taken_back(self) -> Iterator[tuple[str, DropBust]]:
        for id_, bust in self.night.state.field.busts.items():
            if id_ in self._reported.by_tables:
                told = {one.player for one in self._watches[bust.table].busts.get(bust.hand, ())}
                for one in bust.out:
                    stack = self._stack(bust.table, one.player) or 0
                    if one.player not in told or stack > chips_to_take_back(self._seen(), one.player):
                        yield bust.table, DropBust(id_, one.player, "the table took it back")

    def _stack(self, table: str, player: str) -> int | None:
        held = (one for one in self._watches[table].sits().values() if one.player == player)
        return next((int(one.stack) for one in held), None)


def _check_house(book: Rulebook, house: Mapping[str, Any]) -> None:
    """Raise `Malformed` for settings of an event that cannot hold together; over the book's they may say anything.
    Unknown ones the core refuses."""
    try:
        found = contradictions(book.with_house(house, event=True))
    except RulebookError:
        return
    wrong = next((one for one in found if house.keys() >= {*one.settings}), None)
    if wrong is not None:
        raise Malformed(f"house: {wrong}")


def _with_practice(text: str, rules: Iterable[str], book: Rulebook) -> str:
    """`text`, and for each of the rules that is not the book's own that it is silent there."""
    said = dict.fromkeys(book.tournament_practice(rule) for rule in rules)
    return " ".join([text, *filter(None, said)])


class _Reported:
    """Busts that are on record, with their players: each is reported once, and again only where its table took the
    hand back before."""

    def __init__(self, records: Iterable[Recorded]) -> None:
        self.once: set[tuple[str, str]] = set()
        self.by_tables: set[str] = set()
        self.away: set[str] = set()  # keys of dealers
        self.disputes: set[str] = set()
        self.take(records)

    def take(self, records: Iterable[Recorded]) -> None:
        for record in records:
            event, by_table = record.event, record.by.startswith(BY_TABLE)
            if isinstance(event, Left | Returned):
                self.away.add(event.mark)
            if isinstance(event, DisputeOpened):
                self.disputes.add(event.dispute)
            elif isinstance(event, BustReported):
                self.once |= {(event.bust, one.player) for one in event.out}
                self.by_tables |= {event.bust} if by_table else set()
            elif isinstance(event, BustDropped) and by_table:
                self.once.discard((event.bust, event.player))
