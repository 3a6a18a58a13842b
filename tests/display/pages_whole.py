"""Every page at every size in every language: nothing overlaps, is cut or scrolls sideways.

    python -m tests.display.pages_whole [--size 390x844] [--to DIR]    the whole; DIR: a picture of each

A page that has no catalogue is looked at in English alone. The dealer screen has a test for each of its states
(`test_dealer_screen_whole.py`), and so have the walls (`test_wall.py`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from display.identity.signin import SignIn
from display.language import LANGUAGES
from display.push import Hub
from tests import chromium
from tests.display.conftest import Recorded, Running
from tests.display.preview import publish_all
from tests.display.station.feeding import feed
from tests.display.test_accessible import PATHS
from tests.display.test_browser import app_of, context_of

SIZES = ((1920, 1080), (1366, 768), (1024, 600), (800, 480), (390, 844))
WRONG = Path(__file__).with_name("pages_whole.js").read_text("utf-8")
SETTLE_MS = 400  # after the load: a page draws its snapshots as they come
NOT_HERE = ("/air/01",)  # always 1920×1080 and without words of a catalogue


def look_at(page: Page, url: str, pictures: Path | None = None) -> dict[str, list[str]]:
    """What is wrong with each page at the window's size, by its address."""
    found = {}
    for path in PATHS:
        if path in NOT_HERE:
            continue
        for language in LANGUAGES:
            base, _, place = path.partition("#")
            asked = f"{base}?lang={language}{'#' + place if place else ''}"
            page.goto("about:blank")
            page.goto(url + asked)
            page.wait_for_timeout(SETTLE_MS)
            if language != "en" and page.evaluate("document.documentElement.lang") == "en":
                break
            wrong = page.evaluate(WRONG)
            if wrong:
                found[asked] = wrong
            if pictures is not None:
                size = page.viewport_size or {}
                name = f"{base.strip('/').replace('/', '-') or 'first'}{place}-{language}-{size.get('width')}.png"
                page.screenshot(path=pictures / name)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--size", choices=[f"{width}x{height}" for width, height in SIZES])
    parser.add_argument("--to", type=Path, metavar="DIR", help="a picture of each page")
    args = parser.parse_args()
    hub, signin, wrong = Hub(), SignIn(), 0
    publish_all(hub)
    feed(hub, 24)
    server = Running(app_of(hub, Recorded(), signin))
    if args.to is not None:
        args.to.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        for width, height in SIZES:
            if args.size not in (None, f"{width}x{height}"):
                continue
            with context_of(browser, width, height) as context:
                page = context.new_page()
                page.goto(server.url + signin.new_link())
                for asked, words in look_at(page, server.url, args.to).items():
                    wrong += len(words)
                    print(f"{width}x{height} {asked}: {'; '.join(words)}", flush=True)
        browser.close()
    server.stop()
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
