"""A picture of a table with everything in it covered that is nobody's to see.

Clear are the parts that the caller names. The places where hidden cards lie become one flat colour; the rest, with
hands and whatever they hold, becomes squares so coarse that no card can be told from another.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Outline = NDArray[np.float64]  # corners in pixels of the picture

SQUARE_MM = 36.0  # a card is 63 mm wide: its index is a hundredth of a square
LEVELS = 8  # grey levels of a square: too few to distinguish inks
COVER: tuple[int, int, int] = (74, 66, 58)
TINT = (0.62, 1.0, 0.7)  # one colour for all squares, so that no ink's colour shows
_FARTHEST = 30_000  # pixels; points outside the lens's view lie far outside


def masked(image: Image, clear: Iterable[Outline], covered: Iterable[Outline], px_per_mm: float) -> Image:
    """A copy of `image` (BGR) that shows only what is `clear`; where both are named, `clear` wins."""
    shown = _squares(image, px_per_mm)
    for outline in covered:
        cv2.fillPoly(shown, [_whole(outline)], COVER)
    window = np.zeros(image.shape[:2], np.uint8)
    for outline in clear:
        cv2.fillPoly(window, [_whole(outline)], 255)
    return np.asarray(cv2.copyTo(image, window, shown), np.uint8)


def _squares(image: Image, px_per_mm: float) -> Image:
    height, width = image.shape[:2]
    side = max(2.0, SQUARE_MM * px_per_mm)
    grid = (max(1, round(width / side)), max(1, round(height / side)))
    grey = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), grid, interpolation=cv2.INTER_AREA)
    step = 256 // LEVELS
    coarse = (grey // step * step + step // 2).astype(np.uint8)
    large = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(large[..., None] * np.array(TINT), np.uint8)


def _whole(outline: Outline) -> NDArray[np.int32]:
    return np.round(np.clip(outline, -_FARTHEST, _FARTHEST)).astype(np.int32)
