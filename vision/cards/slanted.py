"""Piles seen at a slant: the card on top by its four sides, and the others as the card on top shows how they lie.

`overlap` knows cards as rectangles of a known size, which they are from straight above and not in the picture of a
phone. But of the card on top every side, or every side but one, runs along the pile's outline for a while, and
where lines through these pieces of outline meet are its corners, whatever the slant and the size. One card that
was read whole then shows how the table lies, and its pile can be seen as from straight above.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Quad
from vision.cards.overlap import Side, meeting, runs_along, straight_sides
from vision.cards.paper import ASPECT, of_card_shape

MOST_SIDES = 12  # most sides of an outline that are used, the longest
SQUARE = float(np.cos(np.radians(27.0)))  # largest deviation of a right angle seen at a slant
SIDES = 2.0  # least sum of the parts of the four sides that run along the outline; less in the middle of a pile
ON_PILE = 0.96  # of the card
SAME = 0.06  # of a card's short side: two ways to see one card
NEARER = (1.0, 0.9, 1.1)
CARDS_IN_PILE = 1.6  # a guess, to begin with
SLANTED = 0.04  # of a side or an angle: less may be an error of the outline
REACH = 1.8  # of a card's length, as far as one card's slant tells how another's lies

Points = NDArray[np.float64]


def cards_by_sides(outline: NDArray[np.int32], most: int) -> list[Quad]:
    """At most so many places where a whole card may lie under an outline; those with most sides on it first.

    `outline` is a closed contour, (n, 1, 2) pixels; quads are (4, 2) pixels.
    """
    area = float(cv2.contourArea(outline))
    px_per_mm = float(np.sqrt(area / (CARDS_IN_PILE * CARD_WIDTH_MM * CARD_HEIGHT_MM)))
    sides = straight_sides(outline, px_per_mm)
    met = itertools.chain(_of_four_sides(sides), _of_three_sides(sides))
    shaped = [quad for quad in map(of_card_shape, met) if quad is not None]
    quads = [quad for quad in shaped if cv2.contourArea(quad) < 1.05 * area]
    found = zip(runs_along(quads, outline, ON_PILE), quads, strict=True)
    distinct: list[Quad] = []
    for along, quad in sorted(found, key=lambda each: -each[0]):
        near = SAME * float(np.linalg.norm(quad[1] - quad[0]))
        if along >= SIDES and not any(same_corners(quad, other, near) for other in distinct):
            distinct.append(quad)
        if len(distinct) == most:
            break
    return distinct


def _of_four_sides(sides: list[Side]) -> Iterator[Points]:
    """The corners between each four sides that turn a right angle after each other."""
    longest = sorted(range(len(sides)), key=lambda i: -sides[i].length)[:MOST_SIDES]
    for four in itertools.combinations(sorted(longest), 4):
        chosen = [sides[i] for i in four]
        following = [*chosen[1:], chosen[0]]
        if all(_turns(a, b) for a, b in zip(chosen, following, strict=True)):
            yield np.array([meeting(a, b) for a, b in zip(chosen, following, strict=True)])


def _of_three_sides(sides: list[Side]) -> Iterator[Points]:
    """The same where the fourth side lies on other cards: it begins where the longer of its neighbours ends."""
    for i, side in enumerate(sides):
        before, after = sides[i - 1], sides[(i + 1) % len(sides)]
        if _turns(before, side) and _turns(side, after):
            one, other = meeting(before, side), meeting(side, after)
            for (
                nearer
            ) in NEARER:  # how much longer than its opposite a slant makes the one whose end does not show
                left, right = before.length, after.length
                left, right = (left, left * nearer) if left > right else (right * nearer, right)
                yield np.array([one, other, other + right * after.along, one - left * before.along])


def _turns(one: Side, other: Side) -> bool:
    """Whether an outline turns a right angle, inwards, from one side to another."""
    return float(one.along[0] * other.along[1] - one.along[1] * other.along[0]) > SQUARE


def is_slanted(quad: Quad) -> bool:
    """Whether a card is clearly seen at a slant. `quad` is (4, 2), in pixels."""
    sides = [quad[(i + 1) % 4] - quad[i] for i in range(4)]
    long = [float(np.linalg.norm(side)) for side in sides]
    uneven = [
        (long[1] + long[3]) / (long[0] + long[2]) / ASPECT - 1,
        long[0] / long[2] - 1,
        long[1] / long[3] - 1,
        float(sides[0] @ sides[1]) / (long[0] * long[1]),
    ]
    return max(abs(v) for v in uneven) > SLANTED


def from_above(quad: Quad, px_per_mm: float) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """The map by which the table around a card is seen from straight above, and its picture's width and height.

    `quad` is (4, 2), in pixels; the map is a 3 × 3 homography, pixels to pixels.
    """
    middle = REACH * CARD_HEIGHT_MM * px_per_mm
    x, y = CARD_WIDTH_MM * px_per_mm / 2, CARD_HEIGHT_MM * px_per_mm / 2
    upright = np.array([(-x, -y), (x, -y), (x, y), (-x, y)], np.float32) + np.float32(middle)
    view = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), upright)
    return np.asarray(view, np.float64), (int(2 * middle), int(2 * middle))


def moved(points: NDArray[np.float64] | Quad, view: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 2) as a map moves them."""
    there = cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), view)
    return np.asarray(there, np.float64).reshape(-1, 2)


def outline_in(view: NDArray[np.float64], outline: NDArray[np.int32], size: tuple[int, int]) -> NDArray[np.int32]:
    """An outline as a map moves it, cut off where its picture ends: the horizon is far away there.

    `view` is a 3 × 3 homography; outlines are (n, 1, 2) pixels; `size` is width, height in pixels.
    """
    there = moved(np.asarray(outline, np.float64), view)
    return np.round(np.clip(there, 0, np.array(size) - 1)).astype(np.int32).reshape(-1, 1, 2)


def same_corners(one: Quad, other: Quad, near: float) -> bool:
    """Whether two quads, either way up, have the same corners to within `near`; all in pixels, (4, 2)."""
    return min(float(np.abs(np.roll(one, turn, axis=0) - other).max()) for turn in (0, 2)) < near
