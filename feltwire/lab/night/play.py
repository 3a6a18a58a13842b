"""Plays a night's story through the station's node: the director's presses, what tables report, time that passes,
and what must follow.

Presses are JSON, as `POST /director` takes them. Tables carry out what they are told and report by events. Nobody
sleeps: time goes to where the story says.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from display.night_state import together
from feltwire.config import StationConfig
from feltwire.lab.night.expect import missing
from feltwire.lab.night.steps import command_of, first_words, numbers
from feltwire.lab.night.story import MIDNIGHT_MS, Line, Story, StoryError, duration, time_of_day
from feltwire.lab.night.table import StoryTable, ToldHand
from feltwire.lab.night.told import COUNTS, HAND, OUT, TABLE, lost_later, who_out
from feltwire.lab.station.room import MemoryRoom
from feltwire.rulebooks import rulebook_named
from feltwire.runtime.node_io import Reply
from feltwire.station.tournament.commands import OpenHere, command_name
from feltwire.station.tournament.reports import BY_TABLE
from feltwire.station.tournament.season import AddResult, RemoveResult, RestoreResult, ShowFinal
from table_core.messages import ChangeSeats, Chips, ClockState, Level, Millis, Seat
from table_core.rulebook import Rulebook
from table_core.tournament.events import Instant, MoveLeft, MoveSeated, Undone
from table_core.tournament.field.registration import Register
from table_core.tournament.money.league import EventResult, Finisher
from table_core.tournament.night import Undo
from table_core.tournament.sheet_text import Sheet
from table_core.tournament.state import Facts, MoveStage, State, Status

BEFORE_MS = 30 * 60_000  # a story begins so long before the start
_REGISTER = re.compile(
    r"register (?P<who>\S+(?: \S+)*?)(?P<facts>(?: adult| member| regular| online| applied| locked-out)*)"
    r"(?: anyway (?P<anyway>.+))?"
)
_SEASON = re.compile(r"season (?P<event>\S+)(?: of (?P<entrants>\d+))?: (?P<places>\S+=\d+(?: \S+=\d+)*)")
_AT = re.compile(r"at (\S+)")
_HAS = re.compile(r"(?:rebuy|break rebuy|add on) (?P<player>\S+) has (?P<stack>\d+)(?: .*)?")
_RACK = re.compile(r"(?P<what>left|seated) (?P<move>move-\d+) (?P<rack>\d+)")


@dataclass(slots=True)
class Done:
    """One step of a story; `wrong` says what does not hold, empty where all does."""

    line: Line
    wrong: str = ""


class Playing:
    """A night while its story is played. `refused` is the answer to the last press, if it was refused."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.refused: Reply | None = None
        self.said = ""  # the answer to the last press
        self.since = 0  # the records before the last press
        book = rulebook_named(story.rulebook)
        self._began = _begins(story, book)
        self._racks = {found["move"]: int(found["rack"]) for found in map(_rack_of, story.steps) if found}
        names = [plan.table for plan in story.tables]
        self._passed: Callable[[], int] = lambda: 0
        self.tables = {name: StoryTable("story", name, book, self._waits, self._wall) for name in names}
        self._levels = dict.fromkeys(names, 1)
        config = StationConfig("story", "unused", tuple(names), story.levels, rulebook=story.rulebook)
        self.room = MemoryRoom(config, self.tables, wall=lambda now: Millis(self._began + now))
        self._passed = lambda: self.room.station.now

    def _wall(self) -> int:
        """The time of day at the tables; before there is a room, when the story begins."""
        return self._began + self._passed()

    # ------------------------------------------------------------------------------------- what is known

    @property
    def state(self) -> State:
        return self.room.station.node.tournament.night.state

    @property
    def shown(self) -> dict[str, Any]:
        """The tournament as the station shows it now."""
        station = self.room.station
        parts = station.node.tournament.pages.parts(station.now)
        return together(msgspec.json.decode(msgspec.json.encode(part)) for part in parts.values())

    @property
    def clock(self) -> ClockState:
        """As the station shows it."""
        return self.room.station.clock

    @property
    def facts(self) -> Facts:
        """What the tables report."""
        return self.room.station.node.tournament.facts(self.room.station.now)

    @property
    def now(self) -> Instant:
        station = self.room.station
        return Instant(station.boot, station.now, station.wall(station.now))

    # ------------------------------------------------------------------------------------- what happens

    def press(self, command: Any, name: str = "") -> None:
        """The director's command, as JSON. Every press is one unit of undo."""
        self.since = len(self.room.station.records)
        arguments = msgspec.json.decode(msgspec.json.encode(command))
        reply = self.room.press(name or command_name(type(command)), **arguments)
        self.refused, self.said = reply if reply.refused else None, reply.text

    def before_tonight(self, event: str, entrants: int, places: Mapping[str, int]) -> None:
        """An event of the league's season that was played before; its result lies in the season's file."""
        finishers = tuple(Finisher(name, place) for name, place in places.items())
        self.room.station.season = (*self.room.station.season, EventResult(event, entrants, finishers))

    def go_to(self, wall: int) -> None:
        """Time passes; the station wakes when the event starts and when a level ends, not every second."""
        if wall < self.now.wall:
            raise ValueError("that is in the past")
        while self.now.wall < wall:
            self.room.station.now = Millis(min(wall, self._next_change()) - self._began)
            self.room.deliver()
        self.room.deliver()

    def _next_change(self) -> int:
        """Wall time at which the station does something by itself."""
        now, clock = self.now, self.clock
        due = [self.story.starts or 0, self._began + clock.at + clock.left_ms if clock.running else 0]
        return min((at for at in due if at > now.wall), default=sys.maxsize)

    def after(self, ms: int) -> None:
        self.go_to(self.now.wall + ms)

    def last(self) -> int:
        """The director's last record that stands."""
        night = self.room.station.node.tournament.night
        return next(
            (
                one.no
                for one in reversed(night.records)
                if not one.by.startswith(BY_TABLE) and not isinstance(one.event, Undone) and night.group(one.no)
            ),
            0,
        )

    def record_of(self, id_: str) -> int:
        """The first record that stands of a penalty, a move or the confirmation of a bust. Raise `ValueError`."""
        night = self.room.station.node.tournament.night
        for one in night.records:
            named = (getattr(one.event, "penalty", ""), getattr(one.event, "move", ""))
            if night.stands(one.no) and id_ in (*named, *getattr(one.event, "busts", ())):
                return one.no
        raise ValueError(f"no record of {id_} stands")

    def sheet(self, name: str) -> list[dict[str, Any]]:
        """A sheet of the event, as other programs read it."""
        return msgspec.json.decode(self.room.station.node.tournament.pages.sheet(name), type=Sheet).as_objects()

    # ------------------------------------------------------------------------------------- tables

    def _waits(self, table: str, wanted: ChangeSeats) -> bool:
        """A player who moves gets up when the story says `left`, and sits down with `seated`."""
        moves = list(self.state.seats.moves.values())
        up = {one.ordered.player for one in moves if one.stage is MoveStage.CONFIRMED}
        on_the_way = {one.ordered.player for one in moves if one.stage is MoveStage.IN_TRANSIT}
        leave, take = {one.player for one in wanted.leave}, {one.player for one in wanted.take}
        return bool(leave & up or take & on_the_way)

    def table_says(self, table: str, says: str, later: Sequence[Line]) -> None:
        """`later`: the lines that follow; who goes out in a hand began it with the stack that is said there."""
        at = self.tables.get(table)
        if at is None:
            raise ValueError(f"no table {table}; there are: {', '.join(self.tables)}")
        if says == "over":
            at.end()
        elif found := HAND.fullmatch(says):
            at.begin(self._told(table, found, later))
            if found["over"]:
                at.end(counted=True)
        elif found := OUT.fullmatch(says):
            self._out(table, found)
        elif found := COUNTS.fullmatch(says):
            self._sit_there(table, numbers(found["stacks"]))
            at.count(numbers(found["stacks"]))
        else:
            raise ValueError(
                "a table says `hand 5 button 3 blinds 4 5`, `over`, `out 5=1200 by 3`, or `counts 5=25`"
            )
        self.room.deliver()

    def _told(self, table: str, found: re.Match[str], later: Sequence[Line]) -> ToldHand:
        level = int(found["level"] or self._levels[table])
        self._levels[table] = level
        lost, by, then = lost_later(table, later)
        small, also = found["small"], (found["also"] or "").split()
        twice = list(zip(also[::2], map(Seat, map(int, also[1::2])), strict=True))
        return ToldHand(
            int(found["hand"]),
            Seat(int(found["button"])),
            Seat(int(small)) if small not in (None, "-") else None,
            Seat(int(found["big"])) if found["big"] else None,
            self._level(level),
            numbers(found["stacks"]),
            lost,
            by,
            then,
            tuple(seat for what, seat in twice if what == "small"),
            tuple(seat for what, seat in twice if what == "big"),
        )

    def _level(self, no: int) -> Level:
        played = [level for level in self.story.levels if not level.is_break]
        return next((level for level in played if level.no == no), played[-1])

    def _out(self, table: str, found: re.Match[str]) -> None:
        at = self.tables[table]
        _, by, then = who_out(found)
        self._sit_there(table, [*numbers(found["seats"]), *by, *(seat for group in then for seat in group)])
        if not at.table.in_hand:
            raise ValueError(f"table {table} plays no hand: say `table {table}: hand …` before")
        at.end()

    def _sit_there(self, table: str, seats: Iterable[Seat]) -> None:
        unknown = [seat for seat in seats if seat not in self.tables[table].table.seats]
        if unknown:
            raise ValueError(f"nobody sits at table {table} seat {unknown[0]}")

    def counted(self, player: str, stack: int) -> None:
        """The dealer counts a player's stack, where the player sits between two hands."""
        at = self.state.seats.at.get(player)
        if at is not None and not self.tables[at.table].table.in_hand and self.tables[at.table].table.seats:
            self.tables[at.table].count({at.seat: Chips(stack)})
            self.room.deliver()

    def rack(self, what: str, move: str, rack: int) -> None:
        """`left move-1 1200`, `seated move-1 1200`."""
        moves = self.state.seats.moves
        found = moves.get(move)
        if found is not None and what == "left" and found.stage is MoveStage.CONFIRMED:
            table = found.ordered.start.table
            leaving = {
                one.ordered.start.seat: Chips(self._racks[name])
                for name, one in moves.items()
                if one.stage is MoveStage.CONFIRMED and one.ordered.start.table == table and name in self._racks
            }
            self.tables[table].end()
            self.tables[table].count(leaving)
            self.tables[table].change_seats()
        elif found is not None and what == "seated":
            self.tables[found.ordered.to.table].end()
            self.tables[found.ordered.to.table].change_seats()
        self.room.deliver()
        kind = MoveLeft if what == "left" else MoveSeated
        events = (record.event for record in reversed(self.room.station.records))
        reported = next((one for one in events if isinstance(one, kind) and one.move == move), None)
        if reported is None or reported.rack != rack:
            raise ValueError(f"{move} is not {what} with {rack}, but: {reported or found}")


def _begins(story: Story, book: Rulebook) -> int:
    """Wall time: half an hour before the start, or the first time that is named, where that is earlier. A story
    without a start has its book's, or 19:00."""
    hour = book.tournament.start_time
    begins = (story.starts or MIDNIGHT_MS + time_of_day(hour.value if hour is not None else "19:00")) - BEFORE_MS
    first = next((found[1] for line in story.steps if (found := _AT.fullmatch(line.text))), None)
    try:
        return min(begins, MIDNIGHT_MS + time_of_day(first)) if first else begins
    except ValueError:  # said at its line
        return begins


def _rack_of(line: Line) -> re.Match[str] | None:
    return _RACK.fullmatch(line.text)


def failure(story: Story) -> str:
    """What did not hold, as `file:line: …`; empty when everything did."""
    try:
        for step in play(story):
            if step.wrong:
                return f"{story.path}:{step.line.no}: {step.line.text}\n    {step.wrong}"
    except StoryError as error:  # a step that could not be made
        return str(error)
    return ""


def play(story: Story) -> Iterator[Done]:
    """Every step with what is wrong. A refusal that the next line does not expect is an error of its step.

    Raise `StoryError` for a line that cannot be read.
    """
    playing = Playing(story)
    starts = Millis(story.starts) if story.starts is not None else None
    opened = OpenHere(story.title, "", story.tables, story.levels, story.seed, story.house, starts)
    playing.press(opened, "open")
    if playing.refused is None and story.by_book is not None:
        playing.press(story.by_book)
    if playing.refused is not None and not story.steps[0].text.startswith("expect refused"):
        raise story.wrong(Line(1, "header"), playing.refused.text)
    lines = [*story.steps, Line(0, "")]
    for at, (line, after) in enumerate(pairwise(lines), 1):
        done = Done(line)
        if line.text.startswith("expect "):
            done.wrong = _expected(playing, line)
        else:
            refused = _step(playing, line, story.steps[at:])
            if refused is not None and not after.text.startswith("expect refused"):
                done.wrong = f"refused: {refused.text} {refused.rule}".strip()
        yield done


def _expected(playing: Playing, line: Line) -> str:
    try:
        return missing(playing, line.text.removeprefix("expect "))
    except ValueError as error:
        raise playing.story.wrong(line, str(error)) from error


def _step(playing: Playing, line: Line, later: Sequence[Line]) -> Reply | None:
    """Play one step; the refusal, if it is refused."""
    playing.refused = None
    try:
        if found := _AT.fullmatch(line.text):
            playing.go_to(MIDNIGHT_MS + time_of_day(found[1]))
        elif found := re.fullmatch(r"after (\S+)", line.text):
            playing.after(duration(found[1]))
        elif found := re.fullmatch(r"table (\S+) touches the clock", line.text):
            playing.tables[found[1]].touch_clock()
            playing.room.deliver()
        elif found := TABLE.fullmatch(line.text):
            playing.table_says(found["table"], found["says"], later)
        elif found := _RACK.fullmatch(line.text):
            playing.rack(found["what"], found["move"], int(found["rack"]))
        elif found := _REGISTER.fullmatch(line.text):
            _register(playing, found)
        elif found := re.fullmatch(r"enter all", line.text):
            _enter_all(playing)
        elif found := re.fullmatch(r"undo(?: (\d+))?", line.text):
            playing.press(Undo(int(found[1]) if found[1] else playing.last()))
        elif found := re.fullmatch(r"undo (\S+-\d+)(?: of (\S+))?", line.text):
            playing.press(Undo(playing.record_of(found[1]), player=found[2] or ""))
        elif found := _SEASON.fullmatch(line.text):
            pairs = (pair.split("=") for pair in found["places"].split())
            places = {name: int(place) for name, place in pairs}
            playing.before_tonight(found["event"], int(found["entrants"] or 9), places)
        elif found := re.fullmatch(r"final(?: declined (\S+(?: \S+)*))?", line.text):
            playing.press(ShowFinal(tuple((found[1] or "").split())))
        elif found := re.fullmatch(r"(add|remove|restore) result(?: (\S+))?( last chance)?", line.text):
            playing.press(_result(found))
        elif line.text == "kill station":
            playing.room.kill_station()
        elif (command := command_of(line.text)) is not None:
            if found := _HAS.fullmatch(line.text):
                playing.counted(found["player"], int(found["stack"]))
            playing.press(command)
        else:
            raise ValueError(
                f"no step; lines begin with: {first_words()}, at, after, table N:, register, undo, expect"
            )
    except ValueError as error:
        raise playing.story.wrong(line, str(error)) from error
    return playing.refused


def _register(playing: Playing, found: re.Match[str]) -> None:
    names = found["who"].split()
    if len(names) == 1 and names[0].isdigit():
        first = len(playing.state.field.entrants) + 1
        names = [f"p{no}" for no in range(first, first + int(names[0]))]
    said = found["facts"].split()
    for name in names:
        playing.press(
            Register(
                name,
                "member" in said,
                "adult" in said,
                "regular" in said,
                found["anyway"] or "",
                "online" in said,
                applied="applied" in said,
                locked_out_before="locked-out" in said,
            )
        )
        if playing.refused is not None:
            return


def _result(found: re.Match[str]) -> AddResult | RemoveResult | RestoreResult:
    """This event's result into the league's season, or one that is there out of it, or back."""
    what, event = found[1], found[2] or ""
    if what == "add":
        return AddResult(event, last_chance=bool(found[3]))
    return RemoveResult(event) if what == "remove" else RestoreResult(event)


def _enter_all(playing: Playing) -> None:
    for entrant in list(playing.state.field.entrants.values()):
        if entrant.status is Status.REGISTERED:
            playing.press(command_of(f"enter {entrant.player}"))
            if playing.refused is not None:
                return
