"""Puts a device's frames in the order of their sequence numbers; each frame is used once.

A device resends a frame that was not acknowledged, so a later frame can overtake a damaged one. The order of keys
carries meaning (digits before their function key), so a frame is used only after the one before it. A missing
frame (the device's queue overflowed) is given up when later ones have waited for `GIVE_UP_MS`. A number far ahead
of the last is not believed: a device holds a few dozen frames. Only a frame that the ledger holds counts as a
repeat.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from table_core.messages import Millis

GIVE_UP_MS = 1_500
MOST_AHEAD = 1_000
MOST_BOOTS = 16  # of all devices together; of any other the ledger is asked again


class FrameOrder(Enum):
    NEW = "new"  # take it now
    REPEAT = "repeat"  # taken before: acknowledge it again
    WAIT = "wait"  # an earlier one is still to come: do not acknowledge
    AFTER_GAP = "after_gap"  # take it now; what was before it is lost
    FAR = "far"  # no device numbers like this: neither take nor acknowledge it


@dataclass(slots=True)
class _Boot:
    """The frames used from one boot of a device."""

    taken: set[int]
    last: int
    waiting: tuple[int, Millis] | None = None  # the lowest number that waits, and since when


class FrameSequencer:
    """`known(device, boot)` gives the sequence numbers that the ledger holds."""

    def __init__(self, known: Callable[[str, int], Iterable[int]]) -> None:
        self._known = known
        self._boots: OrderedDict[tuple[str, int], _Boot] = OrderedDict()

    def forget(self) -> None:
        """The ledger has become another one: ask it again."""
        self._boots.clear()

    def turn(self, device: str, boot: int, seq: int, now: Millis) -> FrameOrder:
        """Where frame `seq` stands; NEW and AFTER_GAP mark it as used."""
        heard = self._boot(device, boot)
        if seq in heard.taken:
            return FrameOrder.REPEAT
        if heard.taken and seq > heard.last + MOST_AHEAD:
            return FrameOrder.FAR
        if seq == heard.last + 1:
            return self._take(heard, seq, FrameOrder.NEW)
        if seq < heard.last:
            return self._take(heard, seq, FrameOrder.AFTER_GAP)
        first, since = heard.waiting or (seq, now)
        heard.waiting = (min(first, seq), since)
        if seq <= first and now - since >= GIVE_UP_MS:
            return self._take(heard, seq, FrameOrder.AFTER_GAP)
        return FrameOrder.WAIT

    def _boot(self, device: str, boot: int) -> _Boot:
        key = (device, boot)
        if key not in self._boots:
            taken = set(self._known(device, boot))
            self._boots[key] = _Boot(taken, max(taken, default=0))
            if len(self._boots) > MOST_BOOTS:
                self._boots.popitem(last=False)
        self._boots.move_to_end(key)
        return self._boots[key]

    def _take(self, heard: _Boot, seq: int, turn: FrameOrder) -> FrameOrder:
        heard.taken.add(seq)
        heard.last, heard.waiting = seq, None
        return turn
