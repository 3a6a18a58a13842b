"""Styles of a thief in a page on air: nothing of a card leaves the browser; without the page's policy it would."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from display.app import create_app
from display.push import Hub
from table_core.messages import encode
from tests.display import fixtures
from tests.display.conftest import Running
from tests.display.test_air import Run
from tests.display.test_browser import context_of
from tests.room.leak.styles import INJECT, THIEF, Asked, css_of

VIEW = fixtures.overlay_view()


@pytest.fixture
def relay(run_app: Run) -> Running:
    hub = Hub()
    hub.publish("overlay/01", encode(VIEW))
    return run_app(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with context_of(browser, 640, 360) as context:
        yield context.new_page()


DRAWN = [f"{way}?{card}" for way in ("background", "content", "mask") for card in VIEW.board]


def styled(page: Page, relay: Running) -> Asked:
    asked = Asked(page, relay.url)
    page.goto(relay.url + "/air/01")
    expect(page.locator("#air")).to_be_visible()
    page.evaluate(INJECT, css_of())
    return asked


def wait_for(page: Page, where: set[str], *wanted: str) -> None:
    """Until these addresses are there; one event may bring several of them, so that none is waited for."""
    while not where.issuperset(f"{THIEF}/{one}" for one in wanted):
        page.wait_for_timeout(20)


def test_no_style_asks_elsewhere_for_what_is_drawn(page: Page, relay: Running) -> None:
    asked = styled(page, relay)
    wait_for(page, asked.held, *DRAWN)
    assert f"{relay.url}/background?{VIEW.board[0]}" in asked.here, "of the relay they may ask, which knows"
    assert not asked.out


def test_without_its_policy_a_page_tells_each_card_elsewhere(page: Page, relay: Running) -> None:
    def without_policy(route: Route) -> None:
        answer = route.fetch()
        kept = {name: value for name, value in answer.headers.items() if name != "content-security-policy"}
        route.fulfill(response=answer, headers=kept)

    page.route("**/air/01", without_policy)
    page.route(f"{THIEF}/**", lambda route: route.fulfill(status=204))
    asked = styled(page, relay)
    wait_for(page, asked.out, *DRAWN, "import", "font?7")
