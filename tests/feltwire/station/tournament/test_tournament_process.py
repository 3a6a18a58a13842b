"""A tournament at the real station process: presses over HTTP, kill -9, and what was answered is still so."""

from __future__ import annotations

import json
import sqlite3
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.ledger.tournament_ledger import TournamentLedger
from table_core.tournament.sheet_text import read_csv
from tests.feltwire.hall import post
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process, station_settings
from tests.ports import free_port

pytestmark = pytest.mark.mosquitto


def press(station: Process, command: str, **arguments: Any) -> str:
    assert station.screen is not None
    body = {"command": command, "arguments": arguments}
    with station.screen.open(post(station, "/director", body), timeout=PATIENCE_S) as answer:
        return str(json.loads(answer.read())["text"])


def shown(station: Process, channel: str, fits: Any = lambda night: True) -> dict[str, Any]:
    return station.shows(channel, fits)


def test_what_was_answered_outlives_kill_9_with_the_names_apart(tmp_path: Path) -> None:
    port = free_port()
    settings = station_settings(tmp_path, Mosquitto(tmp_path).url, port)  # no broker: the tables are away
    with Process("station", tmp_path, port, settings) as station:
        station.shows("room", lambda room: True)
        said = press(station, "open", name="Friday", house={"starting_stack": 2_000})
        assert said.startswith("Opened: Friday")
        for no, name in enumerate(("Ann Example", "Bo Example", "Cy Example"), 1):
            press(station, "register_new", name=name, member=True, adult=True)
            press(station, "enter", player=f"p{no}")
            station.kill()
            station.start()
            entered = shown(station, "field", lambda shown, no=no: len(shown["field"]) == no)  # type: ignore[misc]
            last = entered["blank"] | entered["field"][-1]
            assert (last["status"], last["name"]) == ("playing", name)
        assert station.screen is not None
        with station.screen.open(
            f"http://127.0.0.1:{port}/api/tournament/players.csv", timeout=PATIENCE_S
        ) as answer:
            assert [row["name"] for _, row in read_csv(answer.read().decode())] == [
                "Ann Example", "Bo Example", "Cy Example",
            ]  # fmt: skip
        press(station, "draw_seats")
        with pytest.raises(urllib.error.HTTPError, match="409") as refused:
            press(station, "register", player="p1", member=True, adult=True)
        assert "on the list already" in json.loads(refused.value.read())["error"]
        seats = shown(station, "seats", lambda shown: any(table["seats"] for table in shown["tables"]))["tables"]
        station.kill()
        station.start()
        assert shown(station, "seats")["tables"] == seats
        assert station.end() == 0
    ledger = TournamentLedger.open(tmp_path / "station-data" / "tournament.ledger", read_only=True)
    assert not any("Example" in repr(record.event) for record in ledger.records())
    ledger.close()


def checkpoints(station: Process, port: int, after: int = 0) -> bytes:
    """What anybody may keep of the station's signed checkpoints."""
    url = f"http://127.0.0.1:{port}/checkpoints?after={after}"
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        return bytes(answer.read())


def test_records_are_signed_for_whoever_keeps_it_and_what_is_missing_is_said_at_the_start(tmp_path: Path) -> None:
    port = free_port()
    settings = station_settings(tmp_path, Mosquitto(tmp_path).url, port)
    records = tmp_path / "station-data" / "tournament.ledger"
    kept = tmp_path / "kept.jsonl"
    with Process("station", tmp_path, port, settings) as station:
        station.shows("room", lambda room: True)
        press(station, "open", name="Friday", house={"starting_stack": 2_000})
        press(station, "register_new", name="Ann Example", member=True, adult=True)
        station.kill()
        station.start()
        station.shows("room", lambda room: True)
        first = checkpoints(station, port)
        press(station, "enter", player="p1")
        kept.write_bytes(first + checkpoints(station, port, after=len(first.splitlines())))
        public = json.loads(kept.read_bytes().splitlines()[0])["key"]
        station.says(f"are signed with the key {public}")
        proof = ["--checkpoints", str(kept), "--public", public]
        assert main(["verify", str(records), *proof]) == 0
        station.kill()

        with closing(sqlite3.connect(records)) as opened, opened:
            opened.execute("DELETE FROM records WHERE no = 4")
        assert main(["verify", str(records), *proof]) == 1
        station.start()
        said = "Records of the tournament are missing: 4 were signed, 3 are here"
        station.shows("queue", lambda queue: said in json.dumps(queue))
        assert station.end() == 0
