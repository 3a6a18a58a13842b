"""The sounds of the wall in a real browser, heard at the end of its audio graph. How far apart two screens are:
`python -m tests.display.wall_skew`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from display.app import create_app
from display.look import Look
from display.push import Hub
from table_core.messages import Beat, FieldMoment, Millis, RoomLook, WallSound, encode_page
from tests.display.conftest import Running
from tests.display.wall_heard import heard, listening, turn_on
from tests.display.wall_states import BOOT, clock, field

pytestmark = pytest.mark.browser
Run = Callable[..., Running]
SOUNDS = RoomLook(sounds=tuple(WallSound))


class Station:
    """A station whose time is this machine's: it beats, and publishes a clock when told to."""

    def __init__(self, run_app: Run, look: RoomLook = SOUNDS) -> None:
        held = Look(hub := Hub())
        held.take(look)
        self.hub = hub
        self.url = run_app(create_app(hub=hub, pages={"clock"}, venue="hall", tables=(), look=held)).url
        self._ends = threading.Event()
        self._beats = threading.Thread(target=self._beat, daemon=True)
        self._beats.start()

    @property
    def now(self) -> Millis:
        return Millis(int(time.monotonic() * 1000))

    def _beat(self) -> None:
        while not self._ends.wait(0.5):
            self.hub.publish("beat", encode_page(Beat(BOOT, self.now)))

    def clock(self, left_ms: int, *, entry: int = 4, running: bool = True) -> int:
        """How the clock stands; answers when the entry ends."""
        state = replace(clock(entry, left_ms, running=running), at=self.now)
        self.hub.publish("clock", encode_page(state))
        return state.at + left_ms

    def close(self) -> None:
        self._ends.set()
        self._beats.join()


@pytest.fixture
def station(run_app: Run) -> Iterator[Station]:
    made = Station(run_app)
    yield made
    made.close()


@pytest.fixture
def wall(browser: Browser, station: Station) -> Iterator[Page]:
    context = browser.new_context()
    page = listening(context)
    station.clock(1_000_000)
    page.goto(f"{station.url}/clock")
    expect(page.locator("#blinds")).to_have_text("200 / 400")
    yield page
    context.close()


def test_a_level_is_heard_when_it_begins(station: Station, wall: Page) -> None:
    turn_on(wall)
    station.clock(4_000)
    heard(wall, 2)
    expect(wall.locator("#level")).to_have_text("Level 5")


def test_a_minute_the_end_of_a_break_and_who_is_out_are_heard(station: Station, wall: Page) -> None:
    turn_on(wall)
    station.clock(63_000)
    heard(wall, 2)
    station.clock(7_000, entry=3)  # a person began the break
    heard(wall, 4)  # that it began, and that it is over
    moment = FieldMoment(1, WallSound.BUST, BOOT, Millis(station.now + 5_000))
    station.hub.publish("tournament", encode_page(replace(field(), moments=(moment,))))
    heard(wall, 5)


def test_what_was_planned_is_not_heard_once_the_clock_stands(station: Station, wall: Page) -> None:
    turn_on(wall)
    wall.wait_for_timeout(2_500)  # the sound that answered the press is over: silence before what comes
    station.clock(1_200)
    wall.wait_for_timeout(400)
    station.clock(700, running=False)
    moment = FieldMoment(1, WallSound.FINAL_TABLE, BOOT, Millis(station.now + 4_000))
    station.hub.publish("tournament", encode_page(replace(field(), moments=(moment,))))
    assert len(heard(wall, 2)) == 2, "the press and the final table; no level began"


def test_a_screen_where_nobody_pressed_is_silent_and_one_remembers_the_press(
    browser: Browser, station: Station, wall: Page
) -> None:
    assert wall.evaluate("window.heard.length") == 0
    assert wall.evaluate("localStorage.getItem('wall-sound')") is None
    turn_on(wall)
    wall.reload()
    expect(wall.locator("#sound")).to_have_text("Press here for sound")
    wall.mouse.click(300, 300)  # anywhere
    expect(wall.locator("#sound")).to_have_text("Sound off")
    station.clock(4_000)
    heard(wall, 1)


def test_a_sound_is_also_spoken_where_there_is_a_voice(browser: Browser, station: Station) -> None:
    context = browser.new_context()
    page = listening(context)
    page.add_init_script(  # this browser has no voice of its own
        "window.said = []; speechSynthesis.getVoices = () => [{}];"
        "speechSynthesis.speak = (one) => {"
        " window.said.push(one.text); document.body.setAttribute('data-said', ''); };"
    )
    station.clock(1_000_000)
    page.goto(f"{station.url}/clock")
    turn_on(page)
    station.clock(4_000)
    page.wait_for_selector("body[data-said]")
    assert page.evaluate("window.said") == ["Level 5, blinds 300 / 600"]
    context.close()
