"""`python -m tests.display.wall_gallery [FOLDER]`: the wall in every layout, state and size, as pictures.

`--only WORD` takes those whose names have the word, `--lang de x-long` other languages. What is cut, lies on
something else or is smaller than 1/25 of the height is said for each picture; exit status 1 where anything is.
`--distances` prints from how far each fact can be read.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from display.app import create_app
from display.look import Look
from display.push import Hub
from table_core.messages import WallLayout
from tests import chromium
from tests.display.conftest import PATIENCE_S, Running
from tests.display.wall_states import STATES, publish

SIZES = ((1920, 1080), (1366, 768), (1024, 600), (800, 480), (390, 844))
HELD = (WallLayout.BIG, WallLayout.DIRECTOR, WallLayout.BREAK, WallLayout.SEATING, WallLayout.FINAL)
SETTLED = """async () => {
  await document.fonts.load('700 1em "Feltwire"');
  await document.fonts.ready;
  await new Promise((done) => setTimeout(done, 450));
}"""
LOOKED = (Path(__file__).parent / "wall_looked.js").read_text("utf-8")


class Shot(NamedTuple):
    name: str
    state: str
    layout: WallLayout
    size: tuple[int, int]
    language: str = "en"


def shots(languages: tuple[str, ...] = ("en",)) -> Iterator[Shot]:
    """Every layout in every state; AUTO is what the wall chooses by itself."""
    for language in languages:
        for state in STATES:
            for layout in (WallLayout.AUTO, *HELD):
                for size in SIZES:
                    name = f"{state}-{layout}-{size[0]}x{size[1]}" + (f"-{language}" if language != "en" else "")
                    yield Shot(name, state, layout, size, language)


class Gallery:
    """One server for each state; `show` answers the page as it stands."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._servers: dict[str, Running] = {}
        self._pages: dict[tuple[int, int], Page] = {}

    def show(self, shot: Shot) -> Page:
        if shot.size not in self._pages:
            viewport = ViewportSize(width=shot.size[0], height=shot.size[1])
            self._pages[shot.size] = self._browser.new_context(viewport=viewport).new_page()
            self._pages[shot.size].set_default_timeout(PATIENCE_S * 1000)
        page, state = self._pages[shot.size], STATES[shot.state]
        if shot.state not in self._servers:
            look = Look(hub := Hub())
            look.take(state.look)
            app = create_app(hub=hub, pages={"clock"}, venue="hall", tables=(), title="Club", look=look)
            self._servers[shot.state] = Running(app)
        server = self._servers[shot.state]
        publish(server.hub, state, shot.layout)
        page.goto(f"{server.url}/clock?lang={shot.language}")
        if not state.beats:
            page.wait_for_selector("#alone:not([hidden])")
        page.evaluate(SETTLED)
        return page

    def close(self) -> None:
        for server in self._servers.values():
            server.stop()


PARTS = {
    "time": "#left",
    "blinds": "#blinds",
    "ante": "#ante",
    "level": "#level",
    "values of facts": "#facts dd",
    "their labels": "#facts dt",
    "prizes": "#prizes li",
    "what comes": "#coming li",
    "who went out": "#news li",
    "message": "#message",
}
# The height of a digit, as a share of the screen's, and of each part's letters; None where it is not shown.
HEIGHTS = """(parts) => Object.entries(parts).map(([name, selector]) => {
  const node = document.querySelector(selector);
  if (!node?.checkVisibility()) return [name, null];
  const style = getComputedStyle(node), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} 1000px Feltwire`;
  return [name, parseFloat(style.fontSize) * pen.measureText("8").actualBoundingBoxAscent / 1000 / innerHeight];
})"""
SCREEN_MM = 685.0  # height of a 55-inch screen, 16:9
ANGLES = (20, 16, 5)  # minutes of arc


def distances(gallery: Gallery) -> Iterator[str]:
    """Rows of a table: from how many metres each part is seen under those angles."""
    yield f"| layout | part | a digit has | {' | '.join(f'{angle}′' for angle in ANGLES)} |"
    yield f"|---|---|---|{'---|' * len(ANGLES)}"
    for layout in (WallLayout.DIRECTOR, WallLayout.BIG):
        page = gallery.show(Shot("", "last-minute", layout, SIZES[0]))
        for name, share in page.evaluate(HEIGHTS, PARTS):
            if share is not None:
                high = share * SCREEN_MM
                far = [high / 1_000 / math.tan(math.radians(angle / 60)) for angle in ANGLES]
                yield f"| {layout} | {name} | {high:.0f} mm | {' | '.join(f'{one:.1f} m' for one in far)} |"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/wall"))
    parser.add_argument("--only", default="")
    parser.add_argument("--distances", action="store_true")
    parser.add_argument("--lang", nargs="*", default=["en"])
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    faults = 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        gallery = Gallery(browser)
        if args.distances:
            print("\n".join(distances(gallery)))
            gallery.close()
            browser.close()
            return 0
        for shot in shots(tuple(args.lang)):
            if args.only not in shot.name:
                continue
            page = gallery.show(shot)
            wrong: list[str] = page.evaluate(LOOKED)
            page.screenshot(path=args.folder / f"{shot.name}.png")
            faults += bool(wrong)
            for words in wrong:
                print(f"{shot.name}: {words}", flush=True)
        gallery.close()
        browser.close()
    print(f"{faults} pictures with something wrong; they are in {args.folder}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
