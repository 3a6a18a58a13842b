"""No incident of a hand has a ruling while none has begun: an UNDO of NEW HAND may have taken it away."""

from __future__ import annotations

import pytest

from table_core.projections.table import TableProjection
from table_core.rulebook import load_rulebook, rulebook_ids
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Case
from table_core.rulings.offered import offered


@pytest.mark.parametrize("book", rulebook_ids())
def test_what_is_asked_before_any_hand_is_about_no_hand(book: str) -> None:
    table = TableProjection("hall", "07", load_rulebook(book))
    for key, incident in INCIDENTS.items():
        for seat in (None, 1):
            options, why = offered(Case(table, key, seat=seat), incident)
            assert incident.before_hand or (options, why) == ((), "no hand has begun")
