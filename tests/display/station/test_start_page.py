"""An empty venue: the way in, what is wrong where it is typed, another book, the end, and the next event."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from display.push import Hub
from tests.display.station.test_night_pages import at_night, context, hub, pytestmark
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
    fault = form.locator("#wrong-buy_in")
    expect(fault).to_contain_text("Play is free")
    expect(fault.locator("a.rule")).to_have_text("wfp.decisions.14")
    form.get_by_label("Buy-in").fill("")
    form.get_by_label("Rulebook").select_option("home")
    form.get_by_label("Starting stack").fill("1500")
    chips = form.get_by_label("Chips of a stack")
    chips.fill("16x5, 12x10, 8x25, 6x50, 3x100")
    page.keyboard.press("Tab")
    expect(form.locator("#wrong-starting_chips")).to_contain_text("They make 1,000, not 1,500: 500 are missing.")
    chips.fill("16x5, 12x1o, -3x100")
    page.keyboard.press("Tab")
    expect(form.locator("#wrong-starting_chips")).to_contain_text("not 12x1o, -3x100.")
    page.reload()
    expect(chips).to_have_value("16x5, 12x1o, -3x100")
    expect(form.get_by_label("Rulebook")).to_have_value("home")
    chips.fill("16x5, 12x10, 8x25, 6x50, 3x100")
    form.get_by_label("Starting stack").fill("1000")
    form.get_by_role("button", name="Open the event").click()
    expect(page.locator("[data-step=open]")).to_contain_text("under home")
    nothing_kept = "() => !Object.keys(localStorage).some((key) => key.startsWith('typed'))"
    page.wait_for_function(nothing_kept)  # the answer to the press comes behind the news of it
    page.reload()
    expect(page.locator("[data-step=open]")).to_contain_text("under home")
    assert page.evaluate(nothing_kept)


def test_a_setting_is_changed_the_event_is_closed_and_the_next_begins_as_it_did(at_night: Open) -> None:
    room = NightRoom()
    room.do("open", name="Thursday", rulebook="rpl", house={"starting_stack": 2_000, "buy_in": 40})
    for name in ("Ana Ruiz", "Bo Lindqvist"):
        room.do("register_new", name=name, member=True, adult=True)
    page = at_night(room, "/station/start")
    expect(page.locator("[data-step=players]")).to_contain_text("not paid: Ana Ruiz, Bo Lindqvist.")
    page.get_by_text("Another book or other settings").click()
    form = page.get_by_role("form", name="Another book or another setting")
    form.get_by_label("Setting").select_option("payout_unit")
    expect(page.locator("#setting-says")).to_have_text("Prizes are paid in whole units of … dollars.")
    form.get_by_label("Value").fill("5")
    form.get_by_role("button", name="Change").click()
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
