"""A player's phone at a real station: the code of the slip, a station that is killed, and what its files say."""

from __future__ import annotations

import json
import re
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from feltwire.station.phone.key import FILE
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process, station_settings
from tests.phones import Director
from tests.ports import free_port

PLAYERS = ("p1", "p2", "p3")


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Process]:
    port = free_port()
    with (
        Mosquitto(tmp_path) as broker,
        Process("station", tmp_path, port, station_settings(tmp_path, broker.url, port, minutes=600)) as running,
    ):
        running.connected()
        yield running


class Phone:
    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}"
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def post(self, path: str, **body: str) -> int:
        headers = {"content-type": "application/json"}
        asked = urllib.request.Request(f"{self._url}{path}", json.dumps(body).encode(), headers)
        try:
            with self._browser.open(asked, timeout=PATIENCE_S) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def told(self, name: str) -> object:
        """The first event of this name."""
        with self._browser.open(f"{self._url}/me/events?player=p1", timeout=PATIENCE_S) as stream:
            for line in stream:
                if line == f"event: {name}\n".encode():
                    return json.loads(next(stream).partition(b": ")[2])
        raise AssertionError(f"the stream ended without {name}")


def code_of(director: Director, player: str) -> str:
    status, slips = 0, b""
    while status != 200:  # pages have the seats a moment after the press
        status, slips = director.ask("GET", f"/slips?player={player}")
    found = re.search(r"<b>([0-9A-Z]{3}-[0-9A-Z]{3})</b>", slips.decode())
    assert found is not None
    return found[1]


def test_the_code_of_a_slip_opens_a_phone_over_a_kill_and_is_in_no_file(station: Process, tmp_path: Path) -> None:
    director, folder = Director(station, tmp_path), tmp_path / "station-data"
    director.opens(PLAYERS, ["01"])
    code, phone = code_of(director, "p1"), Phone(station.port)
    assert phone.told("own") is None
    assert phone.post("/me/call") == 403
    assert phone.post("/me/code", player="p2", code=code) == 403
    assert phone.post("/me/code", player="p1", code=code) == 200
    assert phone.told("own") == {}
    assert phone.post("/me/call") == 200
    assert phone.post("/me/ask", name="Eve Adams") == 200

    station.kill()
    station.start()
    station.connected()
    assert phone.told("own") == {}, "the proof holds; the call, which nobody kept, does not"
    assert code_of(director, "p1") == code
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    held = b"".join(file.read_bytes() for file in (*folder.rglob("*"), station.log) if file.is_file())
    assert code.encode() not in held
    assert code.replace("-", "").encode() not in held


def test_an_event_that_is_closed_ends_its_codes(station: Process, tmp_path: Path) -> None:
    director = Director(station, tmp_path)
    director.opens(PLAYERS, ["01"])
    code, phone = code_of(director, "p1"), Phone(station.port)
    assert phone.post("/me/code", player="p1", code=code) == 200
    director.press("close_event", anyway="the evening is over")
    assert director.failed == []
    assert phone.told("own") is None
    assert phone.post("/me/code", player="p1", code=code) == 403
