"""The timecode that is sent is the one that a decoder reads, from the lengths between changes of the level."""

from __future__ import annotations

import numpy as np
import pytest

from feltwire.delay_box.ltc import RATE, Timecode, sound_of, timecode


def read(sound: bytes, fps: int) -> list[Timecode]:
    """Every code in the samples, told by its sync word; it knows no more than the standard."""
    levels = np.frombuffer(sound, np.int16) > 0
    changes = np.flatnonzero(np.diff(levels)) + 1
    whole = RATE / fps / 80
    bits, halves = [], 0
    for length in np.diff(changes):
        if length > 0.75 * whole:
            bits.append(0)
            halves = 0
        else:
            halves += 1
            if halves == 2:
                bits.append(1)
                halves = 0
    sync = [int(bit) for bit in "0011111111111101"]
    found = []
    for end in range(80, len(bits) + 1):
        if bits[end - 16 : end] == sync:
            code = bits[end - 80 : end]

            def number(ones: int, tens: int, wide: int, code: list[int] = code) -> int:
                low = sum(code[ones + bit] << bit for bit in range(4))
                return low + 10 * sum(code[tens + bit] << bit for bit in range(wide))

            if sum(code) % 2:
                continue  # it lacks its beginning: every picture begins with the same level
            found.append(Timecode(number(48, 56, 2), number(32, 40, 3), number(16, 24, 3), number(0, 8, 2)))
    return found


@pytest.mark.parametrize("fps", [24, 25, 30])
def test_what_is_sent_is_read(fps: int) -> None:
    codes = [timecode(86_399_000 + 1_000 * index // fps + 1, fps) for index in range(3 * fps)]
    sound = b"".join(sound_of(code, fps) for code in codes)
    assert len(sound) == 3 * RATE * 2
    assert read(sound, fps) == codes[1:-1], "the first and the last lack the change at their end"


def test_over_midnight_it_begins_again() -> None:
    assert timecode(86_399_999, 25) == (23, 59, 59, 24)
    assert timecode(86_400_000, 25) == (0, 0, 0, 0)
    assert timecode(-40, 25) == (23, 59, 59, 24)
