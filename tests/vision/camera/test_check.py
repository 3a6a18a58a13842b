"""An installer's empty table, wrong in one way at a time: what the check says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire import cli
from table_core.messages import Zone, ZoneReading
from tests.vision.camera.photograph import photograph
from vision.calibration.check import JUMBO, Finding, Shot, check_table, noise_of
from vision.calibration.light import with_cloths
from vision.calibration.table import MOST_ASIDE_DEG, calibrate_cameras
from vision.cards import CardReader
from vision.geometry.cameras import MODELS
from vision.geometry.felt import Felt
from vision.synthetic.felt import LyingCard, Scene, SceneLight
from vision.synthetic.felt.hung import HungCamera, Image, Rail
from vision.watching.watcher import Watcher

FELT = Felt.for_seats(6)
WELL = HungCamera((20.0, 30.0, 1650.0), focal_px=1350.0)
LIGHT = SceneLight(noise=1.0)


def taken(camera: HungCamera = WELL, light: SceneLight = LIGHT, rail: Rail | None = None) -> Image:
    return photograph(Scene(FELT, light=light), camera, rail or Rail(), fine=1.2)


def found(*pictures: Image, camera: HungCamera = WELL) -> list[Finding]:
    shot = Shot(pictures, camera.lens)
    return check_table([shot], 6, marker_mm=60.0, rail_mm=35.0, needed=JUMBO)[1]


@pytest.fixture(scope="module")
def well() -> Image:
    return taken()


def test_a_table_as_it_should_be_has_nothing_to_change(well: Image) -> None:
    assert found(well, well + (well < 255), well) == []


@pytest.mark.parametrize("spoilt", [lambda image: image, np.zeros_like], ids=["well", "without its markers"])
def test_a_camera_that_repeats_one_picture_is_frozen(well: Image, spoilt: Callable[[Image], Image]) -> None:
    frozen = [one for one in found(*[spoilt(well)] * 20) if "frozen" in one.seen]
    assert [one.about for one in frozen] == ["camera 1"]


@pytest.mark.parametrize(
    ("spoilt", "says"),
    [
        (lambda image: (image * 0.3).astype(np.uint8), "dark: the markers' paper is 6"),
        (lambda image: cv2.convertScaleAbs(image, alpha=1.6), "burnt out"),
        (lambda image: cv2.convertScaleAbs(image, alpha=0.2, beta=150), "pale: ink and paper"),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 1.8), "not sharp: a black edge is"),
        (lambda image: (image * np.linspace(1.0, 0.25, image.shape[1])[:, None]).astype(np.uint8), "uneven light"),
    ],
)
def test_what_is_wrong_with_the_whole_picture_is_said(well: Image, spoilt: object, says: str) -> None:
    findings = found(np.asarray(spoilt(well), np.uint8))  # type: ignore[operator]
    assert [one.about for one in findings if says in one.seen] == ["camera 1"], findings


def test_noise_is_measured_and_said(well: Image) -> None:
    noise = np.random.default_rng(1).normal(0, 22.0, well.shape)
    noisy = np.clip(well + noise, 0, 255).astype(np.uint8)
    grey = 22.0 * float(np.linalg.norm((0.114, 0.587, 0.299)))
    assert noise_of(noisy) == pytest.approx(grey, rel=0.1)
    assert [one.about for one in found(noisy) if "noisy" in one.seen] == ["camera 1"]


def test_a_lamp_that_mirrors_in_the_felt_is_said_of_the_zone_where_it_does(well: Image) -> None:
    shone = well.astype(np.float32)
    where = FELT.zone(Zone.cards(2))
    at = (
        959.5 + 1350 / 1650 * (where.x - FELT.width_mm / 2 - 20.0) + 16,
        539.5 + 1350 / 1650 * (where.y - FELT.height_mm / 2 - 30.0) + 24,
    )
    y, x = np.mgrid[0 : well.shape[0], 0 : well.shape[1]]
    shone += 190 * np.exp(-(((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * 22.0**2)))[..., None]
    assert {one.about for one in found(np.clip(shone, 0, 255).astype(np.uint8)) if "glare" in one.seen} == {
        "seat-2-cards"
    }


@pytest.mark.parametrize(("cloth", "white"), [("white", True), ("sand", False), ("black", False)])
@pytest.mark.parametrize("level", [1.0, 0.5], ids=["well exposed", "half as light"])
def test_a_cloth_as_pale_as_the_markers_paper_is_known_to_be_white(cloth: str, white: bool, level: float) -> None:
    """A camera's exposure makes white cloth grey, and the markers' paper with it."""
    bright = photograph(Scene(FELT, light=LIGHT), WELL, Rail(), fine=1.2, cloth=cloth)
    pale = (level * bright).astype(np.uint8)
    done = calibrate_cameras([(pale, WELL.lens)], 6, marker_mm=60.0, rail_mm=35.0)
    felt = with_cloths(done, [pale]).felt
    assert felt.white == (set(felt.zones) if white else set())


def test_a_white_cloth_that_is_burnt_out_is_said() -> None:
    pale = photograph(Scene(FELT, light=LIGHT), WELL, Rail(), fine=1.2, cloth="white")
    assert not [one for one in found((0.8 * pale).astype(np.uint8)) if "white cloth" in one.seen]
    burnt = cv2.convertScaleAbs(pale, alpha=1.4)
    said = [one for one in found(np.asarray(burnt, np.uint8)) if "white cloth" in one.seen]
    assert {one.about for one in said} >= {"board", "seat-1-cards"}
    assert all("a shorter exposure" in one.do for one in said)


def test_lamps_that_flicker_make_an_empty_table_move(well: Image) -> None:
    bands = (1 + 0.08 * np.sin(np.arange(well.shape[0]) / 40))[:, None, None]
    flickering = (well * bands).astype(np.uint8)
    assert [one.seen for one in found(well, flickering, well)] == [
        "restless: the empty table seems to move in 2 of 2 pictures"
    ]


def test_places_that_are_cut_off_and_places_seen_too_coarsely_are_named() -> None:
    aside = replace(WELL, looks_at_mm=(180.0, 0.0), at_mm=(200.0, 30.0, 1650.0), focal_px=1150.0)
    cut = [one for one in found(taken(aside), camera=aside) if "not wholly" in one.seen]
    assert cut == []
    near = replace(WELL, at_mm=(0.0, 130.0, 1650.0), looks_at_mm=(0.0, 130.0), focal_px=1560.0)
    cut = [one for one in found(taken(near), camera=near) if "not wholly" in one.seen]
    assert {one.about for one in cut} == {"seat-3-cards", "seat-4-cards"}
    assert all("hang it higher" in one.do for one in cut)
    shot = Shot([taken()], WELL.lens)
    _, findings = check_table([shot], 6, marker_mm=60.0, rail_mm=35.0)
    coarse = [one for one in findings if "too coarse" in one.seen]
    assert {one.about for one in coarse} == {"board", *(f"seat-{seat}-cards" for seat in range(1, 7))}
    assert "pictures 1.5 times as wide" in coarse[0].do


def test_a_missing_marker_and_a_dark_picture_are_said_together() -> None:
    dark = (taken(rail=Rail(missing=(2,))) * 0.15).astype(np.uint8)
    said = {one.about: one.seen for one in found(dark)}
    assert said["table"].startswith("marker 2 is not seen (seen: 0, 1, 3): print them with")
    assert said["camera 1"].startswith("dark")


def test_an_installer_is_told_a_line_each_and_by_the_exit_status(
    well: Image, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "well.png"), well)
    cv2.imwrite(str(tmp_path / "soft.png"), cv2.GaussianBlur(well, (0, 0), 1.8))
    WELL.lens.save(tmp_path / "lens.toml")
    how = ["--seats", "6", "--lens", str(tmp_path / "lens.toml"), "--jumbo"]
    assert cli.main(["vision", "check", str(tmp_path / "well.png"), *how]) == 0
    assert capsys.readouterr().out.startswith("nothing to change: ")
    assert cli.main(["vision", "check", str(tmp_path / "soft.png"), *how, "--json"]) == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"about", "seen", "do"} == told[0].keys()
    assert cli.main(["vision", "check", str(tmp_path / "none.png"), *how]) == 2
    assert cli.main(["vision", "check", f"file:{tmp_path / 'well.png'}", *how]) == 0, "a file is no frozen camera"


def test_which_camera_hangs_how_high_and_what_it_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["vision", "cameras", "--table-mm", "2400x1200", "--json"]) == 0
    told = {(one["camera"], one["over"]): one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert len(told) == 3 * len(MODELS)
    assert told["c920", "whole table"]["reads"] == "jumbo index only"
    assert told["brio", "whole table"]["reads"] == "any index"
    for (name, over), one in told.items():
        model = MODELS[name]
        seen_mm = model.size_px[0] / one["px_per_mm"]
        assert seen_mm >= (2400 if over == "whole table" else 640) or over == "half of it"
        assert one["px_per_mm"] == pytest.approx(model.focal_px / one["height_mm"], abs=0.02)
    assert cli.main(["vision", "cameras", "--table-mm", "wide"]) == 2
    capsys.readouterr()
    assert cli.main(["vision", "cameras"]) == 0
    assert capsys.readouterr().out in (Path(__file__).parents[3] / "docs" / "camera.md").read_text("utf-8")


def test_the_angles_are_those_of_the_data_sheets() -> None:
    assert MODELS["module3"].across_deg < MODELS["brio"].across_deg < MODELS["module3-wide"].across_deg
    assert MODELS["hq-6mm"].across_deg == pytest.approx(55.3, abs=0.1)
    assert MODELS["c920"].across_deg == pytest.approx(70.4, abs=0.1)
    assert MOST_ASIDE_DEG < 45


def printed(picture: Image, zone: Zone, *sides: float) -> Image:
    """A grey rectangle printed on the cloth, its sides (mm) from the middle of a zone seen from there."""
    left, top, right, bottom = sides
    done = calibrate_cameras([(picture, WELL.lens)], 6, marker_mm=60.0, rail_mm=35.0)
    where = done.felt.zone(zone)
    corners = [where.at(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    inked = picture.copy()
    at = np.round(done.calibration.to_picture(np.array(corners)) * 16).astype(np.int32)
    cv2.fillPoly(inked, [at], (118, 122, 124), cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(inked, (0, 0), 0.6), np.uint8)


WHITE_CARDS = tuple(LyingCard(card, *FELT.spot(Zone.cards(2), i, 2)) for i, card in enumerate(("2d", "7h")))


def on_white(*cards: LyingCard) -> Image:
    sharp = Scene(FELT, cards, light=LIGHT)
    return np.asarray(0.8 * photograph(sharp, WELL, Rail(), fine=1.2, cloth="white"), np.uint8)


@pytest.mark.parametrize(
    "sides",
    [(-120, -66, 120, -56), (83, -90, 90, 90)],
    ids=["a line above", "a line to the right"],
)
def test_on_white_cloth_a_place_lies_beside_print_that_would_hide_it(sides: tuple[float, ...]) -> None:
    zone = Zone.cards(2)
    empty, dealt = (printed(picture, zone, *sides) for picture in (on_white(), on_white(*WHITE_CARDS)))
    found_ = calibrate_cameras([(empty, WELL.lens)], 6, marker_mm=60.0, rail_mm=35.0)
    done = with_cloths(found_, [empty])
    assert [note for note in done.notes if note.startswith(f"{zone}: print along its rim: its ")]
    unmoved = Watcher(replace(done.felt, zones=found_.felt.zones), CardReader(), done.calibration)
    watcher = Watcher(done.felt, CardReader(), done.calibration)
    for _ in range(6):
        unmoved.step(empty)
        watcher.step(empty)
    assert zone in unmoved.hidden or unmoved.watched[zone].reading.unread
    assert not watcher.hidden
    assert watcher.readings[zone] == ZoneReading(zone)
    for _ in range(8):
        watcher.step(dealt)
    assert watcher.readings[zone].cards == ("2d", "7h")


@pytest.mark.parametrize(
    "sides",
    [(-142, -86, -22, -16), (-120, -74, 120, -49)],
    ids=["a logo in a corner", "a broad line under an edge"],
)
def test_print_that_no_place_can_lie_beside_is_said(sides: tuple[float, ...]) -> None:
    inked = printed(on_white(), Zone.cards(2), *sides)
    (said,) = [one for one in found(inked) if "print" in one.seen]
    assert said.about == "seat-2-cards"
    assert "move the zone" in said.do
    assert not [one for one in found(on_white()) if "print" in one.seen]
