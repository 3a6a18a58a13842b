"""The camera that hangs over a simulated table: what changed is drawn anew, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from feltwire.lab.simroom.felt.camera import calibrate, view_of
from table_core.messages import Zone
from tests.vision.camera.photograph import photograph
from vision.cards import CardReader
from vision.geometry.cameras import MODELS
from vision.geometry.felt import Felt
from vision.geometry.hanging import load_calibrations
from vision.synthetic.felt import ChipPile, Cover, LyingCard, Scene
from vision.synthetic.felt.hung import HungCamera, Rail
from vision.synthetic.felt.hung_view import HungView, Sensor
from vision.synthetic.felt.models import KINDS, TABLE_MM, hung
from vision.synthetic.felt.table import CLOTHS
from vision.watching.watcher import Watcher

FELT = Felt.for_seats(9)
CAMERA = HungCamera((30.0, -40.0, 1650.0), (0.6, -0.5), 2.0, 980.0, (-0.08, 0.01), (1280, 720))
EXACT = Sensor(0.0, 0.0, 0.0)


def scene(felt: Felt, *board: str) -> Scene:
    cards = tuple(LyingCard(card, *felt.spot(Zone.BOARD, i, 5)) for i, card in enumerate(board))
    backs = tuple(LyingCard(None, *felt.spot(Zone.cards(7), i, 2)) for i in range(2 if board else 0))
    bet = felt.zone(Zone.bet(2))
    chips = (ChipPile(500, "purple", 3, bet.x, bet.y),) if len(board) == 3 else ()
    return Scene(felt, (*cards, *backs), chips, button=4 if board else None)


def test_a_picture_after_many_others_is_what_a_camera_would_see_that_only_now_came() -> None:
    view, fresh = (HungView(FELT, CAMERA, EXACT, Rail()) for _ in range(2))
    empty = view.take(scene(view.felt)).copy()
    for board in (("Ah", "Td", "2c"), ("Ah", "Td", "2c", "9s"), ("Kd",)):
        view.take(scene(view.felt, *board))
    covered = Scene(view.felt, covered=((Zone.cards(7), Cover.HAND),))
    assert (view.take(covered) != empty).any()
    assert (view.take(scene(view.felt, "Qs", "4h")) == fresh.take(scene(fresh.felt, "Qs", "4h"))).all()
    assert (view.take(scene(view.felt)) == empty).all()


def test_it_shows_what_a_photograph_shows() -> None:
    view = HungView(FELT, CAMERA, EXACT, Rail())
    board = scene(view.felt, "Ah", "Td", "2c", "9s", "Qd")
    taken = photograph(scene(FELT, "Ah", "Td", "2c", "9s", "Qd"), CAMERA, Rail(), fine=view.felt.px_per_mm)
    off = np.abs(view.take(board).astype(int) - taken)
    assert np.percentile(off, 99.5) < 12, "but for the noise that a photograph has"


def test_a_covered_lens_is_dark_and_noise_differs_from_part_to_part() -> None:
    view = HungView(FELT, CAMERA, Sensor(2.0, 0.02, 0.5), Rail(), seed=3)
    first = view.take(scene(view.felt)).copy()
    assert view.take(Scene(view.felt, lens_covered=True)).mean() < 14
    view.take(scene(view.felt, "Ah"))
    again = view.take(scene(view.felt))
    changed = (again != first).any(axis=-1)
    assert 0.001 < changed.mean() < 0.1, "a card was there, the button and two backs; the rest is the same picture"


def test_an_installer_s_camera_is_calibrated_and_reads_the_board(tmp_path: Path) -> None:
    name = "c920"
    calibrate(name, 9, "black", tmp_path / "felt.toml")
    felt = Felt.load(tmp_path / "felt.toml")
    (calibration,) = load_calibrations(tmp_path / "felt.toml")
    assert (felt.width_mm, felt.height_mm) == pytest.approx([side + 44 for side in TABLE_MM], abs=6)
    assert felt.px_per_mm == pytest.approx(hung(name).focal_px / hung(name).at_mm[2], rel=0.02)
    assert max(felt.cloths[Zone.BOARD]) < 60, "black"
    view = view_of(name, 9, "black")
    watcher = Watcher(felt, CardReader(), calibration)
    for _ in range(6):
        watcher.step(view.take(scene(view.felt, "Ah", "Td", "2c", "9s", "Qd")))
    while watcher.reading:
        watcher.step(view.take(scene(view.felt, "Ah", "Td", "2c", "9s", "Qd")))
    assert watcher.readings[Zone.BOARD].cards == ("Ah", "Td", "2c", "9s", "Qd")
    assert watcher.readings[Zone.cards(7)].face_down == 2


def test_every_camera_that_is_sold_hangs_over_the_demo() -> None:
    assert KINDS.keys() == MODELS.keys()
    assert {"black", "white", "red", "patterned"} <= CLOTHS.keys()
