"""What a person does at a page: by mouse, by keys alone, by touch. Only what is seen is used: roles, labels.

A step is a press (a click, a touch, a key or a chord of keys; each Tab is one), a field or a group of fields
filled one after the other, words typed after `/`, or a scroll that is needed to see what is pressed next.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Locator, Page, Response, expect

PATIENCE_MS = 60_000  # how long a page may take on a busy machine
MOST_TABS = 60

# Whether the middle of the element is in sight, with nothing over it.
SEEN = """node => {
    const box = node.getBoundingClientRect();
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return Boolean(at) && (node.contains(at) || at.contains(node));
}"""
# What a screen reader says of the control that has the focus; "" where none has.
FOCUSED = """() => {
    const node = document.activeElement;
    if (!node || node === document.body) return '';
    const label = node.labels?.length ? node.labels[0].innerText : '';
    return (node.getAttribute('aria-label') || label || node.innerText || '').trim();
}"""
CONTROLS = ("button", "link", "checkbox", "radio")


class Hand:
    """Counts its steps and the presses that the station refused."""

    way = "mouse"
    size = (1366, 768)
    touch = False
    tap_ms = PATIENCE_MS  # how long what is in sight may be greyed or covered before it is pressed

    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps = self.refused = 0
        page.on("response", self._answered)

    def _answered(self, response: Response) -> None:
        asked = '"command":"preview"' in (response.request.post_data or "")  # a question, not a press
        self.refused += response.request.method == "POST" and response.status >= 400 and not asked

    # ------------------------------------------------------------------------------------- what is in sight

    def _here(self) -> Locator:
        """The dialog on top, or the page."""
        dialogs = self.page.locator("dialog[open]")
        return dialogs.last if dialogs.count() else self.page.locator("body")

    def sees(self, words: str) -> None:
        """Waits until `words` stand on the page."""
        self.page.get_by_text(words).locator("visible=true").first.wait_for(timeout=PATIENCE_MS)

    def found(self, name: str) -> Locator | None:
        """The first control in sight whose name begins with `name`, behind a number or not, where it can be
        pressed now."""
        begins = re.compile(rf"^(\d+ )?{re.escape(name)}", re.IGNORECASE)
        here = self._here()
        for role in CONTROLS:
            found = here.get_by_role(role, name=begins, disabled=False).locator("visible=true")  # type: ignore[arg-type]
            if found.count():
                return found.first
        return None

    def control(self, name: str) -> Locator:
        """That control, once it can be pressed."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < until:
            found = self.found(name)
            if found is not None:
                return found
            self.page.wait_for_timeout(20)
        raise AssertionError(f"nothing to press is called {name!r}")

    def field(self, label: str) -> Locator:
        found = self._here().get_by_label(re.compile(f"^{re.escape(label)}")).locator("visible=true").first
        found.wait_for(timeout=PATIENCE_MS)
        return found

    # ------------------------------------------------------------------------------------- steps

    def press(self, name: str) -> None:
        self.press_on(self.control(name))

    def press_on(self, control: Locator) -> None:
        if not control.evaluate(SEEN, timeout=self.tap_ms):
            self.steps += 1
            control.scroll_into_view_if_needed(timeout=self.tap_ms)
        (control.tap if self.touch else control.click)(timeout=self.tap_ms)
        self.steps += 1

    def fill(self, fields: Mapping[str, str]) -> None:
        self.steps += 1
        for label, words in fields.items():
            self._fill(self.field(label), words)

    def _fill(self, field: Locator, words: str) -> None:
        if field.evaluate("node => node.tagName") == "SELECT":
            options = field.get_by_role("option")
            field.select_option(label=options.filter(has_text=words).first.inner_text())
        else:
            field.fill(words)

    def page_of(self, name: str) -> None:
        """Opens the page of that name."""
        self.press(name)


class Mouse(Hand):
    pass


class Phone(Hand):
    way, size, touch = "phone", (390, 844), True

    def page_of(self, name: str) -> None:
        """From the bar at the foot, or behind its *More*."""
        bar = self.page.get_by_role("navigation", name="Pages on a phone")
        if not bar.get_by_text(name, exact=True).count():
            self.press("More")
        self.press(name)


class Keys(Hand):
    """Without a mouse: pages and actions are found with `/`."""

    way = "keyboard"

    def key(self, key: str) -> None:
        self.steps += 1
        self.page.keyboard.press(key)

    def first_item(self) -> None:
        """`j`, once the queue has an item: a person presses it for what is seen."""
        item = self.page.locator(".item").first
        item.wait_for(timeout=PATIENCE_MS)
        self.key("j")
        expect(item).to_be_focused(timeout=PATIENCE_MS)

    def find(self, words: str) -> None:
        """`/` and the words are a step, Enter on the first that is found another."""
        self.steps += 1
        self.page.keyboard.press("/")
        self.page.keyboard.type(words)
        self.key("Enter")

    def press(self, name: str) -> None:
        """Enter on the control, or the space bar on what is ticked; Tab until it has the focus."""
        ticked = self.control(name).get_attribute("type") in ("checkbox", "radio")
        self._walk(name)
        self.key("Space" if ticked else "Enter")

    def fill(self, fields: Mapping[str, str]) -> None:
        for no, (label, words) in enumerate(fields.items()):
            self.field(label)
            self._walk(label, counted=no == 0)
            self.page.keyboard.press("ControlOrMeta+a")
            self.page.keyboard.type(words)
        self.steps += 1

    def page_of(self, name: str) -> None:
        self.find(name)

    def _at(self, name: str) -> bool:
        focused = str(self.page.evaluate(FOCUSED)).lower()
        return focused.lstrip("0123456789 ").startswith(name.lower()) or focused.startswith(name.lower())

    def _walk(self, name: str, *, counted: bool = True) -> None:
        self._settle(name)
        for _ in range(MOST_TABS):
            if self._at(name):
                return
            self.page.keyboard.press("Tab")
            self.steps += counted
        raise AssertionError(f"{MOST_TABS} Tabs do not lead to {name!r}")

    def _settle(self, name: str) -> None:
        """A page that has just opened may give the focus itself."""
        for _ in range(40):
            if self._at(name):
                return
            self.page.wait_for_timeout(20)


HANDS: Mapping[str, type[Hand]] = {kind.way: kind for kind in (Mouse, Keys, Phone)}


def sizes(way: str) -> dict[str, Any]:
    width, height = HANDS[way].size
    touch = HANDS[way].touch
    return {"viewport": {"width": width, "height": height}, "has_touch": touch, "is_mobile": touch}
