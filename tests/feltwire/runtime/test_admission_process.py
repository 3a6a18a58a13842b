"""A phone becomes a table's keypad: two processes on a provisioned broker, and the browsers of both."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as PageTimeout

from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.boottime import boot_id
from feltwire.runtime.broker import topics
from table_core.messages import AnswerScreen, Expiry, Millis, ScreenAnswer, TableScreens, decode_envelope, encode
from tests import chromium
from tests.display.conftest import PATIENCE_S
from tests.display.test_accessible import violations
from tests.feltwire.hall import Hall
from tests.feltwire.processes import Process
from tests.feltwire.runtime.test_stolen_certificate_process import steal
from tests.feltwire.station_room import VENUE

pytestmark = [pytest.mark.mosquitto, pytest.mark.browser]
PATIENT_MS = PATIENCE_S * 1000


class Room(Hall):
    """A hall whose station and table let phones in, with browsers."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        super().__init__(folder)
        self._browsers = browser
        self._open = ExitStack()
        self.table = self.machine("table")
        for process in (self.station, self.table):
            process.config.write_text(f"admission = true\n{process.config.read_text()}")

    def phone(self) -> BrowserContext:
        context = self._browsers.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        context.set_default_timeout(PATIENT_MS)
        self._open.callback(context.close)
        return context

    def director(self) -> Page:  # type: ignore[override]
        """The director's page, on a desktop."""
        context = self._browsers.new_context(viewport={"width": 1366, "height": 768})
        context.set_default_timeout(PATIENT_MS)
        self._open.callback(context.close)
        page = context.new_page()
        self.station.shows("room", lambda room: True)
        page.goto((self.folder / "station-data" / "td-link").read_text().strip())
        return page

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.table.port}/table/01"

    def __enter__(self) -> Room:
        super().__enter__()
        self.table.start()
        self.table.shows("table/01", lambda view: bool(view["seats"]))
        return self

    def __exit__(self, *of: object) -> None:
        self._open.close()
        super().__exit__(*of)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert chromium.PROGRAM, chromium.MISSING
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET, timeout=PATIENT_MS)


@pytest.fixture
def room(tmp_path: Path, browser: Browser) -> Iterator[Room]:
    with Room(tmp_path, browser) as running:
        yield running


def ask(context: BrowserContext, url: str) -> tuple[Page, str]:
    """A page that asks, and its digits."""
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name="Ask the director").click()
    expect(page.locator("#digits")).to_have_text(re.compile(r"^\d{4}$"), timeout=PATIENT_MS)
    return page, page.locator("#digits").inner_text()


def pressed_by(table: Process) -> set[str]:
    """Who stands in the ledger."""
    ledger = Ledger.open(table.config.parent / "table-data" / "table-01.ledger", read_only=True)
    try:
        return {decode_envelope(raw).by for _, _, raw in ledger.raw_events()}
    finally:
        ledger.close()


def let_in(button: Locator, page: Page) -> None:
    """Press until the phone's page goes on from its digits: what a busy machine keeps silent is refused."""
    ends = time.monotonic() + PATIENCE_S
    button.click()
    while True:
        try:
            page.locator("#digits").wait_for(state="detached", timeout=10_000)
            return
        except PageTimeout:
            assert time.monotonic() < ends, "the phone was not let in"
            if button.is_visible():
                button.click()


@pytest.mark.slow("two processes over TLS and three browsers")
def test_one_press_of_the_director_makes_the_phone_with_these_digits_a_keypad_and_no_other(room: Room) -> None:
    phone = room.phone()
    page, digits = ask(phone, room.url)
    other, others_digits = ask(room.phone(), page.url)  # whoever copies the address asks anew
    assert digits != others_digits
    assert violations(page) == []
    td = room.director()
    item = td.locator("#items li", has_text=digits)
    expect(item).to_contain_text("A keypad of table 01 asks to be let in", timeout=PATIENT_MS)
    let_in(item.get_by_role("button", name=f"Let {digits} in"), page)
    expect(page.locator("#hand")).to_have_text("No hand yet", timeout=PATIENT_MS)  # the table is heard
    new_hand = page.get_by_role("button", name="New hand")
    new_hand.tap()
    expect(page.locator("#hand")).to_have_text("Hand 1", timeout=PATIENT_MS)
    expect(page.locator("#lamps")).to_contain_text("Played by hand")  # the table has no device
    expect(td.locator("#tables li", has_text="01")).to_contain_text("Played by hand", timeout=PATIENT_MS)
    assert f"Phone {digits} (dealer)" in pressed_by(room.table)
    expect(other.locator("#digits")).to_have_text(others_digits)  # it waits still
    lookers = phone.browser
    assert lookers is not None
    with lookers.new_context() as stranger:  # the address alone opens nothing
        looks = stranger.new_page()
        looks.goto(room.url)
        expect(looks.get_by_role("button", name="Ask the director")).to_be_visible()
        assert violations(looks) == []

    refused = td.locator("#items li", has_text=others_digits)
    refused.get_by_role("button", name="Refuse").click()
    expect(other.locator("#said")).to_have_text("The director does not let this phone in.", timeout=PATIENT_MS)

    td.goto(f"http://127.0.0.1:{room.station.port}/people")
    is_in = td.locator("#phones-list li", has_text=f"Phone {digits}")
    expect(is_in).to_contain_text("the keypad of table 01", timeout=PATIENT_MS)
    assert violations(td) == []
    is_in.get_by_role("button", name="End").click()
    expect(new_hand).to_have_count(0, timeout=PATIENT_MS)  # its page shows at once that it has no keys
    status = page.evaluate(
        """async () => {
          const { server, ms } = await (await fetch("/now")).json();
          const id = { "press-id": "aaaaaaaaaaaaaaaa", "press-until": `${server}/${ms + 9000}` };
          const headers = { "content-type": "application/json", ...id };
          return (await fetch("/table/01/touch", { method: "POST", headers, body: '{"key": 26}' })).status;
        }"""
    )
    assert status == 403
    expect(td.locator("#phones-list li", has_text=f"Phone {digits}")).to_have_count(0, timeout=PATIENT_MS)


@pytest.mark.slow("two processes over TLS and two browsers")
def test_a_phone_becomes_a_director_over_http_behind_a_warning_alone_and_floor_without(room: Room) -> None:
    td = room.director()
    for name, role, warned in (("Fay", "floor", False), ("Dan", "director", True)):
        page = room.phone().new_page()
        page.goto(f"http://127.0.0.1:{room.station.port}/station")
        page.get_by_label("Your name").fill(name)
        page.get_by_label("As").select_option(role)
        page.get_by_role("button", name="Ask the director").click()
        expect(page.locator("#digits")).to_have_text(re.compile(r"^\d{4}$"), timeout=PATIENT_MS)
        digits = page.locator("#digits").inner_text()
        td.locator("#items li", has_text=digits).get_by_role("button", name=f"Let {digits} in").click()
        if warned:
            expect(td.locator("#confirm-text")).to_contain_text("not encrypted", timeout=PATIENT_MS)
            td.locator("#confirm-yes").click()
        page.wait_for_url("**/station")
        expect(page.get_by_role("heading", name="Queue and tables")).to_be_attached(timeout=PATIENT_MS)
    td.goto(f"http://127.0.0.1:{room.station.port}/people")
    for name in ("Fay", "Dan"):
        expect(td.locator("li", has_text=name).filter(has_text="let in for this evening")).to_have_count(1)


@pytest.mark.slow("two processes over TLS and three browsers")
def test_no_device_at_the_broker_lets_a_phone_in_but_the_station(room: Room) -> None:
    """A thief with the certificate of table 02 even knows the id of the request."""
    wanted, digits = ask(room.phone(), room.url)
    td = room.director()
    expect(td.locator("#items li", has_text=digits)).to_be_visible(timeout=PATIENT_MS)
    asks = td.evaluate("async () => (await (await fetch('/api/phones')).json()).asking")
    (screen,) = [one["screen"] for one in asks]
    thief = steal(room, "table-02")
    forged = AnswerScreen(
        "forged-1", screen, ScreenAnswer.ADMIT, Expiry(boot_id(), Millis(2**50)), "Mallory (director)"
    )
    for leaf in ("grant", "command"):
        thief.publish(topics.table(VENUE, "01", leaf), encode(forged))
    thief.publish(topics.table(VENUE, "01", "screens"), encode(TableScreens(1)))
    thief.stop()
    other, others_digits = ask(room.phone(), room.url)  # asked and let in after all that: the real way works
    item = td.locator("#items li", has_text=others_digits)
    let_in(item.get_by_role("button", name=f"Let {others_digits} in"), other)
    expect(other.get_by_role("button", name="New hand")).to_be_visible(timeout=PATIENT_MS)
    expect(wanted.locator("#digits")).to_have_text(digits)
    expect(td.locator("#items li", has_text=digits)).to_be_visible()
