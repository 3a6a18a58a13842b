"""Who did what on this street, in turn and out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from table_core.messages import Acted, ActedOutOfTurn, Action, BoardDealt, Chips, HandResumed, Seat, Source
from table_core.projections.table_state import Logged


class Did(NamedTuple):
    """`to`: the total in front of the seat behind it. Out of turn it is None where nobody said how much."""

    seq: int
    seat: Seat
    action: Action
    to: Chips | None
    in_turn: bool
    source: Source


def on_this_street(log: Sequence[Logged]) -> list[Did]:
    """In the order in which it was recorded."""
    did: list[Did] = []
    for logged in reversed(log):
        event = logged.event
        if isinstance(event, BoardDealt | HandResumed):
            break
        if isinstance(event, Acted | ActedOutOfTurn):
            in_turn = isinstance(event, Acted)
            did.append(Did(logged.seq, event.seat, event.action, event.to, in_turn, event.source))
    return did[::-1]


def waiting(log: Sequence[Logged]) -> list[Did]:
    """What was done out of turn by seats that have not acted since, in order."""
    did = on_this_street(log)
    return [
        one
        for one in did
        if not one.in_turn
        and not any(other.in_turn and other.seat == one.seat and other.seq > one.seq for other in did)
    ]


def last_waiting(log: Sequence[Logged], seat: Seat | None) -> Did | None:
    """The last of these of a seat."""
    return next((one for one in reversed(waiting(log)) if one.seat == seat), None)
