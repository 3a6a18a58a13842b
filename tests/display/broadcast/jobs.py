"""`python -m tests.display.broadcast.jobs`: a producer's jobs at the desk, each from a cold page in a browser.

They are those that somebody brings along who has worked with other graphics for poker. Each is done by mouse
(1366x768), by keys alone, and by touch on a tablet (820x1180). A step is a press, a field that is filled, a key,
or a scroll that is needed to see what is pressed next. `*` marks more than three.
Exit status: 0 every job ended right, 1 one did not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Error as PageError

from tests.display.broadcast.desk import Desk, a_desk
from tests.display.station.jobs.hands import Hand
from tests.job_runs import holds, run, steps_text

MOST = 3


class Producer(Hand):
    """By mouse. `by_key` is how keys alone do a job; a hand with a mouse presses what is seen."""

    def press_at(self, selector: str, name: str = "") -> None:
        found = self.page.locator(selector)
        self.press_on(found.get_by_role("button", name=name) if name else found)

    def write(self, selector: str, words: str) -> None:
        self.sees_first(self.page.locator(selector))
        self.steps += 1
        self._fill(self.page.locator(selector), words)

    def sees_first(self, field: Locator) -> None:
        """A scroll to its form, where the field is out of sight."""
        if not field.evaluate("node => node.getBoundingClientRect().bottom <= innerHeight"):
            self.steps += 1
            field.evaluate("node => (node.form ?? node).scrollIntoView({ block: 'center' })")

    def key(self, key: str) -> None:
        self.steps += 1
        self.page.keyboard.press(key)

    def types(self, words: str) -> None:
        self.steps += 1
        self.page.keyboard.type(words)


class OnTablet(Producer):
    way, size, touch = "tablet", (820, 1180), True


class ByKeys(Producer):
    way = "keyboard"


HANDS: Mapping[str, type[Producer]] = {kind.way: kind for kind in (Producer, ByKeys, OnTablet)}
Done = Callable[[Producer], None]


class Job(NamedTuple):
    """`right` is not so before; `keys`: how it is done without mouse and touch."""

    touch: Done
    keys: Done
    right: Callable[[Desk, Producer], bool]


def _cards_from_the_deal(hand: Producer) -> None:
    hand.press_at("#propose")
    hand.press_at("#delay", "Change")


def _delay(hand: Producer) -> None:
    hand.write("#delay input", "45:00")
    hand.press_at("#delay", "Change")


def _delay_by_keys(words: str) -> Done:
    def do(hand: Producer) -> None:
        hand.key("d")
        hand.types(words)
        hand.key("Enter")

    return do


def _third(hand: Producer) -> None:
    hand.press_at("#names", "Alexandra")
    hand.press_at("#third", "On air")


def _third_by_keys(hand: Producer) -> None:
    hand.key("n")
    hand.types("Alexandra")
    hand.key("Enter")


def _look(field: str, value: str) -> Done:
    def do(hand: Producer) -> None:
        hand.write(f"#{field}", value)
        hand.press_at("#take")

    return do


def _look_by_keys(key: str, typed: str) -> Done:
    def do(hand: Producer) -> None:
        hand.key(key)
        hand.types(typed)
        expect(hand.page.locator("#take")).to_be_enabled()
        hand.key("t")

    return do


def _element(name: str) -> tuple[Done, Done]:
    at = f'[data-element="{name}"]'
    return lambda hand: hand.press_at(at), lambda hand: hand.key(_key_of(hand, at))


def _key_of(hand: Producer, at: str) -> str:
    """The key that stands on the button."""
    return hand.page.locator(f"{at} kbd").inner_text().lower()


def _is(desk: Desk, element: str, on: bool) -> bool:
    return desk.relay.programme.on_air.elements == {element: on}


def _ticker(hand: Producer) -> None:
    hand.write("#ticker textarea", "Dinner until nine")
    hand.press_at("#ticker", "On air")


def _ticker_by_keys(hand: Producer) -> None:
    hand.key("b")
    hand.types("Dinner until nine")
    hand.key("Control+Enter")


def _vertical(hand: Producer) -> None:
    hand.write("#addresses [name=layout]", "vertical")
    hand.press_at("#urls li:first-child button")


def _scenes(hand: Producer) -> None:
    with hand.page.expect_download() as got:
        hand.press_at("#scenes")
    hand.page.evaluate("name => (document.body.dataset.got = name)", got.value.suggested_filename)


def _said(words: str) -> Callable[[Desk, Producer], bool]:
    return lambda desk, hand: words in hand.page.locator("#said").inner_text()


def _shown(desk: Desk) -> str:
    third = desk.relay.programme.on_air.lower_third
    return "" if third is None else third.title


JOBS: dict[str, Job] = {
    "cards from the deal on": Job(
        _cards_from_the_deal, _delay_by_keys("42:00"), lambda desk, _: desk.relay.delays == ["2520"]
    ),
    "change the delay": Job(_delay, _delay_by_keys("45:00"), lambda desk, _: desk.relay.delays == ["2700"]),
    "hide everything": Job(
        lambda hand: hand.press_at("#cut"),
        lambda hand: hand.key("x"),
        lambda desk, _: desk.relay.programme.on_air.cut,
    ),
    "lower third of a player": Job(_third, _third_by_keys, lambda desk, _: _shown(desk) == "Alexandra"),
    "another feature table": Job(
        _look("feature", "02"),
        _look_by_keys("f", "02"),
        lambda desk, _: desk.relay.programme.on_air.feature == "02",
    ),
    "heads-up plates": Job(
        _look("layout", "heads-up"),
        _look_by_keys("z", "he"),
        lambda desk, _: desk.relay.programme.on_air.layout == "heads-up",
    ),
    "statistics on": Job(*_element("stats"), lambda desk, _: _is(desk, "stats", True)),
    "payouts on": Job(*_element("payouts"), lambda desk, _: _is(desk, "payouts", True)),
    "board off": Job(*_element("board"), lambda desk, _: _is(desk, "board", False)),
    "ticker in a break": Job(
        _ticker, _ticker_by_keys, lambda desk, _: desk.relay.programme.on_air.ticker == ("Dinner until nine",)
    ),
    "address of a vertical output": Job(_vertical, _vertical, _said("/air/feature?layout=vertical")),
    "scenes for OBS": Job(
        _scenes, _scenes, lambda _, hand: "json" in str(hand.page.evaluate("document.body.dataset.got ?? ''"))
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    heading = f"{'job':30}{'way':10}{'steps':>6}{'wrong':>7}{'seconds':>9}  ended right"
    return run(argv, "python -m tests.display.broadcast.jobs", heading, JOBS, [*HANDS], done, steps_text)


def done(browser: Browser, job: Job, way: str) -> dict[str, Any]:
    """One job at a desk of its own, from a cold page."""
    kind = HANDS[way]
    width, height = kind.size
    with a_desk() as desk:
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=kind.touch, is_mobile=kind.touch
        )
        hand = kind(desk.producer(context))
        fresh, began, why = not job.right(desk, hand), time.monotonic(), ""
        try:
            (job.keys if way == ByKeys.way else job.touch)(hand)
        except (AssertionError, PageError) as error:
            why = str(error).partition("\n")[0]
        right = fresh and not why and holds(lambda: job.right(desk, hand))
        seconds = time.monotonic() - began
        context.close()
    name = next(name for name, one in JOBS.items() if one is job)
    line = {"job": name, "way": way, "steps": hand.steps, "few": hand.steps <= MOST, "wrong": hand.refused}
    return line | {"seconds": round(seconds, 1), "right": right, "why": why}


if __name__ == "__main__":
    sys.exit(main())
