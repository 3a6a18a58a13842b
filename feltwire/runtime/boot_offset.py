"""How the boot clocks of two machines lie to each other, from the station's beats.

A beat that was sent at `s` and arrived at `a` bounds the offset by `a - s` from above, by exactly its delay on the
way. The smallest of the last minute is taken: late by the smallest one-way delay of that minute (a millisecond or
so on a wired network) and never early; a beat that was held up for seconds changes nothing.
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

    def heard(self, beat: Beat, now: Millis) -> None:
        self._bounds.append((now, now - beat.at))
        while now - self._bounds[0][0] > WINDOW_MS:
            self._bounds.popleft()

    @property
    def ms(self) -> int:
        """The smallest bound heard in the window that ended with the last beat."""
        return min(bound for _, bound in self._bounds)
