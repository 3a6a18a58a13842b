"""A camera that was moved: detected, and followed where the markers give its new position; reported either way."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from table_core.messages import Zone
from tests.vision.camera.photograph import meets, photograph
from vision.calibration.table import calibrate_cameras
from vision.geometry.felt import Felt
from vision.geometry.hanging import Calibration, Lens
from vision.synthetic.felt import Scene
from vision.synthetic.felt.hung import HungCamera, Image, Rail
from vision.watching.markers_moved import LOOK_EVERY_MS, SAY_MS, UNSEEN_LOOKS, MarkerWatch

FELT = Felt.for_seats(6)
SIZE = (1280, 720)
LENS = Lens(SIZE, (900.0, 900.0), (639.5, 359.5))
CAMERA = HungCamera((30.0, 60.0, 1600.0), focal_px=900.0, size_px=SIZE)
KNOCKED = replace(CAMERA, at_mm=(62.0, 38.0, 1590.0), aside_deg=(0.8, -0.5), roll_deg=1.5)


def taken(camera: HungCamera, rail: Rail | None) -> Image:
    return photograph(Scene(FELT), camera, rail, fine=1.0)


@pytest.fixture(scope="module")
def before() -> Image:
    return taken(CAMERA, Rail())


@pytest.fixture(scope="module")
def calibration(before: Image) -> Calibration:
    return calibrate_cameras([(before, LENS)], 6).calibration


def looks(watch: MarkerWatch, image: Image, times: int, since: int = 0) -> list[Calibration]:
    """Look that many times; the new places that were told."""
    told = [watch.look(image, (since + i) * LOOK_EVERY_MS) for i in range(times)]
    return [calibration for calibration in told if calibration is not None]


def board_missed_by_mm(calibration: Calibration, camera: HungCamera) -> float:
    zone = FELT.zone(Zone.BOARD)
    x, y = np.round(calibration.to_picture(np.array([(zone.x, zone.y)]))[0]).astype(int)
    truth = meets(camera, 0.0)[y, x] + np.array([FELT.width_mm / 2, FELT.height_mm / 2])
    return math.dist(truth, (zone.x, zone.y))


def test_a_camera_that_hangs_still_is_left_alone(calibration: Calibration, before: Image) -> None:
    watch = MarkerWatch(calibration)
    assert looks(watch, before, 5) == []
    assert (watch.trouble, watch.lost) == ("", False)


def test_a_knocked_camera_is_followed_and_said(calibration: Calibration, before: Image) -> None:
    watch = MarkerWatch(calibration)
    looks(watch, before, 2)
    after = taken(KNOCKED, Rail())
    told = looks(watch, after, 8, since=2)
    assert len(told) == 1
    assert board_missed_by_mm(calibration, KNOCKED) > 20
    assert board_missed_by_mm(told[0], KNOCKED) < 12
    assert "was moved by" in watch.trouble
    assert not watch.lost
    assert looks(watch, after, SAY_MS // LOOK_EVERY_MS, since=10) == []
    assert watch.trouble == "", "a minute later there is nothing more to say"


def test_one_marker_pushed_aside_is_no_knock(calibration: Calibration) -> None:
    pushed = taken(CAMERA, Rail(astray=((0, 0, 0), (45, -20, 15), (0, 0, 0), (0, 0, 0))))
    watch = MarkerWatch(calibration)
    assert looks(watch, pushed, 4) == []
    assert (watch.trouble, watch.lost) == ("", False)


def test_markers_that_do_not_fit_together_ask_for_a_new_calibration(calibration: Calibration) -> None:
    strewn = taken(KNOCKED, Rail(astray=((60, 20, 0), (-50, 40, 30), (10, -60, 0), (-40, 30, 60))))
    watch = MarkerWatch(calibration)
    assert looks(watch, strewn, 10) == []
    assert watch.lost
    assert "feltwire vision calibrate" in watch.trouble
    assert looks(watch, taken(CAMERA, Rail()), 10, since=10) == []
    assert not watch.lost, "back where they were, all is well again"


def test_covered_markers_are_said_after_a_while_and_not_at_once(calibration: Calibration) -> None:
    bare = taken(CAMERA, Rail(missing=(0, 1)))
    watch = MarkerWatch(calibration)
    looks(watch, bare, UNSEEN_LOOKS - 1)
    assert watch.trouble == ""
    looks(watch, bare, 1, since=UNSEEN_LOOKS)
    assert "not seen" in watch.trouble
    assert not watch.lost


def test_between_looks_pictures_pass_by(calibration: Calibration) -> None:
    watch = MarkerWatch(calibration)
    after = taken(KNOCKED, Rail())
    assert [watch.look(after, ms) for ms in range(0, LOOK_EVERY_MS, 66)].count(None) == 31
    assert watch.trouble == ""
