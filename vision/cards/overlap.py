"""Separates touching or overlapping cards: guesses where cards of known size lie under one outline.

A convex right-angled corner of the outline is a corner of some card. From each, both orientations of a card are
tried; a guess is kept when it lies within the outline and its sides follow it. Guesses may overlap and may be
wrong: the caller must read a card's own signs before believing one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, PALE, Image, Quad
from vision.cards.seen import Corners

STRAIGHT_MM = 1.6  # largest deviation of an outline from a straight side
SHORTEST_MM = 9.0  # least visible length of a side that gives a direction
SQUARE_DEG = 7.0
ON_PILE = 0.965  # least part of a guessed card that lies on the pile
ALONG_PX = 1.8
SAME_MM = 4.0
MOST_KNOTS = 80  # most corners of an outline
FEWEST_SIDES = 1.3  # least sum of the parts of a guess's four sides that run along the outline
EXPLAINED_MM, EXPLAINED_PX = 1.2, 1.5  # largest distance of an outline point from the side that explains it
SLID_MM = 5.0  # step between places in which a card may lie
OWN_SIDE_MM = 20.0  # least outline that no other card explains: less is a round corner or an error
PAPER_BY_CLOTH = 1.5  # least brightness of paper by the cloth's,
LEAST_BY_CLOTH = 1.12
ON_WHITE = 0.85  # the same on a cloth nearly as light as paper
TO_BRIGHTEST = 0.5  # or, on a pale cloth, part of the way from it to the brightest thing there

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Guess:
    quad: Quad
    sides: float  # how many of its sides run along the outline


@dataclass(frozen=True)
class Side:
    """A straight piece of outline: a point on it, its unit direction (clockwise round the pile), its length."""

    point: Points
    along: Points
    length: float


def guesses(
    outline: NDArray[np.int32], px_per_mm: float, *, on_pile: float = ON_PILE, fewest_sides: float = FEWEST_SIDES
) -> list[Guess]:
    """Where cards may lie under an outline, those with most of their sides along it first.

    `on_pile` of a card must lie inside the outline: less lets something that is no card lie on it. `outline` is a
    closed contour, (n, 1, 2) pixels.
    """
    quads = _corner_quads(straight_sides(outline, px_per_mm), px_per_mm)
    along = runs_along(quads, outline, on_pile)
    found = [
        Guess(np.asarray(quad, np.float32), sides)
        for quad, sides in zip(quads, along, strict=True)
        if sides >= fewest_sides
    ]
    return _distinct(sorted(found, key=lambda guess: -guess.sides), px_per_mm)


def runs_along(quads: Sequence[Points | Quad], outline: NDArray[np.int32], on_pile: float) -> list[float]:
    """How many of each quad's four sides run along an outline; 0 where less than `on_pile` of it lies inside.

    Quads are (4, 2), `outline` (n, 1, 2), both in pixels; `on_pile` is a part, 0 to 1.
    """
    points = outline.reshape(-1, 2).astype(np.float64)
    low = points.min(axis=0) - 4
    size = (points.max(axis=0) - low + 6).astype(int)
    local = [np.round(points - low).astype(np.int32)]
    inside = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(inside, local, 255)
    edge = np.full_like(inside, 255)
    cv2.polylines(edge, local, True, 0)
    away = np.asarray(cv2.distanceTransform(edge, cv2.DIST_L2, 3), np.float32)
    here = [quad - low for quad in quads]
    return [_along(quad, away) if _covered(quad, inside) >= on_pile else 0.0 for quad in here]


def least_cards(outline: NDArray[np.int32], found: Sequence[Guess], px_per_mm: float) -> list[Guess]:
    """The fewest guesses whose sides explain the outline: at least as many cards lie there.

    Each explains a piece that earlier ones do not, also a card between others that shows no corner. A card wholly
    under others shows no side. `outline` is a closed contour, (n, 1, 2) pixels.
    """
    points = outline.reshape(-1, 2).astype(np.float64)
    found = [*found, *_between(outline, px_per_mm)]
    within = max(EXPLAINED_PX, EXPLAINED_MM * px_per_mm)
    along = np.array([_from_sides(points, guess.quad) <= within for guess in found])
    chosen: list[Guess] = []
    left = np.ones(len(points), np.bool_)
    while len(found):
        gain = (along & left).sum(axis=1)
        best = int(gain.argmax())
        if gain[best] < OWN_SIDE_MM * px_per_mm:
            break
        chosen.append(found[best])
        left &= ~along[best]
    return chosen


def _between(outline: NDArray[np.int32], px_per_mm: float) -> list[Guess]:
    """Where a card may lie of which two opposite sides show and no corner: in a row, between others."""
    width, height = CARD_WIDTH_MM * px_per_mm, CARD_HEIGHT_MM * px_per_mm
    sides = straight_sides(outline, px_per_mm)
    quads: list[Points] = []
    for i, one in enumerate(sides):
        inward = np.array([-one.along[1], one.along[0]])
        for other in sides[i + 1 :]:
            if one.along @ other.along > -np.cos(np.radians(SQUARE_DEG)):
                continue
            apart = float(inward @ (other.point - one.point))
            middle = float(one.along @ (other.point - one.point))
            first = max(-one.length / 2, middle - other.length / 2)
            last = min(one.length / 2, middle + other.length / 2)
            for deep, broad in ((height, width), (width, height)):
                if abs(apart - deep) > STRAIGHT_MM * px_per_mm:
                    continue
                for at in np.arange(first, last - broad, SLID_MM * px_per_mm):
                    corner = one.point + at * one.along
                    across, down = broad * one.along, deep * inward
                    quads.append(np.array([corner, corner + across, corner + across + down, corner + down]))
    return [Guess(np.asarray(_clockwise(quad), np.float32), 0.0) for quad in quads]


def _from_sides(points: Points, quad: Quad) -> NDArray[np.float64]:
    """How far each point is from the nearest of a quad's four sides."""
    starts = np.asarray(quad, np.float64)
    runs = np.roll(starts, -1, axis=0) - starts
    off = points[:, None, :] - starts
    share = np.clip((off * runs).sum(axis=2) / (runs * runs).sum(axis=1), 0.0, 1.0)
    return np.asarray(np.linalg.norm(off - share[..., None] * runs, axis=2).min(axis=1), np.float64)


def side_lengths(outline: NDArray[np.int32]) -> list[float]:
    """Lengths (pixels) of straight sides between two square corners of an outline, the longest first."""
    rough = np.sqrt(float(cv2.contourArea(outline)) / (1.5 * CARD_WIDTH_MM * CARD_HEIGHT_MM))
    sides = straight_sides(outline, max(0.3, rough))
    square = np.cos(np.radians(2 * SQUARE_DEG))
    found = []
    for i, side in enumerate(sides):
        before, after = sides[i - 1], sides[(i + 1) % len(sides)]
        turns = [
            float(a.along[0] * b.along[1] - a.along[1] * b.along[0]) for a, b in ((before, side), (side, after))
        ]
        if min(turns) > square:
            found.append(float(np.linalg.norm(meeting(before, side) - meeting(side, after))))
    return sorted(found, reverse=True)


def straight_sides(outline: NDArray[np.int32], px_per_mm: float) -> list[Side]:
    """Straight pieces of a closed outline, clockwise as seen, each fitted to the points along it.

    `outline` is (n, 1, 2) or (n, 2), in pixels.
    """
    points = outline.reshape(-1, 2).astype(np.float64)
    turned = points if cv2.contourArea(points.astype(np.float32), oriented=True) > 0 else points[::-1]
    knots = cv2.approxPolyDP(turned.astype(np.float32), STRAIGHT_MM * px_per_mm, True).reshape(-1, 2)
    at = _where(turned, knots)
    if len(at) > MOST_KNOTS:
        return []  # a pattern: no card has so many corners
    sides = []
    for start, end in zip(at, [*at[1:], at[0] + len(turned)], strict=True):
        length = float(np.linalg.norm(turned[end % len(turned)] - turned[start]))
        if length < SHORTEST_MM * px_per_mm:
            continue
        trim = max(1, (end - start) // 8)  # round corners are no part of a side
        run = np.take(turned, range(start + trim, end - trim + 1), axis=0, mode="wrap")
        if len(run) < 3:
            continue
        vx, vy, x, y = (
            float(v) for v in np.ravel(cv2.fitLine(run.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01))
        )
        along = np.array([vx, vy])
        if along @ (run[-1] - run[0]) < 0:
            along = -along
        sides.append(Side(np.array([x, y]), along, length))
    return sides


def _where(points: Points, some: NDArray[np.float32]) -> list[int]:
    """Where in a closed outline some of its points stand, in order."""
    codes, wanted = (p[:, 0].astype(np.int64) * 65_536 + p[:, 1].astype(np.int64) for p in (points, some))
    order = np.argsort(codes, kind="stable")
    return sorted(int(i) for i in order[np.searchsorted(codes[order], wanted)])


def _corner_quads(sides: list[Side], px_per_mm: float) -> list[Points]:
    """Both ways a card can lie in each right angle between two sides that follow each other."""
    quads = []
    width, height = CARD_WIDTH_MM * px_per_mm, CARD_HEIGHT_MM * px_per_mm
    for i, before in enumerate(sides):
        after = sides[(i + 1) % len(sides)]
        cross = float(before.along[0] * after.along[1] - before.along[1] * after.along[0])
        if cross < np.cos(np.radians(SQUARE_DEG)):
            continue
        # the longer side knows the direction best; the outline runs half a pixel inside the edge
        inward = np.array([-before.along[1], before.along[0]]) if before.length >= after.length else after.along
        back = np.array([inward[1], -inward[0]])
        corner = meeting(before, after) + 0.5 * (back - inward)
        for short, long in ((-back, inward), (inward, -back)):
            quad = np.array(
                [corner, corner + short * width, corner + short * width + long * height, corner + long * height]
            )
            quads.append(_clockwise(quad))
    return quads


def meeting(one: Side, other: Side) -> Points:
    """Where the lines of two sides cross.

    The point is (2,), in pixels. Raise `LinAlgError` where the sides are parallel.
    """
    matrix = np.array([one.along, -other.along]).T
    steps = np.linalg.solve(matrix, other.point - one.point)
    return np.asarray(one.point + steps[0] * one.along, np.float64)


def _clockwise(quad: Points) -> Points:
    (ax, ay), (bx, by) = quad[1] - quad[0], quad[2] - quad[1]
    return quad if ax * by - ay * bx > 0 else quad[[1, 0, 3, 2]]


def _covered(quad: Points, inside: NDArray[np.uint8]) -> float:
    card = np.zeros_like(inside)
    cv2.fillConvexPoly(card, np.round(quad * 16).astype(np.int32), 255, shift=4)
    area = max(1, cv2.countNonZero(card))
    height, width = inside.shape
    whole = abs(float(cv2.contourArea(quad.astype(np.float32))))
    if quad.min() < -1 or (quad > (width, height)).any():
        area = max(area, int(whole))
    return cv2.countNonZero(cv2.bitwise_and(card, inside)) / area


def _along(quad: Points, away: NDArray[np.float32]) -> float:
    """How many of four sides run along the outline; a side's middle 80 percent counts, corners are round."""
    steps = np.linspace(0.1, 0.9, 33)[:, None]
    total = 0.0
    for i in range(4):
        line = quad[i] * (1 - steps) + quad[(i + 1) % 4] * steps
        x = np.clip(np.round(line[:, 0]).astype(int), 0, away.shape[1] - 1)
        y = np.clip(np.round(line[:, 1]).astype(int), 0, away.shape[0] - 1)
        total += float((away[y, x] <= ALONG_PX).mean())
    return total


def _distinct(found: list[Guess], px_per_mm: float) -> list[Guess]:
    """Drop guesses that lie where a better one lies."""
    kept: list[Guess] = []
    for guess in found:
        middle = guess.quad.mean(axis=0)
        turned = guess.quad[1] - guess.quad[0]
        for other in kept:
            near = np.linalg.norm(other.quad.mean(axis=0) - middle) < SAME_MM * px_per_mm
            if near and abs(float(np.dot(other.quad[1] - other.quad[0], turned))) > 0.7 * float(turned @ turned):
                break
        else:
            kept.append(guess)
    return kept


def paper_share(crop: Image, cloth: NDArray[np.float32], outline: NDArray[np.int32], white: bool = False) -> float:
    """How much of what an outline holds looks like paper: pale, and brighter than the cloth.

    On a `white` cloth it need not be brighter: shadows may lie on it. `crop` is BGR, `cloth` the cloth's colour,
    (3,) BGR; `outline` is (n, 1, 2), in the crop's pixels.
    """
    left, top, width, height = cv2.boundingRect(outline)
    inside = np.zeros((height, width), np.uint8)
    cv2.drawContours(inside, [outline], -1, 255, -1, offset=(-left, -top))
    pixels = crop[top : top + height, left : left + width][inside > 0].astype(np.float32)
    brightest = pixels.max(axis=1)
    pale = (brightest - pixels.min(axis=1)) < PALE * brightest
    dark = float(cloth.max())
    if white:
        return float((pale & (brightest > ON_WHITE * dark)).mean())
    between = dark + TO_BRIGHTEST * (float(np.percentile(brightest, 95)) - dark)
    return float((pale & (brightest > min(PAPER_BY_CLOTH * dark, max(between, LEAST_BY_CLOTH * dark)))).mean())


def covered_mm2(quads: list[Corners], px_per_mm: float) -> float:
    """The felt that cards cover together. Quads are four corners each, in pixels; the result is in mm²."""
    if not quads:
        return 0.0
    corners = np.array(quads)
    low = corners.min(axis=(0, 1))
    width, height = np.ceil(corners.max(axis=(0, 1)) - low).astype(int) + 1
    covered = np.zeros((height, width), np.uint8)
    for quad in corners:
        cv2.fillConvexPoly(covered, np.round((quad - low) * 16).astype(np.int32), 255, shift=4)
    return cv2.countNonZero(covered) / px_per_mm**2


def shared(one: Corners, other: Corners) -> float:
    """How much of a card lies where another lies, 0 to 1. Cards are four corners each, in pixels."""
    a, b = np.asarray(one, np.float32), np.asarray(other, np.float32)
    area, _ = cv2.intersectConvexConvex(a, b)
    return float(area) / max(1.0, float(cv2.contourArea(a)))


def box_around(outline: NDArray[np.int32]) -> Corners:
    """The smallest rectangle that holds an outline.

    `outline` is (n, 1, 2) pixels; the result is four corners in pixels.
    """
    return tuple((float(x), float(y)) for x, y in cv2.boxPoints(cv2.minAreaRect(outline)))
