"""The QR codes of a room, read by a reader of QR codes: on the station's page and on a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import expect, sync_playwright

from feltwire.home.addresses import Address, as_text
from feltwire.home.plan import HomePlan
from feltwire.runtime.pages.lan import lan_address
from tests import chromium
from tests.feltwire.home.open_home import OpenHome
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base

CELL = 8  # pixels of a module


def read(picture: NDArray[np.uint8]) -> str:
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
    return str(text)


def drawn(rows: list[str]) -> NDArray[np.uint8]:
    """What a terminal shows of half blocks, white on black."""
    halves = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}
    cells = [[halves[letter][half] for letter in row] for row in rows for half in (0, 1)]
    return np.kron(np.array(cells, np.uint8), np.ones((CELL, CELL), np.uint8))


def test_a_terminal_shows_a_code_that_a_camera_reads(tmp_path: Path) -> None:
    plan = HomePlan(
        folder=tmp_path, book="base", station_port=8080, clock_port=8081, table_ports={"01": 8082}, broker_port=1,
        mosquitto="",
    )  # fmt: skip
    url = "http://192.168.1.20:8082/table/01"
    pages = [Address("station", "x"), Address("table 01", url, code=True)]
    shown = as_text(plan, pages, codes=True, name="feltwire.local")
    assert "it is also http://feltwire.local:8080." in shown
    rows = [line.removeprefix("\033[97;40m").removesuffix("\033[0m") for line in shown.splitlines() if "█" in line]
    assert read(drawn(rows)) == url


@pytest.mark.room
@pytest.mark.browser
@pytest.mark.slow("a whole room is opened, and a browser")
def test_the_directors_page_shows_codes_and_links_that_a_phone_can_open(tmp_path: Path) -> None:
    assert chromium.PROGRAM, chromium.MISSING
    with (
        OpenHome(tmp_path / "room", "--tables", "1", "--port", str(free_base())) as room,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(room.addresses["station"]["link"])
        page.locator("#left", has_text=re.compile(r"\d")).wait_for()  # the page listens
        page.click(".phone-bar [data-more]")
        page.click("#more a[href='/codes']")
        page.wait_for_selector(".code")
        for name, address in room.addresses.items():
            if address.get("code"):
                section = page.locator(f"section[aria-label='{name.capitalize()}']")
                raw = np.frombuffer(section.locator("svg").screenshot(), np.uint8)
                assert read(cv2.imdecode(raw, cv2.IMREAD_COLOR)) == address["url"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

        page.goto(room.addresses["station"]["link"].split("/sign-in")[0] + "/people")
        page.fill("[name=name]", "Fay")
        page.click("#add button")
        expect(page.locator("#link")).to_have_value(re.compile("sign-in"), timeout=PATIENCE_S * 1000)
        link = page.input_value("#link")
        assert link.startswith(f"http://{lan_address() or '127.0.0.1'}:")
        phone = browser.new_context().new_page()
        phone.goto(link)
        assert phone.url.endswith("/station")
        browser.close()
        room.end()
