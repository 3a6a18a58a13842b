"""The clock that is called on a player: who may call it and when, the warning, and its end."""

from __future__ import annotations

from table_core.messages import ClockAsked, Millis, Noticed, Refused, Seat, Source
from table_core.projections.table_view import CLOCK_CALLED
from table_core.rulings.cites import cited
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.memory.timers import Check
from table_core.tracker.ruling.opening import notice_incident, open_incident, refuse
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def follow_turn(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Start the thinking time of a new turn; a clock on the last turn ends, and what was refused then counts for
    that turn alone."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    acts = len(unit.table.acts())
    decision = "" if hand is None or legal is None else f"{hand.number}/{hand.street}/{acts}/{legal.seat}"
    if state.thinking.follow(decision, now):
        stop(state)
        state.rulings.forget_refused_bet()


def stop(state: TrackerState) -> None:
    state.thinking.stop_clock()
    state.timers.stop(Check.CLOCK_WARNING)
    state.timers.stop(Check.CLOCK_UP)


def time_pressed(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """TIME: the clock on the seat to act; `3 TIME` says that seat 3 calls for it; `0 TIME` is the blind clock."""
    if press.of_seat == 0:
        blind_clock(unit)
        return
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    book = unit.table.rulebook
    caller = press.of_seat
    if caller is not None and caller in unit.table.seats and unit.table.seats[caller].away:
        unit.record(Refused(f"Seat {caller} is away: time is called at the table", cited(book.id, "away_time")))
        return
    if legal is None or state.thinking.clock is not None:
        unit.record(Noticed("time_called", "Time was called", caller))
        return
    policies = book.policies
    after = policies.call_clock_after_seconds
    wait = 1_000 * (after.value if after is not None else 0)
    if after is not None and now - state.thinking.since < wait:
        left = (wait - (now - state.thinking.since) + 999) // 1_000
        unit.record(Refused(f"Seat {legal.seat} may think {left} s more before the clock", after.rule))
        return
    directed = policies.clock_by_direction
    if directed is not None and directed.value and press.source is not Source.DIRECTOR:
        opened = OpenIncident("clock", legal.seat, opened_at=now, by_person=True)
        refuse(unit, open_incident(unit, state, opened), opened)
        return
    start(unit, state, legal.seat, now, caller)


def blind_clock(unit: UnitOfWork) -> None:
    """It stops, or goes on, where the director has left it to this table (ccp.commissioner.2)."""
    clock = unit.table.clock
    if clock is None or not clock.kept_here:
        unit.record(Refused("The blind clock is the director's: it is not left to this table", "base.clock"))
        return
    unit.record(ClockAsked(not clock.mark.running))


def start(unit: UnitOfWork, state: TrackerState, seat: Seat, now: Millis, caller: Seat | None = None) -> None:
    policies = unit.table.rulebook.policies
    seconds, warning = policies.clock_seconds, policies.clock_warning_seconds
    if seconds is None:
        unit.record(Noticed("time_called", "Time was called", seat))
        return
    by = f", called by seat {caller}" if caller is not None else ""
    unit.record(Noticed(CLOCK_CALLED, f"Clock on seat {seat}: {seconds.value} s{by}", seat, seconds.rule))
    state.thinking.call_clock(seat)
    end = now + 1_000 * seconds.value
    state.timers.start(Check.CLOCK_UP, end)
    if warning is not None:
        state.timers.start(Check.CLOCK_WARNING, end - 1_000 * warning.value)


def fell_due(unit: UnitOfWork, state: TrackerState, check: Check, now: Millis) -> None:
    """The warning, or the end: then a ruling is asked for; no hand is killed without confirmation."""
    seat = state.thinking.clock
    if seat is None:
        return
    if check is Check.CLOCK_WARNING:
        warning = unit.table.rulebook.policies.clock_warning_seconds
        assert warning is not None
        unit.record(Noticed("clock_warning", f"Seat {seat}: {warning.value} s left", seat, warning.rule))
        return
    stop(state)
    unit.record(Noticed("clock_up", f"Time is up for seat {seat}", seat))
    notice_incident(unit, state, OpenIncident("clock_expired", seat, cause=state.thinking.decision, opened_at=now))
