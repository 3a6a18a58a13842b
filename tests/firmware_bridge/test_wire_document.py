"""docs/wire.md is what others build devices from: it must say what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_bridge import device, frames, payloads
from table_core.messages import Key

TEXT = (Path(__file__).parent.parent.parent / "docs" / "wire.md").read_text()
KINDS = ("HELLO", "HEALTH", "KEY", "CARD", "ACK", "HELLO_REQUEST", "LAMP")


def test_every_kind_of_frame_stands_there_with_its_number() -> None:
    written = {name: int(number, 16) for number, name in re.findall(r"^\| `(0x\w+)` \| (\w+) ", TEXT, re.M)}
    assert written == {name: getattr(frames, name) for name in KINDS}


def test_every_key_stands_there_with_its_code() -> None:
    written = {name: int(code) for code, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", TEXT, re.M)}
    assert written == {key.name: int(key) for key in Key}


def test_the_example_frame_is_what_the_code_sends() -> None:
    (line,) = re.findall(r"on line +([0-9a-f ]+)$", TEXT, re.M)
    assert bytes.fromhex(line) == frames.encode(frames.KEY, 0x01020304, 7, payloads.key(Key.D5, 1000))


def test_its_times_and_limits_are_the_codes() -> None:
    assert f"0 to {frames.MAX_PAYLOAD}" in TEXT
    assert f"again after {device.FIRST_RESEND_MS} ms" in TEXT
    assert f"every {device.LAST_RESEND_MS:,} ms" in TEXT


def test_every_key_of_the_firmwares_keypad_is_a_key_and_each_key_is_on_it() -> None:
    main = (Path(__file__).parent.parent.parent / "hardware" / "firmware" / "keypad" / "main.py").read_text()
    (matrix,) = re.findall(r"^KEYS = \(\n(.*?)^\)", main, re.M | re.S)
    codes = [int(code) for code in re.findall(r"\b\d+(?=,)", re.sub(r"#.*", "", matrix).replace(")", ","))]
    assert sorted(codes) == sorted(int(key) for key in Key)
