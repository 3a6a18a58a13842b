"""Finds pale things of a card's shape in a plain photo: no markers, no calibration, unknown cloth.

White paper is bright in *every* colour channel; pale wood, stone and felt are dim in at least one, or warmer. So
the picture is examined in its least channel, with and without its warmth. No single threshold suits a whole photo:
it is cut at many, and against its neighbourhood, and every outline is a candidate. The caller must read a card's
own signs before believing one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Mask, Quad

SMALLEST_SIDE_PX = 26.0  # pixels of a card's short side below which no index can be read
LARGEST_SIDE = 0.85  # part of the picture's short side
ASPECT = CARD_HEIGHT_MM / CARD_WIDTH_MM
SHORTER, NARROWER = 0.24, 0.31  # largest change of a card's shape at a slant of 40 degrees
SOLID = 0.955  # least part of a card's hull that is card
LEVELS = 7
HOLE = 0.03  # part of the picture: smaller holes are print on a card
BRIDGE = 0.017  # part of the picture's short side: thinner connections are cut
LOCAL_BLOCKS = (0.06, 0.16)  # parts of the picture's short side: neighbourhoods for local thresholds
LOCAL_OFFSET = 8.0
FAINT_EDGE = (14, 28)  # Canny's thresholds: a card's edge on a white table
CLOSED_BY = (1, 2)  # pixels: gaps of an edge that are closed
PALEST = 99.7  # percentile of the least channel that is taken for white
TINTED, MOST_TINTED = 1.08, 1.8  # ratio of white's brightest to dimmest channel: below it white, above it no paper

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Paper:
    """One pale thing: its outline, and its corners when it has the shape of one card."""

    outline: NDArray[np.int32]
    area: float  # pixels
    quad: Quad | None


def papers(image: Image) -> list[Paper]:
    """Pale things of a size that cards may have; the same one may come several times, cut a little differently.

    `image` is BGR, (height, width, 3) uint8; outlines and quads are in its pixels.
    """
    height, width = image.shape[:2]
    least = SMALLEST_SIDE_PX**2 * ASPECT * 0.7
    most = (LARGEST_SIDE * min(height, width)) ** 2 * ASPECT
    found = []
    for mask in (*_cuts(in_white_light(image)), *_edged(image)):
        for outline in _outlines(mask):
            area = float(cv2.contourArea(outline))
            if least <= area <= most:
                found.append(Paper(np.asarray(outline, np.int32), area, card_corners(outline)))
    return found


def in_white_light(image: Image) -> Image:
    """The picture corrected for its lamp's colour, estimated from the palest parts: under a blue lamp pale wood is
    white.

    Pictures are BGR, (height, width, 3) uint8.
    """
    some = image[::4, ::4]
    least = some.min(axis=2)
    white = some[least >= np.percentile(least, PALEST)].mean(axis=0)
    tint = float(white.max()) / max(1.0, float(white.min()))
    if not TINTED < tint < MOST_TINTED:
        return image
    levels = np.arange(256)[:, None] * (white.max() / white)
    return np.asarray(cv2.LUT(image, np.minimum(levels, 255).astype(np.uint8)[None]), np.uint8)


def _outlines(mask: Mask) -> list[NDArray[np.int32]]:
    """The outlines of everything in a mask, as it is and with thin bridges to its neighbours cut."""
    outlines, nesting = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not len(outlines):
        return []
    outer = [np.asarray(o, np.int32) for o, nest in zip(outlines, nesting[0], strict=True) if nest[3] == -1]
    largest_hole = HOLE * mask.size
    holes = [o for o, nest in zip(outlines, nesting[0], strict=True) if nest[3] != -1]
    filled = mask.copy()
    cv2.drawContours(filled, [o for o in holes if cv2.contourArea(o) < largest_hole], -1, 255, -1)
    size = max(3, round(BRIDGE * min(mask.shape)) | 1)
    cut = cv2.morphologyEx(filled, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    again, _ = cv2.findContours(cut, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [*outer, *(np.asarray(o, np.int32) for o in again)]


def _cuts(image: Image) -> Iterator[Mask]:
    """The picture cut into bright and dark in several ways: by its least channel, and by that less its warmth."""
    blue, green, red = cv2.split(image)
    least = np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
    cool = np.asarray(cv2.subtract(least, cv2.subtract(red, blue)), np.uint8)
    for plane in (least, cool):
        low, high = (float(v) for v in np.percentile(plane[::4, ::4], (35, 99.5)))
        for level in np.linspace(low + 0.12 * (high - low), low + 0.88 * (high - low), LEVELS):
            yield np.asarray(cv2.threshold(plane, float(level), 255, cv2.THRESH_BINARY)[1], np.uint8)
        for share in LOCAL_BLOCKS:
            size = max(9, round(share * min(image.shape[:2])))
            around = cv2.blur(plane, (size, size))
            yield np.asarray(cv2.compare(cv2.subtract(plane, around), LOCAL_OFFSET, cv2.CMP_GT), np.uint8)
            dark = cv2.compare(cv2.subtract(around, plane), LOCAL_OFFSET, cv2.CMP_GT)
            yield np.asarray(cv2.bitwise_not(dark), np.uint8)


def _edged(image: Image) -> Iterator[Mask]:
    """What closed edges surround: on a pale table a card is no paler than it, and has an edge all the same."""
    edges = cv2.Canny(cv2.GaussianBlur(image, (0, 0), 1.0), *FAINT_EDGE, L2gradient=True)
    for reach in CLOSED_BY:
        pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        drawn = cv2.dilate(edges, pen)
        outer, _ = cv2.findContours(drawn, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(drawn, outer, -1, 255, -1)
        yield np.asarray(cv2.erode(drawn, pen), np.uint8)


def card_corners(outline: NDArray[np.int32]) -> Quad | None:
    """The corners of an outline that may be one card seen from anywhere above, a short side first; else None.

    `outline` is (n, 1, 2) pixels; the corners are (4, 2) pixels.
    """
    hull = cv2.convexHull(outline)
    hull_area = float(cv2.contourArea(hull))
    if float(cv2.contourArea(outline)) < SOLID * hull_area:
        return None
    box = cv2.minAreaRect(hull)
    if min(box[1]) < SMALLEST_SIDE_PX or hull_area < 0.80 * box[1][0] * box[1][1]:
        return None
    start = _four_knots(hull)
    if start is None:
        start = np.asarray(cv2.boxPoints(box), np.float64)
    quad = _sides_fitted(outline.reshape(-1, 2).astype(np.float64), start)
    if quad is None or abs(float(cv2.contourArea(quad.astype(np.float32))) / hull_area - 1) > 0.08:
        return None
    return of_card_shape(quad)


def _four_knots(hull: NDArray[np.int32]) -> Points | None:
    """The four corners of a hull that has four."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05):
        knots = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2)
        if len(knots) == 4:
            return np.asarray(knots, np.float64)
    return None


def _sides_fitted(points: Points, corners: Points) -> Points | None:
    """Corners where straight lines meet that are fitted to the middle of each side: a card's corners are round."""
    lines = []
    for i in range(4):
        a, b = corners[i], corners[(i + 1) % 4]
        length = float(np.linalg.norm(b - a))
        along = (b - a) / max(length, 1e-6)
        at = (points - a) @ along
        off = np.abs((points - a) @ np.array([-along[1], along[0]]))
        near = points[(at > 0.14 * length) & (at < 0.86 * length) & (off < 0.05 * length + 2)]
        if len(near) < 8:
            return None
        vx, vy, x, y = (
            float(v) for v in np.ravel(cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01))
        )
        lines.append((np.array([x, y]), np.array([vx, vy])))
    met = [_meeting(lines[i - 1], lines[i]) for i in range(4)]
    if any(point is None for point in met):
        return None
    quad = np.array(met)
    middle = quad.mean(axis=0)
    outward = quad - middle  # pixel centres lie half a pixel inside the edge
    return np.asarray(
        quad + 0.7 * outward / np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1), np.float64
    )


def _meeting(one: tuple[Points, Points], other: tuple[Points, Points]) -> Points | None:
    (p, u), (q, v) = one, other
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.5:
        return None
    d = q - p
    return np.asarray(p + u * ((d[0] * v[1] - d[1] * v[0]) / cross), np.float64)


def of_card_shape(quad: Points) -> Quad | None:
    """The quad clockwise from a short side when its sides are those of a card at a slant; else None.

    Quads are (4, 2), in pixels.
    """
    small = quad.astype(np.float32)
    if not cv2.isContourConvex(small):
        return None
    sides = [float(np.linalg.norm(quad[(i + 1) % 4] - quad[i])) for i in range(4)]
    even, odd = sides[0] + sides[2], sides[1] + sides[3]
    if min(sides[0], sides[2]) < 0.75 * max(sides[0], sides[2]) or min(sides[1], sides[3]) < 0.75 * max(
        sides[1], sides[3]
    ):
        return None
    if not -SHORTER < max(even, odd) / min(even, odd) / ASPECT - 1 < NARROWER:
        return None
    ordered = quad if even <= odd else np.roll(quad, -1, axis=0)
    (ax, ay), (bx, by) = ordered[1] - ordered[0], ordered[2] - ordered[1]
    if ax * by - ay * bx < 0:
        ordered = ordered[[1, 0, 3, 2]]
    return np.asarray(ordered, np.float32)
