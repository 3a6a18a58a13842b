"""An empty venue: the way in, what is wrong where it is typed, another book, the end, and the next event."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from display.push import Hub
from table_core.setting_forms import all_settings
from tests.display.station.test_night_pages import TOO_WIDE, at_night, context, hub, pytestmark
from tests.display.test_accessible import violations
from tests.feltwire.night_room import NightRoom

__all__ = ["at_night", "context", "hub", "pytestmark"]

Open = Callable[..., Page]


def test_the_first_page_of_an_empty_venue_is_the_way_in_and_the_tables_are_one_press_away(
    at_night: Open, hub: Hub
) -> None:
    room = NightRoom()
    page = at_night(room, "/station")
    for channel in ("room", "queue"):
        hub.publish(channel, room.station.pages[channel])
    expect(page.locator("#way-in li")).to_have_text(
        ["Rulebook and house", "Schedule", "Players", "Seats and buttons", "Cards in the air"]
    )
    expect(page.locator("#items")).to_be_hidden()
    page.get_by_role("button", name="Only the clock and the tables").click()
    expect(page.locator("#way-in")).to_be_hidden()
    expect(page.get_by_role("link", name="Open one in five steps.")).to_be_visible()


def test_what_is_typed_wrong_is_said_at_its_field_and_what_is_typed_is_kept(at_night: Open) -> None:
    room = NightRoom()
    page = at_night(room, "/station/start")
    form = page.get_by_role("form", name="Open the event")
    form.get_by_label("Rulebook").select_option("wfp")
    form.get_by_label("Buy-in").fill("40")
    page.keyboard.press("Tab")
    fault = form.locator("#main-fault-buy_in")
    expect(fault).to_contain_text("Play is free")
    expect(fault.locator("a.rule")).to_have_text("wfp.decisions.14")
    form.get_by_label("Buy-in").fill("")
    form.get_by_label("Rulebook").select_option("home")
    form.get_by_label("Starting stack").fill("1,500")
    page.get_by_text("Chips: what the club owns").click()
    chips = form.get_by_label("Chips of a stack")
    chips.fill("16x5, 12x10, 8x25, 6x50, 3x100")
    page.keyboard.press("Tab")
    expect(form.locator("#main-fault-starting_chips")).to_contain_text("worth 1,000, the stack is 1,500.")
    chips.fill("16x5, 12x1o, -3x100")
    page.keyboard.press("Tab")
    expect(form.locator("#main-fault-starting_chips")).to_contain_text("not 12x1o, -3x100.")
    page.reload()
    page.get_by_text("Chips: what the club owns").click()
    expect(chips).to_have_value("16x5, 12x1o, -3x100")
    expect(form.get_by_label("Rulebook")).to_have_value("home")
    chips.fill("16x5, 12x10, 8x25, 6x50, 3x100")
    form.get_by_label("Starting stack").fill("1k")
    form.get_by_role("button", name="Open the event").click()
    expect(page.locator("[data-step=open]")).to_contain_text("under home")
    nothing_kept = "() => !Object.keys(localStorage).some((key) => key.startsWith('typed'))"
    page.wait_for_function(nothing_kept)  # the answer to the press comes behind the news of it
    page.reload()
    expect(page.locator("[data-step=open]")).to_contain_text("under home")
    assert page.evaluate(nothing_kept)
    assert room.shown["settings"]["starting_stack"]["value"] == 1_000


def test_what_follows_from_the_settings_is_said_and_money_may_have_cents(at_night: Open) -> None:
    room = NightRoom()
    page = at_night(room, "/station/start")
    form = page.get_by_role("form", name="Open the event")
    form.get_by_label("Kind of event").select_option("rebuy")
    form.get_by_label("Buy-in").fill("$40")
    form.get_by_label("Starting stack").fill("5k")
    form.get_by_label("Places pay").fill("50, 30, 20")
    form.get_by_label("A rebuy costs").fill("20.50")
    form.get_by_label("Hours of play").fill("3")
    form.get_by_label("Players expected").fill("12")
    page.keyboard.press("Tab")
    follows = page.locator("#follows")
    expect(follows).to_contain_text("12 players: pool $480, 3 places paid: $240, $144, $96.")
    expect(follows).to_contain_text("Chips in play 60,000, 100 big blinds each.")
    expect(follows).to_contain_text("Each rebuy adds $20.50 and 5,000 chips.")
    form.get_by_role("button", name="Open the event").click()
    expect(page.locator("[data-step=open] > [data-said]")).to_contain_text("Done.")
    settings = room.shown["settings"]
    assert settings["rebuy_price"]["value"] == 20.5
    assert settings["rebuys_unlimited"]["value"] is True
    assert room.station.clock.levels[0].big_blind == 50


def test_a_template_and_the_regulars_of_its_events_open_the_next_one(at_night: Open) -> None:
    room = NightRoom()
    room.do("save_template", name="Thursday", event="Thursday", house={"starting_stack": 3_000, "buy_in": 20})
    page = at_night(room, "/station/start")
    page.locator("#from-template").select_option("Thursday")
    form = page.get_by_role("form", name="Open the event")
    expect(form.get_by_label("Buy-in")).to_have_value("$20")
    expect(form.get_by_label("Starting stack")).to_have_value("3,000")
    form.get_by_role("button", name="Open the event").click()
    expect(page.locator("[data-step=open] > [data-said]")).to_contain_text("Done. Thursday")
    for no, name in enumerate(("Ana Ruiz", "Bo Lindqvist", "Chidi Eze"), 1):
        room.do("register_new", name=name, member=True, adult=True)
        room.do("enter", player=f"p{no}")
    page.get_by_role("button", name="Close the event").click()
    page.locator("#confirm-yes").click()
    page.get_by_label("Reason").fill("a rehearsal")
    page.get_by_role("button", name="Do it").click()
    page.locator("#from-played").select_option(index=1)
    form.get_by_role("button", name="Open the event").click()
    regulars = page.get_by_role("form", name="Regulars")
    regulars.get_by_label("Bo Lindqvist").uncheck()
    regulars.get_by_role("button", name="Register 2 players").click()
    expect(page.locator("[data-step=players]")).to_contain_text("not paid: Ana Ruiz, Chidi Eze.")
    assert [one["player"] for one in room.shown["field"]] == ["p1", "p3"]


def test_every_setting_is_found_under_more_and_in_words(at_night: Open) -> None:
    page = at_night(NightRoom(), "/station/start")
    page.get_by_text("More: every other setting").click()
    names = page.eval_on_selector_all("#open [data-setting]", "(all) => all.map((one) => one.dataset.setting)")
    assert {*names} == {*all_settings()}
    labels = page.eval_on_selector_all("#open .setting > label", "(all) => all.map((one) => one.textContent)")
    assert [label for label in labels if "_" in label] == []
    page.get_by_label("Search the settings").fill("check-rais")
    expect(page.locator("#sought")).to_have_text("1 setting found.")
    page.get_by_label("Check-raising is allowed").select_option("no")
    page.get_by_role("button", name="Open the event").click()
    expect(page.locator("[data-step=open] > [data-said]")).to_contain_text("Done.")


def test_stacks_are_made_of_the_chips_that_the_club_owns(at_night: Open) -> None:
    room = NightRoom()
    room.do(
        "keep_chips",
        chips=[{"colour": c, "value": v, "count": n} for c, v, n in (("red", 25, 100), ("blue", 100, 60))],
    )
    page = at_night(room, "/station/start")
    form = page.get_by_role("form", name="Open the event")
    form.get_by_label("Starting stack").fill("1,000")
    form.get_by_label("Players expected").fill("12")
    page.get_by_text("Chips: what the club owns").click()
    said = page.locator("#chips-say")
    expect(said).to_contain_text("Short for 12 stacks")
    form.get_by_label("Players expected").fill("7")
    expect(said).to_have_text(
        "A stack is 16 chips: 8 red 25, 8 blue 100. The chips are enough for 7 stacks; 7 are needed."
    )
    page.get_by_role("button", name="Give out stacks of these").click()
    expect(form.get_by_label("Chips of a stack")).to_have_value("8x25, 8x100")


@pytest.mark.slow("axe reads two hundred fields")
@pytest.mark.parametrize("size", [(1366, 768), (1024, 600), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_whole_form_fits_and_names_every_control(at_night: Open, size: tuple[int, int]) -> None:
    room = NightRoom()
    room.do("keep_chips", chips=[{"colour": "red", "value": 25, "count": 100}])
    room.do("save_template", name="Thursday", event="Thursday", house={"starting_stack": 3_000})
    page = at_night(room, "/station/start")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    form = page.get_by_role("form", name="Open the event")
    for kind in ("rebuy", "bounty", "satellite", "flight"):
        form.get_by_label("Kind of event").select_option(kind)
        expect(page.locator(f"[data-kinds={kind}]")).to_be_visible()
    form.get_by_label("Buy-in").fill("twenty")
    page.keyboard.press("Tab")
    expect(form.locator("#main-fault-buy_in")).to_be_visible()
    page.get_by_text("Chips: what the club owns").click()
    page.get_by_text("More: every other setting").click()
    page.locator("#all-settings .setting").nth(150).wait_for(state="attached")
    assert page.evaluate(TOO_WIDE) == 0
    assert violations(page) == []


def test_an_event_is_opened_by_keys_alone(at_night: Open) -> None:
    room = NightRoom()
    page = at_night(room, "/station/start")
    page.get_by_label("Buy-in").focus()
    page.keyboard.type("25")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Starting stack")).to_be_focused()
    page.keyboard.type("4k")
    page.keyboard.press("Enter")
    expect(page.locator("[data-step=open] > [data-said]")).to_contain_text("Done.")
    assert room.shown["settings"]["starting_stack"]["value"] == 4_000


def test_a_setting_is_changed_the_event_is_closed_and_the_next_begins_as_it_did(at_night: Open) -> None:
    room = NightRoom()
    room.do("open", name="Thursday", rulebook="rpl", house={"starting_stack": 2_000, "buy_in": 40})
    for name in ("Ana Ruiz", "Bo Lindqvist"):
        room.do("register_new", name=name, member=True, adult=True)
    page = at_night(room, "/station/start")
    expect(page.locator("[data-step=players]")).to_contain_text("not paid: Ana Ruiz, Bo Lindqvist.")
    page.get_by_text("Another book or other settings").click()
    form = page.get_by_role("form", name="Another book or other settings")
    expect(form.get_by_label("Buy-in")).to_have_value("$40")
    page.get_by_text("More: every other setting").click()
    form.get_by_label("Prizes are paid in whole units of").fill("5")
    form.get_by_role("button", name="Change the settings").click()
    expect(page.locator("#confirm-text")).to_contain_text("Prizes are paid in whole units of 5 dollars.")
    page.locator("#confirm-yes").click()
    expect(page.locator("#house")).to_contain_text("whole units of 5 dollars")
    page.get_by_role("button", name="Close the event").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#anyway-why")).to_contain_text("the event is not over")
    page.get_by_label("Reason").fill("a rehearsal")
    page.get_by_role("button", name="Do it").click()
    page.get_by_role("button", name="As last time: Thursday, rpl").click()
    expect(page.locator("[data-step=open]")).to_contain_text("Thursday, under rpl")
    assert room.shown["settings"]["payout_unit"]["value"] == 5
    assert room.shown["field"] == []


def test_a_flight_ends_with_bags_and_the_final_day_is_one_press(at_night: Open) -> None:
    room = NightRoom()
    house = {"starting_stack": 2_000, "buy_in": 50, "flight_of": "Sunday Main"}
    room.do("open", name="Day 1A", house=house, by_hand=True)
    for no, name in enumerate(("Ana Ruiz", "Bo Lindqvist", "Chidi Eze"), 1):
        room.do("register_new", name=name, member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats")
    room.do("set_button", table=next(one["table"] for one in room.shown["tables"] if one["open"]))
    room.do("start")
    room.do("put_out", player="p3")
    page = at_night(room, "/station/start")
    bags = page.get_by_role("form", name="The day is over")
    bags.get_by_label("Ana Ruiz").fill("4,500")
    bags.get_by_label("Bo Lindqvist").fill("1,500")
    expect(page.locator("#bag-says")).to_have_text("6,000 of 6,000 chips are in bags.")
    bags.get_by_role("button", name="Bag the chips").click()
    page.locator("#confirm-yes").click()
    expect(bags).to_be_hidden()
    page.get_by_role("button", name="Close the event").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#flights")).to_contain_text("Sunday Main: Day 1A. 3 entries, 2 players with 6,000 chips.")
    page.get_by_role("button", name="Open the final day: Sunday Main").click()
    expect(page.locator("[data-step=open] > [data-said]")).to_contain_text("Done. Sunday Main")
    expect(page.locator("[data-step=players]")).to_contain_text("2 entered")
    assert {one["player"] for one in room.shown["field"] if one["status"] == "playing"} == {"p1", "p2"}
