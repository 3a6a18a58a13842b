"""The clock that a camera films is read from the side, blurred, dark and noisy, and never wrong."""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire.delay_box import measure
from feltwire.delay_box.filmed_clock import read_clock
from feltwire.delay_box.measure import age_of
from table_core.messages import Millis
from tests.delay_box.camera import HEIGHT, WIDTH, encode_call
from tests.delay_box.filmed import filmed

TIMES = (0, 1, 86_399_999 % (1 << 24), 0x00FF00, 0xFFFFFF)
SEEN = {
    "straight": [(0.2, 0.1), (0.8, 0.1), (0.8, 0.85), (0.2, 0.85)],
    "from the left": [(0.25, 0.2), (0.8, 0.08), (0.82, 0.9), (0.24, 0.72)],
    "from below, turned": [(0.3, 0.15), (0.78, 0.3), (0.66, 0.9), (0.12, 0.7)],
    "small": [(0.4, 0.4), (0.7, 0.41), (0.7, 0.8), (0.41, 0.79)],
    "upside down": [(0.8, 0.85), (0.2, 0.85), (0.2, 0.1), (0.8, 0.1)],
}


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("ms", TIMES)
def test_the_time_is_read_from_every_side(ms: int, seen: str) -> None:
    assert read_clock(filmed(ms, 1280, 720, corners=SEEN[seen])) == ms


def test_a_blurred_dark_and_noisy_picture_is_read_or_is_not() -> None:
    noise = np.random.default_rng(7)
    read = 0
    for ms in range(0, 1 << 24, 400_009):
        picture = cv2.GaussianBlur(filmed(ms, corners=SEEN["from the left"]), (9, 9), 0)
        grey = np.clip(picture * 0.5 + 20 + noise.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)
        found = read_clock(grey)
        assert found in (None, ms)
        read += found == ms
    assert read >= 40, "nearly all of 42"


def test_two_times_in_one_picture_are_none() -> None:
    """A long exposure, or a screen that was changing."""
    for ms in range(1_000, 200_000, 7_919):
        both = cv2.addWeighted(filmed(ms), 0.5, filmed(ms + 17), 0.5, 0)
        assert read_clock(np.asarray(both, np.uint8)) in (None, ms, ms + 17)


def test_a_picture_without_the_page_has_no_time() -> None:
    noise = np.random.default_rng(1)
    assert read_clock(np.zeros((360, 640), np.uint8)) is None
    assert read_clock(noise.integers(0, 255, (360, 640), dtype=np.uint8)) is None


def test_the_age_counts_over_the_end_of_the_clocks_range() -> None:
    shown = (1 << 24) - 100
    assert age_of(filmed(shown), Millis((1 << 24) + 150)) == 250
    assert age_of(filmed(shown), Millis(shown - 5_000)) is None, "a picture is not from the future"


def test_a_clip_with_a_known_age_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lossy film of a page that stands still, seen from the side: it shows the time of 300 ms ago."""
    shown = [20_000] * 75
    pictures = b"".join(filmed(ms, WIDTH, HEIGHT, corners=SEEN["from the left"]).tobytes() for ms in shown)
    clip = tmp_path / "clip.ts"
    call = encode_call(["-b:v", "200k", "-f", "mpegts", str(clip)], 25)
    subprocess.run(call, input=pictures, check=True)
    monkeypatch.setattr(measure, "boot_millis", lambda: Millis(20_300))
    asked = argparse.Namespace(source=str(clip), pictures=25, json=True)
    assert measure.run(asked) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["pictures"], found["mean_ms"], found["p95_ms"]) == (25, 300, 300)
    assert found["read"] >= 24
