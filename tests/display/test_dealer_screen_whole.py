"""Nothing on the dealer screen is cut, and nothing lies on anything else, in any state at any size: every text in
the page is compared with its box, and every box with those beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from display.push import Hub
from table_core.messages import OpenRuling, encode
from tests.display.conftest import Running
from tests.display.dealing_states import CLOCKS, STATES
from tests.display.test_accessible import violations
from tests.display.test_browser import app_of, context_of, hub, pytestmark, room
from tests.display.test_browser_rulings import STRING_BET

__all__ = ["app_of", "hub", "pytestmark", "room"]

SIZES = [(1366, 768), (1024, 600), (800, 480), (390, 844)]

WRONG = Path(__file__).with_name("whole.js").read_text("utf-8")

OVER_THE_EDGE = """() => [...document.querySelectorAll("#seats .seat:not(.empty)")].flatMap((plate) => {
  const inner = plate.getBoundingClientRect(), pad = parseFloat(getComputedStyle(plate).paddingRight);
  return [...plate.querySelectorAll(".stack, .last")].map((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return { text: node.textContent, over: Math.round(range.getBoundingClientRect().right - inner.right + pad) };
  }).filter(({ text, over }) => text && over > 0);
})"""


def put(page: Page, hub: Hub, state: str, no: int, clock: str) -> None:
    """The page shows the state: its drawing is told by the count of events."""
    hub.publish("clock/01", encode(CLOCKS[clock]))
    hub.publish("table/01", encode(msgspec.structs.replace(STATES[state], as_of=no)), event_id=str(no))
    expect(page.locator("main")).to_have_attribute("data-as-of", str(no))


def wrong_in(page: Page, hub: Hub) -> dict[str, Any]:
    clocks = {"break": "break", "street-due": "paused", "raises": "called", "fenced": "none"}
    found = {}
    for no, state in enumerate(STATES, start=5_000):
        put(page, hub, state, no, clocks.get(state, "running"))
        wrong = page.evaluate(WRONG)
        if wrong:
            found[state] = wrong
    return found


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("keys", [True, False], ids=["with keys", "only shows"])
def test_every_text_is_whole_and_lies_on_nothing(
    browser: Browser, room: Running, hub: Hub, size: tuple[int, int], keys: bool
) -> None:
    with context_of(browser, *size) as context:
        if not keys:
            context.clear_cookies()
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        assert wrong_in(page, hub) == {}


@pytest.mark.slow("every state at two sizes in three languages")
@pytest.mark.parametrize("size", [(800, 480), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", ["de", "es", "x-long"])
def test_every_text_is_whole_in_other_languages(
    browser: Browser, room: Running, hub: Hub, size: tuple[int, int], language: str
) -> None:
    with context_of(browser, *size) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01?lang={language}")
        assert wrong_in(page, hub) == {}


@pytest.mark.parametrize("size", [(1024, 600), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_beside_an_open_ruling_what_lies_before_a_seat_stays_within_its_plate(
    browser: Browser, room: Running, hub: Hub, size: tuple[int, int]
) -> None:
    with context_of(browser, *size) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        hub.publish("ruling/01", encode(OpenRuling(3, 2000, STRING_BET)))
        expect(page.locator("#ruling")).to_be_visible()
        for no, state in enumerate(("blinds", "raises", "won"), start=8_000):
            put(page, hub, state, no, "none")
            assert page.evaluate(OVER_THE_EDGE) == [], state


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_state_violates_what_axe_checks(
    browser: Browser, room: Running, hub: Hub, size: tuple[int, int]
) -> None:
    with context_of(browser, *size, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        for no, state in enumerate(("before-the-first-hand", "raises", "tabled", "asks", "unread"), start=7_000):
            put(page, hub, state, no, "called" if state == "raises" else "running")
            if state == "unread":
                page.get_by_role("button", name="Name card 2 of the board").click()
            assert violations(page) == [], state


def test_a_question_covers_nothing_and_a_refused_press_is_red(browser: Browser, room: Running, hub: Hub) -> None:
    with context_of(browser, 1024, 600) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        put(page, hub, "asks-beside-what-was-done", 6_000, "none")
        expect(page.locator("#says")).to_have_text("Turn not read. Is it out? STREET = yes")
        beside = page.locator("#notices .beside")
        expect(beside).to_contain_text("Assumed: seats 4, 5 and 6 call 16,400")
        expect(beside).to_contain_text("Waiting for the turn: check/call, bet 24,000")
        expect(beside).to_contain_text("Typed: Seat 4, 1,200")
        put(page, hub, "refused", 6_001, "none")
        expect(page.locator("#banner")).to_have_attribute("data-outcome", "refused")
        expect(page.locator("#says")).to_contain_text("Seat 5 has folded. Seat 1 is to act")
