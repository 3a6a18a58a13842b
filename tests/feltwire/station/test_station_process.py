"""The station and the wall clock as real processes on a real broker, killed and started again."""

from __future__ import annotations

import random
import stat
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.ledger.room_ledger import CollectedLedger
from table_core.messages import decode_envelope
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, SpeakingTable, cell, clock_settings, stamp, station_settings
from tests.feltwire.station_room import notices, seated
from tests.ports import free_port

pytestmark = pytest.mark.mosquitto


def collected(folder: Path, table: str) -> list[bytes]:
    ledger = CollectedLedger.open(folder / "station-data" / "station.ledger", read_only=True)
    try:
        return [raw for _, _, raw in ledger.raw_events(table)]
    finally:
        ledger.close()


def all_there(room: dict[str, Any], seq: int) -> bool:
    """The page has table 01 as of event `seq`, and nothing is the incident."""
    shown = cell(room, "01")
    return shown["link"] != "silent" and shown["as_of"] == seq and room["clock"]["players_left"] == 3


def test_losses_repetitions_and_restarts_leave_the_ledger_complete_and_the_acknowledgements_right(
    tmp_path: Path,
) -> None:
    chance = random.Random(3)
    with Mosquitto(tmp_path) as broker:
        station = Process("station", tmp_path, port := free_port(), station_settings(tmp_path, broker.url, port))
        with station, SpeakingTable(broker.url) as table:
            table.write(seated(1_000, 1_000, 1_000))
            for life in range(4):
                before = len(table.acked)
                for raw in table.write(*notices(40)):
                    for _ in range(chance.choice((0, 1, 1, 1, 2))):
                        table.say(raw)
                table.say_state()
                table.wait(lambda before=before: len(table.acked) > before)  # type: ignore[misc]
                station.kill()
                known = table.acked[-1]
                held = collected(tmp_path, "01")
                assert held == table.rows[: len(held)], "in order, each once"
                last = decode_envelope(held[-1])
                assert (last.epoch, last.seq) >= (known.epoch, known.seq), "what was acknowledged is on the disk"
                if life == 1:
                    table.head = table.head.in_epoch(2)
                station.start()
            table.wait_acked()
            assert collected(tmp_path, "01") == table.rows
            station.shows("room", lambda room: all_there(room, table.head.seq))


def test_a_busy_table_is_asked_for_nothing_that_it_has_sent(tmp_path: Path) -> None:
    """Its state comes while its events wait for the disk: they are on the way and not missing."""
    with Mosquitto(tmp_path) as broker:
        station = Process("station", tmp_path, port := free_port(), station_settings(tmp_path, broker.url, port))
        with station, SpeakingTable(broker.url) as table:
            table.say(*table.write(seated(1_000, 1_000, 1_000)))
            table.wait_acked()
            before = len(table.asked)
            for notice in notices(400):
                table.say(*table.write(notice))
                table.say_state()
            table.wait_acked()
            assert table.asked[before:] == []
            assert collected(tmp_path, "01") == table.rows


def test_a_broker_that_is_down_at_the_start_is_waited_for_on_page_and_in_the_log(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    port = free_port()
    with Process("station", tmp_path, port, station_settings(tmp_path, broker.url, port)) as station:
        station.shows("queue", lambda queue: "No table can be heard" in str(queue["items"]))
        assert station.shows("clock", lambda clock: True)["running"], "the clock runs meanwhile"
        station.says("waiting for the broker")
        with broker:
            station.shows("queue", lambda queue: queue["items"] == [])


def test_the_wall_counts_on_into_the_next_level_when_station_and_broker_are_dead(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    port, wall_port = free_port(), free_port()
    settings = station_settings(tmp_path, broker.url, port, minutes=0.15, levels=200)
    station = Process("station", tmp_path, port, settings)
    wall = Process("clock", tmp_path, wall_port, clock_settings(broker.url, wall_port))
    with broker, wall, station:
        first = wall.shows("clock", lambda clock: clock["running"])
        station.kill()
        broker.kill()
        alone = wall.shows("clock", lambda clock: clock["note"].startswith("On its own"))
        assert alone["at"] > first["at"]
        later = wall.shows("clock", lambda clock: clock["level"]["no"] > alone["level"]["no"])
        assert later["note"].startswith("On its own")
        levels = later["level"]["no"] - alone["level"]["no"]
        passed = later["at"] - alone["at"]
        assert passed == alone["left_ms"] + (levels - 1) * 9_000 + (9_000 - later["left_ms"])


def test_the_directors_link_signs_in_one_browser_which_then_stops_the_clock(tmp_path: Path) -> None:
    broker, port = Mosquitto(tmp_path), free_port()
    with Process("station", tmp_path, port, station_settings(tmp_path, broker.url, port)) as station:
        station.shows("room", lambda room: True)
        link_file = tmp_path / "station-data" / "td-link"
        assert stat.S_IMODE(link_file.stat().st_mode) == 0o600
        link = link_file.read_text().strip()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with pytest.raises(urllib.error.HTTPError, match="403"):
            browser.open(pause(port))
        browser.open(link).close()
        with browser.open(pause(port)) as answer:
            assert b"The clock is stopped." in answer.read()
        assert link_file.read_text().strip() != link
        assert "token=" not in station.log.read_text()
        assert not station.shows("room", lambda room: not room["clock"]["running"])["clock"]["running"]
        assert station.end() == 0


def pause(port: int) -> urllib.request.Request:
    return urllib.request.Request(
        f"http://127.0.0.1:{port}/director",
        data=b'{"command": "pause", "arguments": {}}',
        headers={"content-type": "application/json", "origin": f"http://127.0.0.1:{port}"} | stamp(port),
    )


def test_a_port_in_use_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Mosquitto(tmp_path) as busy:
        settings = tmp_path / "station.toml"
        settings.write_text(station_settings(tmp_path, busy.url, busy.port))
        assert main(["station", "--config", str(settings)]) == 1  # it is started again: the port may become free
    assert f"port {busy.port} on 127.0.0.1 is in use" in capsys.readouterr().err


@pytest.mark.parametrize("port", [-1, 65_536, 2**63])
def test_a_port_that_no_machine_has_is_a_wrong_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], port: int
) -> None:
    settings = tmp_path / "station.toml"
    settings.write_text(station_settings(tmp_path, "mqtt://127.0.0.1:1883", port))
    assert main(["station", "--config", str(settings)]) == 2
    assert "port" in capsys.readouterr().err


def test_a_bad_schedule_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "station.toml"
    settings.write_text(station_settings(tmp_path, "mqtt://127.0.0.1:1", free_port(), minutes=0))
    assert main(["station", "--config", str(settings)]) == 2
    assert "entry 1 lasts 0 minutes" in capsys.readouterr().err
