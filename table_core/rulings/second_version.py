"""Rulings of the second version of the messages: what they did stood in the name of their option alone."""

from __future__ import annotations

from typing import Final

from table_core.messages import BoardsAgreed, DutiesSet, Ruled
from table_core.projections.table_state import TableState
from table_core.rulings.held_to import held_to

VERSION: Final = 2
_TIMES: Final = {"twice": 2, "three_times": 3, "once": 1}


def effects(ruled: Ruled, table: TableState) -> tuple[DutiesSet | BoardsAgreed, ...]:
    """The events that a ruling of now has behind it."""
    if ruled.incident == "run_it":
        return (BoardsAgreed(_TIMES[ruled.option]),) if ruled.option in _TIMES else ()
    seat, hand = ruled.seat, table.hand
    if ruled.incident != "out_of_turn" or seat is None or hand is None or seat not in hand.live_seats:
        return ()
    owed = held_to(ruled.option, ruled.rule, table, seat, ruled.amount)
    return (DutiesSet(seat, owed),) if owed or seat in hand.duties else ()
