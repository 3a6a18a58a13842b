"""Devices that are plugged into a room at home: offered, taken with one press, kept, given back.

The devices are the simulated ones behind pseudo-terminals; only the kernel's list of them is made here.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import serial
from playwright.sync_api import sync_playwright

from feltwire.config import CameraConfig, SerialDevice, TableConfig
from feltwire.home import hello
from feltwire.home.files import lay_out, with_devices
from feltwire.home.finder import Finder
from feltwire.home.plan import Remembered, plan_of
from feltwire.home.usb import cameras, readers, serial_lines
from feltwire.runtime.children import Supervisor
from feltwire.runtime.plugged import (
    GivenDevices,
    Plugged,
    PluggedHere,
    PluggedKind,
    TakenDevice,
    read_given,
    read_here,
    write_given,
    write_here,
)
from firmware_bridge import payloads
from firmware_bridge.frames import HELLO, encode
from firmware_bridge.sim.keypad import SimKeypad
from firmware_bridge.sim.shoe import SimShoe
from table_core.messages import Key
from tests import chromium
from tests.feltwire.home.open_home import Browser, OpenHome, Refused, seat_two
from tests.feltwire.home.usb_bus import UsbBus, UsbSerial
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base


@pytest.fixture
def usb(tmp_path: Path) -> UsbBus:
    return UsbBus(tmp_path / "machine")


def offered(director: Browser, words: str, fits: Callable[[dict[str, Any]], bool] = lambda item: True) -> Any:
    """The item of the queue that says so."""

    def find(queue: dict[str, Any]) -> list[dict[str, Any]]:
        return [one for one in queue["items"] if words in one["fact"] and fits(one)]

    return find(director.shows("queue", lambda queue: bool(find(queue))))[0]


def press(director: Browser, item: dict[str, Any], label: str) -> str:
    one = next(one for one in [item["primary"], *item.get("also", ())] if one["label"] == label)
    return director.director(one["command"], **one["arguments"])


@pytest.mark.room
@pytest.mark.slow("a whole room, twice")
def test_a_keypad_is_offered_taken_with_one_press_and_kept_for_the_next_evening(
    tmp_path: Path, usb: UsbBus
) -> None:
    folder = tmp_path / "room"
    arguments = ("--tables", "2", "--port", str(free_base()), "--embedded-broker", "--devices", str(usb.folder))
    with plugged(SimKeypad, usb.plug("ttyACM0", number="E66A")) as keypad:
        with OpenHome(folder, *arguments) as room:
            director, keys = room.director, room.keys("01")
            item = offered(director, "A keypad is plugged in: ")
            assert [one["label"] for one in (item["primary"], *item["also"])] == [
                "Use it for table 01",
                "Use it for table 02",
            ]
            seat_two(director, keys)
            assert "is table 01's, also the next time" in press(director, item, "Use it for table 01")
            director.shows("queue", lambda queue: "is plugged in" not in json.dumps(queue["items"]))
            _press_until(keypad, Key.NEW_HAND, director, lambda table: table["hand"] == 1)
            keypad.press(Key.FOLD)
            director.shows("table/01", lambda table: table["hands_played"] == 1)
            assert "keypad of table 01" in director.get("/devices")
            assert room.errors == "", "a table that begins with a device is no fault"
            assert room.end() == 0
        port = str(usb.folder / "dev/serial/by-id/usb-Maker_E66A-if00")
        (taken,) = read_given(folder / "devices").taken
        assert (taken.table, taken.port, taken.kind) == ("01", port, PluggedKind.KEYPAD)
        usb.unplug("ttyACM0")
    with (
        plugged(SimKeypad, usb.plug("ttyACM3", number="E66A", at="1-2")) as keypad,
        OpenHome(folder, *arguments) as room,
    ):
        director = room.director
        _press_until(keypad, Key.NEW_HAND, director, lambda table: table["hand"] == 2)
        answer = director.director("give_device_back", device=taken.id)
        assert answer == f"Table 01 plays without {taken.words} from now on."
        offered(director, "A keypad is plugged in: ")
        assert "No table has a device" in director.get("/devices")
        with pytest.raises(Refused, match="not plugged in any more"):
            director.director("take_device", device="nobody", table="01")
        assert room.end() == 0


def _press_until(keypad: SimKeypad, key: Key, director: Browser, fits: Callable[[dict[str, Any]], bool]) -> None:
    """What is pressed before the table has begun with the keypad is told it then."""
    keypad.press(key)
    director.shows("table/01", fits)


# ------------------------------------------------------------------------------------ the finder alone


def nobody_there(node: Path) -> int:
    """A serial line at `node` behind which nobody answers; the device's end of it."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    node.symlink_to(os.ttyname(theirs))
    os.close(theirs)
    os.set_blocking(ours, False)
    return ours


class Looked:
    """What the finder of a room with one table tells, a look at a time."""

    def __init__(self, usb: UsbBus, folder: Path) -> None:
        self._plan = plan_of(folder / "room", Remembered(1, port=free_base()), "")
        lay_out(self._plan)
        self._finder = Finder(self._plan, Supervisor([]), usb.folder)

    def given(self, given: GivenDevices) -> None:
        write_given(self._plan.devices, given)

    def here(self) -> tuple[Plugged, ...]:
        self._finder.look()
        return read_here(self._plan.devices).devices


@contextmanager
def plugged(device: type[SimKeypad] | type[SimShoe], node: Path) -> Iterator[Any]:
    inside = node.with_name(f"{node.name}-inside")
    with device(inside) as made, UsbSerial(inside, node):
        yield made


def test_who_is_asked_and_who_is_not(usb: UsbBus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger is neither opened nor written to until the director says so."""
    monkeypatch.setattr(hello, "ANSWERS_S", 0.1)  # nobody will answer
    ours = nobody_there(usb.plug("ttyUSB0", usb=("1a86", "7523"), product="Printer", at="1-3"))
    looked = Looked(usb, tmp_path)
    (one,) = looked.here()
    assert (one.kind, one.words, one.trouble) == (PluggedKind.UNKNOWN, "Maker Printer", "")
    with pytest.raises(OSError, match="Input/output error"):
        os.read(ours, 1)
    looked.given(GivenDevices(ask=(one.id,)))
    (asked,) = looked.here()
    assert asked.trouble == "it does not answer yet"
    assert os.read(ours, 100), "now it was asked"
    looked.here()
    assert [(again.kind, again.trouble) for again in looked.here()] == [(PluggedKind.READER, "")]
    os.close(ours)


def test_two_keypads_and_a_shoe_are_told_apart_also_without_serial_numbers(usb: UsbBus, tmp_path: Path) -> None:
    nodes = [usb.plug(f"ttyACM{no}", at=f"1-{no + 1}") for no in range(3)]
    with plugged(SimKeypad, nodes[0]), plugged(SimKeypad, nodes[1]), plugged(SimShoe, nodes[2]):
        here = Looked(usb, tmp_path).here()
    assert [one.kind for one in here] == [PluggedKind.KEYPAD, PluggedKind.KEYPAD, PluggedKind.SHOE]
    assert len({one.id for one in here}) == 3
    assert [Path(one.port).parent.name for one in here] == ["by-path"] * 3


def test_a_keypad_that_is_pulled_out_and_comes_back_is_asked_again(usb: UsbBus, tmp_path: Path) -> None:
    looked = Looked(usb, tmp_path)
    with plugged(SimKeypad, usb.plug("ttyACM0", number="1")):
        assert [one.kind for one in looked.here()] == [PluggedKind.KEYPAD]
        usb.unplug("ttyACM0")
    assert looked.here() == ()
    with plugged(SimShoe, usb.plug("ttyACM0", number="1")):
        assert [one.kind for one in looked.here()] == [PluggedKind.SHOE]


def test_a_port_that_somebody_has_open_is_left_alone_and_he_is_named(usb: UsbBus, tmp_path: Path) -> None:
    node = usb.plug("ttyACM0", number="1")
    looked = Looked(usb, tmp_path)
    with plugged(SimKeypad, node):
        with serial.Serial(str(node)) as line:
            line.timeout = 0
            (one,) = looked.here()
            assert one.trouble.endswith(f"(process {os.getpid()}) has it open: end that first")
        (one,) = looked.here()
        assert (one.kind, one.trouble) == (PluggedKind.KEYPAD, "")


def test_a_port_without_rights_says_which_group_gives_them(
    usb: UsbBus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with plugged(SimKeypad, usb.plug("ttyACM0", number="1")):
        monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may open anything
        (one,) = Looked(usb, tmp_path).here()
    assert one.trouble.startswith("this user may not use it: sudo usermod -aG ")
    assert one.trouble.endswith("then sign out and in again")


@pytest.mark.parametrize(("protocol", "words"), [(99, "newer than 2: update"), (0, "older than")])
def test_a_device_of_another_version_says_what_to_update(
    usb: UsbBus, tmp_path: Path, protocol: int, words: str
) -> None:
    ours = nobody_there(usb.plug("ttyACM0", number="1"))
    said = bytes([protocol]) + payloads.hello(payloads.KEYPAD, "keypad 9", 0, bytes(payloads.HASH_BYTES))[1:]

    def answer() -> None:
        while True:
            with contextlib.suppress(OSError):  # nobody has opened it yet
                if select.select([ours], [], [], 0.02)[0] and os.read(ours, 100):
                    break
            time.sleep(0.02)
        os.write(ours, encode(HELLO, 1, 0, said))

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    (one,) = Looked(usb, tmp_path).here()
    thread.join()
    assert words in one.trouble
    os.close(ours)


def test_cameras_are_those_that_are_not_built_in_and_readers_those_that_are_known(usb: UsbBus) -> None:
    usb.plug_camera("video0", product="Laptop", removable="fixed", at="1-5")
    usb.plug_camera("video2", product="C270", at="1-6")
    assert [(one.words, one.port) for one in cameras(usb.folder)] == [
        ("Maker C270", str(usb.folder / "dev/v4l/by-path/pci-0000:00-usb-0:1-6"))
    ]
    assert not list(readers(usb.folder))
    assert not list(serial_lines(usb.folder))


def test_what_stands_in_the_files_and_cannot_be_read_is_asked_again(tmp_path: Path) -> None:
    (tmp_path / "given.json").write_text("nonsense")
    assert read_given(tmp_path) == GivenDevices()
    given = GivenDevices((TakenDevice("a", PluggedKind.SHOE, "shoe", "/dev/x", "01"),), ("b",))
    write_given(tmp_path, given)
    assert read_given(tmp_path) == given
    here = PluggedHere((Plugged("a", PluggedKind.CAMERA, "camera", "/dev/video0"),))
    write_here(tmp_path, here)
    assert read_here(tmp_path) == here
    assert not [path for path in tmp_path.iterdir() if path.stat().st_mode & 0o077]


@pytest.mark.parametrize(
    ("kind", "port", "section", "expected"),
    [
        (PluggedKind.SHOE, "/dev/serial/by-id/a", "shoe", SerialDevice("/dev/serial/by-id/a")),
        (PluggedKind.READER, "/dev/ttyUSB0", "shoe", SerialDevice("/dev/ttyUSB0", driver="typed-line")),
        (
            PluggedKind.READER,
            "/dev/input/a",
            "shoe",
            SerialDevice("/dev/input/a", driver="typed-keyboard"),
        ),
        (PluggedKind.CAMERA, "/dev/video0", "camera", CameraConfig("v4l2:/dev/video0")),
    ],
)
def test_the_settings_of_its_table_name_the_device_and_nobody_elses_do(
    tmp_path: Path, kind: PluggedKind, port: str, section: str, expected: object
) -> None:
    given = GivenDevices((TakenDevice("a", kind, "words", port, "02"),))
    bare = [TableConfig("home", table, "data", (), ()) for table in ("01", "02")]
    assert with_devices(bare[0], given, tmp_path) == bare[0]
    table = with_devices(bare[1], given, tmp_path)
    assert getattr(table, section) == expected
    assert with_devices(table, GivenDevices(), tmp_path) == bare[1], "given back"


@pytest.mark.room
@pytest.mark.browser
@pytest.mark.slow("a whole room is opened, and a browser")
def test_the_directors_page_gives_a_shoe_to_a_table_and_takes_it_back(tmp_path: Path, usb: UsbBus) -> None:
    assert chromium.PROGRAM, chromium.MISSING
    arguments = ("--tables", "1", "--port", str(free_base()), "--embedded-broker", "--devices", str(usb.folder))
    with (
        plugged(SimShoe, usb.plug("ttyACM0", number="5")),
        OpenHome(tmp_path / "room", *arguments) as room,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(room.addresses["station"]["link"])
        page.get_by_role("button", name="Use it for table 01").click()
        page.get_by_role("button", name="Use it for table 01").wait_for(state="hidden")
        page.click(".phone-bar [data-more]")
        page.click("#more a[href='/devices']")
        page.get_by_text("shoe of table 01").wait_for()
        page.get_by_role("button", name="Give back").click()
        page.get_by_text("Table 01 plays without").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.goto(room.addresses["station"]["link"].split("/sign-in")[0] + "/station")
        page.get_by_role("button", name="Use it for table 01").wait_for()
        browser.close()
        assert room.end() == 0
