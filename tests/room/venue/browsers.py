"""Chromium on the room's machines: each has a profile of its own and trusts what its machine trusts."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, Playwright

from tests.room.venue.machines import Machine
from tests.waiting import PATIENCE_S

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-gpu",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
PRESS = """async ([path, body]) => {
    const { press } = await import("/static/shared/press.js");
    try { return "done: " + await press(path, body); } catch (error) { return "refused: " + error.message; }
}"""
STATUS = "async (path) => (await fetch(path)).status"


def page_on(playwright: Playwright, machine: Machine) -> Page:
    """A window on this machine."""
    start = machine.room.folder / f"chromium-on-{machine.name}"
    start.write_text(f'#!/bin/sh\nexec {" ".join(machine.enter("/usr/bin/chromium"))} "$@"\n')
    start.chmod(0o755)
    browser = playwright.chromium.launch(executable_path=str(start), args=QUIET, timeout=PATIENCE_S * 1000)
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE_S * 1000)
    return context.new_page()


def press(page: Page, path: str, **body: object) -> str:
    """What the server of this page answers to a press, whatever the page itself offers."""
    return str(page.evaluate(PRESS, [path, body]))


def status(page: Page, path: str) -> int:
    return int(page.evaluate(STATUS, path))
