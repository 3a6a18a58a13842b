"""How a dealer says it: by touch, by a keyboard beside the screen, by a keypad. Each way counts presses.

A seat, a key and the number of a ruling are presses; digits of an amount are counted apart. A key that lies behind
*More* costs its press, too.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod

from playwright.sync_api import Locator, Page

from firmware_bridge.sim import SimKeypad
from table_core.messages import Key
from tests.feltwire.processes import PATIENCE_S
from tests.jobs.table import READ_S

PATIENCE_MS = 30_000  # how long the page may take on a busy machine
LABELS = {
    Key.FOLD: "Fold",
    Key.CHECK_CALL: "Check / Call",
    Key.BET_RAISE: "Bet / Raise",
    Key.ALL_IN: "All-in",
    Key.STREET: "Street",
    Key.NEW_HAND: "New hand",
    Key.UNDO: "Undo",
    Key.AWARD: "Award",
    Key.SPLIT: "Split",
    Key.POT_PUSHED: "Pot pushed",
    Key.AWAY: "Away / back",
    Key.COUNT: "Count",
}
SIZES = {"1366x768": (1366, 768), "1024x600": (1024, 600), "800x480": (800, 480), "390x844": (390, 844)}


class NoKey(AssertionError):
    """This way has no key for it."""


class Way(ABC):
    """`presses` without the digits of amounts, which are `digits`."""

    def __init__(self) -> None:
        self.presses = self.digits = 0

    def amount(self, amount: int) -> None:
        """Types it: `1200` is 1, 2, 00."""
        for part in re.findall("000|00|[0-9]", str(amount)):
            self._digit(part)
            self.digits += 1

    @abstractmethod
    def _digit(self, digit: str) -> None: ...

    @abstractmethod
    def seat(self, no: int) -> None:
        """Names the seat for the key that follows."""

    @abstractmethod
    def key(self, key: Key) -> None: ...

    def wins_the_rest(self, no: int) -> None:
        """Says who wins what is left, where that is asked."""
        self.seat(no)
        self.key(Key.AWARD)

    @abstractmethod
    def rule(self, incident: int, option: str, seat: int) -> None:
        """Calls an incident up, about that seat, and takes the option that begins so."""


class Screen(Way):
    """What touch and keyboard have in common: the page."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self._pad = page.get_by_role("region", name="Keypad")

    def _button(self, name: re.Pattern[str]) -> Locator:
        return self._called(self.page, name)

    def _called(self, where: Page | Locator, name: str | re.Pattern[str]) -> Locator:
        return where.get_by_role("button", name=name, exact=True).locator("visible=true")

    def _wait_for_ruling(self, option: str) -> Locator:
        found = self._button(re.compile(option)).first  # its number and a full stop
        found.wait_for(timeout=PATIENCE_MS)
        return found


class Touch(Screen):
    """A finger on a screen of that size."""

    def _tap(self, what: Locator) -> None:
        what.tap(timeout=PATIENCE_MS)
        self.presses += 1

    def _digit(self, digit: str) -> None:
        self._pad.get_by_role("button", name=digit, exact=True).tap(timeout=PATIENCE_MS)

    def seat(self, no: int) -> None:
        self._tap(self._button(re.compile(f"^Seat {no}, ")).first)

    def key(self, key: Key) -> None:
        name = re.compile("^(Street|Action on )") if key is Key.STREET else LABELS[key]
        button = self._called(self._pad, name)
        if not button.count():
            self._tap(self._pad.get_by_role("button", name="More", exact=True))
            button = self._called(self.page, name).first
        with self.page.expect_response(re.compile("/touch$"), timeout=PATIENCE_MS):
            self._tap(button)

    def wins_the_rest(self, no: int) -> None:
        button = self.page.get_by_role("group", name="Who wins").get_by_role(
            "button", name=f"Seat {no}", exact=True
        )
        with self.page.expect_response(re.compile("/touch$"), timeout=PATIENCE_MS):
            self._tap(button)

    def rule(self, incident: int, option: str, seat: int) -> None:
        self._tap(self._button(re.compile("^Ruling$")).first)
        # It is likely, and so stands there about that seat.
        self._tap(self._button(re.compile(rf"^{incident}\b.*\bseat {seat}\b")).first)
        found = self._wait_for_ruling(option)
        time.sleep(READ_S)
        self._tap(found)


class Keyboard(Screen):
    """The number row and the letters of the keys; a seat is typed as its number."""

    _named = False  # a seat is typed

    def _press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.presses += 1

    def _digit(self, digit: str) -> None:
        for one in digit:
            self.page.keyboard.press(one)
        self.digits += len(digit) - 1

    def seat(self, no: int) -> None:
        self._press(str(no))
        self._named = True

    def amount(self, amount: int) -> None:
        if self._named:
            self._press(".")  # the number so far is a seat
        super().amount(amount)

    def key(self, key: Key) -> None:
        self._named = False
        button = self.page.locator(f'[data-key="{key.value}"][aria-keyshortcuts]')
        if not button.count():
            raise NoKey(f"the keyboard has no letter for {LABELS[key]}")
        letter = button.first.get_attribute("aria-keyshortcuts") or ""
        with self.page.expect_response(re.compile("/touch$"), timeout=PATIENCE_MS):
            self._press(letter.split(" ")[0])

    def rule(self, incident: int, option: str, seat: int) -> None:
        self.seat(seat)
        self._press("/")
        for digit in str(incident):
            self._press(digit)
        self._press("Enter")
        found = re.match("[0-9]+", self._wait_for_ruling(option).inner_text())
        assert found is not None, "an answer without a number"
        time.sleep(READ_S)
        self._press(found[0])
        self._press("Enter")


class Keypad(Way):
    """The bytes of a keypad with seat keys."""

    def __init__(self, keypad: SimKeypad) -> None:
        super().__init__()
        self._keypad = keypad

    def _down(self, key: Key) -> None:
        self._keypad.press(key)
        assert self._keypad.wait_acked(PATIENCE_S), "the table did not take the key"

    def _digit(self, digit: str) -> None:
        self._down(Key[f"D{digit}"])

    def seat(self, no: int) -> None:
        self._down(Key[f"SEAT_{no}"])
        self.presses += 1

    def key(self, key: Key) -> None:
        self._down(key)
        self.presses += 1

    def rule(self, incident: int, option: str, seat: int) -> None:
        self.seat(seat)
        for digit in str(incident):
            self._digit(digit)
            self.presses += 1
        self.key(Key.FLOOR)
        time.sleep(READ_S)
        self._digit(re.sub(r"\D", "", option) or "0")
        self.presses += 1
        self.key(Key.STREET)
