"""The page of the field: the desk at its rush, a name that is another person's, money twice, a list full of
errors, who may rebuy."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.display.station.nights import opened, running
from tests.display.station.test_night_pages import at_night, pytestmark
from tests.display.test_browser import context, hub

__all__ = ["at_night", "context", "hub", "pytestmark"]

Open = Callable[..., Page]


def test_the_desk_knows_names_without_accents_and_asks_before_a_second_of_one_name(at_night: Open) -> None:
    room = opened(3)
    room.do("add_player", name="Émile Zola")
    page = at_night(room, "/station/players")
    name = page.get_by_label("Register: a name")
    name.fill("emi")
    expect(page.locator("#alike li")).to_have_text(["Émile Zola (p4)"])
    name.fill("emile zola")
    name.press("Enter")
    expect(page.locator("#said")).to_contain_text("Registered: Émile Zola")
    expect(name).to_be_focused()
    name.fill("emile zola")
    name.press("Enter")
    expect(page.locator("#confirm-text")).to_contain_text("There is Émile Zola")
    page.get_by_role("button", name="Cancel").click()
    assert len(room.shown["field"]) == 4


def test_an_entry_of_the_wrong_person_and_money_taken_twice_are_mended_in_the_players_sheet(
    at_night: Open,
) -> None:
    room = opened(3)
    wrong = room.shown["field"][0]["name"]
    page = at_night(room, "/station/players")
    page.get_by_label("Filter").fill(wrong)
    page.get_by_label("Filter").press("Enter")
    page.get_by_role("combobox", name="What else").select_option("The entry is another person's")
    page.get_by_label("Whose it is").fill("Jo Smythe")
    page.get_by_role("button", name="The entry is another person's").click()
    expect(page.locator("#confirm-text")).to_contain_text(f"{wrong} was never in")
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_contain_text("Entry given")
    page.get_by_label("Filter").fill("smythe")
    page.get_by_label("Filter").press("Enter")
    page.get_by_role("combobox", name="What else").select_option("Money beside the entry: paid twice, given back")
    page.get_by_label("Amount").fill("40")
    page.get_by_label("Why").fill("paid at two desks")
    page.get_by_role("button", name="Money beside the entry").click()
    expect(page.locator("#confirm-text")).to_contain_text("40.00 from Jo Smythe")
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_contain_text("Cash moved: Jo Smythe, 40.00")


def test_a_list_is_read_in_its_encoding_checked_and_mended_before_anybody_is_registered(at_night: Open) -> None:
    room = opened(3)
    page = at_night(room, "/station/players")
    lines = 'name;member\nMüller Hans;no\n;yes\nKarl Noe;1O42\n"Left open;no\n'
    file = {"name": "club.csv", "mimeType": "text/csv", "buffer": lines.encode("latin-1")}
    page.get_by_label("A list of players (CSV)").set_input_files(file)
    said = page.locator("#import-said")
    expect(said).to_contain_text("1 can be registered.")
    for line in ("line 3: no name", "line 4: member is", "line 5: a quotation mark is left open"):
        expect(said).to_contain_text(line)
    assert len(room.shown["field"]) == 3
    pasted = page.get_by_label("Or its lines, pasted")
    pasted.fill(pasted.input_value().replace("1O42", "yes"))
    pasted.press("Tab")
    expect(said).to_contain_text("2 can be registered.")
    page.get_by_role("button", name="Register the good lines").click()
    expect(said).to_contain_text("2 players are registered.")
    assert {"Müller Hans", "Karl Noe"} <= {one["name"] for one in room.shown["field"]}


def test_who_may_rebuy_now_can_be_listed(at_night: Open) -> None:
    room = running()
    page = at_night(room, "/station/players")
    page.get_by_label("Show").select_option("May rebuy now")
    expect(page.locator("#shown")).to_have_text(
        f"{len(room.shown['may_rebuy'])} of {len(room.shown['field'])} players"
    )
