"""The pages on air: for a streaming program, transparent, each element by itself, styles of the producer's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from display.app import ELEMENTS, create_app
from display.push import Hub
from table_core.messages import OverlayView, Street, encode
from tests.display import fixtures
from tests.display.conftest import Running
from tests.display.test_browser import context_of

SAFE_X, SAFE_Y = 96, 54
WIDTH, HEIGHT = 1920, 1080
Run = Callable[..., Running]


@pytest.fixture
def on_air(run_app: Run) -> tuple[Running, Hub]:
    hub = Hub()
    hub.publish("overlay/01", encode(fixtures.overlay_view()))
    return run_app(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"])), hub


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with context_of(browser, WIDTH, HEIGHT) as context:
        yield context.new_page()


def opened(page: Page, at: tuple[Running, Hub], path: str) -> Page:
    page.goto(at[0].url + path)
    expect(page.locator("#air")).to_be_visible()
    return page


def shown(page: Page) -> Any:
    """Pixels with their transparency, height × width × BGRA."""
    png = page.screenshot(omit_background=True, animations="disabled")
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)


def at_rest(hub: Hub, **changes: Any) -> OverlayView:
    view = replace(fixtures.overlay_view(), **changes)
    hub.publish("overlay/01", encode(view))
    return view


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    found = [one.bounding_box() for one in page.locator(selector).all()]
    return [dict(box) for box in found if box is not None]


@pytest.mark.parametrize("layout", ["nine", "six", "heads-up"])
def test_all_of_it_keeps_within_the_safe_area_and_nothing_covers_another(
    page: Page, on_air: tuple[Running, Hub], layout: str
) -> None:
    if layout == "six":
        view = fixtures.overlay_view()
        at_rest(on_air[1], seats=tuple(seat for seat in view.seats if seat.seat <= 6))
    opened(page, on_air, f"/air/01?layout={layout}")
    pixels = shown(page)[:, :, 3]
    assert pixels.max() == 255
    for margin in (pixels[:SAFE_Y], pixels[-SAFE_Y + 4 :], pixels[:, : SAFE_X - 4], pixels[:, -SAFE_X + 4 :]):
        assert margin.max() == 0
    found = [*boxes(page, ".seat"), *boxes(page, ".marks"), *boxes(page, ".bar")]
    for no, one in enumerate(found):
        for other in found[no + 1 :]:
            apart = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert apart or above, (one, other)


def test_a_plate_can_be_read_on_a_telephone_and_has_its_cards_inside(
    page: Page, on_air: tuple[Running, Hub]
) -> None:
    opened(page, on_air, "/air/01")
    sizes = page.locator(".name").evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 30
    (plate,), cards = boxes(page, '.seat[data-seat="5"]'), boxes(page, '.seat[data-seat="5"] .card')
    assert len(cards) == 2
    for card in cards:
        assert plate["x"] <= card["x"]
        assert card["x"] + card["width"] <= plate["x"] + plate["width"]
        assert plate["y"] <= card["y"]
        assert card["y"] + card["height"] <= plate["y"] + plate["height"]


def test_plates_say_what_their_seats_do(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01")
    seat = {no: page.locator(f'.seat[data-seat="{no}"]') for no in range(1, 10)}
    expect(seat[5]).to_contain_text("All-in")
    expect(seat[5]).to_contain_text("91 %")
    expect(seat[5]).to_contain_text("two pair, aces and tens")
    expect(seat[5]).to_contain_text("16,400")
    expect(seat[6]).to_have_class("seat right in turn")
    expect(seat[6]).to_contain_text("bet 4,000")
    expect(seat[3].locator(".disc")).to_have_text("D")
    expect(seat[5].locator(".disc")).to_have_text("BB")
    expect(seat[9]).to_contain_text("Out")
    expect(page.locator("#pots li")).to_have_count(2)
    expect(page.locator("#level")).to_contain_text("500 / 1,000")


def test_a_seat_keeps_its_place_while_others_bust_and_leave(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01?layout=nine")
    before = {no: boxes(page, f'.seat[data-seat="{no}"]')[0] for no in (2, 5, 8)}
    view = fixtures.overlay_view()
    at_rest(on_air[1], seats=tuple(seat for seat in view.seats if seat.seat in before))
    expect(page.locator(".seat")).to_have_count(3)
    assert {no: boxes(page, f'.seat[data-seat="{no}"]')[0] for no in before} == before


@pytest.mark.parametrize("element", ELEMENTS)
def test_each_element_is_a_page_of_its_own(page: Page, on_air: tuple[Running, Hub], element: str) -> None:
    at_rest(on_air[1], cards_in_ms=600_000)
    opened(page, on_air, f"/air/01/{element}")
    for other in ELEMENTS:
        parts = page.locator(f'[data-part="{other}"]')
        if other == element:
            expect(parts.first).to_be_visible()
        else:
            for part in parts.all():
                expect(part).to_be_hidden()


def test_show_names_parts_and_bg_a_ground_to_key_out(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01?show=board,pot&bg=00ff00")
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#seats")).to_be_hidden()
    expect(page.locator("#level")).to_be_hidden()
    pixels = shown(page)
    assert tuple(pixels[0, 0][:3]) == (0, 255, 0)
    opened(page, on_air, "/air/01?bg=url(/x)")
    assert shown(page)[0, 0, 3] == 0


def test_stacks_in_big_blinds(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01?stack=bb")
    expect(page.locator('.seat[data-seat="6"] .stack')).to_have_text("112 BB")


def test_a_back_is_a_back(page: Page, on_air: tuple[Running, Hub]) -> None:
    view = fixtures.overlay_view()
    at_rest(on_air[1], seats=tuple(replace(seat, cards=("??",) * len(seat.cards)) for seat in view.seats))
    opened(page, on_air, "/air/01/seats")
    expect(page.locator(".hole .back")).to_have_count(4)
    expect(page.locator(".hole [data-suit]")).to_have_count(0)


def test_the_countdown_runs_until_the_cards_are_out(page: Page, on_air: tuple[Running, Hub]) -> None:
    at_rest(on_air[1], street=Street.DONE, cards_in_ms=61_000)
    opened(page, on_air, "/air/01")
    expect(page.locator("#release")).to_contain_text("Cards in 1:0")
    at_rest(on_air[1], street=Street.DONE)
    expect(page.locator("#release")).to_be_hidden()


def test_black_is_an_empty_page(page: Page, on_air: tuple[Running, Hub]) -> None:
    opened(page, on_air, "/air/01")
    at_rest(on_air[1], seats=())
    expect(page.locator("#air")).to_be_hidden()
    assert shown(page)[:, :, 3].max() == 0


CUSTOM = """() => {
  const own = document.createElement("style");
  own.append(":root { --air-plate: rgb(1, 2, 3) }");
  document.head.append(own);
}"""


def test_a_streaming_programs_own_styles_hold_here_and_on_no_other_page(page: Page, run_app: Run) -> None:
    hub = Hub()
    hub.publish("overlay/01", encode(fixtures.overlay_view()))
    app = run_app(create_app(hub=hub, pages={"air", "table"}, venue="hall", tables=["01"]))
    for path, holds in (("/air/01", True), ("/air/01/seats", True), ("/table/01", False)):
        page.goto(app.url + path)
        page.evaluate(CUSTOM)
        value = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--air-plate').trim()")
        assert (value == "rgb(1, 2, 3)") == holds, path


def test_what_such_styles_name_still_comes_from_here_only(on_air: tuple[Running, Hub]) -> None:
    policy = httpx.get(on_air[0].url + "/air/01").headers["content-security-policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
    ):
        assert rule in policy
    for path in ("/overlay/01", "/static/air/air.css", "/api/overlay/01", "/air", "/airs"):
        other = httpx.get(on_air[0].url + path, follow_redirects=False)
        assert "unsafe-inline" not in other.headers["content-security-policy"], path


def test_the_older_address_leads_here_and_an_unknown_element_is_named(on_air: tuple[Running, Hub]) -> None:
    older = httpx.get(on_air[0].url + "/overlay/01", follow_redirects=False)
    assert (older.status_code, older.headers["location"]) == (307, "/air/01")
    strange = httpx.get(on_air[0].url + "/air/01/<b>nothing")
    assert strange.status_code == 404
    assert "<b>" not in strange.text
    assert httpx.get(on_air[0].url + "/air/77").status_code == 404


def test_nothing_moves_where_less_motion_is_asked_for(page: Page, on_air: tuple[Running, Hub]) -> None:
    name = "getComputedStyle(document.querySelector('.card')).animationName"
    page.emulate_media(reduced_motion="no-preference")
    opened(page, on_air, "/air/01")
    assert page.evaluate(name) == "air-card"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(name) == "none"
