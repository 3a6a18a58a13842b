"""Every key that people need (real-tables.md, 6) on the dealer screen: in at most two presses and a seat, at three
sizes, and large enough for a thumb."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from display.push import Hub
from table_core.messages import Key, encode
from tests.display.conftest import Recorded, Running
from tests.display.dealing_states import STATES
from tests.display.test_browser import SIZES, app_of, context_of, hub, pytestmark, room

__all__ = ["app_of", "hub", "pytestmark", "room"]

THUMB_PX = 44

# What people call it, the presses that say it (a seat and digits beside), and the touch that follows.
NEEDED: dict[str, tuple[list[str], tuple[Any, ...]]] = {
    "new hand": (["New hand"], (Key.NEW_HAND, None, None)),
    "undo": (["Undo"], (Key.UNDO, None, None)),
    "floor": (["Floor"], (Key.FLOOR, None, None)),
    "a ruling by its number": (["Seat 4", "7", "4", "Floor"], (Key.FLOOR, 4, 74)),
    "time": (["Time"], (Key.TIME, None, None)),
    "tabled": (["Seat 4", "Tabled"], (Key.TABLED, 4, None)),
    "muck": (["Seat 4", "Muck"], (Key.MUCK, 4, None)),
    "award to seat": (["Seat 4", "Award"], (Key.AWARD, 4, None)),
    "split": (["Seat 4", "Split"], (Key.SPLIT, 4, None)),
    "button here": (["Seat 4", "More", "Button here"], (Key.BUTTON_HERE, 4, None)),
    "away, back": (["Seat 4", "More", "Away / back"], (Key.AWAY, 4, None)),
    "count": (["Seat 4", "1", "2", "000", "More", "Count"], (Key.COUNT, 4, 12_000)),
    "out of the hand": (["Seat 4", "More", "Out of the hand"], (Key.OUT_OF_HAND, 4, None)),
    "still the old level": (["More", "Still the old level"], (Key.OLD_LEVEL, None, None)),
    "action on a seat": (["Seat 4", "Action on 4"], (Key.STREET, 4, None)),
    "street": (["Street"], (Key.STREET, None, None)),
    "pot pushed": (["Pot pushed"], (Key.POT_PUSHED, None, None)),
    "fold": (["Fold"], (Key.FOLD, None, None)),
    "check, call": (["Check / Call"], (Key.CHECK_CALL, None, None)),
    "bet, raise": (["1", "2", "00", "Bet / Raise"], (Key.BET_RAISE, None, 1200)),
    "all-in": (["All-in"], (Key.ALL_IN, None, None)),
}


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    width, height = request.param
    with context_of(browser, width, height) as context:
        yield context


def opened(context: BrowserContext, room: Running) -> Page:
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    expect(page.locator(".seat")).to_have_count(9)
    return page


def press(page: Page, name: str) -> None:
    """On a phone a key of another state of the hand lies behind *More*."""
    if not page.get_by_role("button", name=name, exact=not name.startswith("Seat")).count():
        press(page, "More")
    key = page.get_by_role("button", name=name, exact=not name.startswith("Seat")).first
    key.scroll_into_view_if_needed()
    box = key.bounding_box()
    assert box is not None, f"{name} is not on the screen"
    assert name.startswith("Seat") or min(box["width"], box["height"]) >= THUMB_PX - 1, f"{name} is {box}"
    key.click()


def test_redo_stands_where_clear_was_behind_an_undo(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    page = opened(context, room)
    with page.expect_response("**/touch"):
        press(page, "Undo")
    with page.expect_response("**/touch"):
        press(page, "Redo")
    assert actions.calls[-1] == ("01", Key.UNDO, None, 0, None)
    press(page, "3")
    press(page, "Clear")  # with a number it clears
    expect(page.locator("#entry")).to_have_class("entry none")
    with page.expect_response("**/touch"):
        press(page, "Fold")
    expect(page.get_by_role("button", name="Redo", exact=True)).to_have_count(0)


def test_a_keyboard_beside_the_screen_presses_the_keys(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    page = opened(context, room)
    for keys, touch in (
        ("1200r", (Key.BET_RAISE, None, 1200)),
        ("f", (Key.FOLD, None, None)),
        ("C", (Key.CHECK_CALL, None, None)),
        ("7s", (Key.STREET, None, 7)),
        ("4w", (Key.AWARD, 4, None)),
        ("u", (Key.UNDO, None, None)),
        ("y", (Key.UNDO, None, 0)),
        ("n", (Key.NEW_HAND, None, None)),
    ):
        with page.expect_response("**/touch"):
            for key in keys:
                page.keyboard.press(key)
        assert actions.calls[-1] == ("01", *touch, None), keys
    page.keyboard.press("5")
    page.keyboard.press("Escape")
    expect(page.locator("#entry")).to_have_class("entry none")
    page.keyboard.press("Control+f")  # the browser's own
    page.get_by_role("button", name="Ruling", exact=True).click()
    pressed = len(actions.calls)
    page.keyboard.press("f")  # a dialog is open: nobody folds behind it
    page.get_by_role("button", name="Close", exact=True).click()
    with page.expect_response("**/touch"):
        page.keyboard.press("c")
    assert actions.calls[pressed:] == [("01", Key.CHECK_CALL, None, None, None)]


def test_a_key_can_be_pressed_from_when_its_press_is_heard(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    page, scripts = context.new_page(), list[Route]()
    page.route("**/static/dealer/dealer.js", lambda route: scripts.append(route))
    with page.expect_request("**/static/dealer/dealer.js"):
        page.goto(f"{room.url}/table/01", wait_until="commit")
    key = page.locator(".pad").get_by_text("Undo", exact=True)
    key.wait_for()
    assert key.evaluate("node => Boolean(node.closest('[inert]'))")
    scripts[0].continue_()
    key.click()  # waits until it can be pressed, as a finger that sees the keys dimmed
    expect(key).to_have_class(re.compile("sent"))
    assert actions.calls == [("01", Key.UNDO, None, None, None)]


def test_who_wins_is_answered_by_a_button_for_each_seat_that_can(
    context: BrowserContext, room: Running, hub: Hub, actions: Recorded
) -> None:
    page = opened(context, room)
    hub.publish("table/01", encode(STATES["tabled"]), event_id="8000")
    expect(page.get_by_role("group", name="Who wins").get_by_role("button")).to_have_text(["Seat 3", "Seat 6"])
    expect(page.locator("#answer")).to_be_hidden()  # it would need a seat
    with page.expect_response("**/touch"):
        press(page, "Seat 6")
    assert actions.calls[-1] == ("01", Key.AWARD, 6, None, 9)
    with page.expect_response("**/touch"):
        page.keyboard.press("3")
        page.keyboard.press("Enter")
    assert actions.calls[-1] == ("01", Key.AWARD, 3, None, None)


def test_the_big_blind_with_an_option_raises(context: BrowserContext, room: Running, hub: Hub) -> None:
    page, view = opened(context, room), STATES["raises"]
    assert view.legal is not None
    option = msgspec.structs.replace(view, legal=msgspec.structs.replace(view.legal, call=0))
    hub.publish("table/01", encode(option), event_id="8000")
    expect(page.locator("#raise")).to_contain_text("Minimum raise to")
    nobody_bet = tuple([msgspec.structs.replace(seat, bet=0) for seat in view.seats])
    hub.publish("table/01", encode(msgspec.structs.replace(option, seats=nobody_bet)), event_id="8001")
    expect(page.locator("#raise")).to_contain_text("Minimum bet")


def test_at_the_showdown_a_split_needs_no_other_page_of_keys(
    context: BrowserContext, room: Running, hub: Hub, actions: Recorded
) -> None:
    page = opened(context, room)
    hub.publish("table/01", encode(STATES["shows-first"]), event_id="8000")
    expect(page.locator("main.dealer")).to_have_attribute("data-keys", "showdown")
    with page.expect_response("**/touch"):
        for name in ("Seat 3", "Split"):
            press(page, name)
    assert actions.calls[-1] == ("01", Key.SPLIT, 3, None, None)


def test_a_number_that_no_key_takes_is_gone(context: BrowserContext, room: Running, actions: Recorded) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(f"{room.url}/table/01")
    expect(page.locator(".seat")).to_have_count(9)
    press(page, "Seat 4")
    press(page, "3")
    press(page, "00")
    page.clock.run_for(4_900)
    expect(page.locator("#entry")).to_have_text("Seat 4, 300")
    page.clock.run_for(200)
    expect(page.locator("#entry")).to_have_class("entry none")
    press(page, "3")
    press(page, "00")
    with page.expect_response("**/touch"):
        press(page, "Fold")
    assert actions.calls[-1] == ("01", Key.FOLD, None, 300, None)  # the table says that 300 is no seat


@pytest.mark.slow("a browser presses every key that a dealer needs, one after the other")
def test_every_needed_key_is_at_most_two_presses_and_a_seat_away(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    page = opened(context, room)
    for what, (presses, touch) in NEEDED.items():
        keys = [name for name in presses if not name.isdecimal() and not name.startswith("Seat")]
        assert len(keys) <= 2, what
        with page.expect_response("**/touch"):
            for name in presses:
                press(page, name)
        assert actions.calls[-1] == ("01", *touch, None), what
        expect(page.locator("#more")).to_be_hidden()


def test_every_key_of_the_keypad_is_on_the_screen() -> None:
    """Digits, CLEAR and SEAT are typed or touched, a CARD is picked; everything else is in the table above."""
    typed = {Key(code) for code in range(12)} | {Key.CLEAR, Key.SEAT, Key.CARD} | {key for key in Key if key.seat}
    assert {touch[0] for _, touch in NEEDED.values()} == set(Key) - typed


def test_a_key_that_lacks_its_seat_or_amount_waits_for_it(context: BrowserContext, room: Running) -> None:
    page = opened(context, room)
    press(page, "More")
    expect(page.get_by_role("button", name="Count", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Out of the hand", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Still the old level")).to_be_enabled()
    page.locator("#more-close").click()
    press(page, "Seat 4")
    press(page, "More")
    expect(page.get_by_role("button", name="Count", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Out of the hand", exact=True)).to_be_enabled()
    expect(page.locator("#more-about")).to_have_text("Seat 4, 27,400, counted 118 hands ago")


def test_a_ruling_on_what_only_a_human_saw_is_two_presses_and_a_seat(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    page = opened(context, room)
    press(page, "Seat 3")
    press(page, "Ruling")
    press(page, "All")
    with page.expect_response("**/touch"):
        page.locator("[data-incident='43']").click()
    assert actions.calls[-1] == ("01", Key.FLOOR, 3, 43, None)
