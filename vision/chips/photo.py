"""Finds the chips in a plain picture of a table from above: no calibration, no markers, no known scale.

First discs that lie alone: whole rims on a ground that fills a good part of the picture. They tell how large a
chip is here and what it lies on; with that, overlapping ones are found. Chips in a rack beside the table lie on no
such ground and are of another size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.chips.discs import Disc, Edges, Floats, centres, measured, rays
from vision.chips.flat import AROUND, INSIDE, NO_GROUND, Chip, Flat, lying_flat
from vision.chips.lab import Image, Lab, commonest, gain_for, to_lab

COARSE_PX, FINE_PX, MOST_PX = 640, 960, 2400  # longer side of the picture at the first, second and last look
SMALLEST, LARGEST = 0.008, 0.16  # radius in parts of the longer side
SMALLEST_PX = 8.0  # radius in the picture: on less nobody tells chips from print
GROWTH = 1.12  # from one radius tried to the next
LIKELY, FAINT = 0.30, 0.16  # of a rim's votes: to be looked at, alone and once the size is known
RADIUS_PX = 21.0  # of a chip at the last look
WHOLE, CLEAR = 0.88, 9.0  # rim and contrast of a disc that tells the size
EVEN_AROUND, WIDE_GROUND = 0.5, 0.05  # of the ring around a lone chip, and of the picture, is ground
LONE_BODY = 0.42
SAME_GROUND = 18.0  # Lab units: wood grain and falling light
ONE_SIZE = 0.06
QUIET, MOST_QUIET = 0.02, 0.06  # of a radius: blur that takes noise away and leaves rims
NOISE = 0.016  # of a radius for each Lab unit of noise
RAISED = 1.04  # of the radius of the others: eighteen chips high under a camera at 1.6 m


@dataclass(frozen=True)
class Look:
    """Chips of one picture, in its pixels; `radius` is that of the discs that lie alone."""

    chips: tuple[Chip, ...]
    doubtful: tuple[Chip, ...]
    radius: float
    ground: Floats
    gain: float  # by which the picture's light was multiplied

    @property
    def largest_flat(self) -> float:
        """Radius above which a disc is nearer to the camera than those that lie flat."""
        return self.radius * RAISED


@dataclass(frozen=True)
class _Lone:
    disc: Disc
    ground: Floats
    body: float


def look(image: Image) -> Look | None:
    """The chips in a picture (BGR); None where no disc lies alone, so that nothing tells how large a chip is."""
    gain = gain_for(image)
    lone = _agreed(_lone(image, gain))
    if not lone:
        return None
    radius = float(np.median([each.disc.radius for each in lone]))
    if radius < SMALLEST_PX:
        return None
    ground = np.median([each.ground for each in lone], axis=0).astype(np.float32)
    scale = min(1.0, RADIUS_PX / radius)
    lab = _quiet(to_lab(_scaled(image, scale), gain), radius * scale)
    flat = find_flat(lab, radius * scale, ground, SAME_GROUND)
    if not flat.chips:
        return None
    by = 1 / scale
    return Look(_grown(flat.chips, by), _grown(flat.doubtful, by), radius, ground, gain)


def find_flat(lab: Lab, radius: float, ground: Floats, tolerance: float) -> Flat:
    """Chips of a known radius (pixels) in a picture, on a ground of a known colour."""
    likely = centres(Edges(lab), (radius * 0.985,), FAINT)
    return lying_flat(lab, measured(lab, likely), radius, ground, tolerance)


def _lone(image: Image, gain: float) -> list[_Lone]:
    """Discs of any size that lie alone on a wide ground."""
    longer = max(image.shape[:2])
    coarse, fine = min(1.0, COARSE_PX / longer), min(1.0, FINE_PX / longer)
    side = longer * coarse
    radii = SMALLEST * side * GROWTH ** np.arange(np.log(LARGEST / SMALLEST) / np.log(GROWTH))
    by = fine / coarse
    likely = [
        ((x + 0.5) * by - 0.5, (y + 0.5) * by - 0.5, radius * by)
        for x, y, radius in centres(Edges(to_lab(_scaled(image, coarse), gain)), map(float, radii), LIKELY)
    ]
    lab = _quiet(to_lab(_scaled(image, fine), gain), RADIUS_PX)
    whole = [disc for disc in measured(lab, likely) if disc.seen >= WHOLE and disc.contrast >= CLEAR]
    return [_Lone(each.disc.moved(1 / fine), each.ground, each.body) for each in _on_ground(lab, whole)]


def _on_ground(lab: Lab, discs: Sequence[Disc]) -> list[_Lone]:
    if not discs:
        return []
    grounds, even = commonest(rays(lab, discs, AROUND).reshape(len(discs), -1, 3))
    inside = rays(lab, discs, INSIDE).reshape(len(discs), -1, 3)
    _, bodies = commonest(inside)
    filled = (np.linalg.norm(inside - grounds[:, None], axis=2) > NO_GROUND).mean(axis=1)
    small = cv2.resize(lab, (120, 80), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    wide = [float((np.linalg.norm(small - ground, axis=1) < NO_GROUND).mean()) for ground in grounds]
    return [
        _Lone(disc, grounds[i], float(bodies[i]))
        for i, disc in enumerate(discs)
        if even[i] > EVEN_AROUND and wide[i] > WIDE_GROUND and bodies[i] > LONE_BODY and filled[i] > 0.7
    ]


def _agreed(lone: Sequence[_Lone]) -> list[_Lone]:
    """Those of the size and on the ground that most of them, by area, agree on."""
    best: list[_Lone] = []
    for one in lone:
        like = [
            other
            for other in lone
            if abs(other.disc.radius / one.disc.radius - 1) < ONE_SIZE
            and np.linalg.norm(other.ground - one.ground) < SAME_GROUND
        ]
        if _weight(like) > _weight(best):
            best = like
    return best


def _weight(lone: Sequence[_Lone]) -> float:
    return sum(each.disc.radius**2 for each in lone)


def _quiet(lab: Lab, radius: float) -> Lab:
    """The picture without the sensor's noise, as far as rims allow."""
    some = lab[:, ::3]
    noise = float(np.median(np.abs(some - cv2.GaussianBlur(some, (0, 0), 1.0))))
    share = min(MOST_QUIET, max(QUIET, NOISE * noise))
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), share * radius), np.float32)


def _scaled(image: Image, by: float) -> Image:
    if by >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)


def _grown(chips: Sequence[Chip], by: float) -> tuple[Chip, ...]:
    return tuple(Chip(chip.disc.moved(by), chip.bands, chip.body, chip.ground, chip.uncovered) for chip in chips)
