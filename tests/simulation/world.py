"""Virtual time: what happens when, in one thread. Nothing happens between two entries of the agenda."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

SAME_INSTANT = 20_000  # things that happen at one instant before it is said that time stands still


class StuckTime(AssertionError):
    """Things go on happening at one instant: something wakes without end."""


class World:
    """`now` is the time since the story began, in microseconds."""

    def __init__(self) -> None:
        self.now = 0
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._at_this_instant = 0

    def at(self, time: int, act: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (max(time, self.now), next(self._numbers), act))

    def after(self, ms: float, act: Callable[[], None]) -> None:
        self.at(self.now + round(ms * 1_000), act)

    def run(self, ms: float) -> None:
        """Everything of the next `ms` happens. What happens may itself let time pass (a process that waits for its
        disk): the agenda goes on meanwhile."""
        until = self.now + round(ms * 1_000)
        while self._agenda and self._agenda[0][0] <= until:
            time, _, act = heapq.heappop(self._agenda)
            self._at_this_instant = self._at_this_instant + 1 if time == self.now else 0
            if self._at_this_instant > SAME_INSTANT:
                raise StuckTime(f"at {self.now / 1e6:.3f} s something wakes without end")
            self.now = max(self.now, time)
            act()
        self.now = max(self.now, until)
