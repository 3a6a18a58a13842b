"""The page of machines on a provisioned broker: a press sends the release to a table in mid-hand, which leaves it
to its installer when the hand is over."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from feltwire.install.places import FOR_THE_ROOM
from feltwire.runtime.sent_release import BACK, FILE
from feltwire.station.station_store import StationStore
from table_core.messages import Key
from tests import chromium
from tests.display.conftest import PATIENCE_S
from tests.feltwire.hall import Hall, at_hand, press_on, touch
from tests.feltwire.install.releases import PUBLIC, release
from tests.waiting import until

pytestmark = [pytest.mark.mosquitto, pytest.mark.browser]
PATIENT_MS = PATIENCE_S * 1000
# A station whose machine trusts the key of the tests' releases.
TRUSTS = f"""
import sys
from feltwire.cli import main
from feltwire.station import room_release

room_release.trusted_keys = lambda: ({PUBLIC!r},)
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall, data = Hall(tmp_path), tmp_path / "station-data"
    left = StationStore.open(data)  # by an earlier program
    left.tournament()
    left.close()
    place = data / FOR_THE_ROOM
    place.parent.mkdir()
    place.write_bytes(release(tmp_path / "made", "9.9.9").read_bytes())
    hall.station.started_with = lambda argv: (sys.executable, "-I", "-c", TRUSTS, *argv[4:])
    with hall:
        yield hall


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert chromium.PROGRAM, chromium.MISSING
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET, timeout=PATIENT_MS)


def machines_of(hall: Hall, browser: Browser) -> Page:
    page = browser.new_page()
    page.set_default_timeout(PATIENT_MS)
    page.on("dialog", lambda dialog: dialog.accept())
    hall.station.shows("room", lambda room: True)
    page.goto((hall.folder / "station-data" / "td-link").read_text().strip())
    page.goto(f"http://127.0.0.1:{hall.station.port}/station/machines")
    return page


def row(page: Page, who: str) -> Locator:
    return page.locator("#machines li", has_text=who)


@pytest.mark.slow("two processes over TLS and a browser")
def test_a_press_sends_the_release_to_a_table_that_takes_it_when_the_hand_is_over(
    hall: Hall, browser: Browser
) -> None:
    table = hall.machine("table")
    folder = table.config.parent / "table-data" / "upgrade"
    folder.mkdir(parents=True, mode=0o700)
    folder.parent.chmod(0o700)
    table.start()
    table.shows("table/01", lambda view: bool(view["seats"]))
    touch(table, Key.NEW_HAND)
    hall.station.shows("room", at_hand(1))
    page = machines_of(hall, browser)
    expect(page.locator("#release")).to_have_text("Version 9.9.9.", timeout=PATIENT_MS)
    expect(row(page, "Table 02")).to_contain_text("is not heard", timeout=PATIENT_MS)
    mine = row(page, "Table 01")
    expect(mine).to_contain_text("in a hand", timeout=PATIENT_MS)
    mine.get_by_role("button", name="Send 9.9.9").click()
    expect(page.locator("#said")).to_have_text(
        "Table 01 is sent version 9.9.9. It waits for the end of the hand.", timeout=PATIENT_MS
    )
    expect(mine).to_contain_text("waits for the end of the hand", timeout=PATIENT_MS)
    assert not (folder / FILE).exists()
    for _ in range(2):  # two of three fold
        press_on(table, hall.rows_of(table)[-1][1])
    until((folder / FILE).exists, "the table leaves the release to its installer")
    assert (folder / FILE).read_bytes() == (hall.folder / "station-data" / FOR_THE_ROOM).read_bytes()
    expect(mine).to_contain_text("is given to the installer", timeout=PATIENT_MS)

    mine.get_by_role("button", name="Go back").click()
    until((folder / BACK).exists, "the table asks its installer for the version before")
    page.get_by_role("button", name="Confirm the upgrade").click()
    expect(page.locator("#confirm")).to_be_hidden(timeout=PATIENT_MS)
