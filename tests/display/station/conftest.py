"""Pages of the station in a real browser, signed in as the director, and a station that beats."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import Beat, encode
from tests.display import fixtures
from tests.display.conftest import Recorded, Running
from tests.display.test_browser import app_of, context_of
from tests.feltwire.night_room import NightRoom


class Heart:
    """Beats on `hub` until `stop`, as the station does, and again after `start`. `room` is whose time it tells."""

    room: NightRoom | None = None

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._at = 5_000_000
        self.start()

    def start(self) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            station = self.room and self.room.station
            beat = Beat(station.boot, station.now) if station else fixtures.beat(self._at)
            self._hub.publish("beat", encode(beat))
            if self._stopped.wait(0.5):
                return
            self._at += 500


@pytest.fixture
def heart(hub: Hub) -> Iterator[Heart]:
    heart = Heart(hub)
    yield heart
    heart.stop()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with context_of(browser) as context:
        yield context


@pytest.fixture
def td(
    context: BrowserContext, run_app: Callable[..., Running], hub: Hub, actions: Recorded, heart: Heart
) -> Callable[..., Page]:
    """`td("/station")` opens a page as the director. Table 02 has a place in the room, far from 01."""
    signin = SignIn()
    url = run_app(app_of(hub, actions, signin, plan={"01": (1, 1), "02": (3, 5)})).url
    page = context.new_page()
    page.goto(url + signin.new_link())

    def open_page(path: str) -> Page:
        page.goto("about:blank")
        page.goto(url + path)
        return page

    return open_page
