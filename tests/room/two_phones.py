"""From nothing to the first hand at two tables of a room at home, with two telephones: steps, presses, seconds.

    python -m tests.room.two_phones

Real browsers: the director's on this machine, two telephones of 390 by 844 that open the printed addresses. A step
is what a person sets out to do; a press is a click, or a field or a line that is typed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests import chromium
from tests.feltwire.home.open_home import OpenHome
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base

PHONE = {"width": 390, "height": 844}
MOST_STEPS, MOST_S = 5, 300.0
NAMES = ("Ann Example", "Bo Example", "Cay Example", "Dee Example")


class Report(NamedTuple):
    steps: list[str]
    presses: int
    seconds: float


class _Person:
    """Who presses, in whichever browser: each press is counted."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.steps: list[str] = []
        self.presses = 0
        self._began = time.monotonic()
        self._say = say

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def step(self, words: str) -> None:
        self.steps.append(words)
        self._say(f"{self.seconds:5.1f} s  {len(self.steps)}. {words}")

    def click(self, page: Page, name: str) -> None:
        page.get_by_role("button", name=name).first.click()
        self.presses += 1

    def type(self, page: Page, label: str, text: str) -> None:
        page.get_by_label(label).first.fill(text)
        self.presses += 1


def play(folder: Path, say: Callable[[str], object] = print, *, broker: tuple[str, ...] = ()) -> Report:
    """Raise where something does not come in time, or a hand does not begin at a table."""
    person = _Person(say)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        person.step("feltwire home opens the room, and the director's browser")
        person.presses += 1
        with OpenHome(folder, "--tables", "2", "--port", str(free_base()), *broker) as room:
            director = _page(browser, {"width": 1280, "height": 800})
            director.goto(room.addresses["station"]["link"])
            origin = room.addresses["station"]["link"].split("/sign-in")[0]
            _open_the_event(person, director, origin)
            phones = [_let_in(person, browser, director, origin, room, table) for table in ("01", "02")]
            person.step("New hand, at each table")
            for phone in phones:
                phone.locator("#next", has_text="NEW HAND").wait_for()  # seats and level have come to the table
                person.click(phone, "New hand")
            for phone in phones:
                phone.get_by_text("Hand 1", exact=False).first.wait_for()
                assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            seconds = person.seconds
            for table in ("01", "02"):
                room_says = director.request.get(f"{origin}/api/table/{table}").json()
                assert room_says["hand"] == 1, room_says
            browser.close()
            assert room.end() == 0
    return Report(person.steps, person.presses, seconds)


def _page(browser: Browser, size: dict[str, int]) -> Page:
    page = browser.new_context(viewport={"width": size["width"], "height": size["height"]}).new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    return page


def _open_the_event(person: _Person, page: Page, origin: str) -> None:
    person.step("Open the event: its form, names, seats, cards in the air")
    page.goto(f"{origin}/station/start")
    person.type(page, "Starting stack", "5000")
    person.type(page, "Seats at a table", "2")
    person.click(page, "Open the event")
    page.locator("[data-step=open]", has_text="Done.").wait_for()
    page.goto(f"{origin}/station/players")
    page.locator("#register").wait_for()
    for no, name in enumerate(NAMES, 1):
        page.get_by_label("Register: a name").fill(name)
        if not page.get_by_label("Paid", exact=True).first.is_checked():
            page.get_by_label("Paid", exact=True).first.check()
        page.get_by_role("button", name="Register", exact=True).click()
        person.presses += 2
        page.locator("#players > li").nth(no - 1).wait_for()
    page.goto(f"{origin}/station/start")
    person.click(page, "Draw seats")
    page.locator("[data-step=seats]", has_text="seated at 2 tables").wait_for()
    person.click(page, "Draw the buttons")
    page.locator("[data-step=seats]", has_text="Done.").wait_for()
    person.click(page, "Cards in the air")
    sure, runs = page.locator("#confirm-yes"), page.locator("[data-step=start]", has_text="The clock runs")
    sure.or_(runs).filter(visible=True).first.wait_for()
    if sure.is_visible():  # what nobody has set yet is named first
        sure.click()
        person.presses += 1
    runs.wait_for()


def _let_in(person: _Person, browser: Browser, director: Page, origin: str, room: OpenHome, table: str) -> Page:
    person.step(f"A phone becomes the keypad of table {table}: it asks, one press lets it in")
    phone = _page(browser, PHONE)
    phone.goto(room.addresses[f"table {table}"]["url"])  # what its code holds
    person.click(phone, "Ask the director")
    phone.locator("#digits").wait_for()
    phone.wait_for_function("document.querySelector('#digits').textContent.trim().length === 4")
    digits = phone.locator("#digits").inner_text().strip()
    director.goto(f"{origin}/station")
    person.click(director, f"Let {digits} in")
    phone.get_by_role("button", name="New hand", exact=True).wait_for()
    return phone


def main() -> int:
    argparse.ArgumentParser(prog="python -m tests.room.two_phones", description=__doc__).parse_args()
    if not chromium.PROGRAM:
        print(chromium.MISSING, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="feltwire-two-phones-") as folder:
        report = play(Path(folder) / "room")
    print(f"{len(report.steps)} steps, {report.presses} presses, {report.seconds:.0f} s to a hand at each table")
    return 0 if len(report.steps) <= MOST_STEPS and report.seconds <= MOST_S else 1


if __name__ == "__main__":
    sys.exit(main())
