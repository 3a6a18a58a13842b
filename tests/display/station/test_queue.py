"""The queue of the station: worst first, who comes, who decides, what was decided; by mouse, keys and phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from display.actions import ActionRefused
from display.push import Hub
from table_core.messages import ItemKind, Primary, QueueItem, QueueView, Severity, encode
from tests.display.conftest import Recorded
from tests.display.station.feeding import feed, item, queue
from tests.display.test_browser import hub, pytestmark

__all__ = ["hub", "pytestmark"]

Open = Callable[[str], Page]
NOTE_MOVED = """() => { window.moved = [];
    new MutationObserver((changes) => { for (const { target } of changes)
        if (target.matches('.item.just-moved') && !window.moved.includes(target)) window.moved.push(target) })
        .observe(document.querySelector('#items'), { subtree: true, attributeFilter: ['class'] }) }"""


def middle(node: Locator, aside: int = 0) -> tuple[float, float]:
    box = node.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2 + aside, box["y"] + box["height"] / 2


def test_items_stand_in_the_stations_order_with_where_what_how_old_and_who_decides(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station")
    items = page.locator("#items .item")
    expect(items).to_have_count(7)
    expect(items.first).to_contain_text("Table 05 has been silent for 1:12")
    expect(items.first.locator(".age")).to_have_text(re.compile(r"1:1[2-9]|1:[2-5]\d"))
    bust = page.locator(".item", has_text="Chen Wei is out of chips")
    expect(bust).to_contain_text("You decide")
    expect(bust.get_by_role("link", name="Table 01, seat 5")).to_have_attribute("href", "/station/table/01")
    expect(page.locator(".item", has_text="String bet")).to_contain_text("The table decides")
    expect(page.locator("#decided")).to_contain_text("A call only. String bet at table 09, seat 2")
    expect(page.locator("#decided")).to_contain_text("by the dealer of table 09")


def test_who_comes_is_seen_and_can_be_taken_back_by_that_person_only(
    td: Open, hub: Hub, actions: Recorded
) -> None:
    feed(hub, 24, "floor_call")
    page = td("/station")
    page.get_by_role("button", name="I'm on it: Table 03 calls").click()
    expect(page.locator("#said")).to_have_text("take_item: done")
    hub.publish("queue", queue("floor_call", taken_by="Fay", taken_ms_ago=4_000))
    expect(page.locator(".taken")).to_contain_text("Fay comes")
    expect(page.get_by_role("button", name="I take it over: Table 03")).to_be_visible()
    hub.publish("queue", queue("floor_call", taken_by="Director", taken_ms_ago=0))
    page.get_by_role("button", name="Not me after all: Table 03").click()
    page.get_by_role("button", name="Done: Table 03").click()
    expect(page.locator("#said")).to_have_text("done_item: done")
    about = {"item": "floor_call-03"}
    assert actions.calls == [("take_item", about), ("leave_item", about), ("done_item", about)]


def test_what_moves_somebody_is_asked_first_and_an_item_that_ended_is_gone(
    td: Open, hub: Hub, actions: Recorded
) -> None:
    feed(hub, 24, "move", "bust")
    page = td("/station")
    page.get_by_role("button", name="Move: Priya").click()
    expect(page.get_by_role("dialog", name="Move?")).to_contain_text("sits down at table 02 seat 8")
    expect(page.locator("#confirm-no")).to_be_focused()
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_have_text("confirm_move: done")
    page.get_by_role("button", name="Out: Chen Wei").click()
    expect(page.locator("#said")).to_have_text("confirm_bust: done")
    sure = "Priya gives up seat 2 at table 06 and sits down at table 02 seat 8."
    asked = {"player": "p3", "item": "move-06", "question": sure}
    assert actions.calls == [("confirm_move", asked), ("confirm_bust", {"busts": ["b1"]})]
    hub.publish("queue", queue("move"))
    expect(page.locator(".item", has_text="Chen Wei")).to_have_count(0)


def test_an_open_question_takes_no_yes_while_its_item_has_ended_or_asks_something_else(
    td: Open, hub: Hub, actions: Recorded
) -> None:
    feed(hub, 24, "move")
    page = td("/station")
    page.get_by_role("button", name="Move: Priya").click()
    yes, fault = page.locator("#confirm-yes"), page.locator("#confirm-fault")
    hub.publish("queue", queue("bust"))
    expect(fault).to_have_text("This has ended meanwhile.")
    expect(yes).to_be_disabled()
    other = {"label": "Move", "command": "confirm_move", "arguments": {"player": "p3"}, "confirm": "Seat 9?"}
    page.keyboard.press("y")
    hub.publish("queue", queue("move"))
    expect(yes).to_be_enabled()
    expect(fault).to_have_text("")
    hub.publish("queue", queue("move", primary=other))
    expect(fault).to_have_text("This has changed meanwhile. Cancel, and look again.")
    page.locator("#confirm-no").click()
    page.get_by_role("button", name="Move: Priya").click()
    expect(page.get_by_role("dialog", name="Move?")).to_contain_text("Seat 9?")
    yes.click()
    expect(page.locator("#said")).to_have_text("confirm_move: done")
    assert [given["question"] for _, given in actions.calls] == ["Seat 9?"]


def test_the_rules_of_an_item_of_what_is_asked_and_of_a_refusal_are_links(
    td: Open, hub: Hub, actions: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> str:
        raise ActionRefused("The deck stays, by home.suggest.c.", rule="wfp.decisions.9")

    monkeypatch.setattr(actions, "director", refused)
    asked = Primary("Changed", "change_deck", {"table": "02"}, "Another deck, by home.suggest.c?")
    fact = "Table 02 has played 60 minutes with its deck (home.suggest.c)."
    deck = QueueItem("deck-02", ItemKind.DECK, Severity.KNOW, fact, "02", primary=asked)
    feed(hub, 3)
    hub.publish("queue", encode(QueueView((deck,))))
    page = td("/station")
    expect(page.locator("#items .fact a.rule")).to_have_attribute("href", "/rules#home.suggest.c")
    page.get_by_role("button", name="Changed").click()
    expect(page.locator("#confirm-text")).to_have_text("Another deck, by home.suggest.c?")
    expect(page.locator("#confirm-text a.rule")).to_have_attribute("href", "/rules#home.suggest.c")
    page.locator("#confirm-yes").click()
    expect(page.locator("#said a.rule")).to_have_text(["home.suggest.c", "wfp.decisions.9"])


def test_done_can_be_undone_where_the_matter_lasts(td: Open, hub: Hub, actions: Recorded) -> None:
    feed(hub, 24)
    done = {"id": "floor_call-03", "fact": "Table 03 calls the floor", "outcome": "Done", "by": "Fay", "ms_ago": 0}
    snapshot = json.dumps({"items": [], "decided": [done | {"can_reopen": True}]}).encode()
    hub.publish("queue", snapshot)
    page = td("/station")
    page.get_by_role("button", name="Open again: Table 03 calls the floor").click()
    expect(page.locator("#said")).to_have_text("reopen_item: done")
    assert actions.calls == [("reopen_item", {"item": "floor_call-03"})]


def test_the_other_ways_to_settle_an_item_stand_beside_the_first_and_ask_too(
    td: Open, hub: Hub, actions: Recorded
) -> None:
    kept = {"bust": "b1", "player": "p3", "why": "has chips"}
    also = [{"label": "Not out", "command": "drop_bust", "arguments": kept, "confirm": "Chen Wei stays in?"}]
    feed(hub, 24)
    hub.publish("queue", queue("bust", also=also))
    page = td("/station")
    page.get_by_role("button", name="Not out: Chen Wei").click()
    expect(page.get_by_role("dialog", name="Not out?")).to_contain_text("Chen Wei stays in?")
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_have_text("drop_bust: done")
    asked = {"item": "bust-01", "question": "Chen Wei stays in?"}
    assert actions.calls == [("drop_bust", kept | asked)]


def test_an_item_whose_matter_goes_on_keeps_its_place_and_the_focus(td: Open, hub: Hub) -> None:
    feed(hub, 24, "floor_call", "bust")
    page = td("/station")
    page.get_by_role("button", name="Out: Chen Wei").focus()
    hub.publish("queue", queue("silent", "floor_call", "bust"))
    expect(page.locator(".item")).to_have_count(3)
    expect(page.get_by_role("button", name="Out: Chen Wei")).to_be_focused()


def test_the_list_does_not_move_under_a_mouse_and_says_what_is_new(td: Open, hub: Hub) -> None:
    feed(hub, 24, "floor_call", "bust")
    page = td("/station")
    items = page.locator("#items .item")
    expect(items).to_have_count(2)
    page.mouse.move(*middle(items.nth(1)))
    hub.publish("queue", queue("silent", "floor_call", "bust"))
    page.mouse.move(*middle(items.nth(1), 3))
    expect(page.locator("#items-fresh")).to_have_text("1 new")
    expect(items.first).to_contain_text("Table 03 calls the floor")
    page.mouse.move(0, 0)
    expect(items.first).to_contain_text("Table 05 has been silent")
    expect(page.locator("#items-fresh")).to_have_text("")


def test_of_a_hall_whose_line_is_cut_the_worst_hundred_are_shown_and_the_others_counted(
    td: Open, hub: Hub
) -> None:
    feed(hub, 500)
    silent = [
        item("silent", id=f"silent-{no}", table=f"{no:02}", fact=f"Table {no:02} is silent") for no in range(500)
    ]
    hub.publish("queue", json.dumps({"items": silent, "decided": []}).encode())
    page = td("/station")
    expect(page.locator("#items .item")).to_have_count(100)
    expect(page.locator("#items-more")).to_have_text("400 more items not shown")
    hub.publish("queue", queue("floor_call"))
    expect(page.locator("#items .item")).to_have_count(1)
    expect(page.locator("#items-more")).to_have_text("")


def test_an_item_that_ends_under_a_mouse_stays_and_takes_no_press(td: Open, hub: Hub) -> None:
    feed(hub, 24, "floor_call", "bust")
    page = td("/station")
    items = page.locator("#items .item")
    expect(items).to_have_count(2)
    page.mouse.move(*middle(items.first))
    hub.publish("queue", queue("bust"))
    page.mouse.move(*middle(items.first, 3))
    expect(items.first.locator(".taken")).to_have_text("Ended")
    expect(items.first.get_by_role("button", name="Done")).to_be_disabled()
    page.mouse.move(0, 0)
    expect(items).to_have_count(1)


def test_what_has_just_moved_takes_no_press_for_a_moment(td: Open, hub: Hub) -> None:
    feed(hub, 24, "floor_call", "bust")
    page = td("/station")
    items = page.locator("#items .item")
    expect(items).to_have_count(2)
    page.evaluate(NOTE_MOVED)
    hub.publish("queue", queue("silent", "floor_call", "bust"))
    expect(items).to_have_count(3)
    page.wait_for_function("window.moved.length === 3")
    expect(page.locator(".just-moved")).to_have_count(0)


def test_a_row_that_rests_takes_presses_while_others_go_on_moving(td: Open, hub: Hub) -> None:
    """Many busts at once: rows below come and go several times a second."""
    feed(hub, 3, "bust", "move")
    page = td("/station")
    expect(page.locator(".item")).to_have_count(2)
    others = [("bust", "move"), ("move", "bust")]
    hub.publish("queue", queue("silent", *others[0]))
    first = page.locator(".item.just-moved", has_text="silent")
    expect(first).to_have_count(1)
    for no in range(30):
        hub.publish("queue", queue("silent", *others[no % 2]))
        page.wait_for_timeout(100)
        if not first.count():
            break
    assert first.count() == 0


def test_the_focus_of_an_item_that_ends_goes_to_the_next(td: Open, hub: Hub) -> None:
    feed(hub, 24, "floor_call", "bust")
    page = td("/station")
    expect(page.locator("#items .item")).to_have_count(2)
    page.keyboard.press("j")
    hub.publish("queue", queue("bust"))
    expect(page.locator("#items .item")).to_have_count(1)
    expect(page.locator("#items .item")).to_be_focused()


def test_what_comes_while_a_sheet_is_open_is_counted_on_it(td: Open, hub: Hub) -> None:
    feed(hub, 24, "floor_call")
    page = td("/station")
    page.get_by_role("button", name="Rule: Table 03").click()
    sheet = page.get_by_role("dialog", name="What happened at table 03?")
    expect(sheet.get_by_role("searchbox")).to_be_focused()
    hub.publish("queue", queue("silent", "floor_call", "bust"))
    expect(sheet.locator(".more-wait")).to_have_text("2 more")
    expect(sheet.get_by_role("searchbox")).to_be_focused()


def test_the_queue_by_keys_alone(td: Open, hub: Hub, actions: Recorded) -> None:
    feed(hub, 24, "floor_call", "bust")
    page = td("/station")
    expect(page.locator(".item")).to_have_count(2)
    page.keyboard.press("j")
    expect(page.locator(".item").first).to_be_focused()
    page.keyboard.press("c")
    expect(page.locator("#said")).to_have_text("take_item: done")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("confirm_bust: done")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="What happened at table 03?")).to_be_visible()
    page.keyboard.press("Escape")
    for key in "pPs ":
        page.keyboard.press(key)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Go to table 42")
    assert [name for name, _ in actions.calls] == ["take_item", "confirm_bust"], "no bare key pauses"


def test_g_and_a_number_go_to_a_table_and_find_leads_to_a_player_a_table_and_the_rules(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station")
    expect(page.locator(".item")).to_have_count(7)
    for key in ("g", "2", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Table 02")).to_be_visible()
    expect(page.locator("#felt .seat")).to_have_count(9)
    page.keyboard.press("/")
    found = page.get_by_role("dialog", name="Find")
    found.get_by_role("searchbox").fill("raman")
    expect(found.get_by_role("link", name="Priya Raman, table 02 seat 3 Player")).to_be_visible()
    found.get_by_role("searchbox").fill("string bet")
    rules = found.get_by_role("link", name="Rules about “string bet”")
    expect(rules).to_have_attribute("href", "/rules?q=string%20bet")
    found.get_by_role("searchbox").fill("table 03")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Table 03")).to_be_visible()


def test_on_a_phone_the_queue_comes_first_and_the_tables_are_one_press_away(td: Open, hub: Hub) -> None:
    feed(hub, 24)
    page = td("/station")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#items")).to_be_visible()
    expect(page.locator("#tables")).to_be_hidden()
    bar = page.get_by_role("navigation", name="Pages on a phone")
    expect(bar.get_by_role("link", name="Queue")).to_have_text("Queue6")  # the seventh is only to know
    bar.get_by_role("link", name="Tables").click()
    expect(page.locator("#tables")).to_be_visible()
    expect(page.locator("#items")).to_be_hidden()
    bar.get_by_role("button", name="More").click()
    expect(page.get_by_role("dialog", name="All pages").get_by_role("link", name="Rules")).to_be_visible()


def test_a_phone_says_on_every_page_how_many_wait_for_somebody(td: Open, hub: Hub) -> None:
    feed(hub, 24, "move", "bust", "device")
    page = td("/station")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(page.url.removesuffix("/station") + "/station/prizes")
    link = page.get_by_role("navigation", name="Pages on a phone").get_by_role("link", name="Queue")
    expect(link).to_have_text("Queue2")
    hub.publish("queue", queue("device"))
    expect(link.locator(".count")).to_be_hidden()


def test_a_tap_takes_the_answer_away_that_lies_over_the_page(td: Open, hub: Hub) -> None:
    feed(hub, 24, "bust")
    page = td("/station")
    page.get_by_role("button", name="Out: Chen Wei").click()
    expect(page.locator("#said")).to_have_text("confirm_bust: done")
    page.locator("#said").click()
    expect(page.locator("#said")).to_be_hidden()


def test_a_press_whose_outcome_is_not_known_is_said_and_takes_no_second_one(td: Open, hub: Hub) -> None:
    feed(hub, 24, "bust")
    page = td("/station")
    page.route("**/director", lambda route: route.abort())
    page.route("**/press/*", lambda route: route.abort())
    out = page.get_by_role("button", name="Out: Chen Wei")
    out.click()
    expect(page.locator("#said")).to_have_text("Not known whether Confirm bust arrived. Asking.")
    expect(out).to_be_disabled()
