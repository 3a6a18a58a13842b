"""Several cameras over one felt, one for the board alone, one from the side: calibrated, and who sees what."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire import cli
from table_core.messages import Zone, ZoneKind
from tests.vision.camera.photograph import meets, photograph
from vision.calibration.table import Calibrated, calibrate_cameras, seen_zones
from vision.geometry.felt import Felt
from vision.geometry.hanging import Calibration, CalibrationError, load_calibrations
from vision.geometry.sees import AROUND_MM, lean_at_zone, part_of, scale_at
from vision.synthetic.felt import Scene
from vision.synthetic.felt.hung import HungCamera, Image, Rail

FELT = Felt.for_seats(6)
SIZE = (1280, 960)
BEND = (-0.09, 0.015)
LEFT = HungCamera((-450.0, 40.0, 1500.0), (0.0, 1.0), 2.0, 1150.0, BEND, SIZE, (-450.0, 0.0))
RIGHT = HungCamera((460.0, -30.0, 1480.0), (0.5, 0.0), 181.0, 1150.0, BEND, SIZE, (440.0, 0.0))
SIDE = HungCamera((100.0, 1500.0, 1100.0), focal_px=2000.0, size_px=(2560, 1440))
OVER_BOARD = HungCamera((20.0, -60.0, 700.0), focal_px=1000.0, size_px=(1280, 720), looks_at_mm=(0.0, -46.0))
BETWEEN = Rail(order=(0, 1, 2, 3, 4, 5))


def taken(camera: HungCamera, rail: Rail) -> Image:
    return photograph(Scene(FELT), camera, rail, fine=1.3)


@pytest.fixture(scope="module")
def halves() -> list[Image]:
    return [taken(camera, BETWEEN) for camera in (LEFT, RIGHT)]


@pytest.fixture(scope="module")
def two(halves: list[Image]) -> Calibrated:
    return calibrate_cameras(list(zip(halves, (LEFT.lens, RIGHT.lens), strict=True)), 6)


def worst_miss_mm(calibration: Calibration, camera: HungCamera, felt: Felt = FELT) -> float:
    """How far from where a zone truly lies the calibration has it, over all zones in sight."""
    middle = np.array([FELT.width_mm / 2, FELT.height_mm / 2], np.float32)
    truth = meets(camera, 0.0) + middle
    worst = 0.0
    for zone in felt.zones.values():
        x, y = np.round(calibration.to_picture(np.array([(zone.x, zone.y)]))[0]).astype(int)
        if 0 <= x < camera.size_px[0] and 0 <= y < camera.size_px[1]:
            worst = max(worst, math.dist(truth[y, x], (zone.x, zone.y)))
    return worst


def test_two_cameras_that_each_see_half_have_one_felt(two: Calibrated) -> None:
    assert [worst_miss_mm(camera, hung) < 15 for camera, hung in zip(two.cameras, (LEFT, RIGHT), strict=True)] == [
        True,
        True,
    ]
    assert (two.felt.width_mm, two.felt.height_mm) == pytest.approx((2000, 1125), rel=0.02)
    assert two.error_px < 1
    assert [sorted(found) for found in two.found] == [[0, 1, 4, 5], [2, 3, 4, 5]]


def test_each_zone_is_read_by_the_camera_that_sees_it_best_and_wholly(two: Calibrated) -> None:
    seen = {one.zone: one for one in seen_zones(two)}
    assert all(one.camera for one in seen.values())
    by = {seat: seen[Zone.cards(seat)].camera for seat in range(1, 7)}
    left = [seat for seat in by if FELT.zone(Zone.cards(seat)).x < 600]
    right = [seat for seat in by if FELT.zone(Zone.cards(seat)).x > 1400]
    assert {by[seat] for seat in left} == {1}
    assert {by[seat] for seat in right} == {2}
    assert scale_at(two.felt, two.cameras[1], Zone.cards(left[0])) == 0.0, "not in its picture"


def test_cameras_that_share_no_markers_are_refused(halves: list[Image]) -> None:
    apart = [taken(camera, Rail()) for camera in (LEFT, RIGHT)]
    with pytest.raises(CalibrationError, match=r"camera 2 sees markers 2, 3: .* lay markers 4 and 5 on the rail"):
        calibrate_cameras(list(zip(apart, (LEFT.lens, RIGHT.lens), strict=True)), 6)
    away = [halves[0], np.full_like(halves[1], 90)]
    with pytest.raises(CalibrationError, match=r"marker 2, 3 is not seen"):
        calibrate_cameras(list(zip(away, (LEFT.lens, RIGHT.lens), strict=True)), 6)
    whole = HungCamera((30.0, 20.0, 1700.0), focal_px=950.0, size_px=SIZE)
    with pytest.raises(CalibrationError, match="camera 2 sees no marker: two or more are needed"):
        calibrate_cameras([(taken(whole, Rail()), whole.lens), (away[1], RIGHT.lens)], 6)
    with pytest.raises(CalibrationError, match=r"marker 2, 3 is not seen \(seen: 0, 1, 4, 5\)"):
        calibrate_cameras([(halves[0], LEFT.lens)], 6)


def test_a_low_camera_at_the_side_sees_how_high_chips_lie() -> None:
    over = HungCamera((30.0, 20.0, 1700.0), focal_px=950.0, size_px=SIZE)
    shots = [(taken(camera, Rail()), camera.lens) for camera in (over, SIDE)]
    done = calibrate_cameras(shots, 6)
    assert worst_miss_mm(done.cameras[1], SIDE) < 20
    assert done.cameras[1].tilt_deg == pytest.approx(math.degrees(math.atan2(1503, 1100)), abs=2)
    for zone in (Zone.POT, Zone.bet(1), Zone.bet(6)):
        assert lean_at_zone(done.felt, done.cameras[0], zone) < 1.5
        assert lean_at_zone(done.felt, done.cameras[1], zone) > 2.0
    told = {one.zone: (one.camera, one.verdict) for one in seen_zones(done)}
    assert told[Zone.BOARD][0] == 1
    assert told[Zone.bet(1)] == (2, told[Zone.bet(1)][1])
    assert "heights of stacks are told" in told[Zone.bet(1)][1]


def test_a_camera_over_the_board_alone_has_markers_around_it_for_an_hour() -> None:
    around = Rail(height_mm=0.0, around_mm=(640.0, 300.0))
    camera = HungCamera((0.0, 0.0, 700.0), focal_px=1000.0, size_px=(1280, 720))
    picture = photograph(Scene(FELT), camera, around, fine=1.5)
    done = calibrate_cameras([(picture, camera.lens)], 9, board_only=True)
    assert list(done.felt.zones) == [Zone.BOARD]
    seen = done.calibration.to_picture(np.array([(done.felt.zones[Zone.BOARD].x, done.felt.zones[Zone.BOARD].y)]))
    right, down = FELT.zone(Zone.BOARD).x - FELT.width_mm / 2, FELT.zone(Zone.BOARD).y - FELT.height_mm / 2
    assert seen[0] == pytest.approx((639.5 + right / 0.7, 359.5 + down / 0.7), abs=3)
    assert done.felt.px_per_mm == pytest.approx(1000 / 700, rel=0.02)
    assert done.calibration.markers == (), "they may be taken away"
    with pytest.raises(CalibrationError, match="the table comes out as"):
        calibrate_cameras([(picture, camera.lens)], 9)


def test_a_part_of_the_felt_lies_where_it_lay(two: Calibrated) -> None:
    zones = [
        zone for zone in two.felt.zones if zone.kind is ZoneKind.CARDS and scale_at(two.felt, two.cameras[0], zone)
    ]
    part, camera = part_of(two.felt, two.cameras[0], zones)
    assert list(part.zones) == zones
    for zone in zones:
        whole = two.felt.zone(zone)
        here = part.zone(zone)
        there = two.cameras[0].to_picture(np.array([(whole.x, whole.y)]))
        assert camera.to_picture(np.array([(here.x, here.y)])) == pytest.approx(there, abs=0.01)
        assert AROUND_MM <= here.x <= part.width_mm - AROUND_MM
    before, after = two.cameras[0].markers[0].corners_mm[0], camera.markers[0].corners_mm[0]
    assert camera.to_picture(np.array([after]), 35.0) == pytest.approx(
        two.cameras[0].to_picture(np.array([before]), 35.0), abs=0.01
    )


def test_an_installer_calibrates_two_cameras_at_once(
    halves: list[Image], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, image, camera in (("left", halves[0], LEFT), ("right", halves[1], RIGHT)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), image)
        camera.lens.save(tmp_path / f"{name}.toml")
    call = ["vision", "calibrate", str(tmp_path / "left.png"), str(tmp_path / "right.png"), "--seats", "6"]
    lenses = ["--lens", str(tmp_path / "left.toml"), "--lens", str(tmp_path / "right.toml")]
    out = ["--out", str(tmp_path / "felt.toml"), "--annotate", str(tmp_path / "found.jpg")]
    assert cli.main([*call, *lenses, *out]) == 0
    told = capsys.readouterr().out
    assert "px/mm (camera 1): jumbo index only" in told
    assert "px/mm (camera 2): jumbo index only" in told
    assert {path.name for path in tmp_path.glob("found*")} == {"found.jpg", "found-2.jpg"}
    assert len(load_calibrations(tmp_path / "felt.toml")) == 2
    felt = Felt.load(tmp_path / "felt.toml")
    assert felt.cloths.keys() == felt.zones.keys()
    assert cli.main([*call, *lenses, "--json"]) == 0
    assert [len(one["markers"]) for one in json.loads(capsys.readouterr().out)["cameras"]] == [4, 4]
    assert cli.main([*call, *lenses, "--lens", lenses[1]]) == 2
