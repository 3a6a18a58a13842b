"""How the devices are: from the bytes of a shoe and the Pi's own command to the screens of dealer and director."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from feltwire.config import TableConfig, load
from feltwire.runtime.host import Host
from feltwire.runtime.machine import Regularly, readings
from feltwire.table.devices.health import WINDOW_MS, CountWindow
from feltwire.table.process import TableProcess
from firmware_bridge import payloads
from firmware_bridge.drivers.interface import DeviceCounts
from firmware_bridge.sim.shoe import SimShoe
from table_core.messages import ClockSetting, DeviceFault, HealthColour, HealthFact, HealthView, Millis, decode
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S, Process, station_settings, table_settings
from tests.ports import free_port

TAG = bytes.fromhex("e004015012345678")


def vcgencmd(folder: Path, throttled: str, celsius: str) -> None:
    """The Raspberry Pi's command, as it answers there, first on the path."""
    folder.mkdir()
    script = folder / "vcgencmd"
    script.write_text(
        f'#!/bin/sh\ncase $1 in get_throttled) echo throttled={throttled};; *) echo "temp={celsius}\'C";; esac\n'
    )
    script.chmod(0o755)


# ------------------------------------------------------------------------------------------- the machine


def test_the_pis_own_command_tells_supply_and_temperature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vcgencmd(tmp_path / "bin", "0x50005", "81.3")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    found = readings(tmp_path)
    assert (found.throttled, found.celsius) == (0x50005, 81)


def test_without_the_command_a_pi_has_its_temperature_from_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    zone = tmp_path / "sys/class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text("84500\n")
    assert readings(tmp_path, system=tmp_path).celsius is None, "another make may be as hot as it likes"
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    assert readings(tmp_path, system=tmp_path).celsius == 84


def test_what_a_machine_does_not_have_is_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = readings(tmp_path, system=tmp_path)
    assert (found.throttled, found.celsius, found.clock_chip) == (None, None, False)
    assert found.disk_free_mb is not None
    assert readings(tmp_path / "nowhere", system=tmp_path).disk_free_mb is None


def test_the_clock_chip_is_compared_with_the_clock(tmp_path: Path) -> None:
    chip = tmp_path / "sys/class/rtc/rtc0"
    chip.mkdir(parents=True)
    (chip / "since_epoch").write_text(f"{int(time.time()) - 500}\n")
    found = readings(tmp_path, system=tmp_path)
    assert found.clock_chip
    assert found.chip_off_s in (-500, -501)


def test_a_clock_says_whether_it_was_synchronised(tmp_path: Path) -> None:
    assert readings(tmp_path, system=tmp_path).clock is ClockSetting.SET
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    assert readings(tmp_path, system=tmp_path).clock is ClockSetting.SYNCHRONISED


# --------------------------------------------------------------------------------------- the last minutes


def counts(boot: int, passages: int, unread: int) -> DeviceCounts:
    return DeviceCounts(boot, Millis(0), passages=passages, unread=unread)


def seen(window: CountWindow, boot: int, passages: int, unread: int, now: int) -> tuple[int | None, int | None]:
    read = window.seen(counts(boot, passages, unread), Millis(now))
    return read.passages, read.unread


def test_only_the_last_minutes_count() -> None:
    window = CountWindow("shoe")
    assert seen(window, 7, 5_000, 3, 0) == (0, 0), "what it counted before this process began may be old"
    assert seen(window, 7, 5_100, 43, 60_000) == (100, 40)
    assert seen(window, 7, 5_300, 43, 60_000 + WINDOW_MS) == (200, 0)


def test_a_device_that_was_switched_off_and_on_counts_anew() -> None:
    window = CountWindow("shoe")
    seen(window, 7, 5_000, 3, 0)
    assert seen(window, 8, 20, 1, 10_000) == (20, 1)
    assert seen(window, 8, 30, 1, 20_000) == (30, 1)


# ----------------------------------------------------------------------------------- through the process


class OftenLooked(Host):
    def regularly(self, do: Callable[[], object], name: str, every_s: float = 0.2) -> Regularly:
        return Regularly(do, name, 0.2)


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[SimShoe]:
    with SimShoe(tmp_path / "shoe") as shoe:
        yield shoe


@pytest.fixture
def table(tmp_path: Path, shoe: SimShoe, monkeypatch: pytest.MonkeyPatch) -> Iterator[TableProcess]:
    vcgencmd(tmp_path / "bin", "0x50000", "83.0")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    text = table_settings(tmp_path, f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n', free_port())
    (tmp_path / "table.toml").write_text(
        text.replace("[broker]", f'[shoe]\nport = "{tmp_path / "shoe"}"\n[broker]')
    )
    process = TableProcess(load(tmp_path / "table.toml", TableConfig), OftenLooked())
    process.start()
    yield process
    process.stop()


def shown(table: TableProcess, device: str, what: str, colour: HealthColour) -> HealthFact:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        latest = table.hub.latest("health/01")
        facts = decode(latest.data, HealthView).facts if latest is not None else ()
        for fact in facts:
            if (fact.device, fact.what, fact.colour) == (device, what, colour):
                return fact
        assert time.monotonic() < deadline, facts
        time.sleep(0.05)


def test_a_shoe_says_on_the_wire_what_the_dealers_screen_shows(table: TableProcess, shoe: SimShoe) -> None:
    assert shown(table, "shoe", "contact", HealthColour.GREEN)
    assert "has been too low" in shown(table, "machine", "supply", HealthColour.YELLOW).words
    assert shown(table, "machine", "temperature", HealthColour.RED).do
    shoe.finds(payloads.BEAM_2_COVERED)
    covered = shown(table, "shoe", DeviceFault.BEAM_2_COVERED, HealthColour.RED)
    assert covered.at_the_table
    assert covered.do == "Clean it, take the card away."
    shoe.finds(0)
    for _ in range(6):
        shoe.deal(TAG)
        shoe.deal(None)
    bad = shown(table, "shoe", "reads", HealthColour.RED)
    assert bad.at_the_table


@pytest.mark.mosquitto
@pytest.mark.slow("two processes start, and a table looks at its devices each ten seconds")
def test_the_director_reads_it_from_the_table_and_a_fault_waits_in_the_queue(tmp_path: Path) -> None:
    """Two processes and a broker; the shoe speaks over a pseudo-terminal."""
    with Mosquitto(tmp_path) as broker, SimShoe(tmp_path / "shoe") as shoe:
        section = f'[shoe]\nport = "{tmp_path}/shoe"\n[broker]\nurl = "{broker.url}"\n'
        settings = station_settings(tmp_path, broker.url, free_port())
        station = Process("station", tmp_path, int(settings.rpartition("port = ")[2]), settings)
        own = table_settings(tmp_path, section, free_port())
        table = Process("table", tmp_path, int(own.rpartition("port = ")[2]), own)
        with station, table:
            shoe.finds(payloads.READER_1_SILENT)
            queue = station.shows("queue", lambda view: any(one["kind"] == "device" for one in view["items"]))
            (item,) = [one for one in queue["items"] if one["kind"] == "device"]
            assert item["fact"] == "The shoe of table 01: its first reader does not answer."
            assert item["do"] == "Look at the wires."
            view = station.shows("health/01", lambda view: view["facts"])
            assert {fact["device"] for fact in view["facts"]} == {"shoe", "machine"}
            shoe.finds(0)
            station.shows("queue", lambda view: all(one["kind"] != "device" for one in view["items"]))
