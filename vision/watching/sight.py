"""How well a zone, and the picture as a whole, can be seen: hands, cloths, glare, blur, a covered lens.

None of it is an error. It decides whether what a reader made of a zone is worth saying, and says why it is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import Corners, Seen
from vision.cards.find import SearchRegion
from vision.geometry.felt import CARD_MM
from vision.watching.watched import Condition

Image = NDArray[np.uint8]

HIDDEN = 0.24  # part of a card zone under something else from which a hand covers it
PILE = 1.6  # cards: a larger thing is several
OTHER_BACK = 0.06  # largest difference in colour (relative) between backs side by side
OTHER_HUE, OTHER_LIGHT = 0.22, 2.5  # largest difference of a rim from felt: colour, brightness (factor)
DARKEST = 20.0  # grey levels: what darker colours differ by is noise
DARK, FLAT = 16.0, 5.0  # least mean and spread in grey levels: below them the lens is covered
LIT = 60.0  # grey level of paper under the weakest lamps: where something is as bright there is light
DIMMER = 0.4  # part of the light in which it was calibrated, from which the lamps are off
BRIGHT = 240.0  # largest mean grey level: above it the sensor is saturated
BURNT, GLARING = 252, 0.03  # grey level of saturation; part of a zone from which it is glare
SOFT_MM = 1.6  # blur (standard deviation) of the sharpest edge in a zone, above which no index can be read


def other_cloth(cloth: tuple[float, float, float], felt: NDArray[np.float64]) -> bool:
    """Whether what lies around a zone is not this table's felt: of another hue, or far brighter or darker.

    Colours are BGR, 0 to 255; `felt` has the shape (3,). A few grey levels more or less change the hue of black
    cloth and mean nothing, so both are lifted before their hues are compared.
    """
    one, other = np.add(cloth, DARKEST), np.add(felt, DARKEST)
    hue = float(np.abs(one / one.sum() - other / other.sum()).sum())
    return hue > OTHER_HUE or not 1 / OTHER_LIGHT < one.sum() / other.sum() < OTHER_LIGHT


def more_than_backs(crop: Image, region: SearchRegion, seen: Seen, px_per_mm: float) -> bool:
    """Whether a pile among backs is a hand that touches them: it comes from outside, or has another colour.

    `crop` is the zone in BGR; corners are in its pixels.
    """
    card = CARD_MM[0] * CARD_MM[1] * px_per_mm**2
    areas = [(back, cv2.contourArea(np.array(back.corners, np.float32)) / card) for back in seen.face_down]
    single = [back.corners for back, cards in areas if cards <= PILE]
    return any(
        cards > PILE and (_goes_beyond(region, back.corners) or _another_colour(crop, seen, single, back.corners))
        for back, cards in areas
    )


def _goes_beyond(region: SearchRegion, corners: Corners) -> bool:
    high, wide = region.inside.shape
    points = [(round(x), round(y)) for x, y in corners]
    return any(not (0 <= y < high and 0 <= x < wide and region.inside[y, x]) for x, y in points)


def _another_colour(crop: Image, seen: Seen, single: list[Corners], pile: Corners) -> bool:
    """Whether the rest of a pile, without the backs that were told apart in it, is no back like them."""
    if not single:
        return False
    backs, rest = np.zeros(crop.shape[:2], np.uint8), np.zeros(crop.shape[:2], np.uint8)
    cv2.fillPoly(backs, [np.round(np.array(corners)).astype(np.int32) for corners in single], 1)
    cv2.fillPoly(rest, [np.round(np.array(pile)).astype(np.int32)], 1)
    stands_out = np.abs(crop.astype(np.float32) - seen.cloth).max(axis=2) > 0.3 * max(seen.cloth)
    rest_here = (rest > 0) & (cv2.dilate(backs, np.ones((5, 5), np.uint8)) == 0) & stands_out
    if not rest_here.any():
        return False
    one, other = crop[backs > 0].mean(axis=0) + 1.0, crop[rest_here].mean(axis=0) + 1.0
    return float(np.abs(one / one.sum() - other / other.sum()).sum()) > OTHER_BACK


def why_blocked(small: Image, known: Sequence[tuple[int, int, int]] = ()) -> str:
    """Why a picture shows nothing useful; empty when it does. `small` is BGR, (height, width, 3) uint8.

    `known` are the cloths (BGR) that the camera saw when it was calibrated: a picture of a black table is dark.
    """
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    mean, spread = (float(v[0, 0]) for v in cv2.meanStdDev(grey))
    felts = [np.asarray(cloth, np.float64) for cloth in known]
    blue, green, red = (float(part) for part in cv2.mean(small)[:3])
    if spread < FLAT and all(other_cloth((blue, green, red), felt) for felt in felts):
        return "the camera sees one even surface: is something over the lens?"
    least = min(DARK, DIMMER * float(np.mean(felts))) if felts else DARK
    if mean < least and float(np.percentile(grey, 99.5)) < LIT:
        return "the camera sees almost no light: are the lamps on?"
    if mean > BRIGHT:
        return "the camera sees nothing but light: it was set in the dark"
    return ""


def why_unread(crop: Image, region: SearchRegion, px_per_mm: float) -> Condition:
    """What keeps the cards of a zone from being read, as far as the light and the lens are to blame.

    `crop` is the zone in BGR, (height, width, 3) uint8.
    """
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    inside = region.inside > 0
    if float((crop.min(axis=2)[inside] >= BURNT).mean()) > GLARING:
        return Condition.GLARE
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    steepest = float(np.percentile(cv2.magnitude(across, down)[inside], 99.5))
    dark, light = np.percentile(grey[inside], (2, 98))
    # An edge blurred by a Gaussian rises by its height over sigma times the root of two pi.
    sigma_px = float(light - dark) / max(1.0, steepest) / np.sqrt(2 * np.pi)
    return Condition.BLURRED if sigma_px / px_per_mm > SOFT_MM else Condition.CLEAR
