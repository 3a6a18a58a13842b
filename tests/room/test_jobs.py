"""A share of the dealer's jobs (`python -m tests.jobs`): right, and in few presses."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from table_core.messages import Key
from tests import chromium
from tests.jobs.__main__ import done, way_to
from tests.jobs.jobs import JOBS, new_hand, to_the_showdown
from tests.jobs.table import JobTable
from tests.jobs.ways import PATIENCE_MS, Touch

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


def taken_back_and_shown(table: JobTable) -> None:
    table.press(Key.UNDO)
    to_the_showdown(table)


STATES: dict[str, Callable[[JobTable], None]] = {
    "between": lambda _table: None,
    "acting": new_hand,
    "showdown": taken_back_and_shown,
}


def places_of_digits(hand: Touch) -> dict[str, tuple[int, int]]:
    found = dict[str, tuple[int, int]]()
    for digit in ("0", "1", "4", "5", "7", "9", "00", "000"):
        box = hand.page.get_by_role("button", name=digit, exact=True).bounding_box()
        assert box is not None
        found[digit] = round(box["x"]), round(box["y"])
    return found


@pytest.mark.parametrize("size", ["390x844", "800x480"])
def test_digits_lie_at_the_same_place_in_every_state_of_a_phones_keys(chrome: Browser, size: str) -> None:
    with JobTable({}, with_keypad=False) as table, way_to(chrome, table, size) as hand:
        assert isinstance(hand, Touch)
        places: list[dict[str, tuple[int, int]]] = []
        keys = hand.page.locator("main.dealer")
        for state, before in STATES.items():
            before(table)
            expect(keys).to_have_attribute("data-keys", state, timeout=PATIENCE_MS)
            places.append(places_of_digits(hand))
        assert places[0] == places[1] == places[2]
