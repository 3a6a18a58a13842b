"""The tournament at the station: presses and what tables report become commands, and their answers.

What tables report (a bust, a player who left, one who sits) becomes a command by itself as long as the records do
not have it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from feltwire.config import StationConfig
from feltwire.runtime.node_io import Reply
from feltwire.runtime.parts import NOT_THE_INPUTS, InputFailed
from feltwire.runtime.views import Part, Views
from feltwire.station.clock import StationClock
from feltwire.station.director.arguments import arguments_of
from feltwire.station.director.director import Director
from feltwire.station.director.proof import Unproven
from feltwire.station.on_disk import OnDisk
from feltwire.station.queue.tournament_queue import TournamentQueue
from feltwire.station.station_io import Directed, Effect, FilePenalties, KeepPlayed, KeepSeason
from feltwire.station.station_store import ClockRecord
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.closing import CloseEventWanted, closed, why_open
from feltwire.station.tournament.commands import NAMES, OWN, Commands, ImportPlayers, RegisterRegulars
from feltwire.station.tournament.kept_events import KEPT_COMMANDS, KeptEvents
from feltwire.station.tournament.names import Names
from feltwire.station.tournament.overlooked import Drawn, about, another_question, apart, so_already, why_not
from feltwire.station.tournament.pages.tournament_pages import TournamentPages
from feltwire.station.tournament.penalty_file import to_file
from feltwire.station.tournament.player_names import PlayerNames
from feltwire.station.tournament.players_import import import_players, register_regulars
from feltwire.station.tournament.preview import Foreseen, preview
from feltwire.station.tournament.records import TournamentRecords
from feltwire.station.tournament.reports import BY_TABLE, TableReports
from feltwire.station.tournament.season import LEAGUE_COMMANDS, League
from feltwire.station.tournament.table_orders import TableOrders
from feltwire.station.tournament.words import in_words, with_names, with_practice
from table_core.messages import Millis, Refusal
from table_core.rulebook import Rulebook
from table_core.tournament.by_hand import facts_of
from table_core.tournament.clock import TournamentClock
from table_core.tournament.events import EntryGiven, Instant, OnFile, PlacesCorrected, Redone, Undone
from table_core.tournament.hand_for_hand import break_is_over
from table_core.tournament.money.played import played_event, with_played
from table_core.tournament.night import Night, Recorded
from table_core.tournament.state import Facts

MOST_WAITING = 100


class Waiting(NamedTuple):
    """A press that waits for the disk: as it came, and read."""

    press: Directed
    given: Directed
    command: Any
    drawn: Drawn


class StationTournament:
    """`records` are the tournament's, `orders` what tables are told of it, `queue` what of it waits for a person,
    `pages` what is shown of it."""

    def __init__(
        self,
        found: OnDisk,
        *,
        config: StationConfig,
        rulebook: Rulebook,
        clock: StationClock,
        director: Director,
        tables: StationTables,
        views: Views,
    ) -> None:
        self._views = views
        known, watches = tables.known, tables.known.watches()
        self.names = Names(found.names, found.apart, found.born, found.shown, config.players_shown)
        self.records = records = TournamentRecords(found.night, rulebook, clock=clock, facts=known.facts)
        self.league = League(found.season, found.played, found.points, self.names, director)
        self.kept = KeptEvents(found.kept, self.names, director, self._pages_follow)
        self._register = PlayerNames(
            self.names,
            records,
            director,
            in_season=lambda: chain(
                (one.player for result in found.season() for one in result.finishers),
                (one.player for event in found.played() for one in event.players),
                self.kept.players(),
            ),
            on_file=found.on_file,
        )
        self._commands = Commands(
            config,
            rulebook,
            tournament=found.tournament,
            clock=clock,
            in_force=lambda: records.state.book,
            event=lambda: records.state.book if records.opened else None,
            bags=self.kept.bags_of,
            on_file=lambda: self._register.on_file,
            nobody_heard=known.nobody_heard,
        )
        self.orders = TableOrders(
            records, tournament=found.tournament, clock=clock, watches=watches, changes=tables.changes
        )
        seen = self.orders.seen
        self._reports = TableReports(
            found.night.records, clock=clock, watches=watches, facts=known.facts, seen=seen
        )
        self.queue = TournamentQueue(records, self.names, clock=clock, tables=tables, seen=seen, views=views)
        self.pages = TournamentPages(
            records,
            self.names,
            self.league,
            config=config,
            rulebook=rulebook,
            clock=clock,
            tables=tables,
            seen=seen,
            last=found.last,
            by_hand=self._commands.by_hand,
            kept=self.kept,
            views=views,
        )
        self._config = config
        self._tournament = found.tournament
        self._clock = clock
        self._director = director
        self._changes = tables.changes
        self._facts = known.facts
        self._filed: tuple[OnFile, ...] | None = None
        self._waiting: deque[Waiting] = deque()
        self._starts_at: Millis | None = None  # by itself
        self._looked: Any = None
        self.shut: Callable[[], str] = str  # why nothing of it goes on; empty where it does

    # ------------------------------------------------------------------------------------- for the node

    @property
    def night(self) -> Night:
        return self.records.night

    def _pages_follow(self) -> None:
        self.records.version += 1

    def facts(self, now: Millis) -> Facts:
        """What the event goes by: what tables report, or the clock alone where it is played by hand."""
        return facts_of(self.night.state, self._facts(), self._clock.instant(now))

    def standing(self) -> list[dict[str, Any]]:
        """The season's standing, the first first."""
        return self.league.standing(self.night.state.book)

    def takes(self, command: str) -> bool:
        """Whether this is a command of the tournament now."""
        clock = command in ("pause", "resume", "next_level", "select_level")
        return self.records.opened or bool(self.shut()) if clock else command in NAMES or command in OWN

    def wake_at(self) -> Millis | None:
        return min((at for at in (self.records.again_at, self._starts_at) if at is not None), default=None)

    def restored(self, recorded: ClockRecord | None, now: Millis) -> None:
        """The station was started: the clock is that of the records. After a reboot it goes on from where it was
        last seen, which is a record as well."""
        clock = self.night.state.clock
        if clock is None:
            return
        if clock.mark.boot != self._clock.boot:
            mark = clock.mark
            if recorded is not None and recorded.mark.revision == mark.revision:
                mark = recorded.mark
            clock, _ = TournamentClock.restored(clock.levels, mark, boot=self._clock.boot, now=now)
        self._clock.follow(clock, now)
        self._clock.touched = False

    # ------------------------------------------------------------------------------------- presses

    def take(self, given: Directed, now: Millis) -> Iterator[Effect]:
        """A press of the director. Raise `Malformed` for arguments that are none of its command."""
        if self.records.has(given.id):
            yield from self._director.reply(given, "That is on record already.")
            return
        if any(given.id == waiting.press.id for waiting in self._waiting) or self.records.waits_for(given.id):
            return
        press, (given, drawn) = given, apart(given)
        if why := self.shut():
            yield from self._director.reply(given, f"{why}: decide that in the queue first.", True)
        elif given.command == "add_player":
            yield from self._register.add(given)
        elif given.command == "correct_name":
            yield from self._register.correct(given)
        elif given.command == "show_as":
            yield from self._register.show_as(given)
        elif given.command == "forget_player":
            yield from self._register.forget(given)
        elif given.command == "tell_apart":
            yield from self._register.tell_apart(given)
        elif given.command == "close_event":
            yield from self._close(given, now)
        elif given.command == "plan_event":
            plan = self._commands.plan(given, now)
            yield Reply(given.id, msgspec.json.encode(plan).decode())  # asked at every pause in typing: no log
        elif given.command in KEPT_COMMANDS:
            yield from self.kept.take(given)
        elif given.command in LEAGUE_COMMANDS:
            yield from self.league.take(given, self.night.state, settled=self.records.pending is None)
        elif len(self._waiting) >= MOST_WAITING:
            yield from self._director.reply(given, "Too many presses wait for the disk; press again.", True)
        else:
            yield from self._take_up(press, given, drawn, now)

    def _take_up(self, press: Directed, given: Directed, drawn: Drawn, now: Millis) -> Iterator[Effect]:
        if given.command == "register_new":
            registered = yield from self._register.registered(given)
            if registered is not None:
                self._waiting.append(Waiting(press, given, registered, drawn))
            return
        if given.command == "register" and not (yield from self._register.known(given)):
            return
        if given.command == "give_entry":
            named_now = yield from self._register.with_other(given)
            if named_now is None:
                return
            given = named_now
        self._waiting.append(Waiting(press, given, self._commands.read(given, now), drawn))

    def _close(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted, state = arguments_of(given, CloseEventWanted), self.night.state
        if not state.opened:
            yield from self._director.reply(given, "There is no event.", True)
            return
        if self.records.pending is not None:
            text = "Records are on their way to the disk; press again."
            yield from self._director.reply(given, text, True)
            return
        left = [*why_open(state, self.names)]
        if left and not wanted.anyway:
            yield from self._director.reply(given, " ".join(left), True, about="anyway")
            return
        put_aside = closed(state, self.names, self._clock, self._config, now)
        yield self.kept.closed(
            self._tournament, state, msgspec.json.decode(put_aside.last)["open"], self._clock.instant(now)
        )
        yield put_aside
        yield from self._director.reply(given, f"{state.name} is closed; its records are kept.")

    def refuse_waiting(self, why: str) -> Iterator[Effect]:
        """While nothing is recorded, no press waits for it."""
        while self._waiting:
            yield from self._director.reply(self._waiting.popleft().press, f"Nothing was done: {why}.", True)

    # ------------------------------------------------------------------------------------- deciding

    def go_on(self, now: Millis) -> Iterator[Effect]:
        """What tables have reported, then the presses that wait, as far as the disk has what came before."""
        records = self.records
        if self.shut():
            return
        if records.again_at is not None and now < records.again_at:
            yield from self.refuse_waiting("the disk takes no records now")
            return
        records.again_at = None
        self._starts_at = self._start_of_play(now)
        if self._filed is None and records.pending is None and records.opened:
            yield from self._file_penalties()
            yield from self._keep_played()
        if records.pending is None and records.opened:
            yield from self._take_reports(now)
        while records.pending is None and self._waiting:
            waiting = self._waiting.popleft()
            try:
                yield from self._carry_out(waiting, now)
            except NOT_THE_INPUTS:
                raise
            except Exception as error:
                raise InputFailed(waiting.press) from error

    def _carry_out(self, waiting: Waiting, now: Millis) -> Iterator[Effect]:
        """A press whose turn has come."""
        _, given, command, drawn = waiting
        at = self._clock.instant(now)
        if isinstance(command, ImportPlayers):
            yield from import_players(
                command, given, now, self.records, self.names, self._register, self._director
            )
        elif isinstance(command, RegisterRegulars):
            yield from register_regulars(
                command, given, now, self.records, self.kept.kept, self.names, self._register, self._director
            )
        elif isinstance(command, Foreseen):
            yield from self._foresee(command, given, at)
        elif why := another_question(given.command, drawn, self.queue.items(now)) or why_not(
            self.night, self.facts(now), self.names, at, given, command, drawn
        ):
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
        return Millis(now + state.starts - self._clock.wall(now))

    def _take_reports(self, now: Millis) -> Iterator[Effect]:
        """The first thing that follows from what tables say and that is not on record."""
        due = self._starts_at is not None and now >= self._starts_at
        looked = (len(self.night.records), self._changes.count, due, break_is_over(self.night.state, now))
        if looked == self._looked:
            return
        for table, command in list(self._reports.commands(self.night.state, now, self._starts_at)):
            yield from self._do(command, now, by=f"{BY_TABLE}{table}" if table else "")
            if self.records.pending is not None:
                return
        self._looked = looked

    def _do(self, command: Any, now: Millis, *, given: Directed | None = None, by: str = "") -> Iterator[Effect]:
        press = given.id if given is not None else f"{by or 'station'}-{len(self.night.records) + 1}"
        proven = given.proven if given is not None else None  # tables are asked for no PIN
        decided = self.records.do(command, now, press=press, by=by, proven=proven)
        if isinstance(decided, Unproven) and given is not None:
            yield from self._director.ask_pin(given, decided, with_names(decided.reason, self.names))
        elif isinstance(decided, Refusal):
            if given is not None:
                text, field = self._refusal(decided), about(command, decided.reason)
                yield from self._director.reply(given, text, True, rule=decided.rule, about=field)
        elif decided:
            yield self.records.offer(decided, given)
            if given is not None and given.command == "open":
                yield from self.kept.opened(str(given.arguments.get("template", "")))
        elif given is not None:
            text = so_already(self.night, command, self.names, self._clock.instant(now))
            yield from self._director.reply(given, text)

    def _refusal(self, refusal: Refusal) -> str:
        return with_practice(with_names(refusal.reason, self.names), [refusal.rule], self.night.state.book)

    def _foresee(self, wanted: Foreseen, given: Directed, at: Instant) -> Iterator[Effect]:
        said = self._views.show(
            Part("What a press would do", page="/station/log"),
            lambda: preview(self.night, wanted.command, at, self.facts(at.at), self.names),
            lambda fault: Refusal(reason=f"{fault.words}.", rule=""),
        )
        if isinstance(said, Refusal):
            yield from self._director.reply(given, self._refusal(said), True, rule=said.rule)
        else:
            yield from self._director.reply(given, said)

    # ------------------------------------------------------------------------------------- the disk

    def committed(self, now: Millis) -> Iterator[Effect]:
        """What was decided is on the disk: now it is so."""
        pending = self.records.committed()
        if pending is None:
            return
        self.orders.take(pending.records)
        self._reports.take(pending.records)
        clock = self.night.state.clock
        if clock is not None and clock.mark.boot == self._clock.boot:
            self._clock.follow(clock, now)
        yield from self._file_penalties()
        yield from self._correct_season(pending.records)
        yield from self._keep_played()
        if pending.given is not None:
            yield from self._director.reply(pending.given, pending.said or self._done(pending.records))

    def _done(self, records: Sequence[Recorded]) -> str:
        def made() -> str:
            text = "; ".join(in_words(record, self.night, self.names) for record in records)
            rules = [getattr(record.event, "rule", "") for record in records]
            return with_practice(f"{text}.", rules, self.night.state.book)

        part = Part("What a press did", page="/station/log")
        return self._views.show(part, made, lambda fault: f"It is done and on record. {fault.words}.")

    def _correct_season(self, records: Sequence[Recorded]) -> Iterator[KeepSeason]:
        """The league has the result of this event already: it follows."""
        if any(isinstance(one.event, PlacesCorrected | EntryGiven | Undone | Redone) for one in records):
            results = self.league.followed(self.night.state)
            if results is not None:
                yield KeepSeason(results)

    def _keep_played(self) -> Iterator[KeepPlayed]:
        """The result of this event stays when it is put aside, and follows while it is open."""
        before = tuple(self.league.played())
        event = played_event(self.night.state, self._tournament) if self.records.opened else None
        if (after := with_played(before, event, self._tournament)) != before:
            yield KeepPlayed(after)

    def _file_penalties(self) -> Iterator[FilePenalties]:
        """What has to outlive the event, where it changed."""
        filed = to_file(self.night.state)
        if filed != self._filed and self.records.opened:
            self._filed = filed
            yield FilePenalties(self._tournament, self.night.state.day, filed)

    def not_committed(self, why: str, now: Millis) -> Iterator[Effect]:
        """The disk has nothing of it: nothing happened."""
        pending = self.records.not_committed(why, now)
        if pending is not None and pending.given is not None:
            yield from self._director.reply(pending.given, f"Nothing was done: {why}.", True)
