"""The director's tournament page: a night from the first name to a bust, pressed in a browser, also on a phone."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from display.identity.signin import SignIn
from display.push import Hub
from feltwire.station.tournament.commands import FORMS
from feltwire.station.tournament.forms import command_view
from tests.display.conftest import Recorded
from tests.display.test_browser import Run, app_of, context, errors_of, hub, pytestmark
from tests.feltwire.night_room import NightRoom, publish_night

__all__ = ["context", "hub", "pytestmark"]

# Controls without a name that a screen reader says, and text smaller than its control.
NAMELESS = """() => [...document.querySelectorAll('button, input, select, a[href]')]
    .filter(node => node.checkVisibility() && !node.textContent.trim() && !node.labels?.length
        && !node.getAttribute('aria-label')).map(node => node.outerHTML)"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOO_LOW = """() => [...document.querySelectorAll('button, select, input:not([type=checkbox])')]
    .filter(node => node.checkVisibility() && node.getBoundingClientRect().height < 44).length"""


@pytest.fixture(scope="module")
def night() -> NightRoom:
    room = NightRoom()
    room.run_up(14, name="Friday")
    for _ in range(2):
        winner, loser, *_rest = sorted(room.tables["01"].sits)
        room.all_in("01", winner=winner, loser=loser)
        if len(room.shown["log"]) and room.shown["busts"] and not _confirmed(room):
            room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    return room


def _confirmed(room: NightRoom) -> bool:
    return any(one["event"]["type"] == "bust_confirmed" for one in room.shown["log"])


def publish(hub: Hub, room: NightRoom) -> None:
    hub.publish("commands", msgspec.json.encode(command_view(FORMS)))
    publish_night(hub, room)


@pytest.fixture
def page(context: BrowserContext, run_app: Run, hub: Hub, actions: Recorded, night: NightRoom) -> Page:
    signin = SignIn()
    publish(hub, night)
    url = run_app(app_of(hub, actions, signin)).url
    page = context.new_page()
    page.goto(url + signin.new_link())
    page.goto(url + "/tournament")
    expect(page.locator("#log li")).not_to_have_count(0)
    return page


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_page_fits_names_every_control_and_says_no_error(page: Page, size: tuple[int, int]) -> None:
    errors = errors_of(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.reload()
    expect(page.locator("#log li")).not_to_have_count(0)
    assert page.evaluate(TOO_WIDE) == 0
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(TOO_LOW) == 0
    assert errors == []


def test_the_money_of_the_event_its_deals_and_what_is_to_be_counted(page: Page, hub: Hub) -> None:
    room = NightRoom(("01",))
    house = {"starting_stack": 2_000, "buy_in": 20, "payouts": [60, 40], "fee_for_best_hand": 5}
    room.do("open", rulebook="rpl", house=house)
    for player in ("Ann", "Bo", "Cy"):
        room.do("register", player=player)
        room.do("enter", player=player)
    room.do("draw_seats", tables=["01"])
    room.do("start")
    _ = room.shown
    publish(hub, room)
    rows = page.locator("#money")
    expect(rows).to_contain_text("1 to go until the money, which is 18.00 at least.")
    expect(rows).to_contain_text("A deal, by chips: ")
    expect(rows).to_contain_text("Best hand of the night, 15.00: none was shown.")
    expect(rows).to_contain_text("Count table 01, start: seat")


def test_a_pending_bust_is_confirmed_and_a_record_undone(page: Page, actions: Recorded, night: NightRoom) -> None:
    bust = night.shown["busts"][0]
    page.get_by_role("button", name="Out", exact=False).first.click()
    expect(page.locator("#said")).to_have_text("confirm_bust: done")
    page.locator("#log").get_by_role("button", name="Undo").first.click()
    expect(page.locator("#said")).to_have_text("undo: done")
    assert ("confirm_bust", {"busts": [bust["bust"]]}) in actions.calls


def test_a_name_is_registered_and_any_command_has_a_form(page: Page, actions: Recorded) -> None:
    page.get_by_label("Name, or the id of a known player").fill("Ann Example")
    page.get_by_label("Age checked").check()
    page.get_by_role("button", name="Register", exact=True).click()
    expect(page.locator("#said")).to_have_text("register_new: done")
    page.locator("#any").select_option("reserve_seat")
    page.locator("#any-form [name=player]").fill("p1")
    page.locator("#any-form [name=at]").fill('{"table": "01", "seat": 9}')
    page.locator("#any-form button").click()
    expect(page.locator("#said")).to_have_text("reserve_seat: done")
    wanted = {"player": "p1", "at": {"table": "01", "seat": 9}}
    assert ("register_new", {"name": "Ann Example", "member": False, "adult": True}) in actions.calls
    assert ("reserve_seat", wanted) in actions.calls


def test_a_penalty_is_given_for_a_reason_of_the_book_and_the_page_says_what_the_book_has(
    page: Page, actions: Recorded
) -> None:
    form = page.locator("#penalty")
    form.locator("[name=player]").select_option("p2")
    form.locator("[name=reason]").fill("profanity")
    expect(page.locator("#penalty-says")).to_have_text("rpl.conduct.c: warning, then time out, then out.")
    form.locator("[name=minutes]").fill("5")
    form.get_by_role("button", name="Give").click()
    expect(page.locator("#said")).to_have_text("give_penalty: done")
    assert ("give_penalty", {"player": "p2", "reason": "profanity", "minutes": 5}) in actions.calls


def test_the_floor_reads_and_has_nothing_to_press(
    context: BrowserContext, run_app: Run, hub: Hub, night: NightRoom
) -> None:
    publish_night(hub, night)
    page = context.new_page()
    page.goto(run_app(app_of(hub, Recorded())).url + "/tournament")
    expect(page.locator("#log li")).not_to_have_count(0)
    assert page.locator("main button:visible").count() == 0


def test_a_list_of_players_is_sent_as_its_text(page: Page, actions: Recorded) -> None:
    file = {"name": "list.csv", "mimeType": "text/csv", "buffer": "name;member\nÅsa;yes\n".encode()}
    page.locator("#import input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Register the list").click()
    expect(page.locator("#import-said")).to_have_text("import_players: done")
    assert ("import_players", {"text": "name;member\nÅsa;yes\n", "part": False}) in actions.calls
