"""Nothing on the dealer screen is cut, and nothing lies on anything else, in any state at any size: every text in the
page is compared with its box, and every box with those beside it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from display.push import Hub
from table_core.messages import encode
from tests.display.conftest import Running
from tests.display.dealing_states import CLOCKS, STATES
from tests.display.test_browser import app_of, context_of, hub, pytestmark, room

__all__ = ["app_of", "hub", "pytestmark", "room"]

SIZES = [(1366, 768), (1024, 600), (800, 480), (390, 844)]

# Texts that their own box cuts, that leave the window or the box of what they belong to, and texts on each other. Of a
# line of text the box is as high as its letters: a line's leading may reach into the one above.
WRONG = """() => {
    const wrong = [], found = [];
    const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && getComputedStyle(node).clipPath === 'none';
    const hidden = (node) => node.closest('.visually-hidden, dialog, [aria-hidden="true"]') || !seen(node);
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode, node = text.parentElement;
        if (!text.data.trim() || hidden(node)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const size = parseFloat(getComputedStyle(node).fontSize);
        const words = text.data.trim();
        for (const box of range.getClientRects()) {
            const lead = Math.max(0, (box.height - size) / 2);
            found.push({ node, words, left: box.left, right: box.right, top: box.top + lead, bottom: box.bottom - lead });
        }
        if (size < 8) wrong.push(`${words}: letters of ${size} px`);
        for (let around = node; around.tagName !== 'MAIN'; around = around.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(around);
            const cuts = overflowX !== 'visible' || overflowY !== 'visible';
            if (cuts && (around.scrollWidth > around.clientWidth + 1 || around.scrollHeight > around.clientHeight + 1))
                wrong.push(`${words}: cut by ${around.id || around.className}`);
        }
    }
    const fits = (inner, outer, slack) => inner.left >= outer.left - slack && inner.right <= outer.right + slack
        && inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
    const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (const text of found) {
        if (!fits(text, window_, 0.5)) wrong.push(`${text.words}: outside the window`);
        const plate = text.node.closest('.seat, button, .banner, .turn, .entry, header, .notices, .tabled');
        if (plate && !fits(text, plate.getBoundingClientRect(), 1.5)) wrong.push(`${text.words}: out of its ${plate.className || plate.tagName}`);
    }
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    found.forEach((a, i) => found.slice(i + 1).forEach((b) => {
        if (a.node !== b.node && over(a, b)) wrong.push(`${a.words} on ${b.words}`);
    }));
    const boxes = [...document.querySelectorAll('.seat, .centre > *, .card, .turn, .banner, .pad, header > *, .notices, #ruling')].filter(seen);
    boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => {
        if (one.contains(other) || other.contains(one)) return;
        const its = one.matches('.card') && other.matches('.card') && one.parentElement === other.parentElement;
        const own = (a, b) => a.matches('.card') && a.closest('li')?.contains(b);
        if (its || own(one, other) || own(other, one)) return;
        if (over(one.getBoundingClientRect(), other.getBoundingClientRect()))
            wrong.push(`${one.className || one.id} (${one.textContent.trim()}) on ${other.className || other.id} (${other.textContent.trim()})`);
    }));
    for (const item of document.querySelectorAll('#seats > li')) {
        const plate = item.querySelector('.seat').getBoundingClientRect();
        for (const card of item.querySelectorAll('.card')) {
            const box = card.getBoundingClientRect();
            if (!fits(box, plate, 1)) wrong.push(`a card out of the plate of ${item.textContent.trim()}`);
            for (const text of found) if (item.contains(text.node) && !card.contains(text.node) && over(text, box))
                wrong.push(`${text.words} under a card`);
        }
    }
    return [...new Set(wrong)];
}"""


def put(page: Page, hub: Hub, state: str, no: int, clock: str) -> None:
    """The page shows the state: its drawing is told by the count of events."""
    hub.publish("clock/01", encode(CLOCKS[clock]))
    hub.publish("table/01", encode(msgspec.structs.replace(STATES[state], as_of=no)), event_id=str(no))
    expect(page.locator("main")).to_have_attribute("data-as-of", str(no))


def wrong_in(page: Page, hub: Hub) -> dict[str, Any]:
    clocks = {"break": "break", "street-due": "paused", "raises": "called", "fenced": "none"}
    found = {}
    for no, state in enumerate(STATES, start=5_000):
        put(page, hub, state, no, clocks.get(state, "running"))
        wrong = page.evaluate(WRONG)
        if wrong:
            found[state] = wrong
    return found


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("keys", [True, False], ids=["with keys", "only shows"])
def test_every_text_is_whole_and_lies_on_nothing(
    browser: Browser, room: Running, hub: Hub, size: tuple[int, int], keys: bool
) -> None:
    with context_of(browser, *size) as context:
        if not keys:
            context.clear_cookies()
        page = context.new_page()
        page.goto(f"{room.url}/table/01")
        assert wrong_in(page, hub) == {}
