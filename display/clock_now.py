"""`GET /api/clock/now`: the blind clock at the moment of the request, as plain numbers for other programs.

The channel `clock` has the clock when it last changed and leaves the counting to whoever shows it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from table_core.messages import ClockState, Level, Millis, decode
from table_core.projections.clock import clock_of
from table_core.tournament.clock import length_ms


def clock_now(raw: bytes, age_ms: int) -> dict[str, Any]:
    """`raw` is a `ClockState` as JSON, published `age_ms` ago. Times are in seconds, money in cents.

    In a break the blinds are those of the level before it; `next` is the next level, whatever break comes before.
    """
    state = decode(raw, ClockState)
    clock, now = clock_of(state), Millis(state.at + age_ms)
    reading = clock.read(now)
    present, coming = clock.levels[reading.index], clock.levels[reading.index + 1 :]
    following = next((level for level in coming if not level.is_break), None)
    return {
        "running": state.running,
        "on_break": present.is_break,
        "break": present.what if present.is_break else "",
        **_blinds(clock.playing_level(now)),
        "seconds_left": reading.left_ms / 1000,
        "level_seconds": length_ms(present) / 1000,
        "next": _blinds(following) if following is not None else None,
        "next_break_in_seconds": _until_break(reading.left_ms, present, coming),
        "players_left": state.players_left,
        "entries": state.entrants,
        "chips": state.chips,
        "average_stack": state.average_stack,
        "buy_in": state.buy_in,
        "payouts": state.payouts,
        "note": state.note,
        "age_seconds": age_ms / 1000,
    }


def _blinds(level: Level) -> dict[str, Any]:
    plain = msgspec.structs.asdict(level)
    return {"level": level.no} | {name: plain[name] for name in _NUMBERS}


_NUMBERS = ("small_blind", "big_blind", "ante", "big_blind_ante")


def _until_break(left_ms: int, present: Level, coming: tuple[Level, ...]) -> float | None:
    """Seconds of play before the next break; 0 in a break, None where none comes."""
    if present.is_break:
        return 0
    for level in coming:
        if level.is_break:
            return left_ms / 1000
        left_ms += length_ms(level)
    return None
