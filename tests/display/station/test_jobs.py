"""A share of the table of jobs (`python -m tests.display.station.jobs`): few steps, nothing refused, right."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.display.station.jobs.__main__ import done
from tests.display.station.jobs.jobs import JOBS
from tests.display.test_browser import pytestmark

__all__ = ["pytestmark"]


@pytest.mark.parametrize(
    ("job", "way"),
    [
        ("confirm a bust", "mouse"),
        ("draw seats", "phone"),
        ("start", "keyboard"),
        ("break a table", "keyboard"),
        ("rule on a floor call", "keyboard"),
        ("penalty", "phone"),
    ],
)
def test_a_job_takes_few_steps_from_a_cold_page_and_ends_right(browser: Browser, job: str, way: str) -> None:
    line = done(browser, JOBS[job], way)
    assert (line["right"], line["few"], line["wrong"]) == (True, True, 0), line
