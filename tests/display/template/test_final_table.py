"""A hand of `python -m tests.display.template.final_table`."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.display.template.final_table import Report, play


@pytest.mark.browser
@pytest.mark.slow("every element of every street of a hand, through two programs")
def test_a_hand_is_shown_by_the_calls_of_casparcg_and_spx_card_by_card(browser: Browser, tmp_path: Path) -> None:
    report = Report(7)
    play(report, browser, 0, tmp_path, hands=1)
    assert report.findings == []
    assert report.hands >= 1
    assert {"caspar stop", "caspar next", "spx play", "spx update"} <= report.calls.keys()
    assert sorted(path.name for path in tmp_path.glob("*-preflop.png")) == [
        "caspar-preflop.png",
        "spx-preflop.png",
    ]
