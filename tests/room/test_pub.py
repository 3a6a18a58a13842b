"""A share of `python -m tests.room.pub`."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.home.processes import HANGS_AFTER_S
from tests import chromium
from tests.room.pub.evening import play


@pytest.mark.room
@pytest.mark.browser
@pytest.mark.mosquitto
@pytest.mark.slow("an evening at two tables, from registration to points, with a laptop closed for a minute")
def test_an_evening_at_a_pub(tmp_path: Path) -> None:
    assert chromium.PROGRAM, chromium.MISSING
    report = play(tmp_path, 3, print, lid_s=HANGS_AFTER_S + 5, tables=2, players=9)
    assert report.wrong == ()
    assert report.breaks == 1
    assert report.players == 9
