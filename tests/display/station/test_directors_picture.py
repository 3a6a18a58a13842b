"""*Take picture* on the page of a table: it is drawn, dated, and says what is wrong with the camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import CameraPicture, encode
from tests.display.conftest import Recorded, Running
from tests.display.preview import PICTURE
from tests.display.station.feeding import feed
from tests.display.test_browser import app_of, context_of, hub, pytestmark

__all__ = ["hub", "pytestmark"]

WALL = "2026-11-20T21:40:12+00:00"
TAKEN = "Taken at 21:40:12. What is not public is covered."


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser, timezone_id="UTC") as context:
        yield context


@pytest.fixture
def signin() -> SignIn:
    return SignIn()


@pytest.fixture
def page(
    context: BrowserContext, run_app: Callable[..., Running], hub: Hub, actions: Recorded, signin: SignIn
) -> Page:
    feed(hub, 3)
    page = context.new_page()
    page.goto(run_app(app_of(hub, actions, signin)).url + signin.new_link(signin.known("fay", "Fay", Role.FLOOR)))
    page.goto(urljoin(page.url, "/station/table/01"))
    return page


def test_a_picture_is_asked_for_and_drawn_with_its_time(page: Page, hub: Hub, actions: Recorded) -> None:
    take = page.get_by_role("button", name="Take picture")
    take.click()
    expect(page.locator("#picture-said")).to_have_text("Asked for")
    expect(take).to_be_disabled()
    assert actions.calls == [("take_picture", {"table": "01"})]
    hub.publish("picture/01", encode(CameraPicture(1, "p-1", WALL, PICTURE)))
    drawn = page.get_by_role("img", name=f"Table 01 from above, {TAKEN}")
    expect(drawn).to_be_visible()
    expect(take).to_be_enabled()
    assert drawn.evaluate("node => [node.width, node.height]") == [1280, 720]
    green = drawn.evaluate("node => [...node.getContext('2d').getImageData(200, 360, 1, 1).data]")
    assert green[1] > green[2] > green[0], green


def test_what_is_wrong_with_the_camera_is_said_with_its_last_picture_or_without(page: Page, hub: Hub) -> None:
    hub.publish("picture/01", encode(CameraPicture(1, "p-1", WALL, PICTURE, "no pictures come")))
    expect(page.locator("#picture-said")).to_have_text(f"No pictures come. {TAKEN}")
    hub.publish("picture/01", encode(CameraPicture(1, "p-2", why="This table has no camera")))
    expect(page.locator("#picture-said")).to_have_text("This table has no camera.")
    expect(page.locator("#picture canvas")).to_have_count(0)


def test_a_table_that_does_not_answer_within_ten_seconds_can_be_asked_again(page: Page) -> None:
    page.clock.install()
    take = page.get_by_role("button", name="Take picture")
    take.click()
    expect(page.locator("#picture-said")).to_have_text("Asked for")
    page.clock.fast_forward(11_000)
    expect(page.locator("#picture-said")).to_have_text("No picture came within ten seconds.")
    expect(take).to_be_enabled()
