"""The player's phone in a browser: found at once, heard, old when it is old, whole in every size and language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from display.push import Hub
from tests.display.conftest import PATIENCE_S, Running
from tests.display.phone_gallery import SIZES, STATES, Shot, app_and_desk, opened
from tests.display.phone_states import CODES, MOVE, PhoneState, row
from tests.display.test_accessible import violations
from tests.display.test_browser import pytestmark

__all__ = ["pytestmark"]

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """[...document.querySelectorAll('main *')]
    .filter((node) => node.checkVisibility() && !node.children.length && node.tagName !== 'INPUT')
    .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline')
    .map((node) => node.textContent)"""
HEARD = """window.rung = 0; const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) { window.rung += 1; return start.apply(this, at); }"""


class Venue:
    """A station's pages with a desk that writes down what phones ask."""

    def __init__(self) -> None:
        self.hub = Hub()
        app, self.desk = app_and_desk(self.hub)
        self.server = Running(app)
        self.url = self.server.url

    def says(self, state: PhoneState) -> None:
        state.publish(self.hub)


@pytest.fixture
def venue() -> Iterator[Venue]:
    venue = Venue()
    yield venue
    venue.server.stop()


def fresh(browser: Browser, venue: Venue, path: str = "/me", script: str = "") -> Page:
    """A phone that was never here."""
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.set_default_timeout(PATIENCE_S * 1_000)
    if script:
        page.add_init_script(script)
    page.goto(venue.url + path)
    return page


def find(page: Page, name: str) -> None:
    page.get_by_label("Your name, as it stands on the list").fill(name)
    page.get_by_role("button", name="Find my seat").click()


@pytest.mark.parametrize("typed", ["Ann Lee", "ann lee", "  ÁNN LEE "])
def test_a_name_is_typed_once_and_the_phone_knows_its_player_from_then_on(
    browser: Browser, venue: Venue, typed: str
) -> None:
    venue.says(PhoneState(me=row()))
    page = fresh(browser, venue)
    find(page, typed)
    page.get_by_role("button", name="Ann Lee: table 02, seat 4").click()
    expect(page.locator("#seat")).to_have_text("Table 02, seat 4")
    page.reload()
    expect(page.locator("#seat")).to_have_text("Table 02, seat 4")
    expect(page.locator("#stack")).to_have_text("41,250")
    expect(page.locator("#rank")).to_have_text("7 of 23")
    expect(page.locator("#left")).to_have_text(re.compile(r"^12:\d\d$"))
    expect(page.locator("#who")).to_be_hidden()
    page.get_by_role("button", name="This is not me").click()
    expect(page.locator("#who")).to_be_visible()


def test_who_is_shown_by_initials_is_found_by_the_own_name(browser: Browser, venue: Venue) -> None:
    venue.says(PhoneState())
    page = fresh(browser, venue)
    find(page, "Bea Cole")
    expect(page.get_by_role("button", name="B. C.: table 03, seat 9")).to_be_visible()
    find(page, "Zoe Quill")
    expect(page.locator("#found-none")).to_have_text("Nobody on the list is shown by this name.")


def test_the_code_of_the_slip_opens_the_players_own_and_leaves_the_address(browser: Browser, venue: Venue) -> None:
    venue.says(STATES["proven"]())
    page = fresh(browser, venue, f"/me#p7.{CODES.code('p7')}")
    expect(page.locator("#penalties")).to_have_text("Warning: phone at the table")
    assert page.url == f"{venue.url}/me"
    page.get_by_role("button", name="Call the floor to my seat").click()
    expect(page.locator("#called")).to_have_text("The floor is called.")
    assert venue.desk.called == ["p7"]
    venue.says(STATES["called"]())
    expect(page.locator("#called")).to_have_text("The floor is coming.")


def test_without_a_code_the_floor_asks_for_it(browser: Browser, venue: Venue) -> None:
    venue.says(STATES["proven"]())
    page = fresh(browser, venue, script="localStorage.setItem('feltwire-player', 'p7')")
    expect(page.locator("#seat")).to_have_text("Table 02, seat 4")
    expect(page.locator("#penalties")).to_be_hidden()
    page.get_by_role("button", name="Call the floor to my seat").click()
    assert venue.desk.called == []
    page.get_by_label("Code", exact=True).fill("AAA AAA")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#said")).to_have_text("This code does not fit.")
    page.get_by_label("Code", exact=True).fill(CODES.code("p7").lower())
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#penalties")).to_be_visible()


def test_signing_up_shows_digits_until_the_desk_has_answered(browser: Browser, venue: Venue) -> None:
    venue.says(STATES["sign-up"]())
    page = fresh(browser, venue)
    page.get_by_label("Your name, as it stands on the list").fill("Eve Adams")
    page.get_by_role("button", name="Sign up for this event").click()
    expect(page.locator("#digits")).to_have_text(re.compile(r"^\d{4}$"))
    ((request, name, digits, _),) = venue.desk.asked
    assert (name, digits) == ("Eve Adams", page.locator("#digits").text_content())
    venue.desk.phones.answer(request, "p7", "Tess (director)")
    venue.says(STATES["waiting-list"]())
    expect(page.locator("#seat")).to_have_text("Place 3 on the waiting list")


def test_a_move_is_said_with_a_sound_once(browser: Browser, venue: Venue) -> None:
    venue.says(PhoneState(me=row()))
    page = fresh(browser, venue, script=f"localStorage.setItem('feltwire-player', 'p7'); {HEARD}")
    page.get_by_role("button", name="Sound when I move").click()
    expect(page.locator("#sound")).to_have_text("Sound is on")
    tried = page.evaluate("window.rung")
    assert tried > 0, "the press itself is heard, so that the player knows how it sounds"
    venue.says(PhoneState(me=row(move=MOVE)))
    expect(page.locator("#move")).to_contain_text("You move to table 11, seat 10")
    page.wait_for_function(f"() => window.rung > {tried}")
    rung = page.evaluate("window.rung")
    venue.says(PhoneState(me=row(move=MOVE, stack=3)))
    expect(page.locator("#stack")).to_have_text("3")
    assert page.evaluate("window.rung") == rung
    page.get_by_role("button", name="I have seen it").click()
    expect(page.locator("#move")).to_be_hidden()


def test_a_phone_without_a_network_says_since_when_and_is_up_to_date_when_it_is_back(
    browser: Browser, venue: Venue
) -> None:
    venue.says(PhoneState(me=row()))
    page = fresh(browser, venue, script="localStorage.setItem('feltwire-player', 'p7')")
    expect(page.locator("#stack")).to_have_text("41,250")
    page.context.set_offline(True)
    expect(page.locator("#old")).to_contain_text("No contact since")
    venue.says(PhoneState(me=row(stack=5_500), running=False))
    page.context.set_offline(False)
    expect(page.locator("#old")).to_be_hidden()
    expect(page.locator("#stack")).to_have_text("5,500")
    expect(page.locator("#level")).to_have_text("Level 1 · Paused")


def test_a_phone_that_slept_asks_anew_when_it_wakes(browser: Browser, venue: Venue) -> None:
    venue.says(PhoneState(me=row()))
    page = fresh(browser, venue)
    page.clock.install()
    page.evaluate("localStorage.setItem('feltwire-player', 'p7')")
    page.reload()
    expect(page.locator("#stack")).to_have_text("41,250")
    page.clock.fast_forward(40 * 60_000)
    page.evaluate("dispatchEvent(new Event('pageshow'))")
    expect(page.locator("#old")).to_be_hidden()
    expect(page.locator("#left")).to_have_text(re.compile(r"^1[12]:\d\d$"))


def test_a_page_without_tls_promises_no_sound_when_locked(browser: Browser, venue: Venue) -> None:
    venue.says(PhoneState(me=row()))
    page = fresh(browser, venue)
    expect(page.locator("#locked")).to_contain_text("A locked phone makes no sound.")
    assert page.evaluate("navigator.serviceWorker?.controller ?? null") is None


@pytest.mark.slow("each state in a browser")
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_or_scrolls_sideways(browser: Browser, venue: Venue, size: str) -> None:
    wrong = []
    for state in STATES:
        language = "x-long" if size == "320" else "de" if size == "360" else "es" if size == "390" else "en"
        page = opened(browser, venue.hub, venue.url, Shot(state, size, language))
        if sideways := page.evaluate(SIDEWAYS):
            wrong.append(f"{state}: {sideways} px sideways")
        wrong += [f"{state}: {words}" for words in page.evaluate(CUT)]
        page.context.close()
    assert wrong == []


@pytest.mark.slow("axe reads each state")
@pytest.mark.parametrize("ground", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, venue: Venue, ground: str) -> None:
    found = []
    for state in STATES:
        page = opened(browser, venue.hub, venue.url, Shot(state, ground=ground))
        found += [f"{state}: {one}" for one in violations(page)]
        page.context.close()
    assert found == []
