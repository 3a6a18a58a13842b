"""`feltwire device test`: our own devices hold, and each way to break the protocol is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.tools.device import tried
from firmware_bridge import payloads
from firmware_bridge.conformance.checks import ALONE, TOUCHED
from firmware_bridge.conformance.probe import Came, Probe
from firmware_bridge.device import Device
from firmware_bridge.frames import ACK, CARD, HELLO, HELLO_REQUEST, KEY, Frame, decode, encode
from firmware_bridge.sim import SimKeypad
from firmware_bridge.sim.firmware_process import FirmwareWire
from firmware_bridge.sim.kept import KeptReports

TAG = bytes.fromhex("e004a1b2c3d4e5f6")


class Desk:
    """A device on a line whose time only passes while somebody listens. Subclasses change what it hears or
    says."""

    kind = payloads.KEYPAD

    def __init__(self) -> None:
        self.ms = 0
        self.device = Device(self.kind, "their device", 7, log=KeptReports())
        self._out = b""

    def touch(self, probe: Probe, words: str) -> Came | None:
        """Somebody who is asked to touches it."""
        if self.kind == payloads.SHOE:
            self.device.report(CARD, payloads.card(TAG, self.ms), self.ms)
        else:
            self.device.report(KEY, payloads.key(5, self.ms), self.ms)
        return probe.report(5.0)

    def clock(self) -> float:
        return self.ms / 1_000

    @property
    def in_waiting(self) -> int:
        return len(self._out)

    def write(self, data: bytes) -> None:
        self.hears(data)

    def read(self, size: int) -> bytes:
        if not self._out:
            self.ms += 2
            self._out = self.says(self.device.transmit(self.ms))
        data, self._out = self._out[:size], self._out[size:]
        return data

    def hears(self, data: bytes) -> None:
        self.device.receive(data, self.ms)

    def says(self, data: bytes) -> bytes:
        return data


class TheirShoe(Desk):
    kind = payloads.SHOE


def found(desk: Desk, *, untouched: bool = False) -> dict[str, str]:
    """What does not hold, and why."""
    verdicts = list(tried(Probe(desk, desk.clock), desk.touch, untouched=untouched))
    assert [verdict.check for verdict in verdicts] == [check.says for check in (*ALONE, *TOUCHED)]
    return {verdict.check: verdict.why for verdict in verdicts if verdict.result != "holds"}


@pytest.mark.parametrize("desk", [Desk, TheirShoe])
def test_a_device_made_of_our_files_holds_in_everything(desk: type[Desk]) -> None:
    assert found(desk()) == {}


class FirmwareDesk(Desk):
    """The firmware of hardware/firmware, under MicroPython."""

    touched = "press 5"

    def __init__(self) -> None:
        super().__init__()
        self.wire = FirmwareWire(payloads.DEVICE_NAMES[self.kind], 7)

    def touch(self, probe: Probe, words: str) -> Came | None:
        self.wire.happens(self.touched)
        return probe.report(5.0)

    def read(self, size: int) -> bytes:
        if not self._out:
            self.ms += 10
            self._out = self.wire.transmit(self.ms)
        return super().read(size) if self._out else b""

    def hears(self, data: bytes) -> None:
        self.wire.receive(data, self.ms)


class FirmwareShoeDesk(FirmwareDesk):
    kind = payloads.SHOE
    touched = f"deal {TAG.hex()}"


@pytest.mark.parametrize("desk", [FirmwareDesk, FirmwareShoeDesk])
def test_our_firmware_holds_in_everything(desk: type[FirmwareDesk]) -> None:
    there = desk()
    try:
        assert found(there) == {}
    finally:
        there.wire.close()


def test_without_a_touch_the_rest_is_skipped() -> None:
    assert set(found(Desk(), untouched=True)) == {check.says for check in TOUCHED}


def test_the_command_tries_a_device_on_its_port(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with SimKeypad(tmp_path / "keypad"):
        assert main(["device", "test", str(tmp_path / "keypad"), "--untouched", "--json"]) == 0
    *lines, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["result"] for line in lines} == {"holds", "skipped"}
    assert last == {"checks": len(ALONE) + len(TOUCHED), "failed": 0, "skipped": len(TOUCHED)}


def test_a_port_that_is_not_there_is_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["device", "test", str(tmp_path / "none")]) == 2
    assert "cannot be opened" in capsys.readouterr().err


# ------------------------------------------------------------------- devices that break one rule each


class Mute(Desk):
    def says(self, data: bytes) -> bytes:
        return b""


class Newer(Desk):
    def says(self, data: bytes) -> bytes:
        return encode(HELLO, 7, 0, bytes((9, payloads.KEYPAD)) + b"keypad 9") if data else b""


class Restarts(Desk):
    """It falls over noise and comes back with another boot number."""

    def hears(self, data: bytes) -> None:
        bad = self.device._decoder.bad
        super().hears(data)
        if self.device._decoder.bad > bad:
            self.device = Device(payloads.KEYPAD, "their keypad", self.device.boot + 1, log=KeptReports())


class Impatient(Desk):
    """It repeats every 30 ms."""

    def hears(self, data: bytes) -> None:
        super().hears(data)
        self.device._due_at = min(self.device._due_at, self.ms + 30)
        self.device._patience = 30


class Forgetful(Desk):
    """It says each report once."""

    def says(self, data: bytes) -> bytes:
        first = decode(data[1:].split(b"\x00")[0]) if data.startswith(b"\x00") else None
        return b"" if first is not None and first.kind == KEY else data


class Credulous(Desk):
    """Any ACK will do."""

    def hears(self, data: bytes) -> None:
        super().hears(data)
        if b"\x80" in data and self.device.oldest is not None:
            self.device._acknowledged(Frame(ACK, *self.device.oldest, b""))


class Deaf(Desk):
    """It answers the first HELLO_REQUEST with HELLO alone, and repeats nothing behind it."""

    def hears(self, data: bytes) -> None:
        due = self.device._due_at
        super().hears(data)
        if encode(HELLO_REQUEST, 0, 0) in data and self.device.waiting:
            self.device._due_at = max(due, self.ms + 700)


class Timeless(Desk):
    """It claims to tell the time, and does not."""

    def hears(self, data: bytes) -> None:
        super().hears(data)
        self.device._answers = []


class TwoAtOnce(Desk):
    """It sends every report at once, whatever was acknowledged."""

    def says(self, data: bytes) -> bytes:
        if data and self.device.waiting > 1:
            last = self.device._waiting[-1]
            return data + encode(last.kind, last.boot, last.seq, last.payload)
        return data


@pytest.mark.parametrize(
    ("broken", "check", "why"),
    [
        (Mute, "HELLO names a protocol", "no HELLO came"),
        (Newer, "HELLO names a protocol", "newer than 2: update this table's program"),
        (Restarts, "noise and half frames", "it restarted behind noise"),
        (Impatient, "it is repeated after", "repetitions after"),
        (Forgetful, "it is repeated after", "0 repetitions within 1.9 s"),
        (Credulous, "only the ACK of the report", "was taken for its own"),
        (Deaf, "HELLO_REQUEST brings", "behind HELLO_REQUEST"),
        (Timeless, "TIME answers", "was not answered"),
        (TwoAtOnce, "the next report waits", "before the first was acknowledged"),
    ],
)
def test_each_way_to_break_the_protocol_is_named(broken: type[Desk], check: str, why: str) -> None:
    wrong = found(broken())
    assert any(one.startswith(check) and why in words for one, words in wrong.items()), wrong


def test_no_word_of_it_names_a_tag() -> None:
    class Silly(TheirShoe):
        """Its card frames are one byte short: what is wrong with them is said."""

        def touch(self, probe: Probe, words: str) -> Came | None:
            self.device.report(CARD, payloads.card(TAG, self.ms)[:11], self.ms)
            return probe.report(5.0)

    wrong = found(Silly())
    assert wrong["a report is numbered and can be read"] == "card: 11 bytes, 12 expected"
    assert not any("a1b2" in why for why in wrong.values())
