"""Times of day of an event. The station asks the time zone once, when the event is opened: the opening records
when its day begins and every change of the clocks behind that; nothing here, and no replay, asks a zone."""

from __future__ import annotations

from itertools import count
from typing import NamedTuple

from table_core.messages import Few, Millis
from table_core.rulebook import Rulebook
from table_core.tournament.clock import MINUTE_MS
from table_core.tournament.events import ClockShift

DAY_MINUTES = 24 * 60


def time_of_day(text: str) -> int | None:
    """Minutes since midnight of `13:00`; None for anything else.

    >>> time_of_day("13:05"), time_of_day("25:00"), time_of_day("noon")
    (785, None, None)
    """
    hours, colon, minutes = text.partition(":")
    digits = text.isascii() and hours.isdigit() and minutes.isdigit()
    if not colon or not digits or len(hours) > 2 or len(minutes) != 2:
        return None
    return int(hours) * 60 + int(minutes) if int(hours) < 24 and int(minutes) < 60 else None


def clock_text(minutes: float) -> str:
    """`13:05` for minutes since midnight, of a later day as well."""
    hours, rest = divmod(round(minutes) % DAY_MINUTES, 60)
    return f"{hours:02}:{rest:02}"


class LocalDay(NamedTuple):
    """A day by the clocks of a place. `midnight` is the instant (wall time) at which it begins, `shifts` are the
    changes of its clocks from then on, oldest first.

    A time that the clocks skip counts by the clock before the change, so it is later by what they skip; of one
    that comes twice the first counts. That is how calendars have it (RFC 5545).
    """

    midnight: Millis
    shifts: Few[ClockShift] = ()

    def at(self, minutes: float) -> Millis:
        """The instant at which so many minutes have gone by on the clock since midnight; more than a day's are of
        a later day.

        >>> spring = LocalDay(Millis(0), (ClockShift(Millis(120 * 60_000), Millis(60 * 60_000)),))
        >>> spring.at(13 * 60) // 60_000 == 12 * 60
        True
        """
        at = self.midnight + minutes * MINUTE_MS
        for shift in self.shifts:
            if at < shift.at or at - shift.by_ms < shift.at:  # before it, or skipped by it
                break
            at -= shift.by_ms
        return Millis(round(at))

    def next_at(self, minutes: float, after: float) -> Millis:
        """The first instant behind `after` at which it is that time of day, on this day or a later one."""
        first = max(0, int((after - self.midnight) // (DAY_MINUTES * MINUTE_MS)) - 1)
        days = (self.at(minutes + day * DAY_MINUTES) for day in count(first))
        return next(at for at in days if at > after)

    def said(self, text: str) -> str:
        """What a person must know of a time of day: that the day and the night behind it do not have it, or twice,
        and which one counts; empty for every other.

        >>> spring = LocalDay(Millis(0), (ClockShift(Millis(120 * 60_000), Millis(60 * 60_000)),))
        >>> spring.said("02:30")
        '02:30 does not exist then: the clocks go from 02:00 to 03:00. 03:30 counts.'
        """
        minutes = time_of_day(text)
        if minutes is None:
            return ""
        for shift in self.shifts:
            before, after = self._reads(shift.at, until=shift), self._reads(shift.at)
            earlier, later = sorted((before, after))
            if not any(earlier <= one < later for one in (minutes, minutes + DAY_MINUTES)):
                continue
            if shift.by_ms < 0:
                back = f"the clocks go from {clock_text(before)} back to {clock_text(after)}"
                return f"{text} comes twice then: {back}. The first counts."
            counts = clock_text(minutes + after - before)
            skipped = f"the clocks go from {clock_text(before)} to {clock_text(after)}"
            return f"{text} does not exist then: {skipped}. {counts} counts."
        return ""

    def _reads(self, at: float, until: ClockShift | None = None) -> float:
        """Minutes since midnight on the clock at an instant; `until`: just before that change."""
        by = sum(one.by_ms for one in self.shifts if one.at <= at and one is not until)
        return (at - self.midnight + by) / MINUTE_MS


PLAIN_DAY = LocalDay(Millis(0))  # of a plan without a date: no clock changes


def times_said(book: Rulebook, day: LocalDay | None) -> str:
    """What is to be said of the book's times of day on that day; empty on most."""
    tournament = book.tournament
    times = [one.value for one in (tournament.start_time, tournament.early_bonus_until) if one is not None]
    times += [text for text, _ in tournament.meals.value] if tournament.meals is not None else []
    return " ".join(filter(None, map(day.said, dict.fromkeys(times)))) if day is not None else ""
