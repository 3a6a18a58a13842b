"""An example of each message, for docs/wire.md; `python -m tests.firmware_bridge.wire_examples` prints them."""

from __future__ import annotations

from firmware_bridge import frames, payloads
from table_core.messages import Key

BOOT = 0x01020304
TAG = bytes.fromhex("e0040150a1b2c3d4")
OTHER = bytes.fromhex("e0040150a1b2c3d5")
CAN = payloads.SEES_EVERY_CARD | payloads.KEEPS_REPORTS | payloads.TELLS_LOSS | payloads.TELLS_TIME


def _health() -> bytes:
    how = payloads.Health(10_000)
    how.started, how.supply_mv, how.celsius = payloads.POWER_ON, 4_870, 31
    return payloads.health(how)


def _report(kind: int, payload: bytes, seq: int) -> bytes:
    return frames.encode(kind, BOOT, seq, payload)


EXAMPLES = {
    "HELLO": _report(frames.HELLO, payloads.hello(payloads.SHOE, "my-shoe 1.0", CAN, bytes(range(8))), 0),
    "HEALTH": _report(frames.HEALTH, _health(), 0),
    "TIME": _report(frames.TIME, payloads.time(77, 10_000), 0),
    "KEY": _report(frames.KEY, payloads.key(Key.FOLD, 1_000), 1),
    "CARD": _report(frames.CARD, payloads.card(TAG, 2_000), 2),
    "CARDS": _report(frames.CARDS, payloads.cards([TAG, OTHER], 3_000), 3),
    "CARD_BACK": _report(frames.CARD_BACK, payloads.card_back(TAG, 4_000, True), 4),
    "LID": _report(frames.LID, payloads.switch(True, 5_000), 5),
    "DECK": _report(frames.DECK, payloads.switch(True, 6_000), 6),
    "CUT_CARD": _report(frames.CUT_CARD, payloads.moment(7_000), 7),
    "LOST": _report(frames.LOST, payloads.lost(3, payloads.QUEUE_FULL, 8_000), 8),
    "ACK": _report(frames.ACK, b"", 8),
    "HELLO_REQUEST": frames.encode(frames.HELLO_REQUEST, 0, 0),
    "LAMP": frames.encode(frames.LAMP, 0, 0, payloads.lamp(4, 0, 160, 80, False)),
    "SOUND": frames.encode(frames.SOUND, 0, 0, payloads.sound(1_800, 60, 60, 2)),
    "TIME_REQUEST": frames.encode(frames.TIME_REQUEST, 0, 0, frames.u32(77)),
}

if __name__ == "__main__":
    for name, raw in EXAMPLES.items():
        print(f"    {name:<14} {raw.hex(' ')}")
