"""A rate limit for devices: it separates one that floods from one that is busy."""

from __future__ import annotations


class FrameRateLimit:
    """A device may send `burst` frames at once, `per_s` more each second, and one for each that was answered.
    Times are milliseconds."""

    def __init__(self, burst: int, per_s: int) -> None:
        self._burst = burst
        self._per_s = per_s
        self._left = float(burst)
        self._at: float | None = None

    def answered(self) -> None:
        self._left = min(self._burst, self._left + 1)

    def spend(self, count: int, now: float) -> bool:
        """Count one frame; False when it is over the limit."""
        if self._at is not None:
            self._left = min(self._burst, self._left + (now - self._at) * self._per_s / 1000)
        self._at = now
        self._left -= count
        return self._left >= 0
