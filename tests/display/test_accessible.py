"""axe-core finds no violation on any page or dialog, on a wide screen and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import CameraPicture, LastPresses, PressView, TableHealth, TableHistory, encode
from table_core.projections.health import view_of
from tests.display.conftest import Recorded, Running
from tests.display.preview import PICTURE
from tests.display.station.feeding import feed
from tests.display.station.test_health import HOT, SHOE
from tests.display.station.test_rewind import CALLED, RAISED, WALL
from tests.display.test_browser import app_of, context_of, hub, pytestmark

__all__ = ["hub", "pytestmark"]

PATHS = (
    *("/", "/clock", "/rules", "/announcements", "/people", "/audit", "/sign-in", "/pair"),
    *("/table/01", "/table/02", "/table/03", "/air/01", "/sensed/01"),
    *(
        "/station",
        "/station#tables",
        "/station/table/01",
        "/station/table/02",
        "/station/machines",
        "/station/wall",
    ),
)
DIALOGS = {  # page, what opens it
    "#raise": ("/station", ".item[data-severity=now] button.primary >> nth=0"),
    "#ruling": ("/station", ".item[data-severity=now] button.primary >> nth=1"),
    "#confirm": ("/station", "role=button[name=/^Move/]"),
    "#schedule": ("/station", "#levels"),
    "#find": ("/station", "#find-open"),
    "#resume": ("/station/table/01", "#set-hand"),
    "#rewind": ("/station/table/01", "#undo"),
}
ON_A_PHONE = {"#schedule": "Levels", "#find": "Find"}  # behind More
SIZES = ((1366, 768), (390, 844))


def violations(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    told = [f"{page.url}: {one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    return told + [f"{page.url}: two elements are #{one}" for one in sorted({*ids}) if ids.count(one) > 1]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def page(
    request: pytest.FixtureRequest, browser: Browser, run_app: Callable[..., Running], hub: Hub, actions: Recorded
) -> Iterator[Page]:
    feed(hub, 24)
    hub.publish("history/01", encode(TableHistory("01", (CALLED, RAISED))))
    hub.publish(
        "presses/01", encode(LastPresses(3, (PressView(WALL, "keypad", "4000 BET/RAISE", facts=(1232,)),)))
    )
    hub.publish("health/01", encode(view_of("01", TableHealth(3, HOT, (SHOE,)))))
    hub.publish("picture/01", encode(CameraPicture(3, "p-1", WALL, PICTURE)))
    signin = SignIn()
    url = run_app(app_of(hub, actions, signin)).url
    with context_of(browser, *request.param, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(url + signin.new_link())
        yield page


@pytest.mark.slow("axe reads eighteen pages")
def test_every_page(page: Page) -> None:
    url, found = page.url.split("/station")[0], []
    for path in PATHS:
        page.goto("about:blank")
        page.goto(url + path)
        found += violations(page)
    assert found == []


@pytest.mark.slow("axe reads seven dialogs")
def test_every_dialog_of_the_station(page: Page) -> None:
    url, found = page.url.split("/station")[0], []
    phone = (page.viewport_size or {})["width"] < 700
    for dialog, (path, opens) in DIALOGS.items():
        page.goto("about:blank")
        page.goto(url + path)
        if phone and dialog in ON_A_PHONE:
            page.get_by_role("button", name="More", exact=True).click()
            page.locator("#more").get_by_role("button", name=ON_A_PHONE[dialog]).click()
        else:
            page.locator(opens).click()
        page.locator(dialog).wait_for()
        found += violations(page)
    assert found == []


def test_a_large_room_and_a_room_that_is_not_heard(page: Page, hub: Hub) -> None:
    feed(hub, 200)
    page.reload()
    page.evaluate("location.hash = 'tables'")  # on a phone they are a page of their own
    page.locator("#list li").first.wait_for(state="attached")
    assert violations(page) == []
    page.locator("#link:not(:empty)").wait_for()  # nothing beats here
    assert violations(page) == []
