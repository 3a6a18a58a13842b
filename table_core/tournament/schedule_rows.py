"""One row of a blind schedule as other programs write it: what the columns are called, how cells are written.

Heads are compared without case, spaces and marks: `Big Blind`, `big_blind` and `BB` are one column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from table_core.messages import Chips, Level
from table_core.tournament.clock import ScheduleError, entry_fault

_NAMES: Mapping[str, tuple[str, ...]] = {
    "level": ("level", "lvl", "round", "no", "number"),
    "small_blind": ("smallblind", "small", "sb"),
    "big_blind": ("bigblind", "big", "bb"),
    "blinds": ("blinds", "blind"),
    "ante": ("ante", "antes"),
    "big_blind_ante": ("bigblindante", "bbante", "bba"),
    "minutes": ("minutes", "minute", "mins", "min", "duration", "length", "time"),
    "break": ("break", "isbreak"),
    "kind": ("kind", "type"),  # of the row: a level or a break
    "what": ("what", "name", "description", "label", "note", "notes"),
    "colour_up": ("colourup", "colorup"),
}
_COLUMN = {name: column for column, names in _NAMES.items() for name in names}
_NO = frozenset({"", "0", "no", "n", "false"})
_BREAK = re.compile(r"break|pause|lunch|dinner|meal", re.IGNORECASE)
_GROUPS = re.compile(r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+")
_THOUSANDS = re.compile(r"(\d+)(?:[.,](\d))? ?k", re.IGNORECASE)
_BLINDS = re.compile(r"(.+?)\s*[/–-]\s*([^/(]+?)(?:\s*[/(]\s*(.+?)\)?)?")
_LENGTH = re.compile(r"(\d{1,6}(?:[.,]\d{1,6})?)\s*(m|min|mins|minutes?|h|hours?|)", re.IGNORECASE)
_OF_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{2})")


def columns_of(names: Iterable[str]) -> dict[str, str]:
    """The column that each head means, but for heads that mean none. Raise `ScheduleError` for two of one."""
    found: dict[str, str] = {}
    for name in names:
        column = _COLUMN.get(re.sub(r"[\W_]", "", name))
        if column is None:
            continue
        if column in found.values():
            first = next(one for one, other in found.items() if other == column)
            raise ScheduleError(
                f"line 1: {first!r} and {name!r} are both the {column.replace('_', ' ')}; leave one"
            )
        found[name] = column
    return found


def level_of(cells: Mapping[str, str], line: int, number: int) -> Level:
    """The entry of a row, by our columns. A level without a number is `number`. Raise `ScheduleError` with the
    line."""
    said = cells.get("level", "").strip()
    marked = cells.get("break", "").strip().lower() not in _NO
    is_break = marked or any(_BREAK.search(one) for one in (said, cells.get("kind", "")))
    what = cells.get("what", "").strip()
    small, big, ante = _blinds(cells, line)
    level = Level(
        _chips(said or f"{number}", "level", line) if not is_break else 0,
        small,
        big,
        ante,
        _chips(cells.get("big_blind_ante", ""), "big_blind_ante", line),
        _minutes(cells.get("minutes", ""), line),
        is_break,
        what or (said if is_break and not said.isdecimal() and said.lower() != "break" else ""),
        _chips(cells.get("colour_up", ""), "colour_up", line),
    )
    if fault := entry_fault(level):
        raise ScheduleError(f"line {line}: {fault}")
    return level


def _blinds(cells: Mapping[str, str], line: int) -> tuple[Chips, Chips, Chips]:
    """Small blind, big blind and ante, from columns of their own or from one cell `25/50/5`."""
    both = cells.get("blinds", "").strip()
    small, big, ante = (cells.get(name, "") for name in ("small_blind", "big_blind", "ante"))
    if both and not (small.strip() or big.strip()):
        found = _BLINDS.fullmatch(both)
        if found is None:
            raise ScheduleError(f"line {line}: blinds {both[:40]!r}: expected 25/50, with an ante 25/50/5")
        small, big, ante = found[1], found[2], ante.strip() or found[3] or ""
    return (
        _chips(small, "small_blind", line),
        _chips(big, "big_blind", line),
        _chips(ante, "ante", line),
    )


def _chips(text: str, name: str, line: int) -> Chips:
    """`1000`, `1,000`, `1 000`, `1.5k`; an empty cell and a dash are none."""
    text = text.strip()
    if text in ("", "-", "–"):
        return Chips(0)
    if _GROUPS.fullmatch(text):
        text = re.sub(r"\D", "", text)
    elif found := _THOUSANDS.fullmatch(text):
        text = f"{found[1]}{found[2] or 0}00"
    try:
        number = int(text)
    except ValueError:
        raise ScheduleError(f"line {line}: {name} {text[:40]!r} is no whole number") from None
    if number < 0:
        raise ScheduleError(f"line {line}: {name} is below 0")
    return Chips(number)


def _minutes(text: str, line: int) -> float:
    """`20`, `12,5`, `20 min`, `1 h`, `1:00:00`, `20:00`, `0:20`."""
    text = text.strip()
    if found := _LENGTH.fullmatch(text):
        length = float(found[1].replace(",", "."))
        return length * 60 if found[2][:1].lower() == "h" else length
    clock = _OF_CLOCK.fullmatch(text)
    if clock is None:
        raise ScheduleError(f"line {line}: minutes {text[:40]!r} is no number")
    first, then, last = int(clock[1] or 0), int(clock[2]), int(clock[3])
    if clock[1] is not None:
        return first * 60 + then + last / 60
    if 0 < then < 5:  # an hour and a half, or a minute and a half?
        raise ScheduleError(f"line {line}: {text}: write the length in minutes, or as 1:30:00")
    return then + last / 60 if then else last
