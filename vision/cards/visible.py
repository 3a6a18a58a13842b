"""Cards of which hardly more than a corner shows: under a book, a chip, other cards, the edge of the picture.

An index stands in a corner of its card, and a corner is square. So wherever two straight sides of a pale
outline meet at a right angle there may be an index, and its way up is known: going clockwise round a card one
comes up its left side and leaves along its top. How large a card is here must be known, or is tried.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image
from vision.cards.index import CORNER_MM, FLAT_PX_PER_MM
from vision.cards.overlap import Side, meeting, straight_sides
from vision.cards.seen import Corners

SQUARE = float(np.cos(np.radians(14.0)))  # perspective bends a square corner
OUTSIDE = 0.5  # pixels by which an edge lies outside its outline

Points = NDArray[np.float64]


@dataclass(frozen=True)
class CardCorner:
    """Where a card's corner may be (pixels), and the unit directions of its top and of its left side."""

    at: Points
    right: Points
    down: Points

    def flat(self, image: Image, px_per_mm: float) -> Image:
        """The corner upright, `CORNER_MM` of it, in flat pixels."""
        width, height = (round(mm * FLAT_PX_PER_MM) for mm in CORNER_MM)
        by = px_per_mm / FLAT_PX_PER_MM
        start = self.at + 0.5 * by * (self.right + self.down)
        warp = np.column_stack([self.right * by, self.down * by, start])
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpAffine(image, warp, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def moved(self, right_px: float, down_px: float) -> CardCorner:
        """The same corner in a picture of which this one's is a part."""
        return CardCorner(self.at + np.array((right_px, down_px)), self.right, self.down)

    def card(self, px_per_mm: float) -> Corners:
        """The whole card as it must lie there, clockwise from this corner. Four corners, in pixels."""
        right, down = self.right * CARD_WIDTH_MM * px_per_mm, self.down * CARD_HEIGHT_MM * px_per_mm
        points = (self.at, self.at + right, self.at + right + down, self.at + down)
        return tuple((float(x), float(y)) for x, y in points)


def card_corners_in(outline: NDArray[np.int32], px_per_mm: float) -> list[CardCorner]:
    """Every square corner of an outline that is long enough to show an index.

    `outline` is a closed contour, (n, 1, 2) pixels.
    """
    found = []
    sides = straight_sides(outline, px_per_mm)
    for i, before in enumerate(sides):
        after = sides[(i + 1) % len(sides)]
        if float(before.along[0] * after.along[1] - before.along[1] * after.along[0]) < SQUARE:
            continue
        found.append(_corner(before, after))
    return found


def _corner(before: Side, after: Side) -> CardCorner:
    right, down = after.along, -before.along
    outward = -(right + down) / max(1e-6, float(np.linalg.norm(right + down)))
    return CardCorner(meeting(before, after) + OUTSIDE * np.sqrt(2) * outward, right, down)
