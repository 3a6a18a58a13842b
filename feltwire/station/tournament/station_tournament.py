"""The tournament at the station: commands in, records on the disk, then everything else.

One command at a time: it is decided, its records are committed, and only then does anybody see what it did. A
commit that fails takes the command back. What tables report (a bust, a player who left, one who sits) becomes a
command by itself as long as the records do not have it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from feltwire.config import StationConfig
from feltwire.station.clock import StationClock
from feltwire.station.director import Director
from feltwire.station.director_arguments import arguments_of
from feltwire.station.queue.late_levels import LateLevels
from feltwire.station.queue.of_decisions import decisions, without_a_seat
from feltwire.station.queue.of_tournament import (
    items_of_seats,
    items_of_tournament,
    items_of_trouble,
    missing_chips,
    old_chips,
)
from feltwire.station.ruling_facts import OutThere
from feltwire.station.station_io import (
    CommitRecords,
    Directed,
    Effect,
    FilePenalties,
    KeepSeason,
    SavePlayer,
)
from feltwire.station.station_store import ClockRecord
from feltwire.station.tournament.closing import CloseEventWanted, closed, why_open
from feltwire.station.tournament.commands import (
    NAMES,
    OWN,
    Commands,
    GiveEntryHere,
    ImportPlayers,
    RegisterNew,
)
from feltwire.station.tournament.items import Item, items, tables_not_heard
from feltwire.station.tournament.overlooked import (
    Drawn,
    about,
    another_question,
    apart,
    so_already,
    why_not,
)
from feltwire.station.tournament.penalty_file import to_file
from feltwire.station.tournament.player_names import PlayerNames
from feltwire.station.tournament.players_import import PlayersImport
from feltwire.station.tournament.preview import Foreseen, preview
from feltwire.station.tournament.reports import BY_TABLE, TableReports
from feltwire.station.tournament.season import LEAGUE_COMMANDS, League
from feltwire.station.tournament.seat_orders import chips_on_order
from feltwire.station.tournament.sheets import sheet_of
from feltwire.station.tournament.table_orders import TableOrders
from feltwire.station.tournament.table_watch import Changes, TableWatch
from feltwire.station.tournament.view import (
    BY_TABLES,
    CHANNELS,
    field_of_night,
    night_parts,
    out_there,
    posted,
    without_ages,
)
from feltwire.station.tournament.words import Names, named, with_names, words
from table_core.messages import (
    ChangeSeats,
    Chips,
    FollowClock,
    Millis,
    QueueItem,
    Refusal,
    SetPresence,
)
from table_core.projections.room import Field
from table_core.rulebook import Rulebook
from table_core.tournament.announcements import announced
from table_core.tournament.chips.account import chip_account
from table_core.tournament.clock import TournamentClock
from table_core.tournament.events import (
    EntryGiven,
    Instant,
    OnFile,
    PlacesCorrected,
    Redone,
    Undone,
)
from table_core.tournament.field.registration import Register
from table_core.tournament.hand_for_hand import break_is_over
from table_core.tournament.money.league import EventResult
from table_core.tournament.night import Night, Recorded
from table_core.tournament.players_text import read_players
from table_core.tournament.state import Facts, State, Status
from table_core.tournament.stops import over

TRY_AGAIN_MS = 1_000  # after a disk that did not take a record
MOST_WAITING = 100
MOST_SAID = 3  # of what one undo took back
QUEUED_MS = 1_000  # what depends on time alone is looked at so often for the queue
SHOWN_MS = 1_000  # what tables report is shown at most so often; what people decide, at once


@dataclass(slots=True)
class _Pending:
    """Records on their way to the disk, and who waits for them."""

    records: tuple[Recorded, ...]
    given: Directed | None
    said: str = ""  # the answer; empty: what the records say


class StationTournament:
    """`night` as replayed from the disk. `wall` gives the wall time (ms since 1970) that annotates a boot time.
    `watches` are the tables'; `silent` gives those that are not heard, with the boot time of their last word,
    and `unheard` those that never were since the start."""

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
        silent: Callable[[Millis], Mapping[str, Millis]],
        unheard: Callable[[], Collection[str]],
        mute: Callable[[], tuple[str, ...]],
        on_file: Sequence[OnFile] = (),
        last: bytes = b"",
        season: Callable[[], Sequence[EventResult]] = lambda: (),
    ) -> None:
        self.night = night
        self.names = Names(names)
        self._register = PlayerNames(self.names, director)
        self._league = League(season, self.names, director)
        self._config = config
        self._rulebook = rulebook
        self._tournament = tournament
        self._clock = clock
        self._director = director
        self._watches = watches
        self._changes = changes
        self.facts = facts
        self._wall = wall
        self._filed: tuple[OnFile, ...] | None = None
        self._last = msgspec.Raw(last or b"null")
        self._silent = silent
        self._unheard = unheard
        self._mute = mute
        self._levels = LateLevels()
        self.disk = ""  # why nothing can be recorded
        self._commands = Commands(
            config,
            rulebook,
            tournament=tournament,
            clock=clock,
            wall=wall,
            in_force=lambda: self.night.state.book,
            on_file=on_file,
        )
        self._orders = TableOrders(night, tournament=tournament, clock=clock, watches=watches, changes=changes)
        self._reports = TableReports(
            night.records, clock=clock, watches=watches, facts=facts, seen=self._orders.seen
        )
        self._done = {record.command for record in night.records}
        self._waiting: deque[tuple[Directed, Any, Drawn]] = deque()
        self._pending: _Pending | None = None
        self._again_at: Millis | None = None
        self._starts_at: Millis | None = None  # by itself
        self.version = 1  # of what pages show
        self._looked: Any = None
        # the version, the tables' changes and the season that pages have
        self._shown: tuple[int, int, Sequence[EventResult]] = (0, 0, ())
        self._shown_as: dict[str, bytes] = {}  # the channels, without what time alone changes
        self._shown_at = Millis(0)
        self._queued: tuple[Any, tuple[QueueItem, ...]] = (None, ())
        self._seats_queued: tuple[Any, tuple[QueueItem, ...]] = (None, ())
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
        if any(given.id == waiting.id for waiting, *_ in self._waiting) or self._waits_for(given.id):
            return
        given, drawn = apart(given)
        if given.command == "add_player":
            self.version += 1
            yield from self._register.add(given, self.night.state.field.entrants)
        elif given.command == "forget_player":
            self.version += 1
            yield from self._register.forget(given)
        elif given.command == "close_event":
            yield from self._close(given, now)
        elif given.command in LEAGUE_COMMANDS:
            yield from self._league.take(given, self.night.state, settled=self._pending is None)
        elif len(self._waiting) >= MOST_WAITING:
            yield from self._director.reply(given, "Too many presses wait for the disk; press again.", True)
        else:
            yield from self._take_up(given, drawn, now)

    def _take_up(self, given: Directed, drawn: Drawn, now: Millis) -> Iterator[Effect]:
        if given.command == "give_entry":
            named_now = yield from self._with_other(given)
            if named_now is None:
                return
            given = named_now
        if given.command != "register_new":
            self._waiting.append((given, self._commands.read(given, now), drawn))
            return
        wanted = arguments_of(given, RegisterNew)
        self.version += 1
        player = self._register.new(wanted.name, wanted.id, self.night.state.field.entrants)
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
        self._waiting.append((given, registered, drawn))

    def _close(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, CloseEventWanted)
        if not self.opened or self._pending is not None:
            text = (
                "There is no event." if not self.opened else "Records are on their way to the disk; press again."
            )
            yield from self._director.reply(given, text, True)
            return
        left = [*why_open(self.night.state, self.names)]
        if left and not wanted.anyway:
            yield from self._director.reply(given, " ".join(left), True, about="anyway")
            return
        yield closed(self.night.state, self.names, self._clock, self._config, now)
        yield from self._director.reply(given, f"{self.night.state.name} is closed; its records are kept.")

    def _with_other(self, given: Directed) -> Generator[Effect, None, Directed | None]:
        """The press with the id of whom the entry is given to; None where a new name was refused."""
        wanted = arguments_of(given, GiveEntryHere)
        other = wanted.other or self._register.new(wanted.name, "", self.night.state.field.entrants)
        if isinstance(other, Refusal):
            yield from self._director.reply(given, other.reason, True, about="name")
            return None
        if not wanted.other:
            self.version += 1
            yield SavePlayer(other, self.names[other])
        said = {"player": wanted.player, "other": other, "why": wanted.why, "anyway": wanted.anyway}
        return msgspec.structs.replace(given, arguments=said)

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
            given, command, drawn = self._waiting.popleft()
            if isinstance(command, ImportPlayers):
                yield from self._import(command, given, now)
                continue
            at = Instant(self._clock.boot, now, self._wall(now))
            if isinstance(command, Foreseen):
                yield from self._foresee(command, given, at)
                continue
            why = another_question(given.command, drawn, self.queued(now)) or why_not(
                self.night, self.facts(), self.names, at, given, command, drawn
            )
            if why:
                yield from self._director.reply(given, why, True, about=about(command, why))
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
        self._orders.take(self.night, pending.records)
        self._reports.take(pending.records)
        self.version += 1
        self._follow_clock(now)
        yield from self._file_penalties()
        yield from self._correct_season(pending.records)
        if pending.given is not None:
            text = pending.said or "; ".join(map(self._in_words, pending.records))
            rules = [getattr(record.event, "rule", "") for record in pending.records]
            text = text if pending.said else _with_practice(f"{text}.", rules, self.night.state.book)
            yield from self._director.reply(pending.given, text)

    def _in_words(self, record: Recorded) -> str:
        """What was undone is said itself, not by the numbers of its records."""
        event = record.event
        if not isinstance(event, Undone):
            return words(event, self.names)
        undone = [words(one.event, self.names) for one in self.night.records if one.no in event.records]
        more = f"; and {len(undone) - MOST_SAID} more" if len(undone) > MOST_SAID else ""
        return f"Undone: {'; '.join(undone[:MOST_SAID])}{more}"

    def _correct_season(self, records: Sequence[Recorded]) -> Iterator[KeepSeason]:
        """The league has the result of this event already: it follows."""
        if any(isinstance(one.event, PlacesCorrected | EntryGiven | Undone | Redone) for one in records):
            results = self._league.followed(self.night.state)
            if results is not None:
                yield KeepSeason(results)

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

    def over(self) -> str:
        """Why nothing more is played; empty before."""
        return over(self.night.state)

    def shown(self, now: Millis) -> dict[str, bytes]:
        """The channels that changed, JSON: after a decision at once, what tables report once a second."""
        if self._pending is not None:
            return {}
        known = (self.version, self._changes.count, self._league.results())
        decided = self._shown[0] != known[0] or self._shown[2] != known[2]
        if self._shown == known or (not decided and now < self._shown_at + SHOWN_MS):
            return {}
        self._shown, self._shown_at = known, now
        news = {}
        for channel, part in self.parts(now, CHANNELS if decided else BY_TABLES).items():
            lasting = msgspec.json.encode(without_ages(part))
            if self._shown_as.get(channel) != lasting:
                self._shown_as[channel] = lasting
                news[channel] = msgspec.json.encode(part)
        return news

    def parts(self, now: Millis, wanted: Collection[str] = CHANNELS) -> dict[str, dict[str, Any]]:
        """The tournament at this moment, by channel."""
        at = Instant(self._clock.boot, now, self._wall(now))
        league = {"league": self._league.view(self.night.state.book)} if self.opened and "league" in wanted else {}
        parts = night_parts(self.night, self.names, self.facts(), self._orders.seen(), at, wanted)
        if "night" in parts and self.night.state.started is None:
            parts["night"]["last"] = self._last
        return league | parts

    def _items(self, now: Millis) -> tuple[Item, ...]:
        at = Instant(self._clock.boot, now, self._wall(now))
        silent = {table: Millis(at.wall - (now - heard)) for table, heard in self._silent(now).items()}
        state, facts = self.night.state, self.facts()
        if not self.opened:
            heard = [table for table, watch in self._watches.items() if watch.heard]
            return tuple(tables_not_heard(heard, silent, self._mute(), self._unheard()))
        mute, unheard = self._mute(), self._unheard()
        return items(state, facts, at, disk=self.disk, silent=silent, mute=mute, unheard=unheard, names=self.names)

    def queued(self, now: Millis) -> tuple[QueueItem, ...]:
        """What of the tournament waits for a person. While records are on their way to the disk it is what it was
        before them; else it is computed when something changed, a table went silent, and once a second."""
        known = (self.version, self._changes.count, now // QUEUED_MS, self.disk, tuple(self._silent(now)))
        if self._pending is None and self._queued[0] != known:
            at, state, facts = Instant(self._clock.boot, now, self._wall(now)), self.night.state, self.facts()
            found: Iterable[QueueItem] = ()
            if self.opened and state.finished is None:
                missing = chip_account(state, facts).missing - chips_on_order(state, self._orders.seen(), facts)
                found = (
                    *items_of_tournament(state, facts, self.names, at),
                    *without_a_seat(state, self.names),
                    *self._of_seats(known[:2], state, facts),
                    *missing_chips(missing, state.book),
                    *old_chips(state, self._smallest_chips(), at),
                    *self._on_an_old_level(state, at),
                )
            if self.opened:
                found = (*found, *decisions(state, self.names))
            self._queued = (known, (*items_of_trouble(self._items(now), at), *found))
        return self._queued[1]

    def _of_seats(self, known: tuple[int, int], state: State, facts: Facts) -> tuple[QueueItem, ...]:
        """They do not depend on the time, and the draw of a whole room is the dearest part of the queue."""
        if self._seats_queued[0] != known:
            self._seats_queued = (known, tuple(items_of_seats(state, facts, self.names)))
        return self._seats_queued[1]

    def _on_an_old_level(self, state: State, now: Instant) -> Iterator[QueueItem]:
        if state.clock is None or state.clock.mark.boot != now.boot:
            return
        says = state.book.policies.level_applies_from
        playing = {name: self._watches[name] for name in state.seats.tables if name in self._watches}
        yield from self._levels.look(
            state.clock, playing, self.facts(), now, says.rule if says is not None else ""
        )

    def _smallest_chips(self) -> dict[str, Chips]:
        return {table: Chips(watch.smallest_chip) for table, watch in self._watches.items()}

    def closed(self) -> set[str]:
        """Tables that play no longer."""
        tables = self.night.state.seats.tables.values()
        return {table.plan.table for table in tables if not table.open and not table.players}

    def out_at(self, table: str) -> tuple[OutThere, ...]:
        """Who went out of chips at a table and has not come back."""
        return tuple(out_there(self.night.state, self._watches[table].out, self.names))

    def names_at(self, table: str) -> dict[str, str]:
        """What the players of a table are called, by id."""
        sits = (held.player for held in self._watches[table].sits().values())
        return {player: named(player, self.names) for player in sits if player in self.names}

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
        sheet = sheet_of(name, night, self.names, self.facts()) or self._league.sheet(name, night.state.book)
        return msgspec.json.encode(sheet) if sheet is not None else b""

    # ------------------------------------------------------------------------------------- what tables are told

    def assume(self, marks: Iterable[str]) -> None:
        """The tables have carried out the orders with these marks, though they may not say so."""
        self._orders.assume(marks)

    def marks_since(self, record: int) -> tuple[str, ...]:
        """The marks of what the records behind this one give once."""
        return self._orders.marks_since(record)

    def tables_of_another_draw(self) -> list[str]:
        """Tables whose seats were drawn by a record that is none of these."""
        return self._orders.tables_of_another_draw()

    def orders(self, table: str, after: tuple[int, int]) -> list[ChangeSeats]:
        """What the table is to be told about its seats; nothing before it is on the disk."""
        if not self.opened:
            return []
        return self._orders.seats(table, self.night.state if self._pending is None else None, after)

    def presence_orders(self, table: str) -> list[SetPresence]:
        """Whom the table is to have away, or back; nothing while what its dealer keyed is not on record."""
        if not self.opened or self._pending is not None or self._again_at is not None:
            return []
        return self._orders.presence(table, self.night.state)

    def clock_orders(self, table: str, now: Millis) -> list[FollowClock]:
        """What the table is to be told of the clock; nothing where it does not play in the tournament."""
        if not self.opened or self._pending is not None:
            return []
        return self._orders.clock(table, self.night.state, now)

    # ------------------------------------------------------------------------------------- deciding

    def _do(self, command: Any, now: Millis, *, given: Directed | None = None, by: str = "") -> Iterator[Effect]:
        id_ = given.id if given is not None else f"{by or 'station'}-{len(self.night.records) + 1}"
        at = Instant(self._clock.boot, now, self._wall(now))
        decided = self.night.do(command, at, self.facts(), id_=id_, by=by)
        if isinstance(decided, Refusal):
            if given is not None:
                text = self._refusal(decided)
                yield from self._director.reply(
                    given, text, True, rule=decided.rule, about=about(command, decided.reason)
                )
        elif not decided:
            if given is not None:
                yield from self._director.reply(given, so_already(self.night, command, self.names, at))
        else:
            self._pending = _Pending(decided, given)
            yield CommitRecords(decided)

    def _refusal(self, refusal: Refusal) -> str:
        return _with_practice(with_names(refusal.reason, self.names), [refusal.rule], self.night.state.book)

    def _foresee(self, wanted: Foreseen, given: Directed, at: Instant) -> Iterator[Effect]:
        said = preview(self.night, wanted.command, at, self.facts(), self.names)
        if isinstance(said, Refusal):
            yield from self._director.reply(given, self._refusal(said), True, rule=said.rule)
        else:
            yield from self._director.reply(given, said)

    def _waits_for(self, press: str) -> bool:
        return self._pending is not None and self._pending.given is not None and self._pending.given.id == press

    def _answer_waiting(self) -> Iterator[Effect]:
        """While the disk takes nothing, no press waits for it."""
        while self._waiting:
            given, *_ = self._waiting.popleft()
            yield from self._director.reply(given, "Nothing was done: the disk takes no records now.", True)

    def _follow_clock(self, now: Millis) -> None:
        clock = self.night.state.clock
        if clock is not None and clock.mark.boot == self._clock.boot:
            self._clock.follow(clock, now)

    # ------------------------------------------------------------------------------------- a list of players

    def _import(self, wanted: ImportPlayers, given: Directed, now: Millis) -> Iterator[Effect]:
        """Everybody on the list, in one transaction; nobody where a line is wrong, unless `part` is wanted."""
        if not self.opened:
            yield from self._director.reply(given, "There is no event yet: open one.", True)
            return
        at, facts = Instant(self._clock.boot, now, self._wall(now)), self.facts()
        entrants = self.night.state.field.entrants
        taken = PlayersImport(
            self.names,
            [player for player, one in entrants.items() if one.status is not Status.CANCELLED],
            lambda command: self.night.do(command, at, facts, id_=given.id, by=given.by),
        )
        listed, wrong = read_players(wanted.text)
        taken.take(listed)
        faults = sorted([*wrong, *taken.wrong])
        why = "".join(f"\n{fault}" for fault in faults)
        there = f" {len(taken.there)} are on the list already." if taken.there else ""
        if wanted.check or (faults and not wanted.part) or not taken.registered:
            self.night = Night.replayed(
                self.night.records[: len(self.night.records) - len(taken.records)], self._rulebook
            )
            lines = f"{len(faults)} of {len(listed) + len(wrong)} lines are wrong."
            if wanted.check:
                text = f"{len(taken.registered)} can be registered.{there}{f' {lines}' if faults else ''}{why}"
                yield from self._director.reply(given, text)
                return
            text = f"Nobody is registered{f': {lines}' if faults else '.'}{there}{why}"
            yield from self._director.reply(given, text, bool(faults) or not taken.there)
            return
        for player, name in taken.names.items():
            if self.names.get(player) != name:
                self.names[player] = name
                yield SavePlayer(player, name)
        entrants = self.night.state.field.entrants
        waiting = sum(entrants[player].status is Status.WAITING for player in taken.registered)
        count = len(taken.registered)
        said = f"{count} player{' is' if count == 1 else 's are'} registered" + (
            f", {waiting} of them wait" if waiting else ""
        )
        self._pending = _Pending(
            tuple(taken.records), given, f"{said}.{there}{' Not registered:' if faults else ''}{why}"
        )
        yield CommitRecords(tuple(taken.records))

    # ------------------------------------------------------------------------------------- what tables report

    def _take_reports(self, now: Millis) -> Iterator[Effect]:
        """The first thing that follows from what tables say and that is not on record."""
        due = self._starts_at is not None and now >= self._starts_at
        looked = (len(self.night.records), self._changes.count, due, break_is_over(self.night.state, now))
        if looked == self._looked:
            return
        for table, command in list(self._reports.commands(self.night.state, now, self._starts_at)):
            yield from self._do(command, now, by=f"{BY_TABLE}{table}" if table else "")
            if self._pending is not None:
                return
        self._looked = looked


def _with_practice(text: str, rules: Iterable[str], book: Rulebook) -> str:
    """`text`, and for each of the rules that is not the book's own that it is silent there."""
    said = dict.fromkeys(book.tournament_practice(rule) for rule in rules)
    return " ".join([text, *filter(None, said)])
