"""docs/wire.md is what others build devices from: it must say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge import device, frames, payloads
from firmware_bridge.sim.firmware import Firmware
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.timeline import TimeLine
from table_core.messages import Key
from tests.firmware_bridge.wire_examples import EXAMPLES

TEXT = (Path(__file__).parent.parent.parent / "docs" / "wire.md").read_text()


def test_every_kind_of_frame_stands_there_with_its_number() -> None:
    written = {name: int(number, 16) for number, name in re.findall(r"^\| `(0x\w\w)` \| ([A-Z_]+) \|", TEXT, re.M)}
    assert written == {name: getattr(frames, name) for name in EXAMPLES}
    reports = set(re.findall(r"^\| `0x\w\w` \| ([A-Z_]+) \| device, report", TEXT, re.M))
    assert {getattr(frames, name) for name in reports} == set(frames.REPORTS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_each_message_is_what_the_code_sends(name: str) -> None:
    written = re.findall(rf"^{name} +((?:[0-9a-f]{{2}} ?)+)$", TEXT, re.M)
    assert [bytes.fromhex(line) for line in written] == [EXAMPLES[name]]
    assert frames.decode(EXAMPLES[name][:-1]) is not None


def test_every_key_stands_there_with_its_code() -> None:
    written = {name: int(code) for code, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", TEXT, re.M)}
    assert written == {key.name: int(key) for key in Key}


def test_the_first_example_frame_is_what_the_code_sends() -> None:
    (line,) = re.findall(r"on line +([0-9a-f ]+)$", TEXT, re.M)
    assert bytes.fromhex(line) == frames.encode(frames.KEY, 0x01020304, 7, payloads.key(Key.D5, 1000))


def test_its_times_limits_and_versions_are_the_codes() -> None:
    assert f"0 to {frames.MAX_PAYLOAD}" in TEXT
    assert f"again after {device.FIRST_RESEND_MS} ms" in TEXT
    assert f"every {device.LAST_RESEND_MS:,} ms" in TEXT
    assert f"The protocol's version is {payloads.PROTOCOL}" in TEXT
    assert f"protocol: {payloads.PROTOCOL} " in TEXT


def test_every_capability_fault_and_reason_stands_there() -> None:
    rows = {int(bit, 16) for bit in re.findall(r"^\| `(0x[0-9a-f]{4})` \|", TEXT, re.M)}
    names = ("KEEPS_", "TELLS_", "HAS_", "SEES_")
    assert rows == {getattr(payloads, name) for name in dir(payloads) if name.startswith(names)}
    (faults,) = re.findall(r"^Counts are of this boot\. Faults: (.*?)\n\n", TEXT, re.M | re.S)
    assert {int(bit, 16) for bit in re.findall(r"`(0x[0-9a-f]{4})`", faults)} == {
        payloads.READER_1_SILENT,
        payloads.READER_2_SILENT,
        payloads.NO_MEMORY,
        payloads.BEAM_1_COVERED,
        payloads.BEAM_2_COVERED,
        payloads.KEY_HELD,
        payloads.SAFE_MODE,
        payloads.LOW_SUPPLY,
    }
    (why,) = re.findall(r"^\| 1 \| why: (.*?) \|$", TEXT, re.M)
    assert {int(number) for number in re.findall(r"\b(\d) (?:the|something)", why)} == {
        payloads.QUEUE_FULL,
        payloads.POWER_FAILED,
        payloads.MEMORY_DAMAGED,
        payloads.RESTARTED,
        payloads.UNCERTAIN,
    }


def test_every_key_of_the_firmwares_keypad_is_a_key_and_each_but_a_cards_is_on_it() -> None:
    keys = Firmware("keypad", modules_of(Board(TimeLine()))).load("matrix").KEYS
    assert sorted(code for row in keys for code in row if code is not None) == sorted(set(Key) - {Key.CARD})
