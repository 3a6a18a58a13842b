"""Blind schedules: one that suits the field, as text in and out, and when the night will be over."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from table_core.messages import Chips, Level
from table_core.rulebook import Rulebook
from table_core.tournament.clock import ScheduleError, check_schedule

BIG_BLINDS_AT_THE_END = 20  # chips in play when the last two play, in big blinds of the last level
_COLUMNS = ("level", "small_blind", "big_blind", "ante", "big_blind_ante", "minutes", "break")
_STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8)  # of the first digits of a blind


def suggested(
    rulebook: Rulebook, *, players: int, stack: int, hours: float, smallest_chip: int, minutes: float | None = None
) -> tuple[Level, ...]:
    """A schedule after which about 20 big blinds of chips are in play, in levels of the book's length and with
    its breaks. `smallest_chip` is the least chip in the stacks.

    Raise `ScheduleError` where that many players with that stack do not fit into the hours.
    """
    book = rulebook.tournament
    length = minutes or (book.level_minutes.value if book.level_minutes is not None else 20)
    count = round(hours * 60 / length)
    first = book.first_level.value[-1] if book.first_level is not None else max(2 * smallest_chip, 2)
    last = players * stack / BIG_BLINDS_AT_THE_END
    if count < 2 or players < 2 or last <= first:
        raise ScheduleError(
            f"{players} players with {stack:,} chips in {hours:g} hours give no schedule: "
            "give more chips or more time"
        )
    growth = (last / first) ** (1 / (count - 1))
    blinds = [max(2 * smallest_chip, first)]
    while len(blinds) < count:
        wanted = _rounded(first * growth ** len(blinds), smallest_chip)
        blinds.append(max(wanted, blinds[-1] + 2 * smallest_chip))
    every = book.break_every_minutes.value if book.break_every_minutes is not None else 120
    pause = book.break_minutes.value if book.break_minutes is not None else 10
    levels: list[Level] = []
    since = 0.0
    for no, big in enumerate(blinds, 1):
        levels.append(Level(no, Chips(big // 2), Chips(big), minutes=length))
        since += length
        if since + length / 2 > every and no < count:
            levels.append(Level(0, Chips(0), Chips(0), minutes=pause, is_break=True))
            since = 0.0
    return tuple(levels)


def _rounded(amount: float, chip: int) -> int:
    """A big blind near `amount` that reads well and whose half is a whole number of chips."""
    magnitude = 10 ** (len(str(int(amount))) - 1)
    best = min((step * magnitude for step in (*_STEPS, 10)), key=lambda candidate: abs(candidate - amount))
    return int(max(2 * chip, round(best / (2 * chip)) * 2 * chip))


# ------------------------------------------------------------------------------------------------ text


def to_csv(levels: Sequence[Level]) -> str:
    """The schedule as a table with a head line; a break has no level number."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for level in levels:
        blinds = (level.small_blind, level.big_blind, level.ante, level.big_blind_ante)
        number = "" if level.is_break else level.no
        writer.writerow((number, *blinds, f"{level.minutes:g}", "break" if level.is_break else ""))
    return out.getvalue()


def from_csv(text: str) -> tuple[Level, ...]:
    """A schedule from `to_csv`'s form. Raise `ScheduleError` naming the line and what is wrong with it."""
    levels = []
    for at, row in enumerate(csv.DictReader(io.StringIO(text)), 2):
        unknown = [name for name in row if name not in _COLUMNS]
        if unknown or None in row.values():
            what = f"unknown column {unknown[0]!r}" if unknown else "too few columns"
            raise ScheduleError(f"line {at}: {what}; the head line is {','.join(_COLUMNS)}")
        numbers = {name: _number(row.get(name) or "0", name, at) for name in _COLUMNS[:5]}
        minutes = row.get("minutes") or ""
        try:
            length = float(minutes)
        except ValueError:
            raise ScheduleError(f"line {at}: minutes {minutes!r} is no number") from None
        small, big, ante, big_blind_ante = (Chips(numbers[name]) for name in _COLUMNS[1:5])
        is_break = bool(row.get("break"))
        levels.append(Level(numbers["level"], small, big, ante, big_blind_ante, length, is_break))
    check_schedule(tuple(levels))
    return tuple(levels)


def _number(text: str, name: str, line: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise ScheduleError(f"line {line}: {name} {text!r} is no whole number") from None
    if number < 0:
        raise ScheduleError(f"line {line}: {name} is below 0")
    return number
