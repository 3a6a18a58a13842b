"""Corrupted byte streams at the decoder: no wrong frame, back in step behind one good frame, nothing raised.

A stream is some frames, then bits flipped, bytes dropped, doubled, inserted, frames merged or cut, in whatever
combination; behind it come two good frames. What the decoder gives must be what was sent, and the last frame must
be among it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from firmware_bridge.frames import MAX_PAYLOAD, Decoder, Frame, _unstuff, decode, encode
from tests.wire.proof import Counts, Finding, Proof

CASES = 1_000_000
_PIECES = tuple(
    (kind, length)
    for kind, length in ((0x10, 5), (0x11, 13), (0x12, 21), (0x80, 0), (0x02, 38), (0x01, 33), (0x82, 5))
)
_OVERHEAD = 14


def run(case: int, seed: int) -> Counts:
    chance = random.Random(f"streams {seed} {case}")
    sent = [_frame(chance) for _ in range(chance.randrange(1, 6))]
    raw = b"".join(encode(frame.kind, frame.boot, frame.seq, frame.payload) for frame in sent)
    counts: Counts = Counter(streams=1)
    for _ in range(chance.randrange(1, 5)):
        damage = chance.choice(DAMAGES)
        raw = damage(chance, raw)
        counts[damage.__name__.strip("_")] += 1
    good = [_frame(chance), _frame(chance)]
    raw += b"".join(encode(frame.kind, frame.boot, frame.seq, frame.payload) for frame in good)
    got = _decoded(chance, raw)
    if got[-1:] != good[1:]:
        raise Finding("not back in step behind one good frame")
    for frame in got:
        if frame not in sent and frame not in good:
            raise Finding(f"a frame that nobody sent: {frame!r}")
    counts["frames taken"] = len(got)
    counts["pieces refused"], counts["pieces that only the CRC refused"] = _refused(raw)
    return counts


def _frame(chance: random.Random) -> Frame:
    kind, length = chance.choice(_PIECES)
    if chance.random() < 0.1:
        length = chance.randrange(MAX_PAYLOAD + 1)
    payload = bytes([chance.randrange(256) if chance.random() < 0.7 else 0 for _ in range(length)])
    return Frame(kind, chance.randrange(2**32), chance.randrange(1_000), payload)


def _decoded(chance: random.Random, raw: bytes) -> list[Frame]:
    """The stream in chunks as they may arrive."""
    decoder, got, at = Decoder(), [], 0
    while at < len(raw):
        size = chance.choice((1, 7, 64, 1_000))
        got += decoder.feed(raw[at : at + size])
        at += size
    return got


def _refused(raw: bytes) -> tuple[int, int]:
    """Pieces that were no frame, and those of them whose length and stuffing were right."""
    refused = checked = 0
    for piece in raw.split(b"\x00")[:-1]:
        if not piece or decode(piece) is not None:
            continue
        refused += 1
        content = _unstuff(piece)
        checked += content is not None and len(content) >= _OVERHEAD and content[0] == len(content) - _OVERHEAD
    return refused, checked


def _flip(chance: random.Random, raw: bytes) -> bytes:
    damaged = bytearray(raw)
    for _ in range(chance.choice((1, 1, 2, 8))):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _burst(chance: random.Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw))
    return raw[:at] + chance.randbytes(chance.randrange(1, 20)) + raw[at + chance.randrange(20) :]


def _drop(chance: random.Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw))
    return raw[:at] + raw[at + chance.choice((1, 1, 3, 30)) :] or b"\x01"


def _double(chance: random.Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw))
    end = at + chance.choice((1, 1, 4, 40))
    return raw[:end] + raw[at:end] + raw[end:]


def _insert(chance: random.Random, raw: bytes) -> bytes:
    at = chance.randrange(len(raw) + 1)
    byte = chance.choice((b"\x00", b"\x01", b"\xff", chance.randbytes(1)))
    return raw[:at] + byte + raw[at:]


def _merge(chance: random.Random, raw: bytes) -> bytes:
    """Two frames lose what parts them."""
    zeros = [at for at, byte in enumerate(raw) if byte == 0]
    if not zeros:
        return raw
    at = chance.choice(zeros)
    return raw[:at] + raw[at + 1 :] or b"\x01"


def _cut(chance: random.Random, raw: bytes) -> bytes:
    """The cable is pulled in a frame."""
    return raw[: chance.randrange(1, len(raw) + 1)]


def _swap(chance: random.Random, raw: bytes) -> bytes:
    """Two stretches change places."""
    one, other, end = sorted(chance.randrange(len(raw) + 1) for _ in range(3))
    return raw[:one] + raw[other:end] + raw[one:other] + raw[end:]


DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _flip,
    _burst,
    _drop,
    _double,
    _insert,
    _merge,
    _cut,
    _swap,
)


def figures(counts: Counts) -> list[str]:
    checked = counts["pieces that only the CRC refused"]
    return [
        f"{counts['streams']} streams, {counts['frames taken']} frames taken, all of them sent",
        f"{counts['pieces refused']} damaged pieces refused; {checked} of them had the right length and stuffing, "
        f"so that only the CRC-32 refused them",
        f"by chance the CRC takes one in 2^32: {checked / 2**32:.2g} wrong frames to be expected, 0 came",
        f"damage done: {', '.join(f'{one.__name__[1:]} {counts[one.__name__[1:]]}' for one in DAMAGES)}",
    ]


PROOF = Proof("corrupted byte streams at the decoder", lambda: CASES, run, figures)
