"""Names, hands and times as PokerStars writes them, which trackers know by heart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from table_core.cards import RANK_NAMES

_LOWEST_OF_STRAIGHT = {RANK_NAMES[top]: RANK_NAMES[top - 4] for top in range(4, 13)} | {"five": "ace"}
_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def hand_words(words: str) -> str:
    """Our words for a hand (`ranking.describe`) as PokerStars has them: `"a full house, Kings full of Tens"`."""
    match re.split(r", | over | and ", words):
        case ["royal flush"]:
            return "a Royal Flush"
        case [("straight flush" | "straight") as name, high]:
            top = high.removesuffix(" high")
            return f"a {name}, {_LOWEST_OF_STRAIGHT[top].title()} to {top.title()}"
        case ["flush", high]:
            return f"a flush, {high.removesuffix(' high').title()} high"
        case ["full house", three, two]:
            return f"a full house, {three.title()} full of {two.title()}"
        case ["two pair", first, second]:
            return f"two pair, {first.title()} and {second.title()}"
        case [("four of a kind" | "three of a kind") as name, rank]:
            return f"{name}, {rank.title()}"
        case [pair] if pair.startswith("pair of "):
            return f"a pair of {pair.removeprefix('pair of ').title()}"
        case [high]:
            return f"high card {high.removesuffix(' high').title()}"
        case _:
            raise ValueError(f"no hand is called {words!r}")


def player_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names that a tracker can tell from the text around them: one line, no brackets or colons, each only once."""
    taken: list[str] = []
    for number, name in enumerate(names, 1):
        plain = " ".join(re.sub(r"[\[\]():#*]", " ", name).split()) or f"Player {number}"
        unique, copy = plain, 2
        while unique in taken:
            unique, copy = f"{plain} {copy}", copy + 1
        taken.append(unique)
    return tuple(taken)


def roman(number: int) -> str:
    """`"XIV"` for 14: levels are counted so."""
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text or "I"


def header_time(started: str) -> str:
    """A time (ISO 8601) as a header has it: UTC, then that of the east coast of the United States, which is
    PokerStars' own: `"2026/11/21 7:36:05 UTC [2026/11/21 2:36:05 ET]"`."""
    began = datetime.fromisoformat(started).astimezone(UTC)
    summer = _changes(began.year, 3, week=2, utc_hour=7) <= began < _changes(began.year, 11, week=1, utc_hour=6)
    eastern = began - timedelta(hours=4 if summer else 5)
    utc, et = (f"{one:%Y/%m/%d} {one.hour}:{one:%M:%S}" for one in (began, eastern))
    return f"{utc} UTC [{et} ET]"


def _changes(year: int, month: int, *, week: int, utc_hour: int) -> datetime:
    """When clocks change: on a Sunday at two in the morning."""
    first = date(year, month, 1)
    day = 1 + (6 - first.weekday()) % 7 + 7 * (week - 1)
    return datetime(year, month, day, utc_hour, tzinfo=UTC)
