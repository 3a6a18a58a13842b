"""A device's memory of reports that the host has not acknowledged. Plain Python that MicroPython runs.

It lies in a memory that can be written byte by byte and keeps its content without power (hardware/firmware/shoe
has a ferroelectric one). A report may hold the tag of a hidden card: as soon as it is acknowledged its place is
overwritten with zeros.

A place is written in steps that a power cut may interrupt anywhere:

    free 00  ->  writing 5A  ->  content  ->  kept A5  ->  wiping 3C  ->  zeros  ->  free 00

What is found in *writing* was not yet a report that the host could have seen: it is counted as lost. What is found
in *wiping* was acknowledged. Where the supply sags while a byte is written, that byte may be anything: a place
with a content and none of these states counts as one in *writing*. The last byte of the memory says that a report
is in the making (a key that has begun to close, a card in the mouth): where the power fails then, that report is
lost, too.
"""

from firmware_bridge.frames import Frame, crc32, read_u32, u32

PLACE_BYTES = 96
_FREE, _WRITING, _KEPT, _WIPING = 0x00, 0x5A, 0xA5, 0x3C
_HEAD = 15  # state, length, kind, order u32, boot u32, seq u32
MOST_PAYLOAD = PLACE_BYTES - _HEAD - 4


class Memory:
    """What a log needs; a board's driver and a simulated one give it."""

    size = 0

    def read(self, at: int, count: int) -> bytes:
        raise NotImplementedError

    def write(self, at: int, data: bytes) -> None:
        raise NotImplementedError


class NoLog:
    """A device without such a memory: nothing survives a restart."""

    keeps = False
    damaged = 0
    interrupted = 0

    def load(self) -> list[Frame]:
        return []

    def keep(self, frame: Frame) -> None:
        """Nothing can be kept."""

    def forget(self, frame: Frame) -> None:
        """Nothing was kept."""

    def expect(self, on: bool) -> None:
        """A report is in the making, or no more."""


class ReportLog(NoLog):
    """`damaged`: places whose content could not be read; `interrupted`: reports that a power cut kept from being
    made or written whole. Both are of the last `load`."""

    keeps = True

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        # (boot, seq) of the frame at each place; the last byte is no place's
        self._places: list[tuple[int, int] | None] = [None] * ((memory.size - 1) // PLACE_BYTES)
        self._order = 0

    @property
    def room(self) -> int:
        return len(self._places)

    def load(self) -> list[Frame]:
        """The reports that are kept, oldest first; the rest of the memory is wiped."""
        self.damaged = self.interrupted = 0
        found: list[tuple[int, Frame]] = []
        for place in range(self.room):
            raw = self._memory.read(place * PLACE_BYTES, PLACE_BYTES)
            kept = self._read(raw)
            if kept is None:
                self._wipe_what_is_left(place, raw)
            else:
                found.append(kept)
                self._places[place] = (kept[1].boot, kept[1].seq)
        found.sort(key=_by_order)
        self._order = found[-1][0] if found else 0
        self._judge_the_expected()
        return [frame for _, frame in found]

    def _judge_the_expected(self) -> None:
        """A report that was in the making: is it there?"""
        mark = self._memory.read(self._memory.size - 1, 1)[0]
        if mark and mark != _mark(self._order) and not self.interrupted:
            self.interrupted = 1
        if mark:
            self.expect(False)

    def expect(self, on: bool) -> None:
        self._memory.write(self._memory.size - 1, bytes((_mark(self._order + 1) if on else 0,)))

    def _read(self, raw: bytes) -> tuple[int, Frame] | None:
        if raw[0] == _WRITING or (raw[0] not in (_FREE, _KEPT, _WIPING) and any(raw[1:])):
            self.interrupted += 1
        if raw[0] != _KEPT:
            return None
        length = raw[1]
        end = _HEAD + length
        if length > MOST_PAYLOAD or read_u32(raw, end) != crc32(raw[1:end]):
            self.damaged += 1
            return None
        return read_u32(raw, 3), Frame(raw[2], read_u32(raw, 7), read_u32(raw, 11), raw[_HEAD:end])

    def _wipe_what_is_left(self, place: int, raw: bytes) -> None:
        self._places[place] = None
        if raw != bytes(PLACE_BYTES):
            self._wipe(place)

    def keep(self, frame: Frame) -> None:
        """Keep a report before it is sent. One that is kept already is replaced. The caller sees to it that there
        is room."""
        name = (frame.boot, frame.seq)
        place = self._places.index(name) if name in self._places else self._places.index(None)
        self._order += 1
        content = bytearray((len(frame.payload), frame.kind))
        content.extend(u32(self._order) + u32(frame.boot) + u32(frame.seq))
        content.extend(frame.payload)
        content.extend(u32(crc32(bytes(content))))
        at = place * PLACE_BYTES
        self._memory.write(at, bytes((_WRITING,)))
        self._memory.write(at + 1, bytes(content))
        self._memory.write(at, bytes((_KEPT,)))
        self._places[place] = name

    def forget(self, frame: Frame) -> None:
        """The host has it: overwrite it."""
        name = (frame.boot, frame.seq)
        if name in self._places:
            place = self._places.index(name)
            self._places[place] = None
            self._wipe(place)

    def _wipe(self, place: int) -> None:
        at = place * PLACE_BYTES
        self._memory.write(at, bytes((_WIPING,)))
        self._memory.write(at + 1, bytes(PLACE_BYTES - 1))
        self._memory.write(at, bytes((_FREE,)))


def _mark(order: int) -> int:
    """A byte that is not zero."""
    return order % 255 + 1


def _by_order(kept: tuple[int, Frame]) -> int:
    return kept[0]
