"""A reader of whatever make that types the numbers of tags: as a serial port, as a keyboard."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.drivers import typed
from firmware_bridge.drivers.interface import DriverError, DriverSettings, ShoeDriver
from firmware_bridge.drivers.typed import TypedTags, keyboard_shoe, line_shoe
from firmware_bridge.reports import CardPassed, ReportsLost, Unreadable
from firmware_bridge.shoe import Uid
from firmware_bridge.sim.line import PtyLine
from table_core.messages import DeviceState
from tests.firmware_bridge.drivers.kit import Listening

TAG = bytes.fromhex("e004a1b2c3d4e5f6")
OTHER = bytes.fromhex("e004a1b2c3d4e5f7")


def settings(port: Path | str, **options: object) -> DriverSettings:
    return DriverSettings("shoe", str(port), 9600, options)


def tags(typed_text: str, **options: object) -> list[object]:
    reader = TypedTags(settings("told", **options))
    return [getattr(report, "uid", report) for report in reader.typed(typed_text, 0.0)]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("E004A1B2C3D4E5F6\r\n", {}),
        ("e0:04:a1:b2:c3:d4:e5:f6\n", {}),
        (" E004-A1B2-C3D4-E5F6 \r", {}),
        ("F6E5D4C3B2A104E0\n", {"format": "hex-reversed"}),
        (f"{int.from_bytes(TAG, 'big')}\n", {"format": "decimal"}),
    ],
)
def test_a_number_is_read_however_readers_write_it(text: str, options: dict[str, object]) -> None:
    assert tags(text, **options) == [Uid(TAG)]


@pytest.mark.parametrize("text", ["E004A1\n", "hello\n", "0" * 16 + "\n", "f" * 300 + "\n", "9" * 30 + "\n"])
def test_what_is_no_tag_is_said_without_being_repeated(text: str) -> None:
    (report,) = tags(text)
    assert isinstance(report, Unreadable)
    assert text.strip()[:6] not in report.why


def test_a_tag_that_lies_there_is_typed_again_and_again_and_counts_once() -> None:
    reader = TypedTags(settings("told", again_ms=1_000))
    came = [reader.typed(TAG.hex() + "\n", at) for at in (0, 300, 900, 1_700, 2_600)]
    assert [len(reports) for reports in came] == [1, 0, 0, 0, 0], "each time it is typed it is there still"
    assert len(reader.typed(TAG.hex() + "\n", 3_700)) == 1
    assert len(reader.typed(OTHER.hex() + "\n", 3_701)) == 1


def test_a_number_may_come_in_pieces() -> None:
    reader = TypedTags(settings("told"))
    assert reader.typed("E004A1B2", 0) == []
    assert len(reader.typed("C3D4E5F6\nE0", 1)) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"formt": "hex"}, "shoe.options: there is no 'formt'; there are format, again_ms"),
        ({"format": "octal"}, "shoe.options: format 'octal'; write one of hex, hex-reversed, decimal"),
        ({"again_ms": "soon"}, "shoe.options: again_ms 'soon'; write whole milliseconds, such as 1500"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], says: str) -> None:
    with pytest.raises(DriverError) as caught:
        TypedTags(settings("told", **options))
    assert str(caught.value) == says


# -------------------------------------------------------------------------------------------- line mode


@pytest.fixture
def running() -> Iterator[Callable[[ShoeDriver, Listening], None]]:
    started: list[ShoeDriver] = []

    def start(driver: ShoeDriver, heard: Listening) -> None:
        heard.driver = driver
        driver.start()
        started.append(driver)

    yield start
    for driver in started:
        driver.stop()


Running = Callable[[ShoeDriver, Listening], None]


def test_cards_come_from_a_serial_port_and_its_tags_stand_nowhere(tmp_path: Path, running: Running) -> None:
    line = PtyLine(tmp_path / "reader")
    line.plug()
    heard = Listening()
    running(line_shoe(settings(tmp_path / "reader"), heard), heard)
    heard.wait(lambda: heard.states[-1:] == [(DeviceState.OK, f"{tmp_path / 'reader'}: a reader that types")])
    line.write(TAG.hex().upper().encode() + b"\r\n" + OTHER.hex().encode() + b"\n")
    heard.wait(lambda: len(heard.reports) == 3)
    lost, first, second = heard.reports
    assert isinstance(lost, ReportsLost)
    assert isinstance(first, CardPassed)
    assert isinstance(second, CardPassed)
    assert (first.uid, second.uid) == (Uid(TAG), Uid(OTHER))
    assert not any("a1b2" in text.lower().replace(" ", "") for text in [*heard.texts, *map(repr, heard.reports)])
    line.unplug()


def test_what_is_not_acknowledged_is_told_again_and_the_next_card_waits(tmp_path: Path, running: Running) -> None:
    line = PtyLine(tmp_path / "reader")
    line.plug()
    heard = Listening(acknowledges=False)
    driver = line_shoe(settings(tmp_path / "reader"), heard)
    running(driver, heard)
    heard.wait(lambda: bool(heard.states))
    line.write(TAG.hex().encode() + b"\n")
    heard.wait(lambda: len(heard.said) >= 2)
    assert len(heard.named) == 1
    driver.acknowledge(heard.said[0][0], 99)
    driver.acknowledge(*heard.said[0])
    heard.wait(lambda: len(heard.named) == 2)
    line.unplug()


def test_a_reader_that_is_pulled_is_missed_and_welcomed_back(tmp_path: Path, running: Running) -> None:
    line = PtyLine(tmp_path / "reader")
    heard = Listening()
    running(line_shoe(settings(tmp_path / "reader"), heard), heard)
    heard.wait(lambda: bool(heard.states) and heard.states[-1][0] is DeviceState.CONNECTING)
    line.plug()
    heard.wait(lambda: heard.states[-1][0] is DeviceState.OK)
    line.unplug()
    heard.wait(lambda: heard.states[-1][0] is DeviceState.CONNECTING)


# ---------------------------------------------------------------------------------------- keyboard mode

CODES = {**{str(digit): 2 + (digit - 1) % 10 for digit in range(10)}, "\n": 28}
CODES |= {"a": 30, "b": 48, "c": 46, "d": 32, "e": 18, "f": 33}


def keystrokes(text: str) -> bytes:
    """Events as the kernel writes them: each key down and up, with the scan code and the end of each report."""
    events = b""
    for letter in text:
        for value in (1, 0):
            events += struct.pack("llHHi", 0, 0, 4, 4, 99) + struct.pack("llHHi", 0, 0, 1, CODES[letter], value)
            events += struct.pack("llHHi", 0, 0, 0, 0, 0)
    return events


def test_cards_come_from_a_keyboard_that_nobody_else_hears(
    tmp_path: Path, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[tuple[int, int]] = []
    monkeypatch.setattr(typed.fcntl, "ioctl", lambda fd, request, value: held.append((request, value)))
    device = tmp_path / "event5"
    os.mkfifo(device)
    keyboard = os.open(device, os.O_RDWR)
    heard = Listening()
    running(keyboard_shoe(settings(device), heard), heard)
    events = keystrokes(TAG.hex() + "\n" + OTHER.hex() + "\n")
    os.write(keyboard, events[:100])
    os.write(keyboard, events[100:])
    heard.wait(lambda: len(heard.reports) == 3)
    assert [report.uid for report in heard.reports[1:]] == [Uid(TAG), Uid(OTHER)]  # type: ignore[union-attr]
    assert held == [(0x40044590, 1)], "EVIOCGRAB: what it types appears in no window"
    os.close(keyboard)


def test_a_keyboard_that_cannot_be_held_alone_is_not_read(tmp_path: Path, running: Running) -> None:
    device = tmp_path / "event5"
    os.mkfifo(device)
    keyboard = os.open(device, os.O_RDWR)
    os.write(keyboard, keystrokes(TAG.hex() + "\n"))
    heard = Listening()
    running(keyboard_shoe(settings(device), heard), heard)
    heard.wait(lambda: bool(heard.states))
    assert heard.states[0][0] is DeviceState.CONNECTING
    assert len(heard.reports) <= 1
    os.close(keyboard)
