"""A provisioned broker, the station and machines that would be table 01, as real processes."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger
from feltwire.tools.provision.venue_keys import provision_venue
from table_core.messages import Key
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, cell, signed_in, stamp, station_settings, table_settings
from tests.feltwire.station_room import VENUE
from tests.ports import free_port

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
        self._browser: urllib.request.OpenerDirector | None = None
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
        queue = self.station.shows("queue", lambda queue: any(one["kind"] == "claim" for one in queue["items"]))
        claim = next(one["primary"] for one in queue["items"] if one["kind"] == "claim")
        self.director(claim["command"], **claim["arguments"])

    def director(self, command: str, **arguments: Any) -> str:
        """A press of the director, and the answer. One that a busy station has no time to answer is carried out
        later, within its time; its answer is empty."""
        try:
            with self.browser.open(
                post(self.station, "/director", {"command": command, "arguments": arguments})
            ) as answer:
                return str(json.load(answer)["text"])
        except urllib.error.HTTPError as error:
            said = error.read()
            assert b"No answer yet" in said, said
            return ""

    @property
    def browser(self) -> urllib.request.OpenerDirector:
        """The director's, signed in with the link that the station keeps in a file."""
        if self._browser is None:
            self.station.shows("room", lambda room: True)
            self._browser = signed_in(self.folder / "station-data" / "td-link")
        return self._browser

    def reads(self, channel: str) -> Any:
        """What the director reads on the channel."""
        with self.browser.open(f"http://127.0.0.1:{self.station.port}/api/{channel}") as answer:
            return json.load(answer)

    def open_incident(self) -> Any:
        """The incident that is open at table 01, on the director's channel."""
        return next(one for one in self.reads("rulings")["tables"] if one["table"] == "01")["ruling"]

    def __enter__(self) -> Hall:
        self.broker.start()
        self.station.start()
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.machines, self.station]:
            process.kill()
        self.broker.kill()


def post(process: Process, path: str, body: dict[str, Any]) -> urllib.request.Request:
    origin = f"http://127.0.0.1:{process.port}"
    headers = {"content-type": "application/json", "origin": origin} | stamp(process.port)
    return urllib.request.Request(origin + path, data=json.dumps(body).encode(), headers=headers)


def touch(machine: Process, key: Key) -> None:
    """A press on the screen of the machine, which is signed in with the link that the machine keeps in a file."""
    screen = machine.screen or signed_in(machine.config.parent / "table-data" / "table-01.kiosk-link")
    machine.screen = screen
    screen.open(post(machine, "/table/01/touch", {"key": int(key)}), timeout=60).close()


def press_on(machine: Process, as_of: int) -> None:
    """The dealer's next key, once the page has event `as_of`: a fold, or the next hand."""
    view = machine.shows("table/01", lambda view: view["as_of"] >= as_of and bool(view["seats"]))
    touch(machine, Key.FOLD if view["legal"] else Key.NEW_HAND)
    machine.shows("table/01", lambda view: view["as_of"] > as_of)


def at_hand(number: int) -> Any:
    """The station shows table 01 in this hand."""

    def fits(room: dict[str, Any]) -> bool:
        at = cell(room, "01")
        return bool(at["hand"] == number and at["street"] == "preflop")

    return fits


def begun(hall: Hall, machine: Process) -> None:
    """The machine is the table and in its first hand."""
    machine.start()
    machine.shows("table/01", lambda view: bool(view["seats"]))
    touch(machine, Key.NEW_HAND)
    hall.station.shows("room", lambda room: at_hand(1)(room) and cell(room, "01")["link"] == "live")
