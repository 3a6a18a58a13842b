"""A share of the table of jobs (`python -m tests.display.night.jobs`), in a real room without tables."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.display.night.jobs import JOBS, done
from tests.display.test_browser import pytestmark

__all__ = ["pytestmark"]


@pytest.mark.parametrize(
    ("job", "way"), [("bust", "mouse"), ("bust", "phone"), ("rebuy", "keyboard"), ("break the table", "mouse")]
)
def test_a_job_without_devices_takes_few_steps_and_ends_right(browser: Browser, job: str, way: str) -> None:
    line = done(browser, JOBS[job], way)
    assert (line["right"], line["few"], line["wrong"]) == (True, True, 0), line
