"""The text of a scenario: a header of `name: value` lines, an empty line, then one step a line.

    # Two cards exposed by the dealer: a misdeal, and the deal is played again.
    rulebooks: ccp, wfp, rpl
    rules: ccp.misdeals.1b, wfp.misdeals.1b, rpl.misdeals.1b
    seats: 1 2 3
    stack: 10000
    blinds: 50/100
    button: 1

    press NEW_HAND
    deal Ah Kd 7c
    expect event card_dealt to=seat-1

Several tables play at one time: `tables: 2`, `seats of table 2: 4 5 6` in the header, `table 2: press CALL` below.
`docs/scenario.md` describes every step.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feltwire.config import TableConfig
from feltwire.errors import UsageError
from feltwire.lab.scenario.check import HIGHEST_SEAT
from feltwire.rulebooks import beside, rulebook_named
from table_core.catalogue import find_rule
from table_core.messages import Chips, Hint, Level, Seat, SeatStack
from table_core.rulebook import RulebookError, rulebook_ids

DEVICES = ("keypad", "shoe", "camera")
MOST_TABLES = 9
OF_THE_ROOM = ("wait", "level", "power")  # without a table: at every table
_NAMES = (
    "rulebooks",
    "rulebook",
    "rules",
    "seats",
    "stack",
    "blinds",
    "button",
    "devices",
    "why",
    "names",
    "house",
    "chip",
    "hints",
    "tables",
)
_OF_A_TABLE = ("seats", "stack", "blinds", "button", "devices", "names", "chip", "hints", "house")
_SETTING = re.compile(r"^(\w+)(?: of table (\d+))?$")
_STEP_AT = re.compile(r"^table (\d+):\s*(.*)$")
_BLINDS = re.compile(r"^(\d+)/(\d+)(?: ante (\d+))?(?: big blind ante (\d+))?$")


class ScenarioError(UsageError):
    """A scenario that cannot be read: file, line, and what was expected there."""


class ScenarioLine(Struct, frozen=True):
    """One step: where it stands, its verb, and the words after it. `table`: whose step it is, 0 where none is
    named."""

    no: int
    verb: str
    words: tuple[str, ...]
    text: str
    table: int = 0


class Scenario(Struct, frozen=True):
    """One file. `rules` are the catalogue's ids that it shows, of every book in `rulebooks`.

    Seats, level and devices are those of table `no`; `others` are the same file at its other tables. Where the
    header names no devices, they are all there are.
    """

    path: str
    title: str
    rulebooks: tuple[str, ...]
    rules: tuple[str, ...]
    seats: tuple[SeatStack, ...]
    level: Level
    button: Seat
    devices: tuple[str, ...]
    chip: int
    hints: tuple[Hint, ...]
    house: dict[str, Any]
    lines: tuple[ScenarioLine, ...]
    no: int = 1
    others: tuple[Scenario, ...] = ()
    any_devices: bool = False  # the header names none: every set that the lines allow (`devices.py`)
    other_devices: tuple[tuple[str, ...], ...] = ()  # the further sets of the header
    why: str = ""  # it is not played with the other sets that its lines allow

    def error(self, line: ScenarioLine, expected: str) -> ScenarioError:
        return ScenarioError(f"{self.path}:{line.no}: {line.text!r}; expected {expected}")

    def config(self, rulebook: str, house: str | None = None) -> TableConfig:
        """The table as the header sets it up, or with other settings of the `house`. Raise `RulebookError` or
        `TOMLDecodeError` for settings that no book has."""
        settings = self.house if house is None else tomllib.loads(f"house = {{{house}}}")["house"]
        rulebook_named(rulebook).with_house(settings)
        above = Level(self.level.no + 1, Chips(self.level.small_blind * 2), Chips(self.level.big_blind * 2))
        most = max(seat.seat for seat in self.seats)
        return TableConfig(
            "scenario",
            f"{self.no:02}",
            "unused",
            self.seats,
            (self.level, above),
            most,
            self.button,
            rulebook,
            settings,
            smallest_chip=Chips(self.chip),
            hints=self.hints,
        )

    def rules_of(self, rulebook: str) -> tuple[str, ...]:
        """The rules that it shows when played under this book."""
        prefix = "tda." if rulebook == "base" else f"{rulebook}."
        return tuple(rule for rule in self.rules if rule.startswith(prefix))


def read_scenario(path: Path) -> Scenario:
    """Raise `ScenarioError` with file and line where the text is not a scenario."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read ({error}); name a scenario file") from error
    return parse_scenario(lines, str(path))


def parse_scenario(lines: list[str], path: str) -> Scenario:
    """As `read_scenario`, from lines of text that came from `path`.

    Raise `ScenarioError` for an unknown setting, a bad value or no steps.
    """
    title, steps = "", list[ScenarioLine]()
    header: dict[str, tuple[int, str]] = {}
    in_header = True
    for no, raw in enumerate(lines, 1):
        text = raw.strip()
        if not text:
            in_header = in_header and not header
            continue
        if text.startswith("#"):
            title = title or text.lstrip("# ")
            continue
        name, colon, value = text.partition(":")
        if in_header and colon and _SETTING.match(name):
            _check_setting(name, header, f"{path}:{no}")
            header[name] = (no, value.strip())
            continue
        in_header = False
        steps.append(_step(no, text, path))
    if not steps:
        raise ScenarioError(f"{path}: no steps; write them after the header and an empty line")
    return _Header(path, header).scenario(title, tuple(steps))


def _check_setting(name: str, header: Mapping[str, object], where: str) -> None:
    if name in header:
        raise ScenarioError(f"{where}: the setting {name!r} is there already; write it once")
    found = _SETTING.match(name)
    plain, table = found.groups() if found is not None else (name, None)
    known = _NAMES if table is None else _OF_A_TABLE
    if plain not in known:
        of = " of a table" if table is not None else ""
        raise ScenarioError(f"{where}: no setting {plain!r}{of}; there are: {', '.join(known)}")


def _step(no: int, text: str, path: str) -> ScenarioLine:
    found = _STEP_AT.match(text)
    table, said = (int(found[1]), found[2]) if found is not None else (0, text)
    words = tuple(said.split())
    if not words:
        raise ScenarioError(f"{path}:{no}: {text!r}: no step; write one after `table {table}:`")
    return ScenarioLine(no, words[0], words[1:], text, table)


class _Header:
    """The settings of a file, as they stand for table `no`."""

    def __init__(self, path: str, settings: Mapping[str, tuple[int, str]], no: int = 1) -> None:
        self._path = path
        self._settings = settings
        self._no = no

    def scenario(self, title: str, steps: tuple[ScenarioLine, ...]) -> Scenario:
        tables = self._tables()
        at = [_Header(self._path, self._settings, no)._of_one_table(title, steps) for no in range(1, tables + 1)]
        _check_tables(self._path, steps, tables)
        return replace(at[0], others=tuple(at[1:]))

    def _of_one_table(self, title: str, steps: tuple[ScenarioLine, ...]) -> Scenario:
        return Scenario(
            self._path,
            title,
            self._books(),
            self._rules(),
            self._seats(),
            self._level(),
            Seat(self._number("button", 1)),
            self._devices()[0],
            self._number("chip", 1),
            self._hints(),
            self._house(),
            steps,
            self._no,
            any_devices="devices" not in self._settings,
            other_devices=self._devices()[1:],
            why=self._get("why", ""),
        )

    def _tables(self) -> int:
        tables = self._number("tables", 1)
        if not 1 <= tables <= MOST_TABLES:
            raise self._fail("tables", f"1 to {MOST_TABLES} tables")
        for name in self._settings:
            found = _SETTING.match(name)
            if found is not None and found[2] is not None and not 1 <= int(found[2]) <= tables:
                no, _ = self._settings[name]
                raise ScenarioError(f"{self._path}:{no}: {name}: {_no_table(tables)}")
        return tables

    def _said(self, name: str, default: str) -> tuple[int, str]:
        """The line and the value of a setting: that of this table, else that of every table."""
        return self._settings.get(f"{name} of table {self._no}", self._settings.get(name, (1, default)))

    def _get(self, name: str, default: str) -> str:
        return self._said(name, default)[1]

    def _fail(self, name: str, expected: str) -> ScenarioError:
        no, value = self._said(name, "")
        return ScenarioError(f"{self._path}:{no}: {name}: {value!r}; expected {expected}")

    def _number(self, name: str, default: int) -> int:
        text = self._get(name, str(default))
        if not text.isdecimal():
            raise self._fail(name, "a number")
        return int(text)

    def _books(self) -> tuple[str, ...]:
        name = "rulebooks" if "rulebooks" in self._settings else "rulebook"
        said = self._get(name, "base").replace(",", " ").split()
        books = tuple(beside(Path(self._path), book) for book in said)
        try:
            for book in books:
                rulebook_named(book)
        except RulebookError as error:
            raise self._fail(name, f"some of {', '.join(rulebook_ids())}, or a file ({error})") from error
        if not books:
            raise self._fail(name, f"some of {', '.join(rulebook_ids())}")
        return books

    def _rules(self) -> tuple[str, ...]:
        rules = tuple(self._get("rules", "").replace(",", " ").split())
        for rule in rules:
            if find_rule(rule) is None:
                raise self._fail("rules", f"rules of the catalogue; there is no {rule!r}")
        return rules

    def _seats(self) -> tuple[SeatStack, ...]:
        stack, seats = self._number("stack", 10_000), list[SeatStack]()
        names = dict(part.split("=", 1) for part in self._get("names", "").split() if "=" in part)
        for part in self._get("seats", "1 2 3").replace(",", " ").split():
            seat, equals, chips = part.partition("=")
            if not seat.isdecimal() or (equals and not chips.isdecimal()):
                raise self._fail("seats", "seats as in `1 2 3` or `1=10000 2=500`")
            if not 1 <= int(seat) <= HIGHEST_SEAT or any(int(seat) == other.seat for other in seats):
                raise self._fail("seats", f"different seats from 1 to {HIGHEST_SEAT}")
            seats.append(SeatStack(Seat(int(seat)), Chips(int(chips) if equals else stack), names.pop(seat, "")))
        if names:
            raise self._fail("names", "names of seats that are in `seats`")
        return tuple(seats)

    def _devices(self) -> tuple[tuple[str, ...], ...]:
        """The sets of `keypad / keypad shoe`; `screen` is the empty one."""
        sets = []
        for part in self._get("devices", " ".join(DEVICES)).split("/"):
            names = tuple(part.replace(",", " ").split())
            if not names or not (set(names) <= set(DEVICES) or names == ("screen",)):
                raise self._fail("devices", f"some of {', '.join(DEVICES)}, or `screen`; `/` between several sets")
            sets.append(tuple(name for name in DEVICES if name in names))
        return tuple(sets)

    def _hints(self) -> tuple[Hint, ...]:
        names = self._get("hints", "").replace(",", " ").split()
        if not set(names) <= set(Hint):
            raise self._fail("hints", f"some of {', '.join(Hint)}")
        return tuple(Hint(name) for name in names)

    def _house(self) -> dict[str, Any]:
        """Settings of the house, as the inside of a TOML table."""
        try:
            house = tomllib.loads(f"house = {{{self._get('house', '')}}}")["house"]
            for book in self._books():
                rulebook_named(book).with_house(house)
        except (tomllib.TOMLDecodeError, RulebookError) as error:
            raise self._fail("house", f'settings as in `button = "moving", raise_cap = 3` ({error})') from error
        return dict(house)

    def _level(self) -> Level:
        level = level_of(self._get("blinds", "50/100"), no=1)
        if level is None:
            raise self._fail("blinds", "as in `50/100`, `50/100 ante 10`, `50/100 big blind ante 100`")
        return level


def _check_tables(path: str, steps: tuple[ScenarioLine, ...], tables: int) -> None:
    """Raise `ScenarioError` for a step of a table that is not there, or of none where there are several."""
    for line in steps:
        if line.table > tables or line.text.startswith("table 0:"):
            raise ScenarioError(f"{path}:{line.no}: {line.text!r}: {_no_table(tables)}")
        if tables > 1 and not line.table and line.verb not in OF_THE_ROOM and line.words[:1] != ("chips",):
            raise ScenarioError(
                f"{path}:{line.no}: {line.text!r}: at which of the {tables} tables? Write `table 1: …`"
            )


def _no_table(tables: int) -> str:
    return f"there {'is one table' if tables == 1 else f'are {tables} tables'}; write `tables: N` for more"


def level_of(text: str, *, no: int) -> Level | None:
    """The level that `text` says as the header does; None where it says none."""
    found = _BLINDS.match(text)
    if found is None:
        return None
    small, big, ante, big_ante = [Chips(int(part or 0)) for part in found.groups()]
    return Level(no, small, big, ante, big_ante)
