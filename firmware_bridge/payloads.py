"""The payload of each kind of frame (docs/wire.md). Plain Python that MicroPython runs.

`device_ms` is the device's own clock, milliseconds since its boot, 32 bits (it wraps after 49 days). Parsers take
longer payloads, too: a newer device may have added something at the end. They raise `ValueError` that names
lengths and fields, never a tag.
"""

from firmware_bridge.frames import read_u32, u32

PROTOCOL = 2
OLDEST_PROTOCOL = 1  # that the host still understands

KEYPAD = 1
SHOE = 2
DEVICE_NAMES = {KEYPAD: "keypad", SHOE: "shoe"}

# What a device says that it can do.
KEEPS_REPORTS = 0x0001  # reports that were not acknowledged survive a power cut
TELLS_LOSS = 0x0002  # what it lost comes as a report
TELLS_TIME = 0x0004  # it answers TIME_REQUEST
HAS_LAMPS = 0x0008
HAS_SOUND = 0x0010
HAS_SEAT_KEYS = 0x0020
SEES_EVERY_CARD = 0x0100  # beams count the cards, whether their tags answer or not
HAS_TWO_ANTENNAS = 0x0200
HAS_LID = 0x0400
SEES_DECK = 0x0800
SEES_CUT_CARD = 0x1000

HASH_BYTES = 8
_LONGEST_NAME = 60

UID_BYTES = 8
NO_TAG = bytes(UID_BYTES)  # a card passed, and no tag answered
MOST_CARDS = 8  # in one CARDS report

# Why something was lost.
QUEUE_FULL = 1
POWER_FAILED = 2  # while a report was being made
MEMORY_DAMAGED = 3
RESTARTED = 4  # without a memory: what was not acknowledged is gone, and its number unknown
UNCERTAIN = 5  # something passed, and how many cards it was, or which way they went, is not certain

# Why a device started.
POWER_ON, WATCHDOG, OTHER_RESET = 1, 2, 3

# What a device finds wrong with itself.
READER_1_SILENT = 0x0001
READER_2_SILENT = 0x0002
NO_MEMORY = 0x0004
BEAM_1_COVERED = 0x0008
BEAM_2_COVERED = 0x0010
KEY_HELD = 0x0020
SAFE_MODE = 0x0040
LOW_SUPPLY = 0x0080


def hello(device_kind: int, firmware: str, capabilities: int = 0, source: bytes = bytes(HASH_BYTES)) -> bytes:
    """`firmware` names make and version, at most 60 bytes of UTF-8: `feltwire-keypad 2.0`; `source`: the first 8
    bytes of the SHA-256 of what the device runs, zero where it cannot say."""
    return bytes((PROTOCOL, device_kind)) + u32(capabilities) + source + firmware.encode()[:_LONGEST_NAME]


class Hello:
    """A HELLO as read. One of protocol 1 has no capabilities and no hash."""

    def __init__(self, protocol: int, device_kind: int, capabilities: int, source: bytes, firmware: str) -> None:
        self.protocol = protocol
        self.device_kind = device_kind
        self.capabilities = capabilities
        self.source = source
        self.firmware = firmware


def read_hello(payload: bytes) -> Hello:
    """Of whichever protocol: its number and the kind of device come first in all of them."""
    if len(payload) < 2:
        raise ValueError(f"hello: {len(payload)} bytes, at least 2 expected")
    protocol, kind = payload[0], payload[1]
    if protocol == 1:
        return Hello(protocol, kind, 0, b"", _name(payload[2:]))
    if protocol != PROTOCOL:
        return Hello(protocol, kind, 0, b"", "a device")
    _expect("hello", payload, 6 + HASH_BYTES)
    name = 6 + HASH_BYTES
    return Hello(protocol, kind, read_u32(payload, 2), payload[6:name], _name(payload[name:]))


def _name(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeError:
        raise ValueError("hello: the firmware's name is not UTF-8") from None


class Health:
    """How a device is. Counts are of this boot."""

    def __init__(self, device_ms: int) -> None:
        self.device_ms = device_ms
        self.waiting = 0  # frames without ACK
        self.resent = 0
        self.bad = 0  # frames received damaged
        self.lost = 0
        self.started = 0  # why; 0: it does not say
        self.supply_mv = 0  # 0: not measured
        self.celsius = 0
        self.faults = 0
        self.passages = 0
        self.unread = 0
        self.bounces = 0


_COUNTS_BYTES = 20  # what protocol 1 has
_WHOLE_BYTES = 38


def health(how: Health) -> bytes:
    counts = u32(how.device_ms) + u32(how.waiting) + u32(how.resent) + u32(how.bad) + u32(how.lost)
    board = bytes((how.started,)) + _u16(how.supply_mv) + bytes((how.celsius & 0xFF,)) + _u16(how.faults)
    return counts + board + u32(how.passages) + u32(how.unread) + u32(how.bounces)


def read_health(payload: bytes) -> Health:
    _expect("health", payload, _COUNTS_BYTES)
    how = Health(read_u32(payload, 0))
    how.waiting, how.resent, how.bad, how.lost = [read_u32(payload, at) for at in (4, 8, 12, 16)]
    if len(payload) >= _WHOLE_BYTES:
        how.started, how.supply_mv, celsius = payload[20], _read_u16(payload, 21), payload[23]
        how.celsius = celsius - 256 if celsius > 127 else celsius
        how.faults = _read_u16(payload, 24)
        how.passages, how.unread, how.bounces = [read_u32(payload, at) for at in (26, 30, 34)]
    return how


def time(token: int, device_ms: int) -> bytes:
    """The answer to the TIME_REQUEST with `token`: when it arrived."""
    return u32(token) + u32(device_ms)


def read_time(payload: bytes) -> tuple[int, int]:
    """`(token, device_ms)`."""
    _expect("time", payload, 8)
    return read_u32(payload, 0), read_u32(payload, 4)


def key(code: int, device_ms: int) -> bytes:
    return bytes((code,)) + u32(device_ms)


def read_key(payload: bytes) -> tuple[int, int]:
    """`(key code, device_ms)`."""
    _expect("key", payload, 5)
    return payload[0], read_u32(payload, 1)


def card(uid: bytes, device_ms: int, doubtful: bool = False) -> bytes:
    """`doubtful`: a tag answered, but it may belong to another card; the tag is `NO_TAG` then."""
    _exactly_a_tag(uid)
    return uid + u32(device_ms) + bytes((1 if doubtful else 0,))


def read_card(payload: bytes) -> tuple[bytes, int, bool]:
    """`(tag, device_ms, doubtful)`; the tag is `NO_TAG` when none answered."""
    _expect("card", payload, UID_BYTES + 4)
    doubtful = len(payload) > UID_BYTES + 4 and payload[UID_BYTES + 4] != 0
    return payload[:UID_BYTES], read_u32(payload, UID_BYTES), doubtful


def cards(uids: list[bytes], device_ms: int) -> bytes:
    """Cards that left together, in an order that nobody knows; `NO_TAG` for those whose tag did not answer."""
    if not 2 <= len(uids) <= MOST_CARDS:
        raise ValueError(f"cards: {len(uids)} of them, 2 to {MOST_CARDS} fit")
    payload = u32(device_ms) + bytes((len(uids),))
    for uid in uids:
        _exactly_a_tag(uid)
        payload += uid
    return payload


def read_cards(payload: bytes) -> tuple[list[bytes], int]:
    """`(tags, device_ms)`."""
    _expect("cards", payload, 5)
    count = payload[4]
    if not 2 <= count <= MOST_CARDS:
        raise ValueError(f"cards: {count} of them, 2 to {MOST_CARDS} expected")
    _expect("cards", payload, 5 + count * UID_BYTES)
    tags = [payload[at : at + UID_BYTES] for at in range(5, 5 + count * UID_BYTES, UID_BYTES)]
    return tags, read_u32(payload, 0)


def card_back(uid: bytes, device_ms: int, was_out: bool) -> bytes:
    """A card went into the shoe: `was_out`, one that had been reported as out; else it was pushed back halfway."""
    _exactly_a_tag(uid)
    return uid + u32(device_ms) + bytes((1 if was_out else 0,))


def read_card_back(payload: bytes) -> tuple[bytes, int, bool]:
    """`(tag, device_ms, was_out)`."""
    _expect("card back", payload, UID_BYTES + 5)
    return payload[:UID_BYTES], read_u32(payload, UID_BYTES), payload[UID_BYTES + 4] != 0


def switch(on: bool, device_ms: int) -> bytes:
    """LID: open. DECK: in the shoe."""
    return bytes((1 if on else 0,)) + u32(device_ms)


def read_switch(payload: bytes) -> tuple[bool, int]:
    """`(on, device_ms)`."""
    _expect("switch", payload, 5)
    return payload[0] != 0, read_u32(payload, 1)


def moment(device_ms: int) -> bytes:
    """CUT_CARD."""
    return u32(device_ms)


def read_moment(payload: bytes) -> int:
    _expect("moment", payload, 4)
    return read_u32(payload, 0)


def lost(count: int, why: int, device_ms: int) -> bytes:
    """At least `count` reports are missing here; 0 where their number is unknown."""
    return u32(count) + bytes((why,)) + u32(device_ms)


def read_lost(payload: bytes) -> tuple[int, int, int]:
    """`(count, why, device_ms)`."""
    _expect("lost", payload, 9)
    return read_u32(payload, 0), payload[4], read_u32(payload, 5)


def lamp(number: int, red: int, green: int, blue: int, blinking: bool) -> bytes:
    """`number` 0 is the device's own lamp, n that of seat n."""
    return bytes((number, red, green, blue, 1 if blinking else 0))


def read_lamp(payload: bytes) -> tuple[int, int, int, int, bool]:
    _expect("lamp", payload, 5)
    return payload[0], payload[1], payload[2], payload[3], payload[4] != 0


def sound(hertz: int, on_ms: int, off_ms: int, times: int) -> bytes:
    """A tone of `on_ms`, then silence of `off_ms`, so many `times`; 0 times: silence."""
    return _u16(hertz) + _u16(on_ms) + _u16(off_ms) + bytes((times,))


def read_sound(payload: bytes) -> tuple[int, int, int, int]:
    _expect("sound", payload, 7)
    return _read_u16(payload, 0), _read_u16(payload, 2), _read_u16(payload, 4), payload[6]


def _u16(value: int) -> bytes:
    return bytes((value & 0xFF, value >> 8 & 0xFF))


def _read_u16(data: bytes, at: int) -> int:
    return data[at] | data[at + 1] << 8


def _expect(what: str, data: bytes, length: int) -> None:
    if len(data) < length:
        raise ValueError(f"{what}: {len(data)} bytes, {length} expected")


def _exactly_a_tag(uid: bytes) -> None:
    if len(uid) != UID_BYTES:
        raise ValueError(f"card's tag: {len(uid)} bytes, {UID_BYTES} expected")
