"""The director says how a hand stands (*resume from here*), in a real browser: filled in with what the page knows,
sent as it was said, refused beside the field that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from display.actions import ActionRefused
from display.identity.signin import SignIn
from display.presses import TimedPress
from display.push import Hub
from table_core.messages import Chips, ResumedSeat, ResumeHand, Seat, Street, encode
from tests.display import fixtures
from tests.display.conftest import Recorded, Running
from tests.display.test_browser import SIZES, app_of, context_of, hub, pytestmark

__all__ = ["hub", "pytestmark"]

VIEW = fixtures.table_view()
SHORT = "The board has 4 cards on the turn, not 3."


class Ruled(Recorded):
    """A station that refuses what stands in `faults`, one press after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[ActionRefused] = []

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        said = await super().director(command, arguments, press)
        if self.faults:
            raise self.faults.pop(0)
        return said


@pytest.fixture
def actions() -> Ruled:
    return Ruled()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser, 1280, 800) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext, run_app: Callable[..., Running], hub: Hub, actions: Ruled) -> Page:
    """The director's."""
    signin = SignIn()
    page = context.new_page()
    url = run_app(app_of(hub, actions, signin)).url
    page.goto(url + signin.new_link())
    page.goto(f"{url}/station/table/01")
    return page


def opened(page: Page) -> Locator:
    page.get_by_role("button", name="Set hand", exact=True).click()
    form = page.get_by_role("dialog", name="Table 01: how does the hand stand?")
    expect(form).to_be_visible()
    return form


def say_so(page: Page) -> None:
    page.get_by_role("button", name="Set the hand", exact=True).click()
    expect(page.locator("#confirm-no")).to_be_focused()
    page.locator("#confirm-yes").click()


def test_the_form_begins_with_the_hand_as_the_page_knows_it_and_sends_it_as_it_was_said(
    page: Page, actions: Ruled
) -> None:
    form = opened(page)
    expect(form.locator("#resume-heading")).to_be_focused()
    expect(form.get_by_label("Board")).to_have_value("Ah Td 7c 2s")
    expect(form.get_by_label("Whose turn")).to_have_value("6")
    expect(form.locator("#resume-sum")).to_have_text("360,800 chips at the table, as the table had.")
    form.get_by_label("Stack of seat 3").fill("60,900")
    expect(form.locator("#resume-sum")).to_have_text("357,800 chips at the table: 3,000 fewer than the table had.")
    form.get_by_label("Bet of seat 3").fill("7000")
    form.get_by_label("Seat 6", exact=True).select_option("folded")
    form.get_by_label("Whose turn").select_option("3")
    form.get_by_label("Board").fill("ah10d 7C, ?")
    say_so(page)
    expect(form).to_be_hidden()
    ((command, sent),) = actions.calls
    assert (command, sent["table"], sent["if_epoch"], sent["if_seq"]) == ("set_hand", "01", 3, 1234)
    hand = msgspec.convert(sent["hand"], ResumeHand)
    assert (hand.hand, hand.street, hand.board) == (118, Street.TURN, ("Ah", "Td", "7c", "??"))
    assert (hand.button, hand.small_blind, hand.big_blind) == (2, 3, 4)
    assert (hand.level, hand.to_act, hand.last_raise) == (VIEW.level, 3, None)
    assert [seat.seat for seat in hand.seats if seat.live] == [3, 5]
    assert Seat(8) not in [seat.seat for seat in hand.seats], "away, and not dealt in"
    assert hand.seats[2] == ResumedSeat(Seat(3), Chips(60_900), Chips(7_000), True, "Priya")
    assert [(pot.amount, pot.seats) for pot in hand.pots] == [(9_500, (3, 5))]


def test_what_cannot_be_so_is_said_beside_its_field_with_its_rule_and_nothing_typed_is_lost(
    page: Page, actions: Ruled
) -> None:
    form = opened(page)
    form.get_by_label("Board").fill("Ah Td 7c")
    actions.faults = [ActionRefused(SHORT, rule="tda.36", about="board"), ActionRefused("The station is old")]
    say_so(page)
    expect(form.locator("[data-about=board] .fault")).to_have_text(f"{SHORT} · tda.36")
    expect(form.locator(".fault:not(:empty)")).to_have_count(1)
    expect(form.get_by_label("Board")).to_have_value("Ah Td 7c")
    say_so(page)
    expect(form.locator("#resume-fault")).to_have_text("The station is old")
    expect(form.locator(".fault:not(:empty)")).to_have_count(1)
    form.get_by_label("Board").fill("Ah Td 7c 2s")
    say_so(page)
    expect(form).to_be_hidden()
    assert len(actions.calls) == 3


def test_the_form_says_when_the_table_has_gone_on_and_fills_itself_in_again(page: Page, hub: Hub) -> None:
    form = opened(page)
    expect(form.locator("#resume-moved")).to_be_hidden()
    later = fixtures.table_view(as_of=1236, pot=Chips(46_300), last="Seat 6 calls 16,400", legal=None)
    hub.publish("table/01", encode(later))
    expect(form.locator("#resume-now")).to_have_text("The table has gone on meanwhile: Seat 6 calls 16,400")
    form.get_by_role("button", name="Fill in again").click()
    expect(form.locator("#resume-moved")).to_be_hidden()
    expect(form.get_by_label("Whose turn")).to_have_value("")


def test_the_form_fits_every_screen_and_its_last_button_can_be_reached(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        form = opened(page)
        box = form.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height
        assert form.evaluate("node => node.scrollWidth <= node.clientWidth")
        form.get_by_role("button", name="Add a side pot").click()
        expect(form.get_by_label("Side pot 1")).to_be_visible()
        form.get_by_role("button", name="Cancel").scroll_into_view_if_needed()
        expect(form.get_by_role("button", name="Set the hand")).to_be_in_viewport()
        form.get_by_role("button", name="Cancel").click()
        expect(form).to_be_hidden()
