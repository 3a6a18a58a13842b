"""Meals at their time of day: a clock that was paused, or that began late, does not move lunch (home.start.5)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from table_core.messages import Chips, Level, Millis
from table_core.tournament.clock import MINUTE_MS, TournamentClock, length_ms
from table_core.tournament.events import Instant
from table_core.tournament.local_day import LocalDay, time_of_day
from table_core.tournament.state import State

MEAL = "meal"


def meals_on_time(state: State, clock: TournamentClock, now: Instant) -> TournamentClock:
    """`clock` with the meals that its schedule still has at the book's hours, on each day that it reaches. A level
    that one interrupts goes on behind it; a break at that time gives way."""
    meals, ahead = state.book.tournament.meals, clock.read(now.at).index + 1
    if meals is None or state.local_day is None or not clock.mark.running:
        return clock
    if not any(level.what == MEAL for level in clock.levels[ahead:]):
        return clock
    levels = [*clock.levels[:ahead], *_without_meals(clock.levels[ahead:])]
    levels = [*clock.levels[: ahead - 1], *_joined(levels[ahead - 1 :])]
    left = clock.read(now.at).left_ms + length_ms(levels[ahead - 1]) - length_ms(clock.levels[ahead - 1])
    reach = left + sum(length_ms(level) for level in levels[ahead:])
    for due, minutes in _due(state.local_day, meals.value, now.wall, reach):
        levels = _with_meal(levels, ahead - 1, left, due, float(minutes))
    if tuple(levels) == clock.levels:
        return clock
    return clock.with_schedule(tuple(levels), now.at)


def _due(day: LocalDay, meals: Sequence[tuple[str, int]], now: Millis, reach: float) -> list[tuple[Millis, int]]:
    """In how many milliseconds which meals are due, with their minutes, the next first. `reach`: how long it is
    played, without meals."""
    found: list[tuple[Millis, int]] = []
    until = now + reach + sum(minutes for _, minutes in meals) * MINUTE_MS
    for text, length in meals:
        at = time_of_day(text)
        due = now if at is not None else until
        while at is not None and due < until:
            due = day.next_at(at, due)
            found.append((Millis(due - now), length))
    return sorted(found)


def _without_meals(levels: Sequence[Level]) -> list[Level]:
    return [level for level in levels if level.what != MEAL]


def _joined(levels: Sequence[Level]) -> list[Level]:
    """Parts of one level that nothing separates any more are one entry."""
    found: list[Level] = []
    for level in levels:
        if found and not level.is_break and found[-1].no == level.no and not found[-1].is_break:
            found[-1] = replace(found[-1], minutes=found[-1].minutes + level.minutes)
        else:
            found.append(level)
    return found


def _with_meal(levels: list[Level], index: int, left: float, due: float, minutes: float) -> list[Level]:
    """The meal `due` ms from now, of which `left` are those of entry `index`."""
    meal = Level(0, Chips(0), Chips(0), minutes=minutes, is_break=True, what=MEAL)
    begins = 0.0
    for at in range(index, len(levels)):
        lasts = left if at == index else length_ms(levels[at])
        if begins + lasts > due:
            gone = (length_ms(levels[at]) - left if at == index else 0) + due - begins
            return _put(levels, at, gone / MINUTE_MS, meal, running=at == index)
        begins += lasts
    return levels


def _put(levels: list[Level], at: int, minutes: float, meal: Level, *, running: bool) -> list[Level]:
    """The meal behind so many minutes of entry `at`; a break there that has not begun gives way to it."""
    level = levels[at]
    if level.is_break:
        return [*levels[:at], *([level] if running else []), meal, *levels[at + 1 :]]
    before = [replace(level, minutes=minutes)] if minutes > 0 else []
    after = [replace(level, minutes=level.minutes - minutes)] if level.minutes - minutes > 0 else []
    return [*levels[:at], *before, meal, *after, *levels[at + 1 :]]
