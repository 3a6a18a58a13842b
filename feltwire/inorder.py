"""Frames of a device in the order in which it numbered them, each once.

A device resends what was not acknowledged, so a later frame can overtake a damaged one. Order is what a keypad
says (digits before their key), so a frame is taken only after the one before it. A frame that never comes (the
device's queue ran over) is given up when the ones behind it have waited long enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from table_core.messages import Millis

GIVE_UP_MS = 1_500


class Turn(Enum):
    NEW = "new"  # take it now
    REPEAT = "repeat"  # taken before: acknowledge it again
    WAIT = "wait"  # an earlier one is still to come: do not acknowledge
    AFTER_GAP = "after_gap"  # take it now; what was before it is lost


class InOrder:
    """`known(device, boot)` gives the sequence numbers that the ledger holds, asked once per device and boot."""

    def __init__(self, known: Callable[[str, int], Iterable[int]]) -> None:
        self._known = known
        self._last: dict[tuple[str, int], int] = {}
        self._waiting: dict[tuple[str, int], tuple[int, Millis]] = {}

    def turn(self, device: str, boot: int, seq: int, now: Millis) -> Turn:
        """What to do with frame `seq`; NEW and AFTER_GAP count it as taken."""
        key = (device, boot)
        if key not in self._last:
            self._last[key] = max(self._known(device, boot), default=0)
        last = self._last[key]
        if seq <= last:
            return Turn.REPEAT
        if seq == last + 1:
            self._take(key, seq)
            return Turn.NEW
        first, since = self._waiting.get(key, (seq, now))
        self._waiting[key] = (min(first, seq), since)
        if seq <= first and now - since >= GIVE_UP_MS:
            self._take(key, seq)
            return Turn.AFTER_GAP
        return Turn.WAIT

    def _take(self, key: tuple[str, int], seq: int) -> None:
        self._last[key] = seq
        self._waiting.pop(key, None)
