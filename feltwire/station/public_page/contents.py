"""What the public page says: tonight's tournament, the events that were played, the season.

Plain values, as JSON has them; each player as the public reads one. No card, and nothing that a player paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from feltwire.station.field_on_air import field_on_air
from feltwire.station.tournament.names import Names
from table_core.messages import ClockState, Level, TournamentField
from table_core.projections.clock import clock_of
from table_core.tournament.clock import length_ms
from table_core.tournament.events import Instant
from table_core.tournament.money.league import Season, events_of, standing
from table_core.tournament.money.played import PlayedEvent
from table_core.tournament.night import Night
from table_core.tournament.state import Facts

MOST_EVENTS = 100  # the newest ones
MOST_LEVELS = 6  # that come
_BLINDS = ("no", "small_blind", "big_blind", "ante", "big_blind_ante")


def public_contents(
    night: Night,
    facts: Facts,
    names: Names,
    clock: ClockState,
    played: Sequence[PlayedEvent],
    season: Season,
    now: Instant,
) -> dict[str, Any]:
    """`live` (None without an event), `results` with the newest event first, `season`. Times are wall time in ms
    since 1970, money is in cents."""
    state, ids = night.state, [one.player for event in played for one in event.players]
    ids += [one.player for result in season.results for one in result.finishers]
    called = names.in_public(dict.fromkeys((*state.field.entrants, *ids)))
    live = None
    if state.opened:
        field = field_on_air(night, facts, names, now)
        live = _event(field) | _clock(clock, now, over=field.over)
    return {
        "live": live,
        "results": [_played(one, called) for one in reversed(played[-MOST_EVENTS:])],
        "season": _season(season, called),
    }


def _event(field: TournamentField) -> dict[str, Any]:
    tables: dict[str, list[dict[str, Any]]] = {}
    for one in field.players:
        if one.table:
            tables.setdefault(one.table, []).append({"seat": one.seat, "player": one.name})
    stacks = [one.stack for one in field.players if one.stack is not None]
    return {
        "event": field.event,
        "starts": field.starts,
        "started": field.started,
        "over": field.over,
        "winner": field.winner,
        "left": field.left,
        "entrants": field.entrants,
        "entry_open": field.entry_open,
        "hand_for_hand": field.hand_for_hand,
        "payouts": list(field.payouts),
        "stacks_known": len(stacks) == len(field.players) and bool(stacks),
        "players": [
            {"player": one.name, "stack": one.stack, "table": one.table, "seat": one.seat} for one in field.players
        ],
        "out": [
            {"place": one.place, "player": one.name, "prize": one.prize if field.payouts else None}
            for one in field.out
        ],
        "tables": [
            {"table": table, "seats": sorted(seats, key=lambda one: one["seat"] or 0)}
            for table, seats in sorted(tables.items())
        ],
    }


def _clock(state: ClockState, now: Instant, *, over: bool) -> dict[str, Any]:
    """The level and what comes. `ends`: when the level or the break ends, where the clock runs."""
    if over or not state.levels:
        return {"clock": None}
    clock = clock_of(state)
    reading = clock.read(state.at)
    present, coming = clock.levels[reading.index], clock.levels[reading.index + 1 :]
    left_ms, next_break = int(reading.left_ms), None
    if not present.is_break:
        until = left_ms
        for level in coming:
            if level.is_break:
                next_break = now.wall + until if state.running else None
                break
            until += length_ms(level)
    return {
        "clock": {
            "running": state.running,
            "on_break": present.is_break,
            "what": present.what if present.is_break else "",
            "level": _blinds(clock.playing_level(state.at)),
            "left_ms": left_ms,
            "ends": now.wall + left_ms if state.running else None,
            "next_break": next_break,
            "coming": [
                {"break": level.is_break, "minutes": level.minutes, "what": level.what} | _blinds(level)
                for level in coming[:MOST_LEVELS]
            ],
            "average": state.average_stack,
            "chips": state.chips,
        }
    }


def _blinds(level: Level) -> dict[str, Any]:
    plain = msgspec.structs.asdict(level)
    return {name: plain[name] for name in _BLINDS}


def _played(event: PlayedEvent, called: Mapping[str, str]) -> dict[str, Any]:
    """Places, and prizes where the event posted them."""
    return {
        "event": event.event,
        "day": event.day,
        "entrants": event.entrants,
        "places": [
            {"place": one.place, "player": called[one.player], "prize": one.won if event.posted else None}
            for one in event.players
            if one.place is not None
        ],
    }


def _season(season: Season, called: Mapping[str, str]) -> dict[str, Any]:
    return {
        "events": [one.event for one in events_of(season)],
        "points": season.formula.text if season.formula is not None else "",
        "standing": [
            {
                "rank": one.rank,
                "player": called[one.player],
                "points": one.points,
                "events": one.events,
                "wins": one.wins,
            }
            for one in standing(season)
        ],
    }
