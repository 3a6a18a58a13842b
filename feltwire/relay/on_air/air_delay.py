"""How far what is on air lies back: the air delay, with its floor.

The floor is set in the relay's settings file alone, and is never less than the delay of the cards. The air delay
is text, as the delay of the cards is, and what is no plain number of seconds shows nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

from table_core.messages import Millis

AIR_DELAY = "air-delay"  # in the data folder: seconds, where it is not what the settings say
LONGEST_TEXT = 100
SETTINGS_SAY = "as the settings say"
NEVER = ("", "never")  # a delay of the cards that means: none is ever released
_DELAY = re.compile(r"\d{1,6}(\.\d{1,3})?", re.ASCII)


def parse_delay(text: str) -> float | None:
    """Seconds; None for anything that is not a number of seconds.

    >>> parse_delay("1800"), parse_delay("-1"), parse_delay("30 s")
    (1800.0, None, None)
    """
    return float(text) if _DELAY.fullmatch(text.strip()) else None


def air_floor(delay_s: str, floor_s: str) -> Millis | None:
    """The least air delay. `delay_s` is the delay of the cards, `floor_s` what the settings ask for at least;
    empty: no more than that. None where either cannot be read: nothing is on air.

    >>> air_floor("1800", ""), air_floor("1800", "900"), air_floor("1800", "2400"), air_floor("half an hour", "")
    (1800000, 1800000, 2400000, None)
    """
    delay = 0.0 if delay_s.strip() in NEVER else parse_delay(delay_s)
    floor = parse_delay(floor_s) if floor_s.strip() else 0.0
    return None if delay is None or floor is None else Millis(round(max(delay, floor) * 1_000))


def air_delay(wanted_s: str, floor: Millis | None) -> Millis | None:
    """The air delay that is wanted, or the floor where that is more or nothing is wanted. None: nothing is on air.

    >>> [air_delay(wanted, 1_800_000) for wanted in ("2400", "5", "", "1e3")]
    [2400000, 1800000, 1800000, None]
    """
    wanted = parse_delay(wanted_s) if wanted_s.strip() else 0.0
    return None if wanted is None or floor is None else Millis(max(round(wanted * 1_000), floor))


def in_words(wanted_s: str) -> str:
    """An air delay that somebody wrote, for the audit.

    >>> in_words("2400"), in_words(""), in_words("1e3")
    ('2400 s', 'as the settings say', "'1e3'")
    """
    seconds = parse_delay(wanted_s)
    return SETTINGS_SAY if not wanted_s else repr(wanted_s[:20]) if seconds is None else f"{seconds:g} s"


def read_air_delay(folder: Path) -> str:
    """The air delay that somebody wrote there; empty where nobody did. What cannot be read is no number."""
    try:
        return (folder / AIR_DELAY).read_text("utf-8")[:LONGEST_TEXT].strip() or "empty"
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError):
        return "unreadable"
