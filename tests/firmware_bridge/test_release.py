"""The firmware that a release brings, and a device that has another."""

from __future__ import annotations

import pytest

from firmware_bridge import payloads, release
from firmware_bridge.handshake import read
from firmware_bridge.sim.firmware import Firmware, source_hash
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.timeline import TimeLine

OTHER = "0123456789abcdef"


def test_the_release_names_the_firmware_that_lies_in_it() -> None:
    for kind, name in payloads.DEVICE_NAMES.items():
        make = Firmware(name, modules_of(Board(TimeLine()))).load("main").FIRMWARE.partition(" ")[0]
        assert release.FIRMWARE[kind] == (make, source_hash(name)), "firmware_bridge/release.py"


@pytest.mark.parametrize(
    ("kind", "firmware", "source", "other"),
    [
        (payloads.SHOE, "feltwire-shoe 1.0", release.FIRMWARE[payloads.SHOE][1], False),
        (payloads.SHOE, "feltwire-shoe 0.9", OTHER, True),
        (payloads.SHOE, "feltwire-shoe 1.0", OTHER, True),
        (payloads.KEYPAD, "feltwire-keypad 2.0", release.FIRMWARE[payloads.SHOE][1], True),
        (payloads.SHOE, "acme-shoe 1.0", OTHER, False),
        (payloads.SHOE, "feltwire-shoe 1.0", "00" * 8, False),
    ],
)
def test_a_device_of_ours_with_other_firmware_is_told(kind: int, firmware: str, source: str, other: bool) -> None:
    hello = read(payloads.hello(kind, firmware, 0, bytes.fromhex(source)), 1)
    assert release.is_other(hello) is other
