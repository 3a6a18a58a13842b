"""The page of the clock: slips in a schedule, two people at it, a break at a time of day, the rounds of hand for
hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from display.push import Hub
from tests.display.conftest import Running
from tests.display.station.conftest import Heart
from tests.display.station.nights import opened, running
from tests.display.station.test_night_pages import at_night, pytestmark
from tests.display.station.test_several_people_pages import Desk
from tests.display.test_browser import context, hub

__all__ = ["at_night", "context", "hub", "pytestmark"]

Open = Callable[..., Page]


@pytest.fixture
def desk(context: BrowserContext, run_app: Callable[..., Running], hub: Hub, heart: Heart) -> Desk:
    heart.room = running()
    return Desk(context, run_app, hub, heart.room)


def test_slips_of_a_schedule_are_said_at_their_entry_and_again_before_it_is_saved(at_night: Open) -> None:
    room = opened(4)
    room.do("change_rules", house={"starting_chips": [[25, 40], [100, 10]]})
    page = at_night(room, "/station/clock")
    expect(page.locator("#ends")).to_contain_text("Ends at about")
    page.get_by_label("Small blind, Level 2", exact=True).fill("20")
    page.keyboard.press("Tab")
    odd = page.locator("#entries li").nth(1).locator(".odd")
    expect(odd).to_contain_text("Small blind 20 is less than level 1's 50.")
    expect(odd).to_contain_text("Small blind 20 cannot be made of chips of 25.")
    page.get_by_label("Small blind, Level 3", exact=True).fill("600")
    page.keyboard.press("Tab")
    expect(page.locator("#entries li").nth(3).locator(".odd")).to_contain_text("is above the big blind")
    page.get_by_label("Minutes, Level 3", exact=True).fill("200")
    page.keyboard.press("Tab")
    expect(page.locator("#ends")).to_contain_text(", not at ")
    expect(page.locator("#odd-all")).to_contain_text("No break after level 3: rebuys are sold in it.")
    page.get_by_role("button", name="Save the schedule").click()
    expect(page.locator("#confirm-text")).to_contain_text("is above the big blind")
    page.locator("#confirm-yes").click()
    expect(page.locator("#entries-form .fault")).to_contain_text("the small blind is above the big blind")


def test_two_people_change_different_levels_and_both_changes_live(desk: Desk) -> None:
    page = desk.open("/station/clock")
    page.get_by_label("Big blind, Level 3", exact=True).fill("450")
    page.keyboard.press("Tab")
    desk.another("edit_level", entry=1, minutes=25)
    expect(page.get_by_label("Minutes, Level 2", exact=True)).to_have_value("25")
    expect(page.get_by_label("Big blind, Level 3", exact=True)).to_have_value("450")
    page.get_by_role("button", name="Save the schedule").click()
    expect(page.locator("#drafting")).to_have_text("Nothing is changed.")
    levels = desk.room.station.clock.levels
    assert (levels[1].minutes, levels[3].big_blind) == (25, 450)
    page.get_by_label("Big blind, Level 3", exact=True).fill("500")
    page.keyboard.press("Tab")
    desk.another("edit_level", entry=3, big_blind=480)
    expect(page.locator("#drafting")).to_contain_text("Somebody else has changed level 3 to 150 / 480")


def test_a_break_is_planned_and_hand_for_hand_says_which_tables_have_finished(desk: Desk) -> None:
    page = desk.open("/station/clock")
    entries = len(desk.room.station.clock.levels)
    form = page.get_by_role("form", name="A break")
    station = desk.room.station
    in_five = datetime.fromtimestamp(station.wall(station.now) / 1_000 + 300, UTC).strftime("%H:%M")
    expect(page.locator("#room-time")).to_contain_text("By the room's clock it is")
    form.get_by_label("Break, minutes").fill("60")
    form.get_by_label("At (empty: now)").fill(in_five)
    form.get_by_label("What for").fill("lunch")
    form.get_by_role("button", name="Take the break").click()
    expect(page.locator("#entries")).to_contain_text("lunch")
    assert len(desk.room.station.clock.levels) == entries + 2
    page.get_by_role("button", name="Hand for hand", exact=True).click()
    expect(page.locator("#round-tables")).to_contain_text("Table 01: plays")
    winner, loser, *_ = sorted(desk.room.tables["01"].sits)
    with desk.station.elsewhere() as room:
        room.all_in("01", winner=winner, loser=loser)
    expect(page.locator("#round-tables")).to_contain_text("Table 01: has finished hand 1")
    expect(page.locator("#round-tables")).to_contain_text("Table 02: plays")


def test_with_a_winner_there_is_no_clock_to_pause_or_to_resume(desk: Desk) -> None:
    page = desk.open("/station/clock")
    toggles = page.locator("#clock-do").get_by_role("button", name="Pause", exact=True)
    expect(toggles).to_be_visible()
    for one in desk.room.shown["field"][1:]:
        desk.another("forfeit", player=one["player"], chips=one["stack"], why="went home", anyway="asked to")
    expect(page.locator("#facts")).to_contain_text("finished")
    expect(toggles).to_be_hidden()
    expect(page.locator("#clock-do").get_by_role("button", name="Resume", exact=True)).to_be_hidden()
    expect(page.locator("#pause-why")).to_be_hidden()
    expect(page.locator("#ends")).to_be_empty()
    tables = desk.open("/station")
    expect(tables.locator("#next-level")).to_be_visible()
    expect(tables.locator("#toggle")).to_be_hidden()
