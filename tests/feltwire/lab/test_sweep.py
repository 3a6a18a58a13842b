"""A share of `python -m tests.sweep`: each option of an incident does what it says, and is undone."""

from __future__ import annotations

import pytest

from table_core.rulebook import rulebook_ids
from tests.sweep.__main__ import cells
from tests.sweep.facts import faults
from tests.sweep.hands import DEVICES

SHARE = 997  # every 997th incident of a hand: a prime, so that it meets each incident, seat and street in turn


@pytest.mark.parametrize("devices", DEVICES)
@pytest.mark.parametrize("book", rulebook_ids())
def test_each_option_of_an_incident_does_what_it_says_and_is_undone(book: str, devices: str) -> None:
    found = [
        f"{cell}: {fault.kind}: {fault.text}"
        for number, cell in enumerate(cells(book, devices, seed=7))
        if number % SHARE == 0
        for fault in faults(cell.moment, cell.incident, cell.seat)
    ]
    assert not found


def test_every_incident_and_every_street_is_swept() -> None:
    swept = [*cells("wfp", "all", seed=7)]
    assert {cell.moment.street for cell in swept} >= {"preflop", "flop", "turn", "river", "showdown"}
    assert len({cell.incident.key for cell in swept}) > 50
