"""A ruling on the dealer screen, in a real browser: raised in two presses and a seat, ruled in one."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from display.push import Hub
from table_core.messages import (
    DeviceState,
    Key,
    OpenRuling,
    OptionView,
    QuestionView,
    RaisableView,
    RulingChoices,
    RulingView,
    Seat,
    encode,
)
from table_core.rulings.all_incidents import INCIDENTS
from tests.display import fixtures
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
        OptionView(2, "call", "Seat 3: a call only", "wfp.procedures.19", effect="seat 3: 600 → 100"),
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
    expect(dialog).to_contain_text("Stop: String bet, seat 3. The hand goes on.")
    expect(dialog.locator("[data-no='2']")).to_contain_text("seat 3: 600 → 100")
    expect(dialog).to_contain_text("wfp.procedures.19")
    expect(dialog).to_contain_text("warning")
    page.locator("#reason").select_option("camera checked")
    with page.expect_response("**/touch"):
        page.get_by_role("button", name="a call only").click()
    expect(dialog).to_be_visible()  # until the table has ruled
    hub.publish("ruling/01", encode(OpenRuling(3, 2001, None)))
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


def likely(*, seat: int | None = 3) -> RulingChoices:
    about = None if seat is None else Seat(seat)
    one = RaisableView(43, "string_bet", "String bet", about, needs_seat=True, effect="seat 3: 600 → 100")
    return RulingChoices(about, (one,))


def test_an_incident_that_is_likely_is_raised_in_two_presses_beside_the_seats(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    actions.choices = likely()
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    page.locator("#rule").click()
    expect(page.get_by_role("button", name="43 String bet, seat 3")).to_contain_text("seat 3: 600 → 100")
    expect(page.locator(".pad")).to_be_hidden()
    assert page.locator("#seats .seat").first.is_visible()
    with page.expect_response("**/touch"):
        page.get_by_role("button", name="43 String bet, seat 3").click()
    assert actions.calls[-1] == ("01", Key.FLOOR, 3, 43, None)
    expect(page.locator(".pad")).to_be_visible()


def test_the_seat_may_be_touched_behind_the_incident_and_is_forgotten_with_it(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    actions.choices = likely(seat=None)
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    page.locator("#rule").click()
    page.get_by_role("button", name="43 String bet").click()
    expect(page.locator("#incidents-about")).to_have_text("String bet: touch the seat.")
    with page.expect_response("**/touch"):
        page.locator("#seats .seat[data-seat='4']").click()
    assert actions.calls[-1] == ("01", Key.FLOOR, 4, 43, None)
    expect(page.locator("#entry")).to_have_text("Type an amount, or touch a seat")


def test_every_incident_is_there_and_words_and_a_number_find_one_by_the_keyboard(
    context: BrowserContext, room: Running, actions: Recorded
) -> None:
    actions.choices = likely()
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    page.locator("#rule").click()
    page.locator("#incidents-all").click()
    assert page.locator("#every button").count() == len(INCIDENTS)
    page.locator("#incidents-close").click()
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.type("string bet")
    with page.expect_response("**/touch"):
        page.keyboard.press("Enter")
    assert actions.calls[-1] == ("01", Key.FLOOR, 3, 43, None)


def test_enter_with_a_number_gives_that_answer(
    context: BrowserContext, room: Running, hub: Hub, actions: Recorded
) -> None:
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    view = fixtures.asking()
    asked = msgspec.structs.replace(view, question=QuestionView(7, "ruling", "A ruling is being made", Key.STREET))
    hub.publish("table/01", encode(asked), event_id="7")
    hub.publish("ruling/01", encode(OpenRuling(3, 2000, STRING_BET)))
    expect(page.locator("#ruling")).to_be_visible()
    with page.expect_response("**/touch"):
        page.keyboard.press("2")
        page.keyboard.press("Enter")
    assert actions.calls[-1] == ("01", Key.STREET, None, 2, 7)


def test_what_must_be_said_first_is_asked_in_one_line_and_a_directors_ruling_has_no_choice(
    context: BrowserContext, room: Running, hub: Hub, actions: Recorded
) -> None:
    asked = "Which card of seat 3 was it? 1 or 2, COUNT"
    options = tuple(msgspec.structs.replace(option, asks=asked) for option in STRING_BET.options)
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    hub.publish("ruling/01", encode(OpenRuling(3, 2002, msgspec.structs.replace(STRING_BET, options=options))))
    expect(page.locator("#asks")).to_contain_text("Which card of seat 3 was it?")
    with page.expect_response("**/touch"):
        page.get_by_role("button", name="2", exact=True).first.click()
    assert actions.calls[-1] == ("01", Key.COUNT, None, 2, None)
    much = tuple(msgspec.structs.replace(one, asks="How much came first? Amount, COUNT") for one in options)
    hub.publish("ruling/01", encode(OpenRuling(3, 2002, msgspec.structs.replace(STRING_BET, options=much))))
    expect(page.locator("#ruling-amount")).to_be_visible()
    directors = msgspec.structs.replace(STRING_BET, question=8, options=options, by="director")
    hub.publish("ruling/01", encode(OpenRuling(3, 2003, directors)))
    expect(page.locator("#ruling-words")).to_contain_text("The director makes this ruling")
    expect(page.locator("#asks")).to_be_hidden()
    expect(page.locator("#ruling-amount")).to_be_hidden()
    expect(page.locator("#reason")).to_be_hidden()


def test_the_desk_is_asked_in_two_presses_and_a_seat_and_not_where_no_station_hears_it(
    context: BrowserContext, room: Running, hub: Hub, actions: Recorded
) -> None:
    page = context.new_page()
    page.goto(f"{room.url}/table/01")
    wish = page.get_by_role("button", name="Ask: rebuy")
    for no, state in ((1, DeviceState.OK), (2, DeviceState.NOT_RESPONDING)):
        view = msgspec.structs.replace(fixtures.between_hands("01"), hand=700 + no, devices={"bus": state})
        hub.publish("table/01", encode(view), event_id=str(9_000 + no))
        expect(page.locator("#hand")).to_contain_text(f"Hand {700 + no}")
        if state is not DeviceState.OK:
            page.locator("#open-more").click()
            expect(wish).to_be_hidden()
            break
        page.locator("#seats .seat[data-seat='3']").click()
        page.locator("#open-more").click()
        with page.expect_response("**/touch"):
            wish.click()
        assert actions.calls[-1] == ("01", Key.FLOOR, 3, 91, None)
