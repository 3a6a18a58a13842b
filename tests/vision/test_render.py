"""Rendered scenes: the picture shows what the scene says, and the labels tell the truth about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from table_core.messages import Zone
from vision.geometry.felt import CARD_MM, Felt
from vision.synthetic.felt import ChipPile, Cover, LyingCard, Renderer, Scene, SceneLight, render

FELT = Felt.for_seats(4)
EMPTY = Scene(FELT)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


def changed(renderer: Renderer, scene: Scene) -> np.ndarray:
    """Where (mm) the picture of a scene differs from the empty table."""
    one, other = (renderer.render(s).image.astype(int) for s in (EMPTY, scene))
    ys, xs = np.nonzero(np.abs(one - other).max(axis=2) > 40)
    return FELT.to_mm(np.column_stack([xs, ys]))


def test_the_same_scene_gives_the_same_picture(renderer: Renderer) -> None:
    scene = replace(EMPTY, cards=(LyingCard("Ah", 900, 500, 12),), seed=4)
    assert (renderer.render(scene).image == render(scene).image).all()


def test_seeds_change_the_noise_and_nothing_else(renderer: Renderer) -> None:
    one, other = (renderer.render(replace(EMPTY, seed=seed)).image.astype(int) for seed in (1, 2))
    assert (one != other).any()
    assert np.abs(one - other).mean() < 6


def test_a_card_changes_the_picture_where_it_lies_and_nowhere_else(renderer: Renderer) -> None:
    where = changed(renderer, replace(EMPTY, cards=(LyingCard("7c", 700, 400, 0),)))
    reach = np.array(CARD_MM) / 2 + 4
    assert (np.abs(where - (700, 400)) <= reach).all()
    assert np.ptp(where, axis=0) == pytest.approx(CARD_MM, abs=4)


def test_every_face_differs_from_every_other(renderer: Renderer) -> None:
    quiet = SceneLight(noise=0)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    seen = {
        renderer.render(replace(EMPTY, light=quiet, cards=(LyingCard(card, 700, 400),))).image.tobytes()
        for card in deck
    }
    assert len(seen) == 52


def test_labels_say_which_card_lies_in_which_zone_and_where(renderer: Renderer) -> None:
    x, y, angle = FELT.spot(Zone.BOARD, 2, 5)
    cards = (LyingCard("Qs", x, y, angle), LyingCard(None, 300, 300, 90))
    face, back = renderer.render(replace(EMPTY, cards=cards)).labels
    assert (face.card, face.zone, face.face_up) == ("Qs", Zone.BOARD, True)
    assert (back.card, back.zone, back.face_up) == (None, None, False)
    assert FELT.to_mm(np.mean(face.corners, axis=0)) == pytest.approx((x, y), abs=0.1)


def test_a_back_looks_the_same_whatever_is_under_it() -> None:
    """A scene cannot even say which card lies face down."""
    assert LyingCard(None, 1, 2) == LyingCard(None, 1, 2)
    with pytest.raises(ValueError, match="face-up card"):
        LyingCard("??", 0, 0)


def test_chips_button_and_covers_are_drawn(renderer: Renderer) -> None:
    x, y = FELT.zone(Zone.bet(2)).at(0, 0)
    for scene in (
        replace(EMPTY, chips=(ChipPile(100, "black", 5, x, y),)),
        replace(EMPTY, button=3),
        replace(EMPTY, covered=((Zone.BOARD, Cover.CLOTH),)),
        replace(EMPTY, covered=((Zone.BOARD, Cover.HAND),)),
    ):
        assert len(changed(renderer, scene)) > 300


def test_less_light_makes_a_darker_picture(renderer: Renderer) -> None:
    means = [
        renderer.render(replace(EMPTY, light=SceneLight(level=level))).image.mean() for level in (0.3, 0.6, 1.0)
    ]
    assert means == sorted(means)
    assert renderer.render(replace(EMPTY, lens_covered=True)).image.mean() < 15


def test_a_scene_of_another_felt_is_refused(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="another felt"):
        renderer.render(Scene(Felt.for_seats(7)))


def test_an_unknown_chip_colour_says_which_there_are() -> None:
    with pytest.raises(ValueError, match="one of white, red"):
        render(replace(EMPTY, chips=(ChipPile(1, "tartan", 1, 500, 500),)))
