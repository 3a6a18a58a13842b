"""A device's clock in terms of this machine's.

The host asks for the time; the answer says what the device's clock showed when the question arrived. That moment
lies between asking and hearing, so the answer with the shortest way tells most. Quartz drifts by up to 100
millionths: an older answer is worth less.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

_DRIFT = 100e-6
_KEPT = 32
_WRAP = 2**32


class _Sample(NamedTuple):
    device_ms: int
    host_ms: float  # the middle between asking and hearing
    doubt_ms: float  # half the way there and back


class ClockMap:
    """Host times are milliseconds of boot time, the device's are 32 bits and wrap. One map a boot of the
    device."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque(maxlen=_KEPT)

    def answered(self, asked_ms: float, device_ms: int, heard_ms: float) -> None:
        """A question asked at `asked_ms` was answered by `heard_ms`."""
        self._samples.append(_Sample(device_ms, (asked_ms + heard_ms) / 2, (heard_ms - asked_ms) / 2))

    def doubt_ms(self, now_ms: float) -> float | None:
        """By how much the map may be wrong; None: the device has not answered yet."""
        best = self._best(now_ms)
        return None if best is None else _doubt(best, now_ms)

    def host_ms(self, device_ms: int, now_ms: float) -> float | None:
        """The host's time of the device's, at most `now_ms`; None before the first answer."""
        best = self._best(now_ms)
        if best is None:
            return None
        since = (device_ms - best.device_ms + _WRAP // 2) % _WRAP - _WRAP // 2
        return min(now_ms, best.host_ms + since)

    def _best(self, now_ms: float) -> _Sample | None:
        return min(self._samples, key=lambda sample: _doubt(sample, now_ms), default=None)


def _doubt(sample: _Sample, now_ms: float) -> float:
    return sample.doubt_ms + abs(now_ms - sample.host_ms) * _DRIFT
