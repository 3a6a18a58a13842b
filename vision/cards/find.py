"""Finds things on a cloth of one colour, and which of them have a card's shape.

The cloth's colour is taken from the rim around the region, so any felt under any light works as long as cards
stand out from it. A card's size is known: the camera is calibrated.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.white_cloth import BURNT, apart_from_white

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Quad = NDArray[np.float32]  # (4, 2) pixels, clockwise, the first side a short one

CARD_WIDTH_MM, CARD_HEIGHT_MM = 63.5, 88.9
PALE = 0.30  # largest saturation of a card's paper
SIZE_TOLERANCE = 0.09  # part of a side: lens, calibration; bridge-size decks are enrolled separately
STANDS_OUT = 0.30  # part of the strongest contrast to the cloth in this region
FAINTEST = 0.24  # part of the cloth's brightness: below it wear, shadow or noise
SMALLEST_PX = 60  # least pixels of an object at any scale
SMALLEST_MM2 = 250.0  # smaller things are chips' edges, crumbs, reflections


RIM_POINTS = 500  # points of the rim from which the cloth's colour is taken


@dataclass(frozen=True)
class SearchRegion:
    """The region of a crop to search, made once for each zone with `SearchRegion.of`."""

    inside: Mask  # 255 in the zone and its rim
    rim: tuple[NDArray[np.intp], NDArray[np.intp]]  # rows and columns where only cloth is expected
    area_px: int  # of the zone without its rim
    white: bool = False  # whether the cloth is nearly as light as paper

    @classmethod
    def of(cls, inside: Mask, rim: Mask, *, white: bool = False) -> SearchRegion:
        """The region from two masks (shape: height, width): above 0 in the zone and its rim, and in the rim
        alone."""
        rows, columns = np.nonzero(rim)
        step = max(1, len(rows) // RIM_POINTS)
        area = cv2.countNonZero(inside) - cv2.countNonZero(rim)
        return cls(inside, (rows[::step], columns[::step]), max(1, area), white)


@dataclass(frozen=True)
class Blob:
    """One thing on the cloth: its outline, area in mm², and the quad when it has the shape of one card."""

    outline: NDArray[np.int32]
    area_mm2: float
    quad: Quad | None


def cloth_of(crop: Image, region: SearchRegion) -> NDArray[np.float32]:
    """The cloth's colour (BGR) in this crop."""
    return np.asarray(np.median(crop[region.rim], axis=0), np.float32)


def find(crop: Image, region: SearchRegion, cloth: NDArray[np.float32], px_per_mm: float) -> list[Blob] | None:
    """Everything that stands out from the cloth, largest first; None where a white cloth does not show it.

    `crop` is BGR; `cloth` is the cloth's colour, (3,) BGR; outlines and quads are in the crop's pixels.
    """
    if region.white:
        burnt_out = float(cloth.min()) > BURNT  # paper is no lighter
        apart = None if burnt_out else apart_from_white(crop, region.inside, region.rim, px_per_mm)
        if apart is None:
            return None
    else:
        apart = _apart_from(cloth, crop, region)
        if apart is None:
            return []
    outlines, _ = cv2.findContours(apart, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    blobs = []
    for outline in outlines:
        area = float(cv2.contourArea(outline)) / px_per_mm**2
        if area >= SMALLEST_MM2:
            blobs.append(Blob(np.asarray(outline, np.int32), area, _card_shaped(outline, px_per_mm)))
    return sorted(blobs, key=lambda blob: -blob.area_mm2)


def _apart_from(cloth: NDArray[np.float32], crop: Image, region: SearchRegion) -> Mask | None:
    """255 where a pixel differs from the cloth in its strongest channel; None where nothing stands out."""
    blue, green, red = cv2.split(cv2.absdiff(crop, (*(float(v) for v in np.round(cloth)), 0.0)))
    strongest = cv2.bitwise_and(cv2.max(cv2.max(blue, green), red), region.inside)
    most = level_at(np.asarray(strongest[::2, ::2], np.uint8), 0.99)
    faintest = max(10.0, FAINTEST * float(cloth.max()))
    if most < faintest and cv2.countNonZero(cv2.compare(strongest, faintest, cv2.CMP_GT)) < SMALLEST_PX:
        return None
    limit = max(faintest, STANDS_OUT * most)
    return np.asarray(cv2.threshold(strongest, limit, 255, cv2.THRESH_BINARY)[1], np.uint8)


def level_at(levels: NDArray[np.uint8], rank: float) -> float:
    """What `rank` (0 to 1) of some levels are below: a quantile, between two levels as numpy has it.

    `levels` has any shape, 0 to 255.
    """
    below = np.cumsum(np.bincount(levels.ravel(), minlength=256))
    at = rank * (levels.size - 1)
    low = int(at)
    this, following = (int(v) for v in np.searchsorted(below, (low, low + 1), side="right"))
    return this + (at - low) * (min(following, 255) - this)


def _card_shaped(outline: NDArray[np.int32], px_per_mm: float) -> Quad | None:
    """The quad of an outline that is one card lying flat, else None."""
    hull = cv2.convexHull(outline)
    box = cv2.minAreaRect(hull)
    # pixel centres lie half a pixel inside the edge on every side
    short, long = sorted(side + 1.0 for side in box[1])
    width, height = CARD_WIDTH_MM * px_per_mm, CARD_HEIGHT_MM * px_per_mm
    if abs(short / width - 1) > SIZE_TOLERANCE or abs(long / height - 1) > SIZE_TOLERANCE:
        return None
    solid = float(cv2.contourArea(outline)) / max(1.0, box[1][0] * box[1][1])
    if solid < 0.93:
        return None
    grown = (box[0], (box[1][0] + 1.0, box[1][1] + 1.0), box[2])
    return _short_side_first(np.asarray(cv2.boxPoints(grown), np.float32))


def _short_side_first(corners: Quad) -> Quad:
    """The same quad clockwise as seen, beginning with a short side."""
    ab, bc = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1])
    ordered = corners if ab <= bc else np.roll(corners, -1, axis=0)
    (ax, ay), (bx, by) = ordered[1] - ordered[0], ordered[2] - ordered[1]
    if ax * by - ay * bx < 0:  # counter-clockwise: walk the other way round, from a short side again
        ordered = ordered[[1, 0, 3, 2]]
    return np.asarray(ordered, np.float32)
