"""The page of the field: the desk at its rush, a name that is another person's, money twice, a list full of
errors, who may rebuy."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.display.station.nights import NAMES, opened, running
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
    page.get_by_role("button", name="It is Émile Zola (p4)").click()
    expect(page.locator("#said")).to_contain_text("Registered: Émile Zola")
    expect(name).to_be_focused()
    name.fill("emile zola")
    name.press("Enter")
    asked = page.get_by_role("dialog", name="Who is it?")
    expect(asked).to_contain_text("Émile Zola (p4)")
    page.keyboard.press("Enter")  # by a hand that has not read it yet
    expect(asked).to_be_hidden()
    assert len(room.shown["field"]) == 4


def test_a_name_is_kept_without_an_entry_and_is_deleted_on_request(at_night: Open) -> None:
    room = opened(3)
    page = at_night(room, "/station/players")
    page.get_by_label("Keep a name, without an entry").fill("Ida Later")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator("#said")).to_have_text("Ida Later is player p4.")
    page.get_by_label("Filter").fill(NAMES[0])
    page.get_by_label("Filter").press("Enter")
    page.get_by_role("combobox", name="What else").select_option("Delete the name")
    page.get_by_role("button", name="Delete the name").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_contain_text("The name of p1 is deleted")


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


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_list_is_read_in_its_encoding_checked_and_mended_before_anybody_is_registered(
    at_night: Open, encoding: str
) -> None:
    room = opened(3)
    page = at_night(room, "/station/players")
    lines = 'name;member\nMüller Hans;no\n;yes\nKarl Noe;1O42\n"Left open;no\n'
    file = {"name": "club.csv", "mimeType": "text/csv", "buffer": lines.encode(encoding)}
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


def test_the_wrong_one_who_is_out_is_replaced_in_one_press_of_which_is_said_what_it_undoes(at_night: Open) -> None:
    """The pot was pushed to the wrong one of two."""
    room = running(8)
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    sits = {seat: player for seat, (player, _) in room.tables["01"].sits.items()}
    won, stack = room.tables["01"].sits[winner]
    (bust,) = room.shown["busts"]
    (lost,) = bust["names"]
    room.do("confirm_bust", busts=[bust["bust"]])
    page = at_night(room, f"/station/players?player={bust['out'][0]['player']}")
    page.get_by_role("button", name=f"Another one is out instead: {lost}").click()
    said, name = page.locator("#instead-says"), room.entrant(won)["name"]
    expect(page.get_by_label("Who is out")).to_have_value(won)
    expect(said).to_contain_text(f"Taken back: Bust confirmed: {lost}, place 8")
    expect(said).to_contain_text(f"{name} is out, not playing.")
    other = next(player for player in sits.values() if player not in (won, bust["out"][0]["player"]))
    page.get_by_label("Who is out").select_option(other)
    expect(said).to_contain_text(f"{room.entrant(other)['name']} is out, not playing.")
    page.get_by_label("Who is out").select_option(won)
    expect(said).to_contain_text(f"{name} is out, not playing.")
    page.get_by_role("button", name="Take back, and out").click()
    expect(page.locator("#said")).to_contain_text(f"Bust confirmed: {name}, place 8")
    expect(page.locator("#instead")).to_be_hidden()
    assert room.tables["01"].sits[loser] == (bust["out"][0]["player"], stack)
    assert winner not in room.tables["01"].sits
    assert room.shown["chips"]["missing"] == 0


def test_a_penalty_for_an_everyday_reason_is_one_press_in_the_players_sheet_until_it_ends_the_event(
    at_night: Open,
) -> None:
    room = running(8)
    page = at_night(room, "/station/players?player=p1")
    sheet, name = page.get_by_role("dialog", name=NAMES[0]), NAMES[0]
    says, profanity = sheet.locator("#penalty-says"), sheet.get_by_role("button", name="Profanity")
    expect(says).to_have_text(f"{name} gets the penalty: warning.")
    profanity.click()
    expect(page.locator("#said")).to_contain_text("warning")
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name=f"{name} playing").click()
    expect(says).to_have_text("How long? Name minutes, hands or rounds.")
    expect(profanity).to_have_count(0)
    expect(sheet.get_by_role("link", name="Another penalty")).to_have_attribute(
        "href", "/station/penalties?player=p1"
    )
    room.do("give_penalty", player="p1", reason="profanity", kind="time_out", minutes=10)
    page.reload()  # opens the sheet again
    expect(says).to_contain_text(f"{name} is out, not playing.")
    profanity.click()
    expect(page.locator("#confirm-text")).to_contain_text(f"{name} is out, not playing.")
    page.locator("#confirm-no").click()
    assert [one["kind"] for one in room.shown["penalties"]["p1"]] == ["warning", "time_out"]
