"""On a table without a camera a card that lies face up is named by pressing it and picking it out of the deck."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from display.push import Hub
from table_core.messages import CardText, DeviceState, Key, TableView, encode
from table_core.tracker.keys.named_card import CARDS
from tests.display.conftest import Recorded, Running
from tests.display.dealing_states import STATES
from tests.display.test_browser import app_of, context_of, hub, pytestmark, room

__all__ = ["app_of", "hub", "pytestmark", "room"]

SIZES = [(1366, 768), (1024, 600), (800, 480), (390, 844)]


def put(hub: Hub, page: Page, no: int, view: TableView) -> None:
    hub.publish("table/01", encode(msgspec.structs.replace(view, as_of=no)), event_id=str(no))
    expect(page.locator("main")).to_have_attribute("data-as-of", str(no))


def number(place: int, card: str) -> int:
    return 100 * place + CARDS.index(CardText(card)) + 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_card_of_the_board_is_pressed_and_picked_and_the_next_one_is_asked_for(
    browser: Browser, room: Running, hub: Hub, actions: Recorded, size: tuple[int, int]
) -> None:
    with context_of(browser, *size) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        unread = STATES["unread"]
        put(hub, page, 9_001, unread)
        page.get_by_role("button", name="Name card 2 of the board").click()
        picker = page.get_by_role("dialog", name="Which card is it?")
        box = picker.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
        expect(picker.get_by_role("button", name="ace of hearts")).to_be_disabled()
        with page.expect_response("**/touch"):
            picker.get_by_role("button", name="queen of spades").click()
        put(hub, page, 9_002, msgspec.structs.replace(unread, board=("Ah", "Qs", "7c", "??", "??")))
        expect(picker).to_contain_text("Card 4 of the board")
        expect(picker.get_by_role("button", name="queen of spades")).to_be_disabled()
        put(hub, page, 9_003, msgspec.structs.replace(unread, board=("Ah", "Qs", "7c", "2d", "3d")))
        expect(picker).to_be_hidden()
        assert actions.calls == [("01", Key.CARD, None, number(2, "Qs"), None)]


def test_a_card_of_a_tabled_hand_is_named_and_a_hand_that_is_not_tabled_has_nothing_to_press(
    browser: Browser, room: Running, hub: Hub, actions: Recorded
) -> None:
    with context_of(browser) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        put(hub, page, 9_001, STATES["unread"])
        wanted = ["Name card 1 of seat 3", "Name card 2 of seat 3", "Name card 2 of seat 5"]
        assert [one.get_attribute("aria-label") for one in page.locator("#seats button.unread").all()] == wanted
        page.get_by_role("button", name="Name card 2 of seat 5").click()
        with page.expect_response("**/touch"):
            page.get_by_role("button", name="ten of clubs").click()
        assert actions.calls == [("01", Key.CARD, 5, number(2, "Tc"), None)]


def test_where_a_camera_reads_or_a_screen_only_shows_there_is_nothing_to_press(
    browser: Browser, room: Running, hub: Hub
) -> None:
    with context_of(browser) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        put(hub, page, 9_001, msgspec.structs.replace(STATES["unread"], devices={"camera": DeviceState.OK}))
        expect(page.locator("button.unread")).to_have_count(0)
        expect(page.get_by_role("img", name="card 2 of the board, not read")).to_be_visible()
        context.clear_cookies()
        page.goto(f"{room.url}/table/01")
        put(hub, page, 9_002, STATES["unread"])
        expect(page.locator("button.unread")).to_have_count(0)
