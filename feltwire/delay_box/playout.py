"""What goes out of the delay box at each moment: the delayed picture, or the slate where there is none.

The stream never stops and its times never step back. The picture begins with one that needs no other; until then,
and whenever it does not come, the slate is there. No I/O; boot time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from feltwire.delay_box.line import DelayLine
from feltwire.delay_box.transport_stream import (
    CLOCK,
    PACKET,
    SYNC,
    VIDEO,
    WRAPS,
    Joined,
    after,
    decoded_at,
    is_key_picture,
    packets,
    pid_of,
)
from table_core.messages import Millis

GAP_MS = 500  # without a picture for so long the slate comes


class SlateUnit(NamedTuple):
    """Packets of the slate that go out together, `at` behind its first picture (90 kHz)."""

    at: int
    packets: tuple[bytes, ...]


class Slate:
    """A short stream that is played again and again. Raise `ValueError` for one without a picture."""

    def __init__(self, data: bytes) -> None:
        units: list[SlateUnit] = []
        pictures: list[int] = []
        first: int | None = None
        waiting: list[bytes] = []
        for packet in packets(data):
            time = decoded_at(packet)
            if time is not None:
                first = time if first is None and pid_of(packet) == VIDEO else first
                if first is None:
                    continue
                pictures += [time] if pid_of(packet) == VIDEO else []
                units.append(SlateUnit(max(after(time, first), 0), (*waiting, bytes(packet))))
                waiting = []
            elif units:
                units[-1] = SlateUnit(units[-1].at, (*units[-1].packets, bytes(packet)))
            else:
                waiting.append(bytes(packet))
        if first is None or len(pictures) < 2:
            raise ValueError("no picture in it")
        self.first = first
        self.frame = after(pictures[1], pictures[0])
        self.length = after(pictures[-1], first) + self.frame
        self.units = tuple(units)


class Playout:
    """Joins what is due and the slate. `step` gives the bytes that go out by now."""

    def __init__(self, line: DelayLine, slate: Slate) -> None:
        self._line = line
        self._slate = slate
        self._joined = Joined(slate.frame)
        self._run: int | None = None  # of the picture that goes out; None: the slate does
        self._live_at = Millis(0)
        self._slate_from: Millis | None = None
        self._next = 0  # unit of the slate
        self.gaps = 0  # how often the slate came

    @property
    def is_live(self) -> bool:
        """Whether the picture goes out, and not the slate."""
        return self._run is not None

    def step(self, now: Millis) -> bytes:
        out: list[bytes] = []
        for run, data in self._line.due(now):
            out += self._picture(run, data, now)
        if self._run is not None and now - self._live_at >= GAP_MS:
            self._run = None
            self.gaps += 1
        if self._run is None:
            out += self._slates(now)
        return b"".join(out)

    def wake_at(self, now: Millis) -> Millis:
        """When there is something to send next, if nothing else changes."""
        times = [Millis(now + GAP_MS)]
        due = self._line.next_due()
        times += [due] if due is not None else []
        if self._run is None and self._slate_from is not None:
            times.append(Millis(self._slate_from + -(-self._slate.units[self._next].at // CLOCK)))
        return min(times)

    def _picture(self, run: int, data: bytes, now: Millis) -> Iterable[bytes]:
        for packet in packets(data):
            if run != self._run:
                time = decoded_at(packet)
                if not is_key_picture(packet) or time is None:
                    continue
                self._joined.begin(time, now * CLOCK % WRAPS)
                self._run, self._slate_from, self._live_at = run, None, now
            if sent := self._joined.put(packet):
                self._live_at = now if pid_of(sent) == VIDEO else self._live_at
                yield sent

    def _slates(self, now: Millis) -> Iterable[bytes]:
        slate = self._slate
        if self._slate_from is not None and now - self._slate_from > slate.length // CLOCK + GAP_MS:
            self._slate_from = None  # this machine slept
        while True:
            if self._slate_from is None:
                self._slate_from, self._next = now, 0
                self._joined.begin(slate.first, now * CLOCK % WRAPS)
            unit = slate.units[self._next]
            if now * CLOCK < self._slate_from * CLOCK + unit.at:
                return
            for packet in unit.packets:
                if sent := self._joined.put(bytearray(packet)):
                    yield sent
            self._next += 1
            if self._next == len(slate.units):
                ends = Millis(self._slate_from + slate.length // CLOCK)
                self._next = 0
                self._slate_from = ends
                self._joined.begin(slate.first, ends * CLOCK % WRAPS)


def aligned(data: bytes) -> tuple[bytes, bytes]:
    """Whole packets, and the rest for the next time; what stands before the first packet is dropped."""
    start = 0
    while start < len(data) and data[start] != SYNC:
        start += 1
    whole = (len(data) - start) // PACKET * PACKET
    return data[start : start + whole], data[start + whole :]
