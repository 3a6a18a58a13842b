"""The wall in a real browser: its layouts, what fits, and its form. All layouts in all states and sizes:
`python -m tests.display.wall_gallery`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from display.app import create_app
from display.look import Look
from display.push import Hub
from table_core.messages import RoomLook, WallLayout
from tests.display.conftest import Running
from tests.display.wall_gallery import LOOKED, SIZES, Gallery, Shot
from tests.display.wall_states import LOOK, STATES, publish

pytestmark = pytest.mark.browser
Run = Callable[..., Running]


@pytest.fixture
def gallery(browser: Browser) -> Iterator[Gallery]:
    made = Gallery(browser)
    yield made
    made.close()


# A share of `python -m tests.display.wall_gallery`, which takes all of them.
SHARE = (
    ("running", WallLayout.AUTO, (1920, 1080), "en"),
    ("final-table", WallLayout.AUTO, (1366, 768), "de"),
    ("hand-for-hand", WallLayout.AUTO, (800, 480), "x-long"),
    ("offline", WallLayout.AUTO, (390, 844), "es"),
    ("break", WallLayout.AUTO, (1024, 600), "x-long"),
    ("before", WallLayout.AUTO, (390, 844), "de"),
    ("over", WallLayout.AUTO, (800, 480), "es"),
    ("last-minute", WallLayout.BIG, (390, 844), "x-long"),
)


@pytest.mark.parametrize(("state", "layout", "size", "language"), SHARE)
def test_nothing_is_cut_or_smaller_than_a_twenty_fifth_of_the_height(
    gallery: Gallery, state: str, layout: WallLayout, size: tuple[int, int], language: str
) -> None:
    page = gallery.show(Shot("", state, layout, size, language))
    assert page.evaluate(LOOKED) == []


@pytest.mark.parametrize(
    ("state", "shows", "layout"),
    [
        ("no-event", WallLayout.AUTO, "director"),
        ("before", WallLayout.AUTO, "seating"),
        ("running", WallLayout.AUTO, "director"),
        ("break", WallLayout.AUTO, "break"),
        ("over", WallLayout.AUTO, "final"),
        ("break", WallLayout.BIG, "big"),
        ("over", WallLayout.DIRECTOR, "director"),
    ],
)
def test_a_wall_shows_what_suits_unless_the_director_holds_it(
    gallery: Gallery, state: str, shows: WallLayout, layout: str
) -> None:
    page = gallery.show(Shot("", state, shows, SIZES[2]))
    expect(page.locator("#wall")).to_have_attribute("data-layout", layout)


def test_one_screen_alone_may_be_held_by_its_address(gallery: Gallery) -> None:
    page = gallery.show(Shot("", "running", WallLayout.FINAL, SIZES[2]))
    page.goto(page.url + "&layout=big")
    expect(page.locator("#wall")).to_have_attribute("data-layout", "big")
    page.goto(page.url.replace("layout=big", "layout=nonsense"))
    expect(page.locator("#wall")).to_have_attribute("data-layout", "final")


def test_the_look_is_taken_while_the_wall_is_open(browser: Browser, run_app: Run) -> None:
    look = Look(hub := Hub())
    server = run_app(create_app(hub=hub, pages={"clock"}, venue="hall", tables=(), title="Club", look=look))
    publish(hub, STATES["running"])
    look.take(RoomLook())
    page = browser.new_page()
    page.goto(f"{server.url}/clock")
    expect(page.locator("#event")).to_have_text("Club")
    expect(page.locator("#facts dt").first).to_have_text("Players left")
    look.take(replace(LOOK, event="Saturday", colour_1="#700020", message="Dinner at 8", facts=()))
    expect(page.locator("#event")).to_have_text("Saturday")
    expect(page.locator(".band")).to_have_css("background-color", "rgb(112, 0, 32)")
    expect(page.locator("#message")).to_have_text("Dinner at 8")
    expect(page.locator("#facts dt")).to_have_count(0)
    page.close()
