"""A spare takes over a table, as real processes on a real mosquitto with the venue's certificates: the old machine
dies or is cut off, and comes back."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from feltwire.chain import check_chain
from feltwire.collected import CollectedLedger
from feltwire.ledger import Ledger
from feltwire.provision import provision_venue
from table_core.messages import Key, decode_envelope
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, station_settings, table_settings, tile
from tests.feltwire.station_room import VENUE
from tests.ports import free_port

pytestmark = [pytest.mark.mosquitto, pytest.mark.timeout(300)]

Row = tuple[int, int, bytes]


class Hall:
    """A provisioned broker, the station, and the machines that would be table 01."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._port = free_port()
        self.venue = folder / "venue"
        provision_venue(self.venue, venue=VENUE, tables=["01", "02"], hosts=["localhost"], port=self._port)
        conf = (self.venue / "mosquitto" / "mosquitto.conf").read_text()
        self.broker = Mosquitto(folder, port=self._port, config=conf)
        self.machines: list[Process] = []
        port = free_port()
        broker = (self.venue / "station" / "broker.toml").read_text()
        self.station = Process("station", folder, port, station_settings(folder, broker, port))

    def machine(self, name: str) -> Process:
        own, port = self.folder / name, free_port()
        own.mkdir()
        broker = (self.venue / "table-01" / "broker.toml").read_text()
        self.machines.append(Process("table", own, port, table_settings(own, broker, port)))
        return self.machines[-1]

    def rows_of(self, machine: Process) -> list[Row]:
        ledger = Ledger.open(machine.config.parent / "table-data" / "table-01.ledger", read_only=True)
        try:
            return list(ledger.raw_events())
        finally:
            ledger.close()

    def collected(self) -> list[Row]:
        ledger = CollectedLedger.open(self.folder / "station-data" / "station.ledger", read_only=True)
        try:
            return list(ledger.raw_events("01"))
        finally:
            ledger.close()

    def hand_over(self) -> None:
        """The director hands table 01 to the machine that asks for it."""
        claim = self.station.shows("room", lambda room: bool(room["claims"]))["claims"][0]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        browser.open((self.folder / "station-data" / "td-link").read_text().strip()).close()
        body = {"command": "hand_over", "arguments": {"table": "01", "ledger": claim["ledger"]}}
        with browser.open(post(self.station, "/director", body)) as answer:
            assert b"is handed over" in answer.read()

    def __enter__(self) -> Hall:
        self.broker.start()
        self.station.start()
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.machines, self.station]:
            process.kill()
        self.broker.kill()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path) as running:
        yield running


def post(process: Process, path: str, body: dict[str, Any]) -> urllib.request.Request:
    origin = f"http://127.0.0.1:{process.port}"
    headers = {"content-type": "application/json", "origin": origin}
    return urllib.request.Request(origin + path, data=json.dumps(body).encode(), headers=headers)


def touch(machine: Process, key: Key) -> None:
    urllib.request.urlopen(post(machine, "/table/01/touch", {"key": int(key)}), timeout=60).close()


def at_hand(number: int) -> Any:
    """The station shows table 01 in this hand."""

    def fits(room: dict[str, Any]) -> bool:
        state = tile(room, "01")["state"]
        return state is not None and state["hand"] == number and state["street"] == "preflop"

    return fits


def begun(hall: Hall, machine: Process) -> None:
    """The machine is the table and in its first hand."""
    machine.start()
    machine.shows("table/01", lambda view: bool(view["seats"]))
    touch(machine, Key.NEW_HAND)
    hall.station.shows("room", at_hand(1))


def taken_over(hall: Hall) -> Process:
    """A spare is started and put in charge; it deals the second hand."""
    spare = hall.machine("spare").start()
    hall.hand_over()
    # It may have left the broker to a machine that was heard a moment ago.
    spare.kill()
    spare.start()
    spare.shows("table/01", lambda view: view["epoch"] == 2)
    touch(spare, Key.NEW_HAND)
    hall.station.shows("room", at_hand(2))
    return spare


def fenced(view: dict[str, Any]) -> bool:
    return str(view["last"]).startswith("Another machine is table 01: nothing here counts")


def check_collected(hall: Hall, machine: Process) -> None:
    """The station ends with exactly what this machine's ledger holds."""
    hall.station.shows(
        "room", lambda room: tile(room, "01")["online"] and hall.collected() == hall.rows_of(machine)
    )
    assert check_chain(hall.collected()).ok


def test_a_dead_machine_is_replaced_and_fenced_when_it_comes_back(hall: Hall) -> None:
    first = hall.machine("first")
    begun(hall, first)
    first.kill()
    dead = hall.rows_of(first)
    spare = taken_over(hall)
    first.start()
    first.shows("table/01", fenced)
    touch(first, Key.NEW_HAND)
    touch(spare, Key.FOLD)
    check_collected(hall, spare)
    assert [row for row in hall.rows_of(first) if row[0] == 1][: len(dead)] == dead


def test_a_machine_that_was_cut_off_and_played_on_is_fenced_when_it_is_back(hall: Hall) -> None:
    """It stands still with its connection, its outbox and a press under way."""
    first = hall.machine("first")
    begun(hall, first)
    first.freeze()
    spare = taken_over(hall)
    first.thaw()
    touch(first, Key.CHECK_CALL)
    first.shows("table/01", fenced)
    touch(spare, Key.FOLD)
    check_collected(hall, spare)
    epochs = {decode_envelope(raw).epoch for _, _, raw in hall.collected()}
    assert epochs == {1, 2}
