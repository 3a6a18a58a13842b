"""Printed markers, a measured lens, a camera that hangs somewhere: where zones lie in its pictures."""

from __future__ import annotations

import json
import math
import re
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from feltwire import cli
from table_core.messages import Zone
from tests.vision.camera.photograph import meets, photograph
from vision.calibration.lens import measure_lens
from vision.calibration.table import calibrate_cameras, readable_at
from vision.geometry.felt import Felt, size_around
from vision.geometry.hanging import Calibration, CalibrationError, Lens, load_calibrations
from vision.geometry.markers import SQUARE_MM, board_cells, board_sheet, charuco_board, find_markers, rail_sheet
from vision.synthetic.felt import Scene
from vision.synthetic.felt.hung import HungCamera, Image, Rail, marker_spots

FELT = Felt.for_seats(6)
SIZE = (1280, 720)
LENS = Lens(SIZE, (900.0, 900.0), (639.5, 359.5), (-0.11, 0.02, 0.0, 0.0, 0.0))
TILTED = HungCamera((80.0, 160.0, 1700.0), (1.0, -2.0), 5.0, 900.0, (-0.11, 0.02), SIZE)
SQUARELY = HungCamera((0.0, 0.0, 1600.0), focal_px=900.0, size_px=SIZE)
UPSIDE_DOWN = HungCamera((-90.0, 60.0, 1600.0), roll_deg=183.0, focal_px=900.0, size_px=SIZE)


def taken(camera: HungCamera, rail: Rail | None) -> Image:
    return photograph(Scene(FELT), camera, rail, fine=1.0)


@pytest.fixture(scope="module")
def table_picture() -> Image:
    return taken(TILTED, Rail())


def printed(svg: str, px_per_mm: float) -> Image:
    """A page as a printer makes it: the black rectangles of its paths."""
    width, height = (float(v) for v in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())  # type: ignore[union-attr]
    page = np.full((round(height * px_per_mm), round(width * px_per_mm)), 255, np.uint8)
    for x, y, wide, high in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)H", svg):
        left, top, right, bottom = (
            round(v * px_per_mm) for v in (float(x), float(y), float(x) + float(wide), float(y) + float(high))
        )
        page[top:bottom, left:right] = 0
    return page


# ----------------------------------------------------------------------------------------- what is printed


@pytest.mark.parametrize("marker_mm", [40.0, 60.0, 80.0])
def test_the_rail_sheet_prints_four_markers_of_their_size(marker_mm: float) -> None:
    found = find_markers(printed(rail_sheet(marker_mm), 6.0))
    assert sorted(found) == [0, 1, 2, 3]
    for quad in found.values():
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1) / 6.0
        assert sides == pytest.approx([marker_mm] * 4, abs=0.5)


def test_the_board_sheet_prints_the_whole_board() -> None:
    page = printed(board_sheet(), 6.0)
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(charuco_board()).detectBoard(page)
    assert len(numbers) == 24
    flat = {int(n): c for n, c in zip(numbers.ravel(), corners.reshape(-1, 2), strict=True)}
    assert np.linalg.norm(flat[1] - flat[0]) / 6.0 == pytest.approx(SQUARE_MM, abs=0.3)


def test_the_board_is_no_rail_marker_and_the_other_way_round() -> None:
    assert find_markers(printed(board_sheet(), 6.0)) == {}
    finder = cv2.aruco.CharucoDetector(charuco_board())
    assert finder.detectBoard(printed(rail_sheet(), 6.0))[1] is None


# ------------------------------------------------------------------------------------------------- the lens


def board_seen_by(camera: HungCamera) -> Image:
    """The board, held before `camera` as if it were a table."""
    cells = np.pad(board_cells(), 3).repeat(8, 0).repeat(8, 1)
    paper = np.where(cells, 25, 230).astype(np.uint8)
    cell_mm = SQUARE_MM / 8
    middle = np.array(paper.shape[::-1]) / 2
    where = (meets(camera, 0.0) / cell_mm * 8 + middle - 0.5).astype(np.float32)
    paper = cv2.GaussianBlur(paper, (0, 0), 2.0)  # a pixel gathers what lies around
    seen = cv2.remap(paper, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=90)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), np.uint8)


HELD = [
    HungCamera((x, y, z), aside, roll, 620.0, (-0.14, 0.03), (880, 500))
    for x, y, z, aside, roll in (
        (0.0, 0.0, 330.0, (0.0, 0.0), 0.0),
        (150.0, 60.0, 300.0, (8.0, 4.0), 20.0),
        (-160.0, 50.0, 300.0, (-9.0, 5.0), -15.0),
        (40.0, 170.0, 310.0, (10.0, -9.0), 90.0),
        (-50.0, -170.0, 320.0, (-8.0, 8.0), 10.0),
        (120.0, -110.0, 340.0, (14.0, 10.0), 45.0),
        (-120.0, 130.0, 330.0, (-14.0, -9.0), 170.0),
        (10.0, 30.0, 420.0, (18.0, -12.0), 5.0),
        (-30.0, -20.0, 430.0, (-18.0, 12.0), 80.0),
    )
]


def test_a_lens_is_measured_from_pictures_of_the_board() -> None:
    measured = measure_lens(board_seen_by(camera) for camera in HELD)
    lens = measured.lens
    assert measured.used == len(HELD)
    assert measured.error_px < 0.5
    assert lens.focal_px == pytest.approx((620.0, 620.0), rel=0.015)
    # What counts is where things are seen: a ray from near the corner of the picture.
    truth = Lens((880, 500), (620.0, 620.0), (439.5, 249.5), (-0.14, 0.03, 0.0, 0.0, 0.0))
    corner = np.array([(60.0, 40.0), (820.0, 460.0), (440.0, 250.0)])
    assert lens.straight(corner) == pytest.approx(truth.straight(corner), abs=0.006)


def test_too_few_pictures_of_the_board_are_refused() -> None:
    with pytest.raises(CalibrationError, match="the board shows in 3 pictures"):
        measure_lens(board_seen_by(camera) for camera in HELD[:3])
    with pytest.raises(CalibrationError, match="the board shows in 0 pictures"):
        measure_lens([np.full((480, 640, 3), 120, np.uint8)] * 8)


def test_a_lens_survives_its_file_and_another_size(tmp_path: Path) -> None:
    LENS.save(tmp_path / "lens.toml")
    back = Lens.load(tmp_path / "lens.toml")
    assert back == LENS
    half = back.at_size((640, 360))
    assert half.straight(np.array([(319.5, 179.5), (0.0, 0.0)])) == pytest.approx(
        back.straight(np.array([(639.5, 359.5), (0.5, 0.5)])), abs=1e-9
    )
    with pytest.raises(CalibrationError, match="640 x 480"):
        back.at_size((640, 480))


@pytest.mark.parametrize("text", ["", "[lens]\nsize_px = [1, 2]", "not toml", "[lens]\nsize_px = 3"])
def test_a_damaged_lens_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lens.toml"
    path.write_text(text)
    with pytest.raises(CalibrationError, match=r"lens\.toml"):
        Lens.load(path)


# ------------------------------------------------------------------------------------------------ the table


def worst_miss_mm(calibration: Calibration, camera: HungCamera) -> float:
    """How far from where a zone truly lies the calibration has it, over all zones in sight."""
    truth = meets(camera, 0.0) + np.array([FELT.width_mm / 2, FELT.height_mm / 2], np.float32)
    worst = 0.0
    for zone in FELT.zones.values():
        x, y = np.round(calibration.to_picture(np.array([(zone.x, zone.y)]))[0]).astype(int)
        if 0 <= x < SIZE[0] and 0 <= y < SIZE[1]:
            worst = max(worst, math.dist(truth[y, x], (zone.x, zone.y)))
    return worst


def test_a_camera_that_hangs_askew_finds_every_zone(table_picture: Image) -> None:
    done = calibrate_cameras([(table_picture, LENS)], 6)
    assert worst_miss_mm(done.calibration, TILTED) < 15
    assert done.calibration.height_mm == pytest.approx(1700, rel=0.02)
    assert done.calibration.tilt_deg == pytest.approx(math.degrees(math.atan(math.hypot(80, 160) / 1700)), abs=3)
    assert (done.felt.width_mm, done.felt.height_mm) == pytest.approx((2000, 1125), rel=0.015)
    assert done.error_px < 1


def test_the_rails_height_is_taken_out() -> None:
    """Markers 60 mm above the felt look further apart than they are: zones still lie on the felt."""
    picture = taken(SQUARELY, Rail(height_mm=60.0))
    lens = Lens(SIZE, (900.0, 900.0), (639.5, 359.5))
    right = calibrate_cameras([(picture, lens)], 6, rail_mm=60.0)
    wrong = calibrate_cameras([(picture, lens)], 6, rail_mm=0.0)
    assert worst_miss_mm(right.calibration, SQUARELY) < 10
    assert worst_miss_mm(wrong.calibration, SQUARELY) > worst_miss_mm(right.calibration, SQUARELY) + 5


def test_nobody_measures_where_the_markers_are_stuck() -> None:
    astray = Rail(astray=((14.0, -9.0, 8.0), (-10.0, 12.0, -70.0), (9.0, 8.0, 200.0), (-12.0, -9.0, 92.0)))
    done = calibrate_cameras([(taken(SQUARELY, astray), Lens(SIZE, (900.0, 900.0), (639.5, 359.5)))], 6)
    assert worst_miss_mm(done.calibration, SQUARELY) < 25
    assert done.error_px < 1


def test_a_camera_may_hang_upside_down() -> None:
    done = calibrate_cameras([(taken(UPSIDE_DOWN, Rail()), Lens(SIZE, (900.0, 900.0), (639.5, 359.5)))], 6)
    assert worst_miss_mm(done.calibration, UPSIDE_DOWN) < 15


@pytest.mark.parametrize(
    ("rail", "says"),
    [
        (None, "marker 0, 1, 2, 3 is not seen"),
        (Rail(missing=(2,)), r"marker 2 is not seen \(seen: 0, 1, 3\)"),
        (Rail(order=(3, 2, 1, 0)), "do not go round the table"),
        (Rail(order=(0, 2, 1, 3)), "do not go round the table"),
    ],
)
def test_what_is_wrong_with_the_markers_is_said(rail: Rail | None, says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        calibrate_cameras([(taken(SQUARELY, rail), Lens.assumed(SIZE))], 6)


def test_a_table_of_an_impossible_size_asks_for_the_printed_width(table_picture: Image) -> None:
    with pytest.raises(CalibrationError, match=r"comes out as 4\.\d+ x .*--marker-mm"):
        calibrate_cameras([(table_picture, LENS)], 6, marker_mm=140)


def test_millimetres_and_pixels_are_each_others_inverse(table_picture: Image) -> None:
    calibration = calibrate_cameras([(table_picture, LENS)], 6).calibration
    points = np.array([[100.0, 200.0], [1000.0, 560.0], [1850.0, 900.0]])
    for height in (0.0, 35.0):
        assert calibration.to_felt(calibration.to_picture(points, height), height) == pytest.approx(
            points, abs=0.05
        )


def test_what_the_lens_cannot_see_lies_outside_of_the_picture(table_picture: Image) -> None:
    calibration = calibrate_cameras([(table_picture, LENS)], 6).calibration
    far: NDArray[np.float64] = calibration.to_picture(np.array([(60_000.0, 0.0), (0.0, -90_000.0)]))
    assert ((far < 0) | (far > SIZE[0])).any(axis=1).all()


def test_a_calibration_survives_its_file(table_picture: Image, tmp_path: Path) -> None:
    done = calibrate_cameras([(table_picture, LENS)], 6)
    path = tmp_path / "felt.toml"
    done.felt.save(path, camera=done.calibration.as_toml())
    (back,) = load_calibrations(path)
    points = np.array([[100.0, 200.0], [1000.0, 560.0]])
    assert back.to_picture(points) == pytest.approx(done.calibration.to_picture(points), abs=0.01)
    assert [marker.number for marker in back.markers] == [0, 1, 2, 3]
    assert Felt.load(path).zones.keys() == done.felt.zones.keys()


def test_a_felt_without_a_camera_has_none_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "felt.toml"
    FELT.save(path)
    assert load_calibrations(path) == ()
    FELT.save(path, camera={"turn": [1, 2]})
    with pytest.raises(CalibrationError, match=r"felt\.toml: .*\[camera\]"):
        load_calibrations(path)


@pytest.mark.parametrize("size_mm", [(2000.0, 1125.0), (2444.0, 1244.0), (1500.0, 1000.0)])
def test_the_table_s_size_follows_from_how_far_apart_the_markers_lie(size_mm: tuple[float, float]) -> None:
    across, deep = np.ptp(np.array(marker_spots(size_mm)), axis=0)
    assert size_around(float(across), float(deep)) == pytest.approx(size_mm, abs=0.01)


def test_markers_belong_on_the_rail() -> None:
    for x, y in marker_spots((2400.0, 1200.0)):
        assert not any(zone.contains(x, y) for zone in Felt.for_seats(9, size_mm=(2400.0, 1200.0)).zones.values())


# -------------------------------------------------------------------------------------------- the commands


def test_the_command_writes_felt_camera_and_a_picture_of_what_it_found(
    table_picture: Image, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), table_picture)
    LENS.save(tmp_path / "lens.toml")
    call = [
        "vision",
        "calibrate",
        str(tmp_path / "table.png"),
        "--seats",
        "6",
        "--lens",
        str(tmp_path / "lens.toml"),
    ]
    call += ["--out", str(tmp_path / "felt.toml"), "--annotate", str(tmp_path / "found.jpg"), "--json"]
    assert cli.main(call) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["seats"] == 6
    assert sorted(told["cameras"][0]["markers"]) == ["0", "1", "2", "3"]
    assert Felt.load(tmp_path / "felt.toml").seats == 6
    assert "camera" in tomllib.loads((tmp_path / "felt.toml").read_text())
    known = Felt.load(tmp_path / "felt.toml").zones
    assert told["zones"].keys() == {str(z) for z in known if z.kind not in ("muck", "burn", "button")}
    green = Felt.load(tmp_path / "felt.toml").cloths[Zone.cards(3)]
    assert max(green) == green[1], "the felt is green"
    drawn = cv2.imread(str(tmp_path / "found.jpg"))
    assert drawn.shape == table_picture.shape
    assert float(np.abs(drawn.astype(int) - table_picture).mean()) > 0.5


def test_an_installer_reads_what_each_place_is_fine_enough_for(
    table_picture: Image, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), table_picture)
    LENS.save(tmp_path / "lens.toml")
    lens = ["--lens", str(tmp_path / "lens.toml")]
    assert cli.main(["vision", "calibrate", str(tmp_path / "table.png"), "--seats", "6", *lens]) == 0
    told = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines() if "px/mm" in line)
    seats = [f"seat-{seat}-{kind}" for seat in range(1, 7) for kind in ("cards", "bet")]
    assert list(told) == ["board", "pot", *seats]
    assert told["pot"].endswith("one chip and a stack may look alike")
    for place in ("board", "seat-1-cards", "seat-6-cards"):
        assert told[place].endswith("px/mm: jumbo index only"), "a small camera, 1280 x 720"
    for place in ("seat-3-cards", "seat-4-cards"):
        assert told[place].endswith("px/mm: no card is read"), "the far side of a tilted camera"
    assert [readable_at(scale) for scale in (1.3, 1.0, 0.77, 0.4)] == [
        "any index",
        "standard index in good light, jumbo in any",
        "jumbo index only",
        "",
    ]


def test_a_camera_that_is_too_coarse_for_any_card_is_refused(table_picture: Image) -> None:
    half = np.asarray(cv2.resize(table_picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA), np.uint8)
    with pytest.raises(CalibrationError, match=r"at least 0\.5 are needed to read a card"):
        calibrate_cameras([(half, LENS)], 6)


def test_a_missing_marker_is_said_and_what_was_found_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), taken(SQUARELY, Rail(missing=(1,))))
    found = tmp_path / "found.jpg"
    assert cli.main(["vision", "calibrate", str(tmp_path / "table.png"), "--annotate", str(found)]) == 1
    said = capsys.readouterr().err
    assert "marker 1 is not seen" in said
    assert said.count("\n") == 1
    assert found.exists()


def test_the_commands_write_pages_and_refuse_what_is_no_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["vision", "markers", "--out", str(tmp_path / "print")]) == 0
    assert sorted(p.name for p in (tmp_path / "print").iterdir()) == [
        "lens-board.svg",
        "rail-markers-between.svg",
        "rail-markers.svg",
    ]
    assert cli.main(["vision", "markers", "--out", str(tmp_path / "print"), "--marker-mm", "5"]) == 2
    (tmp_path / "notes.png").write_text("no picture")
    assert cli.main(["vision", "calibrate", str(tmp_path / "notes.png")]) == 2
    assert cli.main(["vision", "calibrate", "webcam:3"]) == 2
    assert cli.main(["vision", "lens", str(tmp_path / "notes.png"), "--out", str(tmp_path / "lens.toml")]) == 2
    assert "is no picture" in capsys.readouterr().err
    cv2.imwrite(str(tmp_path / "plain.png"), np.full((480, 640, 3), 120, np.uint8))
    assert cli.main(["vision", "lens", str(tmp_path / "plain.png"), "--out", str(tmp_path / "lens.toml")]) == 1
