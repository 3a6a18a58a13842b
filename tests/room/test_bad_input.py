"""Bad input gets a clear error and loses nothing: what is wrong, where, and what was expected."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.lab.demo.room import HOST, RoomPlan, lay_out
from feltwire.private_files import python
from table_core.messages import DeviceState
from tests.feltwire.mosquitto import Mosquitto
from tests.ports import free_base
from tests.room.killing import judge
from tests.room.open_room import OpenRoom

ENDS_S = 240  # a process that refuses to start has ended by then, on a busy machine too

HAND = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [100, 200, 0]
min_bet = 200
starting_stacks = [10000, 10000, 10000]
actions = ["d dh p1 2c7d", "d dh p2 3h8s", "d dh p3 AsAd",
  "p3 cbr 600",
  "p1 f",
  {last}]
finishing_stacks = [9900, 9800, 10300]
"""


def started(command: str, config: Path) -> subprocess.CompletedProcess[str]:
    """Run a process that cannot start to its end."""
    return subprocess.run(
        python("feltwire", command, "--config", str(config)),
        capture_output=True,
        text=True,
        timeout=ENDS_S,
        check=False,
    )


@pytest.fixture
def plan(tmp_path: Path) -> RoomPlan:
    """A room that is laid out and not started."""
    room = RoomPlan(folder=tmp_path / "room", tables=1, seed=1, speed=0, port=free_base())
    lay_out(room)
    return room


# ------------------------------------------------------------------------------------- a wrong hand file


@pytest.mark.parametrize(
    ("last", "line", "expected"),
    [
        ('"p2 fold"', 9, "expected"),
        ('"p2 f", "p3 f"', 9, "'p3 f'"),
        ('"p2 cbr 700"', 9, "1,000"),
        ('"p2 f"; "p3 f"', 9, "not TOML"),
    ],
    ids=["unknown word", "nobody to act", "raise too small", "not TOML"],
)
def test_a_wrong_hand_file_names_the_line_and_what_was_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], last: str, line: int, expected: str
) -> None:
    path = tmp_path / "wrong.phh"
    path.write_text(HAND.format(last=last))
    (tmp_path / "right.phh").write_text(HAND.format(last='"p2 f"'))
    assert main(["replay", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert f"wrong.phh:{line}: " in printed
    assert expected in printed
    assert "1 of 2 hands equal" in printed  # the other hand is played all the same

    assert main(["demo", "--headless", "--hands", str(path), "--port", str(free_base())]) == 2
    printed = capsys.readouterr().err
    assert f"wrong.phh:{line}: " in printed
    assert expected in printed


# ------------------------------------------------------------------------------------------ a port in use


@pytest.mark.parametrize("command", ["table", "station", "clock", "relay"])
def test_a_port_in_use_is_named_by_every_process(plan: RoomPlan, command: str) -> None:
    name = "table-01" if command == "table" else command
    port = {"table": plan.ports.table(1)}.get(command) or getattr(plan.ports, command)
    with socket.socket() as taken:
        taken.bind((HOST, port))
        taken.listen()
        ended = started(command, plan.folder / f"{name}.toml")
    assert ended.returncode == 1
    assert str(port) in ended.stderr
    assert "Traceback" not in ended.stderr


# ------------------------------------------------------------------------------ wrong files of a process


@pytest.mark.parametrize("command", ["table", "station", "clock", "relay"])
def test_a_wrong_setting_is_named_with_its_file(plan: RoomPlan, command: str) -> None:
    config = plan.folder / ("table-01.toml" if command == "table" else f"{command}.toml")
    config.write_text(config.read_text().replace("venue = ", "venu = ", 1))
    ended = started(command, config)
    assert ended.returncode == 2
    assert config.name in ended.stderr
    assert "venu" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(("command", "ledger"), [("table", "table-01.ledger"), ("station", "station.ledger")])
def test_a_file_that_is_no_ledger_is_named_and_left_as_it_is(plan: RoomPlan, command: str, ledger: str) -> None:
    file = plan.folder / "data" / ledger
    file.write_text("the accounts of last year\n" * 100)
    ended = started(command, plan.folder / ("table-01.toml" if command == "table" else "station.toml"))
    assert ended.returncode == 2
    assert ledger in ended.stderr
    assert "Traceback" not in ended.stderr
    assert file.read_text() == "the accounts of last year\n" * 100


# -------------------------------------------------------------------------------- a broker that is down


@pytest.fixture
def brokerless(tmp_path: Path) -> Iterator[OpenRoom]:
    with OpenRoom(tmp_path / "room", seed=2, mosquitto=True, without=("mosquitto",)) as room:
        yield room


def bus_of(room: OpenRoom) -> DeviceState | None:
    """What the dealer screen says of the broker."""
    view = room.screen()
    return None if view is None else view.devices.get("bus")


@pytest.mark.room
@pytest.mark.mosquitto
@pytest.mark.slow("a real room that begins without its broker, and the hand that it then deals")
def test_a_broker_that_is_down_at_the_start_is_waited_for_visibly(brokerless: OpenRoom, tmp_path: Path) -> None:
    """The table deals without it, everybody says what they wait for, and then nothing is missing."""
    room = brokerless
    room.wait(lambda: room.hands, "a hand is dealt without a broker")
    room.wait(lambda: bus_of(room) is DeviceState.CONNECTING, "the dealer screen says that the broker is away")
    address = f"{HOST}:{room.plan.ports.broker}"
    for name in ("table-01", "station", "clock", "relay"):
        log = room.plan.folder / "log" / f"{name}.log"
        room.wait(lambda log=log: address in log.read_text(), f"{name} says which broker it waits for")
    assert room.station_seq() == 0

    with Mosquitto(tmp_path, port=room.plan.ports.broker):
        assert judge(room, []).wrong == ()
        room.wait(lambda: bus_of(room) is DeviceState.OK, "the dealer screen says that the broker is there")
