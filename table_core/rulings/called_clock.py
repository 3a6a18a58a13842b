"""The clock on a player."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import (
    Act,
    Action,
    KillHand,
    Source,
)
from table_core.rulings.case import Case, Option, Push, StartClock
from table_core.rulings.register import Group, incident


@incident("clock", 48, "The clock on a player", Group.ACTION, needs_seat=True)
def clock(case: Case) -> Iterator[Option]:
    """Where the dealer starts it on direction only, the floor says yes first (rpl.nolimit.14a)."""
    seconds = case.policy("clock_seconds")
    rule = case.rule("clock_by_direction")
    yield Option("start", f"Seat {case.seat} has {seconds} seconds", rule, (StartClock(case.the_seat),))
    yield Option("refused", "No clock", rule)


@incident("clock_expired", 49, "Time is up", Group.ACTION, needs_seat=True)
def clock_expired(case: Case) -> Iterator[Option]:
    """Facing a bet the hand is dead. Without one no book says what it is: usual practice is a check. A book with a
    sentence that kills the hand all the same leaves it to a person (`disputed`)."""
    rule, kills = case.cite("clock_expired"), case.policy("clock_expiry_kills")
    facing = case.to_call(case.the_seat) is Action.CALL
    if not facing and kills != "always":
        check = Push(Act(case.the_seat, Action.CHECK, source=Source.DIRECTOR))
        text = f"Time is up for seat {case.seat}, which faces no bet: not dead; usual practice: a check"
        yield Option("check", text, rule, (check,))
    if facing or kills in ("always", "disputed"):
        rule = rule if facing else case.rule("clock_expiry_kills")
        dead = Push(KillHand(case.the_seat, "time is up", rule))
        yield Option("dead", f"Time is up for seat {case.seat}: dead hand", rule, (dead,))
    yield Option("in_time", f"Seat {case.seat} acted in time", case.cite("clock_expired"))
