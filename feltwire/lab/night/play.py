"""Plays a night's story: the director's commands, what tables report, time that passes, and what must follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from feltwire.lab.night.expect import missing
from feltwire.lab.night.steps import command_of, first_words, numbers
from feltwire.lab.night.story import MIDNIGHT_MS, Line, Story, duration, time_of_day
from table_core.messages import Chips, Millis, Refusal, Seat
from table_core.tournament.events import Instant, Out, Undone
from table_core.tournament.field.busts import ReportBust
from table_core.tournament.field.registration import Register
from table_core.tournament.night import Night, Undo
from table_core.tournament.opening import Open
from table_core.tournament.state import TableFacts

_REGISTER = re.compile(
    r"register (?P<who>\S+(?: \S+)*?)(?P<facts>(?: adult| member| regular| online| applied| locked-out)*)"
    r"(?: anyway (?P<anyway>.+))?"
)
_HAND = re.compile(
    r"hand (?P<hand>\d+) button (?P<button>\d+)(?: blinds (?P<small>\d+|-) (?P<big>\d+))?"
    r"(?: level (?P<level>\d+))?(?: stacks (?P<stacks>\d+=\d+(?: \d+=\d+)*))?(?P<over> over)?"
)
_OUT = re.compile(r"out (?P<seats>\d+=\d+(?: \d+=\d+)*)(?: by (?P<by>\d+(?: \d+)*))?")


@dataclass(slots=True)
class Done:
    """One step of a story; `wrong` says what does not hold, empty where all does."""

    line: Line
    wrong: str = ""


class Playing:
    """A night while its story is played. `refused` is the refusal of the last command, if it was one."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.night = Night()
        self.facts: dict[str, TableFacts] = {plan.table: TableFacts(plan.table) for plan in story.tables}
        self.wall = (story.starts or MIDNIGHT_MS + 19 * 3_600_000) - 30 * 60_000
        self.boot_at = self.wall
        self.refused: Refusal | None = None
        self.since = 0  # the records before the last press

    @property
    def now(self) -> Instant:
        return Instant("story", Millis(self.wall - self.boot_at), Millis(self.wall))

    def do(self, command: Any) -> None:
        """Carry out a command. Every press is one unit of undo."""
        self.since = len(self.night.records)
        id_ = f"press-{self.since}"
        done = self.night.do(command, self.now, self.facts, id_=id_, by="story")
        self.refused = done if isinstance(done, Refusal) else None


def play(story: Story) -> Iterator[Done]:
    """Every step with what is wrong. A refusal that the next line does not expect is an error of its step.

    Raise `StoryError` for a line that cannot be read.
    """
    playing = Playing(story)
    playing.do(
        Open(
            story.title, story.rulebook, story.tables, story.levels, story.seed, story.house, _millis(story.starts)
        )
    )
    if playing.refused is not None:
        raise story.wrong(Line(1, "header"), playing.refused.reason)
    lines = [*story.steps, Line(0, "")]
    for line, after in pairwise(lines):
        done = Done(line)
        if line.text.startswith("expect "):
            done.wrong = _expected(playing, line)
        else:
            refused = _step(playing, line)
            if refused is not None and not after.text.startswith("expect refused"):
                done.wrong = f"refused: {refused.reason} {refused.rule}".strip()
        yield done


def _millis(at: int | None) -> Millis | None:
    return Millis(at) if at is not None else None


def _expected(playing: Playing, line: Line) -> str:
    try:
        return missing(playing, line.text.removeprefix("expect "))
    except ValueError as error:
        raise playing.story.wrong(line, str(error)) from error


def _step(playing: Playing, line: Line) -> Refusal | None:
    """Play one step; the refusal, if it is refused."""
    playing.refused = None
    try:
        if found := re.fullmatch(r"at (\S+)", line.text):
            playing.wall = MIDNIGHT_MS + time_of_day(found[1])
        elif found := re.fullmatch(r"after (\S+)", line.text):
            playing.wall += duration(found[1])
        elif found := re.fullmatch(r"table (\S+): (.+)", line.text):
            _table(playing, found[1], found[2])
        elif found := _REGISTER.fullmatch(line.text):
            _register(playing, found)
        elif found := re.fullmatch(r"enter all", line.text):
            _enter_all(playing)
        elif found := re.fullmatch(r"undo(?: (\d+))?", line.text):
            playing.do(Undo(int(found[1]) if found[1] else _last(playing.night)))
        elif line.text == "kill station":
            playing.night = Night.replayed(playing.night.records)
        elif (command := command_of(line.text)) is not None:
            playing.do(command)
        else:
            raise ValueError(
                f"no step; lines begin with: {first_words()}, at, after, table N:, register, undo, expect"
            )
    except ValueError as error:
        raise playing.story.wrong(line, str(error)) from error
    return playing.refused


def _last(night: Night) -> int:
    """The last record that stands."""
    return next(
        (r.no for r in reversed(night.records) if not isinstance(r.event, Undone) and night.group(r.no)), 0
    )


def _register(playing: Playing, found: re.Match[str]) -> None:
    names = found["who"].split()
    if len(names) == 1 and names[0].isdigit():
        first = len(playing.night.state.field.entrants) + 1
        names = [f"p{no}" for no in range(first, first + int(names[0]))]
    said = found["facts"].split()
    for name in names:
        playing.do(
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


def _enter_all(playing: Playing) -> None:
    for entrant in list(playing.night.state.field.entrants.values()):
        if entrant.status == "registered":
            command = command_of(f"enter {entrant.player}")
            playing.do(command)
            if playing.refused is not None:
                return


def _table(playing: Playing, table: str, said: str) -> None:
    fact = playing.facts.get(table)
    if fact is None:
        raise ValueError(f"no table {table}; there are: {', '.join(playing.facts)}")
    if said == "over":
        playing.facts[table] = replace(fact, in_hand=False)
    elif found := _HAND.fullmatch(said):
        small = found["small"]
        playing.facts[table] = TableFacts(
            table,
            int(found["hand"]),
            not found["over"],
            int(found["level"] or fact.level or 1),
            Seat(int(found["button"])),
            Seat(int(small)) if small not in (None, "-") else None,
            Seat(int(found["big"])) if found["big"] else None,
            numbers(found["stacks"]) or fact.stacks,
            numbers(found["stacks"]) or fact.stacks,
        )
    elif found := _OUT.fullmatch(said):
        _out(playing, fact, found)
    else:
        raise ValueError("a table says `hand 5 button 3 blinds 4 5`, `over`, or `out 5=1200 by 3`")


def _out(playing: Playing, fact: TableFacts, found: re.Match[str]) -> None:
    players = playing.night.state.seats.tables[fact.table].players
    lost = numbers(found["seats"])
    by_seats = [Seat(int(seat)) for seat in (found["by"] or "").split()]
    unknown = [seat for seat in (*lost, *by_seats) if seat not in players]
    if unknown:
        raise ValueError(f"nobody sits at table {fact.table} seat {unknown[0]}")
    by = tuple(players[seat] for seat in by_seats)
    out = tuple(Out(players[seat], Chips(stack), by) for seat, stack in lost.items())
    playing.facts[fact.table] = replace(fact, in_hand=False)
    playing.do(ReportBust(fact.table, fact.hand, out))
