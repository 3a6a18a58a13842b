"""The tournament's commands at the station: their names, their arguments, and what a press asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from feltwire.config import StationConfig
from feltwire.station.clock import StationClock
from feltwire.station.director.arguments import arguments_of
from feltwire.station.station_io import Directed
from feltwire.station.tournament.closing import CloseEventWanted
from feltwire.station.tournament.kept_events import KEPT_COMMANDS
from feltwire.station.tournament.plan_event import PlanEvent, PlannedEvent, planned
from feltwire.station.tournament.preview import Foreseen, Preview
from feltwire.station.tournament.season import AddResult, RemoveResult, RestoreResult, SetPoints, ShowFinal
from feltwire.time_zone import date_of, day_of, zone_named
from table_core.messages import (
    Few,
    Frozen,
    Level,
    Malformed,
    Many,
    Millis,
    Name,
    Number,
    Said,
    Wall,
    convert,
    is_written,
)
from table_core.rulebook import Rulebook, RulebookError, load_rulebook
from table_core.rulebook_check import contradictions
from table_core.rulebook_file import value_fault
from table_core.tournament.clock import ScheduleError
from table_core.tournament.control import PressClock
from table_core.tournament.events import Flight, OnFile, TablePlan
from table_core.tournament.field.registration import Register
from table_core.tournament.local_day import time_of_day
from table_core.tournament.night import COMMANDS, Redo, Replace, Undo
from table_core.tournament.opening import ChangeRules, EditSchedule, GoToLevel, Open, RestartClock
from table_core.tournament.schedule import suggested
from table_core.tournament.schedule_text import read_schedule
from table_core.tournament.seats.chairs import chairs_of

MOST_BY_HAND = 40  # tables of an event by hand, where the station has none


def command_name(kind: type) -> str:
    """`ConfirmBust` is `confirm_bust`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


NOT_PRESSED = (RestartClock, PressClock)  # what happens by itself
NAMES: Mapping[str, type] = {
    command_name(kind): kind for kind in (*COMMANDS, Undo, Redo) if kind not in NOT_PRESSED
}


class AddPlayer(Frozen, frozen=True):
    """A name for the register, under an `id` that tables and screens show; without one the next `p…`. `another`:
    ids of those on file who were asked about, and are other people. `born`: the birthday, `1991-03-02`, where the
    club keeps it. `shown`: what the public reads, `name`, `initials` or `number`; empty: as the club has it."""

    name: Name
    id: Name = ""
    another: Few[Name] = ()
    born: Name = ""
    shown: Name = ""


class RegisterNew(Frozen, frozen=True):
    """`AddPlayer` and `Register` in one."""

    name: Name
    id: Name = ""
    member: bool = False
    adult: bool = False
    regular: bool = False
    anyway: Said = ""
    online: bool = False
    applied: bool = False
    locked_out_before: bool = False
    another: Few[Name] = ()
    born: Name = ""
    shown: Name = ""


class RegisterHere(Register, frozen=True):
    """`Register`; `another`: ids of those who may not play, were asked about, and are other people."""

    another: Few[Name] = ()
    born: Name = ""
    shown: Name = ""


class TellApart(Frozen, frozen=True):
    """`one` and `other` of the register are two people, whatever their names."""

    one: Name
    other: Name


class GiveEntryHere(Frozen, frozen=True):
    """`GiveEntry`; `other` is an id of the register, or `name` a new one."""

    player: Name
    other: Name = ""
    name: Name = ""
    why: Said = ""
    anyway: Said = ""
    another: Few[Name] = ()


class ImportPlayers(Frozen, frozen=True):
    """Register everybody on a list, the text of a CSV file; `part`: also where some lines are wrong. `check`: say
    what that would be, and register nobody."""

    text: Annotated[str, Meta(max_length=100_000)]
    part: bool = False
    check: bool = False


class CorrectName(Frozen, frozen=True):
    """The spelling of a player's name, and with `born` the birthday, as they should be; `another` as when a name
    is new. `with_ban`: also where that is another name, and the player is kept out of events."""

    player: Name
    name: Name
    born: Name = ""
    another: Few[Name] = ()
    with_ban: bool = False


class ShowAs(Frozen, frozen=True):
    """What the public reads of a `player`: `name`, `initials` or `number`; empty: as the club has it."""

    player: Name
    shown: Name = ""


class ForgetPlayer(Frozen, frozen=True):
    """Delete the name of a player; the records keep the id. `end_ban`: also of one who is kept out of later
    events, which ends with the name."""

    player: Name
    end_ban: bool = False


class OpenHere(Frozen, frozen=True):
    """`Open`; what is not given comes from the configuration of the station, `house` goes over its settings.
    Without `by_hand` the event is played by hand where no table is heard; its tables may then have any names.
    `template`: from which it was filled in; `flights`: ids of those whose bags it takes."""

    name: Said = ""
    rulebook: Name = ""
    tables: Many[TablePlan] = ()
    levels: Many[Level] = ()
    seed: Said = ""
    house: dict[str, Any] | None = None
    starts: Wall | None = None
    day: Name = ""
    on_file: Many[OnFile] = ()
    by_hand: bool | None = None
    template: Name = ""
    flights: Few[Name] = ()


class ChangeRulesHere(Frozen, frozen=True):
    """`ChangeRules`; without `rulebook` the book stays, `house` goes over the settings that there are, and a
    setting that is null is the book's again."""

    rulebook: Name = ""
    house: dict[str, Any] | None = None
    why: Said = ""


class RegisterRegulars(Frozen, frozen=True):
    """Register everybody of `players` who is not on the list: who is known from earlier events, as the desk had
    checked them then."""

    players: Many[Name]


class Instead(Frozen, frozen=True):
    """A command that is done in the place of what is taken back."""

    command: Name
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)


class ReplaceHere(Frozen, frozen=True):
    """`Replace`: `record` is taken back, and one of two others gets it."""

    record: Number
    instead: Few[Instead]
    why: Said = ""


class PreviousLevel(Frozen, frozen=True):
    """Back to the entry of the schedule before the present one, with its whole time."""


class LoadSchedule(Frozen, frozen=True):
    """Another schedule, as the text of a CSV or TOML file."""

    text: Annotated[str, Meta(max_length=100_000)]


class SuggestSchedule(Frozen, frozen=True):
    """The schedule that suits field, stacks and hours of play, in levels and with breaks of the book."""

    players: Annotated[int, Meta(ge=2, le=100_000)]
    stack: Annotated[int, Meta(ge=1, le=10_000_000)]
    hours: Annotated[float, Meta(gt=0, le=100)]
    smallest_chip: Annotated[int, Meta(ge=1, le=100_000)] = 25
    minutes: Annotated[float, Meta(ge=1, le=1_000)] | None = None
    rulebook: Name = ""


class SelectLevelHere(Frozen, frozen=True):
    level: int | None = None
    entry: int | None = None


OWN: Mapping[str, type] = {
    "add_player": AddPlayer,
    "correct_name": CorrectName,
    "show_as": ShowAs,
    "forget_player": ForgetPlayer,
    "tell_apart": TellApart,
    "register_new": RegisterNew,
    "import_players": ImportPlayers,
    "register_regulars": RegisterRegulars,
    "plan_event": PlanEvent,
    **KEPT_COMMANDS,
    "previous_level": PreviousLevel,
    "load_schedule": LoadSchedule,
    "suggest_schedule": SuggestSchedule,
    "replace": ReplaceHere,
    "preview": Preview,
    "close_event": CloseEventWanted,
    "add_result": AddResult,
    "remove_result": RemoveResult,
    "restore_result": RestoreResult,
    "show_final": ShowFinal,
    "set_points": SetPoints,
}
FORMS: Mapping[str, type] = {
    **NAMES,
    **OWN,
    "open": OpenHere,
    "give_entry": GiveEntryHere,
    "register": RegisterHere,
    "change_rules": ChangeRulesHere,
}

# What may stand in the place of what is taken back: no money changes hands with it.
_INSTEAD = (
    *("confirm_move", "give_penalty", "drop_bust", "report_bust", "confirm_bust", "correct_stack"),
    *("put_out", "swap_seats"),
)
_READ_AS_OTHERS = (
    "replace",
    "change_rules",
    "next_level",
    "previous_level",
    "select_level",
    "load_schedule",
    "suggest_schedule",
)


class Commands:
    """Reads presses. `in_force` gives the rulebook of the event, `event` too where one is open, `on_file()` the
    penalties of earlier events, `nobody_heard()` whether no table has been heard since the station was started."""

    def __init__(
        self,
        config: StationConfig,
        rulebook: Rulebook,
        *,
        tournament: str,
        clock: StationClock,
        in_force: Callable[[], Rulebook],
        event: Callable[[], Rulebook | None],
        bags: Callable[[Sequence[str]], tuple[Flight, ...]],
        on_file: Callable[[], Sequence[OnFile]],
        nobody_heard: Callable[[], bool],
    ) -> None:
        self._nobody_heard = nobody_heard
        self._in_force = in_force
        self._event = event
        self._bags = bags
        self._config = config
        self._rulebook = rulebook
        self._tournament = tournament
        self._clock = clock
        self._on_file = on_file
        self._zone = zone_named(config.time_zone)

    def read(self, given: Directed, now: Millis) -> Any:
        """The command that a press asks for. Raise `Malformed` for arguments that are none of it."""
        if given.command == "open":
            return self._open(given, now)
        if given.command == "change_rules":
            return self._other_rules(arguments_of(given, ChangeRulesHere))
        if given.command in ("next_level", "previous_level"):
            return GoToLevel(self._clock.clock.read(now).index + (1 if given.command == "next_level" else -1))
        if given.command == "load_schedule":
            return self._loaded(arguments_of(given, LoadSchedule))
        if given.command == "suggest_schedule":
            return self._suggested(arguments_of(given, SuggestSchedule))
        if given.command == "select_level":
            return GoToLevel(self._entry(arguments_of(given, SelectLevelHere)))
        if given.command == "preview":
            return self._foreseen(arguments_of(given, Preview), given, now)
        if given.command == "replace":
            return self._replacing(arguments_of(given, ReplaceHere))
        if given.command in ("import_players", "register_regulars"):
            return arguments_of(given, OWN[given.command])
        if given.command == "register":
            own = Register.__struct_fields__
            arguments_of(given, RegisterHere)
            return convert({name: value for name, value in given.arguments.items() if name in own}, Register)
        return convert(given.arguments, NAMES[given.command])

    def plan(self, given: Directed, now: Millis) -> PlannedEvent:
        """The form of an event as it is filled in. Raise `Malformed`."""
        wanted, config, event = arguments_of(given, PlanEvent), self._config, self._event()
        return planned(
            wanted,
            event.printed() if event is not None and not wanted.rulebook else self._named(wanted.rulebook),
            house=config.house,
            levels=config.levels if event is None else self._clock.clock.levels,
            event=event.house_settings(event=True) if event is not None else None,
            wall=self._clock.wall(now),
            zone=config.time_zone,
        )

    def _foreseen(self, wanted: Preview, given: Directed, now: Millis) -> Foreseen:
        if wanted.wanted not in NAMES and wanted.wanted not in _READ_AS_OTHERS:
            raise Malformed(f"nothing is foreseen of {wanted.wanted!r}")
        meant = replace(given, command=wanted.wanted, arguments=wanted.arguments)
        return Foreseen(self.read(meant, now))

    def _replacing(self, wanted: ReplaceHere) -> Replace:
        strange = [one.command for one in wanted.instead if one.command not in _INSTEAD]
        if strange or not wanted.instead:
            raise Malformed(f"instead: one of {', '.join(_INSTEAD)}, not {strange[0] if strange else 'nothing'}")
        others: list[Any] = [convert(one.arguments, NAMES[one.command]) for one in wanted.instead]
        return Replace(wanted.record, tuple(others), wanted.why)

    def _loaded(self, wanted: LoadSchedule) -> EditSchedule:
        try:
            return EditSchedule(read_schedule(wanted.text))
        except ScheduleError as error:
            raise Malformed(f"the schedule: {error}") from error

    def _suggested(self, wanted: SuggestSchedule) -> EditSchedule:
        try:
            levels = suggested(
                self._named(wanted.rulebook),
                players=wanted.players,
                stack=wanted.stack,
                hours=wanted.hours,
                smallest_chip=wanted.smallest_chip,
                minutes=wanted.minutes,
            )
        except ScheduleError as error:
            raise Malformed(f"the schedule: {error}") from error
        return EditSchedule(levels)

    def _open(self, given: Directed, now: Millis) -> Open:
        wanted, config = arguments_of(given, OpenHere), self._config
        by_hand = self.by_hand() if wanted.by_hand is None else wanted.by_hand
        book = self._named(wanted.rulebook)
        house = config.house | (wanted.house or {})
        _check_house(book, house)
        plans = self._plans(wanted.tables, by_hand, _chairs(book, house))
        starts = wanted.starts if wanted.starts is not None else self._book_start(wanted, now)
        begins = self._clock.wall(now) if starts is None else starts
        day = date_of(begins, self._zone)
        by_clock = day_of(day, self._zone)
        return Open(
            wanted.name or config.title or config.venue,
            book.id,
            plans,
            wanted.levels or config.levels,
            wanted.seed or f"{self._tournament}/{given.id}",
            house,
            starts,
            wanted.day or day.isoformat(),
            wanted.on_file or tuple(self._on_file()),
            book.recorded,
            *by_clock,
            by_hand,
            self._bags(wanted.flights),
        )

    def by_hand(self) -> bool:
        """Whether an event that is opened now is played by hand, where nobody says it: no table is connected."""
        return is_written("OutByHand") and self._nobody_heard()

    def _plans(self, wanted: Sequence[TablePlan], by_hand: bool, seats: int) -> tuple[TablePlan, ...]:
        """The tables of an event, `seats` at each where nobody says it. By hand they need not be the station's:
        where it has none, a draw opens as many of these as are needed. Raise `Malformed`."""
        tables = self._config.tables
        strange = [plan.table for plan in wanted if plan.table not in tables]
        if strange and not by_hand:
            there = (
                f"there are: {', '.join(tables)}"
                if tables
                else "there are none: the event is to be played by hand"
            )
            raise Malformed(f"there is no table {strange[0]}; {there}")
        if not wanted and not tables and not by_hand:
            raise Malformed("the station has no tables: the event is to be played by hand")
        names = tables or tuple(f"{no:02}" for no in range(1, MOST_BY_HAND + 1))
        return tuple(wanted) or tuple(TablePlan(table, seats) for table in names)

    def _other_rules(self, wanted: ChangeRulesHere) -> ChangeRules:
        present = self._in_force()
        book = self._named(wanted.rulebook) if wanted.rulebook else present.printed()
        settings = present.house_settings(event=True) | (wanted.house or {})
        house = {name: value for name, value in settings.items() if value is not None}
        _check_house(book, house)
        return ChangeRules(book.id, house, book.recorded, wanted.why)

    def _named(self, rulebook: str) -> Rulebook:
        """The station's own rulebook, or another one of the program's. Raise `Malformed`."""
        if rulebook in ("", self._rulebook.id):
            return self._rulebook.printed()
        try:
            return load_rulebook(rulebook)
        except RulebookError as error:
            raise Malformed(f"{error}") from error

    def _book_start(self, wanted: OpenHere, now: Millis) -> Millis | None:
        """The next time that it is the book's hour, as wall time."""
        try:
            house = self._config.house | (wanted.house or {})
            book = self._named(wanted.rulebook).with_house(house, event=True).tournament.start_time
        except RulebookError as error:
            raise Malformed(f"{error}") from error
        minutes = time_of_day(book.value) if book is not None else None
        if minutes is None:
            return None
        wall = self._clock.wall(now)
        return day_of(date_of(wall, self._zone), self._zone).next_at(minutes, wall - 1)

    def _entry(self, wanted: SelectLevelHere) -> int:
        if wanted.entry is not None:
            return wanted.entry
        levels = self._clock.clock.levels
        found = [i for i, level in enumerate(levels) if level.no == wanted.level and not level.is_break]
        if not found:
            raise Malformed("name a level or an entry of the schedule")
        return found[0]


def _chairs(book: Rulebook, house: Mapping[str, Any]) -> int:
    """Chairs of a table in an event with these settings; those of the book where the core will refuse them."""
    try:
        return chairs_of(book.with_house(house, event=True))
    except RulebookError:
        return chairs_of(book)


def _check_house(book: Rulebook, house: Mapping[str, Any]) -> None:
    """Raise `Malformed` for settings of an event with a value that they cannot have, or that cannot hold together;
    over the book's they may say anything. Unknown ones the core refuses."""
    try:
        found = contradictions(book.with_house(house, event=True))
    except RulebookError:
        return
    for name, value in house.items():
        if fault := value_fault(name, value):
            raise Malformed(f"house: {name}: {fault}")
    wrong = next((one for one in found if house.keys() >= {*one.settings}), None)
    if wrong is not None:
        raise Malformed(f"house: {wrong}")
