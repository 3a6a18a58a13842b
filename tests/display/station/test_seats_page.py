"""The page of the seats: seats by hand, the button by cards, the wrong player moved, pairs not kept apart."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.display.station.jobs.rooms import unequal
from tests.display.station.nights import opened, running
from tests.display.station.test_night_pages import at_night, pytestmark
from tests.display.test_browser import context, hub

__all__ = ["at_night", "context", "hub", "pytestmark"]

Open = Callable[..., Page]


def test_seats_are_given_by_hand_and_the_button_by_cards(at_night: Open) -> None:
    room = opened(4)
    room.do("change_rules", rulebook="base")
    for no in range(1, 5):
        room.press("enter", player=f"p{no}")
    page = at_night(room, "/station/seats")
    page.locator("#keep-apart select").first.select_option("p1")
    page.locator("#keep-apart select").last.select_option("p2")
    page.get_by_role("button", name="Keep apart").click()
    expect(page.locator("#confirm-text")).to_contain_text("cannot be kept apart: there are too few tables")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("combobox", name="About all seats").select_option("Seats by hand")
    lines = page.get_by_label("Table and seat behind each name")
    names = [one["name"] for one in room.shown["field"]]
    lines.fill("\n".join(f"{name}: 01 {2 * seat}" for seat, name in enumerate(names, 1)))
    page.get_by_role("button", name="Seats by hand").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_contain_text("Seats")
    page.get_by_role("button", name="More: table 01").click()
    page.get_by_role("combobox", name="At this table").select_option("Draw the button with cards")
    page.get_by_label("A card each for seats 2, 4, 6, 8").fill("2c Ks 3d 4h")
    page.get_by_role("button", name="Draw the button with cards").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_contain_text("Button set: table 01, seat 4")


def test_the_wrong_player_goes_back_and_another_one_goes_instead_in_one_act(at_night: Open) -> None:
    room = running()
    table = room.shown["tables"][0]
    wrong, right = table["seats"][:2]
    to = {"table": "02", "seat": room.shown["tables"][1]["free"][0]}
    room.do("confirm_move", player=wrong["player"], to=to, why="the director's")
    page = at_night(room, "/station/seats")
    page.get_by_role("button", name=f"Another one instead: {wrong['name']}").click()
    expect(page.locator("#instead-says")).to_contain_text(
        f"{wrong['name']} goes to table 01 seat {wrong['seat']} from table 02"
    )
    page.get_by_label("Player who goes instead").select_option(right["player"])
    page.get_by_role("button", name="Send back, and move").click()
    expect(page.locator("#said")).to_contain_text(f"Move confirmed: {right['name']}")
    assert room.seat_of(wrong["player"]) == ("01", wrong["seat"])
    assert room.seat_of(right["player"]) == (to["table"], to["seat"])


def test_a_move_is_made_only_as_the_page_shows_it(at_night: Open) -> None:
    room = unequal()
    page = at_night(room, "/station/seats")
    move = page.locator("#decide").get_by_role("button", name="Move: ")
    expect(move).to_be_visible()
    proposed = room.shown["proposals"]["moves"]
    for _ in range(2):  # the button goes on, and with it who is to move
        first = min(room.tables["02"].sits)
        room.all_in("02", winner=first, loser=first)
    assert room.shown["proposals"]["moves"] != proposed
    move.click()
    expect(page.locator("#said")).to_contain_text("Not done: ")
    assert room.shown["moves"] == []
    name = room.shown["proposals"]["moves"][0]["name"]
    page.locator("#decide").get_by_role("button", name=f"Move: {name}").click()
    expect(page.locator("#said")).to_contain_text(f"Move confirmed: {name}")
