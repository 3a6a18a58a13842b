"""The director's hand on the running event: breaks out of turn, a level edited, the clock left to a table, a deck
changed, the event cancelled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from table_core.messages import (
    Amount,
    Chips,
    Count,
    Frozen,
    Level,
    Many,
    Millis,
    Name,
    Number,
    Refusal,
    Said,
)
from table_core.tournament.clock import MOST_ENTRIES, ScheduleError, check_schedule
from table_core.tournament.decision import Decision, refused
from table_core.tournament.events import (
    ClockChanged,
    ClockDelegated,
    ClockPressed,
    DeckChanged,
    EventCancelled,
    Instant,
)
from table_core.tournament.local_day import PLAIN_DAY, time_of_day
from table_core.tournament.policies import DeckReason
from table_core.tournament.schedule import by_book, doubling, ladder, with_breaks
from table_core.tournament.state import Facts, State
from table_core.tournament.stops import as_rounds_go

_NOT_OPEN = Refusal(reason="Open the event first.", rule="")


class TakeBreak(Frozen, frozen=True):
    """A break of `minutes` that is not in the schedule, now, once the clock has run for `in_ms`, or when it is the
    time of day `at`, `18:30`; the level goes on behind it."""

    minutes: Count
    what: Name = ""
    in_ms: Number = 0
    at: Said = ""


class EndBreak(Frozen, frozen=True):
    """The break that is on is over, or goes on for `left_ms` only. `agreed`: every active player agrees."""

    agreed: bool = False
    left_ms: Millis = Millis(0)
    anyway: Said = ""


class EditLevel(Frozen, frozen=True):
    """Other blinds or another length of an entry of the schedule, counted from 0, also of the one that runs."""

    entry: Number
    small_blind: Amount | None = None
    big_blind: Amount | None = None
    ante: Amount | None = None
    big_blind_ante: Amount | None = None
    minutes: float | None = None


class BookSchedule(Frozen, frozen=True):
    """The schedule by the book: its lengths of levels, its breaks and meals.

    `blinds` are the levels, whatever their lengths; without any, `count` of the book's own; `doubling`: `count` of
    them, each with twice the blinds and ante of the one before. Meals need the time of
    day at which play `starts`, `19:30`; where the book has meals the last level goes on until about midnight.
    """

    blinds: Many[Level] = ()
    count: Annotated[int, Meta(ge=1, le=MOST_ENTRIES)] = 12
    doubling: bool = False
    starts: Said = ""


class DelegateClock(Frozen, frozen=True):
    """The clock is left to a table as well, which stops and starts it with `0 TIME`; without one, to none."""

    table: Name = ""


class PressClock(Frozen, frozen=True):
    """A table asks for the clock to stop or to go on; `press` names the event that says so."""

    press: Name
    table: Name
    running: bool


class CancelEvent(Frozen, frozen=True):
    why: Said


class ChangeDeck(Frozen, frozen=True):
    """Another deck at a table, and why: `new_dealer`, `damaged_card`, `rotation` or `player`."""

    table: Name
    reason: DeckReason


def take_break(state: State, wanted: TakeBreak, now: Instant, facts: Facts) -> Decision:
    if state.clock is None:
        return _NOT_OPEN
    rest = Level(0, Chips(0), Chips(0), minutes=wanted.minutes, is_break=True, what=wanted.what)
    day, minutes, in_ms, said = state.local_day, time_of_day(wanted.at), wanted.in_ms, ""
    if wanted.at and (minutes is None or day is None):
        why = (
            f"{wanted.at} is no time of day; write 18:30." if minutes is None else "The event's day is not known."
        )
        return Refusal(reason=why, rule="")
    if minutes is not None and day is not None:
        in_ms, said = day.next_at(minutes, now.wall) - now.wall, day.said(wanted.at)
    try:
        if in_ms:
            later = state.clock.with_later_break(rest, in_ms, now.at)
            what = f"a break of {wanted.minutes} minutes is planned{f' for {wanted.at}. {said}' if said else ''}"
            return (ClockChanged(later.levels, later.mark, what),)
        if state.clock.level(now.at).is_break:
            return Refusal(reason="A break is on: add time to it.", rule="")
        changed = state.clock.with_break(rest, now.at)
    except ScheduleError as error:
        return Refusal(reason=f"{error}.", rule="")
    changed = as_rounds_go(state, changed, now)
    return (ClockChanged(changed.levels, changed.mark, f"a break of {wanted.minutes} minutes"),)


def end_break(state: State, wanted: EndBreak, now: Instant, facts: Facts) -> Decision:
    """Skipped or shortened by agreement only, where the book says so (ccp.timer.5)."""
    if state.clock is None:
        return _NOT_OPEN
    clock = state.clock
    if not clock.level(now.at).is_break:
        return Refusal(reason="No break is on.", rule="")
    rule = state.book.tournament.break_skipped_by_agreement
    if rule is not None and not wanted.anyway and not (rule.value and wanted.agreed):
        reason = "All active players must agree." if rule.value else "A break is neither skipped nor shortened."
        return refused(state.book, "break_skipped_by_agreement", reason)
    left = clock.read(now.at).left_ms
    if wanted.left_ms >= left:
        return Refusal(reason=f"{left // 1000} s of the break are left: that is no less.", rule="")
    changed = clock.with_time(wanted.left_ms - left, now.at) if wanted.left_ms > 0 else clock.go_to_next(now.at)
    if isinstance(changed, Refusal):
        return changed
    how = "by agreement" if wanted.agreed else wanted.anyway
    what = f"the break is {'shortened' if wanted.left_ms > 0 else 'over'}{': ' if how else ''}{how}"
    changed = as_rounds_go(state, changed, now)
    return (ClockChanged(changed.levels, changed.mark, what),)


def edit_level(state: State, wanted: EditLevel, now: Instant, facts: Facts) -> Decision:
    if state.clock is None:
        return _NOT_OPEN
    levels = state.clock.levels
    if wanted.entry >= len(levels):
        return Refusal(reason=f"The schedule has {len(levels)} entries.", rule="")
    given = {name: getattr(wanted, name) for name in wanted.__struct_fields__ if name != "entry"}
    edited = replace(levels[wanted.entry], **{name: value for name, value in given.items() if value is not None})
    if not edited.is_break and not 0 <= edited.small_blind <= edited.big_blind:
        return Refusal(reason="The small blind is above the big blind.", rule="")
    if not edited.is_break and not edited.big_blind:
        return Refusal(reason="A level has a big blind.", rule="")
    changed_levels = (*levels[: wanted.entry], edited, *levels[wanted.entry + 1 :])
    try:
        check_schedule(changed_levels)
        changed = state.clock.with_schedule(changed_levels, now.at)
    except ScheduleError as error:
        return Refusal(reason=f"{error}.", rule="")
    if changed == state.clock:
        return ()
    return (ClockChanged(changed.levels, changed.mark, f"entry {wanted.entry + 1} is edited"),)


def book_schedule(state: State, wanted: BookSchedule, now: Instant, facts: Facts) -> Decision:
    if state.clock is None:
        return _NOT_OPEN
    book, start = state.book, state.book.tournament.start_time
    said, day = wanted.starts or (start.value if start is not None else ""), state.local_day or PLAIN_DAY
    starts = time_of_day(said)
    if wanted.starts and starts is None:
        return Refusal(reason=f"{wanted.starts} is no time of day; write 19:30.", rule="")
    try:
        if wanted.blinds:
            check_schedule(wanted.blinds)
        if wanted.doubling:
            first = wanted.blinds[0] if wanted.blinds else ladder(book, 1)[0]
            doubled = doubling(book, first, wanted.count)
            levels = with_breaks(book.tournament, doubled, starts=starts, day=day, runs_on=True)
        else:
            blinds = wanted.blinds or ladder(book, wanted.count)
            levels = by_book(book, blinds, starts=starts, day=day, runs_on=True)
        check_schedule(levels)
        changed = state.clock.with_schedule(levels, now.at)
    except ScheduleError as error:
        return Refusal(reason=f"{error}.", rule="")
    if changed == state.clock:
        return ()
    what = " ".join(filter(None, ("the schedule is the book's", day.said(wanted.starts))))
    return (ClockChanged(changed.levels, changed.mark, what),)


def delegate_clock(state: State, wanted: DelegateClock, now: Instant, facts: Facts) -> Decision:
    if wanted.table and wanted.table not in state.seats.tables:
        return Refusal(reason=f"There is no table {wanted.table}.", rule="")
    rule = state.book.tournament.clock_may_be_delegated
    if wanted.table and rule is not None and not rule.value:
        return refused(state.book, "clock_may_be_delegated", "The clock is the director's alone.")
    if wanted.table == state.clock_table:
        return ()
    return (ClockDelegated(wanted.table, rule.rule if rule is not None else ""),)


def press_clock(state: State, wanted: PressClock, now: Instant, facts: Facts) -> Decision:
    if state.clock is None:
        return _NOT_OPEN
    rule = state.book.tournament.clock_may_be_delegated
    taken = bool(wanted.table) and wanted.table == state.clock_table and not state.cancelled
    pressed = ClockPressed(
        wanted.press, wanted.table, wanted.running, taken, rule.rule if rule is not None else ""
    )
    clock = state.clock.resume(now.at) if wanted.running else state.clock.pause(now.at)
    if not taken or clock == state.clock:
        return (pressed,)
    what = f"{'goes on' if wanted.running else 'stopped'} by table {wanted.table}"
    return (pressed, ClockChanged(clock.levels, clock.mark, what))


def cancel_event(state: State, wanted: CancelEvent, now: Instant, facts: Facts) -> Decision:
    if state.finished is not None or state.cancelled:
        return Refusal(reason="The event is over.", rule="")
    rule = state.book.tournament.event_may_be_cancelled
    if rule is not None and not rule.value:
        return refused(state.book, "event_may_be_cancelled", "This book does not let the event be cancelled.")
    cancelled = EventCancelled(wanted.why, rule.rule if rule is not None else "")
    if state.clock is None or not state.clock.mark.running:
        return (cancelled,)
    clock = state.clock.pause(now.at)
    return (cancelled, ClockChanged(clock.levels, clock.mark, "the event is cancelled"))


def change_deck(state: State, wanted: ChangeDeck, now: Instant, facts: Facts) -> Decision:
    if wanted.table not in state.seats.tables:
        return Refusal(reason=f"There is no table {wanted.table}.", rule="")
    rule = state.book.tournament.deck_changed_for
    if rule is not None and wanted.reason not in rule.value:
        allowed = " or ".join(reason.replace("_", " ") for reason in rule.value)
        return refused(state.book, "deck_changed_for", f"Decks are changed for a {allowed} only.")
    return (DeckChanged(wanted.table, wanted.reason, rule.rule if rule is not None else ""),)


# ------------------------------------------------------------------------------------------------ reducers


def _delegated(state: State, event: ClockDelegated, now: Instant) -> None:
    state.clock_table = event.table


def _pressed(state: State, event: ClockPressed, now: Instant) -> None:
    state.clock_presses.add(event.press)


def _cancelled(state: State, event: EventCancelled, now: Instant) -> None:
    state.cancelled, state.cancelled_by = True, event.rule


def _deck_changed(state: State, event: DeckChanged, now: Instant) -> None:
    state.seats.tables[event.table].deck_since = now


COMMANDS: Mapping[type, Any] = {
    TakeBreak: take_break,
    EndBreak: end_break,
    EditLevel: edit_level,
    BookSchedule: book_schedule,
    DelegateClock: delegate_clock,
    PressClock: press_clock,
    CancelEvent: cancel_event,
    ChangeDeck: change_deck,
}
REDUCERS: Mapping[type, Any] = {
    ClockDelegated: _delegated,
    ClockPressed: _pressed,
    EventCancelled: _cancelled,
    DeckChanged: _deck_changed,
}
