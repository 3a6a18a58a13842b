"""MPEG transport streams (ISO 13818-1), as far as joining them needs it: packets, the times in them, and where a
picture begins that needs no other one.

Times are of 90 kHz and 33 bits: they begin again after 26.5 hours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

PACKET = 188
SYNC = 0x47
CLOCK = 90  # in a millisecond
WRAPS = 1 << 33
VIDEO = 0x100  # as `ffmpeg` numbers streams from this one on
_PAYLOAD, _ADAPTATION = 1, 2
_RANDOM_ACCESS, _PCR = 0x40, 0x10
_PES_START = b"\0\0\1"


def packets(data: bytes) -> Iterator[bytearray]:
    """Whole packets; what is none is passed over."""
    for at in range(0, len(data) - PACKET + 1, PACKET):
        if data[at] == SYNC:
            yield bytearray(data[at : at + PACKET])


def after(left: int, right: int) -> int:
    """How much later the time `left` is; negative where it is earlier.

    >>> after(5, WRAPS - 5), after(WRAPS - 5, 5)
    (10, -10)
    """
    return (left - right + WRAPS // 2) % WRAPS - WRAPS // 2


def pid_of(packet: bytes | bytearray) -> int:
    return (packet[1] & 0x1F) << 8 | packet[2]


def begins_unit(packet: bytes | bytearray) -> bool:
    """Whether a picture, or a piece of sound, begins in this packet."""
    return bool(packet[1] & 0x40)


def has_payload(packet: bytes | bytearray) -> bool:
    return bool(packet[3] >> 4 & _PAYLOAD)


def is_key_picture(packet: bytes | bytearray) -> bool:
    """Whether a picture begins here that can be shown without any before."""
    return begins_unit(packet) and pid_of(packet) == VIDEO and bool(_flags(packet) & _RANDOM_ACCESS)


def _flags(packet: bytes | bytearray) -> int:
    return packet[5] if packet[3] >> 4 & _ADAPTATION and packet[4] > 0 else 0


def _time_places(packet: bytes | bytearray) -> tuple[int, ...]:
    """Where the times of a unit that begins here are: PTS, and DTS where it has one."""
    start = 4 + (1 + packet[4] if packet[3] >> 4 & _ADAPTATION else 0)
    header = packet[start : start + 9]
    if not begins_unit(packet) or len(header) < 9 or header[:3] != _PES_START:
        return ()
    places = {2: (start + 9,), 3: (start + 9, start + 14)}.get(header[7] >> 6, ())
    return places if places and places[-1] + 5 <= PACKET else ()


def _read_time(packet: bytes | bytearray, at: int) -> int:
    high, middle, low = packet[at] >> 1 & 7, packet[at + 1] << 7 | packet[at + 2] >> 1, packet[at + 3] << 7
    return high << 30 | middle << 15 | low | packet[at + 4] >> 1


def _write_time(packet: bytearray, at: int, time: int) -> None:
    packet[at] = packet[at] & 0xF1 | time >> 29 & 0x0E
    packet[at + 1] = time >> 22 & 0xFF
    packet[at + 2] = time >> 14 & 0xFE | 1
    packet[at + 3] = time >> 7 & 0xFF
    packet[at + 4] = time << 1 & 0xFE | 1


def decoded_at(packet: bytes | bytearray) -> int | None:
    """When the unit that begins here is decoded; None where it says no time."""
    places = _time_places(packet)
    return _read_time(packet, places[-1]) if places else None


def shift(packet: bytearray, by: int) -> None:
    """Move every time in the packet."""
    for at in _time_places(packet):
        _write_time(packet, at, (_read_time(packet, at) + by) % WRAPS)
    if _flags(packet) & _PCR and packet[4] >= 7:
        base = int.from_bytes(packet[6:11], "big") >> 7
        packet[6:11] = ((base + by) % WRAPS << 7 | packet[10] & 0x7F).to_bytes(5, "big")


@dataclass(slots=True)
class Joined:
    """One stream that goes out, made of pieces of others: its times and its counters go on without a step.

    A piece begins with `begin`; its first picture goes out at the time that is asked for, or behind the last one.
    """

    frame: int = 90_000 // 25  # between two pictures, at least
    _by: int = 0
    _counters: dict[int, int] = field(default_factory=dict)
    _last: dict[int, int] = field(default_factory=dict)  # of each stream, when its last unit is decoded
    _skipped: set[int] = field(default_factory=set)

    def begin(self, first: int, wanted: int) -> None:
        """The piece whose first picture is decoded at `first` goes on from here, at `wanted` or just behind what
        went out."""
        last = self._last.get(VIDEO)
        if last is not None and after(wanted, last + self.frame) < 0:
            wanted = last + self.frame
        self._by = (wanted - first) % WRAPS
        self._skipped = set(self._last)  # the rest of a unit that had begun before

    def put(self, packet: bytearray) -> bytes:
        """The packet as it goes out; empty where it is left out."""
        pid = pid_of(packet)
        time = decoded_at(packet)
        shift(packet, self._by)
        if time is not None:
            time = (time + self._by) % WRAPS
            last = self._last.get(pid)
            if last is not None and after(time, last) <= 0:
                self._skipped.add(pid)
            else:
                self._last[pid] = time
                self._skipped.discard(pid)
        if pid in self._skipped:
            return b""
        if has_payload(packet):
            self._counters[pid] = (self._counters.get(pid, 15) + 1) & 0x0F
        packet[3] = packet[3] & 0xF0 | self._counters.get(pid, 0)
        return bytes(packet)
