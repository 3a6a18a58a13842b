"""The director's rulings in a real browser: raise, rule, dismiss and take back an incident, and hand a table to
another machine. Works by keyboard; a slip does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import encode
from tests.display import fixtures
from tests.display.conftest import Recorded, Running
from tests.display.test_browser import SIZES, app_of, browser, context_of, errors_of, hub, pytestmark, room

__all__ = ["browser", "hub", "pytestmark", "room"]

AT_02 = {"if_epoch": 3, "if_seq": 801}


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext, run_app: Callable[..., Running], hub: Hub, actions: Recorded) -> Page:
    """The director's."""
    signin = SignIn()
    page = context.new_page()
    page.goto(run_app(app_of(hub, actions, signin)).url + signin.new_link())
    expect(page.get_by_role("button", name="Ruling at table 02")).to_have_text("Rule")
    return page


def test_the_open_incident_stands_on_its_tile_and_its_dialog_says_what_was_seen_and_what_the_book_allows(
    page: Page,
) -> None:
    expect(page.locator(".tile", has_text="To rule: String bet, seat 3")).to_have_count(1)
    page.get_by_role("button", name="Ruling at table 02").click()
    dialog = page.get_by_role("dialog", name="Table 02: String bet, seat 3")
    expect(dialog).to_be_visible()
    expect(dialog.locator("#ruling-seen li")).to_have_text(fixtures.STRING_BET.seen)
    expect(dialog.locator("#ruling-ways li")).to_have_count(3)
    expect(dialog.locator("#ruling-ways li").first).to_contain_text("tda.56")
    expect(dialog.locator("#ruling-ways li").first).to_contain_text("the book's default")
    expect(dialog.locator("#ruling-until")).to_have_text("To be ruled in this hand. The game goes on.")
    expect(dialog.locator("#ruling-history li")).to_have_text(["Seat 3: warning (tda.71)"])
    expect(dialog.locator("#ruling-heading")).to_be_focused()


def test_one_press_rules_with_reason_ruler_note_and_what_the_page_had_shown(page: Page, actions: Recorded) -> None:
    page.get_by_role("button", name="Ruling at table 02").click()
    page.get_by_label("Reason").select_option("camera checked")
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
            "matter": "string_bet",
            "way": "call",
            "seat": 3,
            "ruler": "Ann",
            "reason": "camera checked",
            "note": "both players heard it",
            **AT_02,
        },
    )
    page.reload()
    page.get_by_role("button", name="Ruling at table 02").click()
    expect(page.get_by_label("Who rules")).to_have_value("Ann")


def test_there_may_be_nothing_to_rule(page: Page, actions: Recorded) -> None:
    page.get_by_role("button", name="Ruling at table 02").click()
    page.get_by_role("button", name="Nothing to rule").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    assert actions.calls[0][1]["way"] == "dismiss"


def test_an_incident_is_raised_by_seat_and_name_and_its_ruling_opens_when_the_table_has_answered(
    page: Page, hub: Hub, actions: Recorded
) -> None:
    page.get_by_role("button", name="Ruling at table 01", exact=True).click()
    dialog = page.get_by_role("dialog", name="What happened at table 01?")
    expect(dialog.get_by_role("button", name="String bet")).to_be_disabled()
    dialog.get_by_label("3 Priya").check()
    dialog.get_by_label("Find").fill("string")
    expect(dialog.get_by_role("button", name="Misdeal")).to_be_hidden()
    dialog.get_by_role("button", name="String bet").click()
    expect(page.locator("#said")).to_have_text("rule: done")
    name, arguments = actions.calls[0]
    asked = {"table": "01", "matter": "string_bet", "seat": 3, "amount": None, "if_epoch": 3, "if_seq": 1234}
    assert (name, arguments) == ("rule", asked)
    answered = fixtures.rulings_view()
    tables = (fixtures.TableRuling("01", fixtures.STRING_BET, None), *answered.tables[1:])
    hub.publish("rulings", encode(fixtures.RulingsView(tables)))
    expect(page.get_by_role("dialog", name="Table 01: String bet, seat 3")).to_be_visible()


def test_an_incident_that_is_closed_at_the_table_closes_here_before_anybody_rules_on_another(
    page: Page, hub: Hub, actions: Recorded
) -> None:
    page.get_by_role("button", name="Ruling at table 02").click()
    expect(page.locator("#ruling")).to_be_visible()
    hub.publish("rulings", encode(fixtures.rulings_view(open_at_02=None)))
    expect(page.locator("#ruling")).to_be_hidden()
    expect(page.locator("#said")).to_have_text("Table 02: the incident is closed.")
    assert actions.calls == []


def test_the_directors_ruling_is_taken_back_by_a_press_and_its_confirmation(page: Page, actions: Recorded) -> None:
    expect(page.locator(".tile").first).to_contain_text("Ruled: Seat 8: thrown forward with action behind, dead")
    page.get_by_role("button", name="Take back the ruling at table 01").click()
    expect(page.locator("#confirm-no")).to_be_focused()
    expect(page.locator("#confirm-text")).to_contain_text("tda.51")
    assert actions.calls == []
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#said")).to_have_text("take_back_ruling: done")
    assert actions.calls == [("take_back_ruling", {"table": "01", "ruler": "", "if_epoch": 3, "if_seq": 1234})]


def test_a_machine_that_asks_to_be_a_table_is_handed_it_by_a_press_and_its_confirmation(
    page: Page, actions: Recorded
) -> None:
    claim = page.locator("#alerts .claim")
    expect(claim).to_contain_text("Table 03: machine 3f2a claims it")
    claim.get_by_role("button", name="Hand over").click()
    expect(page.locator("#confirm-heading")).to_have_text("Hand table 03 over to machine 3f2a?")
    expect(page.locator("#confirm-text")).to_contain_text("heard 0:48 ago")
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_have_text("hand_over: done")
    assert actions.calls == [
        ("hand_over", {"table": "03", "ledger": fixtures.CLAIM.ledger, "key": fixtures.CLAIM.key})
    ]


def test_a_ruling_by_the_keyboard_alone(page: Page, actions: Recorded) -> None:
    page.get_by_role("button", name="Ruling at table 02").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ruling-heading")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#ruling")).to_be_visible()
    second = page.locator("#ruling-ways button").nth(1)
    for _ in range(30):
        if second.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(second).to_be_focused()
    page.keyboard.press("Space")
    assert actions.calls == [], "a space bar rules nothing"
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("rule: done")
    assert actions.calls[0][1]["way"] == "call"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_both_dialogs_fit_the_screen_with_all_their_choices(page: Page, size: tuple[int, int]) -> None:
    errors = errors_of(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for name, last in (("Ruling at table 02", "#ruling-later"), ("Ruling at table 01", "#raise-close")):
        page.get_by_role("button", name=name, exact=True).click()
        dialog = page.locator("dialog[open]")
        box = dialog.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
        assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
        page.locator(last).scroll_into_view_if_needed()
        expect(page.locator(last)).to_be_in_viewport()
        page.locator(last).click()
    assert errors == []


def test_a_viewer_sees_a_claim_and_nothing_of_an_open_incident(
    context: BrowserContext, room: Running, hub: Hub
) -> None:
    context.clear_cookies()  # nobody is signed in
    page = context.new_page()
    page.goto(room.url + "/station")
    expect(page.locator("#alerts li", has_text="machine 3f2a")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    assert "String bet" not in page.content()
    refused = page.request.get(room.url + "/events?channel=rulings")
    assert refused.status == 403
    assert page.request.get(room.url + "/api/rulings").status == 403
    assert "String bet" not in refused.text()
