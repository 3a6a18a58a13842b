"""A share of the dealer's jobs (`python -m tests.jobs`): right, and in few presses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests import chromium
from tests.jobs.__main__ import done
from tests.jobs.jobs import JOBS

pytestmark = pytest.mark.slow("a table process and a browser for each")

SHARE = (
    ("raise to 1,200", "390x844"),
    ("a row of folds", "keypad"),
    ("call and street", "800x480"),
    ("split pot", "keyboard"),
    ("undo three keys", "1366x768"),
    ("wrong seat awarded", "1024x600"),
    ("away and back", "390x844"),
    ("correct a count", "keyboard"),
)


@pytest.fixture
def chrome() -> Iterator[Browser]:
    assert chromium.PROGRAM, chromium.MISSING
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)


@pytest.mark.parametrize(("job", "way"), SHARE)
def test_a_job_is_done_in_three_presses(chrome: Browser, job: str, way: str) -> None:
    line = done(chrome, JOBS[job], way)
    assert line["right"], line
    assert line["few"], line


def test_a_ruling_and_a_side_pot_are_done_by_bytes_of_the_keypad(chrome: Browser) -> None:
    for job in ("a ruling", "all-in, side pot, award"):
        line = done(chrome, JOBS[job], "keypad")
        assert line["right"], line
