"""`python -m tests.display.phone_gallery`: the player's phone in every state, size, language and ground.

`--only WORD` takes those whose names have the word.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright
from starlette.applications import Starlette

from display.app import create_app
from display.identity.signin import SignIn
from display.push import Hub
from tests import chromium
from tests.display.conftest import Running
from tests.display.phone_states import CODES, STATES, Desk, PhoneState, phones_of

SIZES = {"390": (390, 844), "360": (360, 640), "320": (320, 568), "landscape": (844, 390)}
SIGNIN = SignIn()


class Shot(NamedTuple):
    state: str
    size: str = "390"
    language: str = "en"
    ground: str = "dark"

    @property
    def name(self) -> str:
        return f"{self.state}-{self.size}-{self.language}-{self.ground}"


def shots() -> Iterator[Shot]:
    """Every picture of the gallery."""
    for state in STATES:
        yield Shot(state)
        yield Shot(state, ground="light")
        yield Shot(state, "320", "x-long")
    for state in ("proven", "longest", "who", "moves"):
        for size in SIZES:
            for language in ("en", "de", "es"):
                yield Shot(state, size, language)


def app_and_desk(hub: Hub) -> tuple[Starlette, Desk]:
    """A station's pages, and the desk behind them."""
    desk = Desk()
    desk.phones = phones_of(hub, SIGNIN, desk)
    app = create_app(hub=hub, pages={"clock"}, venue="hall", tables=(), signin=SIGNIN, phones=desk.phones)
    return app, desk


def opened(browser: Browser, hub: Hub, url: str, shot: Shot) -> Page:
    """The page in the state and size of a shot, drawn."""
    state: PhoneState = STATES[shot.state]()
    state.publish(hub)
    width, height = SIZES[shot.size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="light" if shot.ground == "light" else "dark",
        reduced_motion="reduce",
    )
    page = context.new_page()
    if state.proven:
        name = f"{SIGNIN.cookie}-player"
        context.add_cookies([{"name": name, "value": CODES.proof("p7"), "url": url}])
    if state.known and not state.proven:
        page.add_init_script("localStorage.setItem('feltwire-player', 'p7')")
    page.goto(f"{url}/me?lang={shot.language}")
    page.locator("#phone[data-drawn=true]").wait_for()
    page.evaluate("document.fonts.ready")
    return page


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=Path("phone-gallery"), help="folder (default: phone-gallery)")
    parser.add_argument("--only", default="", help="pictures whose names have this word")
    args = parser.parse_args(argv)
    if not chromium.PROGRAM:
        print(chromium.MISSING, file=sys.stderr)
        return 2
    args.to.mkdir(parents=True, exist_ok=True)
    hub = Hub()
    server = Running(app_and_desk(hub)[0])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        for shot in shots():
            if args.only in shot.name:
                page = opened(browser, hub, server.url, shot)
                page.screenshot(path=args.to / f"{shot.name}.png", full_page=True)
                page.context.close()
        browser.close()
    server.stop()
    print(f"pictures are in {args.to}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
