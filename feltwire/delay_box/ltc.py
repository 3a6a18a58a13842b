"""Linear timecode (SMPTE 12M-1) as sound: 80 bits a picture, biphase mark, for whoever follows the video by its
time of day. Hours to pictures, no drop frames.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

RATE = 48_000  # samples a second
BITS = 80
SYNC_WORD = 0xBFFC  # the last sixteen bits, lowest first
LOUD = 12_000  # of 32,767: -9 dB
POLARITY_BIT = {24: 27, 25: 59, 30: 27}  # makes the number of ones even, so that every picture begins alike
DAY_MS = 86_400_000


class Timecode(NamedTuple):
    hours: int
    minutes: int
    seconds: int
    pictures: int


def timecode(ms: int, fps: int) -> Timecode:
    """That of a time of day in ms, of any day.

    >>> timecode(3_661_520, 25)
    Timecode(hours=1, minutes=1, seconds=1, pictures=13)
    """
    seconds, rest = divmod(ms % DAY_MS, 1_000)
    return Timecode(seconds // 3_600, seconds // 60 % 60, seconds % 60, rest * fps // 1_000)


def bits_of(code: Timecode, fps: int) -> int:
    """The 80 bits; the lowest is sent first. `fps` is 24, 25 or 30."""
    bits = 0
    places = ((code.pictures, 0, 8), (code.seconds, 16, 24), (code.minutes, 32, 40), (code.hours, 48, 56))
    for value, ones, tens in places:
        bits |= value % 10 << ones | value // 10 << tens
    bits |= SYNC_WORD << 64
    return bits | (bits.bit_count() & 1) << POLARITY_BIT[fps]


def sound_of(code: Timecode, fps: int) -> bytes:
    """One picture's worth of samples, 16 bits each: the level changes at the start of every bit, and in the middle
    of a one."""
    bits, samples, level = bits_of(code, fps), array("h"), LOUD
    length = RATE // fps
    for bit in range(BITS):
        begins, ends = bit * length // BITS, (bit + 1) * length // BITS
        middle = (begins + ends) // 2
        level = -level
        samples.extend([level] * (middle - begins))
        if bits >> bit & 1:
            level = -level
        samples.extend([level] * (ends - middle))
    return samples.tobytes()
