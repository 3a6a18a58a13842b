"""The producer's desk in a real browser: keys, take, lower thirds, the delay, two producers, and the cut."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.display.broadcast.desk import Desk, a_desk
from tests.display.test_accessible import violations
from tests.display.test_browser import context_of

pytestmark = pytest.mark.browser
SIZES = ((1920, 1080), (1280, 720), (820, 1180))


@pytest.fixture
def desk() -> Iterator[Desk]:
    with a_desk() as running:
        yield running


@pytest.fixture
def page(desk: Desk, browser: Browser) -> Iterator[Page]:
    with context_of(browser, 1920, 1080) as context:
        yield desk.producer(context)


@pytest.fixture
def air(desk: Desk, browser: Browser) -> Iterator[Page]:
    """A streaming program's page, in another browser."""
    with context_of(browser, 1920, 1080) as context:
        page = context.new_page()
        page.goto(f"{desk.url}/air/feature")
        expect(page.locator("#air")).to_be_visible()
        yield page


def test_a_key_switches_an_element_on_air_and_with_shift_what_is_next(desk: Desk, page: Page) -> None:
    board = page.locator('[data-element="board"]')
    expect(board).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("2")
    expect(board).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Shift+Digit2")
    expect(board).to_have_class(re.compile("differs"))
    assert desk.relay.programme.on_air.elements == {"board": False}
    page.keyboard.press("t")
    expect(board).to_have_attribute("aria-pressed", "true")


def test_a_key_in_a_field_is_a_letter(desk: Desk, page: Page) -> None:
    page.get_by_label("Title").fill("")
    page.keyboard.type("x 2 t")
    expect(page.get_by_label("Title")).to_have_value("x 2 t")
    expect(page.locator("#held")).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#held")).to_be_visible()
    assert not desk.relay.programme.on_air.elements


def test_what_is_next_goes_on_air_with_a_take(desk: Desk, page: Page, air: Page) -> None:
    page.locator("#feature").select_option("02")
    expect(page.locator("#staged-words")).to_have_text("table 02")
    assert desk.relay.programme.on_air.feature == "01"
    page.keyboard.press("t")
    expect(page.locator("#air-words")).to_have_text("table 02")
    expect(page.locator("#take")).to_be_disabled()


def test_a_cut_leaves_nothing_on_air_over_reloads_and_a_new_life_of_the_relay(
    desk: Desk, page: Page, air: Page
) -> None:
    page.keyboard.press("x")
    expect(air.locator("#air")).to_be_hidden()
    air.reload()
    page.reload()
    expect(page.locator("#held")).to_contain_text("by Ann (producer)")
    desk.shows()
    desk.restart()
    expect(page.locator("#link")).to_be_hidden()
    expect(page.locator("#held")).to_be_visible()
    expect(air.locator("#air")).to_be_hidden()
    page.locator("#release").click()
    expect(air.locator("#air")).to_be_visible()
    expect(page.locator("#held")).to_be_hidden()


def test_a_second_click_on_the_cut_meets_no_other_button(desk: Desk, page: Page) -> None:
    before = page.locator("#cut").bounding_box()
    page.locator("#cut").click()
    expect(page.locator("#held")).to_be_visible()
    assert page.locator("#cut").bounding_box() == before


def test_the_cut_is_one_press_however_far_down_the_page_is(desk: Desk, page: Page) -> None:
    page.set_viewport_size({"width": 820, "height": 1180})
    page.locator("#record").scroll_into_view_if_needed()
    page.locator("#cut-here").click()
    expect(page.locator("#held")).to_be_visible()


def test_a_players_name_is_a_lower_third_and_is_kept_for_later(desk: Desk, page: Page) -> None:
    page.get_by_role("button", name="Alexandra").click()
    page.keyboard.press("Enter")
    third = page.locator("#third-off")
    expect(third).to_be_enabled()
    shown = desk.relay.programme.on_air.lower_third
    assert shown is not None
    assert (shown.title, shown.line, shown.for_s) == ("Alexandra", "112,350 chips", 8)
    page.get_by_role("button", name="Keep for later").click()
    expect(page.locator("#prepared")).to_contain_text("Alexandra")
    page.keyboard.press("l")
    expect(third).to_be_disabled()
    page.locator("#prepared").get_by_role("button", name="On air").click()
    expect(third).to_be_enabled()


def test_a_lower_third_and_a_ticker_are_seen_on_the_page_on_air(desk: Desk, page: Page, air: Page) -> None:
    page.get_by_role("button", name="Alexandra").click()
    page.keyboard.press("Enter")
    expect(air.locator("#lower-third")).to_be_visible()
    expect(air.locator("#lower-third")).to_contain_text("112,350 chips")
    page.get_by_label("Lines").fill("Dinner until nine")
    page.keyboard.press("Control+Enter")
    expect(air.locator("#ticker")).to_contain_text("Dinner until nine")
    page.keyboard.press("l")
    expect(air.locator("#lower-third")).to_be_hidden()
    page.keyboard.press("x")
    expect(air.locator("#ticker")).to_be_hidden()


def test_next_shows_what_is_staged(desk: Desk, page: Page) -> None:
    left, right = page.frame_locator("#staged"), page.frame_locator("#air")
    expect(left.locator('[data-layout="nine"]').first).to_be_attached()
    page.locator("#layout").select_option("heads-up")
    expect(left.locator('[data-layout="heads-up"]').first).to_be_attached()
    expect(right.locator('[data-layout="nine"]').first).to_be_attached()
    page.keyboard.press("t")
    expect(right.locator('[data-layout="heads-up"]').first).to_be_attached()


def test_the_ticker_has_its_lines_and_leaves_with_a_key(desk: Desk, page: Page) -> None:
    page.get_by_label("Lines").fill("Dinner until nine\n\nSeventeen left")
    page.locator("#ticker").get_by_role("button", name="On air").click()
    expect(page.locator("#ticker-off")).to_be_enabled()
    assert desk.relay.programme.on_air.ticker == ("Dinner until nine", "Seventeen left")
    page.keyboard.press("k")
    expect(page.locator("#ticker-off")).to_be_disabled()


def test_the_gauge_says_in_words_whether_the_delay_is_long_enough(page: Page) -> None:
    gauge = page.locator(".gauge")
    expect(gauge.locator("#verdict")).to_have_text("Little to spare")
    expect(gauge).to_contain_text("30:00, set in the relay's file")
    expect(gauge).to_contain_text("9:40, table 01, hand 17")
    expect(page.locator("#tables")).to_contain_text("Hand 17: waits for the card delay, 11:5")
    expect(page.locator("#tables")).to_contain_text("Nothing was heard of it for 16 minutes")


def test_a_change_of_the_delay_says_what_viewers_see_and_goes_to_no_less_than_the_floor(
    desk: Desk, page: Page
) -> None:
    page.get_by_role("button", name="Propose 42:00").click()
    expect(page.locator("#consequence")).to_contain_text("the last 2:00 once more")
    page.get_by_role("button", name="Change").click()
    expect(page.locator("#said")).to_have_text("Air delay: 2400 s → 2520 s.")
    assert desk.relay.delays == ["2520"]
    page.get_by_label("Air delay").fill("20:00")
    expect(page.locator("#consequence")).to_contain_text("jumps 20:00 ahead")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Not below the floor of 1800 s")
    assert desk.relay.delays == ["2520"]


def test_two_producers_see_each_others_presses_and_the_last_one_holds(
    desk: Desk, page: Page, browser: Browser
) -> None:
    with context_of(browser, 1280, 720) as context:
        other = desk.producer(context, "Bo")
        page.keyboard.press("1")
        expect(other.locator('[data-element="seats"]')).to_have_attribute("aria-pressed", "false")
        other.keyboard.press("1")
        expect(page.locator('[data-element="seats"]')).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#lines li").first).to_contain_text("Bo (producer) on air: seats on")
        expect(other.locator("#lines li").nth(1)).to_contain_text("Ann (producer) on air: seats off")


def test_addresses_are_copied_with_what_was_chosen(desk: Desk, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    form = page.locator("#addresses")
    form.get_by_label("Layout").select_option("heads-up")
    form.get_by_label("Ground").select_option("00ff00")
    page.get_by_role("button", name="Copy the address of board").click()
    expect(page.locator("#said")).to_have_text(f"Copied: {desk.url}/air/feature/board?layout=heads-up&bg=00ff00")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/board?layout=heads-up&bg=00ff00")


def test_the_panes_are_in_one_window_of_a_browser(desk: Desk, page: Page) -> None:
    """Each is a page with a stream of its own, and the seventh would keep a press of the cut waiting."""
    expect(page.locator("#air")).to_have_attribute("src", "/air/feature")
    second = page.context.new_page()
    second.goto(f"{desk.url}/broadcast")
    expect(second.locator("#air")).to_have_attribute("src", "/air/feature")
    expect(page.locator("#air")).not_to_have_attribute("src", "/air/feature")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_it_fits_every_screen_and_the_cut_is_in_sight(desk: Desk, page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for state in ("", "x"):
        if state:
            page.keyboard.press(state)
            expect(page.locator("#held")).to_be_visible()
            expect(page.locator("#release")).to_be_in_viewport()
        expect(page.locator("#cut")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        wide = "node => node.scrollWidth > node.clientWidth + 1"
        for box in page.locator(".box, .mix, .bar").all():
            assert not box.evaluate(wide), box.inner_text()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_axe_finds_nothing(desk: Desk, page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert not violations(page)
    page.keyboard.press("x")
    expect(page.locator("#held")).to_be_visible()
    assert not violations(page)


def test_whoever_is_not_signed_in_reads_no_desk(desk: Desk, browser: Browser) -> None:
    with context_of(browser) as context:
        page = context.new_page()
        page.goto(f"{desk.url}/broadcast")
        expect(page.locator("main")).to_contain_text("Only the producer and the tournament director")
        page.goto(desk.url)
        expect(page).to_have_url(f"{desk.url}/air/01")
