"""The end of a hand stands where no next one confirms it (decision 89).

Behind a break, and at a table that is closed or broken, no card is dealt. The table says so in its record: from
there on UNDO refuses, the floor corrects, and the relay may count on the end.
"""

from __future__ import annotations

from table_core.messages import Noticed
from table_core.projections.table_state import HAND_STANDS, TableState
from table_core.tracker.state import TrackerState


def follows_nothing(table: TableState, state: TrackerState) -> bool:
    """Whether no hand follows the one that is over, and nobody is asked about it any more. A void deal has no end
    that could stand."""
    if not table.over or table.in_hand or table.stood_at or table.again is not None:
        return False
    rulings = state.rulings
    if table.question is not None or table.floor or rulings.open or rulings.left_open:
        return False
    return table.in_break or table.plays_no_more


def end_stands(table: TableState) -> Noticed:
    """What the table records of it, for its dealer to read."""
    text = f"Hand {table.hand_number} stands: UNDO does not take its end back; the floor corrects (71 FLOOR)"
    return Noticed(HAND_STANDS, text, rule="base.undo")


def no_undo(table: TableState) -> str:
    """Why UNDO is refused, and what the way is."""
    return f"Hand {table.hand_number} stands, no hand follows it now: the floor corrects it (71 FLOOR)"
