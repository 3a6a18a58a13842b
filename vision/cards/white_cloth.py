"""Finds what lies on a cloth that is nearly as light as paper.

Paper is a tenth brighter than such a cloth: less than light differs over a zone, and less than a shadow takes. So
every pixel is compared with the cloth's light there, a surface fitted to the rim. Paper is what is brighter; backs
and hands are what has a colour or is darker than a shadow. Light is given in parts of the cloth's.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Light = NDArray[np.float32]
Points = tuple[NDArray[np.intp], NDArray[np.intp]]

PAPER, TO_PAPER, LIGHTEST = 1.045, 0.5, 1.13  # least light of paper; part of the way to the lightest; most of that
DEEP = 0.5  # light below any shadow's
COLOURED = 0.16  # difference between two channels from which something has a colour
PRINT = 0.85  # light below which print would darken the paper around it
SOFT_MM, SOFT_PX, MOST_SOFT_MM = 0.7, 1.0, 2.5  # blur (standard deviation) against the cloth's fibres
QUIET = 0.016  # standard deviation of bare cloth, above which more blur is needed
SHADOW_MM = 3.0  # width of a shadow that one card casts on another
BURNT = 255 / 1.08  # grey level of the cloth from which paper is no brighter
AROUND_MM, EACH_MM = 6.0, 5.0  # what lies so near to a thing is not taken for cloth; between points of the cloth
ASTRAY, CLOTH = 0.2, 0.02  # largest and least differences between points of the rim that are taken for cloth


def apart_from_white(crop: Image, inside: Mask, rim: Points, px_per_mm: float) -> Mask:
    """255 where something lies on the cloth.

    `crop` is BGR, `inside` is above 0 where to look; `rim` are rows and columns where only cloth is expected.
    """
    first = _apart(crop, _cloth_light(crop, rim), inside, rim, px_per_mm)
    reach = round(AROUND_MM * px_per_mm) | 1
    bare = (inside > 0) & (cv2.dilate(first, np.ones((reach, reach), np.uint8)) == 0)
    step = max(1, round(EACH_MM * px_per_mm))
    rows, columns = (step * places for places in np.nonzero(bare[::step, ::step]))
    more = (np.concatenate([rim[0], rows]), np.concatenate([rim[1], columns]))
    return _apart(crop, _cloth_light(crop, more), inside, rim, px_per_mm)


def _apart(crop: Image, cloth: Light, inside: Mask, rim: Points, px_per_mm: float) -> Mask:
    lightest_cloth = cloth.max(axis=(0, 1))
    unburnt = np.flatnonzero(lightest_cloth < max(BURNT, float(lightest_cloth.min()) + 1))
    light = np.asarray(crop, np.float32) / cloth
    smooth = cv2.GaussianBlur(light, (0, 0), 0.7)
    most = smooth.max(axis=2)
    dark = (most < DEEP) | (most - smooth.min(axis=2) > COLOURED)
    bare = (smooth[..., unburnt].min(axis=2) > PRINT).astype(np.float32)
    white = _without_fibres(light[..., unburnt].mean(axis=2), bare, rim, px_per_mm)
    lightest = float(np.percentile(white[inside > 0][::4], 99))
    paper = white > max(PAPER, 1 + TO_PAPER * (min(LIGHTEST, lightest) - 1))
    apart = np.where((paper | dark) & (inside > 0), 255, 0).astype(np.uint8)
    side = round(SHADOW_MM * px_per_mm) | 1
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(apart, cv2.MORPH_CLOSE, pen), np.uint8)


def _without_fibres(light: Light, bare: Light, rim: Points, px_per_mm: float) -> Light:
    """The light without fibres and noise, and as if there were no print (`bare`: 0 where there is)."""
    soft = max(SOFT_PX, SOFT_MM * px_per_mm)
    smooth = _smooth(light, bare, soft)
    noise = float(np.median(np.abs(smooth[rim] - np.median(smooth[rim])))) / 0.6745
    if noise > QUIET:
        smooth = _smooth(light, bare, min(MOST_SOFT_MM * px_per_mm, soft * noise / QUIET))
    return smooth


def _smooth(light: Light, bare: Light, soft: float) -> Light:
    weight = cv2.GaussianBlur(bare, (0, 0), soft)
    sums = cv2.GaussianBlur(light * bare, (0, 0), soft)
    return np.asarray(np.where(weight > 0.1, sums / np.maximum(weight, 0.1), 0.0), np.float32)


def _cloth_light(crop: Image, rim: Points) -> Light:
    """The bare cloth's grey levels in each pixel (the crop's shape): a quadratic surface through the rim."""
    high, wide = crop.shape[:2]
    levels = crop[rim].astype(np.float64)
    terms = _terms(rim[1] / wide, rim[0] / high)
    kept = np.abs(levels / np.maximum(1.0, np.median(levels, axis=0)) - 1).max(axis=1) < ASTRAY
    fitted = np.zeros((terms.shape[1], 3))
    fitted[0] = np.median(levels, axis=0)
    for _ in range(3):
        if kept.sum() < terms.shape[1]:
            break
        fitted = np.linalg.lstsq(terms[kept], levels[kept], rcond=None)[0]
        off = np.abs(levels / np.maximum(1.0, terms @ fitted) - 1).max(axis=1)
        kept = off < max(CLOTH, 2.5 * float(np.median(off)))
    surface = _terms(np.arange(wide)[None, :] / wide, np.arange(high)[:, None] / high) @ fitted
    return np.asarray(np.maximum(1.0, surface), np.float32)


def _terms(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = np.broadcast_arrays(2 * x - 1, 2 * y - 1)
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=-1)
