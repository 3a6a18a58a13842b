"""A level that begins while a hand is shuffled up: which level this hand is played at."""

from __future__ import annotations

from table_core.messages import (
    ChangeLevel,
    DeviceState,
    HandStarted,
    Millis,
    Noticed,
    Post,
    Posted,
    Refused,
    Source,
)
from table_core.rulings.floor import IN_PLAY_WITH_BLINDS
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.ruling.opening import open_incident
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def level_came(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """A level has begun. By some books a hand is in play only once all its blinds are in (ccp.timer.2): one that
    is not is played at the new level. Where nobody saw the blinds, it is asked."""
    table, rule = unit.table, unit.table.rulebook.policies.level_applies_from
    started = table.hand_log[0].event if table.hand_log else None
    acted = bool(table.acts())
    if rule is None or rule.value != IN_PLAY_WITH_BLINDS or not table.in_hand or acted:
        return
    if not isinstance(started, HandStarted) or table.next_level in (None, table.level):
        return
    seen = _blinds_seen(unit, state)
    if seen is None:
        open_incident(unit, state, OpenIncident("level_in_deal", opened_at=now))
    elif not seen and table.next_level is not None:
        refusal = unit.push(ChangeLevel(table.next_level, Source.CAMERA))
        if refusal is not None:
            unit.record(Refused(refusal.reason, refusal.rule))
        else:
            told = "Not all blinds were in when the level began: this hand is played at it"
            unit.record(Noticed("level_in_deal", told, rule=rule.rule))


def _blinds_seen(unit: UnitOfWork, state: TrackerState) -> bool | None:
    """Whether the blinds of this hand lie there; None where no camera counts them."""
    posts = [logged.event for logged in unit.table.hand_log if isinstance(logged.event, Posted)]
    blinds = [post for post in posts if post.what in (Post.SMALL_BLIND, Post.BIG_BLIND)]
    there = {seat: seen.chips or 0 for seat, seen in state.bets.readings.items()}
    lie = [there.get(post.seat, 0) >= post.amount for post in blinds]
    if unit.table.devices.get("camera") is not DeviceState.OK or not any(lie):
        return None
    return all(lie)
