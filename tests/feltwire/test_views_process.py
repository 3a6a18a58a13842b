"""A view that raises at the station, a table, the relay and a wall clock, as real processes: each goes on, its
page says so, the director's queue has it, and no log has the exception's text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feltwire.relay.keys import RelayKeys
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, cell, clock_settings, station_settings, table_settings
from tests.feltwire.station_room import VENUE
from tests.ports import free_port

pytestmark = pytest.mark.mosquitto

TEXT = "AhKd-lies-at-seat-3"  # that an exception may quote; 19 letters which nothing else writes
PLANT = """
import sys
from feltwire.cli import main
import {module}

def planted(*_, **__):
    raise ValueError("{text}")

{module}.{name} = planted
sys.exit(main(sys.argv[1:]))
"""
WORDS = re.compile(r"cannot be shown \(fault [0-9a-f]{6}\)")


def planted(process: Process, module: str, name: str) -> Process:
    """The process with a function that raises."""
    code = PLANT.format(module=module, name=name, text=TEXT)
    process.started_with = lambda argv: (sys.executable, "-I", "-c", code, *argv[4:])
    return process


def not_shown(queue: dict[str, Any]) -> set[str]:
    return {item["fact"].split(" (fault")[0] for item in queue["items"] if item["kind"] == "not_shown"}


def has(*facts: str) -> Callable[[dict[str, Any]], bool]:
    return lambda queue: set(facts) <= not_shown(queue)


def test_each_process_goes_on_and_says_what_it_cannot_show(tmp_path: Path) -> None:
    keys = RelayKeys.generate()
    keys.save(tmp_path / "cards.key")
    with Mosquitto(tmp_path) as broker:
        ports = [free_port() for _ in range(4)]
        relay_settings = (
            f'venue = "{VENUE}"\ndata = "{tmp_path / "relay"}"\nkey = "{tmp_path / "cards.key"}"\n'
            f'tables = ["01"]\ndelay_s = "0"\n[broker]\nurl = "{broker.url}"\n[web]\nport = {ports[2]}\n'
        )
        station = planted(
            Process("station", tmp_path, ports[0], station_settings(tmp_path, broker.url, ports[0])),
            "feltwire.station.tables.known",
            "cell_of",
        )
        section = f'[broker]\nurl = "{broker.url}"\n'
        table = planted(
            Process("table", tmp_path, ports[1], table_settings(tmp_path, section, ports[1])),
            "table_core.projections.table",
            "TableProjection.view",
        )
        relay = planted(
            Process("relay", tmp_path, ports[2], relay_settings),
            "feltwire.relay.on_air.table_on_air",
            "overlay_of",
        )
        clock = planted(
            Process("clock", tmp_path, ports[3], clock_settings(broker.url, ports[3])),
            "feltwire.wall_clock.node",
            "run_on",
        )
        with station, relay, clock, table:
            room = station.shows("room", lambda room: cell(room, "01")["state"] == "not_shown")
            assert room["clock"] is not None, "the other half of the page"
            table.shows("table/01", lambda view: WORDS.search(view["last"]) is not None)
            clock.shows("clock", lambda shown: WORDS.search(shown["note"]) is not None)
            relay.shows("overlay/01", lambda view: WORDS.search(view["last"]) is not None)
            station.shows(
                "queue",
                has(
                    "Table 01 in the room cannot be shown",
                    "Table 02 in the room cannot be shown",
                    "Table 01 cannot show a part of its pages",
                    "The broadcast relay cannot show a part of its pages",
                    "The wall clock wall cannot show a part of its pages",
                ),
            )
            for process in (station, table, relay, clock):
                log = process.log.read_text()
                assert re.search(
                    r"fault [0-9a-f]{6}\): ValueError at <string>:\d+ in planted, from \w+\.py:\d+ in", log
                )
                assert TEXT not in log
                assert process.end() == 0, "it has gone on until now"
