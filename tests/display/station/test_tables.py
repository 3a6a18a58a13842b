"""Rooms of every size, and the truth of what is shown: a table or a station that is not heard is grey."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import urljoin

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from display.push import Hub
from table_core.messages import encode
from tests.display import fixtures
from tests.display.station.conftest import Heart
from tests.display.station.feeding import cell, feed, room
from tests.display.test_browser import hub, pytestmark

__all__ = ["hub", "pytestmark"]

Open = Callable[[str], Page]
COLOURLESS = """node => { for (let one = node; one; one = one.parentElement) {
    if (getComputedStyle(one).filter.includes('grayscale(1)')) return true } return false }"""
COUNT_DRAWN = """() => { window.drawn = 0;
    const count = (changes) => { for (const one of changes) if (one.addedNodes.length) window.drawn += 1 };
    new MutationObserver(count).observe(document.querySelector('#tables'), { subtree: true, childList: true }) }"""


def tile_of(page: Page, table: str) -> Locator:
    return page.locator("#tables").get_by_role("link", name=f"Table {table}")


def test_a_room_of_one_table_is_that_tables_page(td: Open, hub: Hub) -> None:
    feed(hub, 2)
    page = td("/station")
    expect(page.locator("#tables li")).to_have_count(2)
    feed(hub, 1)  # the other one broke
    expect(page.get_by_role("heading", name="Table 01")).to_be_visible()
    expect(page.locator("#items .item")).to_have_count(7)
    expect(page.locator("#felt .seat")).to_have_count(9)


def test_a_tile_has_number_street_seats_whose_turn_it_is_and_whether_the_chips_agree(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station")
    tile = tile_of(page, "12")
    expect(tile).to_contain_text("Turn")
    expect(tile.locator("[data-seat=taken]")).to_have_count(len(cell(12)["seats"]))
    expect(tile.locator(".acting")).to_contain_text("Seat 2 to act, 0:")
    expect(tile).to_contain_text("chips agree")
    expect(tile_of(page, "04")).to_contain_text("chips do not agree")
    expect(tile_of(page, "02")).to_contain_text("Fay comes")


@pytest.mark.parametrize(("table", "words"), [("05", "Silent"), ("06", "Not heard")])
def test_a_table_that_is_not_heard_is_grey_and_says_for_how_long(
    td: Open, hub: Hub, table: str, words: str
) -> None:
    feed(hub, 24)
    page = td("/station")
    tile = tile_of(page, table)
    expect(tile).to_contain_text("Nothing heard for")
    expect(tile).to_contain_text(words)
    assert tile.locator(".dots").evaluate(COLOURLESS)
    assert not tile_of(page, "12").evaluate(COLOURLESS)


def test_a_table_page_that_is_not_heard_is_grey_lamps_included(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station/table/01")
    lamp = page.locator("#lamps .lamp").first
    expect(page.locator("#heard")).to_have_text("")
    expect(lamp).to_be_visible()
    assert not lamp.evaluate(COLOURLESS)
    cells = [cell(1, link="stale", heard_ms_ago=4_000), cell(2)]
    hub.publish("room", room(0, cells=cells))
    expect(page.locator("#heard")).to_contain_text("Nothing heard for 0:0")
    assert lamp.evaluate(COLOURLESS)


def test_a_station_that_is_not_heard_for_three_seconds_is_said_and_all_is_grey_until_it_is_heard(
    td: Open, hub: Hub, heart: Heart
) -> None:
    feed(hub, 24)
    page = td("/station")
    expect(page.locator(".item")).to_have_count(7)
    expect(page.locator("#link")).to_have_text("")
    heart.stop()
    expect(page.locator("#link")).to_contain_text("Nothing heard from the station")
    for shown in ("#tables .sign >> nth=0", "#strip", ".item >> nth=0"):
        assert page.locator(shown).evaluate(COLOURLESS), shown
    heart.start()
    expect(page.locator("#link")).to_have_text("")
    assert not page.locator("#strip").evaluate(COLOURLESS)


def test_one_screen_holds_two_hundred_tables_and_two_hold_five_hundred(td: Open, hub: Hub) -> None:
    feed(hub, 200)
    page = td("/station")
    page.set_viewport_size({"width": 1920, "height": 1080})
    cells = page.locator("#tables li")
    expect(cells).to_have_count(200)
    expect(cells.last).to_be_in_viewport(ratio=1)
    hub.publish("room", room(500))
    expect(cells).to_have_count(500)
    page.get_by_role("link", name="251 to 500").click()
    expect(cells).to_have_count(250)
    expect(cells.first).to_have_text("2517")
    expect(cells.last).to_be_in_viewport(ratio=1)


def test_the_list_beside_the_cells_is_sorted_by_trouble_shortness_or_age(td: Open, hub: Hub) -> None:
    feed(hub, 40)
    page = td("/station")
    page.set_viewport_size({"width": 1920, "height": 1080})
    rows = page.locator("#list li")
    expect(rows.first).to_have_text("Table 05Silent")
    expect(rows.nth(1)).to_have_text("Table 04Play stands")
    page.get_by_role("button", name="Age").click()
    expect(rows.first).to_have_text("Table 051:12")
    page.get_by_role("button", name="Shortness").click()
    expect(rows.first).to_have_text("Table 017 players")


def test_a_room_keeps_its_shape_under_an_open_dialog_and_near_the_limit(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station")
    shape = page.locator("#station")
    expect(page.locator("#tables li")).to_have_count(24)
    page.keyboard.press("?")
    hub.publish("room", room(25))
    expect(page.locator("#tables li")).to_have_count(25)
    expect(shape).to_have_attribute("data-size", "tiles")
    page.keyboard.press("Escape")
    expect(shape).to_have_attribute("data-size", "cells")
    hub.publish("room", room(24))
    expect(page.locator("#tables li")).to_have_count(24)
    expect(shape).to_have_attribute("data-size", "cells")
    hub.publish("room", room(22))
    expect(shape).to_have_attribute("data-size", "tiles")


def test_the_last_table_but_one_closes_under_a_dialog_and_the_page_stays(td: Open, hub: Hub) -> None:
    feed(hub, 2)
    page = td("/station")
    expect(page.locator("#tables li")).to_have_count(2)
    page.keyboard.press("?")
    hub.publish("room", room(1))
    expect(page.locator("#tables li")).to_have_count(1)
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Table 01")).to_be_visible()


def test_a_layout_that_was_chosen_stays(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station")
    page.get_by_role("button", name="Cells").click()
    expect(page.locator("#station")).to_have_attribute("data-size", "cells")
    page.reload()
    expect(page.locator("#station")).to_have_attribute("data-size", "cells")
    page.get_by_role("button", name="By size").click()
    expect(page.locator("#station")).to_have_attribute("data-size", "tiles")


def test_on_the_floor_plan_tables_stand_where_they_are_in_the_room(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station")
    page.get_by_role("button", name="Floor plan").click()
    expect(page.locator("#station")).to_have_attribute("data-order", "plan")
    cells = page.locator("#tables li")
    first, second, without = (cells.nth(at).bounding_box() for at in (0, 1, 2))
    assert first is not None
    assert second is not None
    assert without is not None
    assert second["x"] > first["x"] + 3 * first["width"], "four columns to the right"
    assert second["y"] > first["y"] + first["height"], "two rows below"
    assert without["y"] > second["y"], "a table without a place stands behind the others"


def test_in_a_break_a_table_between_hands_says_break(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    now = fixtures.clock_state()
    rest = msgspec.structs.replace(now.level, is_break=True)
    hub.publish("clock", encode(msgspec.structs.replace(now, level=rest, levels=(rest,), entry=0)))
    page = td("/station")
    expect(tile_of(page, "08").locator(".street")).to_have_text("Break")
    expect(tile_of(page, "12").locator(".street")).to_have_text("Turn")


def test_a_phone_draws_the_queue_first_and_of_a_large_room_the_list_and_a_field_for_the_number(
    td: Open, hub: Hub
) -> None:
    feed(hub, 500)
    page = td("/rules")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(urljoin(page.url, "/station"))
    expect(page.locator("#items .item")).to_have_count(7)
    expect(page.locator("#tables-sum")).to_have_text("")
    page.get_by_role("navigation", name="Pages on a phone").get_by_role("link", name="Tables").click()
    expect(page.locator("#list li").first).to_have_text("Table 05Silent")
    expect(page.locator("#tables li")).to_have_count(0)
    page.get_by_label("Number of a table").fill("901")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator("#table-no-fault")).to_have_text("There is no table 901.")
    page.get_by_label("Number of a table").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Table 02")).to_be_visible()


def test_only_cells_that_changed_are_drawn_again(td: Open, hub: Hub) -> None:
    feed(hub, 500)
    page = td("/station")
    expect(page.locator("#tables li")).to_have_count(500)
    expect(page.locator("#list li")).to_have_count(60)
    page.evaluate(COUNT_DRAWN)
    cells = json.loads(room(500))["cells"]
    for one in cells:  # hands go on everywhere; three tables get into trouble
        one["hand"] += 1
        one["to_act_ms"] += 250
    for one in cells[100:103]:
        one["trouble"] = "now"
    hub.publish("room", room(0, cells=cells))
    expect(page.get_by_role("link", name="Table 103, 7 players, Somebody waits")).to_have_count(1)
    assert page.evaluate("window.drawn") == 3
