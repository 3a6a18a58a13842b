"""A phone as a table's camera at home: asked for at the terminal, and its password nowhere but in its file."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.config import TableConfig, load
from feltwire.home.files import lay_out
from feltwire.home.phone_camera import EVERYBODY_SEES, add_phone, forget_phones
from feltwire.home.plan import HomePlan, Remembered, plan_of
from feltwire.runtime.plugged import GivenDevices, read_given
from tests.feltwire.home.open_home import OpenHome, seat_two
from tests.ports import free_base
from tests.vision.camera.mjpeg_phone import MjpegPhone
from vision.camera.stream import load_stream

SECRET = "geheim-4711"


def plan(folder: Path) -> HomePlan:
    return plan_of(folder, Remembered(1, port=free_base()), "")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_the_sentence_is_said_and_the_answer_is_no_unless_it_is_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room, address = plan(tmp_path / "room"), "http://192.168.1.40:8080/video"
    lay_out(room)
    for answer, whole in (("", False), ("y", True)):
        typed(monkeypatch, address, "dealer", SECRET, answer)
        add_phone(room, "1")
        assert EVERYBODY_SEES in capsys.readouterr().err
        (taken,) = read_given(room.devices).taken
        file = room.devices / "phone-01.toml"
        assert (taken.table, taken.port) == ("01", f"stream:{file}")
        assert load_stream(file) == (address, "dealer", SECRET, whole)
        assert file.stat().st_mode & 0o077 == 0
        with pytest.raises(Exception, match="the table has a camera; give it back first"):
            add_phone(room, "01")
        lay_out(room)
        assert load(room.settings / "table-01.toml", TableConfig).camera.source == taken.port
        (room.devices / "given.json").unlink()
        forget_phones(room.devices, GivenDevices())
        assert not file.exists(), "given back: nothing of it is kept"


@pytest.mark.parametrize(
    ("table", "address", "words"),
    [
        ("07", "", "there is no such table; there are 01"),
        ("01", "rtsp://192.168.1.40/live", "RTSP is not read"),
        ("01", "file:///etc/passwd", "write the phone's MJPEG address"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    table: str,
    address: str,
    words: str,
) -> None:
    typed(monkeypatch, address)
    arguments = ["--tables", "1", "--data", str(tmp_path / "room"), "--embedded-broker", "--no-browser"]
    assert main(["home", *arguments, "--phone-camera", table]) == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.room
@pytest.mark.slow("a whole room whose table has a camera: networks and picture libraries are loaded")
def test_a_table_watches_with_it_and_its_password_is_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "room"
    room_plan = plan(folder)
    with MjpegPhone(password=SECRET) as phone:
        lay_out(room_plan)
        typed(monkeypatch, phone.url, "dealer", SECRET, "")
        add_phone(room_plan, "01")
        with OpenHome(folder, "--tables", "1", "--port", str(free_base()), "--embedded-broker") as room:
            director, keys = room.director, room.keys("01")
            seat_two(director, keys)
            director.shows("room", lambda _: phone.asked > 0)
            lines = " ".join(Path(f"/proc/{pid}/cmdline").read_text() for pid in room.children)
            shown = " ".join(director.get(f"/api/{channel}") for channel in ("room", "queue"))
            shown += director.get("/devices") + keys.get("/table/01")
            assert "A phone" in director.get("/devices")
            (taken,) = read_given(folder / "devices").taken
            director.director("give_device_back", device=taken.id)
            assert room.end() == 0
    bundle = tmp_path / "support.zip"
    config = str(folder / "settings" / "table-01.toml")
    log = str(folder / "log" / "table-01.log")
    assert main(["support-bundle", "--config", config, "--log", log, "--out", str(bundle)]) == 0
    kept = {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    kept.pop("phone-01.toml", b"")
    kept["lines"], kept["shown"], kept["bundle"] = lines.encode(), shown.encode(), bundle.read_bytes()
    planted = (SECRET.encode(), str(phone.port).encode() + b"/video")
    assert [name for name, data in kept.items() if any(one in data for one in planted)] == []
