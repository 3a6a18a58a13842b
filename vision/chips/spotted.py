"""Chips of the cloth's own colour: nothing of them stands out but the spots on their edge, in a ring.

Such a chip has no rim that shows, and nothing fills it. What is found here may be one; print on the cloth may lie
in a ring, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.discs import Bools, Circle
from vision.chips.lab import Lab

SPOT = (0.003, 0.06)  # range of a spot's area, as a part of a chip's
SPOT_AT, ON_RING = (0.74, 1.0), 0.06  # radii of a spot's middle; largest deviation from the others
STANDS_OUT = 13.0  # least contrast to the cloth between spots, Lab units
USUALLY_AT = (0.82, 0.9)
BESIDE_IT, MOST_BESIDE = (0.55, 1.35), 0.5  # radii; spots off the ring for each on it: above it print or noise
PARTS, FEWEST_OPEN, SPOTTED, FEWEST = 8, 4, 0.75, 4  # parts of a rim; uncovered; part of these with spots; spots
MOST_SPOTS = 96  # above it a pattern
BARE = 0.75  # least part of the inside that is cloth
SAME_RING = 0.5  # part of the radius between centres

Points = NDArray[np.float64]


def rings(
    lab: Lab, stands_out: NDArray[np.uint8], radius: float, chips: Sequence[Circle]
) -> list[tuple[float, float]]:
    """The middles (pixels) of rings of spots of a chip's size, among what stands out beside `chips`."""
    spots = _spots(stands_out, np.pi * radius**2)
    if not FEWEST <= len(spots) <= MOST_SPOTS:
        return []
    likely = _middles(spots, radius)
    scored = [(_spread(spots, middle, radius, chips), middle) for middle in likely]
    found: list[tuple[float, float]] = []
    for share, (x, y) in sorted(scored, key=lambda each: -each[0]):
        if share < SPOTTED:
            break
        lone = all(np.hypot(x - u, y - v) > SAME_RING * radius for u, v in (*found, *((c.x, c.y) for c in chips)))
        if lone and _is_bare(lab, stands_out, (x, y), radius, chips):
            found.append((x, y))
    return found


def _spots(mask: NDArray[np.uint8], whole: float) -> Points:
    """The middles (n, 2) of things as small as a chip's spots."""
    _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    area = stats[:, cv2.CC_STAT_AREA] / whole
    small = (area > SPOT[0]) & (area < SPOT[1])
    small[0] = False
    return np.asarray(middles[small], np.float64)


def _middles(spots: Points, radius: float) -> list[tuple[float, float]]:
    """Where chips may lie that have two spots on their edge, and enough others about there."""
    found: list[Points] = []
    for one, other in combinations(spots, 2):
        off = other - one
        far = float(np.hypot(*off))
        for at in USUALLY_AT:
            up = (at * radius) ** 2 - far**2 / 4
            if far < radius / 4 or up < 0:
                continue
            across = np.array([-off[1], off[0]]) * (np.sqrt(up) / far)
            middle = (one + other) / 2
            found += [middle + across, middle - across]
    middles = np.array(found, np.float64).reshape(-1, 2)
    off = spots[None] - middles[:, None]
    away = np.hypot(off[..., 0], off[..., 1]) / radius
    around = ((away > SPOT_AT[0]) & (away < SPOT_AT[1])).sum(axis=1)
    return [(float(x), float(y)) for x, y in middles[around >= FEWEST]]


def _spread(spots: Points, middle: tuple[float, float], radius: float, chips: Sequence[Circle]) -> float:
    """In which part (0 to 1) of the directions in which nothing lies over it a ring has a spot."""
    off = spots - middle
    far = np.hypot(off[:, 0], off[:, 1]) / radius
    on_it = (far > SPOT_AT[0]) & (far < SPOT_AT[1])
    if on_it.any():
        on_it &= np.abs(far - np.median(far[on_it])) < ON_RING
    beside = (far > BESIDE_IT[0]) & (far < BESIDE_IT[1]) & ~on_it
    if on_it.sum() < FEWEST or beside.sum() > MOST_BESIDE * on_it.sum():
        return 0.0
    has = np.zeros(PARTS, np.bool_)
    has[_part(off[on_it])] = True
    turns = (np.arange(4 * PARTS) + 0.5) * (2 * np.pi / (4 * PARTS))
    x, y = middle[0] + radius * np.cos(turns), middle[1] + radius * np.sin(turns)
    covered: Bools = np.zeros(4 * PARTS, np.bool_)
    for chip in chips:
        covered |= chip.holds(x.astype(np.float32), y.astype(np.float32))
    free = has | ~covered.reshape(PARTS, 4).any(axis=1)
    return float(has.sum() / free.sum()) if free.sum() >= FEWEST_OPEN else 0.0


def _part(off: Points) -> NDArray[np.intp]:
    turns = np.arctan2(off[:, 1], off[:, 0]) % (2 * np.pi)
    return np.minimum(PARTS - 1, (turns * (PARTS / (2 * np.pi))).astype(np.intp))


def _is_bare(
    lab: Lab, mask: NDArray[np.uint8], middle: tuple[float, float], radius: float, chips: Sequence[Circle]
) -> bool:
    """Whether most of what lies within a ring is cloth, from which the spots differ right there."""
    height, width = mask.shape
    reach = int(np.ceil(radius))
    left, top = round(middle[0]) - reach, round(middle[1]) - reach
    if left < 0 or top < 0 or left + 2 * reach >= width or top + 2 * reach >= height:
        return False
    y, x = np.mgrid[top : top + 2 * reach + 1, left : left + 2 * reach + 1].astype(np.float32)
    within = (x - middle[0]) ** 2 + (y - middle[1]) ** 2 < radius**2
    for chip in chips:
        within &= ~chip.holds(x, y, 1.07)
    window = np.s_[top : top + 2 * reach + 1, left : left + 2 * reach + 1]
    bare, spots = within & (mask[window] == 0), within & (mask[window] > 0)
    if not spots.any() or bare.sum() <= BARE * within.sum():
        return False
    off = np.median(lab[window][spots], axis=0) - np.median(lab[window][bare], axis=0)
    return float(np.linalg.norm(off)) > STANDS_OUT
