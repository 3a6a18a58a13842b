"""What a page says of its own line and of its presses: since when nothing is heard, what was sent, what not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from display.presses import SERVER
from display.push import Hub
from tests.display.conftest import Recorded
from tests.display.station.conftest import Heart
from tests.display.station.feeding import feed
from tests.display.test_browser import hub, pytestmark

__all__ = ["hub", "pytestmark"]

Open = Callable[[str], Page]
SEEN = """hidden => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange')); return document.body.dataset.link }"""


@pytest.fixture
def page(td: Open, hub: Hub) -> Page:
    feed(hub, 24, "bust")
    page = td("/station")
    expect(page.locator(".item")).to_have_count(1)
    return page


def test_a_station_that_is_not_heard_is_said_with_the_time_of_its_last_word(page: Page, heart: Heart) -> None:
    heart.stop()
    expect(page.locator("#link")).to_have_text(
        re.compile(r"Nothing heard from the station since \d\d:\d\d:\d\d\.")
    )
    heart.start()
    expect(page.locator("#link")).to_have_text("")
    expect(page.locator("#heard-again")).to_have_text("The station is heard again.")


def test_nothing_waits_goes_with_the_line(page: Page, hub: Hub, heart: Heart) -> None:
    hub.publish("queue", json.dumps({"items": [], "decided": []}).encode())
    expect(page.get_by_text("Nothing waits for a decision.")).to_be_visible()
    expect(page.get_by_text("What waits is not known.")).to_be_hidden()
    heart.stop()
    expect(page.get_by_text("What waits is not known.")).to_be_visible()
    expect(page.get_by_text("Nothing waits for a decision.")).to_be_hidden()


def test_a_page_is_grey_from_when_it_goes_out_of_sight_until_the_station_is_heard_again(
    page: Page, heart: Heart
) -> None:
    expect(page.locator("body")).to_have_attribute("data-link", "up")
    heart.stop()
    assert page.evaluate(SEEN, True) == "lost"
    assert page.evaluate(SEEN, False) == "lost"
    heart.start()
    expect(page.locator("body")).to_have_attribute("data-link", "up")


def test_a_press_shows_at_once_that_it_was_sent(page: Page) -> None:
    page.route("**/director", lambda route: None)
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(page.locator("#said")).to_have_text("Pause: sent, no answer yet")


def test_a_second_tap_while_the_first_has_no_answer_is_none(page: Page, actions: Recorded) -> None:
    held: list[Route] = []
    page.route("**/director", lambda route: held.append(route))
    pause = page.get_by_role("button", name="Pause", exact=True)
    with page.expect_request("**/director"):
        pause.click()
    pause.dispatch_event("click")
    expect(page.locator("#said")).to_have_text("Pause: sent, no answer yet")
    for route in held:
        route.continue_()
    expect(page.locator("#said")).to_have_text("pause: done")
    assert actions.calls == [("pause", {})]


def test_without_a_line_it_is_certain_that_nothing_was_sent(page: Page, actions: Recorded) -> None:
    page.context.set_offline(True)
    page.get_by_role("button", name="Out: Chen Wei").click()
    expect(page.locator("#said")).to_have_text("No line: Confirm bust was not sent.")
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Out: Chen Wei")).to_be_enabled()
    assert actions.calls == []


def test_a_press_that_came_too_late_is_named_with_its_time_until_it_is_dismissed(page: Page) -> None:
    late = {"state": "unknown", "server": SERVER, "ms": 10**12}
    page.route("**/director", lambda route: route.abort())
    page.route("**/press/*", lambda route: route.fulfill(json=late))
    page.get_by_role("button", name="Pause", exact=True).click()
    words = re.compile(r"^Pause of \d\d:\d\d:\d\d: Not carried out: it did not arrive in time\. Press again\.")
    line = page.locator("#late li")
    expect(line.locator("span")).to_have_text(words)
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_have_count(0)
