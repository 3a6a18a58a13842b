"""The payload of each kind of frame (docs/wire.md). Plain Python that MicroPython runs.

`device_ms` is the device's own clock, milliseconds since its boot, 32 bits (it wraps after 49 days). Parsers raise
`ValueError` that names lengths and fields, never a tag.
"""

from firmware_bridge.frames import read_u32, u32

PROTOCOL = 1
KEYPAD = 1
SHOE = 2
DEVICE_NAMES = {KEYPAD: "keypad", SHOE: "shoe"}

UID_BYTES = 8
NO_TAG = bytes(UID_BYTES)  # a card passed, and no tag answered


def hello(device_kind: int, firmware: str) -> bytes:
    """`firmware` names make and version, at most 60 bytes of UTF-8: `feltwire-keypad 1.0`."""
    return bytes((PROTOCOL, device_kind)) + firmware.encode()[:60]


def read_hello(payload: bytes) -> tuple[int, int, str]:
    """`(protocol, device kind, firmware)`."""
    if len(payload) < 2:
        raise ValueError(f"hello: {len(payload)} bytes, at least 2 expected")
    try:
        return payload[0], payload[1], payload[2:].decode()
    except UnicodeError:
        raise ValueError("hello: the firmware's name is not UTF-8") from None


def health(device_ms: int, waiting: int, resent: int, bad: int, lost: int) -> bytes:
    """Frames waiting for their ACK, sent again, received damaged, and lost because the queue was full."""
    return u32(device_ms) + u32(waiting) + u32(resent) + u32(bad) + u32(lost)


def read_health(payload: bytes) -> tuple[int, int, int, int, int]:
    _expect("health", payload, 20)
    return (
        read_u32(payload, 0),
        read_u32(payload, 4),
        read_u32(payload, 8),
        read_u32(payload, 12),
        read_u32(payload, 16),
    )


def key(code: int, device_ms: int) -> bytes:
    return bytes((code,)) + u32(device_ms)


def read_key(payload: bytes) -> tuple[int, int]:
    """`(key code, device_ms)`."""
    _expect("key", payload, 5)
    return payload[0], read_u32(payload, 1)


def card(uid: bytes, device_ms: int) -> bytes:
    _expect("card's tag", uid, UID_BYTES)
    return uid + u32(device_ms)


def read_card(payload: bytes) -> tuple[bytes, int]:
    """`(tag, device_ms)`; the tag is `NO_TAG` when none answered."""
    _expect("card", payload, UID_BYTES + 4)
    return payload[:UID_BYTES], read_u32(payload, UID_BYTES)


def lamp(number: int, red: int, green: int, blue: int, blinking: bool) -> bytes:
    """`number` 0 is the device's own lamp, n that of seat n."""
    return bytes((number, red, green, blue, 1 if blinking else 0))


def read_lamp(payload: bytes) -> tuple[int, int, int, int, bool]:
    _expect("lamp", payload, 5)
    return payload[0], payload[1], payload[2], payload[3], payload[4] != 0


def _expect(what: str, data: bytes, length: int) -> None:
    if len(data) != length:
        raise ValueError(f"{what}: {len(data)} bytes, {length} expected")
