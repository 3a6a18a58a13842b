"""The keypad's firmware on its simulated board: contacts that bounce, lamps, buzzer, restarts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import payloads
from firmware_bridge.frames import ACK, HEALTH, HELLO, KEY, LAMP, SOUND, Decoder, Frame, encode
from firmware_bridge.sim.firmware import Firmware
from firmware_bridge.sim.pico import keypad_rig
from firmware_bridge.sim.pico.board import Board, WatchdogReset
from firmware_bridge.sim.pico.fram import Fram
from firmware_bridge.sim.pico.keypad_rig import KeypadRig
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.timeline import TimeLine
from firmware_bridge.sim.pico.wires import Contact, Loose
from table_core.messages import Key

SECOND = 1_000_000
SETTLE_US = 5_000


class KeypadBench:
    """`frames`: every report once. A restart keeps the memory and loses all else."""

    def __init__(self, *, acknowledges: bool = True) -> None:
        self.acknowledges = acknowledges
        self.fram = Fram()
        self.frames: list[Frame] = []
        self.said: list[Frame] = []
        self.boot = 0
        self.scratch: dict[int, int] = {}
        self._names: set[tuple[int, int]] = set()
        self.switch_on()

    def switch_on(self, cause: int = 1) -> None:
        self.boot += 1
        self.time, self.cable = TimeLine(), Loose()
        self.board = Board(self.time, self.cable, self.fram, cause)
        self.board.boot = self.boot
        self.board.scratch = self.scratch if cause == 3 else {}
        self.scratch = self.board.scratch
        self.firmware = Firmware("keypad", modules_of(self.board))
        self.rig = KeypadRig(self.board, self.firmware.load("matrix").KEYS)
        self._decoder = Decoder()

    def start(self) -> Any:
        self.keypad = self.firmware.load("main").start()
        return self.keypad

    def run(self, until: int) -> None:
        if not hasattr(self, "keypad") or self.time.now == 0:
            self.start()
        while self.time.now < until:
            self.keypad.step()
            for frame in self._decoder.feed(self.cable.take()):
                self.said.append(frame)
                if not frame.seq:
                    continue
                if (frame.boot, frame.seq) not in self._names:
                    self._names.add((frame.boot, frame.seq))
                    self.frames.append(frame)
                if self.acknowledges:
                    self.cable.to_pico += encode(ACK, frame.boot, frame.seq)

    def press(self, key: int, at: int, holds: int = 80_000) -> None:
        self.rig.touch(key, [(at, 1), (at + holds, 0)])

    @property
    def keys(self) -> list[int]:
        return [payloads.read_key(frame.payload)[0] for frame in self.frames if frame.kind == KEY]


@pytest.fixture
def bench() -> KeypadBench:
    return KeypadBench()


def test_every_key_reports_its_code_once(bench: KeypadBench) -> None:
    keys = [key for key in Key if key is not Key.CARD]  # which is on the screen alone
    for number, key in enumerate(keys):
        bench.press(key, SECOND + number * 100_000, 50_000)
    bench.run(SECOND + 100_000 * (len(keys) + 1))
    assert bench.keys == keys
    assert len(bench.frames) == len(keys)


def test_the_simulated_keypad_is_wired_as_the_firmware_says(bench: KeypadBench) -> None:
    main, matrix = bench.firmware.load("main"), bench.firmware.load("matrix")
    assert (matrix.ROW_PINS, matrix.COLUMN_PINS) == (keypad_rig.ROW_PINS, keypad_rig.COLUMN_PINS)
    assert (main.LAMP_PIN, main.BUZZER_PIN) == (keypad_rig.LAMP_PIN, keypad_rig.BUZZER_PIN)
    fram, serving, board = (bench.firmware.load(name) for name in ("fram", "serving", "board"))
    pins = [*matrix.ROW_PINS, *matrix.COLUMN_PINS, main.LAMP_PIN, main.BUZZER_PIN, fram.SDA_PIN, fram.SCL_PIN]
    pins += [serving.TX_PIN, serving.RX_PIN, board.SAFE_PIN]
    assert len(set(pins)) == len(pins)
    assert set(pins) <= {*range(23), 26, 27, 28}


def test_it_introduces_itself(bench: KeypadBench) -> None:
    bench.run(SECOND)
    hello = payloads.read_hello(next(frame for frame in bench.said if frame.kind == HELLO).payload)
    assert hello.firmware == bench.firmware.load("main").FIRMWARE
    assert hello.capabilities & payloads.HAS_SEAT_KEYS


def test_lamps_and_buzzer_do_what_the_table_says(bench: KeypadBench) -> None:
    bench.run(SECOND)
    bench.cable.to_pico += encode(LAMP, 0, 0, payloads.lamp(4, 0, 160, 80, False))
    bench.cable.to_pico += encode(LAMP, 0, 0, payloads.lamp(11, 9, 9, 9, True))
    bench.cable.to_pico += encode(LAMP, 0, 0, payloads.lamp(12, 1, 1, 1, False))  # there is none
    bench.cable.to_pico += encode(LAMP, 0, 0, b"\x01")  # cannot be read
    bench.cable.to_pico += encode(SOUND, 0, 0, payloads.sound(1_800, 60, 40, 2))
    lit = set()
    for at in range(50):
        bench.run(SECOND + at * 20_000)
        lit.add(bench.board.strip[11])
        assert at < 2 or bench.board.strip[4] == (0, 160, 80)
    assert lit == {(9, 9, 9), (0, 0, 0)}, "it blinks"
    tones = [(hertz, at // 1000) for hertz, at in bench.board.tones[1:] if at]
    sounded = [hertz for hertz, _ in tones if hertz] and [hertz for hertz, _ in tones]
    assert [hertz for hertz in sounded if hertz] == [1_800, 1_800]
    on = [at for hertz, at in tones if hertz]
    off = [at for hertz, at in tones[tones.index((1_800, on[0])) :] if not hertz]
    assert [end - start for start, end in zip(on, off, strict=False)] == pytest.approx([60, 60], abs=3)


def test_a_press_that_the_table_has_recorded_is_shown_at_its_own_lamp(bench: KeypadBench) -> None:
    bench.acknowledges = False
    bench.press(Key.FOLD, SECOND)
    bench.run(2 * SECOND)
    assert bench.board.strip[0] == (0, 0, 0)
    bench.acknowledges = True
    bench.run(3 * SECOND)
    shown = bench.firmware.load("serving").RECORDED
    assert bench.keys == [Key.FOLD]
    bench.press(Key.CLEAR, 3 * SECOND + 100_000)
    colours = set()
    for at in range(40):
        bench.run(3 * SECOND + at * 10_000)
        colours.add(bench.board.strip[0])
    assert shown in colours
    assert bench.board.strip[0] == (0, 0, 0), "for a moment only"


def test_a_key_held_while_power_comes_is_no_press_and_one_that_is_stuck_is_said(bench: KeypadBench) -> None:
    bench.rig.touch(Key.FOLD, [(0, 1)])
    bench.press(Key.D7, SECOND)
    bench.run(2 * SECOND)
    assert bench.keys == [Key.D7]
    bench.run(22 * SECOND)
    assert bench.keypad._line.device.health.faults == payloads.KEY_HELD
    bench.rig.touch(Key.FOLD, [(22 * SECOND, 0)])
    bench.press(Key.FOLD, 23 * SECOND)
    bench.run(24 * SECOND)
    assert bench.keys == [Key.D7, Key.FOLD]
    assert bench.keypad._line.device.health.faults == 0


def test_keys_held_together_show_no_key_that_is_not_held(bench: KeypadBench) -> None:
    for key in (7, 8, 4):  # three corners of a square
        bench.rig.touch(key, [(SECOND, 1), (2 * SECOND, 0)])
    bench.run(3 * SECOND)
    assert sorted(bench.keys) == [4, 7, 8]


def test_presses_that_were_not_acknowledged_survive_a_power_cut(bench: KeypadBench) -> None:
    bench.acknowledges = False
    for number, key in enumerate((Key.D1, Key.D2, Key.BET_RAISE)):
        bench.press(key, SECOND + number * 200_000)
    bench.run(2 * SECOND)
    bench.switch_on()
    bench.acknowledges = True
    bench.start()
    bench.press(Key.FOLD, SECOND)
    bench.run(2 * SECOND)
    assert [(frame.boot, frame.seq) for frame in bench.frames] == [(1, 1), (1, 2), (1, 3), (2, 1)]
    assert bench.keys == [Key.D1, Key.D2, Key.BET_RAISE, Key.FOLD]


def test_without_a_memory_a_restart_is_said() -> None:
    bench = KeypadBench()
    bench.fram.absent = True
    bench.run(SECOND)
    assert [payloads.read_lost(frame.payload)[:2] for frame in bench.frames] == [(0, payloads.RESTARTED)]


def test_a_keypad_that_hangs_is_restarted_by_its_watchdog_and_in_the_end_is_safe(bench: KeypadBench) -> None:
    for _ in range(3):
        bench.start()
        bench.run(SECOND)
        with pytest.raises(WatchdogReset):
            bench.board.passes(6 * SECOND)  # a loop that never comes back
        bench.switch_on(cause=3)
    bench.start()
    bench.run(SECOND)
    healths = [payloads.read_health(frame.payload) for frame in bench.said if frame.kind == HEALTH]
    assert healths[-1].faults & payloads.SAFE_MODE
    bench.press(Key.FOLD, 2 * SECOND)
    bench.run(3 * SECOND)
    assert bench.keys == []


def test_the_jumper_keeps_it_from_starting(bench: KeypadBench) -> None:
    bench.board.join(22, Contact(0))
    assert bench.start() is None


# ------------------------------------------------------------------------------------------- bounce


@st.composite
def bouncing_presses(draw: st.DrawFn) -> list[tuple[int, list[tuple[int, int]], int]]:
    """Presses of keys: `(key, edges of its contact, when it began to hold)`. A good contact chatters for at most 4
    ms when it closes and when it opens, and holds for at least 25 ms."""
    presses = []
    at = SECOND // 2
    for _ in range(draw(st.integers(1, 5))):
        key = draw(st.sampled_from([Key.FOLD, Key.D7, Key.SEAT_11]))
        edges: list[tuple[int, int]] = []
        for level, holds in ((1, draw(st.integers(25_000, 120_000))), (0, draw(st.integers(25_000, 60_000)))):
            for pause in draw(st.lists(st.integers(30, 900), max_size=4)):
                edges += [(at, level), (at + pause // 2, 1 - level)]
                at += pause
            edges.append((at, level))
            if level:
                held = at
            at += holds
        presses.append((int(key), edges, held))
    return presses


LATENCY_US = SETTLE_US + 4_000  # debounce, and two turns of the main loop of at most 2 ms


@settings(max_examples=20, deadline=None)
@given(presses=bouncing_presses())
def test_however_contacts_bounce_each_press_comes_once_and_in_time(
    presses: list[tuple[int, list[tuple[int, int]], int]],
) -> None:
    bench = KeypadBench()
    for key, edges, _ in presses:
        bench.rig.touch(key, edges)
    sent: list[int] = []
    bench.start()
    end = presses[-1][1][-1][0] + 40_000
    while bench.time.now < end:
        before = len(bench.frames)
        bench.run(bench.time.now + 1)
        sent += [bench.time.now] * (len(bench.frames) - before)
    assert bench.keys == [key for key, _, _ in presses]
    for (_, _, held), at in zip(presses, sent, strict=True):
        assert at - held <= LATENCY_US
