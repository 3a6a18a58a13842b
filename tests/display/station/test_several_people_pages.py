"""Two directors at their pages: what one has not seen, and the PIN for money."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from argon2 import PasswordHasher
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from display.identity.access import Role
from display.identity.people import Person
from display.identity.signin import SignIn
from display.push import Hub
from tests.display.conftest import Recorded, Running
from tests.display.station.conftest import Heart
from tests.display.station.feeding import feed
from tests.display.station.nights import Station, running
from tests.display.test_browser import app_of, hub, pytestmark
from tests.feltwire.night_room import NightRoom

__all__ = ["hub", "pytestmark"]

PIN = "2718"


class Desk:
    """Maria's browser, with a PIN, before the station of `room`; what others do comes through the room."""

    def __init__(
        self, context: BrowserContext, run_app: Callable[..., Running], hub: Hub, room: NightRoom
    ) -> None:
        self.room = room
        self.station = Station(hub, room)
        signin = SignIn()
        self.url = run_app(app_of(hub, self.station, signin)).url
        pin = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PIN)
        session = signin.begin(signin.keep(Person("maria", "Maria", Role.TD, pin=pin)))
        context.add_cookies([{"name": signin.cookie, "value": session, "url": self.url}])
        self.page: Page = context.new_page()

    def open(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def another(self, command: str, **arguments: object) -> None:
        """Somebody else's press, and the pages draw it."""
        with self.station.elsewhere() as room:
            room.do(command, **arguments)


@pytest.fixture
def desk(context: BrowserContext, run_app: Callable[..., Running], hub: Hub, heart: Heart) -> Desk:
    room = running()
    room.do("register_new", name="Zoe Late", member=True, adult=True)
    return Desk(context, run_app, hub, room)


def test_an_entry_is_paid_with_the_pin_and_the_question_stays_until_it_is_right(desk: Desk) -> None:
    page = desk.open("/station/players")
    page.get_by_label("Filter").fill("late")
    page.locator("#players .next", has_text="Paid").first.click()
    page.locator("#confirm-yes").click()
    pin = page.get_by_label("PIN", exact=True)
    expect(pin).to_be_focused()
    assert pin.get_attribute("type") == "password"
    pin.fill("1111")
    page.keyboard.press("Enter")
    expect(page.locator("dialog.pin .fault")).to_have_text("That is not the PIN.")
    expect(page.locator("dialog.pin h2")).to_contain_text("Zoe Late")
    pin.fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Zoe Late")
    assert desk.room.entrant("p15")["status"] == "playing"
    desk.another("register_new", name="Yan Later", member=True, adult=True)
    page.locator("li", has_text="Yan Later").locator(".next").click()
    page.locator("#confirm-yes").click()
    expect(page.get_by_label("PIN", exact=True)).to_be_focused()  # each press asks anew
    page.get_by_role("button", name="Cancel").click()
    assert desk.room.entrant("p16")["status"] == "registered"


def commands(page: Page) -> list[str]:
    """The presses that the page sends from now on, by name."""
    sent: list[str] = []

    def hear(request: Request) -> None:
        if request.url.endswith("/director"):
            sent.append(request.post_data_json["command"])

    page.on("request", hear)
    return sent


def test_enter_pressed_twice_with_the_pin_pays_once(desk: Desk) -> None:
    page = desk.open("/station/players")
    page.get_by_label("Filter").fill("late")
    page.locator("#players .next", has_text="Paid").first.click()
    page.locator("#confirm-yes").click()
    pin = page.get_by_label("PIN", exact=True)
    pin.fill(PIN)
    sent = commands(page)
    pin.evaluate("(field) => { field.form.requestSubmit(); field.form.requestSubmit() }")
    expect(page.locator("#said")).to_contain_text("Zoe Late")
    page.get_by_label("Filter").fill("Zoe")
    page.locator("#players .who").first.click()
    expect(page.locator("#player-name")).to_have_text("Zoe Late")
    assert sent.count("enter") == 1


def test_a_question_that_is_cancelled_while_the_pin_is_under_way_does_nothing(desk: Desk) -> None:
    page = desk.open("/station/players")
    held: list[Route] = []
    page.route("**/pin", lambda route: held.append(route))
    page.get_by_label("Filter").fill("late")
    page.locator("#players .next", has_text="Paid").first.click()
    page.locator("#confirm-yes").click()
    page.get_by_label("PIN", exact=True).fill(PIN)
    sent = commands(page)
    with page.expect_request("**/pin"):
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Cancel").click()
    with page.expect_response("**/pin"):
        held[0].continue_()
    page.locator("#players .who").first.click()
    expect(page.locator("#player-name")).to_have_text("Zoe Late")
    assert "enter" not in sent
    assert desk.room.entrant("p15")["status"] == "registered"


def test_a_count_is_not_saved_over_another_and_is_saved_when_it_is_pressed_again(desk: Desk) -> None:
    page = desk.open("/station/chips")
    form = page.locator("#count")
    table, seat = desk.room.seat_of("p1")
    form.locator("[name=table]").select_option(table)
    field = form.locator(f"[name=stack-{seat}]")
    field.fill("15000")
    desk.another("count_stack", player="p1", stack=14_800)
    page.get_by_role("button", name="Record the count").click()
    fault = form.locator(".fault")
    expect(fault).to_contain_text("Not done, you had not seen this: Stack counted: Ann Example")
    expect(field).to_have_value("15000")
    page.get_by_role("button", name="Record the count").click()
    expect(page.locator("#said")).to_contain_text("Stack counted")
    expect(page.get_by_label("PIN", exact=True)).to_have_count(0)


def test_an_undo_is_read_before_it_is_done_and_is_refused_when_somebody_acted_meanwhile(desk: Desk) -> None:
    desk.another("leave", player="p1")
    page = desk.open("/station/log")
    page.get_by_role("button", name="Undo: Left: Ann Example").click()
    expect(page.locator("#confirm-text")).to_contain_text("Ann Example is back.")
    desk.another("keep_apart", one="p1", other="p2")
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_contain_text("Not done, you had not seen this: Kept apart: Ann Example")
    page.get_by_role("button", name="Undo: Left: Ann Example").click()
    page.locator("#confirm-yes").click()
    expect(page.locator("#said")).to_contain_text("Undone")
    assert not desk.room.entrant("p1")["away"]


def test_a_slip_that_was_left_open_has_the_new_seat_when_somebody_comes_back_to_it(desk: Desk) -> None:
    at = desk.room.entrant("p1")
    page = desk.open("/slips?player=p1")
    expect(page.locator(".seat")).to_have_text(f"Table {at['table']}, seat {at['seat']}")
    page.wait_for_load_state("networkidle")
    other = next(one for one in desk.room.shown["tables"] if one["table"] != at["table"])
    desk.another("confirm_move", player="p1", to={"table": other["table"], "seat": other["free"][0]}, why="sight")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".seat")).to_have_text(f"Table {other['table']}, seat {other['free'][0]}")


def test_what_only_the_director_decides_is_greyed_for_the_floor_and_says_so(
    context: BrowserContext, run_app: Callable[..., Running], hub: Hub, actions: Recorded, heart: Heart
) -> None:
    feed(hub, 3, "bust", "floor_call")
    signin = SignIn()
    url = run_app(app_of(hub, actions, signin)).url
    session = signin.begin(signin.keep(Person("ben", "Ben", Role.FLOOR)))
    context.add_cookies([{"name": signin.cookie, "value": session, "url": url}])
    page = context.new_page()
    page.goto(url + "/station")
    bust = page.locator(".item", has_text="out of chips")
    expect(bust.get_by_role("button", name="Out:")).to_be_disabled()
    expect(bust).to_contain_text("Greyed: the tournament director decides this.")
    bust.get_by_role("button", name="I'm on it").click()
    expect(bust.get_by_role("button", name="I'm on it")).to_be_enabled()
    expect(bust.get_by_role("button", name="Out:")).to_be_disabled()
    assert actions.calls == [("take_item", {"item": "bust-01"})]
    call = page.locator(".item", has_text="calls the floor")
    expect(call.locator("button.primary")).to_be_enabled()
    expect(call).not_to_contain_text("Greyed")
