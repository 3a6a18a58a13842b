"""The whole room: every process, simulated devices, every page; and what it says when it is called wrongly."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.config import ClockConfig, RelayConfig, StationConfig, TableConfig, load
from feltwire.errors import UsageError
from feltwire.lab.demo.room import Ports, RoomPlan, hands_of, lay_out, seats_of
from feltwire.lab.simroom.config import SimroomConfig
from tests.ports import free_base


def plan(folder: Path, **more: object) -> RoomPlan:
    return RoomPlan(folder=folder, tables=2, seed=1, speed=0, port=free_base(), **more)  # type: ignore[arg-type]


@pytest.mark.room
@pytest.mark.slow("a table deals two hands, and every page is followed to the end")
def test_two_hands_reach_every_ledger_and_every_page_whole(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    arguments = ["--headless", "--tables", "1", "--hands", "2", "--seed", "7", "--port", str(free_base())]
    status = main(["demo", *arguments, "--report", str(report), "--room", str(tmp_path / "room")])
    read = json.loads(report.read_text())
    wrong = ("lost", "duplicates", "mismatched", "misread_cards", "unread_cards")
    assert {name: read[name] for name in wrong} == dict.fromkeys(wrong, 0), read
    assert status == 0
    assert read["hands"] == 2
    assert read["tables"]["01"]["last_seq"] == read["events"]
    assert read["measured"] > 20
    assert read["p50_ms"] <= read["p99_ms"]


def test_a_port_in_use_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = free_base()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", Ports(base).table(1)))
        taken.listen()
        status = main(["demo", "--tables", "1", "--port", str(base), "--room", str(tmp_path / "room")])
    assert status == 2
    assert str(Ports(base).table(1)) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--tables", "0"], "--tables 0"),
        (["--speed", "fast"], "--speed fast"),
        (["--hands", "0"], "--hands 0"),
        (["--hands", "no/such/file.phh"], "no/such/file.phh"),
        (["--port", "99999"], "--port 99999"),
        (["--tables", "3", "--hands", "2"], "2 hands for 3 tables"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", *arguments]) == 2
    assert named in capsys.readouterr().err


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious").write_text("keep me")
    assert main(["demo", "--room", str(tmp_path)]) == 2
    assert (tmp_path / "precious").read_text() == "keep me"


def test_every_configuration_is_one_that_its_process_reads(tmp_path: Path) -> None:
    room = plan(tmp_path / "room", hands=5)
    lay_out(room)
    table = load(room.folder / "table-01.toml", TableConfig)
    dealer = load(room.folder / "simroom-01.toml", SimroomConfig)
    assert table.seats == dealer.seats == seats_of(1)
    assert (table.keypad.port, table.shoe.port) == (dealer.keypad, dealer.shoe)
    assert table.camera.source == f"socket:{dealer.camera}"
    assert load(room.folder / "station.toml", StationConfig).tables == ("01", "02")
    assert load(room.folder / "relay.toml", RelayConfig).tables == ("01", "02")
    assert load(room.folder / "clock.toml", ClockConfig).broker == table.broker


def test_the_hands_of_the_room_are_shared_out_among_its_tables(tmp_path: Path) -> None:
    room = plan(tmp_path, hands=5)
    assert [hands_of(room, 1), hands_of(room, 2)] == [3, 2]


def test_an_unknown_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--tables 41"):
        RoomPlan(folder=tmp_path, tables=41, seed=1, speed=0).check()
