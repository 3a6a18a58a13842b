"""A keypad with wrong sequence numbers, and one that sends without pause: a pseudo-terminal and a real table
process."""

from __future__ import annotations

import os
import select
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.table.devices.frame_order import GIVE_UP_MS, FrameOrder, FrameSequencer
from firmware_bridge import payloads
from firmware_bridge.frames import HELLO, KEY, encode
from firmware_bridge.sim import SimKeypad
from firmware_bridge.sim.line import PtyLine
from table_core.messages import Key, Millis
from tests.feltwire.hall import touch
from tests.feltwire.processes import PATIENCE_S, Process, table_settings
from tests.ports import free_port

LAST = 2**32 - 1


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Process]:
    """Its keypad's line is `keypad` in its folder; nobody is on its broker."""
    port = free_port()
    settings = table_settings(tmp_path, f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n', port)
    keypad = f'[keypad]\nport = "{tmp_path / "keypad"}"\n'
    process = Process("table", tmp_path, port, settings.replace("[broker]", f"{keypad}[broker]"))
    try:
        yield process
    finally:
        process.kill()


def test_a_key_numbered_far_ahead_makes_no_honest_key_vanish(table: Process, tmp_path: Path) -> None:
    with SimKeypad(tmp_path / "keypad") as keypad, table:
        keypad.press(Key.CLEAR)
        assert keypad.wait_acked(PATIENCE_S)
        for _ in range(3):
            keypad.garbage(b"\0" + encode(KEY, keypad.boot, LAST, payloads.key(Key.CLEAR, 1)))
            threading.Event().wait(GIVE_UP_MS / 1000)  # what never comes is given up after so long
        keypad.press(Key.FLOOR)
        assert keypad.wait_acked(PATIENCE_S)
        table.shows("table/01", lambda view: bool(view["floor"]))
        view = table.shows("table/01", lambda view: any("numbers" in one["text"] for one in view["notices"]))
        assert view["devices"]["keypad"] == "ok"


def test_a_keypad_that_never_stops_holds_up_nobody_and_is_shut_out(table: Process, tmp_path: Path) -> None:
    with Babbling(tmp_path / "keypad") as keypad, table:
        table.shows("table/01", lambda view: view["devices"].get("keypad") == "ok")
        keypad.babble()
        assert keypad.sent(5_000)
        before = recorded(tmp_path, "keypad")
        touch(table, Key.FLOOR)
        table.shows("table/01", lambda view: bool(view["floor"]))
        assert recorded(tmp_path, "keypad") - before < 500, "the screen's press waited behind the keypad's"
        table.shows("table/01", lambda view: view["devices"]["keypad"] == "not_responding")
        assert keypad.sent(5_000)
        touch(table, Key.FLOOR)
        table.shows("table/01", lambda view: not view["floor"])
        table.says("sends without end")


class Babbling:
    """A keypad that says who it is, from `babble` on also one key after the other, and waits for nobody."""

    def __init__(self, path: Path) -> None:
        self._line = PtyLine(path)
        self._line.plug()
        self._babbling = threading.Event()
        self._stopping = threading.Event()
        self._count = 0
        self._said = threading.Condition()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def babble(self) -> None:
        self._babbling.set()

    def sent(self, more: int) -> bool:
        """Wait until it has sent so many more."""
        with self._said:
            goal = self._count + more
            return self._said.wait_for(lambda: self._count >= goal, PATIENCE_S)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._line.read()
            # Again and again, for it starts before the table listens.
            self._write(b"\0" + encode(HELLO, 7, 0, payloads.hello(payloads.KEYPAD, "babble 1")))
            if not self._babbling.wait(0.1):
                continue
            first = self._count + 1
            for seq in range(first, first + 500):
                self._write(encode(KEY, 7, seq, payloads.key(Key.D1, seq * 100)))
            with self._said:
                self._count += 500
                self._said.notify_all()

    def _write(self, data: bytes) -> None:
        fd = self._line.fd
        assert fd is not None
        while data and not self._stopping.is_set():
            if select.select([], [fd], [], 0.1)[1]:
                data = data[os.write(fd, data) :]

    def __enter__(self) -> Babbling:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        self._line.unplug()


def recorded(folder: Path, device: str) -> int:
    ledger = sqlite3.connect(f"file:{folder / 'table-data' / 'table-01.ledger'}?mode=ro", uri=True)
    try:
        rows = ledger.execute("SELECT count(*) FROM observations WHERE device = ?", (device,))
        return int(rows.fetchone()[0])
    finally:
        ledger.close()


def test_only_a_frame_that_the_ledger_holds_is_a_repeat() -> None:
    order = FrameSequencer(lambda device, boot: [1, 2, 900])
    assert order.turn("keypad", 7, 900, Millis(0)) is FrameOrder.REPEAT
    assert order.turn("keypad", 7, 3, Millis(0)) is FrameOrder.AFTER_GAP, (
        "900 was made up, or what lay between is lost"
    )
    assert order.turn("keypad", 7, 4, Millis(0)) is FrameOrder.NEW
    assert order.turn("keypad", 7, LAST, Millis(0)) is FrameOrder.FAR
    assert order.turn("keypad", 7, LAST, Millis(9 * GIVE_UP_MS)) is FrameOrder.FAR


def test_made_up_boots_fill_no_memory() -> None:
    order = FrameSequencer(lambda device, boot: ())
    for boot in range(1_000):
        assert order.turn("keypad", boot, 1, Millis(0)) is FrameOrder.NEW
    assert len(order._boots) < 100
