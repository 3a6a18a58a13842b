"""No incident that is only of a hand in play has a ruling while none has begun: an UNDO of NEW HAND may have taken
it away. One that may be raised behind a hand is asked all the same, for BUTTON puts the hand out of sight."""

from __future__ import annotations

import pytest

from table_core.messages import Seat
from table_core.projections.table import TableProjection
from table_core.projections.table_state import SeatState
from table_core.rulebook import load_rulebook, rulebook_ids
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Case
from table_core.rulings.offered import offered


@pytest.mark.parametrize("book", rulebook_ids())
def test_what_is_asked_before_any_hand_is_about_no_hand(book: str) -> None:
    table = TableProjection("hall", "07", load_rulebook(book))
    table.seats[Seat(1)] = SeatState("Ann", 10_000)
    for key, incident in INCIDENTS.items():
        for seat in (None, 1) if not incident.needs_seat else (1,):
            options, why = offered(Case(table, key, seat=seat), incident)
            behind = incident.before_hand or incident.after_hand
            assert behind or (options, why) == ((), "no hand has begun")
