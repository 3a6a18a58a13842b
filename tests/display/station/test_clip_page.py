"""*Open clip* on the page of a table: asked before, played and stepped through, for the director alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from display.app import create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import ClipShot, ClipView, encode
from tests.display.conftest import Recorded, Running
from tests.display.preview import PICTURE
from tests.display.station.feeding import feed
from tests.display.test_browser import context_of, hub, pytestmark

__all__ = ["hub", "pytestmark"]

SHOTS = tuple(ClipShot(f"{no}-0", f"2026-11-20T21:40:{10 + no:02}+00:00") for no in range(4))


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser, timezone_id="UTC") as context:
        yield context


@pytest.fixture
def signin() -> SignIn:
    return SignIn()


class Fetched:
    """The station's pictures; which were fetched, in order."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str]] = []

    def picture(self, table: str, opening: str, shot: str) -> bytes | None:
        self.asked.append((table, opening, shot))
        return PICTURE if opening == "t1/clip-1" else None


@pytest.fixture
def fetched() -> Fetched:
    return Fetched()


def page_of(
    role: Role,
    context: BrowserContext,
    run_app: Callable[..., Running],
    hub: Hub,
    actions: Recorded,
    signin: SignIn,
    fetched: Fetched,
) -> Page:
    feed(hub, 3)
    app = create_app(
        hub=hub,
        pages={"station", "table"},
        venue="hall",
        tables=["01", "02", "03"],
        actions=actions,
        signin=signin,
        touchscreen=False,
        clip=fetched.picture,
    )
    page = context.new_page()
    page.goto(run_app(app).url + signin.new_link(signin.known("tess", "Tess", role)))
    page.goto(urljoin(page.url, "/station/table/01"))
    return page


@pytest.fixture
def page(
    context: BrowserContext,
    run_app: Callable[..., Running],
    hub: Hub,
    actions: Recorded,
    signin: SignIn,
    fetched: Fetched,
) -> Page:
    return page_of(Role.TD, context, run_app, hub, actions, signin, fetched)


def come(hub: Hub, shots: tuple[ClipShot, ...], parts: int, of: int) -> None:
    hub.publish("clip/01", encode(ClipView("t1/clip-1", "Tess (director)", parts, of, shots)))


def test_it_asks_before_and_shows_the_newest_picture_when_the_first_part_is_there(
    page: Page, hub: Hub, actions: Recorded, fetched: Fetched
) -> None:
    page.get_by_role("button", name="Open clip").click()
    expect(page.locator("#confirm-text")).to_contain_text("The table records that you do")
    assert actions.calls == []
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#clip-said")).to_have_text("Asked for")
    assert actions.calls == [("open_clip", {"table": "01"})]
    come(hub, SHOTS[2:], 1, 2)
    expect(page.get_by_role("img", name="Table 01 from above at 21:40:13")).to_be_visible()
    assert fetched.asked == [("01", "t1/clip-1", "3-0")]
    expect(page.locator("#clip-said")).to_contain_text("Opened by Tess (director), 1 of 2 parts so far")
    come(hub, SHOTS, 2, 2)
    expect(page.locator("#clip-said")).to_have_text("Opened by Tess (director). What is not public is covered.")
    expect(page.locator("#clip-time")).to_have_text("21:40:13")
    expect(page.get_by_role("slider", name="Picture")).to_have_value("3")
    assert len(fetched.asked) == 1, "older ones are fetched when somebody looks at them"


def test_it_is_stepped_through_with_the_keyboard_and_played_to_its_end(page: Page, hub: Hub) -> None:
    come(hub, SHOTS, 2, 2)
    time = page.locator("#clip-time")
    expect(time).to_have_text("21:40:13")
    page.get_by_role("button", name="One picture back").click()
    expect(time).to_have_text("21:40:12")
    page.get_by_role("slider", name="Picture").focus()
    page.keyboard.press("Home")
    expect(time).to_have_text("21:40:10")
    page.keyboard.press("ArrowRight")
    expect(time).to_have_text("21:40:11")
    page.get_by_role("button", name="Play").click()
    expect(time).to_have_text("21:40:13")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_it_is_closed_for_the_station_too(page: Page, hub: Hub, actions: Recorded) -> None:
    come(hub, SHOTS, 2, 2)
    expect(page.locator("#clip-picture canvas")).to_be_visible()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("#clip")).to_be_hidden()
    expect(page.locator("#clip-picture canvas")).to_have_count(0)
    assert actions.calls == [("close_clip", {"table": "01"})]


def test_a_table_that_keeps_none_or_does_not_answer_says_why(page: Page, hub: Hub) -> None:
    page.clock.install()
    hub.publish("clip/01", encode(ClipView("t1/clip-1", "Tess", why="This table keeps no clip of its camera")))
    expect(page.locator("#clip-said")).to_have_text("This table keeps no clip of its camera.")
    page.get_by_role("button", name="Open clip").click()
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#clip-said")).to_have_text("Asked for")
    page.clock.fast_forward(11_000)
    expect(page.locator("#clip-said")).to_have_text("No clip came within ten seconds.")


def test_the_floor_has_no_such_button(
    context: BrowserContext,
    run_app: Callable[..., Running],
    hub: Hub,
    actions: Recorded,
    signin: SignIn,
    fetched: Fetched,
) -> None:
    page = page_of(Role.FLOOR, context, run_app, hub, actions, signin, fetched)
    expect(page.get_by_role("button", name="Take picture")).to_be_visible()
    expect(page.get_by_role("button", name="Open clip")).to_have_count(0)
