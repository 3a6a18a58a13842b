"""Days of a time zone: the only place where one is asked. What it answers is recorded as instants.

The rules of zones come from the system, or from `tzdata` where the system has none.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from table_core.messages import Millis
from table_core.tournament.events import ClockShift
from table_core.tournament.local_day import LocalDay

DAYS_AHEAD = 30  # an event is over by then
_STEP = timedelta(hours=6)  # no zone changes its clocks twice within so long


def zone_named(name: str) -> ZoneInfo:
    """The time zone `America/New_York`; UTC for an empty name. Raise `ValueError` for one that there is not."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"there is no time zone {name!r}; write one as America/New_York") from None


def date_of(wall: Millis, zone: ZoneInfo) -> date:
    """The date at an instant (wall time)."""
    return datetime.fromtimestamp(wall / 1_000, zone).date()


def day_of(day: date, zone: ZoneInfo) -> LocalDay:
    """That day by the clocks of the zone, with their changes of a month."""
    begins = datetime(day.year, day.month, day.day, tzinfo=zone)
    midnight = _instant(begins)
    shifts, at = [], midnight - 1  # one that skips midnight is at midnight
    until = midnight + _millis(timedelta(days=DAYS_AHEAD))
    while at < until:
        later = at + _millis(_STEP)
        by = _offset(later, zone) - _offset(at, zone)
        if by:
            shifts.append(ClockShift(_change(at, later, zone), Millis(by)))
        at = later
    return LocalDay(Millis(midnight), tuple(shifts))


def _change(before: int, after: int, zone: ZoneInfo) -> Millis:
    """The instant between two at which the offset becomes another."""
    while after - before > 1:
        middle = (before + after) // 2
        if _offset(middle, zone) == _offset(before, zone):
            before = middle
        else:
            after = middle
    return Millis(after)


def _offset(at: int, zone: ZoneInfo) -> int:
    offset = datetime.fromtimestamp(at / 1_000, zone).utcoffset()
    return _millis(offset) if offset is not None else 0


def _instant(at: datetime) -> int:
    return round(at.timestamp() * 1_000)


def _millis(time: timedelta) -> int:
    return round(time / timedelta(milliseconds=1))
