"""What the chips found in a plain picture do not explain and may be another: neither counted nor forgotten."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.discs import RAYS, Circle
from vision.chips.flat import SHADOW, Chip, Flat
from vision.chips.lab import Floats, Lab, commonest
from vision.chips.spotted import rings

STANDS_OUT = 13.0  # least contrast to the ground, Lab units
ROUND_SIZE, ROUND = (0.86, 1.16), 0.80  # radii; filled part of the circle around it
NEAR, GROWN, THIN = 1.3, 1.07, 0.05  # radii: beside a chip; its blurred rim; thinner things are no chips
LEAST_PART, MOST_PART = 0.012, 3.0  # visible part of a chip beside another
LIKE_A_CHIP = 20.0  # Lab units
MUCH_OF_ONE, MOST_OF_ONE = 0.15, 0.7  # part of a chip: may be one from here; largest visible part


def left_over(lab: Lab, flat: Flat, radius: float) -> list[Chip]:
    """What the chips found do not explain and may be another: a part that shows beside one, or a round thing.

    Each is given as a chip at its place, for its colour. A ring of spots may be a chip of the ground's colour.
    `lab` is (height, width, 3); `radius` and the discs are in its pixels.
    """
    mask, doubt = _standing_out(lab, flat), []
    near = np.zeros(mask.shape, np.uint8)
    for chip in flat.chips:
        chip.disc.fill(near, NEAR, 255)
    for chip in (*flat.chips, *flat.doubtful):
        chip.disc.fill(mask, GROWN, 0)
    doubt += [
        _of_colour(chip.disc, chip.covering) for chip in flat.chips if chip.covering is not None
    ]  # it may be a chip that no disc was found of
    for middle in rings(lab, mask, radius, [chip.disc for chip in (*flat.chips, *flat.doubtful)]):
        spotted = Circle(*middle, radius, np.zeros(RAYS, np.bool_), 0.0)
        doubt.append(_of_colour(spotted, _bare_within(lab, mask, spotted)))
        spotted.fill(mask, GROWN, 0)
    size = max(1, round(THIN * radius)) * 2 + 1
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)
    whole = np.pi * radius**2
    count, numbers, stats, middles = cv2.connectedComponentsWithStats(mask)
    for i in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[i])
        window = np.s_[top : top + height, left : left + width]
        its = numbers[window] == i
        beside = LEAST_PART < area / whole < MOST_PART and bool(near[window][its].any())
        if not beside and not _round(its, radius):
            continue
        size_px = radius if beside else max(width, height) / 2
        disc = Circle(float(middles[i, 0]), float(middles[i, 1]), size_px, np.zeros(RAYS, np.bool_), 0.0)
        doubt += [
            _of_colour(disc, colour)
            for colour in _colours_in(lab[window][its], flat, whole, any_colour=not beside)
        ]
    return doubt


def _standing_out(lab: Lab, flat: Flat) -> NDArray[np.uint8]:
    """1 where something else than the ground, or its shadow, is."""
    ground = _ground_near(lab, flat)
    off = lab - ground
    hue = cv2.magnitude(off[..., 1], off[..., 2])
    paler = (off[..., 0] > 0) & (np.linalg.norm(off, axis=2) > STANDS_OUT)
    return np.asarray((hue > STANDS_OUT) | paler | (-off[..., 0] > SHADOW * ground[..., 0]), np.uint8)


def _of_colour(disc: Circle, colour: Floats) -> Chip:
    return Chip(disc, np.tile(colour, (3, 1)), colour, np.full(3, np.nan, np.float32), 0.0)


def _bare_within(lab: Lab, mask: NDArray[np.uint8], disc: Circle) -> Floats:
    """The colour between the spots of a ring."""
    within = np.zeros(mask.shape, np.uint8)
    disc.fill(within, 0.9, 1)
    return np.asarray(np.median(lab[(within > 0) & (mask == 0)], axis=0), np.float32)


def _colours_in(piece: Floats, flat: Flat, whole: float, *, any_colour: bool) -> list[Floats]:
    """The colours (n, 3 pixels) that chips in a piece may have, one for each such chip.

    A pile's piece may be of several chips. A small one that is like none of the chips that lie here is print or a
    finger's tip.
    """
    colours: list[Floats] = []
    for chip in flat.chips:
        if any(np.linalg.norm(chip.body - colour) < LIKE_A_CHIP for colour in colours):
            continue
        area = float((np.linalg.norm(piece - chip.body, axis=1) < LIKE_A_CHIP).sum())
        if area > LEAST_PART * whole:
            colours += [chip.body] * math.ceil(area / (MOST_OF_ONE * whole))
    main: Floats = commonest(piece[None])[0][0]
    foreign = all(np.linalg.norm(main - chip.body) >= LIKE_A_CHIP for chip in flat.chips)
    if foreign and (any_colour or len(piece) > MUCH_OF_ONE * whole):
        colours.append(main)
    return colours


def _ground_near(lab: Lab, flat: Flat) -> Lab:
    """The colour of the ground at each pixel: that around the nearest chip."""
    known = [chip for chip in flat.chips if not np.isnan(chip.ground).any()]
    if not known:
        return np.broadcast_to(np.median(lab.reshape(-1, 3), axis=0), lab.shape).astype(np.float32)
    height, width = lab.shape[:2]
    y, x = np.mgrid[0:height:8, 0:width:8]
    far = np.stack([(x - chip.disc.x) ** 2 + (y - chip.disc.y) ** 2 for chip in known])
    coarse = np.array([chip.ground for chip in known], np.float32)[far.argmin(axis=0)]
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _round(its: NDArray[np.bool_], radius: float) -> bool:
    """Whether a thing is about as large and as round as a chip."""
    height, width = its.shape
    if not ROUND_SIZE[0] < max(height, width) / (2 * radius) < ROUND_SIZE[1]:
        return False
    return bool(its.sum() > ROUND * np.pi / 4 * max(height, width) ** 2)
