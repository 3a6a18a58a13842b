"""Cards on cloths of any colour, and on a place of another colour than the rest of the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from table_core.messages import Zone
from vision.cards import CardReader
from vision.geometry.felt import Felt, FeltError
from vision.synthetic.felt import LyingCard, Renderer, Scene, SceneLight
from vision.synthetic.felt.table import bare_cloth
from vision.watching.watcher import Watcher
from vision.watching.zone_region import cloths

FELT = Felt.for_seats(6)
HAND = tuple(LyingCard(card, *FELT.spot(Zone.cards(3), i, 2)) for i, card in enumerate(("Ks", "7h")))
BOARD = tuple(LyingCard(card, *FELT.spot(Zone.BOARD, i, 5)) for i, card in enumerate(("Ah", "Td", "2c")))
LOGO = (20, 110, 230)  # orange, BGR


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


def watched(felt: Felt, reader: CardReader, cloth: np.ndarray, light: SceneLight) -> Watcher:
    """A watcher that has seen the cards on a cloth until it has nothing more to read."""
    renderer = Renderer(felt, cloth)
    watcher = Watcher(felt, reader)
    for seed in range(2):
        watcher.step(renderer.render(Scene(felt, HAND + BOARD, light=light, seed=seed)).image)
    while watcher.reading and not watcher.blocked:
        seed += 1
        watcher.step(renderer.render(Scene(felt, HAND + BOARD, light=light, seed=seed)).image)
    return watcher


@pytest.mark.parametrize(
    "colour", [(9, 8, 10), (30, 26, 20), (34, 26, 150), (150, 60, 30), (120, 122, 124)],
    ids=["black", "nearly black", "red", "blue", "grey"],
)  # fmt: skip
def test_cards_are_named_on_cloth_of_any_colour(reader: CardReader, colour: tuple[int, int, int]) -> None:
    """In weak light with a noisy sensor: the hue of black cloth is then whatever the noise makes of it."""
    watcher = watched(FELT, reader, bare_cloth(FELT, colour), SceneLight(level=0.8, warmth=0.7, noise=4.0))
    assert watcher.blocked == ""
    assert watcher.readings[Zone.cards(3)].cards == ("Ks", "7h")
    assert watcher.readings[Zone.BOARD].cards == ("Ah", "Td", "2c")


def test_a_place_on_a_logo_is_read_once_the_camera_was_calibrated_over_it(
    reader: CardReader, tmp_path: Path
) -> None:
    cloth = bare_cloth(FELT, (62, 96, 22))
    where = FELT.zone(Zone.BOARD)
    logo = replace(where, width=where.width + 60, height=where.height + 60)
    cv2.fillPoly(cloth, [np.round(FELT.to_px(logo.corners)).astype(np.int32)], LOGO)
    light = SceneLight()
    assert Zone.BOARD in watched(FELT, reader, cloth, light).hidden
    empty = Renderer(FELT, cloth).render(Scene(FELT, light=light)).image
    cloths(FELT, [(None, empty)]).save(tmp_path / "felt.toml")
    calibrated = Felt.load(tmp_path / "felt.toml")
    assert watched(calibrated, reader, cloth, light).readings[Zone.BOARD].cards == ("Ah", "Td", "2c")
    sleeve = cloth.copy()
    cv2.fillPoly(sleeve, [np.round(FELT.to_px(logo.corners)).astype(np.int32)], (60, 30, 90))
    assert Zone.BOARD in watched(calibrated, reader, sleeve, light).hidden


def test_a_bare_black_table_is_no_covered_lens(reader: CardReader) -> None:
    black = bare_cloth(FELT, (9, 8, 10))
    seen = Renderer(FELT, black).render(Scene(FELT)).image
    known = cloths(FELT, [(None, seen)])
    for picture, blocked in (
        (seen, ""),
        (np.zeros_like(seen), "almost no light"),
        (np.full_like(seen, 90), "over the lens"),
    ):
        watcher = Watcher(known, reader)
        watcher.step(np.asarray(picture, np.uint8))
        assert blocked in watcher.blocked
        assert bool(blocked) == bool(watcher.blocked)


def test_a_felt_with_a_colour_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "felt.toml"
    replace(FELT, cloths={Zone.BOARD: (1, 2, 3)}).save(path)
    text = path.read_text(encoding="utf-8")
    assert "cloth_bgr" in text
    path.write_text(text.replace("    3,\n]", "    300,\n]"), encoding="utf-8")
    with pytest.raises(FeltError, match="cloth_bgr"):
        Felt.load(path)
