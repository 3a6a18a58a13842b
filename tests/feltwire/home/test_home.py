"""`feltwire home`: an evening in a real room of one machine, with either broker; and the next evening."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tomllib
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.private_files import python
from table_core.messages import Key
from tests.feltwire.home.open_home import OpenHome, seat_two
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base

pytestmark = pytest.mark.room
EITHER_BROKER = [
    pytest.param((), id="mosquitto", marks=pytest.mark.mosquitto),
    pytest.param(("--embedded-broker",), id="embedded"),
]


def hands_verified(ledger: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """How many hands `feltwire verify` finds in a ledger whose chain, signatures and state are right."""
    capsys.readouterr()
    assert main(["verify", str(ledger), "--json"]) == 0
    return int(json.loads(capsys.readouterr().out.splitlines()[0])["hands"])


def listening_at(port: int) -> list[str]:
    """The addresses of this machine at which somebody listens on a port, as the kernel writes them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [here for _, here, _, state, *_ in rows if state == "0A" and here.endswith(f":{port:04X}")]


@pytest.mark.slow("two evenings of a whole room: five processes are started twice")
@pytest.mark.parametrize("broker", EITHER_BROKER)
def test_an_evening_at_home_and_the_next_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], broker: tuple[str, ...]
) -> None:
    folder = tmp_path / "with a space"
    records = folder / "records"
    with OpenHome(folder, "--tables", "2", "--port", str(free_base()), *broker) as room:
        assert list(room.addresses) == ["station", "table 01", "table 02", "wall clock", "your seat", "players"]
        assert not any("0.0.0.0" in address["url"] for address in room.addresses.values())
        director = room.director
        keys = room.admitted("01", director)
        assert ("mosquitto" in room.children[room.broker]) == (not broker)

        seat_two(director, keys)
        keys.key("01", Key.NEW_HAND)
        keys.shows("table/01", lambda table: table["hand"] == 1)

        os.kill(room.broker, signal.SIGKILL)
        keys.key("01", Key.FOLD)  # the table plays on without it
        keys.shows("table/01", lambda table: table["hands_played"] == 1)
        seen = director.shows("table/01", lambda table: table["hands_played"] == 1)  # it is back
        assert room.end(signal.SIGTERM) == 0
    assert hands_verified(records / "table-01.ledger", capsys) == 1

    with OpenHome(folder) as room:
        assert list(room.addresses) == ["station", "table 01", "table 02", "wall clock", "your seat", "players"]
        director = room.director
        shown = director.shows("table/01", lambda table: table["hands_played"] == 1)
        assert [seat["stack"] for seat in shown["seats"]] == [seat["stack"] for seat in seen["seats"]]
        names = {one["name"] for one in director.shows("field", lambda field: len(field["field"]) == 2)["field"]}
        assert names == {"Ann Example", "Bo Example"}
        assert room.end(signal.SIGINT) == 0
    assert hands_verified(records / "table-01.ledger", capsys) == 1


@pytest.mark.slow("a whole room is opened twice")
@pytest.mark.mosquitto
def test_one_room_a_folder_and_nothing_of_it_stays(tmp_path: Path) -> None:
    folder, port = tmp_path / "room", str(free_base())
    with OpenHome(folder, "--tables", "1", "--port", port) as room:
        command = python("feltwire", "home", "--no-browser", "--data", str(folder))
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        assert second.returncode == 2
        assert second.stderr.startswith(f"feltwire home: {folder}: a room is open from here already (process ")
        assert second.stderr.count("\n") == 1
        assert room.end(signal.SIGKILL) == -signal.SIGKILL
    with OpenHome(folder) as room:
        assert room.end(signal.SIGHUP) == 0, "the terminal was closed"


@pytest.mark.parametrize("broker", EITHER_BROKER)
def test_passwords_are_for_this_user_alone_and_the_broker_for_this_machine(
    tmp_path: Path, broker: tuple[str, ...]
) -> None:
    folder = tmp_path / "room"
    with OpenHome(folder, "--tables", "1", "--port", str(free_base()), *broker) as room:
        settings = {file.name: file.read_text() for file in (folder / "settings").iterdir()}
        passwords = [tomllib.loads(text)["broker"]["password"] for text in settings.values()]
        assert len(set(passwords)) == 3
        lines = " ".join(room.children.values())
        logs = "".join(file.read_text() for file in (folder / "log").iterdir())
        hashes = (folder / "broker" / "passwords").read_text()
        assert not any(password in text for password in passwords for text in (lines, logs, hashes))
        open_to_others = [path for path in folder.rglob("*") if path.stat().st_mode & 0o077]
        assert open_to_others == []
        port = int(tomllib.loads(settings["clock.toml"])["broker"]["url"].rpartition(":")[2])
        assert listening_at(port) == [f"0100007F:{port:04X}"]
        room.end()


def test_a_port_in_use_is_said_and_the_next_one_taken(tmp_path: Path) -> None:
    base = free_base()
    room = OpenHome(tmp_path / "room", "--tables", "1", "--port", str(base), "--embedded-broker")
    with socket.create_server(("127.0.0.1", base)), room:
        assert room.addresses["station"]["link"].startswith(f"http://127.0.0.1:{base + 1}/sign-in?token=")
        assert f"Port {base} is in use: the station's page is at port {base + 1}." in room.errors
        codes = room.director.get("/codes")
        assert codes.count("<svg") == 4
        assert all(address["url"] in codes for address in room.addresses.values() if address.get("code"))
        room.end()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--tables", "41"), "--tables 41: a room has 1 to 40 tables"),
        (("--port", "0"), "--port 0: choose a port from 1 to 65535"),
        (("--book", "nobodys"), "--book: "),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert main(["home", "--no-browser", "--data", str(tmp_path / "room"), *arguments]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "room" / "home.toml").exists(), "what cannot be is not remembered"


def test_elsewhere_than_on_linux_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert main(["home"]) == 2
    assert capsys.readouterr().err == (
        "feltwire home: a room needs Linux, and this is darwin: open it on another machine of the network\n"
    )


def test_without_a_broker_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["home", "--no-browser", "--embedded-broker", "--data", str(tmp_path / "room")]) == 2
    assert "pip install 'feltwire[demo]'" in capsys.readouterr().err
