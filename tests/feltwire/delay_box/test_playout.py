"""What goes out is one stream, whatever is missing: its times and counters go on without a step."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from feltwire.config import DelayConfig, SlateConfig
from feltwire.delay_box.line import SETTLES_MS, DelayLine
from feltwire.delay_box.playout import GAP_MS, Playout, Slate, aligned
from feltwire.delay_box.process import slate_of
from feltwire.delay_box.transport_stream import (
    CLOCK,
    PACKET,
    VIDEO,
    WRAPS,
    after,
    decoded_at,
    has_payload,
    is_key_picture,
    packets,
    pid_of,
    shift,
)
from table_core.messages import Millis
from tests.delay_box.camera import HEIGHT, WIDTH, encode_call
from tests.delay_box.filmed import filmed
from tests.feltwire.delay_box.test_line import InMemory

WAIT = 3_000
STEP_MS = 10


@pytest.fixture(scope="module")
def slate() -> Slate:
    small = SlateConfig(width=WIDTH, height=HEIGHT, fps="25")
    return slate_of(DelayConfig("hall", "/none", "x.ts", "y.ts", "1", slate=small))


@pytest.fixture(scope="module")
def clip() -> bytes:
    """Four seconds at 25 pictures a second; each shows its number times 40 ms."""
    pictures = b"".join(filmed(40 * index, WIDTH, HEIGHT).tobytes() for index in range(100))
    return subprocess.run(
        encode_call(["-f", "mpegts", "pipe:1"], 25), input=pictures, capture_output=True, check=True
    ).stdout


def played(
    slate: Slate, *clips: tuple[int, bytes], until: int, start: int = 10**7, lost: range = range(0)
) -> bytes:
    """What goes out while each clip arrives from its time on, evenly over four seconds; nothing arrives in
    `lost`."""
    line = DelayLine(InMemory())
    line.set_wait(Millis(WAIT))
    playout, sent = Playout(line, slate), []
    for passed in range(0, until, STEP_MS):
        now = Millis(start + passed)
        for begins, data in clips:
            share = len(data) * STEP_MS // 4_000 // PACKET * PACKET
            at = (passed - begins) // STEP_MS * share
            if passed == begins:
                line.new_run()
                line.arrive(Millis(now - SETTLES_MS), b"")
            if passed - begins >= 0 and data[at : at + share] and passed not in lost:
                line.arrive(now, data[at : at + share])
        sent.append(playout.step(now))
    return b"".join(sent)


def check_stream(stream: bytes) -> None:
    """Whole packets; each stream's counter goes up by one, its times go up, and no step is longer than the slate's
    beginning allows."""
    counters: dict[int, int] = {}
    times: dict[int, int] = {}
    assert len(stream) % PACKET == 0
    for packet in packets(stream):
        pid = pid_of(packet)
        if has_payload(packet) and pid in counters:
            assert packet[3] & 0x0F == (counters[pid] + 1) & 0x0F
        counters[pid] = packet[3] & 0x0F
        time = decoded_at(packet)
        if time is not None:
            if pid in times:
                assert 0 < after(time, times[pid]) <= (GAP_MS + 700) * CLOCK
            times[pid] = time


def decoded(stream: bytes, folder: Path) -> tuple[str, list[bool]]:
    """What `ffmpeg` complains of, and of each picture whether it is black."""
    path = folder / "out.ts"
    path.write_bytes(stream)
    form = ("-map", "0:v:0", "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "gray", "pipe:1")
    done = subprocess.run(("ffmpeg", "-v", "error", "-i", path, *form), capture_output=True, check=True)
    pictures = np.frombuffer(done.stdout, np.uint8).reshape(-1, HEIGHT * WIDTH)
    return done.stderr.decode(), [bool(picture.max() < 40) for picture in pictures]


def test_black_then_the_picture_then_black_in_one_stream(slate: Slate, clip: bytes, tmp_path: Path) -> None:
    stream = played(slate, (0, clip), until=10_000)
    check_stream(stream)
    complaints, black = decoded(stream, tmp_path)
    assert complaints == ""
    began = black.index(False)
    live = black.count(False)
    assert all(black[:began])
    assert not any(black[began : began + live])
    assert all(black[began + live :])
    assert live >= 95
    assert len(black) >= 230


def test_the_first_picture_waits_as_long_as_it_should(slate: Slate, clip: bytes) -> None:
    """It is on time in the stream's own clock, too: within two pictures."""
    start = 10**7
    stream = played(slate, (0, clip), until=8_000, start=start)
    keys = [packet for packet in packets(clip) if is_key_picture(packet)]
    assert keys
    at = [
        decoded_at(packet)
        for packet in packets(stream)
        if pid_of(packet) == VIDEO and decoded_at(packet) is not None
    ]
    due = (start + WAIT) * CLOCK % WRAPS
    assert min(abs(after(one, due)) for one in at if one is not None) <= 2 * 40 * CLOCK


def test_a_hole_is_black_and_the_picture_comes_back_whole(slate: Slate, clip: bytes, tmp_path: Path) -> None:
    stream = played(slate, (0, clip), until=10_000, lost=range(1_000, 2_500))
    check_stream(stream)
    _, black = decoded(stream, tmp_path)
    text = "".join("." if one else "#" for one in black).strip(".")
    assert text.count("#.") == 1, f"one hole: {text}"
    assert text.count(".") >= 20


def test_the_source_comes_back_with_other_times(slate: Slate, clip: bytes, tmp_path: Path) -> None:
    stream = played(slate, (0, clip), (5_000, clip), until=13_000)
    check_stream(stream)
    complaints, black = decoded(stream, tmp_path)
    assert complaints == ""
    assert black.count(False) >= 190


def test_the_clock_of_33_bits_begins_again_within_the_picture(slate: Slate, clip: bytes) -> None:
    check_stream(played(slate, (0, clip), until=10_000, start=WRAPS // CLOCK - WAIT - 1_500))


def test_the_slate_goes_on_for_an_hour_and_over_a_sleep(slate: Slate) -> None:
    line = DelayLine(InMemory())
    playout, stream, now = Playout(line, slate), [], 0
    for _ in range(9_000):
        now += 400
        stream.append(playout.step(Millis(now)))
    check_stream(b"".join(stream))
    slept = playout.step(Millis(now + 8 * 3_600_000))
    assert 0 < len(slept) < 20_000, "what passed meanwhile is not sent"
    assert Millis(now) < playout.wake_at(Millis(now + 8 * 3_600_000))


def test_times_are_moved_in_every_place(clip: bytes) -> None:
    by = 12_345_678_901 % WRAPS
    for packet in packets(clip):
        moved = bytearray(packet)
        shift(moved, by)
        before, then = decoded_at(packet), decoded_at(moved)
        assert then == (None if before is None else (before + by) % WRAPS)
        shift(moved, -by)
        assert moved == packet


def test_pieces_of_a_stream_are_whole_packets(clip: bytes) -> None:
    whole, rest = aligned(b"xx" + clip[: 3 * PACKET + 50])
    assert (whole, rest) == (clip[: 3 * PACKET], clip[3 * PACKET : 3 * PACKET + 50])


def test_a_slate_without_a_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="no picture"):
        Slate(b"")
