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
from vision.synthetic.felt.table import CLOTHS, bare_cloth
from vision.watching.watcher import Watcher
from vision.watching.zone_region import cloths

FELT = Felt.for_seats(6)
HAND = tuple(LyingCard(card, *FELT.spot(Zone.cards(3), i, 2)) for i, card in enumerate(("Ks", "7h")))
BOARD = tuple(LyingCard(card, *FELT.spot(Zone.BOARD, i, 5)) for i, card in enumerate(("Ah", "Td", "2c")))
LOGO = (20, 110, 230)  # orange, BGR


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


def watched(
    felt: Felt,
    reader: CardReader,
    cloth: np.ndarray,
    light: SceneLight,
    cards: tuple[LyingCard, ...] = HAND + BOARD,
) -> Watcher:
    """A watcher that has seen the cards on a cloth until it has nothing more to read."""
    renderer = Renderer(felt, cloth)
    watcher = Watcher(felt, reader)
    for seed in range(2):
        watcher.step(renderer.render(Scene(felt, cards, light=light, seed=seed)).image)
    while watcher.reading and not watcher.blocked:
        seed += 1
        watcher.step(renderer.render(Scene(felt, cards, light=light, seed=seed)).image)
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


WHITE = replace(FELT, white=frozenset(FELT.zones))
BACKS = tuple(LyingCard(None, *FELT.spot(Zone.cards(5), i, 2)) for i in range(2))


@pytest.mark.parametrize(
    "light",
    [
        SceneLight(level=0.8),
        SceneLight(level=0.72, gradient=0.35, warmth=0.9, noise=3.0),
        SceneLight(level=0.45, gradient=0.25, warmth=0.5, noise=4.0),
    ],
    ids=["good", "warm, uneven", "dim"],
)
def test_cards_are_named_on_a_cloth_nearly_as_white_as_they_are(reader: CardReader, light: SceneLight) -> None:
    """Paper is a ninth brighter than the cloth; from one side of the table to the other light differs more."""
    watcher = watched(WHITE, reader, bare_cloth(FELT, CLOTHS["white"]), light, HAND + BOARD + BACKS)
    assert watcher.blocked == ""
    assert not watcher.hidden
    assert watcher.readings[Zone.cards(3)].cards == ("Ks", "7h")
    assert watcher.readings[Zone.BOARD].cards == ("Ah", "Td", "2c")
    assert watcher.readings[Zone.cards(5)].face_down == 2
    assert not any(reading.unread for reading in watcher.readings.values())


@pytest.mark.parametrize("grey", [160, 185])
@pytest.mark.parametrize("felt", [FELT, WHITE], ids=["as usual", "as white"])
def test_a_pale_grey_cloth_is_read_whichever_it_was_taken_for(reader: CardReader, felt: Felt, grey: int) -> None:
    """Light differs from the markers to a zone, so that the calibration may take it for white or not."""
    cloth = bare_cloth(FELT, (grey - 4, grey, grey + 2))
    watcher = watched(felt, reader, cloth, SceneLight(level=0.7, gradient=0.3), HAND + BOARD + BACKS)
    assert not watcher.hidden
    assert watcher.readings[Zone.cards(3)].cards == ("Ks", "7h")
    assert watcher.readings[Zone.BOARD].cards == ("Ah", "Td", "2c")
    assert watcher.readings[Zone.cards(5)].face_down == 2


def test_on_a_white_cloth_that_is_burnt_out_no_place_is_called_empty(reader: CardReader) -> None:
    """Paper is then no brighter than the cloth, so that nobody knows whether a card lies there."""
    renderer = Renderer(FELT, bare_cloth(FELT, CLOTHS["white"]))
    burnt = SceneLight(level=1.25, warmth=0.0)
    watcher = Watcher(WHITE, reader)
    for seed in range(4):
        watcher.step(renderer.render(Scene(FELT, HAND + BOARD, light=burnt, seed=seed)).image)
    assert watcher.blocked
    assert Zone.BOARD not in watcher.readings
    assert Zone.cards(3) not in watcher.readings


@pytest.mark.parametrize("colour", [(185, 187, 188), (125, 125, 125), (150, 180, 200)])
def test_a_sleeve_on_a_white_cloth_hides_what_lies_under_it(
    reader: CardReader, colour: tuple[int, int, int]
) -> None:
    """Two greys and beige: a forearm over both cards of a seat is no cloth on which nothing lies."""
    place = FELT.zone(Zone.cards(3))
    arm = [place.at(x, y) for x, y in ((-48, -90), (48, -90), (58, 400), (-58, 400))]
    renderer = Renderer(FELT, bare_cloth(FELT, CLOTHS["white"]))
    light = SceneLight(level=0.8)
    watcher = Watcher(WHITE, reader)
    for seed in range(6):
        seen = renderer.render(Scene(FELT, HAND + BOARD, light=light, seed=seed)).image.copy()
        cv2.fillPoly(
            seen, [np.round(FELT.to_px(arm)).astype(np.int32)], tuple(light.level * part for part in colour)
        )
        watcher.step(seen)
    assert watcher.hidden == {Zone.cards(3)}
    assert Zone.cards(3) not in watcher.readings
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


@pytest.mark.parametrize(
    ("cloth", "doubt"),
    [((160, 166, 171), True), ((110, 145, 170), True), ((62, 96, 22), False), ((30, 30, 30), False)],
)
def test_a_felt_file_of_an_older_version_over_a_pale_cloth_is_in_doubt(
    tmp_path: Path, cloth: tuple[int, int, int], doubt: bool
) -> None:
    """It did not say where the cloth is white; sand and grey may be white to a camera."""
    path = tmp_path / "felt.toml"
    replace(FELT, cloths={Zone.BOARD: cloth}).save(path)
    assert Felt.load(path).doubt == ""
    path.write_text(path.read_text(encoding="utf-8").replace("format = 2\n", ""), encoding="utf-8")
    assert ("calibrate again" in Felt.load(path).doubt) == doubt


def test_a_felt_keeps_which_places_are_white(tmp_path: Path) -> None:
    path = tmp_path / "felt.toml"
    replace(FELT, white=frozenset({Zone.BOARD})).save(path)
    assert Felt.load(path).white == {Zone.BOARD}
    path.write_text(path.read_text(encoding="utf-8").replace("white = true", 'white = "yes"'), encoding="utf-8")
    with pytest.raises(FeltError, match="white is 'yes': expected true or false"):
        Felt.load(path)
