"""The pages of a delay box: the clock for the camera is read in a real browser's picture; how the box is."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from display.delay.pages import box_app
from feltwire.delay_box.filmed_clock import read_clock
from feltwire.runtime.boottime import boot_millis
from tests.display.conftest import Running

SAID: dict[str, object] = {
    "delay_s": 2_400.0,
    "floor_s": "1800",
    "latency_ms": 320,
    "source_up": True,
    "output_up": False,
    "playing": False,
    "picture_in_s": 754.2,
    "holds_s": 1_645.8,
    "longest_s": 3_600,
    "used": 0.46,
    "slowest_ms": 4,
    "behind_ms": 0,
    "gaps": 2,
    "lost": 17,
    "why": ["the output takes no video"],
}


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (390, 844)])
def test_the_time_is_read_in_a_picture_of_the_page(
    browser: Browser, run_app: Callable[..., Running], size: tuple[int, int]
) -> None:
    """No older than the page's own question and the picture took."""
    server = run_app(box_app("Hall", boot_millis, lambda: SAID))
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{server.url}/delay/clock")
    expect(page.locator("#time")).not_to_have_text("–")
    before = boot_millis()
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    shown = read_clock(np.asarray(picture, np.uint8))
    assert shown is not None
    newest, oldest = boot_millis(), 5_000  # on a busy machine
    assert (newest - shown) % (1 << 24) <= newest - before + oldest
    page.close()


@pytest.mark.browser
def test_it_says_how_the_box_is(browser: Browser, run_app: Callable[..., Running]) -> None:
    said = dict(SAID)
    server = run_app(box_app("Hall", boot_millis, lambda: said))
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{server.url}/")
    expect(page.locator("#picture")).to_have_text("Black: the picture comes in 12:35.")
    expect(page.locator("#why")).to_have_text("the output takes no video")
    expect(page.locator("#delay")).to_have_text("2400 s")
    expect(page.locator("#slowest")).to_have_text("4 ms")
    expect(page.locator("#output")).to_have_text("takes nothing")
    said.update(playing=True, why=[], output_up=True, picture_in_s=0.0)
    expect(page.locator("#picture")).to_have_text("The picture is out.")
    expect(page.locator("#why li")).to_have_count(0)
    said.update(playing=False, picture_in_s=None, delay_s=None)
    expect(page.locator("#picture")).to_have_text("Black: no picture waits that may go out.")
    assert faults == []
    page.close()


def test_nothing_can_be_pressed_and_nothing_else_is_there(run_app: Callable[..., Running]) -> None:
    server = run_app(box_app("Hall", lambda: 7, lambda: SAID))
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/delay/now").json() == {"ms": 7}
        assert client.get("/delay/status").json() == SAID
        for path in ("/", "/delay", "/delay/clock", "/delay/now", "/delay/status"):
            assert client.post(path).status_code == 405
        for path in ("/table/01", "/picture/01", "/delay/picture", "/static/dealer/dealer.js"):
            assert client.get(path).status_code == 404
        assert "style-src 'self';" in client.get("/delay/clock").headers["content-security-policy"]
