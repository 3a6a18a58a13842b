"""The live coverage as its pages, feeds and its desk show it. Wall times are ms since 1970."""

from __future__ import annotations

from enum import StrEnum

from table_core.messages import Chips, Few, Frozen, Level, Many, Millis, Name, Number, Seat, Text


class LineState(StrEnum):
    WAITS = "waits"  # until it is as old as what is on air, and for its grace
    HELD = "held"  # until somebody lets it out
    OUT = "out"
    WITHDRAWN = "withdrawn"  # it was out, and is not true any more
    REMOVED = "removed"  # it was out, and a person took it away
    DROPPED = "dropped"  # it was never out


class EarlierText(Frozen, frozen=True):
    """What a line said until `at`, by language."""

    at: Millis
    text: dict[Name, Text]


class CoverageLine(Frozen, frozen=True):
    """One line that is out. `no` counts lines as they went out; `happened` is when it came about, `at` when it
    went out, `changed` when it was last corrected or withdrawn. `table` and `hand` name its hand."""

    no: Number
    id: Name
    kind: Name
    state: LineState
    happened: Millis
    at: Millis
    text: dict[Name, Text]
    changed: Millis | None = None
    before: Few[EarlierText] = ()
    pinned: bool = False
    table: Name = ""
    hand: Number | None = None


class ChipCount(Frozen, frozen=True):
    place: Number
    player: Name
    stack: Chips
    table: Name = ""
    seat: Seat | None = None


class CoverageView(Frozen, frozen=True):
    """On the relay's channel `coverage`: the lines that are out, the newest first, and the chip counts as late as
    they are. `version` grows with every change of it; `name` is the tournament's."""

    version: Number
    name: Text
    lines: Many[CoverageLine]
    counts: Many[ChipCount] = ()
    counted: Millis | None = None
    level: Level | None = None
    players_left: Number = 0
    entrants: Number = 0


class LineAtDesk(Frozen, frozen=True):
    """A line as the desk sees it. `due_ms`: until it goes out, None for one that waits for a person or for an air
    delay that can be read. `told`: what its facts say; `text` differs where a person edited it. `stale`: its facts
    changed since."""

    id: Name
    kind: Name
    state: LineState
    text: dict[Name, Text]
    told: dict[Name, Text]
    happened: Millis
    source: Name = ""
    due_ms: Number | None = None
    by: Name = ""
    approved: bool = False
    stale: bool = False
    pinned: bool = False
    table: Name = ""
    hand: Number | None = None


class CoverageDesk(Frozen, frozen=True):
    """On the relay's channel `coverage_desk`: what waits, the next one to go out first, and what is out. `mode` is
    `auto` or `hold`, `wait_s` how old what goes out is at least, None: nothing goes out."""

    mode: Name
    wait_s: float | None
    grace_s: float
    waiting: Many[LineAtDesk]
    out: Many[LineAtDesk]
