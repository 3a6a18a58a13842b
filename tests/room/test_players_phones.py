"""Players' phones at a real station with tables that play: a small share of `python -m tests.phones`."""

from __future__ import annotations

import pytest

from tests.phones import PARTS, measure, wrong


@pytest.mark.slow("a station, its tables, phones and a flood, part after part")
def test_phones_hear_the_director_come_back_and_keep_nobody_out() -> None:
    found = measure(phones=12, tables=2, seconds=4.0, browsers=1, parts=[*PARTS], pace=1.0)
    assert wrong(found, 12) == []
    assert found["play"]["press to paint ms"] is not None
    assert found["flood"]["presses"] > 0
