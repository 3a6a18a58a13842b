"""A time of day is that time of day, in every zone and on every day on which clocks change."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from feltwire.config import StationConfig
from feltwire.time_zone import day_of, zone_named
from table_core.messages import Chips, Level
from table_core.tournament.local_day import clock_text, time_of_day

FIRST, LAST = date(2021, 1, 1), date(2031, 1, 1)
STATED = range(0, 24 * 60, 15)


def days_with_changes() -> dict[tuple[tuple[date, timedelta], ...], tuple[str, list[date]]]:
    """For each kind of clock that zones have: a zone's name, and the days of ten years on which it changes."""
    days = [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days)]
    found = {}
    for name in sorted(available_timezones()):
        zone = ZoneInfo(name)
        offsets = [datetime(day.year, day.month, day.day, tzinfo=zone).utcoffset() for day in days]
        kept = tuple((day, by) for day, by, next_ in zip(days, offsets, offsets[1:], strict=False) if by != next_)
        found.setdefault((*kept, (LAST, offsets[-1])), (name, [day for day, _ in kept]))  # type: ignore[arg-type]
    return found  # type: ignore[return-value]


@pytest.mark.slow("ten years of days of every zone: some 660 days with a change, each quarter of an hour")
def test_a_stated_time_of_day_is_that_time_on_every_day_of_every_zone_or_it_is_said() -> None:
    zones = days_with_changes().values()
    assert sum(len(days) for _, days in zones) > 600
    said_of = {"does not exist": 0, "comes twice": 0}
    for name, days in zones:
        zone = ZoneInfo(name)
        for day in days:
            local = day_of(day, zone)
            for minutes in STATED:
                text, told = clock_text(minutes), datetime(day.year, day.month, day.day, *divmod(minutes, 60))
                at = local.at(minutes)
                there = datetime.fromtimestamp(at / 1_000, zone)
                said, again = local.said(text), told.replace(tzinfo=zone, fold=1)
                twice = round(again.timestamp() * 1_000) > at
                if there.replace(tzinfo=None) != told:
                    assert f"{text} does not exist then" in said, (name, day, text)
                    assert said.endswith(f". {there:%H:%M} counts."), (name, day, text)
                    said_of["does not exist"] += 1
                elif twice:
                    assert f"{text} comes twice then" in said, (name, day, text)
                    said_of["comes twice"] += 1
                assert at == round(told.replace(tzinfo=zone).timestamp() * 1_000), (name, day, text)
                assert local.next_at(minutes, at - 1) == at, (name, day, text)
    assert min(said_of.values()) > 1_000, "zones were tried that skip and repeat times of day"


@pytest.mark.parametrize(
    ("zone", "day", "text", "said"),
    [
        ("America/New_York", "2027-03-14", "02:30", "not exist then: the clocks go from 02:00 to 03:00. 03:30"),
        ("America/New_York", "2026-11-01", "01:30", "comes twice then: the clocks go from 02:00 back to 01:00."),
        ("America/New_York", "2026-10-31", "01:30", "01:30 comes twice then"),  # of the night behind that day
        ("Australia/Lord_Howe", "2026-10-04", "02:15", "from 02:00 to 02:30. 02:45 counts."),
        ("Africa/Cairo", "2027-04-30", "00:30", "from 00:00 to 01:00. 01:30 counts."),
        ("Europe/Berlin", "2026-10-24", "13:00", ""),
    ],
)  # fmt: skip
def test_what_is_said_of_a_time_that_a_day_lacks_or_has_twice(zone: str, day: str, text: str, said: str) -> None:
    told = day_of(date.fromisoformat(day), ZoneInfo(zone)).said(text)
    assert said in told
    assert bool(said) is bool(told)


@pytest.mark.parametrize("text", ["", "24:00", "7", "7:5", "19.30", "-1:00", "19:60", "1" * 5_000 + ":00", "٣:٠٠"])
def test_what_is_no_time_of_day(text: str) -> None:
    assert time_of_day(text) is None


@pytest.mark.parametrize("name", ["Mars/Base", "../etc/passwd", "Europe", "a\0b", "x" * 5_000])
def test_a_zone_that_there_is_not_is_refused_where_it_is_configured(name: str) -> None:
    with pytest.raises(ValueError, match="write one as America/New_York"):
        zone_named(name)
    with pytest.raises(ValueError, match="time_zone: there is no time zone"):
        StationConfig("hall", "data", ("01",), (Level(1, Chips(25), Chips(50)),), time_zone=name)
