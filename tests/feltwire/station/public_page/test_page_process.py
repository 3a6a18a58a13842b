"""A real station, a web server over its folder, a browser that reads it."""

from __future__ import annotations

import functools
import json
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from feltwire.install.machine import Machine
from tests import chromium
from tests.display.public_room import PEOPLE, PublicRoom, write
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process, station_settings
from tests.feltwire.station.tournament.test_tournament_process import press
from tests.ports import free_port
from tests.waiting import until

SIZES = ((1920, 1080), (1366, 768), (1024, 600), (800, 480), (390, 844))


@pytest.fixture
def chrome() -> Iterator[Browser]:
    assert chromium.PROGRAM, chromium.MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=list(chromium.QUIET))
        yield browser
        browser.close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder at a plain web server; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def read(url: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """`live.json` once it fits."""

    def found() -> dict[str, Any] | None:
        with urllib.request.urlopen(f"{url}live.json", timeout=PATIENCE_S) as answer:
            said: dict[str, Any] = json.loads(answer.read())
        return said if fits(said) else None

    said = until(found, "that on the public page")
    assert said is not None
    return said


def naming(site: Path, name: bytes) -> list[Path]:
    return [path for path in site.rglob("*.*") if path.suffix != ".feltwire-new" and name in path.read_bytes()]


@pytest.mark.slow("a real station, begun twice, whose page follows each five seconds")
@pytest.mark.mosquitto
def test_what_the_director_does_is_on_the_web_and_outlives_kill_9(tmp_path: Path, chrome: Browser) -> None:
    site, port = tmp_path / "site", free_port()
    settings = station_settings(tmp_path, Mosquitto(tmp_path).url, port)
    settings = f'language = "de"\n{settings}'
    settings += f'\n[public]\nfolder = "{site}"\nevery_s = 5\n'
    with Process("station", tmp_path, port, settings) as station:
        station.shows("room", lambda room: True)
        until(lambda: (site / "index.html").exists(), "the first page")
        with served(site) as url:
            assert read(url, lambda said: True)["live"] is None
            page = chrome.new_page()
            page.goto(url)
            assert page.inner_text("main").startswith("Zurzeit läuft kein Turnier.")
            press(station, "open", name="Friday", house={"starting_stack": 2_000})
            for no, name in enumerate(("Ann Bell", "Bo Cole"), 1):
                press(station, "register_new", name=name, member=True, adult=True)
                press(station, "enter", player=f"p{no}")
            read(url, lambda said: bool(said["live"]) and said["live"]["entrants"] == 2)
            page.get_by_text("B.C.").first.wait_for(timeout=PATIENCE_S * 1_000)  # it comes by itself
            station.kill()
            assert read(url, lambda said: True)["live"]["entrants"] == 2
            station.start()
            station.shows("field", lambda shown: len(shown["field"]) == 2)
            press(station, "show_as", player="p2", shown="name")
            read(url, lambda said: any(one["player"] == "Bo Cole" for one in said["live"]["players"]))
            press(station, "forget_player", player="p2")
            read(url, lambda said: not any(one["player"] == "Bo Cole" for one in said["live"]["players"]))
            until(lambda: not naming(site, b"Bo Cole"), "that no file has a forgotten name")
            assert naming(site, b"Ann Bell") == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night that is played, of ten people."""
    room = PublicRoom()
    room.begin(*PEOPLE)
    folder = tmp_path_factory.mktemp("public")
    write(room.newest(), folder)
    return folder


def errors_of(page: Page) -> list[str]:
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    return said


def test_it_fits_every_size_in_every_language_and_axe_finds_nothing(site: Path, chrome: Browser) -> None:
    with served(site) as url:
        for width, height in SIZES:
            page = chrome.new_page(viewport={"width": width, "height": height})
            errors = errors_of(page)
            for name in ("index.en", "index.de", "index.es", "season.es"):
                page.goto(f"{url}{name}.html")
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
            assert errors == []
            page.close()
        for ground in ("dark", "light"):
            page = chrome.new_page(color_scheme=ground)  # type: ignore[arg-type]
            page.goto(f"{url}index.de.html")
            assert Axe().run(page).violations_count == 0
            page.close()


def test_it_says_when_it_is_old_and_reads_without_a_script(site: Path, chrome: Browser) -> None:
    with served(site) as url:
        page = chrome.new_page()
        page.goto(url)  # it was written in 2023
        page.wait_for_selector("#old:not([hidden])")
        plain = chrome.new_context(java_script_enabled=False).new_page()
        plain.goto(url)
        words = plain.inner_text("body")
        assert {"A.B. 2", "Level 1 50/100", "As of 2023-11-14"} <= {
            one for one in ("A.B. 2", "Level 1 50/100", "As of 2023-11-14") if one in words
        }
        assert plain.locator("#old").is_hidden()


def test_the_service_may_write_the_folder_that_the_settings_name(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    settings = disk / "etc/feltwire/station/station.toml"
    settings.parent.mkdir(parents=True)
    (disk / "etc/passwd").write_text("feltwire:x:990:990::/:/usr/sbin/nologin\n")
    text = (Path(__file__).parents[4] / "feltwire/deploy/settings/station.toml").read_text()
    settings.write_text(text.replace('# folder = ""', 'folder = "/srv/site"', 1))
    machine = Machine("station", "station", None, disk)
    (step,) = [step for step in machine.steps() if step.words.startswith("service ")]
    step.do()
    drop_in = disk / "etc/systemd/system/feltwire-station@station.service.d/public-page.conf"
    assert drop_in.read_text() == '[Service]\nReadWritePaths="-/srv/site"\n'
    assert (disk / "srv/site").stat().st_mode & 0o777 == 0o755
    settings.write_text(text)
    step.do()
    assert not drop_in.exists()
