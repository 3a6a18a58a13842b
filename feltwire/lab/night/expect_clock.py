"""What a night's story expects of the clock, and of the event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feltwire.lab.night.found import Expectations, same
from feltwire.lab.night.story import MIDNIGHT_MS

if TYPE_CHECKING:
    from feltwire.lab.night.play import Playing


def _level(playing: Playing, rest: str) -> str:
    clock = playing.state.clock
    return same(clock.playing_level(playing.now.at).no if clock is not None else None, int(rest))


def _blinds(playing: Playing, rest: str) -> str:
    """`blinds 5/10`, with an ante `5/10/1`: of hands that begin now."""
    clock = playing.state.clock
    if clock is None:
        return "there is no clock"
    level = clock.playing_level(playing.now.at)
    ante = level.ante or level.big_blind_ante
    return same(f"{level.small_blind}/{level.big_blind}" + (f"/{ante}" if ante else ""), rest)


def _ends(playing: Playing, rest: str) -> str:
    """`ends 22:40`: when the station expects the end."""
    ends = playing.shown["ends"]
    if ends is None:
        return "the clock stands"
    hours, minutes = divmod(round((ends - MIDNIGHT_MS) / 60_000), 60)
    return same(f"{hours}:{minutes:02}", rest)


def _display(playing: Playing, rest: str) -> str:
    """`display 25/50 break 50/100`: the schedule as the clock's display has it, from the present entry on."""
    clock = playing.clock
    shown = list(clock.levels[clock.levels.index(clock.level) :]) if clock.level in clock.levels else []
    said = ["break" if one.is_break else f"{one.small_blind}/{one.big_blind}" for one in shown]
    return same(" ".join(said), rest)


def _dispute(playing: Playing, rest: str) -> str:
    """`dispute dispute-1`: it is open; `dispute` alone: any."""
    found = playing.state.disputes
    return "" if (rest in found if rest else found) else f"open: {', '.join(found)}"


def _break_time(playing: Playing, rest: str) -> str:
    """`break-time`: a break is on; `break-time meal`: this one."""
    clock = playing.state.clock
    level = clock.level(playing.now.at) if clock is not None else None
    if level is None or not level.is_break:
        return "no break is on"
    return same(level.what, rest) if rest else ""


def _time_left(playing: Playing, rest: str) -> str:
    clock = playing.clock
    passed = playing.now.at - clock.at if clock.running else 0
    minutes, seconds = divmod((clock.left_ms - passed) // 1_000, 60)
    return same(f"{minutes}:{seconds:02}", rest)


def _clock(playing: Playing, rest: str) -> str:
    return same("runs" if playing.clock.running else "stands", rest)


def _finished(playing: Playing, rest: str) -> str:
    """`finished`: the event is over."""
    return "" if playing.state.finished is not None else "it is played on"


CLOCK: Expectations = {
    "level": _level,
    "blinds": _blinds,
    "ends": _ends,
    "display": _display,
    "dispute": _dispute,
    "cancelled": lambda playing, rest: "" if playing.state.cancelled else "the event is on",
    "break-time": _break_time,
    "remaining": _time_left,
    "clock": _clock,
    "finished": _finished,
}
