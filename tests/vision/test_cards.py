"""The card reader: right or withheld, over faces that it has never met."""

from __future__ import annotations

import ast
import inspect
import random
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.cards
import vision.train
from vision.cards import CardReader
from vision.cards.find import Place
from vision.cards.signs import MODEL, ModelError, Signs
from vision.felt import Felt
from vision.render import Light, LyingCard, Renderer, Scene
from vision.score_rendered import LIGHTS, MESSY, Score, messy_scene, random_scene, score_scene

FELT = Felt.for_seats(8)
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


def whole(image: np.ndarray) -> Place:
    inside = np.full(image.shape[:2], 255, np.uint8)
    rim = inside.copy()
    rim[8:-8, 8:-8] = 0
    return Place.of(inside, rim)


def close_up(renderer: Renderer, card: str | None, angle: float, light: Light | None = None) -> np.ndarray:
    """A crop of 160 mm around one card in the middle of the table."""
    scene = Scene(FELT, (LyingCard(card, 700, 560, angle),), light=light or Light())
    x, y = FELT.to_px((700, 560)).astype(int)
    half = int(80 * FELT.px_per_mm)
    return renderer.render(scene).image[y - half : y + half, x - half : x + half]


@pytest.mark.parametrize("card", DECK)
def test_every_card_is_read_at_any_angle(renderer: Renderer, reader: CardReader, card: str) -> None:
    for angle in range(0, 360, 40):
        crop = close_up(renderer, card, angle + DECK.index(card) % 7)
        seen = reader.read(crop, whole(crop), FELT.px_per_mm)
        assert [reading.card for reading in seen.cards] == [card]
        assert (seen.unread, seen.face_down) == ((), ())


def test_a_back_is_a_back_at_any_angle(renderer: Renderer, reader: CardReader) -> None:
    for angle in range(0, 180, 15):
        crop = close_up(renderer, None, angle)
        seen = reader.read(crop, whole(crop), FELT.px_per_mm)
        assert (seen.cards, seen.unread, len(seen.face_down)) == ((), (), 1)


@pytest.mark.parametrize("light", [name for name in LIGHTS if name != MESSY])
def test_scenes_in_every_light_hold_no_wrong_name(reader: CardReader, renderer: Renderer, light: str) -> None:
    score, rng = Score(), random.Random(11)
    for _ in range(3):
        score_scene(renderer, random_scene(FELT, LIGHTS[light], rng), reader, score)
    assert (score.wrong, score.invented) == (0, 0)
    assert score.read >= 0.97 * score.cards


def test_heaps_hands_and_cloths_never_give_a_wrong_name(reader: CardReader, renderer: Renderer) -> None:
    score, rng = Score(), random.Random(12)
    for _ in range(6):
        score_scene(renderer, messy_scene(FELT, LIGHTS[MESSY], rng), reader, score)
    assert (score.wrong, score.invented) == (0, 0)
    assert score.cards > 60


def test_a_picture_too_bad_to_read_is_withheld(reader: CardReader, renderer: Renderer) -> None:
    for card in DECK[::5]:
        crop = cv2.GaussianBlur(close_up(renderer, card, 10), (0, 0), 4.0)
        assert reader.read(crop, whole(crop), FELT.px_per_mm).cards == ()


def test_a_face_without_its_indices_is_unread_not_guessed(reader: CardReader, renderer: Renderer) -> None:
    crop = close_up(renderer, "9h", 0).copy()
    x, y = crop.shape[1] / 2, crop.shape[0] / 2
    paper = crop[int(y) - 20, int(x) - 20].tolist()
    mm = FELT.px_per_mm
    for sx, sy in ((-1, -1), (1, 1)):
        corner = (
            (round(x + sx * 13 * mm), round(y + sy * 2 * mm)),
            (round(x + sx * 30 * mm), round(y + sy * 43 * mm)),
        )
        cv2.rectangle(crop, *corner, paper, -1)
    seen = reader.read(crop, whole(crop), mm)
    assert seen.cards == ()
    assert [unread.why for unread in seen.unread] == ["no index that can be read"]


def test_corners_that_differ_are_unread(reader: CardReader, renderer: Renderer) -> None:
    one, other = close_up(renderer, "5c", 0), close_up(renderer, "8c", 0)
    half = one.shape[0] // 2
    seen = reader.read(mixed := np.vstack([one[:half], other[half:]]), whole(mixed), FELT.px_per_mm)
    assert seen.cards == ()
    assert [unread.why for unread in seen.unread] == ["the two corners differ"]


def test_red_clubs_are_nobodys_card(reader: CardReader, renderer: Renderer) -> None:
    crop = close_up(renderer, "Kh", 0)
    black = np.repeat(crop.min(axis=2, keepdims=True), 3, axis=2)
    red_card = crop.max(axis=2, keepdims=True) > 150
    seen = reader.read(image := np.where(red_card, black, crop), whole(image), FELT.px_per_mm)
    assert seen.cards == ()


def test_an_empty_felt_holds_nothing(reader: CardReader, renderer: Renderer) -> None:
    image = renderer.render(Scene(FELT)).image[500:700, 500:800]
    seen = reader.read(image, whole(image), FELT.px_per_mm)
    assert (seen.cards, seen.unread, seen.face_down, seen.clutter) == ((), (), (), 0.0)


def test_noise_is_no_card(reader: CardReader) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        noise = cv2.resize(rng.integers(0, 256, (20, 20, 3), np.uint8), (200, 200), interpolation=cv2.INTER_CUBIC)
        assert reader.read(noise, whole(noise), 1.0).cards == ()


def test_a_missing_or_damaged_model_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"python -m vision\.train"):
        CardReader(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"no model")
    with pytest.raises(ModelError, match="no trained file"):
        CardReader(tmp_path / "bad.npz")


def test_the_model_is_small_and_demands_certainty() -> None:
    assert MODEL.stat().st_size < 1_000_000
    signs = Signs.load()
    assert 0.9 <= signs.sure <= signs.very_sure < 1


@pytest.mark.parametrize("package", [vision.cards, vision.train])
def test_reader_and_training_never_import_the_renderer(package: object) -> None:
    folder = Path(inspect.getfile(package)).parent  # type: ignore[arg-type]
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.startswith(("vision.render", "vision.score")) for name in names), path.name


def test_half_light_reads_as_well_as_full(reader: CardReader, renderer: Renderer) -> None:
    for card in ("Ah", "8s", "Tc"):
        crop = close_up(renderer, card, 33, replace(Light(), level=0.5))
        assert [r.card for r in reader.read(crop, whole(crop), FELT.px_per_mm).cards] == [card]
