"""`python -m tests.room.two_phones`: from nothing to a hand at two tables, with two telephones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import chromium
from tests.room.two_phones import MOST_STEPS, play


@pytest.mark.room
@pytest.mark.browser
@pytest.mark.slow("a whole room, the director's browser and two telephones")
def test_two_phones_come_to_a_hand_at_each_table_in_five_steps(tmp_path: Path) -> None:
    assert chromium.PROGRAM, chromium.MISSING
    report = play(tmp_path / "room", broker=("--embedded-broker",))
    assert len(report.steps) <= MOST_STEPS
