"""Penalties that outlive an event: what the station keeps of them beside the names of players."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from table_core.messages import Millis
from table_core.notices import PenaltyKind
from table_core.tournament.events import OnFile
from table_core.tournament.state import State


def day_of(wall: Millis, zone: str) -> str:
    """`2026-11-23`: the date of a wall time in the station's time zone; empty: UTC."""
    return datetime.fromtimestamp(wall / 1_000, ZoneInfo(zone or "UTC")).date().isoformat()


def midnight_of(wall: Millis, zone: str) -> Millis:
    """The wall time at which that day began in the station's time zone; empty: UTC."""
    there = datetime.fromtimestamp(wall / 1_000, ZoneInfo(zone or "UTC"))
    begins = there.replace(hour=0, minute=0, second=0, microsecond=0)
    return Millis(round(begins.timestamp() * 1_000))


def to_file(state: State) -> tuple[OnFile, ...]:
    """The penalties of this event as they go on file; who never came and is suspended for it, too."""
    given = tuple(
        OnFile(one.player, state.day, one.kind, one.reason, one.rule, one.major)
        for one in state.penalties.given.values()
    )
    sent_out = {one.player for one in given}
    rule = state.book.tournament.no_show_suspended
    never_came = (one for one in state.field.entrants.values() if one.suspended and one.player not in sent_out)
    return given + tuple(
        OnFile(one.player, state.day, PenaltyKind.SUSPENDED, one.why_out, rule.rule if rule is not None else "")
        for one in never_came
    )
