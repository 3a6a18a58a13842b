"""A share of the table of jobs (`python -m tests.display.broadcast.jobs`): few steps, nothing refused, right."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.display.broadcast.jobs import JOBS, done
from tests.display.test_browser import pytestmark

__all__ = ["pytestmark"]


@pytest.mark.parametrize(
    ("job", "way"),
    [
        ("cards from the deal on", "mouse"),
        ("hide everything", "tablet"),
        ("lower third of a player", "mouse"),
        ("another feature table", "keyboard"),
        ("ticker in a break", "tablet"),
    ],
)
def test_a_job_takes_few_steps_from_a_cold_page_and_ends_right(browser: Browser, job: str, way: str) -> None:
    line = done(browser, JOBS[job], way)
    assert (line["right"], line["few"], line["wrong"]) == (True, True, 0), line
