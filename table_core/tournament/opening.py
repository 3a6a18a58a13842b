"""The event itself: its name, book and tables, its clock, and the start of play."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from table_core.messages import BookText, Few, Frozen, Level, Many, Mark, Millis, Name, Number, Refusal, Said
from table_core.rulebook import Rulebook, RulebookError, recorded_rulebook
from table_core.tournament.clock import (
    LONGEST_MINUTES,
    MINUTE_MS,
    ScheduleError,
    TournamentClock,
    check_schedule,
)
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import (
    ClockChanged,
    ClockShift,
    Flight,
    Instant,
    OnFile,
    RulesChanged,
    Started,
    TablePlan,
    TournamentOpened,
)
from table_core.tournament.field.entries import paid_play_fault
from table_core.tournament.flights import taken_up
from table_core.tournament.local_day import LocalDay, times_said
from table_core.tournament.meals import meals_on_time
from table_core.tournament.money.league import too_few_for_points
from table_core.tournament.seats.button import first_buttons
from table_core.tournament.state import Facts, State, TableSeats


class Open(Frozen, frozen=True):
    """Open the event. `house` are the published settings, plain values by parameter of the rulebook; `day` is
    its date, which begins at `midnight` (wall time), with the changes of the clocks from then on; `on_file` are
    penalties of earlier events. `own` is all that a director's own rulebook says (`Rulebook.recorded`).
    `by_hand`: no table reports anything. `flights`: those whose bags this event takes."""

    name: Said
    rulebook: Name
    tables: Many[TablePlan]
    levels: Many[Level]
    seed: Said
    house: dict[str, Any] = msgspec.field(default_factory=dict)
    starts: Millis | None = None
    day: Name = ""
    on_file: Many[OnFile] = ()
    own: BookText = ""
    midnight: Millis | None = None
    shifts: Few[ClockShift] = ()
    by_hand: bool = False
    flights: Few[Flight] = ()


class ChangeRules(Frozen, frozen=True):
    """Another rulebook or other settings from now on. What was paid, drawn and played stays; seats at a table
    and the schedule are not settings. `house` are all settings, as in `Open`."""

    rulebook: Name
    house: dict[str, Any] = msgspec.field(default_factory=dict)
    own: BookText = ""
    why: Said = ""


class Start(Frozen, frozen=True):
    """Cards in the air: the clock runs."""


class Pause(Frozen, frozen=True):
    why: Said = ""


class Resume(Frozen, frozen=True):
    pass


class GoToLevel(Frozen, frozen=True):
    """To an entry of the schedule, counted from 0; breaks are entries."""

    entry: Number


class AddTime(Frozen, frozen=True):
    """Milliseconds added to the level that runs; below 0: taken off. Where another than `entry` (from 0) has begun
    meanwhile nothing is added."""

    by_ms: Annotated[int, Meta(ge=-LONGEST_MINUTES * MINUTE_MS, le=LONGEST_MINUTES * MINUTE_MS)]
    entry: Number | None = None


class EditSchedule(Frozen, frozen=True):
    levels: Many[Level]


class RestartClock(Frozen, frozen=True):
    """The machine was started again: the clock goes on from `mark`, which is of this boot."""

    mark: Mark


def open_event(state: State, wanted: Open, now: Instant, facts: Facts) -> Decision:
    if state.opened:
        return Refusal(reason="The event is open already.", rule="")
    names = [plan.table for plan in wanted.tables]
    if not names or len(set(names)) < len(names):
        return Refusal(reason="Name at least one table, and each once.", rule="")
    fault = _rules_fault(wanted)
    if fault is not None:
        return fault
    try:
        check_schedule(wanted.levels)
        clock = TournamentClock.new(wanted.levels, boot=now.boot, now=now.at)
    except ScheduleError as error:
        return Refusal(reason=f"{error}.", rule="")
    opened = TournamentOpened(
        wanted.name, wanted.rulebook, _as_text(wanted.house), wanted.tables, wanted.seed, wanted.starts,
        wanted.day, wanted.on_file, wanted.own, wanted.midnight, wanted.shifts,
    )  # fmt: skip
    times = times_said(_book_of(opened), _day_of(opened))
    opened = replace(opened, times=times, by_hand=wanted.by_hand)
    set_ = ClockChanged(clock.levels, clock.mark, "the schedule is set")
    return (opened, set_, *taken_up(wanted.flights, clock, now))


def change_rules(state: State, wanted: ChangeRules, now: Instant, facts: Facts) -> Decision:
    fault = _rules_fault(wanted)
    if fault is not None:
        return fault
    changed = RulesChanged(wanted.rulebook, _as_text(wanted.house), wanted.own, wanted.why)
    book = _book_of(changed)
    if book.sha256() == state.book.sha256():
        return ()
    return (replace(changed, times=times_said(book, state.local_day)),)


def _rules_fault(wanted: Open | ChangeRules) -> Refusal | None:
    """Why an event cannot be played under this book with these settings."""
    try:
        book = recorded_rulebook(wanted.rulebook, wanted.own).with_house(wanted.house, event=True)
    except RulebookError as error:
        return Refusal(reason=f"{error}.", rule="")
    return paid_play_fault(book)


def _as_text(house: Mapping[str, Any]) -> str:
    return json.dumps(house, sort_keys=True, separators=(",", ":"))


def _book_of(event: TournamentOpened | RulesChanged) -> Rulebook:
    return recorded_rulebook(event.rulebook, event.own).with_house(json.loads(event.house), event=True)


def _day_of(event: TournamentOpened) -> LocalDay | None:
    return None if event.midnight is None else LocalDay(event.midnight, event.shifts)


def start(state: State, wanted: Start, now: Instant, facts: Facts) -> Decision:
    if state.clock is None:
        return Refusal(reason="Open the event first.", rule="")
    if state.started is not None:
        return ()
    if state.cancelled:
        return Refusal(reason="The event is cancelled: undo that first.", rule="")
    if not (state.seats.drawn and state.seats.at):
        return Refusal(reason="Nobody is seated: draw the seats first.", rule="")
    clock = meals_on_time(state, state.clock.resume(now.at), now)
    begin = ClockChanged(clock.levels, clock.mark, "cards in the air")
    return (*first_buttons(state), Started(too_few_for_points(state)), begin)


def change_clock(state: State, wanted: Any, now: Instant, facts: Facts) -> Decision:
    """Every change of the clock that a person makes."""
    if state.clock is None:
        return Refusal(reason="Open the event first.", rule="")
    if state.cancelled:
        return Refusal(reason="The event is cancelled: undo that first.", rule="")
    clock = state.clock
    changed: TournamentClock | Refusal
    match wanted:
        case Pause(why):
            changed, what = clock.pause(now.at), f"paused{': ' if why else ''}{why}"
        case Resume() if state.started is None:
            return Refusal(reason="The event has not begun: its clock starts with *Cards in the air*.", rule="")
        case Resume() if state.finished is not None:
            return Refusal(reason="The event is over: its clock stands.", rule="")
        case Resume():
            changed, what = clock.resume(now.at), "goes on"
        case GoToLevel(entry):
            changed, what = clock.go_to_entry(entry, now.at), f"entry {entry + 1} of the schedule"
        case AddTime(by_ms, entry):
            reading = clock.read(now.at)
            if entry is not None and entry != reading.index:
                level = clock.levels[reading.index]
                name = "The break" if level.is_break else f"Level {level.no}"
                reason = f"{name} has begun meanwhile. Press again for time in it, or go back to the level before."
                return Refusal(reason=reason, rule="")
            changed, what = clock.with_time(by_ms, now.at), f"{by_ms / 60_000:+g} min"
        case EditSchedule(levels):
            try:
                check_schedule(levels)
                changed, what = clock.with_schedule(levels, now.at), "the schedule is changed"
            except ScheduleError as error:
                return Refusal(reason=f"{error}.", rule="")
        case RestartClock(mark):
            changed, what = TournamentClock(clock.levels, mark), "the machine was started again"
        case _:
            raise TypeError(wanted)
    if isinstance(changed, Refusal):
        return changed
    if not isinstance(wanted, EditSchedule | RestartClock):
        changed = meals_on_time(state, changed, now)
    return () if changed == clock else (ClockChanged(changed.levels, changed.mark, what),)


# ------------------------------------------------------------------------------------------------ reducers


def _opened(state: State, event: TournamentOpened, now: Instant) -> None:
    if state.opened:
        raise ConflictError("the event is open already")
    state.opened, state.by_hand = True, event.by_hand
    state.name, state.seed, state.starts, state.day = event.name, event.seed, event.starts, event.day
    state.local_day = _day_of(event)
    state.penalties.on_file = event.on_file
    state.book = _book_of(event)
    state.seats.tables = {plan.table: TableSeats(plan) for plan in event.tables}


def _rules(state: State, event: RulesChanged, now: Instant) -> None:
    state.book = _book_of(event)


def _clock(state: State, event: ClockChanged, now: Instant) -> None:
    state.clock = TournamentClock(event.levels, event.mark)
    state.stopped_by_book = state.stopped_by_book and not event.mark.running


def _started(state: State, event: Started, now: Instant) -> None:
    if not (state.seats.drawn and state.seats.at):
        raise ConflictError("nobody is seated")
    state.started = now
    state.seats.began_with = len(state.seats.open_tables())


COMMANDS: Mapping[type, Any] = {
    Open: open_event,
    ChangeRules: change_rules,
    Start: start,
    **dict.fromkeys((Pause, Resume, GoToLevel, AddTime, EditSchedule, RestartClock), change_clock),
}
REDUCERS: Mapping[type, Any] = {
    TournamentOpened: _opened,
    RulesChanged: _rules,
    ClockChanged: _clock,
    Started: _started,
}
