"""Finds the chips in a plain picture of a table from above: no calibration, no markers, unknown scale.

First come discs that lie alone: whole rims on a ground that fills a good part of the picture. They give the size
of a chip and the colour of the ground, with which overlapping chips are found. Chips in a rack beside the table
lie on no such ground and have another size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from vision.chips.discs import Circle, Edges, centres, measured
from vision.chips.flat import NO_GROUND, Chip, Flat, looks_at, lying_flat
from vision.chips.lab import Floats, Lab, gain_for, quiet, to_lab
from vision.chips.left_over import left_over
from vision.chips.light import light_of
from vision.pictures import Image, at_most, reduced

COARSE_PX, FINE_PX = 960, 1280  # longer side of the picture at the first and second look
SMALLEST, LARGEST = 0.008, 0.16  # radius in parts of the longer side
SMALLEST_PILED = 0.0085  # radius in parts of the longer side
SMALLEST_PX = 8.0  # least radius in pixels: below it chips look like print
GROWTH = 1.12  # ratio of one radius tried to the one before
LIKELY, PERHAPS, FAINT = 0.30, 0.20, 0.16  # part of a rim's votes: examined first, then, and
# once the size is known
RADIUS_PX = 21.0  # radius of a chip in the last look
WHOLE, CLEAR, LESS_CLEAR = 0.88, 9.0, 7.5  # rim, contrast of a disc that gives the size; contrast at second try
NEARLY = 0.8  # least rim of the only disc: spots may have the ground's colour
PARTLY, PARTLY_FACING, TABLE = 0.6, 0.3, 0.3  # rim, rim on ground, ground in the picture of a chip of unknown size
FACING, WIDE_GROUND = 0.6, 0.05  # least ground along a single chip's rim, and in the picture
PIECES_PX = (320, 240)  # of the picture in which pieces of the ground are told apart
SAME_GROUND = 18.0  # Lab units: wood grain and uneven light
ONE_SIZE = 0.06
SAME_PLACE = 0.5  # part of the radius between centres
OTHER_SIZE = 0.015  # part of the radius by which all chips differ from those that lie alone
ABOUT_ONE_SIZE, APART = 0.75, (0.2, 2.2)  # radii
SIZE_SPREAD = 0.012  # part of the radius: least standard error of a measured one
CLEARLY = 3.0  # standard errors: a larger disc lies higher; 3.6 % are sixteen chips under a camera at 1.6 m
MOST_DOUBTFUL = 4  # things that may be chips, and are no fewer than the chips: their size is not a chip's
LIKE_PRINT = "what may be chips is as small as print: take the picture from nearer"
TO_SIGMA = 1.48  # factor from median deviation to standard deviation


@dataclass(frozen=True)
class PhotoChips:
    """Chips of one picture, in its pixels; `radius` is that of most."""

    chips: tuple[Chip, ...]
    doubtful: tuple[Chip, ...]
    radius: float
    ground: Floats
    gain: float  # by which the picture's light was multiplied

    def is_raised(self, chip: Chip) -> bool:
        """Whether a disc is clearly nearer to the camera than those that lie flat: the top of a stack."""
        off = [abs(other.disc.radius / self.radius - 1) for other in self.chips]
        spread = max(SIZE_SPREAD, TO_SIGMA * float(np.median(off)))
        return chip.disc.radius > self.radius * (1 + CLEARLY * spread)


@dataclass(frozen=True)
class NoScale:
    """Possible chips, none of them clearly one that lies alone: the size of a chip is unknown."""

    why: str = "no chip lies alone: nothing tells how large a chip is"


@dataclass(frozen=True)
class _Lone:
    disc: Circle
    ground: Floats


def look(image: Image) -> PhotoChips | NoScale | None:
    """The chips in a picture (BGR); None where nothing may be one."""
    gain = gain_for(image)
    some, piled = _lone(image, gain)
    lone = _agreed(some)
    if not lone:
        return NoScale() if piled else None
    radius = float(np.median([each.disc.radius for each in lone]))
    if radius < SMALLEST_PX:
        return NoScale(LIKE_PRINT)
    ground = np.median([each.ground for each in lone], axis=0).astype(np.float32)
    if light_of(image, gain, ground).is_white(ground) and _widest(image, gain, ground) < TABLE:
        return NoScale("what may be chips lies on something as white and small as a card: it may be print")
    scale = min(1.0, RADIUS_PX / radius)
    lab = quiet(to_lab(reduced(image, scale), gain), radius * scale)
    flat = find_flat(lab, radius * scale, ground, SAME_GROUND)
    if not flat.chips:
        return None
    doubtful = (*flat.doubtful, *left_over(lab, flat, radius * scale))
    if len(doubtful) >= max(MOST_DOUBTFUL, len(flat.chips)):
        return NoScale(
            "most of what may be chips is none for sure: take the picture from above, with fewer things about"
        )
    by = 1 / scale
    usual = float(np.median([chip.disc.radius for chip in flat.chips])) * by
    if usual < SMALLEST_PX:
        return NoScale(LIKE_PRINT)
    return PhotoChips(_grown(flat.chips, by), _grown(doubtful, by), usual, ground, gain)


def find_flat(lab: Lab, radius: float, ground: Floats, tolerance: float) -> Flat:
    """Chips of about a radius (pixels) in a picture, on a ground of a known colour.

    A radius that few chips told, some of them with their shadow, is made better by all that were found.
    """
    edges = Edges(lab)

    def of(size: float) -> Flat:
        likely = centres(edges, (size * 0.985,), FAINT)
        return lying_flat(lab, measured(lab, likely), size, ground, tolerance)

    flat = of(radius)
    usual = float(np.median([chip.disc.radius for chip in flat.chips])) if flat.chips else radius
    if abs(usual / radius - 1) > OTHER_SIZE:
        better = of(usual)
        return better if len(better.chips) >= len(flat.chips) else flat
    return flat


def _lone(image: Image, gain: float) -> tuple[list[_Lone], bool]:
    """Discs of any size that lie alone on a wide ground; whether others show in part.

    Where no clear rim votes for one, fainter ones are looked at: a white chip on pale wood.
    """
    small, coarse = at_most(image, COARSE_PX)
    larger, fine = at_most(image, FINE_PX)
    side = max(image.shape[:2]) * coarse
    radii = [float(r) for r in SMALLEST * side * GROWTH ** np.arange(np.log(LARGEST / SMALLEST) / np.log(GROWTH))]
    by = fine / coarse
    edges = Edges(to_lab(small, gain))
    lab = quiet(to_lab(larger, gain), RADIUS_PX)
    clear: list[Circle] = []
    for least, contrast in ((LIKELY, CLEAR), (PERHAPS, LESS_CLEAR)):
        likely = [((x + 0.5) * by - 0.5, (y + 0.5) * by - 0.5, r * by) for x, y, r in centres(edges, radii, least)]
        clear = [disc for disc in measured(lab, likely) if disc.contrast >= contrast]
        whole = _on_ground(lab, [disc for disc in clear if disc.seen >= WHOLE], FACING, WIDE_GROUND)
        if whole:
            return [_Lone(each.disc.moved(1 / fine), each.ground) for each in _once(whole)], False
    nearly = [disc for disc in clear if disc.seen >= NEARLY and disc.contrast >= CLEAR]
    whole = _on_ground(lab, nearly, FACING, WIDE_GROUND)
    if whole:
        return [_Lone(each.disc.moved(1 / fine), each.ground) for each in _once(whole)], False
    some = [disc for disc in clear if disc.seen >= PARTLY and disc.radius > SMALLEST_PILED * max(lab.shape)]
    return [], _together([each.disc for each in _on_ground(lab, some, PARTLY_FACING, TABLE)])


def _once(lone: Sequence[_Lone]) -> list[_Lone]:
    """Each place once, by its clearest rim: around a chip's own there may be its shadow's."""
    kept: list[_Lone] = []
    for one in sorted(lone, key=lambda each: -each.disc.seen * each.disc.contrast):
        x, y = one.disc.x, one.disc.y
        if all(float(np.hypot(x - k.disc.x, y - k.disc.y)) > SAME_PLACE * k.disc.radius for k in kept):
            kept.append(one)
    return kept


def _together(discs: Sequence[Circle]) -> bool:
    """Whether two of about one size touch or lie over each other: one round thing may be anything."""
    for one, other in combinations(discs, 2):
        small, large = sorted((one.radius, other.radius))
        apart = float(np.hypot(one.x - other.x, one.y - other.y)) / large
        if small > ABOUT_ONE_SIZE * large and APART[0] < apart < APART[1]:
            return True
    return False


def _on_ground(lab: Lab, discs: Sequence[Circle], facing: float, wide: float) -> list[_Lone]:
    """Discs with a ground right around `facing` of them that fills more than `wide` of the picture."""
    small = cv2.resize(lab, (120, 80), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    lone = []
    for seen in looks_at(lab, discs):
        if seen.evidence(())[2] < facing or not seen.filled(()):
            continue
        if float((np.linalg.norm(small - seen.surroundings, axis=1) < NO_GROUND).mean()) > wide:
            lone.append(_Lone(seen.disc, seen.surroundings))
    return lone


def _widest(image: Image, gain: float, ground: Floats) -> float:
    """The largest piece of the ground's colour, as a part (0 to 1) of the picture."""
    small = to_lab(np.asarray(cv2.resize(image, PIECES_PX, interpolation=cv2.INTER_AREA), np.uint8), gain)
    like = (np.linalg.norm(small - ground, axis=2) < SAME_GROUND).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(like, connectivity=4)
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0) / like.size)


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


def _grown(chips: Sequence[Chip], by: float) -> tuple[Chip, ...]:
    return tuple(replace(chip, disc=chip.disc.moved(by)) for chip in chips)
