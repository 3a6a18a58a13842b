"""The dealer screen on the screens that rooms mount, with the most that it ever holds: nothing has to be scrolled
for, nothing lies on a key, and a finger meets the key that it aims at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from display.push import Hub
from table_core.messages import TableView, encode
from tests.display import fixtures
from tests.display.conftest import Running
from tests.display.crowded import CROWDED, OPEN_RULING
from tests.display.test_browser import app_of, context_of, hub, pytestmark, room

__all__ = ["app_of", "hub", "pytestmark", "room"]

PI_TOUCH = (800, 480)  # 155 by 86 mm: 9 mm are 47 pixels across and 50 down
LANDSCAPE = [PI_TOUCH, (1024, 600), (1280, 800)]
PHONE = (390, 844)
KEYS = ".pad button, #answer, #predicted"
SAID = ".turn, #banner, .entry, #pot, #board, #seats .seat"

# What is outside the window, which two of one kind overlap, and which keys a finger in their middle would miss.
FAULTS = """([shown, apart, pressed]) => {
    const all = (wanted) => [...document.querySelectorAll(wanted)].filter((node) => node.checkVisibility());
    const name = (node) => node.id || node.textContent.trim();
    const box = (node) => node.getBoundingClientRect();
    const within = ({ left, top, right, bottom }) =>
        left >= 0 && top >= 0 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
    const clear = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    const met = ({ left, top, width, height }) => document.elementFromPoint(left + width / 2, top + height / 2);
    const faults = all(shown).filter((node) => !within(box(node))).map((node) => `${name(node)} is outside`);
    for (const wanted of apart) {
        const nodes = all(wanted);
        nodes.forEach((one, i) => nodes.slice(i + 1).forEach((other) => {
            if (!clear(box(one), box(other))) faults.push(`${name(one)} overlaps ${name(other)}`);
        }));
    }
    const covered = all(pressed).filter((node) => !node.contains(met(box(node))));
    return [...faults, ...covered.map((node) => `something lies on ${name(node)}`)];
}"""

LEAST = """wanted => [...document.querySelectorAll(wanted)].filter(node => node.checkVisibility()).map(node => {
    const { width, height } = node.getBoundingClientRect();
    return [width, height];
}).reduce(([a, b], [c, d]) => [Math.min(a, c), Math.min(b, d)])"""


def moments() -> list[tuple[str, TableView]]:
    """Ordinary and crowded, nine seats first: a screen never forgets a seat that it has seen."""
    ordinary = [("a raise", fixtures.table_view()), ("a question", fixtures.asking())]
    crowded = [(f"{what}, {places} seats", made(places)) for places in (9, 11) for what, made in CROWDED.items()]
    return ordinary + crowded


def shown(page: Page, hub: Hub, url: str) -> Iterator[str]:
    """Each moment as it stands on the page; the number of the hand tells that it is drawn."""
    page.goto(url)
    for no, (what, view) in enumerate(moments(), start=501):
        hub.publish("table/01", encode(msgspec.structs.replace(view, hand=no)), event_id=str(no))
        expect(page.locator("#hand")).to_have_text(f"Hand {no}")
        yield what


def faults(page: Page, shown: str, *apart: str, pressed: str) -> Any:
    return page.evaluate(FAULTS, [shown, apart, pressed])


@pytest.mark.parametrize("size", [*LANDSCAPE, PHONE], ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_key_is_on_the_screen_without_scrolling_and_nothing_lies_on_it(
    browser: Browser, room: Running, hub: Hub, size: tuple[int, int]
) -> None:
    with context_of(browser, *size) as context:
        page = context.new_page()
        for what in shown(page, hub, f"{room.url}/table/01"):
            assert page.locator(".pad button").count() == 29, what
            apart = f"{KEYS}, .turn, .entry", "#seats .seat"
            assert faults(page, f"{KEYS}, {SAID}", *apart, pressed=KEYS) == [], what


def test_on_a_phone_a_ruling_opens_over_the_keys_and_leaves_the_answer_free(
    browser: Browser, room: Running, hub: Hub
) -> None:
    with context_of(browser, *PHONE) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        hub.publish("table/01", encode(CROWDED["asking"](11)), event_id="9000")
        hub.publish("ruling/01", encode(OPEN_RULING))
        expect(page.locator("#ruling")).to_be_visible()
        assert faults(page, f"{KEYS}, {SAID}", f"{KEYS}, .turn, .entry", "#seats .seat", pressed="#answer") == []


def test_a_key_is_nine_millimetres_on_the_screen_of_a_raspberry_pi(
    browser: Browser, room: Running, hub: Hub
) -> None:
    with context_of(browser, *PI_TOUCH) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        for what, key in (("asking", "#answer"), ("predicting", "#predicted")):
            hub.publish("table/01", encode(CROWDED[what](11)), event_id=what)
            expect(page.locator(key)).to_be_visible()
            width, height = page.evaluate(LEAST, KEYS)
            assert width >= 47, what
            assert height >= 50, what


def test_a_ruling_leaves_the_question_the_turn_and_every_key_in_reach(
    browser: Browser, room: Running, hub: Hub
) -> None:
    with context_of(browser, *PI_TOUCH) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        hub.publish("table/01", encode(CROWDED["asking"](11)), event_id="9000")
        hub.publish("ruling/01", encode(OPEN_RULING))
        expect(page.locator("#ruling")).to_be_visible()
        assert page.locator("#options button").count() == 5
        buttons = "#ruling .stop button"
        assert faults(page, f"#ruling, {buttons}", "#ruling, .turn, .pad, #banner", pressed=buttons) == []
