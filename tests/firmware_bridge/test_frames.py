"""Frames: whatever happens on the wire, what comes out was sent."""

from __future__ import annotations

import binascii
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frames import CARD, KEY, MAX_PAYLOAD, Decoder, Frame, crc32_by_table, encode

U32 = st.integers(0, 2**32 - 1)
FRAMES = st.builds(Frame, st.integers(1, 255), U32, U32, st.binary(max_size=MAX_PAYLOAD))


def wire(frame: Frame) -> bytes:
    return encode(frame.kind, frame.boot, frame.seq, frame.payload)


@given(FRAMES)
def test_a_frame_holds_no_zero_but_its_last_byte_and_comes_out_as_it_went_in(frame: Frame) -> None:
    stuffed = wire(frame)
    assert stuffed.index(0) == len(stuffed) - 1
    assert Decoder().feed(stuffed) == [frame]


def test_a_documented_frame_has_exactly_these_bytes() -> None:
    # docs/wire.md shows this frame: key 5 in boot 0x01020304, seq 7, 1,000 ms after the device started.
    stuffed = encode(KEY, 0x01020304, 7, bytes((5, 0xE8, 0x03, 0, 0)))
    assert stuffed.hex(" ") == "08 05 10 04 03 02 01 07 01 01 04 05 e8 03 01 05 ae de 63 3f 00"


@given(st.lists(FRAMES, min_size=1, max_size=4), st.data())
def test_frames_come_out_the_same_however_the_stream_is_cut(frames: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(map(wire, frames))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = Decoder()
    found: list[Frame] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += decoder.feed(stream[start:end])
    assert found == frames
    assert (decoder.bytes, decoder.frames, decoder.bad) == (len(stream), len(frames), 0)


def test_decoding_resumes_at_every_byte() -> None:
    frames = [Frame(CARD, 0, 0, bytes(12)), Frame(KEY, 2**32 - 1, 255, bytes(range(200)))]
    stream = b"".join(map(wire, frames))
    for cut in range(len(stream) + 1):
        decoder = Decoder()
        assert decoder.feed(stream[:cut]) + decoder.feed(stream[cut:]) == frames


@given(st.binary(max_size=600), FRAMES)
def test_after_garbage_and_a_zero_the_next_frame_is_heard(garbage: bytes, frame: Frame) -> None:
    assert Decoder().feed(garbage + b"\x00" + wire(frame))[-1:] == [frame]


def test_a_stream_without_zeros_takes_no_more_memory_than_one_frame() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 97) == []
        assert len(decoder._held) <= MAX_PAYLOAD + 15
    assert decoder.feed(b"\x00" + wire(Frame(KEY, 1, 1, b""))) == [Frame(KEY, 1, 1, b"")]
    assert (decoder.bad, decoder.frames) == (1, 1)


def test_every_single_fault_in_a_frame_is_caught() -> None:
    frame = Frame(CARD, 0x00AB00CD, 0x0100, bytes.fromhex("e004000000120034 00010203"))
    stuffed = wire(frame)
    faults = [
        *(stuffed[:at] + bytes((stuffed[at] ^ 1 << bit,)) + stuffed[at + 1 :] for at, bit in _bits(stuffed)),
        *(stuffed[:at] + stuffed[at + 1 :] for at in range(len(stuffed))),
        *(stuffed[:at] + bytes((b,)) + stuffed[at:] for at in range(len(stuffed) + 1) for b in range(256)),
        *(stuffed[:at] for at in range(len(stuffed))),
    ]
    for fault in faults:
        assert _accepted(fault) <= {frame}, fault.hex(" ")


@pytest.mark.slow("a hundred thousand streams are decoded, one after the other")
def test_a_hundred_thousand_random_corruptions_bring_no_wrong_frame() -> None:
    chance = random.Random(2)
    for _ in range(100_000):
        payload = bytes(chance.choice((0, 0, chance.randrange(256))) for _ in range(chance.choice((0, 5, 12))))
        frame = Frame(chance.choice((KEY, CARD)), chance.randrange(2**32), chance.randrange(300), payload)
        fault = _corrupt(wire(frame), chance)
        assert _accepted(fault) <= {frame}, fault.hex(" ")


@given(st.binary(max_size=300))
def test_the_table_driven_check_sum_is_the_standard_one(data: bytes) -> None:
    assert crc32_by_table(data) == binascii.crc32(data)


@pytest.mark.parametrize(
    ("kind", "boot", "seq", "payload"),
    [(0, 1, 1, b""), (256, 1, 1, b""), (1, -1, 1, b""), (1, 1, 2**32, b""), (1, 1, 1, bytes(MAX_PAYLOAD + 1))],
)
def test_a_frame_that_does_not_fit_is_refused(kind: int, boot: int, seq: int, payload: bytes) -> None:
    with pytest.raises(ValueError, match="frame: "):
        encode(kind, boot, seq, payload)


def test_a_frame_does_not_print_what_it_carries() -> None:
    assert "e0" not in repr(Frame(CARD, 1, 2, bytes.fromhex("e004e0e0e0e0e0e0") + bytes(4)))


def _bits(data: bytes) -> list[tuple[int, int]]:
    return [(at, bit) for at in range(len(data)) for bit in range(8)]


def _accepted(stream: bytes) -> set[Frame]:
    return set(Decoder().feed(b"\x00" + stream + b"\x00"))


def _corrupt(stuffed: bytes, chance: random.Random) -> bytes:
    data = bytearray(stuffed)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at : at + 1] = bytes((chance.randrange(256),))
            case 1:
                data[at:at] = bytes(chance.randint(1, 3))
            case 2:
                data[at:at] = chance.randbytes(chance.randint(1, 3))
            case 3:
                del data[at : at + chance.randint(1, 3)]
            case _ if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case _:
                data.append(0)
    return bytes(data)
