"""A press that a process gets too late is not carried out, and whoever pressed hears what became of it."""

from __future__ import annotations

import json
import sqlite3
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect, sync_playwright

from feltwire.lab.simroom.dealer.mischief import Fault, Mischief
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.process import hear
from feltwire.lab.simroom.reports import Order
from feltwire.runtime.boottime import boot_millis
from table_core.messages import Key, Millis
from tests import chromium
from tests.feltwire.processes import PATIENCE_S, Process, signed_in, stamp, station_settings, table_settings
from tests.ports import free_port

NO_BROKER = "mqtt://127.0.0.1:1"
SHORT_MS = 1_500


class Presser:
    """Somebody who presses at a process, and is signed in where that needs to be."""

    def __init__(self, process: Process, link: Path) -> None:
        self.url = f"http://127.0.0.1:{process.port}"
        self.port = process.port
        self._open = signed_in(link).open
        self._pool = ThreadPoolExecutor(4)

    def stamp(self, id_: str = "", within_ms: int = 60_000) -> dict[str, str]:
        return stamp(self.port, id_=id_, within_ms=within_ms)

    def press(self, path: str, body: dict[str, Any], stamped: dict[str, str]) -> tuple[int, Any]:
        headers = {"content-type": "application/json"} | stamped
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with self._open(request, timeout=PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def meanwhile(self, path: str, body: dict[str, Any], stamped: dict[str, str]) -> Future[tuple[int, Any]]:
        return self._pool.submit(self.press, path, body, stamped)

    def touch(self, key: Key, **said: Any) -> tuple[int, Any]:
        return self.press("/table/01/touch", {"key": key, **said}, self.stamp())

    def outcome(self, stamped: dict[str, str]) -> Any:
        with self._open(f"{self.url}/press/{stamped['press-id']}", timeout=PATIENCE_S) as answer:
            return json.load(answer)


def let_pass(stamped: dict[str, str]) -> None:
    """Until the time of that press is over."""
    until = int(stamped["press-until"].partition("/")[2])
    while (left := until - boot_millis()) >= 0:
        threading.Event().wait((left + 1) / 1000)


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Process]:
    port = free_port()
    with Process("station", tmp_path, port, station_settings(tmp_path, NO_BROKER, port)) as process:
        process.shows("room", lambda room: room["clock"]["running"])
        yield process


@pytest.fixture
def director(station: Process, tmp_path: Path) -> Presser:
    return Presser(station, tmp_path / "station-data" / "td-link")


@pytest.fixture
def dealer(table: Process, tmp_path: Path) -> Presser:
    return Presser(table, tmp_path / "table-data" / "table-01.kiosk-link")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Process]:
    port = free_port()
    settings = table_settings(tmp_path, f'[broker]\nurl = "{NO_BROKER}"\n', port)
    with Process("table", tmp_path, port, settings) as process:
        process.shows("table/01", lambda view: True)
        yield process


PAUSE = {"command": "pause", "arguments": {}}
NEXT = {"command": "next_level", "arguments": {}}
FLOOR = {"key": Key.FLOOR}


# ------------------------------------------------------------------------------------ it stands still


def test_a_pause_pressed_while_the_station_hangs_is_not_carried_out_when_it_wakes(
    station: Process, tmp_path: Path
) -> None:
    """In a real browser: the page says that it does not know, then what became of it; pressing again pauses."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        expect.set_options(timeout=PATIENCE_S * 1000)
        page.goto((tmp_path / "station-data" / "td-link").read_text().strip())
        expect(page.locator("#toggle")).to_have_text("Pause")
        station.freeze()
        with page.expect_request("**/director") as pressed:
            page.locator("#toggle").click()
        expect(page.locator("#said")).to_contain_text("Not known whether Pause arrived")
        let_pass(pressed.value.headers)
        station.thaw()
        expect(page.locator("#said")).to_contain_text("ot carried out")
        expect(page.locator("#toggle")).to_have_text("Pause")
        assert "director: pause: done" not in station.log.read_text()
        page.locator("#toggle").click()
        expect(page.locator("#said")).to_have_text("The clock is stopped.")
        assert not station.shows("room", lambda room: not room["clock"]["running"])["clock"]["running"]
        browser.close()


def played(view: dict[str, Any]) -> dict[str, Any]:
    """What a key can change: all but the count of events, and what is said of lines and devices."""
    return {name: view[name] for name in view.keys() - {"as_of", "head", "last", "notices", "devices"}}


@pytest.mark.parametrize("key", [Key.FLOOR, Key.FOLD, Key.NEW_HAND])
def test_a_touch_that_lay_in_the_socket_of_a_table_that_hung_is_refused(
    table: Process, dealer: Presser, key: Key
) -> None:
    before = table.shows("table/01", lambda view: True)
    late = dealer.stamp(within_ms=SHORT_MS)
    table.freeze()
    touched = dealer.meanwhile("/table/01/touch", {"key": key}, late)
    let_pass(late)
    table.thaw()
    status, said = touched.result(PATIENCE_S)
    assert status == 409
    assert "too late and was not carried out" in said["error"]
    assert dealer.outcome(late)["state"] == "unknown"
    # What it hung through may have cost it the line to the broker, which is an event of its own.
    assert played(table.shows("table/01", lambda view: True)) == played(before)
    assert dealer.touch(Key.FLOOR)[0] == 200
    assert table.shows("table/01", lambda view: view["floor"])


def test_a_touch_that_waited_behind_a_commit_that_stuck_is_refused(
    table: Process, dealer: Presser, tmp_path: Path
) -> None:
    """The disk does not take the first press; the second one waits for its turn until it is too late."""
    disk = sqlite3.connect(tmp_path / "table-data" / "table-01.ledger", isolation_level=None)
    disk.execute("BEGIN IMMEDIATE")
    first = dealer.stamp()
    begun = dealer.meanwhile("/table/01/touch", {"key": Key.NEW_HAND}, first)
    table.says("nothing can be recorded")
    late = dealer.stamp(within_ms=3 * SHORT_MS)
    floor = dealer.meanwhile("/table/01/touch", FLOOR, late)
    let_pass(late)
    assert [dealer.outcome(one)["state"] for one in (first, late)] == ["waiting", "waiting"]
    disk.execute("ROLLBACK")
    disk.close()
    table.shows("table/01", lambda view: view["hand"] == 1)
    assert begun.result(PATIENCE_S)[0] in (200, 503)  # 503: asked in vain for so long
    assert floor.result(PATIENCE_S)[0] in (409, 503)
    answer = dealer.outcome(late)
    assert (answer["state"], answer["status"]) == ("answered", 409)
    assert "Too late" in answer["answer"]["error"]
    assert dealer.outcome(first)["status"] == 200
    assert not table.shows("table/01", lambda view: True)["floor"]


def test_a_pause_that_waited_in_the_station_behind_a_disk_that_stuck_is_refused(
    director: Presser, station: Process, tmp_path: Path
) -> None:
    disk = sqlite3.connect(tmp_path / "station-data" / "station.db", isolation_level=None)
    disk.execute("BEGIN IMMEDIATE")
    before = [director.stamp() for _ in range(3)]  # each waits for the disk
    begun = [director.meanwhile("/director", NEXT, one) for one in before]
    station.says("director: next_level")
    while any(director.outcome(one)["state"] == "unknown" for one in before):
        pass
    late = director.stamp(within_ms=SHORT_MS)
    pause = director.meanwhile("/director", PAUSE, late)
    let_pass(late)
    answer = director.outcome(late)["state"]
    disk.execute("ROLLBACK")
    disk.close()
    assert all(one.result(PATIENCE_S)[0] in (200, 409, 503) for one in begun)
    status, said = pause.result(PATIENCE_S)
    assert (answer, status, "Too late" in said["error"]) == ("waiting", 409, True)
    assert "director: pause: done" not in station.log.read_text()


def test_mischief_that_a_simulated_table_reads_too_late_is_not_done() -> None:
    fault, pace = Fault(), Pace(0)
    boot = boot_millis()
    late = Order(mischief=Mischief.PULL_SHOE, until=Millis(boot - 1))
    in_time = Order(mischief=Mischief.EXPOSE_CARD, until=Millis(boot + 600_000))
    hear(pace, fault, [msgspec.json.encode(order) for order in (late, in_time)])
    assert (fault.wants(Mischief.PULL_SHOE), fault.wants(Mischief.EXPOSE_CARD)) == (False, True)


# ------------------------------------------------------------------------------------ said twice


def test_one_id_sent_twice_is_carried_out_once_and_answered_alike(director: Presser, station: Process) -> None:
    press = director.stamp()
    both = [director.meanwhile("/director", NEXT, press) for _ in range(2)]
    answers = [one.result(PATIENCE_S) for one in both] + [director.press("/director", NEXT, press)]
    assert answers == [(200, {"ok": True, "text": "Level 2 has begun."})] * 3
    assert director.outcome(press)["answer"] == answers[0][1]
    assert station.log.read_text().count("director: next_level") == 1


def test_a_press_played_again_later_is_refused(director: Presser, station: Process) -> None:
    press = director.stamp(within_ms=SHORT_MS)
    assert director.press("/director", PAUSE, press)[0] == 200
    assert director.press("/director", {"command": "resume", "arguments": {}}, director.stamp())[0] == 200
    let_pass(press)
    status, said = director.press("/director", PAUSE, press)
    assert (status, "too late" in said["error"]) == (409, True)
    assert station.log.read_text().count("director: pause: done") == 1


def test_a_press_from_before_a_restart_is_refused_and_nobody_claims_to_know_it(
    director: Presser, station: Process
) -> None:
    press = director.stamp()
    assert director.press("/director", NEXT, press)[0] == 200
    station.kill()
    station.start()
    station.shows("room", lambda room: room["clock"]["level"]["no"] == 2)
    status, said = director.press("/director", NEXT, press)
    assert (status, "before the process here started" in said["error"]) == (409, True)
    answer = director.outcome(press)
    assert answer["state"] == "unknown"
    assert answer["server"] != press["press-until"].partition("/")[0]
    assert station.log.read_text().count("director: next_level") == 1


# ------------------------------------------------------------------------------------ without proof


@pytest.mark.parametrize(
    "stamped",
    [
        {},
        {"press-id": "x"},
        {"press-id": "a" * 24, "press-until": "now"},
        {"press-id": "a" * 24, "press-until": f"00000000/{2**62}"},
        {"press-id": "../../../etc/passwd ....", "press-until": "00000000/1"},
    ],
)
def test_a_press_that_does_not_say_how_old_it_is_is_not_carried_out(
    director: Presser, station: Process, stamped: dict[str, str]
) -> None:
    status, said = director.press("/director", PAUSE, stamped)
    assert status in (400, 409)
    assert said["error"]
    assert "director: pause" not in station.log.read_text()


def test_a_press_that_wants_to_wait_for_long_is_refused(director: Presser) -> None:
    status, said = director.press("/director", PAUSE, director.stamp(within_ms=3_600_000))
    assert status == 400
    assert "60 s at most" in said["error"]
