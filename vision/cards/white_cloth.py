"""Finds what lies on a cloth that is nearly as light as paper.

Paper is a tenth brighter than such a cloth: less than light differs over a zone, and less than a shadow takes.
So every pixel is compared with the cloth's light there, a surface fitted to the rim. Paper is what is brighter;
backs and hands are what has a colour or is darker than a shadow. Light is given in parts of the cloth's.

A grey or white sleeve, or a person's shadow, would itself be taken for cloth. It comes from outside, so the rim
shows it: lamps make no steps there.
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
COARSE = 0.8  # px/mm of the first look, which finds what is bare
AROUND_MM, EACH_MM = 6.0, 5.0  # what lies so near to a thing is not taken for cloth; between points of the cloth
STEP_MM, STEP, STEPPED = 3.0, 0.055, 0.14  # blur of the rim; how far off even light, and in what part of it
TOO_LIGHT = 1.7  # light of more than a hundredth that paper cannot have: what was taken for cloth is none
ASTRAY, CLOTH = 0.2, 0.02  # largest and least differences between points of the rim that are taken for cloth


def apart_from_white(crop: Image, inside: Mask, rim: Points, px_per_mm: float) -> Mask | None:
    """255 where something lies on the cloth; None where a sleeve or a shadow over the rim hides that.

    `crop` is BGR, `inside` is above 0 where to look; `rim` are rows and columns where only cloth is expected.
    """
    bare = _bare(crop, inside, rim, px_per_mm)
    apart, lightest = _apart(crop, _cloth_light(crop, bare), inside, bare, px_per_mm)
    return None if lightest > TOO_LIGHT or _stepped(crop, apart, rim, px_per_mm) else apart


def _stepped(crop: Image, apart: Mask, rim: Points, px_per_mm: float) -> bool:
    """Whether the light of the rim, where nothing lies, is not a lamp's."""
    outlines, _ = cv2.findContours(apart, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    things = cv2.drawContours(np.zeros_like(apart), outlines, -1, 255, cv2.FILLED)
    reach = round(AROUND_MM * px_per_mm) | 1
    free = cv2.dilate(things, np.ones((reach, reach), np.uint8))[rim] == 0
    if 2 * free.sum() < len(free):
        return False
    levels = cv2.GaussianBlur(crop, (0, 0), STEP_MM * px_per_mm)[rim][free].astype(np.float64)
    high, wide = crop.shape[:2]
    terms = _terms(rim[1][free] / wide, rim[0][free] / high)[:, :3]
    even = terms @ np.linalg.lstsq(terms, levels, rcond=None)[0]
    off = np.abs(levels / np.maximum(1.0, even) - 1).max(axis=1)
    return float((off > STEP).mean()) > STEPPED


def _bare(crop: Image, inside: Mask, rim: Points, px_per_mm: float) -> Points:
    """Points of the rim, and of the cloth that a coarser look leaves bare: lamps are not brightest at a rim."""
    step = max(1, round(EACH_MM * px_per_mm))
    coarse = min(1.0, COARSE / px_per_mm)
    small = np.asarray(cv2.resize(crop, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_AREA), np.uint8)
    high, wide = small.shape[:2]
    there = np.asarray(cv2.resize(inside, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)
    at = tuple(
        np.minimum((places * coarse).astype(np.intp), side - 1)
        for places, side in zip(rim, (high, wide), strict=True)
    )
    things, _ = _apart(small, _cloth_light(small, at), there, at, coarse * px_per_mm)
    reach = round(AROUND_MM * coarse * px_per_mm) | 1
    near = cv2.resize(
        cv2.dilate(things, np.ones((reach, reach), np.uint8)), crop.shape[1::-1], interpolation=cv2.INTER_NEAREST
    )
    rows, columns = (step * places for places in np.nonzero((inside > near)[::step, ::step]))
    return np.concatenate([rim[0], rows]), np.concatenate([rim[1], columns])


def _apart(crop: Image, cloth: Light, inside: Mask, bare: Points, px_per_mm: float) -> tuple[Mask, float]:
    """255 where something lies on a cloth of this light (grey levels), which some points show `bare`; and the
    light that a hundredth of the place exceeds."""
    channels = cv2.split(cv2.divide(crop, cloth, dtype=cv2.CV_32F))
    smooth = [cv2.GaussianBlur(channel, (0, 0), 0.7) for channel in channels]
    most, least = cv2.max(cv2.max(*smooth[:2]), smooth[2]), cv2.min(cv2.min(*smooth[:2]), smooth[2])
    dark = (most < DEEP) | (most - least > COLOURED)
    lightest = cloth.max(axis=(0, 1))
    unburnt = [i for i in range(3) if lightest[i] <= max(BURNT, lightest.min())]
    unprinted = cv2.threshold(least, PRINT, 1.0, cv2.THRESH_BINARY)[1]
    white = np.asarray(np.mean([channels[i] for i in unburnt], axis=0), np.float32)
    white = _without_fibres(white, unprinted, bare, px_per_mm)
    here = inside > 0
    lightest_here = float(np.percentile(white[::2, ::2][here[::2, ::2]], 99))
    most_white = min(LIGHTEST, lightest_here)
    apart = np.where(((white > max(PAPER, 1 + TO_PAPER * (most_white - 1))) | dark) & here, 255, 0)
    side = round(SHADOW_MM * px_per_mm) | 1
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(apart.astype(np.uint8), cv2.MORPH_CLOSE, pen), np.uint8), lightest_here


def _without_fibres(light: Light, unprinted: Light, bare: Points, px_per_mm: float) -> Light:
    """The light without fibres and noise, and as if there were no print (`unprinted`: 0 where there is)."""
    soft = max(SOFT_PX, SOFT_MM * px_per_mm)
    smooth = _smooth(light, unprinted, soft)
    noise = float(np.median(np.abs(smooth[bare] - np.median(smooth[bare])))) / 0.6745
    if noise > QUIET:
        smooth = _smooth(light, unprinted, min(MOST_SOFT_MM * px_per_mm, soft * noise / QUIET))
    return smooth


def _smooth(light: Light, unprinted: Light, soft: float) -> Light:
    weight = cv2.GaussianBlur(unprinted, (0, 0), soft)
    sums = cv2.GaussianBlur(light * unprinted, (0, 0), soft)
    return np.asarray(np.where(weight > 0.1, sums / np.maximum(weight, 0.1), 0.0), np.float32)


def _cloth_light(crop: Image, bare: Points) -> Light:
    """The cloth's grey levels in each pixel (the crop's shape): a quadratic surface through bare points."""
    high, wide = crop.shape[:2]
    levels = crop[bare].astype(np.float64)
    terms = _terms(bare[1] / wide, bare[0] / high)
    usual = np.median(levels, axis=0)
    kept = np.abs(levels / np.maximum(1.0, usual) - 1).max(axis=1) < ASTRAY
    fitted = np.zeros((terms.shape[1], 3))
    fitted[0] = usual
    for _ in range(3):
        if kept.sum() < terms.shape[1]:
            break
        fitted = np.linalg.lstsq(terms[kept], levels[kept], rcond=None)[0]
        off = np.abs(levels / np.maximum(1.0, terms @ fitted) - 1).max(axis=1)
        kept = off < max(CLOTH, 2.5 * float(np.median(off)))
    x, y = (2 * np.arange(side, dtype=np.float32) / side - 1 for side in (wide, high))
    surface = [
        (one + right * x + rights * x * x)[None, :]
        + ((down + cross * x[None, :]) + downs * y[:, None]) * y[:, None]
        for one, right, down, rights, downs, cross in fitted.T.astype(np.float32)
    ]
    return np.asarray(np.maximum(cv2.merge(surface), 1.0), np.float32)


def _terms(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = np.broadcast_arrays(2 * x - 1, 2 * y - 1)
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=-1)
