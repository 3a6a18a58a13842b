"""A camera that repeats one picture is frozen; one over a table at rest, or in the dark, is not."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import open_camera
from vision.camera.frame_server import FrameServer, grained
from vision.camera.frame_socket import Format
from vision.camera.jpeg import JpegPixels
from vision.geometry.pixels import Pixels, RawPixels
from vision.watching.frozen import FROZEN_MS, LEAST_PICTURES, FrozenWatch

SIZE = (360, 640)
GAP_MS = 100


def a_table_at_rest(count: int) -> Iterator[RawPixels]:
    """What a good sensor gives of one scene: noise of half a grey level."""
    chance = np.random.default_rng(5)
    scene = chance.integers(40, 200, (*SIZE, 3)).astype(np.float32)
    for _ in range(count):
        seen = scene + 0.6 * chance.standard_normal(scene.shape, np.float32)
        yield RawPixels(seen.clip(0, 255).astype(np.uint8))


def frozen_at(pictures: Iterable[Pixels], gap_ms: int = GAP_MS) -> list[int]:
    """The times at which the pictures count as frozen."""
    watch = FrozenWatch()
    return [no * gap_ms for no, one in enumerate(pictures) if watch.look(one, no * gap_ms)]


def coded(one: Pixels) -> JpegPixels:
    return JpegPixels(cv2.imencode(".jpg", one.whole())[1].tobytes())


@pytest.mark.parametrize("travels", [lambda one: one, coded], ids=["raw", "jpeg"])
def test_two_pictures_of_a_table_at_rest_differ(travels: Callable[[Pixels], Pixels]) -> None:
    assert len({travels(one).checksum() for one in a_table_at_rest(50)}) == 50


def test_the_same_picture_for_ten_seconds_is_frozen() -> None:
    (one,) = a_table_at_rest(1)
    assert frozen_at([one] * 150) == [no * GAP_MS for no in range(FROZEN_MS // GAP_MS, 150)]


def test_equal_pictures_for_less_are_a_dark_scene() -> None:
    """Black JPEGs are equal now and then; noise that the coding keeps comes between."""
    black = coded(RawPixels(np.zeros((*SIZE, 3), np.uint8)))
    grains = [coded(one) for one in a_table_at_rest(2)]
    assert frozen_at([*[black] * 95, grains[0], *[black] * 95, grains[1]]) == []


def test_a_camera_with_few_pictures_is_slow_and_not_frozen() -> None:
    (one,) = a_table_at_rest(1)
    assert frozen_at([one] * LEAST_PICTURES, gap_ms=FROZEN_MS) == []


def test_one_picture_that_differs_ends_it() -> None:
    one, other = a_table_at_rest(2)
    watch = FrozenWatch()
    assert [watch.look(given, no * GAP_MS) for no, given in enumerate([*[one] * 150, other])][-2:] == [True, False]
    assert watch.trouble == ""


@pytest.mark.parametrize("format", Format)
def test_a_simulated_camera_is_as_honest_as_a_sensor(tmp_path: Path, format: Format) -> None:
    """No two of its pictures in a row are the same, also over a table at rest, and in JPEG."""
    path = tmp_path / "cam.sock"
    (one,) = a_table_at_rest(1)
    with FrameServer(path, fps=500, format=format) as server, open_camera(f"socket:{path}") as camera:
        server.show(one.whole())
        frames = [camera.read(240.0) for _ in range(6)]
    checksums = [frame.pixels.checksum() for frame in frames if frame is not None]
    assert len(checksums) == 6
    assert all(before != after for before, after in itertools.pairwise(checksums))


def test_its_noise_lies_in_the_first_rows_alone() -> None:
    (one,) = a_table_at_rest(1)
    assert (grained(one.whole())[8:] == one.whole()[8:]).all()
