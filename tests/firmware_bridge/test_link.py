"""A table's link to simulated devices over real pseudo-terminals."""

from __future__ import annotations

import logging
import pickle
import random
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from firmware_bridge import payloads
from firmware_bridge.device import Device
from firmware_bridge.frames import CARD, HEALTH, HELLO, HELLO_REQUEST, KEY, LAMP, LOST, encode
from firmware_bridge.link import DeviceLink, LinkError, ReceivedFrame, boot_ms
from firmware_bridge.sim import SimKeypad, SimShoe
from firmware_bridge.sim.kept import KeptReports
from firmware_bridge.sim.line import PtyLine
from table_core.messages import DeviceState, Key
from tests.firmware_bridge.conftest import PATIENCE, Host

Hosts = Callable[..., Host]
TAG = bytes.fromhex("e004a1b2c3d4e5f6")


@pytest.fixture
def keypad(tmp_path: Path) -> Iterator[SimKeypad]:
    with SimKeypad(tmp_path / "keypad") as device:
        yield device


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[SimShoe]:
    with SimShoe(tmp_path / "shoe") as device:
        yield device


def keys(host: Host) -> list[Key]:
    """The keys heard, repetitions of a frame left out."""
    codes = [payload[0] for payload in host.payloads]
    return [Key(code) for code in codes]


def test_a_press_arrives_with_its_key_and_the_time_its_last_byte_was_read(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad", expect=payloads.KEYPAD)
    before = boot_ms()
    boot, seq = keypad.press(Key.FOLD)
    assert keypad.wait_acked(PATIENCE)
    frame = host.frames[0]
    assert (frame.device, frame.boot, frame.seq, frame.kind) == ("keypad", boot, seq, KEY)
    assert payloads.read_key(frame.payload)[0] == Key.FOLD
    assert before <= keypad.sent_at[boot, seq] <= boot_ms()
    assert before <= frame.received_ms <= boot_ms()


def test_a_frame_is_repeated_until_it_is_acknowledged_and_then_no_more(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad", acks=False)
    boot, first = keypad.press(Key.D7)
    _, second = keypad.press(Key.FOLD)
    host.wait(lambda: len(host.frames) >= 3)
    assert {frame.seq for frame in host.frames} == {first}  # one at a time
    host.acks = True
    host.link.ack(boot, first)
    assert keypad.wait_acked(PATIENCE)
    heard = len(host.frames)
    assert keypad.resent > 0
    keypad.press(Key.CLEAR)
    assert keypad.wait_acked(PATIENCE)
    assert [frame.seq for frame in host.frames[heard:]][-1] == second + 1
    assert keys(host) == [Key.D7, Key.FOLD, Key.CLEAR]


def test_an_acknowledgement_of_another_frame_counts_for_nothing(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad", acks=False)
    boot, seq = keypad.press(Key.D1)
    host.wait(lambda: len(host.frames) >= 1)
    host.link.ack(boot, seq + 1)
    host.link.ack(boot ^ 1, seq)
    host.wait(lambda: len(host.frames) >= 3)
    assert keypad.waiting == 1


def test_pulling_the_cable_again_and_again_loses_nothing_and_keeps_the_order(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    chance = random.Random(7)
    pressed = []
    for _ in range(12):
        for _ in range(chance.randrange(6)):
            pressed.append(chance.choice(list(Key)))
            keypad.press(pressed[-1])
        keypad.unplug() if keypad.plugged else keypad.plug()
    keypad.plug()
    assert keypad.wait_acked(PATIENCE)
    assert keys(host) == pressed


def test_a_pulled_cable_is_noticed_and_a_returned_one_too(keypad: SimKeypad, tmp_path: Path, hosts: Hosts) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    host.wait_state(DeviceState.OK)
    keypad.unplug()
    assert not (tmp_path / "keypad").is_symlink()
    host.wait(lambda: host.states[-1][1].endswith("not there; plug it in"))
    assert host.states[-1][0] is DeviceState.CONNECTING
    keypad.plug()
    host.wait_state(DeviceState.OK)


def test_a_table_that_starts_again_gets_what_it_had_not_acknowledged(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    first = hosts("keypad", tmp_path / "keypad", acks=False)
    name = keypad.press(Key.D4)
    keypad.press(Key.TABLED)
    first.wait(lambda: len(first.frames) >= 1)
    first.link.stop()
    keypad.press(Key.D5)
    second = hosts("keypad", tmp_path / "keypad")
    assert keypad.wait_acked(PATIENCE)
    assert (second.frames[0].boot, second.frames[0].seq) == name
    assert keys(second) == [Key.D4, Key.TABLED, Key.D5]


def test_garbage_and_lost_frames_between_presses_cost_only_time(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    host.wait_state(DeviceState.OK)
    chance = random.Random(3)
    for key in Key:
        if chance.random() < 0.5:
            keypad.garbage(chance.randbytes(chance.randrange(400)))
        if chance.random() < 0.2:
            keypad.drop_next()
        keypad.press(key)
        assert keypad.wait_acked(PATIENCE)
    assert keys(host) == list(Key)


def test_a_device_that_restarts_keeps_what_was_waiting_under_its_old_name(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    old = keypad.press(Key.D2)
    keypad.reboot()
    new = keypad.press(Key.D3)
    host = hosts("keypad", tmp_path / "keypad")
    assert keypad.wait_acked(PATIENCE)
    assert list(dict.fromkeys((f.boot, f.seq) for f in host.frames)) == [old, new]
    assert new == (keypad.boot, 1)
    assert old[0] != keypad.boot


def test_a_device_without_a_memory_loses_what_was_waiting_and_says_so_in_its_place(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    keypad.press(Key.D2)
    keypad.reboot(keep=False)
    host = hosts("keypad", tmp_path / "keypad")
    keypad.press(Key.D3)
    assert keypad.wait_acked(PATIENCE)
    said = [(frame.kind, frame.seq) for frame in _once(host.frames)]
    assert said == [(LOST, 1), (KEY, 2)]
    assert payloads.read_lost(host.frames[0].payload)[:2] == (0, payloads.RESTARTED)
    assert host.lost == [], "a device that reports its losses is not asked in HEALTH too"


def test_what_a_device_of_the_first_protocol_lost_is_said_once(tmp_path: Path, hosts: Hosts) -> None:
    line = PtyLine(tmp_path / "keypad")
    line.plug()
    host = hosts("keypad", tmp_path / "keypad")
    host.wait_state(DeviceState.CONNECTING)
    how = payloads.Health(1)
    how.lost = 3
    old_health = payloads.health(how)[:20]
    line.write(encode(HELLO, 1, 0, bytes((1, payloads.KEYPAD)) + b"keypad 1.0"))
    for _ in range(3):
        line.write(encode(HEALTH, 1, 0, old_health))
    line.write(encode(KEY, 1, 1, payloads.key(Key.D1, 0)))
    host.wait(lambda: bool(host.frames))
    assert host.lost == [3]
    assert host.states[-1] == (DeviceState.OK, "keypad 1.0, boot 1")
    line.unplug()


def test_the_clock_of_a_device_is_known_to_within_the_way_there_and_back(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    host.wait(lambda: host.link.clock.doubt_ms(boot_ms()) is not None)
    before, device_ms, after = boot_ms(), keypad._now(), boot_ms()
    doubt = host.link.clock.doubt_ms(after)
    assert doubt is not None
    assert before - doubt - 2 <= host.link.when(device_ms) <= after + doubt + 2


def test_the_buzzer_sounds_as_the_table_says(keypad: SimKeypad, tmp_path: Path, hosts: Hosts) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    host.wait_state(DeviceState.OK)
    assert host.link.sound(1_800, 60, 40, 2)
    assert host.link.lamp(1, (1, 2, 3))  # behind it on the line
    assert keypad.wait_lamp(1, PATIENCE)
    assert keypad.sounds == [(1_800, 60, 40, 2)]


def test_a_chattering_contact_is_one_press_and_a_worn_one_is_several(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    keypad.bounce(times=9, gap_ms=1)
    keypad.press(Key.FOLD)
    assert keypad.wait_acked(PATIENCE)
    assert keys(host) == [Key.FOLD]
    keypad.bounce(times=1, gap_ms=20)
    keypad.press(Key.UNDO)
    assert keypad.wait_acked(PATIENCE)
    assert keys(host) == [Key.FOLD, Key.UNDO, Key.UNDO]


def test_cards_arrive_with_their_tag_or_without_one_and_twice_when_read_twice(
    shoe: SimShoe, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("shoe", tmp_path / "shoe", expect=payloads.SHOE)
    shoe.deal(TAG)
    shoe.deal(None)
    shoe.double_read()
    shoe.deal(TAG)
    assert shoe.wait_acked(PATIENCE)
    tags = [payloads.read_card(frame.payload)[0] for frame in _once(host.frames)]
    assert tags == [TAG, payloads.NO_TAG, TAG, TAG]


def test_lamps_light_as_the_table_says(shoe: SimShoe, tmp_path: Path, hosts: Hosts) -> None:
    host = hosts("shoe", tmp_path / "shoe")
    host.wait_state(DeviceState.OK)
    assert host.link.lamp(3, (255, 160, 0), blinking=True)
    assert shoe.wait_lamp(3, PATIENCE)
    assert shoe.lamps == {3: (255, 160, 0, True)}


def test_the_wrong_device_on_a_line_is_reported_and_not_listened_to(
    shoe: SimShoe, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "shoe", expect=payloads.KEYPAD)
    shoe.deal(TAG)
    host.wait(lambda: bool(host.states) and "a shoe answers" in host.states[-1][1])
    assert host.states[-1][0] is DeviceState.NOT_RESPONDING
    assert host.frames == []
    assert shoe.waiting == 1


def test_a_port_that_appears_later_is_waited_for(tmp_path: Path, hosts: Hosts) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    host.wait_state(DeviceState.CONNECTING)
    with SimKeypad(tmp_path / "keypad") as keypad:
        keypad.press(Key.NEW_HAND)
        assert keypad.wait_acked(PATIENCE)
    assert keys(host) == [Key.NEW_HAND]


def test_a_second_process_does_not_get_the_same_device(keypad: SimKeypad, tmp_path: Path, hosts: Hosts) -> None:
    first = hosts("keypad", tmp_path / "keypad")
    first.wait_state(DeviceState.OK)
    second = hosts("keypad", tmp_path / "keypad")
    second.wait(lambda: bool(second.states))
    assert "in use by another process" in second.states[0][1]


def test_a_port_that_cannot_be_one_is_refused_at_once() -> None:
    with pytest.raises(LinkError, match=r"keypad: foo://bar: .*; give a device path or a pyserial URL"):
        DeviceLink("keypad", "foo://bar", on_frame=lambda _: None)


def test_an_acknowledgement_without_a_line_says_so(tmp_path: Path) -> None:
    link = DeviceLink("keypad", str(tmp_path / "none"), on_frame=lambda _: None)
    assert link.ack(1, 1) is False


def test_no_tag_reaches_the_log_a_text_a_repr_or_an_encoder(
    shoe: SimShoe, tmp_path: Path, hosts: Hosts, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    host = hosts("shoe", tmp_path / "shoe")
    host.wait_state(DeviceState.OK)
    for number in range(40):
        tag = TAG[:6] + bytes((number % 3, number))
        shoe.garbage(encode(CARD, 1, 1, payloads.card(tag, 0))[:-3] + b"\x01\x00")  # a damaged card frame
        shoe.deal(tag)
    assert shoe.wait_acked(PATIENCE)
    host.wait(lambda: sum(text.startswith("••") for text in host.texts) >= 80)
    said = [caplog.text, repr(host.link), repr(shoe), *map(repr, host.frames), *map(repr, host.states)]
    for text in [*host.texts, *said]:
        plain = text.lower().replace(" ", "").replace(":", "")
        assert TAG[2:6].hex() not in plain
    with pytest.raises(TypeError):
        pickle.dumps(host.frames[0])
    with pytest.raises(TypeError):
        msgspec.json.encode(host.frames[0])


def test_an_echo_of_our_own_words_is_not_taken_for_the_device(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    host.wait_state(DeviceState.OK)
    keypad.garbage(encode(HELLO_REQUEST, 0, 0) + encode(LAMP, 0, 1, payloads.lamp(1, 2, 3, 4, False)))
    keypad.press(Key.TIME)
    assert keypad.wait_acked(PATIENCE)
    assert {frame.kind for frame in host.frames} == {KEY}


def _once(frames: list[ReceivedFrame]) -> list[ReceivedFrame]:
    return list({(frame.boot, frame.seq): frame for frame in frames}.values())


def test_an_open_line_on_which_nobody_answers_is_said_to_be_one(
    tmp_path: Path, hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.link._SILENT_MS", 100.0)
    line = PtyLine(tmp_path / "keypad")
    line.plug()
    host = hosts("keypad", tmp_path / "keypad", expect=payloads.KEYPAD)
    host.wait_state(DeviceState.NOT_RESPONDING)
    assert host.states[-1][1].endswith("open, but no device answers")
    monkeypatch.undo()  # from here on it may take its time
    line.write(encode(KEY, 1, 1, payloads.key(Key.D1, 0)))  # a stranger until it has said hello
    line.write(encode(HELLO, 1, 0, payloads.hello(payloads.KEYPAD, "keypad 9")))
    host.wait_state(DeviceState.OK)
    assert (host.states[-1][1], host.frames) == ("keypad 9, boot 1", [])
    line.unplug()


def test_of_a_device_of_another_protocol_it_is_said_which_end_to_update(tmp_path: Path, hosts: Hosts) -> None:
    line = PtyLine(tmp_path / "keypad")
    line.plug()
    host = hosts("keypad", tmp_path / "keypad")
    host.wait_state(DeviceState.CONNECTING)
    line.write(encode(HELLO, 1, 0, bytes((9, payloads.KEYPAD)) + b"keypad 9"))
    newer = "a device speaks protocol 9, newer than 2: update this table's program"
    host.wait(lambda: host.states[-1][1] == newer)
    line.write(encode(HELLO, 1, 0, bytes((0, payloads.KEYPAD)) + b"keypad 0"))
    host.wait(lambda: host.states[-1][1] == "a device speaks protocol 0, older than 1: update its firmware")
    assert host.states[-1][0] is DeviceState.NOT_RESPONDING
    line.unplug()


def test_a_serial_line_behind_the_network_is_a_line_like_any_other(hosts: Hosts) -> None:
    device = Device(payloads.SHOE, "far shoe", boot=5, log=KeptReports())
    device.report(CARD, payloads.card(TAG, 1), 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        host = hosts("shoe", f"socket://127.0.0.1:{server.getsockname()[1]}", expect=payloads.SHOE)
        line, _ = server.accept()
        with line:
            line.settimeout(PATIENCE)
            line.sendall(device.transmit(0))
            while device.waiting:
                device.receive(line.recv(100), 0)
                line.sendall(device.transmit(10**6))
            host.link.stop()  # first: pyserial leaves a socket open that its peer has reset
    assert payloads.read_card(host.frames[0].payload)[0] == TAG


HOST = """
import sys
from firmware_bridge.link import DeviceLink

def heard(frame):
    print(frame.boot, frame.seq, flush=True)

DeviceLink("keypad", sys.argv[1], on_frame=heard).start()
sys.stdin.read()
"""

DEVICE = """
import sys
from firmware_bridge.sim import SimKeypad

keypad = SimKeypad(sys.argv[1], boot=1)
keypad.press(5)
print("pressed", flush=True)
sys.stdin.read()
"""


def test_a_table_killed_outright_leaves_the_line_free_for_the_next(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts
) -> None:
    boot, seq = keypad.press(Key.NEW_HAND)
    with process(HOST, tmp_path / "keypad") as first:
        assert first.stdout is not None
        assert first.stdout.readline().split() == [str(boot), str(seq)]
        first.kill()
    keypad.press(Key.FOLD)
    host = hosts("keypad", tmp_path / "keypad")
    assert keypad.wait_acked(PATIENCE)
    assert keys(host) == [Key.NEW_HAND, Key.FOLD]


def test_a_device_killed_outright_is_replaced_by_the_next_on_the_same_path(tmp_path: Path, hosts: Hosts) -> None:
    host = hosts("keypad", tmp_path / "keypad")
    with process(DEVICE, tmp_path / "keypad") as first:
        host.wait(lambda: len(host.frames) >= 1)
        first.kill()
    with SimKeypad(tmp_path / "keypad", boot=2) as second:
        second.press(Key.D6)
        assert second.wait_acked(PATIENCE)
    assert [(frame.boot, frame.seq) for frame in _once(host.frames)] == [(1, 1), (2, 1)]


def process(script: str, port: Path) -> subprocess.Popen[str]:
    """A host or a device in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", script, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_the_name_of_a_firmware_forges_no_line_of_the_log_and_odd_health_fills_none(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    host = hosts("keypad", tmp_path / "keypad", expect=payloads.KEYPAD)
    host.wait_state(DeviceState.OK)  # what a line held before it was opened is thrown away
    name = "kp\nERROR forged\x1b[2J\u202e"
    for _ in range(20):
        keypad.garbage(b"\0" + encode(HEALTH, keypad.boot, 0, b"odd"))
    keypad.garbage(b"\0" + encode(HELLO, keypad.boot, 0, payloads.hello(payloads.KEYPAD, name)))
    # The device says its own hello too, before or after: this one is among what was said.
    host.wait(lambda: any(detail.startswith("kp?ERROR forged?[2J?,") for _, detail in host.states))
    assert all(record.getMessage().isprintable() for record in caplog.records)
    assert sum("health" in record.getMessage() for record in caplog.records) == 1


def test_an_exception_behind_a_link_is_said_and_the_link_goes_on(
    keypad: SimKeypad, tmp_path: Path, hosts: Hosts, caplog: pytest.LogCaptureFixture
) -> None:
    host = hosts("keypad", tmp_path / "keypad", expect=payloads.KEYPAD)
    host.wait_state(DeviceState.OK)
    heard = host.link._on_frame

    def raises(frame: ReceivedFrame) -> None:
        host.link._on_frame = heard
        raise SystemExit(f"{TAG.hex()} {frame.payload!r}")

    host.link._on_frame = raises
    keypad.press(Key.FOLD)
    host.wait(lambda: DeviceState.NOT_RESPONDING in [state for state, _ in host.states])
    assert keypad.wait_acked(PATIENCE), "it is heard again, and the press arrives"
    host.wait_state(DeviceState.OK)
    assert keys(host) == [Key.FOLD]
    (failed,) = [detail for state, detail in host.states if state is DeviceState.NOT_RESPONDING]
    assert failed.endswith("this program failed at what came, once; the log says where")
    assert "in raises" in caplog.text
    assert TAG.hex() not in caplog.text
