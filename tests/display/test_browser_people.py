"""People, pairing and the PIN in real browsers: two roles on two machines, and a screen that is paired."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, expect

from display.app import PAGES, create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from tests.display import fixtures
from tests.display.conftest import Asking, Recorded, Running, cookie_of
from tests.display.preview import publish_all
from tests.display.test_browser import context_of, pytestmark

__all__ = ["pytestmark"]
Run = Callable[..., Running]


def house(run_app: Run, actions: Recorded, pages: set[str], signin: SignIn) -> str:
    hub = Hub()
    publish_all(hub)
    app = create_app(
        hub=hub, pages=pages, venue=fixtures.VENUE, tables=fixtures.TABLES, actions=actions, signin=signin
    )
    return run_app(app).url


def test_the_director_lets_the_floor_in_who_rules_and_is_signed_out_again(
    browser: Browser, run_app: Run, actions: Recorded
) -> None:
    signin = SignIn()
    url = house(run_app, actions, PAGES, signin)
    with context_of(browser) as hers, context_of(browser, 390, 844) as his:
        for context in (hers, his):
            context.clear_cookies()
        ann, fay = hers.new_page(), his.new_page()
        ann.goto(url + signin.new_link())
        ann.goto(url + "/people")
        ann.get_by_label("Name", exact=True).fill("Fay")
        ann.get_by_label("Role").select_option("floor")
        ann.get_by_role("button", name="Let in").click()
        expect(ann.get_by_label("The link")).to_be_visible()
        fay.goto(ann.get_by_label("The link").input_value())
        fay.get_by_role("button", name="More").click()
        expect(fay.get_by_role("link", name="Fay")).to_be_visible()
        fay.locator("#more [data-close]").click()
        expect(fay.get_by_role("button", name="Pause")).to_have_count(0)
        expect(fay.get_by_role("button", name="Rule:").first).to_be_visible()
        ann.reload()
        row = ann.locator("li", has_text="Fay").filter(has_text="since")
        row.get_by_role("button", name="End").click()
        expect(ann.locator("#said")).to_have_text("Fay is signed out there.")
        expect(fay.get_by_role("heading", name="Not for viewers")).to_be_visible()  # by itself


def test_a_tablet_is_paired_on_the_tables_own_screen(browser: Browser, run_app: Run, actions: Recorded) -> None:
    signin = SignIn()
    url = house(run_app, actions, {"table"}, signin)
    name, _, value = cookie_of(signin, Role.DEALER, "01", "Screen of table 01").partition("=")
    with context_of(browser, 800, 480) as own, context_of(browser, 800, 480) as other:
        other.clear_cookies()
        own.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": "/"}])
        kiosk, tablet = own.new_page(), other.new_page()
        tablet.goto(url + "/table/01")
        tablet.get_by_role("link", name="Pair this screen").click()
        expect(tablet.locator("#code")).not_to_have_text("······")
        code = tablet.locator("#code").inner_text()
        kiosk.goto(url + "/sign-in")
        kiosk.get_by_label("Its name").fill("Tablet")
        kiosk.get_by_label("The code").fill(code)
        kiosk.get_by_role("button", name="Pair").click()
        tablet.wait_for_url("**/table/01")
        tablet.get_by_role("button", name="Floor").click()
        expect(tablet.get_by_role("button", name="Floor")).to_have_attribute("data-arrived", "yes")
    assert len(actions.calls) == 1


def test_a_screen_whose_session_ended_shows_the_table_and_how_to_get_its_keys_back(
    browser: Browser, run_app: Run, actions: Recorded
) -> None:
    signin = SignIn()
    url = house(run_app, actions, {"table", "sensed"}, signin)
    kiosk_person = signin.known("kiosk", "Screen of table 01", Role.DEALER, "01")
    with context_of(browser, 800, 480) as context:
        context.clear_cookies()
        kiosk = context.new_page()
        kiosk.goto(url + signin.new_link(kiosk_person))
        expect(kiosk.get_by_role("button", name="Floor")).to_be_visible()
        signin.end(signin.sessions()[0].id)
        expect(kiosk.get_by_role("button", name="Floor")).to_have_count(0)
        expect(kiosk.get_by_text("Hand ", exact=False).first).to_be_visible()
        expect(kiosk.get_by_role("link", name="Pair this screen")).to_be_visible()


def test_the_pin_is_asked_for_on_the_page_where_a_table_is_given_away(browser: Browser, run_app: Run) -> None:
    signin, actions = SignIn(), Asking({"hand_over": "a machine gets the table"})
    url = house(run_app, actions, PAGES, signin)
    with context_of(browser) as context:
        context.clear_cookies()
        page = context.new_page()
        page.goto(url + signin.new_link())
        page.goto(url + "/sign-in")
        page.get_by_label("The new PIN, 4 to 12 digits").fill("271828")
        page.get_by_role("button", name="Set").click()
        expect(page.locator("#said")).to_have_text("The PIN is set.")
        page.goto(url + "/station")
        page.get_by_role("button", name="Hand over").click()
        page.locator("#confirm-yes").click()
        asked = page.locator("dialog.pin")
        asked.get_by_label("PIN").fill("1111")
        asked.get_by_role("button", name="Go on").click()
        expect(asked.get_by_role("alert")).to_have_text("That is not the PIN.")
        asked.get_by_label("PIN").fill("271828")
        asked.get_by_role("button", name="Go on").click()
        expect(page.locator("#said")).to_have_text("hand_over: done")
    assert [call[0] for call in actions.calls] == ["hand_over"]
