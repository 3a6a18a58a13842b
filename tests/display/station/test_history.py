"""What happened at a table, on the director's page: each recorded fact with its source, also after a reload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import (
    Chips,
    FactKind,
    FactView,
    LastPresses,
    NoticeView,
    PressView,
    Seat,
    TableHistory,
    encode,
)
from tests.display import fixtures
from tests.display.conftest import Recorded, Running
from tests.display.station.feeding import feed
from tests.display.test_browser import app_of, context_of, hub, pytestmark, room

__all__ = ["hub", "pytestmark", "room"]

WALL = "2026-11-20T21:40:12+00:00"
CALL = FactView(12, FactKind.ACTION, "Seat 2: call 50", "filled in, nobody keyed it", 34, WALL, inferred=True)
RAISE = FactView(13, FactKind.ACTION, "Seat 3: raise to 400", "keypad, declared", 34, WALL)
RULED = FactView(
    14, FactKind.RULING, "Ruling: a call only", "station", 34, WALL, by="Ann", rule="wfp.procedures.19"
)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext, run_app: Callable[..., Running], hub: Hub, actions: Recorded) -> Page:
    signin = SignIn()
    feed(hub, 3)
    hub.publish("history/01", encode(TableHistory("01", (CALL, RAISE, RULED))))
    page = context.new_page()
    page.goto(run_app(app_of(hub, actions, signin)).url + signin.new_link())
    page.goto(urljoin(page.url, "/station/table/01"))
    return page


def test_each_fact_has_its_source_in_words_the_newest_first_and_after_a_reload(page: Page) -> None:
    for _ in range(2):
        lines = page.locator("#log li")
        expect(lines).to_have_count(3)
        expect(lines.nth(0)).to_contain_text("Hand 34: station, by Ann")
        expect(lines.nth(0).get_by_role("link", name="wfp.procedures.19")).to_be_visible()
        expect(lines.nth(2)).to_contain_text("Seat 2: call 50")
        expect(lines.nth(2)).to_contain_text("filled in, nobody keyed it")
        page.reload()


def test_the_rule_of_a_ruling_is_read_without_leaving_the_table(page: Page) -> None:
    page.locator("#log").get_by_role("link", name="wfp.procedures.19").click()
    expect(page.get_by_role("dialog", name="wfp.procedures.19")).to_be_visible()


def test_what_was_taken_back_is_struck_and_readable_with_who_took_it_back(page: Page, hub: Hub) -> None:
    gone = FactView(13, FactKind.ACTION, "Seat 3: raise to 400", "keypad, declared", 34, WALL, taken_back="Ann")
    hub.publish("history/01", encode(TableHistory("01", (CALL, gone, RULED))))
    expect(page.locator("#log s")).to_have_text("Seat 3: raise to 400")
    expect(page.locator("#log li").nth(1)).to_contain_text("taken back by Ann")


def test_the_last_presses_have_what_came_of_each_and_what_was_taken_back_is_struck(page: Page, hub: Hub) -> None:
    gone = FactView(13, FactKind.ACTION, "Seat 3: raise to 400", "keypad, declared", 34, WALL, taken_back="keypad")
    hub.publish("history/01", encode(TableHistory("01", (CALL, gone, RULED))))
    raised = PressView(WALL, "keypad", "400 BET/RAISE", facts=(13,))
    nothing = PressView(WALL, "screen", "9 SEAT FOLD", by="Fay (floor)")
    hub.publish("presses/01", encode(LastPresses(3, (raised, nothing))))
    lines = page.locator("#presses li")
    expect(lines.nth(0)).to_contain_text("9 SEAT FOLD (screen, Fay (floor))nothing came of it at once")
    expect(lines.nth(1)).to_contain_text("400 BET/RAISE (keypad)")
    expect(lines.nth(1).locator("s")).to_have_text("Seat 3: raise to 400")


def test_a_count_is_asked_for_and_its_result_stands_beside_the_stack(
    page: Page, hub: Hub, actions: Recorded
) -> None:
    page.get_by_role("button", name="Ask for a count of seat 3").click()
    expect(page.locator("#said")).to_have_text("ask_count: done")
    assert actions.calls == [("ask_count", {"table": "01", "seat": 3})]
    asked = NoticeView(1240, "count_asked", "The director asks for a count: 3, SEAT, amount, COUNT", Seat(3))
    hub.publish("table/01", encode(fixtures.table_view(as_of=1240, notices=(asked,))))
    cell = page.locator("#stacks tr").nth(2).locator(".counted")
    expect(cell).to_contain_text("asked")
    words = "Seat 3 counted: 63,400, the books had 63,900"
    count = FactView(1242, FactKind.TABLE, words, "keypad", 118, WALL, seat=Seat(3), amount=Chips(63_400))
    hub.publish("history/01", encode(TableHistory("01", (CALL, count))))
    expect(cell).to_contain_text("63,400, the books had 63,900")
