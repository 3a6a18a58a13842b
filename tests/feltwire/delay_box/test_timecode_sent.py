"""Timecode on its way out: over a sleep of the machine, and where its output fails."""

from __future__ import annotations

import threading
from pathlib import Path

from feltwire.delay_box.beside import send_timecode
from feltwire.delay_box.ltc import DAY_MS
from feltwire.runtime.boottime import boot_millis
from table_core.messages import Millis

FPS = 25


def nothing_is_lost(said: str) -> None:
    raise AssertionError(said)


def test_what_was_missed_while_the_machine_slept_is_left_out(tmp_path: Path) -> None:
    ends, pictures = threading.Event(), []
    times = [0, 0, DAY_MS]  # it begins, sends the first, and sleeps for a day

    def now() -> Millis:
        if not times:
            ends.set()
        return Millis(times.pop(0) if times else DAY_MS)

    def shown() -> int:
        pictures.append(len(times))
        assert len(pictures) < 10 * FPS
        return 0

    send_timecode(str(tmp_path / "timecode.wav"), FPS, ends, now, shown, nothing_is_lost)
    assert len(pictures) == 1 + FPS + 1, "the first, and a second of those that are due"


def test_an_output_that_cannot_be_written_is_said_and_tried_again(tmp_path: Path) -> None:
    ends, told = threading.Event(), []
    output = str(tmp_path / "missing" / "timecode.wav")

    def lost(said: str) -> None:
        told.append(said)
        if len(told) == 2:
            ends.set()

    send_timecode(output, FPS, ends, boot_millis, lambda: None, lost)
    assert len(told) == 2
    assert "No such file" in told[0]
    assert output not in told[0]
