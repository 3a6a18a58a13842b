"""`python -m tests.display.air_gallery`: every element, state, layout and skin as pictures to look at.

`--only WORD` takes those whose names have the word. The pictures have transparency shown as a green cloth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from display.app import ELEMENTS, create_app
from display.push import Hub
from tests import chromium
from tests.display.air_states import STATES
from tests.display.conftest import Running

WIDE, TALL = (1920, 1080), (1080, 1920)
# A cloth under the picture, so that what is transparent is seen; the page's own styles stay as they are.
CLOTH = "html { min-height: 100vh; background: radial-gradient(circle at 50% 45%, #3a7d5d, #123524 75%) }"
OF_ELEMENT = {
    **dict.fromkeys(("release",), "release"),
    **dict.fromkeys(("equity", "hand", "outs", "pot", "board", "chips"), "all-in"),
    **dict.fromkeys(("lower-third", "ticker"), "everything"),
    "shot-clock": "clock-called",
    "stats": "stats",
    "break": "break",
}


# The typeface is there, and names were measured in it.
SETTLED = """async () => {
  await document.fonts.load('700 1em "Feltwire"');
  await document.fonts.ready;
  for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
}"""


class Shot(NamedTuple):
    name: str
    state: str
    path: str
    size: tuple[int, int] = WIDE


def shots() -> Iterator[Shot]:
    """Every picture of the gallery."""
    for state in STATES:
        yield Shot(f"whole-{state}", state, "/air/01")
    for element in ELEMENTS:
        yield Shot(f"element-{element}", OF_ELEMENT.get(element, "flop"), f"/air/01/{element}")
    for layout, size in (("heads-up", WIDE), ("vertical", TALL)):
        for state in ("preflop", "flop", "all-in", "showdown", "heads-up", "worst", "everything", "payouts"):
            yield Shot(f"{layout}-{state}", state, f"/air/01?layout={layout}", size)
    for skin in ("paper", "neon"):
        for state in ("preflop", "all-in", "showdown", "everything", "payouts", "stats"):
            yield Shot(f"{skin}-{state}", state, f"/air/01?skin={skin}")
    for name, query in (
        ("german", "lang=de"),
        ("blinds", "stack=bb"),
        ("thousands", "stack=k"),
        ("chroma", "bg=00ff00"),
        ("key", "out=key"),
        ("fill", "out=fill"),
        ("four-colours", "suits=4"),
    ):
        for state in ("preflop", "all-in", "everything"):
            yield Shot(f"{name}-{state}", state, f"/air/01?{query}")


def take(browser: Browser, hub: Hub, url: str, shot: Shot, path: Path) -> None:
    """Write the picture; a name that ends in `.jpg` makes it a small one."""
    for channel, data in STATES[shot.state]().channels().items():
        hub.publish(channel, data)
    width, height = shot.size
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page.goto(url + shot.path)
    page.locator("#air").wait_for()
    page.evaluate(SETTLED)
    if not any(word in shot.path for word in ("?bg=", "?out=")):
        page.add_style_tag(content=CLOTH)
    small: Any = {"type": "jpeg", "quality": 82} if path.suffix == ".jpg" else {}
    page.screenshot(path=path, animations="disabled", **small)
    page.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=Path("air-gallery"), help="the folder of the pictures")
    parser.add_argument("--format", choices=("png", "jpg"), default="png")
    parser.add_argument("--only", default="", help="pictures whose names have this word")
    args = parser.parse_args()
    wanted = [shot for shot in shots() if args.only in shot.name]
    if not wanted:
        print(f"no picture has {args.only!r} in its name", file=sys.stderr)
        return 2
    args.into.mkdir(parents=True, exist_ok=True)
    hub = Hub()
    server = Running(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
            for shot in wanted:
                path = args.into / f"{shot.name}.{args.format}"
                take(browser, hub, server.url, shot, path)
                print(path)
            browser.close()
    finally:
        server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
