"""What a process says to systemd, and what it leaves out that ended its last lives."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.store import DamagedRecord, LedgerError
from feltwire.private_files import python
from feltwire.runtime.notify import Supervisor
from feltwire.runtime.starts import LIVES, Starts
from tests.feltwire.processes import PATIENCE_S, clock_settings, station_settings, table_settings
from tests.feltwire.station_room import FakeTable, notices, seated
from tests.feltwire.unreadable import plant
from tests.ports import free_port


class Systemd:
    """A datagram socket as systemd's, and what came on it."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self._socket.settimeout(PATIENCE_S)

    def next(self) -> list[str]:
        return self._socket.recv(4096).decode().splitlines()

    def hears(self, line: str) -> None:
        while line not in self.next():
            pass

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listening = Systemd(tmp_path)
    yield listening
    listening.close()


# ------------------------------------------------------------------------------------------- systemd


def settings(kind: str, folder: Path) -> str:
    """Without a broker: nothing listens at its port."""
    url, port = f"mqtt://127.0.0.1:{free_port()}", free_port()
    if kind == "station":
        return station_settings(folder, url, port)
    if kind == "table":
        return table_settings(folder, f'[broker]\nurl = "{url}"\n', port)
    return clock_settings(url, port)


class Life:
    """One life of a process; `to` is who started it. What it said is in `said` once it has ended."""

    def __init__(self, kind: str, folder: Path, *, text: str = "", to: Systemd | None = None) -> None:
        config = folder / f"{kind}.toml"
        config.write_text(text or settings(kind, folder))
        self.said = ""
        self.process = subprocess.Popen(
            python("feltwire", kind, "--config", str(config)),
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **({"NOTIFY_SOCKET": to.address} if to is not None else {})},
        )

    def __enter__(self) -> Life:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        if not self.said:
            self.process.communicate()

    def ends(self, sent: signal.Signals | None = None) -> int:
        """Its exit status, by itself or after this signal."""
        if sent is not None:
            self.process.send_signal(sent)
        _, self.said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode


@pytest.mark.parametrize("kind", ["station", "table", "clock"])
def test_a_process_says_that_it_is_ready_that_it_lives_and_that_it_ends(
    kind: str, systemd: Systemd, tmp_path: Path
) -> None:
    with Life(kind, tmp_path, to=systemd) as life:
        assert systemd.next()[0].startswith("EXTEND_TIMEOUT_USEC="), "a long start is given its time"
        systemd.hears("READY=1")
        for _ in range(2):
            systemd.hears("WATCHDOG=1")
        life.process.terminate()
        systemd.hears("STOPPING=1")


def test_a_start_that_gets_on_is_given_more_time_and_one_that_stands_still_is_not(systemd: Systemd) -> None:
    with closing(Supervisor(systemd.address)) as supervisor:
        _works_and_rests(supervisor, systemd)


def _works_and_rests(supervisor: Supervisor, systemd: Systemd) -> None:
    rest = threading.Event()
    with supervisor.long_work(look_s=0.05):
        systemd.next()
        worked = 0
        while True:
            worked += sum(range(50_000))
            try:
                systemd._socket.settimeout(0)
                if systemd.next()[0].startswith("EXTEND_TIMEOUT_USEC="):
                    break
            except BlockingIOError:
                continue
        rest.wait(0.3)  # two looks at least see the end of the work
        while True:
            try:
                systemd.next()
            except BlockingIOError:
                break
        assert not rest.wait(0.5)
        with pytest.raises(BlockingIOError):
            systemd.next()


def test_without_systemd_nothing_is_said() -> None:
    supervisor = Supervisor()
    with supervisor.long_work():
        supervisor.ready()
        supervisor.alive()


def test_a_wrong_configuration_ends_with_the_status_that_systemd_does_not_start_again(tmp_path: Path) -> None:
    with Life("station", tmp_path, text="venu = 1\n") as life:
        assert life.ends() == 2, life.said
    (tmp_path / "station-data").mkdir(mode=0o700)
    (tmp_path / "station-data" / "station.ledger").write_text("the accounts of last year\n" * 100)
    with Life("station", tmp_path) as life:
        assert life.ends() == 2, life.said


def test_a_port_in_use_ends_with_one_that_it_does(tmp_path: Path) -> None:
    text = settings("station", tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", int(text.rpartition("port = ")[2])))
        taken.listen()
        with Life("station", tmp_path, text=text) as life:
            assert life.ends() == 1, life.said
    assert "Traceback" not in life.said


# ------------------------------------------------------------------------------------- what is left out


def lives(path: Path, what: str, times: int) -> None:
    """So many lives that were killed at this phase of their start."""
    for _ in range(times):
        life = Starts(path)
        phase = life.doing(what)
        phase.__enter__()


def test_what_ended_three_lives_is_left_out_once_and_then_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "station.starts"
    lives(path, "the records", LIVES)
    fourth = Starts(path)
    with fourth.doing("the events") as left_out:
        assert not left_out
    with fourth.doing("the records") as left_out:
        assert left_out
    fourth.started()
    with Starts(path).doing("the records") as left_out:
        assert not left_out


def test_two_lives_are_chance_and_a_start_in_between_forgets_them(tmp_path: Path) -> None:
    path = tmp_path / "station.starts"
    lives(path, "the records", LIVES - 1)
    between = Starts(path)
    assert between.left_out == ""
    between.started()
    lives(path, "the records", LIVES - 1)
    assert Starts(path).left_out == ""


@pytest.mark.parametrize("end", [SystemExit(143), KeyboardInterrupt(), LedgerError("locked")])
def test_whoever_ends_a_start_by_hand_and_a_disk_that_fails_count_for_nothing(
    tmp_path: Path, end: BaseException
) -> None:
    path = tmp_path / "station.starts"
    for _ in range(LIVES):
        with pytest.raises(type(end)), Starts(path).doing("the records"):
            raise end
    assert Starts(path).left_out == ""


def test_a_damaged_record_counts(tmp_path: Path) -> None:
    path = tmp_path / "station.starts"
    for _ in range(LIVES):
        with pytest.raises(DamagedRecord), Starts(path).doing("the records"):
            raise DamagedRecord("changed")
    assert Starts(path).left_out == "the records"


def test_a_minute_behind_the_start_forgets_what_ended_the_lives_before(tmp_path: Path) -> None:
    path = tmp_path / "station.starts"
    for _ in range(LIVES - 1):
        life = Starts(path)
        life.started()
        life.ended("part the pages")
    Starts(path).lived()
    life = Starts(path)
    life.ended("part the pages")
    assert Starts(path).left_out == ""


def test_a_file_that_nobody_can_read_is_a_process_without_a_past(tmp_path: Path) -> None:
    path = tmp_path / "station.starts"
    path.write_bytes(b"\xff{")
    assert Starts(path).left_out == ""
    assert Starts(None).left_out == ""


def test_a_process_whose_node_hangs_says_at_what(systemd: Systemd, tmp_path: Path) -> None:
    """systemd's watchdog sends this signal first."""
    with Life("station", tmp_path, to=systemd) as life:
        systemd.hears("READY=1")
        assert life.ends(signal.SIGABRT) == 128 + signal.SIGABRT
    assert "while running: " in (tmp_path / "station-data" / "station.starts").read_text()


def test_a_station_starts_without_a_part_that_ended_its_last_lives(systemd: Systemd, tmp_path: Path) -> None:
    (tmp_path / "station-data").mkdir(mode=0o700)
    ends = ",".join(['"while running: part the pages of the tables"'] * LIVES)
    (tmp_path / "station-data" / "station.starts").write_text(f'{{"doing":"","ends":[{ends}]}}')
    with Life("station", tmp_path, to=systemd) as life:
        systemd.hears("READY=1")
        systemd.hears("WATCHDOG=1")
        life.ends(signal.SIGTERM)
    assert "ended at part the pages of the tables: it is left out now" in life.said


@pytest.mark.slow("it starts a station four times")
def test_a_damaged_event_ends_three_starts_and_the_fourth_is_without_its_table(
    systemd: Systemd, tmp_path: Path
) -> None:
    path, table = tmp_path / "station-data" / "station.ledger", FakeTable()
    ledger = CollectedLedger.open(path)
    ledger.accept_all(table.write(seated(100, 100), *notices(2)))
    ledger.close()
    plant(path, "UPDATE events SET bytes = CAST(replace(bytes, 'fact 1', 'fact 9') AS BLOB) WHERE seq = 3")
    text = settings("station", tmp_path)
    for _ in range(LIVES):
        with Life("station", tmp_path, text=text) as life:
            assert life.ends() == 1, life.said
        assert "event 1/3 of table 01 is not as it was written" in life.said
    with Life("station", tmp_path, text=text, to=systemd) as life:
        systemd.hears("READY=1")
        life.ends(signal.SIGTERM)
    assert "ended at the events of table 01: it is left out now" in life.said
