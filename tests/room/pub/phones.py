"""Phones that are the keypads of tables: one in Chromium, others that send what the page sends."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from typing import Any, NamedTuple, Protocol, TypeVar

from playwright.sync_api import Page, Response, sync_playwright

from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.pace import PRESS_S, Pace
from feltwire.lab.simroom.dealer.screen import HttpScreen
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from table_core.messages import Key, TableView
from tests import chromium
from tests.feltwire.home.open_home import Browser, Refused
from tests.feltwire.processes import PATIENCE_S

T = TypeVar("T")
DIGITS = {Key(digit): str(digit) for digit in range(10)} | {Key.D00: "00", Key.D000: "000"}
TAKES_AMOUNT = (Key.BET_RAISE, Key.ALL_IN, Key.STREET)
TAKES_SEAT = (Key.FOLD, Key.CHECK_CALL, Key.TABLED, Key.MUCK, Key.AWARD, Key.TIME, Key.SPLIT, Key.AWAY)
BEHIND_MORE = (Key.SPLIT, Key.AWAY)
ANSWER_MS = 20
AGAIN, AGAIN_S = 20, 0.5  # a page that does not come is loaded again: the laptop may have been closed
GLANCE_S = 0.03  # a page hears of a change; whoever reads the snapshot again and again does not need it at once


class Touch(NamedTuple):
    """A key of the page with the digits before it; `taps` are what a thumb does for it."""

    digits: str
    key: Key
    taps: int


def touches_of(keys: tuple[Key, ...]) -> list[Touch]:
    """What is touched for these keys of a keypad."""
    found, digits, taps = list[Touch](), "", 0
    for key in keys:
        taps += 1
        if key in DIGITS:
            digits += DIGITS[key]
        else:
            found.append(Touch(digits, key, taps + (key in BEHIND_MORE)))
            digits, taps = "", 0
    assert not digits, f"no key takes {digits}"
    return found


class Phone(Protocol):
    """Asks to be let in, then touches. `refused` has what the table answered to touches that it did not take."""

    refused: list[str]

    def ask(self) -> str:
        """The digits that it shows."""
        ...

    def is_in(self) -> None:
        """Wait until it is the keypad."""
        ...

    def touch(self, touch: Touch) -> None: ...
    def close(self) -> None: ...


class PlainPhone:
    """Sends what the page sends, and waits for the answer."""

    def __init__(self, url: str, table: str) -> None:
        self.refused: list[str] = []
        self._browser = Browser(url)
        self._path = f"/table/{table}/touch"

    def ask(self) -> str:
        return self._browser.press("/admission", {})

    def is_in(self) -> None:
        while not self._browser.press("/admission/done", {}):
            pass

    def touch(self, touch: Touch) -> None:
        number = int(touch.digits) if touch.digits else None
        body: dict[str, Any] = {"key": int(touch.key)}
        if touch.key in TAKES_AMOUNT:
            body |= {"seat": None, "amount": number}
        elif touch.key in TAKES_SEAT:
            body |= {"seat": number}
        try:
            self._browser.press(self._path, body)
        except (Refused, OSError, HTTPException) as error:  # or in doubt: whoever taps looks at the screen
            self.refused.append(f"{touch.key.name}: {error}")

    def close(self) -> None:
        """It has nothing open."""


class ChromiumPhone:
    """Chromium of a phone's size, touched. Its thread is its own: Playwright wants that."""

    def __init__(self, url: str) -> None:
        self.refused: list[str] = []
        self._answers: list[Response] = []
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="phone")
        self._page = self._do(lambda: self._open(url))

    def _open(self, url: str) -> Page:
        assert chromium.PROGRAM, chromium.MISSING
        self._playwright = sync_playwright().start()
        self._chromium = self._playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        phone = self._chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        page = phone.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("response", self._answered)
        page.goto(url)
        return page

    def _answered(self, response: Response) -> None:
        if response.url.endswith("/touch"):
            self._answers.append(response)

    def _do(self, what: Callable[[], T]) -> T:
        return self._thread.submit(what).result()

    def ask(self) -> str:
        def ask() -> str:
            self._page.get_by_role("button", name="Ask the director").tap()
            self._page.locator("#digits").filter(has_text="").wait_for()
            self._page.wait_for_function("document.querySelector('#digits').textContent.length === 4")
            return self._page.locator("#digits").inner_text()

        return self._do(ask)

    def is_in(self) -> None:
        self._do(lambda: self._page.locator(".pad").wait_for())

    def touch(self, touch: Touch) -> None:
        self._do(lambda: self._touch(touch))

    def _touch(self, touch: Touch) -> None:
        for digit in _typed(touch.digits):
            self._page.locator(f'[data-digit="{digit}"]').tap()
        key = self._page.locator(f'[data-key="{int(touch.key)}"]:visible')
        if not key.count():  # a phone shows the keys of one state
            self._page.locator("#open-more").tap()
        self._answers.clear()
        key.first.tap()
        failed = self._page.locator("#banner.failed #says")
        deadline = time.monotonic() + PATIENCE_S
        while not self._answers:  # or the page says what became of the press, as after a stop
            assert time.monotonic() < deadline, f"{touch.key.name}: the page says nothing"
            said = failed.inner_text() if failed.count() else "Asking"
            if "Asking" not in said:
                self.refused.append(f"{touch.key.name}: {said}")
                return
            self._page.wait_for_timeout(ANSWER_MS)
        if self._answers[0].status != 200:
            self.refused.append(f"{touch.key.name}: {self._answers[0].status}")

    def close(self) -> None:
        def close() -> None:
            self._chromium.close()
            self._playwright.stop()

        self._do(close)
        self._thread.shutdown()


def _typed(digits: str) -> list[str]:
    """By the keys of the pad, of which two are several zeros."""
    head = digits.rstrip("0")
    zeros = len(digits) - len(head)
    if not head:
        return ["0"] if zeros else []
    return [*head, *["000"] * (zeros // 3), *[[], ["0"], ["00"]][zeros % 3]]


class PhoneHands(Hands):
    """A table that has nothing but a phone; `taps` on it are counted."""

    def __init__(self, phone: Phone, screen: HttpScreen, pace: Pace) -> None:
        super().__init__(
            felt=PhysicalFelt(),
            keypad=_NoDevice(),
            shoe=_NoDevice(),
            eye=None,
            screen=_Glances(screen, pace),
            pace=pace,
            decks=("the pub's",),
            tag=lambda _deck, _card: b"",
        )
        self.taps = 0
        self._phone = phone

    def press(self, *keys: Key) -> None:
        for touch in touches_of(keys):
            self.taps += touch.taps
            self._phone.touch(touch)
        self.pace.pause(PRESS_S)


class _NoDevice:
    def press(self, key: int) -> tuple[int, int]:
        raise AssertionError(f"there is no keypad to press {key} at")

    def deal(self, uid: bytes | None) -> tuple[int, int]:
        """The card leaves a deck that no reader sees."""
        del uid
        return 0, 0

    def wait_acked(self, timeout: float | None = None) -> bool:
        del timeout
        return True

    def unplug(self) -> None: ...
    def plug(self) -> None: ...


class _Glances:
    """The screen, looked at a few times a second."""

    def __init__(self, screen: HttpScreen, pace: Pace) -> None:
        self._screen, self._pace = screen, pace

    def read(self) -> TableView | None:
        self._pace.hold(GLANCE_S)
        for _ in range(AGAIN):
            if (view := self._screen.read()) is not None:
                return view
            self._pace.hold(AGAIN_S)
        return None
