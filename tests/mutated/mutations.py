"""How a message, a request or a frame is spoilt: each mutation takes bytes and chance, and gives other bytes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from firmware_bridge import frames, payloads

Chance = random.Random
Mutation = Callable[[Chance, bytes, bytes], bytes]  # the second bytes are another of the corpus, for a splice

NUMBERS: tuple[Any, ...] = (
    *(0, -1, 1, 7, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64, 2**70, -(2**63), -(2**63) - 1, 10**19),
    *(1.5, -0.0, 1e300, True, False, None, "7", "", "\x00", [], {}, [[]], {"a": 1}),
)
BIG = (b"1e400", b"NaN", b"Infinity", b"-Infinity", b"1" + b"0" * 400, b"1" * 5_000, b"0x10", b"01", b"+1", b"1.")
TEXTS = (
    *("\x00", "\ud800", "‮evil", "é" * 300, "a\u0301" * 2_000, "</script><img src=x onerror=alert(1)>"),
    *("a\nERROR forged: line", "\x1b[31m", "x" * 100_000, "'; DROP TABLE events; --", "../../etc/passwd", "%00"),
)
DEEP = (b"[" * 1_100 + b"]" * 1_100, b'{"a":' * 1_100 + b"1" + b"}" * 1_100, b"[" * 100_000, b'[{"a":' * 40_000)


# ------------------------------------------------------------------------------------- any bytes


def flip(chance: Chance, raw: bytes, _: bytes) -> bytes:
    data = bytearray(raw)
    for _unused in range(chance.choice((1, 1, 1, 2, 8))):
        if data:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def overwrite(chance: Chance, raw: bytes, _: bytes) -> bytes:
    data = bytearray(raw)
    for _unused in range(chance.choice((1, 2, 4))):
        if data:
            data[chance.randrange(len(data))] = chance.choice(
                (0, 0xFF, 0x80, 0x22, 0x5C, 0x0A, chance.randrange(256))
            )
    return bytes(data)


def cut(chance: Chance, raw: bytes, _: bytes) -> bytes:
    return raw[: chance.randrange(len(raw) + 1)]


def remove(chance: Chance, raw: bytes, _: bytes) -> bytes:
    a, b = sorted(chance.randrange(len(raw) + 1) for _unused in range(2))
    return raw[:a] + raw[b:]


def splice(chance: Chance, raw: bytes, other: bytes) -> bytes:
    return raw[: chance.randrange(len(raw) + 1)] + other[chance.randrange(len(other) + 1) :]


def both(_: Chance, raw: bytes, other: bytes) -> bytes:
    return raw + other


def same(_: Chance, raw: bytes, __: bytes) -> bytes:
    return raw


def noise(chance: Chance, _: bytes, __: bytes) -> bytes:
    return chance.randbytes(chance.choice((0, 1, 3, 40, 400)))


ANY_BYTES: tuple[Mutation, ...] = (flip, flip, overwrite, cut, remove, splice, both, same, noise)


# ---------------------------------------------------------------------------------- JSON messages


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value in a document."""
    found = [at]
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        found += _places(one, (*at, name))
    return found


def _put(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    if not at:
        return new
    value = dict(value) if isinstance(value, dict) else list(value)
    value[at[0]] = _put(value[at[0]], at[1:], new)
    return value


def _read(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return {"epoch": 1, "seq": 1, "type": "resend", "id": "x"}


def _write(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")


def _replaced(chance: Chance, raw: bytes, new: Any) -> bytes:
    value = _read(raw)
    return _write(_put(value, chance.choice(_places(value)), new))


def number(chance: Chance, raw: bytes, _: bytes) -> bytes:
    return _replaced(chance, raw, chance.choice(NUMBERS))


def text(chance: Chance, raw: bytes, _: bytes) -> bytes:
    return _replaced(chance, raw, chance.choice(TEXTS))


def _marked(chance: Chance, raw: bytes, mark: bytes) -> bytes:
    return _replaced(chance, raw, "\x01mark").replace(b'"\\u0001mark"', mark)


def big_number(chance: Chance, raw: bytes, _: bytes) -> bytes:
    return _marked(chance, raw, chance.choice(BIG))


def deep(chance: Chance, raw: bytes, _: bytes) -> bytes:
    return _marked(chance, raw, chance.choice(DEEP)) if chance.random() < 0.9 else chance.choice(DEEP)


def bad_text(chance: Chance, raw: bytes, _: bytes) -> bytes:
    """Bytes that are no UTF-8, in a value or in a key."""
    bad = chance.choice(
        (b'"\xff\xfe"', b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"a\x80"', b'"\\ud800"', b'"\\x"', b'"\n"')
    )
    if chance.random() < 0.5:
        return _marked(chance, raw, bad)
    return raw.replace(b"{", b"{" + bad + b":1,", 1)


def no_field(chance: Chance, raw: bytes, _: bytes) -> bytes:
    value = _read(raw)
    holders = [at for at in _places(value) if at]
    if not holders:
        return b"{}"
    at = chance.choice(holders)
    holder = value
    for name in at[:-1]:
        holder = holder[name]
    del holder[at[-1]]
    return _write(value)


def more_field(chance: Chance, raw: bytes, other: bytes) -> bytes:
    value, strange = _read(raw), _read(other)
    if not isinstance(value, dict):
        return _write([value, strange])
    name = chance.choice(("strange", "__proto__", "type", "id", "epoch", "", "a" * 3_000))
    return _write(value | {name: chance.choice((strange, 1, None, [strange] * 3))})


def twice(chance: Chance, raw: bytes, _: bytes) -> bytes:
    """A key that is there twice; which of the two counts?"""
    value = _read(raw)
    if not isinstance(value, dict) or not value:
        return raw + raw
    name = chance.choice(list(value))
    first = _write({name: chance.choice(NUMBERS)})
    return first[:-1] + b"," + raw.lstrip()[1:]


def cross(chance: Chance, raw: bytes, other: bytes) -> bytes:
    """A part of another message in the place of a part of this one."""
    value, strange = _read(raw), _read(other)
    part = strange
    for name in chance.choice(_places(strange)):
        part = part[name]
    return _write(_put(value, chance.choice(_places(value)), part))


def long(chance: Chance, raw: bytes, _: bytes) -> bytes:
    value = _read(raw)
    many = [_read(raw)] * chance.choice((101, 10_001)) if len(raw) < 2_000 else ["x"] * 10_001
    return _write(_put(value, chance.choice(_places(value)), many))


JSON: tuple[Mutation, ...] = (
    *(
        number,
        number,
        number,
        text,
        text,
        big_number,
        bad_text,
        no_field,
        no_field,
        more_field,
        twice,
        cross,
        cross,
    ),
    *ANY_BYTES,
)
HEAVY: tuple[Mutation, ...] = (deep, long)  # they take milliseconds: one in fifty


def spoilt(chance: Chance, raw: bytes, other: bytes) -> tuple[str, bytes]:
    """A message mutated; the name of what was done to it."""
    mutation = chance.choice(HEAVY if chance.random() < 0.02 else JSON)
    return mutation.__name__, mutation(chance, raw, other)


# ---------------------------------------------------------------------------------- serial frames


def _u32(chance: Chance) -> int:
    return chance.choice((0, 1, 2, 7, 1_000, 2**16, 2**31, 2**32 - 2, 2**32 - 1, chance.randrange(2**32)))


def _payload(chance: Chance, kind: int) -> bytes:
    known = {
        frames.KEY: payloads.key(chance.randrange(256), _u32(chance)),
        frames.CARD: payloads.card(_tag(chance), _u32(chance), chance.random() < 0.3),
        frames.CARDS: payloads.cards([_tag(chance) for _ in range(chance.randrange(2, 9))], _u32(chance)),
        frames.CARD_BACK: payloads.card_back(_tag(chance), _u32(chance), chance.random() < 0.5),
        frames.LID: payloads.switch(chance.random() < 0.5, _u32(chance)),
        frames.DECK: payloads.switch(chance.random() < 0.5, _u32(chance)),
        frames.CUT_CARD: payloads.moment(_u32(chance)),
        frames.LOST: payloads.lost(_u32(chance), chance.randrange(6), _u32(chance)),
        frames.TIME: payloads.time(_u32(chance), _u32(chance)),
        frames.HELLO: bytes((chance.randrange(4), chance.randrange(4))) + chance.choice(HELLOS),
        frames.HEALTH: _health(chance),
    }
    whole = known.get(kind, b"")
    return chance.choice((whole, whole, whole[:-1], whole + b"\x00", chance.randbytes(chance.randrange(201))))


def _tag(chance: Chance) -> bytes:
    return chance.choice((bytes(8), chance.randbytes(8)))


def _health(chance: Chance) -> bytes:
    how = payloads.Health(_u32(chance))
    how.lost, how.resent, how.faults, how.celsius = _u32(chance), _u32(chance), chance.randrange(2**16), -5
    return payloads.health(how)


HELLOS = (b"sim 1", b"", b"\xff\xfe", b"<script>alert(1)</script>", b"x" * 190, "‮é".encode(), b"a\nb\x1b[2J\x00")
KINDS = (
    frames.KEY,
    frames.KEY,
    frames.CARD,
    frames.CARD,
    *frames.REPORTS,
    frames.HELLO,
    frames.HEALTH,
    frames.TIME,
    0x04,
    0x7F,
    0x80,
    0x82,
    0xFF,
)


def strange_frame(chance: Chance, boot: int, seq: int) -> bytes:
    """A sound frame whose kind, numbers or payload nobody means."""
    kind = chance.choice(KINDS)
    boot = chance.choice((boot, boot, boot, _u32(chance)))
    seq = chance.choice((seq + 1, seq + 1, seq, seq + 2, _u32(chance)))
    return frames.encode(kind, boot, seq & 0xFFFFFFFF, _payload(chance, kind))


def line_noise(chance: Chance, raw: bytes, other: bytes) -> tuple[str, bytes]:
    """A frame damaged on the line."""
    mutation = chance.choice(ANY_BYTES)
    return mutation.__name__, chance.choice((b"", b"\x00")) + mutation(chance, raw, other) + chance.choice(
        (b"", b"\x00")
    )


def sound_frames(data: bytes) -> list[frames.Frame]:
    """The frames that a line holds whole."""
    found = (frames.decode(part) for part in data.split(b"\x00")[:-1] if part)
    return [frame for frame in found if frame is not None]
