"""How long a press is on its way: from the write of its frame at the device's end of a pseudo-terminal to the
observation that the table's process takes; and a bare round trip of as many bytes over such a terminal beside it.

Wall time: what is measured is waiting.
"""

from __future__ import annotations

import os
import select
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from firmware_bridge import payloads
from firmware_bridge.drivers import registry
from firmware_bridge.drivers.interface import DriverSettings
from firmware_bridge.frames import HELLO, KEY, encode
from firmware_bridge.reports import Report
from firmware_bridge.sim.line import PtyLine
from table_core.messages import DeviceState, Key

_FEWEST = 50
_PAUSE_S = 0.002  # between two presses: nobody presses a hundred keys a second


class _Table:
    """Takes what the driver tells, as a table's process does."""

    def __init__(self) -> None:
        self.came = threading.Event()
        self.ready = threading.Event()
        self.at = 0.0

    def report(self, boot: int, seq: int, report: Report) -> None:
        self.at = time.perf_counter()
        self.came.set()

    def state(self, state: DeviceState, detail: str) -> None:
        if state is DeviceState.OK:
            self.ready.set()

    def bytes(self, text: str) -> None:
        """The page *as it is sensed* is not open."""

    def lost(self, count: int) -> None:
        """Nothing is lost here."""


def frame_to_observation(seconds: float) -> list[float]:
    """Seconds of each press."""
    with tempfile.TemporaryDirectory() as folder:
        line = PtyLine(Path(folder) / "keypad")
        line.plug()
        table = _Table()
        driver = registry.keypad("feltwire")(DriverSettings("keypad", str(line.path)), table)
        driver.start()
        hello = encode(HELLO, 1, 0, payloads.hello(payloads.KEYPAD, "bench"))
        while not table.ready.wait(0.05):
            line.write(hello)
        try:
            return _presses(line, table, driver.acknowledge, seconds)
        finally:
            driver.stop()
            line.unplug()


def _presses(line: PtyLine, table: _Table, acknowledge: Callable[[int, int], None], seconds: float) -> list[float]:
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < _FEWEST or time.perf_counter() < end:
        seq = len(times) + 1
        frame = encode(KEY, 1, seq, payloads.key(Key.FOLD, seq))
        table.came.clear()
        sent = time.perf_counter()
        line.write(frame)
        table.came.wait()
        times.append(table.at - sent)
        acknowledge(1, seq)
        time.sleep(_PAUSE_S)
    return times


def bare_round_trip(seconds: float) -> list[float]:
    """Seconds of each: a frame's bytes to the other end of a pseudo-terminal, where a thread gives them back."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    frame = encode(KEY, 1, 1, payloads.key(Key.FOLD, 1))
    over = threading.Event()
    echo = threading.Thread(target=_echo, args=(theirs, over), daemon=True)
    echo.start()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < _FEWEST or time.perf_counter() < end:
        sent = time.perf_counter()
        os.write(ours, frame)
        left = len(frame)
        while left:
            left -= len(os.read(ours, left))
        times.append(time.perf_counter() - sent)
        time.sleep(_PAUSE_S)
    over.set()
    echo.join()
    os.close(ours)
    os.close(theirs)
    return times


def _echo(end: int, over: threading.Event) -> None:
    while not over.is_set():
        if select.select([end], [], [], 0.05)[0]:
            os.write(end, os.read(end, 4096))
