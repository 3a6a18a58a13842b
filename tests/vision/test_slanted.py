"""Two overlapping cards seen at a slant: the one on top by its sides, and how the other lies by the one on top."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cards.candidates import Candidate, undoubted
from vision.cards.classifiers import CLASSIFIERS_DIFFER
from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.cards.overlap import guesses
from vision.cards.seen import CardReading, Unread
from vision.cards.slanted import cards_by_sides, from_above, is_slanted, moved, outline_in

PX_PER_MM = 3.0
SIZE = 700
Points = NDArray[np.float64]


def lying(x_mm: float, y_mm: float, turn_deg: float) -> Points:
    """The corners of a card (mm), its middle there, clockwise from its top left."""
    turn = np.radians(turn_deg)
    x, y = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) @ turned + (x_mm, y_mm)


def camera(slant_deg: float, from_deg: float) -> Points:
    """The map from millimetres around a camera's middle to its pixels."""
    slant, turn = np.radians((slant_deg, from_deg))
    about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(slant), -np.sin(slant)], [0, np.sin(slant), np.cos(slant)]])
    way = about.T @ lean @ about
    far = 2.0 * SIZE  # half a metre
    lens = np.array([[far, 0, SIZE / 2], [0, far, SIZE / 2], [0, 0, 1]])
    return np.asarray(lens @ np.column_stack([way[:, 0], way[:, 1], (0, 0, far / PX_PER_MM)]))


def outline_of(cards: list[Points]) -> NDArray[np.int32]:
    """The outline of all that they cover, as one pale thing."""
    mask = np.zeros((SIZE, SIZE), np.uint8)
    for card in cards:
        cv2.fillConvexPoly(mask, np.round(card).astype(np.int32), 255)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    assert len(outlines) == 1
    return np.asarray(outlines[0], np.int32)


def off_by_mm(one: Points, other: Points) -> float:
    """Between the corners of two cards that may be upside down to each other."""
    return min(float(np.abs(np.roll(one, turn, axis=0) - other).max()) for turn in (0, 2)) / PX_PER_MM


UNDER, TOP = lying(-9, -8, 12), lying(9, 8, 21)
WAYS = [(0, 0), (25, 20), (25, 110), (40, 70), (40, 160)]


@pytest.mark.parametrize(("slant_deg", "from_deg"), WAYS)
def test_the_card_on_top_is_found_by_its_sides_at_any_slant(slant_deg: float, from_deg: float) -> None:
    seen = [moved(card, camera(slant_deg, from_deg)) for card in (UNDER, TOP)]
    places = cards_by_sides(outline_of(seen), 6)
    assert min(off_by_mm(place, seen[1]) for place in places) < 5.0


def test_a_place_of_known_size_and_right_angles_is_not_it_at_a_slant() -> None:
    seen = [moved(card, camera(40, 70)) for card in (UNDER, TOP)]
    places = guesses(outline_of(seen), PX_PER_MM, on_pile=0.6, fewest_sides=0.9)
    assert all(off_by_mm(place.quad, seen[1]) > 6.0 for place in places)


@pytest.mark.parametrize(("slant_deg", "from_deg"), WAYS)
def test_the_card_on_top_shows_how_the_other_lies(slant_deg: float, from_deg: float) -> None:
    under, top = (moved(card, camera(slant_deg, from_deg)).astype(np.float32) for card in (UNDER, TOP))
    assert is_slanted(top) == (slant_deg > 0)
    view, size = from_above(top, PX_PER_MM)
    there = moved(under, view)
    wide, tall = (float(np.linalg.norm(there[i] - there[j])) / PX_PER_MM for i, j in ((0, 1), (1, 2)))
    assert (wide, tall) == pytest.approx((CARD_WIDTH_MM, CARD_HEIGHT_MM), abs=0.1)
    assert abs(float((there[1] - there[0]) @ (there[2] - there[1]))) / (wide * tall * PX_PER_MM**2) < 0.01
    outline = outline_in(view, outline_of([under, top]), size)
    assert outline.min() >= 0
    assert outline.max() < max(size)


def test_two_cards_together_that_look_like_one_say_nothing_about_either() -> None:
    """At 1.3 px/mm the one on top was read whole; cut out as one card the two make the classifiers disagree."""
    top = (lying(0, 0, 0) * 1.3 + 200).astype(np.float32)
    both = top + np.array([(-14, -10), (2, -10), (0, 0), (-14, 2)], np.float32)
    places = [tuple((float(x), float(y)) for x, y in quad) for quad in (top, both)]
    indices = ((170.0, 160.0), (230.0, 240.0))
    differ = Candidate(both, Unread(places[1], CLASSIFIERS_DIFFER))
    cards, doubted = undoubted([Candidate(top, CardReading("7c", 0.9999, places[0], indices)), differ])
    assert [card.card for card in cards] == ["7c"]
    assert not doubted
    cards, doubted = undoubted([Candidate(top, CardReading("7c", 0.9999, places[0], indices[:1])), differ])
    assert not cards
    assert len(doubted) == 1
