"""The form of the wall at a real station: what is pressed there is on a wall clock of its own a moment later."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, FilePayload, expect

from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, clock_settings, station_settings
from tests.ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.mosquitto]


def picture() -> FilePayload:
    file = BytesIO()
    Image.linear_gradient("L").resize((120, 60)).save(file, "PNG")
    return FilePayload(name="logo.png", mimeType="image/png", buffer=file.getvalue())


@pytest.mark.slow("a broker, a station, a wall clock and two browsers")
def test_what_the_director_sets_is_on_every_wall(tmp_path: Path, browser: Browser) -> None:
    with Mosquitto(tmp_path) as broker:
        port, wall_port = free_port(), free_port()
        station = Process("station", tmp_path, port, station_settings(tmp_path, broker.url, port))
        wall = Process("clock", tmp_path, wall_port, clock_settings(broker.url, wall_port))
        with station, wall:
            wall.shows("clock", lambda clock: clock["running"])
            context = browser.new_context()
            form, screen = context.new_page(), context.new_page()
            screen.goto(f"http://127.0.0.1:{wall_port}/clock")
            form.goto((tmp_path / "station-data" / "td-link").read_text().strip())
            form.goto(f"http://127.0.0.1:{port}/station/wall")
            expect(form.locator("[data-shows=auto]")).to_have_attribute("aria-pressed", "true")

            form.fill("[name=event]", "Friday")
            form.locator("[name=colour_2]").fill("#400010")
            form.get_by_role("button", name="Use these").click()
            expect(form.locator("#look-fault")).to_contain_text("would do")
            form.locator("[name=colour_2]").fill("#ffd000")
            form.get_by_role("button", name="Use these").click()
            expect(screen.locator("#event")).to_have_text("Friday")

            form.locator("[name=picture]").first.set_input_files(picture())
            form.get_by_role("button", name="Show it").first.click()
            expect(screen.locator("#logo")).to_be_visible()
            assert screen.evaluate("document.querySelector('#logo').naturalWidth") == 120

            wrong = FilePayload(name="logo.png", mimeType="image/png", buffer=b"<svg/>")
            form.locator("[name=picture]").last.set_input_files(wrong)
            form.get_by_role("button", name="Show it").last.click()
            expect(form.locator(".picture .fault").last).to_contain_text("PNG, JPEG or WebP")

            form.fill("[name=message]", "Dinner at 8")
            form.get_by_role("button", name="Show the message").click()
            expect(screen.locator("#message")).to_have_text("Dinner at 8")
            form.locator("[data-shows=big]").click()
            expect(screen.locator("#wall")).to_have_attribute("data-layout", "big")

            station.kill()
            screen.reload()
            expect(screen.locator("#event")).to_have_text("Friday")  # the wall goes on with what it heard
            station.start()
            look = station.shows("look", lambda look: look["event"] == "Friday")
            assert (look["colour_2"], look["shows"], bool(look["logo"])) == ("#ffd000", "big", True)
            context.close()
