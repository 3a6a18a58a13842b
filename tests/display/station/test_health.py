"""How a table's devices are: all of it on the station's page, on the dealer screen what the dealer can mend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import ClockSetting, DeviceFault, DeviceReadings, MachineReadings, TableHealth, encode
from table_core.projections.health import view_of
from tests.display.conftest import Recorded, Running
from tests.display.station.feeding import feed
from tests.display.test_browser import app_of, context_of, hub, pytestmark

__all__ = ["hub", "pytestmark"]

SHOE = DeviceReadings("shoe", 800, 210, 3, 0, 0, 210, 1, 2, faults=(DeviceFault.BEAM_2_COVERED,))
KEYPAD = DeviceReadings("keypad", 900, 88, 0, 0, 0, bounces=20)
HOT = MachineReadings(75, 0, 20_000, clock=ClockSetting.SET)


def said(*devices: DeviceReadings, machine: MachineReadings = HOT) -> bytes:
    return encode(view_of("01", TableHealth(3, machine, devices)))


@pytest.fixture
def open_page(
    browser: Browser, run_app: Callable[..., Running], hub: Hub, actions: Recorded
) -> Iterator[Callable[[str], Page]]:
    signin = SignIn()
    feed(hub, 3)
    with context_of(browser) as context:
        page = context.new_page()
        page.goto(run_app(app_of(hub, actions, signin)).url + signin.new_link())

        def opened(path: str) -> Page:
            page.goto(urljoin(page.url, path))
            return page

        yield opened


def test_the_director_reads_first_what_is_to_be_done(open_page: Callable[[str], Page], hub: Hub) -> None:
    page = open_page("/station/table/01")
    expect(page.locator("#health-none")).to_be_visible()
    hub.publish("health/01", said(KEYPAD, SHOE))
    lines = page.locator("#health li")
    expect(lines.nth(0)).to_contain_text("ShoeIts outer beam is covered. Clean it, take the card away.")
    expect(lines.nth(0)).to_have_attribute("data-colour", "red")
    expect(lines.nth(1)).to_contain_text("MachineIt is at 75 degrees. Give it air")
    expect(lines.nth(1)).to_have_attribute("data-colour", "yellow")
    expect(lines.nth(2)).to_contain_text("KeypadIt is heard. 0 messages sent again, 88 reports taken.")
    expect(lines).to_have_count(5)
    expect(page.locator("#health-none")).to_be_hidden()


def test_the_dealer_reads_what_the_dealer_can_mend(open_page: Callable[[str], Page], hub: Hub) -> None:
    page = open_page("/table/01")
    hub.publish("health/01", said(KEYPAD, SHOE))
    lines = page.locator("#notices li")
    expect(lines.first).to_have_text("The shoe: Its outer beam is covered. Clean it, take the card away.")
    expect(page.locator("#notices")).not_to_contain_text("75 degrees")
    hub.publish("health/01", said(KEYPAD, DeviceReadings("shoe", 800)))
    expect(page.locator("#notices")).not_to_contain_text("beam")
