"""`feltwire practise` as a new dealer meets it: a browser, the dealer's screen, the score at the end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from feltwire.lab.practise.practice import Practice
from table_core.messages import encode
from tests import chromium
from tests.feltwire.processes import PATIENCE_S

SIZES = ((1366, 768), (1024, 600), (390, 844))


@pytest.fixture
def chrome() -> Iterator[Browser]:
    assert chromium.PROGRAM, chromium.MISSING
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=chromium.PROGRAM, args=chromium.QUIET, timeout=PATIENCE_S * 1_000
        )


class Practising:
    """The process; `link` signs its dealer in."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "feltwire", "practise", "--no-browser", "--seed", "7", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found is not None, said
        self.link = found[0]

    def end(self) -> str:
        """Ctrl-C; the rest of what it says."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0
        return said


@pytest.fixture
def practising() -> Iterator[Practising]:
    running = Practising()
    with running.process:  # closes what it says
        yield running
        running.process.kill()


def key(page: Page, name: str) -> None:
    page.frame_locator("iframe").get_by_role("button", name=name, exact=True).click()


@pytest.mark.slow("a process and a browser")
def test_a_new_dealer_keys_the_first_hand_and_is_told_what_is_wrong(
    chrome: Browser, practising: Practising
) -> None:
    page = chrome.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_S * 1_000)
    page.goto(practising.link)
    newest = page.locator("#happened li").last
    expect(newest).to_contain_text("You pitch two cards")
    expect(page.locator("#keys")).to_have_text("Press: New hand")
    key(page, "New hand")
    expect(newest).to_contain_text(re.compile("Seat [0-9]"))
    wanted = page.locator("#keys").inner_text().removeprefix("Press: ")
    key(page, "All-in")
    expect(page.locator("#wrong")).to_contain_text("On record: seat")
    key(page, "Undo")
    expect(page.locator("#wrong")).to_be_hidden()
    for part in wanted.split(", "):
        if part.isdigit():
            for digit in part:
                key(page, digit)
        else:
            key(page, part)
    expect(page.locator("#hands")).to_contain_text("1 of 2 right")
    page.close()
    said = practising.end()
    assert re.search(r"1 of 2 right in 0 hands\. Lesson 1", said), said


@pytest.mark.slow("a process, and a browser of three sizes")
def test_nothing_of_the_page_is_cut_at_any_size(chrome: Browser, practising: Practising) -> None:
    context = chrome.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE_S * 1_000)
    page.goto(practising.link)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#keys")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (width, height)
        frame = page.locator("iframe").bounding_box()
        assert frame is not None
        assert frame["y"] + frame["height"] <= height + 1
        assert frame["height"] > height / 2, "the keys have most of it"
    context.close()


def test_what_is_called_wrongly_is_said_in_one_line() -> None:
    for arguments, words in ((["--players", "12"], "2 to 9"), (["--book", "nobody"], "--book")):
        called = [sys.executable, "-m", "feltwire", "practise", *arguments]
        wrong = subprocess.run(called, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert wrong.returncode == 2
        assert words in wrong.stderr
        assert wrong.stderr.count("\n") == 1


def test_the_score_is_one_object_of_json() -> None:
    shown = json.loads(encode(Practice("base", players=4, seed=3, now=lambda: 0).shown()))
    assert shown["lesson"].startswith("Lesson 1 of 3")
    assert shown["score"] == []
