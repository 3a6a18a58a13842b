"""The pages of a tournament before a real station: a night's jobs by mouse, by keyboard and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from display.app import NIGHT_PAGES
from display.identity.signin import SignIn
from display.push import Hub
from tests.display.conftest import Recorded, Running
from tests.display.station.conftest import Heart
from tests.display.station.jobs.rooms import with_a_prize_owed
from tests.display.station.nights import Station, opened, running
from tests.display.test_accessible import violations
from tests.display.test_browser import app_of, context, errors_of, hub, pytestmark
from tests.feltwire.night_room import NightRoom

__all__ = ["context", "hub", "pytestmark"]

Open = Callable[..., Page]
# Half a second, in which a page takes no second tap, lasts until the test ends it.
MOMENTS_HELD = """() => { window.held = []; const real = setTimeout;
    window.setTimeout = (act, ms, ...more) => ms === 500 ? window.held.push(act) : real(act, ms, ...more) }"""
PHONE = {"width": 390, "height": 844}
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def at_night(context: object, run_app: Callable[..., Running], hub: Hub, heart: Heart) -> Open:
    """`at_night(room, path)` opens a page of the station of `room` as the director."""

    def open_page(room: NightRoom, path: str) -> Page:
        signin = SignIn()
        heart.room = room
        station = Station(hub, room)
        url = run_app(app_of(hub, station, signin, sheets=station.sheet)).url
        page: Page = context.new_page()  # type: ignore[attr-defined]
        page.goto(url + signin.new_link())
        page.goto(url + path)
        return page

    return open_page


def busted(players: int = 14) -> NightRoom:
    """A night in which one player has lost the last chips."""
    room = running(players)
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    return room


def said(page: Page, words: str) -> None:
    expect(page.locator("#said")).to_contain_text(words)


@pytest.mark.parametrize("name", NIGHT_PAGES)
@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_each_page_fits_and_names_every_control(at_night: Open, name: str, size: tuple[int, int]) -> None:
    page = at_night(busted(), f"/station/{name}")
    errors = errors_of(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.reload()
    expect(page.locator("#facts")).to_contain_text("14 players left of 14, 1 out of chips")
    assert page.evaluate(TOO_WIDE) == 0
    assert violations(page) == []
    assert errors == []


def test_the_dialogs_of_the_night_are_accessible(at_night: Open) -> None:
    page = at_night(busted(), "/station/players")
    page.locator("#players .who").nth(1).click()
    page.get_by_role("button", name="Rebuy").click()  # not by the book: asks for a reason
    expect(page.locator("#anyway")).to_be_visible()
    found = violations(page)
    for path, opens in (
        ("/station/seats", ".seat[data-free] >> nth=0"),
        ("/station/seats", ".seat:not([data-free]) >> nth=0"),
        ("/station/log", "#log button >> nth=0"),
    ):
        page.goto(page.url.split("/station")[0] + path)
        page.locator(opens).click()
        page.locator("dialog[open]").wait_for()
        found += violations(page)
    assert found == []


def test_the_sheets_of_who_plays_and_of_who_is_out_are_accessible(at_night: Open) -> None:
    room = busted()
    (bust,) = room.shown["busts"]
    room.do("confirm_bust", busts=[bust["bust"]])
    plays = next(one["player"] for one in room.shown["field"] if one["status"] == "playing")
    page = at_night(room, f"/station/players?player={plays}")
    page.locator("#penalty-says:not(:empty)").wait_for()
    found = violations(page)
    page.goto(page.url.replace(plays, bust["out"][0]["player"]))
    page.get_by_role("button", name="Another one is out").click()
    page.locator("#instead-says:not(:empty)").wait_for()
    assert found + violations(page) == []


def test_an_id_opens_its_rule_over_the_page_and_find_knows_rules_and_names_with_accents(at_night: Open) -> None:
    room = running(6)
    room.do("register_new", name="Jana Nováková", member=True, adult=True)
    page = at_night(room, "/station/penalties?player=p2")
    page.get_by_label("Reason, or words").fill("profanity")
    page.locator("#penalty-says a.rule").click()
    expect(page.locator("#rule-statement")).not_to_be_empty()
    expect(page.locator("#rule-standing")).to_contain_text("Raleigh Poker League")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Reason, or words")).to_have_value("profanity")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("novakova")
    expect(page.locator("#find-found li").first).to_contain_text("Jana Nováková")
    page.get_by_label("Player, table, rule or action").fill("misdela")
    page.locator("#find-found button", has_text="misdeal").first.click()
    expect(page.locator("#rule-statement")).to_contain_text("misdeal")


def test_the_digits_of_a_table_stand_on_the_page_and_escape_ends_them(at_night: Open) -> None:
    page = at_night(running(6), "/station/log")
    expect(page.locator("#log li").first).to_be_visible()
    for key in "g99":
        page.keyboard.press(key)
    expect(page.locator("#going")).to_contain_text("Table 99")
    page.keyboard.press("Escape")
    expect(page.locator("#going")).to_be_empty()


def test_walk_ins_are_registered_by_typing_names_and_enter(at_night: Open) -> None:
    room = opened()
    page = at_night(room, "/station/players")
    expect(page.get_by_label("Register: a name")).to_be_focused()
    for no in range(1, 21):
        page.keyboard.type(f"Walk In {no}")
        page.keyboard.press("Enter")
        expect(page.locator("#shown")).to_have_text(f"{no} player{'' if no == 1 else 's'}")
    page.get_by_label("Filter").fill("walk in 20")
    page.get_by_role("button", name="Paid: Walk In 20").click()
    expect(page.get_by_role("button", name="Paid: Walk In 20")).to_have_count(0)
    assert room.entrant("p20")["status"] == "playing"


def test_a_refused_registration_is_said_at_the_form_and_what_was_typed_is_put_back(at_night: Open) -> None:
    page = at_night(opened(1), "/station/players")
    field = page.get_by_label("Register: a name")
    expect(page.locator("#shown")).to_have_text("1 player")
    field.fill("p1")
    page.get_by_role("button", name="Register", exact=True).click()
    expect(page.locator("#register .fault")).to_contain_text("is on the list already")
    expect(field).to_have_value("p1")


def test_the_same_name_again_is_asked_about_and_one_press_registers_another_person(at_night: Open) -> None:
    room = opened()
    room.do("register_new", name="Jan Novak", member=True, adult=True)
    page = at_night(room, "/station/players")
    page.get_by_label("Register: a name").fill("jan  novak")
    page.keyboard.press("Enter")
    expect(page.locator("#which-says")).to_contain_text("Jan Novak (p1), member, registered")
    page.get_by_role("button", name="Another person").click()
    expect(page.locator("#shown")).to_have_text("2 players")
    assert room.station.apart == [("p2", "p1")]


def test_a_name_that_is_perhaps_on_file_is_that_person_by_one_press(at_night: Open) -> None:
    room = opened()
    room.do("add_player", name="José Peña", id="m7")
    page = at_night(room, "/station/players")
    page.get_by_label("Paid").check()
    page.get_by_label("Register: a name").fill("Pena Jose")
    page.keyboard.press("Enter")
    expect(page.locator("#which-says")).to_contain_text("José Peña (m7)")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_label("Register: a name")).to_have_value("Pena Jose")
    page.get_by_label("Register: a name").press("Enter")
    page.get_by_role("button", name="It is José Peña (m7)").click()
    expect(page.locator("#players li", has_text="playing")).to_have_count(1)
    assert [(one["player"], one["entries"]) for one in room.shown["field"]] == [("m7", 1)]


def test_who_is_registered_as_paid_has_entered_with_the_same_press(at_night: Open) -> None:
    room = opened()
    page = at_night(room, "/station/players")
    page.get_by_label("Paid").check()
    for no in (1, 2):
        page.get_by_label("Register: a name").fill(f"Walk In {no}")
        page.keyboard.press("Enter")
    expect(page.locator("#players li", has_text="playing")).to_have_count(2)
    assert [one["entries"] for one in room.shown["field"]] == [1, 1]


def test_of_two_of_one_name_the_one_who_paid_has_entered(at_night: Open) -> None:
    room = opened()
    room.do("register_new", name="Jan Novak", member=True, adult=True)
    page = at_night(room, "/station/players")
    page.get_by_role("checkbox", name="Paid").check()
    page.get_by_label("Register: a name").fill("Jan Novak")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Another person").click()
    expect(page.locator("#players li", has_text="playing")).to_have_count(1)
    assert [(one["player"], one["entries"]) for one in room.shown["field"]] == [("p1", 0), ("p2", 1)]


def test_seats_that_are_drawn_are_drawn_again_only_after_a_question(at_night: Open) -> None:
    room = opened(6)
    for no in range(1, 7):
        room.do("enter", player=f"p{no}")
    room.do("draw_seats")
    before = room.shown["tables"]
    page = at_night(room, "/station/seats")
    page.get_by_role("button", name="Draw seats").click()
    expect(page.locator("#confirm-text")).to_contain_text("6 seats are drawn")
    page.keyboard.press("Enter")  # Cancel has the focus
    expect(page.locator("#confirm")).to_be_hidden()
    assert room.shown["tables"] == before


def test_what_is_typed_wrong_stands_at_its_field_and_the_list_leads_there(at_night: Open) -> None:
    page = at_night(NightRoom(), "/station/start")
    expect(page.locator("#start-do").get_by_role("button", name="Cards in the air")).to_be_disabled()
    page.get_by_label("Buy-in").fill("twenty")
    page.get_by_label("Seats at a table").fill("12")
    page.get_by_label("Places pay").fill("50, 30, 25")
    page.get_by_role("button", name="Open the event").click()
    wrong = page.get_by_role("list", name="What is wrong").get_by_role("link")
    expect(wrong).to_have_count(3)
    wrong.filter(has_text="They add up to 105 per cent").click()
    expect(page.get_by_label("Places pay")).to_be_focused()
    expect(page.get_by_label("Buy-in")).to_have_value("twenty")


def test_a_bust_is_confirmed_from_its_row_and_undone_from_the_players_sheet(at_night: Open) -> None:
    room = busted()
    out = next(one for one in room.shown["field"] if one["status"] == "busted")
    page = at_night(room, "/station/players")
    page.get_by_label("Show").select_option("busted")
    page.get_by_role("button", name=f"Out: {out['name']}").click()
    expect(page.locator("#shown")).to_have_text("0 of 14 players")
    page.get_by_label("Show").select_option("")
    page.get_by_label("Filter").fill(out["name"].split(" (")[0])
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Undo the bust").click()
    expect(page.locator("#confirm-text")).to_contain_text("Taken back: ")
    page.locator("#confirm-yes").click()
    expect(page.locator("#player-is")).to_contain_text("out of chips")
    assert room.entrant(out["player"])["status"] == "busted"


def test_still_in_asks_which_chips_come_back_and_from_whom(at_night: Open) -> None:
    """The pot was to be split: the table gave all of it to one."""
    room = busted()
    bust = room.shown["busts"][0]
    (out,) = bust["out"]
    page = at_night(room, f"/station/players?player={out['player']}")
    page.get_by_role("dialog").get_by_role("button", name="Still in").click()
    page.get_by_label("Chips that come back").fill("500")
    page.get_by_label("Why").fill("the pot was to be split")
    page.locator("#what-else").get_by_role("button", name="Still in").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#player-is")).not_to_contain_text("out of chips")
    room.wait(2_000)
    stacks = dict(stack for table in room.tables.values() for stack in table.sits.values())
    assert (room.entrant(out["player"])["status"], stacks[out["player"]]) == ("playing", 500)
    assert room.shown["chips"]["missing"] == 0


def test_an_absence_that_was_announced_has_the_length_that_the_player_told(at_night: Open) -> None:
    room = running()
    page = at_night(room, "/station/players")
    page.locator("#players .who", has_text="Cy Young").click()
    page.get_by_label("Said to be away for, minutes").fill("60")
    page.get_by_role("button", name="Away for that long").click()
    expect(page.locator("#players li", has_text="Cy Young")).to_contain_text("away")
    left = next(record["event"] for record in room.shown["log"] if record["event"]["type"] == "left")
    assert (left["player"], left["minutes"]) == ("p3", 60)


def test_a_night_that_is_over_comes_into_the_season_out_of_it_and_back(at_night: Open) -> None:
    room = running(7)
    for no in range(7, 1, -1):
        room.do("forfeit", player=f"p{no}", chips=2_000, why="went home", anyway="asked to")
    page = at_night(room, "/station/league")
    page.get_by_role("button", name="Add this event").click()
    events = page.get_by_role("list", name="Events of the season")
    expect(events).to_contain_text("Friday 7 entrants, won by Ann Example")
    expect(page.locator("#season tr")).to_have_count(7)
    expect(page.get_by_role("button", name="Add this event")).to_be_hidden()
    events.get_by_role("button", name="Take out: Friday").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#season tr")).to_have_count(0)
    events.get_by_role("button", name="Put back: Friday").click()
    expect(page.locator("#season tr")).to_have_count(7)


def test_find_leads_to_a_player_of_the_field(at_night: Open) -> None:
    room = running()
    page = at_night(room, "/station/log")
    sits = next(one for one in room.shown["field"] if one["name"].startswith("Nia"))
    page.keyboard.press("/")
    page.get_by_label("Player, table, rule or action").fill("nia")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/station/table/{sits['table']}$"))


def test_two_thousand_players_are_filtered_as_typed_and_only_rows_in_sight_are_drawn(
    at_night: Open, hub: Hub
) -> None:
    page = at_night(opened(1), "/station/players")
    expect(page.locator("#players li")).to_have_count(1)
    page.evaluate(
        """async () => {
            const shown = await (await fetch('/api/field')).json();
            window.many = { ...shown, field: Array.from({ length: 2000 }, (_, no) =>
                ({ ...shown.field[0], player: `q${no}`, name: `Player ${no}` })) };
        }"""
    )
    hub.publish("field", page.evaluate("JSON.stringify(window.many)").encode())
    expect(page.locator("#shown")).to_have_text("2,000 players")
    assert page.locator("#players li").count() < 60
    page.mouse.wheel(0, 40_000)
    expect(page.locator("#players li", has_text="Player 740")).to_have_count(1)
    assert page.locator("#players li").count() < 60
    page.get_by_label("Filter").fill("player 1999")
    expect(page.locator("#players li")).to_have_count(1)


def test_a_late_player_is_seated_and_a_player_moved_on_a_phone(at_night: Open) -> None:
    room = running(13)
    room.do("register_new", name="Late Comer", member=True, adult=True)
    page = at_night(room, "/station/players")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.get_by_role("button", name="Paid, seat: Late Comer").click()
    expect(page.locator("#confirm-text")).to_contain_text("Late Comer has 2,000 chips more.")
    page.locator("#confirm-yes").click()
    page.get_by_label("Filter").fill("late comer")  # who waits for nothing any more stands among all others
    expect(page.locator("#players li", has_text="Late Comer")).to_contain_text("table 0")
    page.get_by_label("Filter").fill("ann example")
    page.keyboard.press("Enter")
    before = room.entrant("p1")["table"]
    page.get_by_role("link", name="Move").click()
    expect(page.get_by_role("heading", name="Move Ann Example")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Move").click()
    said(page, "Move confirmed: Ann Example")
    assert room.entrant("p1")["table"] != before


def test_a_table_breaks_after_its_question(at_night: Open) -> None:
    room = running(8)
    page = at_night(room, "/station/seats")
    page.get_by_role("button", name="Break: table 02").first.click()
    expect(page.locator("#confirm-text")).to_contain_text("Table 02 is closed.")
    page.locator("#confirm-yes").click()
    expect(page.get_by_role("link", name="Table 02")).to_have_count(0)
    assert len(room.shown["tables"][0]["seats"]) == 8


def test_seats_and_buttons_are_drawn_before_the_start(at_night: Open) -> None:
    room = opened(6)
    for no in range(1, 7):
        room.do("enter", player=f"p{no}")
    page = at_night(room, "/station/seats")
    page.get_by_role("button", name="Draw seats").click()
    page.locator("#confirm-yes").click()  # by this book each entry has drawn a seat already
    page.get_by_role("button", name="Draw the buttons").click()
    expect(page.locator(".plan .button-of").first).to_be_visible()
    assert sum(len(table["seats"]) for table in room.shown["tables"]) == 6


def test_the_log_says_all_that_an_undo_takes_back(at_night: Open) -> None:
    room = running(6)
    room.do("leave", player="p1")
    page = at_night(room, "/station/log")
    page.get_by_label("Filter").fill("ann")
    row = page.locator("#log li").first
    row.get_by_role("button", name="Undo").click()
    expect(page.locator("#confirm-text")).to_contain_text("Taken back: ")
    page.locator("#confirm-yes").click()
    expect(page.locator("#log .undone").first).to_contain_text("Ann Example")
    assert not room.entrant("p1")["away"]


def test_a_record_older_than_the_newest_hundred_is_found_and_undone(at_night: Open) -> None:
    room = running(14)
    for _ in range(40):
        room.do("leave", player="p1")
        room.do("return", player="p1")
    room.do("keep_apart", one="p2", other="p3")
    for _ in range(30):
        room.do("leave", player="p1")
        room.do("return", player="p1")
        room.do("leave", player="p4")
        room.do("return", player="p4")
    page = at_night(room, "/station/log")
    page.get_by_label("Filter").fill("kept apart")
    row = page.locator("#log li", has_text="Kept apart: Bo Larsen")
    row.get_by_role("button", name="Undo").click()
    expect(page.locator("#confirm-text")).to_contain_text("not kept apart")
    page.locator("#confirm-yes").click()
    expect(page.locator("#log .undone", has_text="Kept apart")).to_have_count(1)
    assert room.shown["apart"] == []


def test_the_floor_reads_and_has_nothing_to_press(
    context: object, run_app: Callable[..., Running], hub: Hub, heart: Heart, browser: Browser
) -> None:
    Station(hub, busted())
    page: Page = context.new_page()  # type: ignore[attr-defined]
    page.goto(run_app(app_of(hub, Recorded())).url + "/station/seats")
    expect(page.locator(".plan .seat")).not_to_have_count(0)
    assert page.locator("#content button:visible").count() == 0


def test_an_entry_of_the_schedule_is_changed_added_and_saved_at_once(at_night: Open) -> None:
    room = running(6)
    page = at_night(room, "/station/clock")
    page.get_by_label("Minutes, Level 1").fill("25")
    page.get_by_role("button", name="Add a break").click()
    page.get_by_role("button", name="Earlier: Break 2").click()
    page.get_by_role("button", name="Save the schedule").click()
    expect(page.locator("#confirm-text")).to_contain_text("Level 1 has ")  # what it does to the one that runs
    page.locator("#confirm-yes").click()
    expect(page.locator("#drafting")).to_have_text("Nothing is changed.")
    levels = room.station.node.tournament.night.state.clock.levels  # type: ignore[union-attr]
    assert levels[0].minutes == 25
    assert levels[-2].is_break


def test_five_minutes_are_added_the_clock_paused_and_hand_for_hand_begun(at_night: Open) -> None:
    room = running(6)
    page = at_night(room, "/station/clock")
    page.get_by_role("button", name="5 minutes more").click()
    said(page, "+5 min")
    page.locator("#clock-do").get_by_role("button", name="Pause").click()
    expect(page.locator("#clock-do").get_by_role("button", name="Resume")).to_be_visible()
    page.locator("#clock-do").get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Hand for hand").click()
    expect(page.get_by_role("button", name="End hand for hand")).to_be_visible()


def test_a_schedule_is_suggested_and_a_wrong_number_is_said_at_its_field(at_night: Open) -> None:
    room = running(6)
    page = at_night(room, "/station/clock")
    hours = page.get_by_label("Hours of play")
    hours.fill("-1")
    page.get_by_role("button", name="Use this schedule").click()
    expect(hours).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#suggest-fault")).to_contain_text("hours")
    hours.fill("3")
    page.get_by_role("button", name="Use this schedule").click()
    expect(page.locator("#confirm-text")).to_contain_text("The schedule changes: ")
    page.locator("#confirm-yes").click()
    expect(page.locator("#suggest-fault")).to_have_count(0)
    expect(page.locator("#said")).not_to_be_empty()  # the station's answer
    assert sum(one.minutes for one in room.station.node.tournament.night.state.clock.levels) >= 120  # type: ignore[union-attr]


def test_a_deal_by_chips_is_made_and_paid(at_night: Open) -> None:
    room = running(6)
    page = at_night(room, "/station/prizes")
    page.get_by_role("button", name="Chip-chop").click()
    expect(page.locator("#deal-sum")).to_contain_text("shared")
    expect(page.locator("#deal-wants")).to_contain_text("Not agreed: Ann Example")
    expect(page.get_by_role("button", name="Make the deal")).to_be_disabled()
    page.get_by_label("Everybody agreed").check()
    page.get_by_role("button", name="Make the deal").click()
    expect(page.locator("#confirm-text")).to_contain_text("The deal holds")
    page.locator("#confirm-yes").click()
    said(page, "eal")
    assert any(one["event"]["type"].startswith("deal") for one in room.shown["log"])


def test_a_second_tap_where_a_prize_was_paid_pays_nobody_else(at_night: Open) -> None:
    room = with_a_prize_owed()
    page = at_night(room, "/station/prizes")
    page.evaluate(MOMENTS_HELD)
    pays = page.get_by_role("button", name="Pay: ")
    expect(pays).to_have_count(3)
    box = pays.first.bounding_box()
    assert box is not None
    tap = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*tap)
    expect(pays).to_have_count(2)
    said(page, "aid")
    page.mouse.click(*tap)
    page.evaluate("window.held.forEach((act) => act())")
    page.mouse.click(*tap)
    expect(pays).to_have_count(1)
    assert sum(one["event"]["type"] == "prize_paid" for one in room.shown["log"]) == 2


def test_a_stack_is_counted_and_what_differs_is_said(at_night: Open) -> None:
    room = running(6)
    page = at_night(room, "/station/chips")
    field = page.locator("#counts input").first
    field.fill("1,900")
    expect(page.locator("#counts small").first).to_have_text("100 less than by the records")
    page.get_by_role("button", name="Record the count").click()
    expect(page.locator("#differs")).to_contain_text("counted 1,900, by the records 2,000, 100 less")
    page.get_by_role("button", name="Correct: ").click()
    expect(page.locator("#confirm-text")).to_contain_text("2,000 becomes 1,900.")
    page.locator("#confirm-yes").click()
    expect(field).to_have_attribute("placeholder", "1,900")
    assert room.shown["chips"]["missing"] == 100


def test_all_pieces_of_a_value_are_entered_and_what_each_seat_gets_stands_there_before(at_night: Open) -> None:
    """rpl.tournaments.10"""
    room = running(6)
    page = at_night(room, "/station/chips")
    page.get_by_label("Chips of").fill("25")
    page.get_by_label("become").fill("100")
    for field, pieces in zip(page.locator("#odd input").all(), (5, 3, 8), strict=False):
        field.fill(str(pieces))
    page.keyboard.press("Tab")
    expect(page.locator("#colour-says")).to_contain_text("5 to bring to table 01. Table 01 is coloured up.")
    expect(page.locator("#colour-says")).to_contain_text("100 chips more are in play.")


def test_a_penalty_is_given_from_a_players_row_and_its_rule_is_a_link(at_night: Open) -> None:
    room = running(6)
    page = at_night(room, "/station/penalties?player=p2")
    page.get_by_label("Reason, or words").fill("profanity")
    expect(page.locator("#penalty-says a.rule")).to_have_attribute("href", "/rules#rpl.conduct.c")
    page.get_by_role("button", name="Give").click()
    expect(page.locator("#given")).to_contain_text("Bo Larsen")
    assert room.shown["penalties"]["p2"]


def test_an_empty_venue_leads_in_five_steps_to_cards_in_the_air(at_night: Open) -> None:
    room = NightRoom()
    page = at_night(room, "/station/start")
    page.get_by_label("Starting stack").fill("2000")
    page.get_by_role("button", name="Open the event").click()
    expect(page.locator("[data-step=players]")).to_have_attribute("data-state", "now")
    for no in range(1, 5):
        room.do("register_new", name=f"Walk In {no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    page.reload()  # what was done elsewhere is there: this book gives a seat with the entry
    page.get_by_role("button", name="Draw seats again").click()
    page.locator("#confirm-yes").click()
    page.locator("#start-do").get_by_role("button", name="Cards in the air").click()
    expect(page.locator("[data-step=start]")).to_have_attribute("data-state", "done")
    assert room.shown["started"]


def test_before_the_start_the_strip_begins_the_event_and_does_not_run_its_clock(at_night: Open) -> None:
    room = running(6, begun=False)
    page = at_night(room, "/station/players")
    toggle = page.locator("#toggle")
    expect(toggle).to_have_text("Cards in the air")
    toggle.click()
    expect(page.locator("#confirm-heading")).to_have_text("Cards in the air?")
    assert not room.station.clock.running
    page.locator("#confirm-yes").click()
    expect(toggle).to_have_text("Pause")
    assert room.shown["started"]


def test_find_leads_to_the_start_and_does_not_press_it(at_night: Open) -> None:
    """Nobody is missing: the press would be no question."""
    room = running(6, begun=False)
    page = at_night(room, "/station/clock?do=Cards in the air")
    button = page.locator("#clock-do").get_by_role("button", name="Cards in the air")
    expect(button).to_be_focused()
    assert not room.shown["started"]


@pytest.mark.parametrize(
    ("words", "path", "focus"),
    [
        ("sign-in sheet", "/signatures", ""),
        ("dinner", "/station/clock", "Take the break"),
        ("keep two apart", "/station/seats", "Keep apart"),
        ("close the event", "/station/start", "Cancel"),  # asks, and closes nothing
    ],
)
def test_find_knows_what_is_done_once_a_night(at_night: Open, words: str, path: str, focus: str) -> None:
    page = at_night(running(6), "/station/log")
    expect(page.locator("#log li").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}*")
    if focus:
        expect(page.locator(":focus")).to_have_text(focus)
