"""The director's rulings in a real browser: raise, rule, dismiss and take back an incident. Works by keyboard; a
slip does nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from display.identity.signin import SignIn
from display.push import Hub
from feltwire.station.director.ruling_facts import OutThere, RulingFacts
from table_core.catalogue import find_rule
from table_core.messages import Decided, QueueView, Ruled, Seat, encode
from tests.display import fixtures
from tests.display.conftest import Recorded, Running
from tests.display.station.feeding import feed
from tests.display.test_browser import SIZES, app_of, context_of, errors_of, hub, pytestmark, room

__all__ = ["hub", "pytestmark", "room"]

GREYED = "Greyed: these are about one player. Choose the player first."
AT_02 = {"if_epoch": 3, "if_seq": 1240}  # as the table was when the director pressed


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext, run_app: Callable[..., Running], hub: Hub, actions: Recorded) -> Page:
    """The director's."""
    signin = SignIn()
    feed(hub, 3, "floor_call", "ruling")
    page = context.new_page()
    page.goto(run_app(app_of(hub, actions, signin)).url + signin.new_link())
    expect(rule(page)).to_be_visible()
    return page


def rule(page: Page) -> Locator:
    """The button of the open incident at table 02."""
    return page.get_by_role("button", name="Rule: String bet")


def raise_at(page: Page, table: str) -> Locator:
    """The dialog for what happened at a table, from its own page."""
    page.goto(urljoin(page.url, f"/station/table/{table}"))
    page.get_by_role("button", name="Ruling", exact=True).click()
    return page.get_by_role("dialog", name=f"What happened at table {table}?")


def test_the_open_incident_stands_in_the_queue_and_its_dialog_says_what_was_seen_and_what_the_book_allows(
    page: Page,
) -> None:
    expect(page.locator(".item", has_text="String bet")).to_contain_text("The table decides")
    rule(page).click()
    dialog = page.get_by_role("dialog", name="Table 02: String bet, seat 3")
    expect(dialog).to_be_visible()
    expect(dialog.locator("#ruling-seen li")).to_have_text(fixtures.STRING_BET.seen)
    expect(dialog.locator("#ruling-options li")).to_have_count(3)
    expect(dialog.locator("#ruling-options li").first).to_contain_text("wfp.procedures.19")
    expect(dialog.locator("#ruling-options li").first).to_contain_text("the default")
    expect(dialog.locator("#ruling-until")).to_have_text(
        "To be ruled in this hand. The game goes on. The table may decide too."
    )
    expect(dialog.locator("#ruling-history li")).to_have_text(["Seat 3: warning (wfp.decisions.8)"])
    expect(dialog.locator("#ruling-heading")).to_be_focused()


def test_one_press_rules_with_reason_ruler_note_and_what_the_page_had_shown(page: Page, actions: Recorded) -> None:
    rule(page).click()
    page.locator("dialog[open]").get_by_label("Reason").select_option("camera checked")
    page.get_by_label("Who rules").fill("Ann")
    page.get_by_label("Note").fill("both players heard it")
    page.get_by_role("button", name="a call only").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    expect(page.locator("#ruling")).to_be_hidden()
    (call,) = actions.calls
    assert call == (
        "rule",
        {
            "table": "02",
            "incident": "string_bet",
            "option": "call",
            "seat": 3,
            "ruler": "Ann",
            "reason": "camera checked",
            "note": "both players heard it",
            "question": fixtures.STRING_BET.question,
            **AT_02,
        },
    )
    page.reload()
    rule(page).click()
    expect(page.get_by_label("Who rules")).to_have_value("Ann")


def test_there_may_be_nothing_to_rule(page: Page, actions: Recorded) -> None:
    rule(page).click()
    page.get_by_role("button", name="Nothing to rule").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    assert actions.calls[0][1]["option"] == "dismiss"


def test_an_incident_is_raised_by_seat_and_name_and_its_ruling_opens_when_the_table_has_answered(
    page: Page, hub: Hub, actions: Recorded
) -> None:
    dialog = raise_at(page, "01")
    expect(dialog.get_by_role("button", name="String bet")).to_be_disabled()
    dialog.get_by_label("3 Priya").check()
    dialog.get_by_label("Find").fill("string")
    expect(dialog.get_by_role("button", name="Misdeal")).to_be_hidden()
    dialog.get_by_role("button", name="String bet").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    name, arguments = actions.calls[0]
    asked = {"table": "01", "incident": "string_bet", "seat": 3, "amount": None, "if_epoch": 3, "if_seq": 1234}
    assert (name, arguments) == ("rule", asked)
    answered = fixtures.rulings_view()
    tables = (fixtures.TableRuling("01", fixtures.STRING_BET, None), *answered.tables[1:])
    hub.publish("rulings", encode(fixtures.RulingsView(tables)))
    expect(page.get_by_role("dialog", name="Table 01: String bet, seat 3")).to_be_visible()


def test_the_enter_that_chooses_the_incident_does_not_open_the_sheet_again(page: Page, hub: Hub) -> None:
    """The button of the sheet gets the focus back while the key is still down. Names are those of the station."""
    hub.publish("names/01", msgspec.json.encode({"Priya": "Priya Nair"}))
    page.goto(urljoin(page.url, "/station/table/01"))
    expect(page.locator("#make-ruling")).to_be_enabled()
    page.locator("#make-ruling").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="What happened at table 01?")
    expect(dialog).to_contain_text("3 Priya Nair")
    page.keyboard.type("3 string bet")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    page.wait_for_timeout(100)
    expect(dialog).to_be_hidden()


def test_who_is_out_is_greyed_with_hand_and_place_and_a_folded_hand_with_what_it_does_not_allow(
    page: Page, actions: Recorded
) -> None:
    third = "You are in this hand. The book asks for a third person: let somebody else rule."
    actions.facts = RulingFacts(
        (
            OutThere(Seat(5), "Chen Wei", "Chen Wei", "bust pending, hand 118", pending=True),
            OutThere(Seat(10), "p7", "Ana", "out since hand 58, place 12", pending=False),
        ),
        {"string_bet": "Seat 4 has folded"},
        third,
        "ccp.commissioner.4",
    )
    dialog = raise_at(page, "01")
    expect(dialog.get_by_label("10 Ana")).to_be_disabled()
    expect(dialog.get_by_text("out since hand 58, place 12")).to_be_visible()
    undo = dialog.get_by_role("link", name="Undo the bust of Ana")
    expect(undo).to_have_attribute("href", "/station/players?player=p7&do=Undo+the+bust")
    expect(dialog.locator("#raise-third")).to_contain_text(third)
    dialog.get_by_label("4 Oluwaseun").check()
    expect(dialog.get_by_role("button", name="String bet Seat 4 has folded")).to_be_disabled()
    expect(dialog.get_by_role("button", name="Out of turn")).to_be_enabled()


def test_the_sheet_stays_when_its_incident_is_closed_at_the_table_and_says_so(
    page: Page, hub: Hub, actions: Recorded
) -> None:
    rule(page).click()
    options = page.locator("#ruling-options button")
    before = options.all_inner_texts()
    hub.publish("rulings", encode(fixtures.rulings_view(open_at_02=None)))
    over = re.compile(r"Table 02 has closed this, \d\d:\d\d:\d\d\. Close it here, or rule all the same\.")
    expect(page.locator("#ruling-over")).to_have_text(over)
    assert options.all_inner_texts() == before
    page.get_by_role("button", name="Nothing to rule").click()
    expect(page.locator("#ruling")).to_be_hidden()
    assert actions.calls == []


def test_what_is_pressed_on_a_sheet_never_rules_on_another_incident(
    page: Page, hub: Hub, actions: Recorded
) -> None:
    rule(page).click()
    was = fixtures.rulings_view().tables
    other = msgspec.structs.replace(fixtures.STRING_BET, question=99, incident="misdeal")
    tables = tuple(fixtures.TableRuling(one.table, other, None) if one.table == "02" else one for one in was)
    hub.publish("rulings", encode(fixtures.RulingsView(tables)))
    expect(page.locator("#ruling-over")).to_contain_text("Another incident is open there now.")
    page.locator("#ruling-options button").first.click()
    expect(page.locator("#confirm-text")).to_contain_text("Table 02 has closed this")
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    (ruled,) = [one.ruling for one in was if one.table == "02"]
    assert ruled is not None
    assert actions.calls[0][1]["incident"] == ruled.incident
    assert "question" not in actions.calls[0][1]


def test_a_sheet_whose_incident_another_has_decided_says_who_and_how(page: Page, hub: Hub) -> None:
    rule(page).click()
    by = Decided(f"ruling-02-{fixtures.STRING_BET.question}", "String bet", "Decided", "Ben (floor)", 800)
    hub.publish("queue", encode(QueueView((), (by,))))
    given = Ruled("string_bet", "call", "Seat 3: a call only", "wfp.procedures.19", Seat(3))
    was = fixtures.rulings_view().tables
    tables = tuple(fixtures.TableRuling("02", None, given) if one.table == "02" else one for one in was)
    hub.publish("rulings", encode(fixtures.RulingsView(tables)))
    over = re.compile(r"Ben \(floor\) has decided this, \d\d:\d\d:\d\d\. Seat 3: a call only\. Close it here")
    expect(page.locator("#ruling-over")).to_contain_text(over)


def test_the_player_who_acted_last_is_chosen_and_an_incident_about_no_one_is_about_no_one(
    page: Page, actions: Recorded
) -> None:
    actions.facts = RulingFacts((), {}, acted=Seat(3))
    dialog = raise_at(page, "01")
    expect(dialog.get_by_label("3 Priya")).to_be_checked()
    expect(dialog.get_by_text("acted last")).to_be_visible()
    dialog.get_by_role("button", name="The flop has four cards").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    assert actions.calls[-1][1]["seat"] is None
    dialog = raise_at(page, "01")
    expect(dialog.get_by_label("3 Priya")).to_be_checked()
    dialog.get_by_role("button", name="String bet").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    assert actions.calls[-1][1]["seat"] == 3


def test_find_asks_a_table_that_calls_the_floor_about_whoever_acted_last(page: Page, actions: Recorded) -> None:
    actions.facts = RulingFacts((), {}, acted=Seat(3))
    page.keyboard.press("/")
    find = page.get_by_role("dialog", name="Find")
    find.get_by_role("searchbox").fill("string bet")
    expect(find.get_by_role("listitem").first).to_have_text("String bet: table 03 seat 3 Priya, acted lastRuling")
    expect(find.get_by_text("String bet: table 02")).to_have_count(0)  # an incident is open there
    find.get_by_role("searchbox").fill("string bet chen")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("rule: done")
    ((_, asked),) = actions.calls
    assert (asked["table"], asked["incident"], asked["seat"]) == ("03", "string_bet", 5)


def test_the_directors_ruling_is_taken_back_by_a_press_and_its_confirmation(page: Page, actions: Recorded) -> None:
    page.goto(urljoin(page.url, "/station/table/01"))
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#confirm-no")).to_be_focused()
    expect(page.locator("#confirm-text")).to_contain_text("wfp.procedures.9")
    assert actions.calls == []
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#said")).to_have_text("take_back_ruling: done")
    assert actions.calls == [("take_back_ruling", {"table": "01", "ruler": "", "if_epoch": 3, "if_seq": 1234})]


def test_nobody_rules_on_a_busted_seat_and_what_is_greyed_says_why(page: Page, hub: Hub) -> None:
    out = fixtures.seat(1, stack=0, in_hand=False, folded=False, cards=())
    view = fixtures.table_view()
    hub.publish("table/01", encode(fixtures.table_view(as_of=1235, seats=(out, *view.seats[1:]))))
    dialog = raise_at(page, "01")
    expect(dialog.get_by_role("radio", name="1 Ines out of chips")).to_be_disabled()
    expect(dialog.get_by_role("radio", name="5 Chen Wei")).to_be_enabled()  # all-in, with nothing behind
    expect(dialog.locator("#raise-why")).to_have_text(
        "Greyed: these are about one player. Choose the player first."
    )
    dialog.get_by_label("5 Chen Wei").check()
    expect(dialog.locator("#raise-why")).to_have_text("")


def test_each_way_stands_with_the_words_of_its_rule(page: Page, hub: Hub) -> None:
    way = msgspec.structs.replace(fixtures.STRING_BET.options[0], rule="tda.16")
    ruling = msgspec.structs.replace(fixtures.STRING_BET, options=(way,))
    hub.publish("rulings", encode(fixtures.rulings_view(open_at_02=ruling)))
    rule(page).click()
    row = find_rule("tda.16")
    assert row is not None
    law = page.locator("#ruling-options .law")
    expect(law).to_have_count(1)  # also where the page hears of it with the dialog open
    expect(law).to_have_text(f"tda.16 {row.statement}")


def test_a_ruling_by_the_keyboard_alone(page: Page, actions: Recorded) -> None:
    rule(page).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ruling-heading")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#ruling")).to_be_visible()
    second = page.locator("#ruling-options button").nth(1)
    for _ in range(30):
        if second.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(second).to_be_focused()
    page.keyboard.press("Space")
    assert actions.calls == [], "a space bar rules nothing"
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("rule: done")
    assert actions.calls[0][1]["option"] == "call"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_both_dialogs_fit_the_screen_with_all_their_choices(page: Page, size: tuple[int, int]) -> None:
    errors = errors_of(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for opened, last in (
        (lambda: rule(page).click(), "#ruling-later"),
        (lambda: raise_at(page, "01"), "#raise-close"),
    ):
        opened()
        dialog = page.locator("dialog[open]")
        box = dialog.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
        lines = dialog.locator("input:visible").evaluate_all("all => all.map((one) => one.offsetHeight)")
        assert max(lines) < 60, "a field is one line high"
        page.locator(last).scroll_into_view_if_needed()
        expect(page.locator(last)).to_be_in_viewport()
        page.locator(last).click()
    assert errors == []


def test_a_viewer_sees_that_somebody_waits_and_nothing_of_an_open_incident(
    context: BrowserContext, room: Running, hub: Hub
) -> None:
    context.clear_cookies()  # nobody is signed in
    feed(hub, 3)
    page = context.new_page()
    page.goto(room.url + "/station")
    expect(page.locator("#tables").get_by_role("link", name="Table 02")).to_contain_text("Somebody waits")
    expect(page.get_by_role("button")).to_have_text(["By size", "Tiles", "Cells"])  # no press
    assert "String bet" not in page.content()
    refused = page.request.get(room.url + "/events?channel=rulings")
    assert refused.status == 403
    assert page.request.get(room.url + "/api/rulings").status == 403
    assert "String bet" not in refused.text()
