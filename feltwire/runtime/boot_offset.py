"""The offset between the boot clocks of two machines, from the station's beats.

A beat sent at `s` that arrives at `a` bounds the offset by `a - s` from above; the error is exactly its delay. The
smallest bound of the last minute is used: too late by the smallest one-way delay of that minute (about a
millisecond on a wired network), never too early. A beat that was delayed for seconds changes nothing.
"""

from __future__ import annotations

from collections import deque

from table_core.messages import Beat, Millis

WINDOW_MS = 60_000  # boot clocks of two machines drift apart by less than 10 ms in this time


class Offset:
    """This machine's boot time minus the station's, from beats of one boot of the station."""

    def __init__(self, boot: str) -> None:
        self.boot = boot
        self._bounds: deque[tuple[Millis, int]] = deque()

    def heard(self, beat: Beat, now: Millis) -> Millis:
        """When the beat was sent, in this machine's time: a late one is no sign that the station is there now."""
        self._bounds.append((now, now - beat.at))
        while now - self._bounds[0][0] > WINDOW_MS:
            self._bounds.popleft()
        return Millis(beat.at + self.ms)

    @property
    def ms(self) -> int:
        """The smallest bound heard in the window that ended with the last beat."""
        return min(bound for _, bound in self._bounds)
