"""A ruling on the dealer screen, in a real browser: raised in two presses and a seat, ruled in one."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from display.push import Hub
from table_core.messages import Key, OpenRuling, OptionView, RulingView, Seat, encode
from tests.display.conftest import Recorded, Running
from tests.display.test_browser import app_of, context_of, hub, pytestmark, room

__all__ = ["app_of", "hub", "pytestmark", "room"]

STRING_BET = RulingView(
    7,
    "string_bet",
    "String bet",
    Seat(3),
    (
        OptionView(1, "first_motion", "Seat 3: the first motion stands, 200", "wfp.procedures.19"),
        OptionView(2, "call", "Seat 3: a call only", "wfp.procedures.19"),
    ),
    "in this hand",
    ("Seat 3: warning (wfp.decisions.8)",),
)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser) as context:
        yield context


def test_a_ruling_shows_its_ways_with_their_rules_and_one_press_chooses(
    context: BrowserContext, room: Running, hub: Hub, actions: Recorded
) -> None:
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    hub.publish("ruling/01", encode(OpenRuling(3, 2000, STRING_BET)))
    dialog = page.locator("#ruling")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("String bet: seat 3")
    expect(dialog).to_contain_text("wfp.procedures.19")
    expect(dialog).to_contain_text("warning")
    page.locator("#reason").select_option("camera checked")
    with page.expect_response("**/touch"):
        page.get_by_role("button", name="a call only").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#banner.failed")).to_have_count(0)
    assert actions.calls[-1] == ("01", Key.STREET, None, 2, 7)


def test_what_was_seen_stands_beside_the_ways_and_on_a_small_screen_every_digit_stays_in_reach(
    browser: Browser, room: Running, hub: Hub
) -> None:
    said = "Camera: the chips came in 2 motions"
    with context_of(browser, 800, 480) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        ruling = msgspec.structs.replace(STRING_BET, seen=(said,))
        hub.publish("ruling/01", encode(OpenRuling(3, 2000, ruling)))
        expect(page.locator("#seen")).to_have_text(said)
        dialog = page.locator("#ruling").bounding_box()
        digit = page.get_by_role("button", name="7", exact=True).bounding_box()
        assert dialog is not None
        assert digit is not None
        assert dialog["x"] + dialog["width"] <= digit["x"]
        assert dialog["y"] + dialog["height"] <= 480
        hub.publish("ruling/01", encode(OpenRuling(3, 2001, STRING_BET)))
        expect(page.locator("#seen")).to_be_hidden()


def test_an_incident_is_raised_in_two_presses_and_a_seat(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    page.locator("#seats .seat[data-seat='3']").click()
    page.locator("#rule").click()
    with page.expect_response("**/touch"):
        page.locator("[data-incident='43']").click()
    assert actions.calls[-1] == ("01", Key.FLOOR, 3, 43, None)


def test_what_must_be_said_first_is_asked_in_one_line_and_a_directors_ruling_has_no_choice(
    context: BrowserContext, room: Running, hub: Hub
) -> None:
    asked = "Which card of seat 3 was it? 1 or 2, COUNT"
    options = tuple(msgspec.structs.replace(option, asks=asked) for option in STRING_BET.options)
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    hub.publish("ruling/01", encode(OpenRuling(3, 2002, msgspec.structs.replace(STRING_BET, options=options))))
    expect(page.locator("#asks")).to_have_text(asked)
    expect(page.locator("#ruling-amount")).to_be_visible()
    directors = msgspec.structs.replace(STRING_BET, question=8, options=options, by="director")
    hub.publish("ruling/01", encode(OpenRuling(3, 2003, directors)))
    expect(page.locator("#ruling-words")).to_contain_text("The director makes this ruling")
    expect(page.locator("#asks")).to_be_hidden()
    expect(page.locator("#ruling-amount")).to_be_hidden()
    expect(page.locator("#reason")).to_be_hidden()
