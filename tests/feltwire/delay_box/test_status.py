"""What the page of the delay box says of it."""

from __future__ import annotations

from pathlib import Path

from feltwire.config import DelayConfig
from feltwire.delay_box.line import SETTLES_MS, DelayLine, wait_of
from feltwire.delay_box.ring import Ring
from feltwire.delay_box.status import SILENT_MS, BoxStatus
from table_core.messages import Millis

CONFIG = DelayConfig("hall", "/none", "srt://cam:1", "srt://out:1", "60", latency_ms=300)


def test_until_when_it_is_black_and_why(tmp_path: Path) -> None:
    ring, status = Ring(tmp_path, 100_000), BoxStatus()
    line = DelayLine(ring)
    said = status.said(Millis(0), line, ring, CONFIG)
    assert (said["delay_s"], said["picture_in_s"], said["holds_s"]) == (None, None, 0)
    assert said["why"] == [
        "no video comes from the source",
        "the output takes no video",
        "no picture goes out: the delay is not known",
    ]
    status.delay = Millis(90_000)
    line.set_wait(wait_of(status.delay, Millis(60_000), 300))
    status.source_at = status.output_at = Millis(5_000)
    line.arrive(Millis(5_000 - SETTLES_MS), b"")
    line.arrive(Millis(5_000), b"x")
    line.arrive(Millis(9_000), b"x")
    said = status.said(Millis(9_000), line, ring, CONFIG)
    assert (said["delay_s"], said["picture_in_s"], said["holds_s"], said["why"]) == (90.0, 85.7, 4.0, [])
    status.playing = True
    late = Millis(5_001 + SILENT_MS)
    said = status.said(late, line, ring, CONFIG)
    assert said["picture_in_s"] == 0
    assert said["why"] == ["no video comes from the source", "the output takes no video"]
    ring.close()


def test_a_floor_that_holds_the_video_behind_the_graphics_is_said(tmp_path: Path) -> None:
    ring, status = Ring(tmp_path, 100_000), BoxStatus(source_at=Millis(0), output_at=Millis(0))
    line = DelayLine(ring)
    status.delay = Millis(60_100)
    line.set_wait(wait_of(status.delay, Millis(60_000), 300))
    said = status.said(Millis(0), line, ring, CONFIG)
    assert said["behind_ms"] == 200
    assert said["why"] == [
        "the video is 200 ms behind the graphics: the air delay is that much too near the floor"
    ]
    ring.close()
