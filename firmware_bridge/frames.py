"""Frames on the serial line between a device under the table and the table's Pi (docs/wire.md).

Plain Python that MicroPython runs as it stands: the device's firmware and the host use this very file.
Pure: bytes in, frames out, resumable at any byte.

On the line a frame is its content, byte-stuffed (COBS) so that it holds no zero, and then one zero. The
content, little-endian:

    length u8 | kind u8 | boot u32 | seq u32 | payload (length bytes) | CRC-32 of everything before it

The payload may be a card's tag, and a tag *is* a card: nothing here ever prints one.
"""

import binascii

# device -> host, status: seq 0, not acknowledged
HELLO = 0x01  # who I am; answers HELLO_REQUEST and announces a boot
HEALTH = 0x02  # how I am; follows HELLO
TIME = 0x03  # what my clock says; answers TIME_REQUEST
# device -> host, reports: numbered, sent until they are acknowledged
KEY = 0x10  # a key went down
CARD = 0x11  # a card left the shoe
CARDS = 0x12  # several cards left the shoe together
CARD_BACK = 0x13  # a card went back into the shoe
LID = 0x14  # the shoe's lid was opened or closed
DECK = 0x15  # a deck was put into the shoe, or the last card left it
CUT_CARD = 0x16  # the cut card left the shoe
LOST = 0x17  # something was lost before this report
REPORTS = (KEY, CARD, CARDS, CARD_BACK, LID, DECK, CUT_CARD, LOST)
# host -> device
ACK = 0x80  # boot and seq name the frame that is committed; no payload
HELLO_REQUEST = 0x81
LAMP = 0x82
SOUND = 0x83
TIME_REQUEST = 0x84

MAX_PAYLOAD = 200  # keeps the content below 254 bytes, so that COBS adds exactly one byte
_HEADER = 10
_OVERHEAD = _HEADER + 4
_MAX_STUFFED = MAX_PAYLOAD + _OVERHEAD + 1
_U32 = 0xFFFFFFFF

_native_crc32 = getattr(binascii, "crc32", None)  # some MicroPython builds leave it out

# CRC-32 (IEEE 802.3, reflected), four bits at a time.
_CRC_NIBBLES = (
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
)  # fmt: skip


class Frame:
    """One frame as it was sent, named by `boot` and `seq`; `seq` 0 is a status frame without acknowledgement."""

    def __init__(self, kind: int, boot: int, seq: int, payload: bytes) -> None:
        self.kind = kind
        self.boot = boot
        self.seq = seq
        self.payload = payload

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and (
            (self.kind, self.boot, self.seq, self.payload) == (other.kind, other.boot, other.seq, other.payload)
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.boot, self.seq, self.payload))

    def __repr__(self) -> str:
        return f"Frame(kind=0x{self.kind:02x}, boot={self.boot:x}, seq={self.seq}, {len(self.payload)} bytes)"


def encode(kind: int, boot: int, seq: int, payload: bytes = b"") -> bytes:
    """The bytes of one frame, closing zero included. Raise `ValueError` when a field does not fit."""
    if not (0 < kind <= 0xFF and 0 <= boot <= _U32 and 0 <= seq <= _U32):
        raise ValueError("frame: kind must be 1..255, boot and seq 32 bits")
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"frame: a payload of {len(payload)} bytes, at most {MAX_PAYLOAD} fit")
    content = bytearray((len(payload), kind))
    content.extend(u32(boot))
    content.extend(u32(seq))
    content.extend(payload)
    content.extend(u32(crc32(bytes(content))))
    return _stuff(content)


def decode(stuffed: bytes) -> Frame | None:
    """The frame in `stuffed` (the bytes between two zeros), None when it is not exactly one valid frame."""
    content = _unstuff(stuffed)
    if content is None or len(content) < _OVERHEAD or content[0] != len(content) - _OVERHEAD:
        return None
    if read_u32(content, len(content) - 4) != crc32(content[:-4]):
        return None
    return Frame(content[1], read_u32(content, 2), read_u32(content, 6), content[_HEADER:-4])


class Decoder:
    """Finds frames in a stream that may begin, break off and be damaged anywhere.

    `bytes` counts all bytes fed, `frames` valid frames, `bad` stretches between zeros that were no frame. Holds at
    most one frame's worth of bytes.
    """

    def __init__(self) -> None:
        self.bytes = 0
        self.frames = 0
        self.bad = 0
        self._held = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that end within `data`, in order."""
        found: list[Frame] = []
        self.bytes += len(data)
        start = 0
        while True:
            end = data.find(b"\x00", start)
            if end < 0:
                self._hold(data[start:])
                return found
            self._hold(data[start:end])
            frame = self._close()
            if frame is not None:
                found.append(frame)
            start = end + 1

    def _hold(self, part: bytes) -> None:
        if len(self._held) + len(part) > _MAX_STUFFED:
            self._overlong = True
            self._held = bytearray()
        elif not self._overlong:
            self._held.extend(part)

    def _close(self) -> Frame | None:
        stuffed, overlong = bytes(self._held), self._overlong
        self._held = bytearray()
        self._overlong = False
        if not stuffed and not overlong:
            return None  # zeros in a row: a sender clearing the line
        frame = None if overlong else decode(stuffed)
        if frame is None:
            self.bad += 1
        else:
            self.frames += 1
        return frame


def u32(value: int) -> bytes:
    return (value & _U32).to_bytes(4, "little")


def read_u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def crc32(data: bytes) -> int:
    return crc32_by_table(data) if _native_crc32 is None else int(_native_crc32(data))


def crc32_by_table(data: bytes) -> int:
    crc = _U32
    for byte in data:
        crc ^= byte
        crc = (crc >> 4) ^ _CRC_NIBBLES[crc & 15]
        crc = (crc >> 4) ^ _CRC_NIBBLES[crc & 15]
    return crc ^ _U32


def _stuff(content: bytearray) -> bytes:
    """COBS: each zero becomes the distance to the next one; at most 253 bytes, so no run overflows."""
    out = bytearray(1)
    mark = 0
    for byte in content:
        if byte:
            out.append(byte)
        else:
            out[mark] = len(out) - mark
            mark = len(out)
            out.append(0)
    out[mark] = len(out) - mark
    out.append(0)
    return bytes(out)


def _unstuff(stuffed: bytes) -> bytes | None:
    out = bytearray()
    at = 0
    while at < len(stuffed):
        end = at + stuffed[at]
        if end == at or end > len(stuffed):
            return None
        out.extend(stuffed[at + 1 : end])
        if end < len(stuffed):
            out.append(0)
        at = end
    return bytes(out)
