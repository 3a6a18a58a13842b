"""The calls of graphics systems on a page on air itself, and through the template that frames it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from display.app import create_app
from display.push import Hub
from display.template_pages import template_page
from table_core.messages import LowerThird, ProgrammeView, encode
from tests.display import fixtures
from tests.display.conftest import Running
from tests.display.template.test_template import MARKUP, call
from tests.display.test_browser import context_of

pytestmark = pytest.mark.browser
Run = Callable[..., Running]
STEPS = "seats,board,pot|level"
PRODUCERS = LowerThird("Final table", "Feature table")


@pytest.fixture
def hub() -> Hub:
    hub = Hub()
    hub.publish("overlay/01", encode(fixtures.overlay_view()))
    hub.publish("programme", encode(ProgrammeView(feature="01")))
    return hub


@pytest.fixture
def server(run_app: Run, hub: Hub) -> Running:
    return run_app(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with context_of(browser, 1920, 1080, reduced_motion="reduce") as context:
        yield context.new_page()


def framed(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def test_a_page_on_air_is_there_at_once_and_goes_and_comes(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/air/01")
    expect(page.locator("#board")).to_be_visible()
    call(page, "stop")
    expect(page.locator("#board")).to_be_hidden()
    call(page, "play")
    expect(page.locator("#board")).to_be_visible()


def test_with_wait_it_is_there_from_the_first_play_on(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/air/01?play=wait")
    expect(page.locator("html")).to_have_attribute("data-on-air", "no")
    expect(page.locator("#board .card").first).to_be_attached()
    expect(page.locator("#board")).to_be_hidden()
    call(page, "play")
    expect(page.locator("#board")).to_be_visible()


def test_steps_of_its_address_are_what_next_goes_through(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/air/01?steps={STEPS}")
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#level")).to_be_hidden()
    call(page, "next")
    expect(page.locator("#level")).to_be_visible()
    expect(page.locator("#board")).to_be_hidden()
    call(page, "next")
    expect(page.locator("#level")).to_be_visible()


def test_texts_of_a_call_stand_over_the_producers_and_empty_ones_do_not(
    page: Page, server: Running, hub: Hub
) -> None:
    on = ProgrammeView(feature="01", elements={"lower-third": True}, lower_third=PRODUCERS)
    hub.publish("programme", encode(on))
    page.goto(f"{server.url}/air/01")
    third = page.locator("#lower-third")
    expect(third).to_contain_text("Feature table")
    call(page, "update", json.dumps({"f0": "Ana Lopes"}))
    expect(third).to_contain_text("Ana Lopes")
    call(page, "update", json.dumps({"f1": "Lisbon"}))
    expect(third).to_contain_text("Ana Lopes")
    expect(third).to_contain_text("Lisbon")
    call(page, "update", json.dumps({"f0": "", "f1": "", "f2": ""}))
    expect(third).to_contain_text("Feature table")


def test_the_cut_takes_off_what_a_call_put_there(page: Page, server: Running, hub: Hub) -> None:
    page.goto(f"{server.url}/template/feltwire.html?feed=01&play=now&title=Ana&ticker=one")
    expect(framed(page).locator("#lower-third")).to_be_visible()
    expect(framed(page).locator("#ticker")).to_be_visible()
    hub.publish("programme", encode(ProgrammeView(feature="01", cut=True)))
    for part in ("#lower-third", "#ticker", "#board"):
        expect(framed(page).locator(part)).to_be_hidden()
    call(page, "update", json.dumps({"f0": "Bea"}))
    call(page, "play")
    expect(framed(page).locator("#lower-third")).to_be_hidden()


def test_the_template_passes_the_calls_on_to_the_page_that_it_frames(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/template/feltwire.html")
    call(page, "update", json.dumps({"f0": "Ana", "f3": "01", "f4": STEPS}))
    expect(framed(page).locator("#board .card").first).to_be_attached()
    expect(page.locator("iframe")).to_have_css("opacity", "0")
    call(page, "play")
    expect(page.locator("iframe")).to_have_css("opacity", "1")
    expect(framed(page).locator("#board")).to_be_visible()
    expect(framed(page).locator("#lower-third")).to_contain_text("Ana")
    expect(framed(page).locator("#level")).to_be_hidden()
    call(page, "next")
    expect(framed(page).locator("#level")).to_be_visible()
    expect(framed(page).locator("#board")).to_be_hidden()
    call(page, "update", json.dumps({"f0": MARKUP, "board": "on"}))
    expect(framed(page).locator("#lower-third")).to_contain_text(MARKUP)
    expect(framed(page).locator("#board")).to_be_visible()
    call(page, "stop")
    expect(framed(page).locator("#level")).to_be_hidden()
    expect(page.locator("iframe")).to_have_css("opacity", "0")
    assert framed(page).locator("img[src=x]").count() == 0


def test_the_template_reads_nothing_but_the_page_that_it_frames(page: Page, server: Running) -> None:
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.frame.url, request.url.removeprefix(server.url))))
    page.goto(f"{server.url}/template/feltwire.html?feed=01&play=now")
    expect(framed(page).locator("#board")).to_be_visible()
    of_template = {path for frame, path in asked if not frame.startswith(f"{server.url}/air/")}
    assert {path.partition("?")[0] for path in of_template} <= {
        "/template/feltwire.html",
        "/air/01",
        "/favicon.ico",
    }
    public = ("/air/01", "/static/", "/events?channel=overlay%2F01")
    assert all(path.startswith(public) for frame, path in asked if frame.startswith(f"{server.url}/air/"))


def test_a_page_that_is_not_its_parent_calls_nothing(page: Page, server: Running) -> None:
    page.goto(f"{server.url}/air/01")
    expect(page.locator("#board")).to_be_visible()
    page.evaluate("window.postMessage({ feltwire: 'stop' }, '*')")
    page.evaluate("new Promise(resolve => setTimeout(resolve))")
    expect(page.locator("html")).to_have_attribute("data-on-air", "yes")


def test_a_template_on_a_disk_is_framed_by_nobody_who_is_not_named(
    page: Page, server: Running, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Without `feed_origins` the relay's page refuses a frame of another origin, and the template stays empty."""
    file = tmp_path_factory.mktemp("disk") / "feltwire.html"
    file.write_text(template_page(server.url)[0], "utf-8")
    page.goto(file.as_uri())
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        call(page, "update", json.dumps({"f3": f"{server.url}/air/01"}))
    call(page, "play")
    expect(page.locator("iframe")).to_have_css("opacity", "1")
    assert framed(page).locator("#board").count() == 0


def test_a_template_on_a_disk_shows_a_relay_whose_settings_name_files(
    page: Page, run_app: Run, hub: Hub, tmp_path_factory: pytest.TempPathFactory
) -> None:
    app = create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"], feed_origins=("file:",))
    server = run_app(app)
    file = tmp_path_factory.mktemp("disk") / "feltwire.html"
    file.write_text(template_page(server.url)[0], "utf-8")
    page.goto(file.as_uri())
    call(page, "update", json.dumps({"f0": "Ana", "f3": f"{server.url}/air/01"}))
    call(page, "play")
    expect(framed(page).locator("#board")).to_be_visible()
    expect(framed(page).locator("#lower-third")).to_contain_text("Ana")
