"""Reads the chips of one zone on a calibrated felt: their value where it is sure, and how many there are.

Straight from above a single chip and a stack look alike: only where the camera sees a stack lean is its height
known (`vision.chips.height`). What lies there besides chips, or is not wholly explained by them, makes the number
unknown; it is never guessed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chipset import ChipKind, ChipSet, worth
from vision.chips.count import Tag
from vision.chips.discs import COS, RAYS, SIN, Circle, Edges, centres, measured, ray_colours
from vision.chips.flat import LIKE_SIZED, NO_GROUND, SHADOW, Chip, Flat, looks_at, lying_flat
from vision.chips.height import BLACK_AT, Height, Outline, height_of, may_be_one, off_ground, outline_at
from vision.chips.lab import Floats, Lab, gain_to, quiet, to_lab
from vision.chips.photo import FAINT as FAINT_RIM
from vision.chips.photo import SAME_GROUND
from vision.chips.spotted import rings
from vision.pictures import Image

LEFT_OVER_MM2 = 70.0  # largest unexplained part: above it another chip's edge or another thing
GROWN = 1.07  # factor for a chip's blurred rim
MOST_OF_A_CHIP = 0.6
BESIDE_A_STACK = 0.2  # part of a chip: a larger remainder beside a stack, without its shadow, is another chip
ROUGH_TIMES, MOST_ROUGH = 5.0, 15.0  # times the cloth's own unevenness; Lab units
FAINT_BLUR, FAINT, BRIGHTEST = 0.15, 6.5, 1.12  # part of a radius; Lab units; by the ground's cube roots of light
FAINT_BESIDE, FAINT_PART = 0.35, 0.28  # radii beside a clear thing; part of a chip from which it may be another
LONGER_AMONG_PX = 0.8  # further tolerance for a partial outline
BESIDE = np.array([0.9, 1.1, 1.3, 1.5], np.float32)  # radii at which another chip hides an outline
LEAST_ROW, CLEAR_RIM, CLEARER = 0.4, 30.0, 3.0  # radii; Lab units; times the rim at the top
INNER, FEWEST_CROSSED = 0.94, 8  # part of the radius; rays
RIM_SIDES = np.array([0.90, 0.94, 1.06, 1.10], np.float32)  # radii
BLACK = np.array([BLACK_AT, 0, 0], np.float32)
DEEP_SHADOW, LIKE_SHADOW = 0.6, 0.88  # by the ground's cube roots of light; by a chip's distance from the ground
WHOLE_RIM = 0.9  # least visible rim of a disc that must be a chip although of no kind in the set


Mask = NDArray[np.uint8]
Places = tuple[NDArray[np.intp], NDArray[np.intp]]  # rows and columns of pixels, (n,) each
Lean = tuple[float, float]  # mm that a point is seen off its foot, x and y, for each mm that it is up


@dataclass(frozen=True)
class ZoneChips:
    """One look at a zone. `high` is None where heights are unknown, or something hides what lies there.

    `value` is that of all tournament chips there, None where it is not sure. `odd` is `bounty` or `unknown` when a
    chip lies there that is no tournament chip.
    """

    low: int = 0
    high: int | None = 0
    value: int | None = 0
    odd: str = ""
    tags: tuple[Tag, ...] = ()

    @property
    def pieces(self) -> int | None:
        """How many chips, where that is sure."""
        return self.low if self.low == self.high else None

    def agreed(self, other: ZoneChips) -> ZoneChips:
        """What two looks at the same still chips say together."""
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        value = self.value if self.value == other.value else None
        return ZoneChips(
            min(self.low, other.low), high, value, self.odd if self.odd == other.odd else "", self.tags
        )


class ZoneChipReader:
    """Reads crops of a felt at one scale with a room's chip set.

    `spread`: in this room bets are spread, no chip lies squarely on another. Then a disc is one chip where its
    outline is short enough for one and too short for two; where it is not, it is as high as it looks.
    """

    def __init__(self, chips: ChipSet, px_per_mm: float, *, spread: bool = False) -> None:
        self.chips = chips
        self._spread = spread
        self._px_per_mm = px_per_mm
        self._radius = chips.diameter_mm / 2 * px_per_mm
        self._lightness = float(np.mean([look.ground[0] for kind in chips.kinds for look in kind.looks]))

    def read(
        self,
        crop: Image,
        inside: Mask,
        rim: Places,
        cloth: tuple[float, float, float],
        lean: Lean | None = None,
    ) -> ZoneChips:
        """Read a crop (BGR) of cloth of a colour (BGR).

        `inside`, (height, width), is 255 where the zone and its rim are; `rim` is where only cloth is expected.
        `lean`: by how many mm (x, y) a point is seen off its foot for each mm that it is up; None where unknown.
        """
        gain = gain_to(cloth, self._lightness)
        lab = quiet(to_lab(crop, gain), self._radius)
        ground = to_lab(np.array([[cloth]], np.float32), gain)[0, 0]
        stands_out = self._apart(lab, ground, inside, rim)
        things, pieces = _things(stands_out, MOST_OF_A_CHIP * math.pi * self._radius**2)
        if not things:
            left = int(cv2.countNonZero(stands_out)) > LEFT_OVER_MM2 * self._px_per_mm**2
            left = left or self._faint(lab, ground, inside, stands_out)
            left = left or bool(rings(lab, stands_out, self._radius, ()))
            return ZoneChips(0, None, None) if left else ZoneChips()
        stacks = [
            self._stack(lab, ground, middle, thing, lean) for middle, thing in zip(things, pieces, strict=True)
        ]
        chips = [stack[0] for stack in stacks if stack is not None]
        heights = [stack[1] for stack in stacks if stack is not None]
        rest = stands_out.copy()
        for no, stack in zip(pieces, stacks, strict=True):
            if stack is not None:
                rest[no] = 0
                stack[0].disc.fill(rest, GROWN, 0)  # print on its label may be found separately
        more = False
        if len(chips) < len(things):
            pile = self._pile(lab, ground, rest)
            chips += pile.chips
            heights += [self._height_among(lab, ground, chip, pile.chips, lean) for chip in pile.chips]
            more = bool(pile.doubtful)
            for chip in pile.chips:
                chip.disc.fill(rest, GROWN, 0)
        more = more or _largest(rest) > LEFT_OVER_MM2 * self._px_per_mm**2
        more = more or self._faint(lab, ground, inside, stands_out)
        more = more or bool(rings(lab, rest, self._radius, [chip.disc for chip in chips]))
        return _summed(chips, self.chips.name(chips, ground), heights, more)

    def _stack(
        self,
        lab: Lab,
        ground: Floats,
        middle: tuple[float, float],
        thing: NDArray[np.bool_],
        lean: Lean | None,
    ) -> tuple[Chip, Height] | None:
        """The one stack that a thing around `middle` is; None when it is several, or none.

        Of three chips in a row the middle one alone may look like a stack: a stack is all of the thing.
        """
        way = self._way(lean)
        outline = outline_at(lab, middle, ground, np.ones(RAYS, np.bool_), way, self._radius)
        if outline is None or abs(outline.radius / self._radius - 1) > LIKE_SIZED:
            return None
        beyond = int((thing & ~_covered(outline, thing.shape)).sum())
        if beyond > BESIDE_A_STACK * math.pi * self._radius**2:
            return None
        disc = Circle(*outline.top, outline.radius, np.ones(RAYS, np.bool_), 0.0)
        seen = looks_at(lab, [disc])[0]
        if not seen.filled(()) or _is_row(lab, outline):
            return None
        chip = replace(seen.chip(()), ground=ground)
        if lean is None:
            return chip, Height()
        height = self._height(outline, math.hypot(*way))
        return chip, Height(1, height.high) if _may_be_shadow(chip.body, ground) else height

    def _way(self, lean: Lean | None) -> tuple[float, float]:
        """How far (pixels) the top of one chip is seen from its foot."""
        by = self.chips.thickness_mm * self._px_per_mm
        return (lean[0] * by, lean[1] * by) if lean is not None else (1e-3, 0.0)

    def _height(self, outline: Outline, chip_px: float) -> Height:
        if self._spread and may_be_one(outline, chip_px):
            return Height(1, 1)
        return height_of(outline, chip_px, self._radius)

    def _height_among(
        self, lab: Lab, ground: Floats, chip: Chip, pile: Sequence[Chip], lean: Lean | None
    ) -> Height:
        """How high one of several chips that touch is: what shows of its outline may tell more than one."""
        x, y = (
            chip.disc.x + chip.disc.radius * COS[:, None] * BESIDE,
            chip.disc.y + chip.disc.radius * SIN[:, None] * BESIDE,
        )
        covered = [other.disc.holds(x, y, GROWN).any(axis=1) for other in pile if other is not chip]
        free = ~np.any(covered, axis=0) if covered else np.ones(RAYS, np.bool_)
        if not self._spread or lean is None or free.all():
            return Height()
        way = self._way(lean)
        outline = outline_at(lab, chip.at, ground, free, way, self._radius)
        more = outline is not None and outline.length > math.hypot(*way) + LONGER_AMONG_PX
        return Height() if more else Height(1, 1)

    def _pile(self, lab: Lab, ground: Floats, rest: NDArray[np.uint8]) -> Flat:
        """Chips beside and over each other; how high each lies nothing tells."""
        likely = centres(Edges(lab), (self._radius,), FAINT_RIM)
        near = [(x, y, r) for x, y, r in likely if rest[round(y), round(x)]]
        return lying_flat(lab, measured(lab, near), self._radius, ground, SAME_GROUND)

    def _faint(self, lab: Lab, ground: Floats, inside: Mask, stands_out: Mask) -> bool:
        """Whether something of a chip's size lies there that hardly stands out, as a pale chip on pale wood."""
        even = cv2.GaussianBlur(lab, (0, 0), FAINT_BLUR * self._radius)
        mask = ((off_ground(np.asarray(even, np.float32), ground, BRIGHTEST) > FAINT) & (inside > 0)).astype(
            np.uint8
        )
        reach = 2 * round(FAINT_BESIDE * self._radius) + 1
        beside = cv2.dilate(stands_out, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)))
        mask[beside > 0] = 0
        return _largest(mask) > FAINT_PART * math.pi * self._radius**2

    def _apart(self, lab: Lab, ground: Floats, inside: Mask, rim: Places) -> Mask:
        """255 where something else than the ground, or its shadow, lies in the zone."""
        off = lab - ground
        rough = np.median(np.abs(off[rim]), axis=0)  # fibre, grain, noise
        hue = cv2.magnitude(off[..., 1], off[..., 2])
        tinted = float(np.clip(ROUGH_TIMES * np.hypot(rough[1], rough[2]), NO_GROUND, MOST_ROUGH))
        lighter = float(np.clip(ROUGH_TIMES * rough[0], NO_GROUND, MOST_ROUGH))
        light = np.where(off[..., 0] < 0, SHADOW * max(1.0, float(ground[0])), lighter)
        apart = ((hue > tinted) | (np.abs(off[..., 0]) > light)) & (inside > 0)
        size = max(1, round(0.03 * self._radius)) * 2 + 1
        mask = apart.astype(np.uint8) * 255
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.uint8)


def _things(
    stands_out: NDArray[np.uint8], least: float
) -> tuple[list[tuple[float, float]], list[NDArray[np.bool_]]]:
    """The middle of each thing of at least some pixels, and where it lies."""
    count, numbers, stats, middles = cv2.connectedComponentsWithStats(stands_out)
    large = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= least]
    return [(float(middles[i, 0]), float(middles[i, 1])) for i in large], [numbers == i for i in large]


def _is_row(lab: Lab, outline: Outline) -> bool:
    """Whether a chip lies over another's edge, and no stack leans: the rim at the foot shows, and over the top."""
    if outline.length < LEAST_ROW * outline.radius:
        return False
    at_foot = _rim_contrast(lab, outline.foot, outline.top, outline.radius)
    return at_foot > max(CLEAR_RIM, CLEARER * _rim_contrast(lab, outline.top, outline.foot, outline.radius))


def _rim_contrast(lab: Lab, middle: tuple[float, float], other: tuple[float, float], radius: float) -> float:
    """How strong (Lab units) the rim around a middle is within the disc around another; 0 where that is none."""
    x, y = middle[0] + radius * COS, middle[1] + radius * SIN
    within = np.hypot(x - other[0], y - other[1]) < INNER * radius
    if within.sum() < FEWEST_CROSSED:
        return 0.0
    sides = ray_colours(lab, middle, radius, RIM_SIDES)[within]
    return float(np.median(np.linalg.norm(sides[:, :2].mean(axis=1) - sides[:, 2:].mean(axis=1), axis=1)))


def _may_be_shadow(body: Floats, ground: Floats) -> bool:
    """Whether a chip is so dark that its shadow, too, may be chip: its outline is at least as long as it is."""
    deep = np.asarray(DEEP_SHADOW * (ground - BLACK) + BLACK, np.float32)
    return float(np.linalg.norm(body - deep)) < LIKE_SHADOW * float(off_ground(body, ground))


def _covered(outline: Outline, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Where a stack lies: all that is as near to the line from its foot to its top as a chip's radius."""
    mask = np.zeros(shape, np.uint8)
    radius = round(outline.radius * GROWN)
    foot, top = ((round(x), round(y)) for x, y in (outline.foot, outline.top))
    cv2.line(mask, foot, top, 255, 2 * radius)
    for end in (foot, top):
        cv2.circle(mask, end, radius, 255, -1)
    return mask > 0


def _largest(mask: NDArray[np.uint8]) -> int:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    return int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _summed(
    chips: Sequence[Chip], names: Sequence[tuple[ChipKind | None, ...]], heights: Sequence[Height], more: bool
) -> ZoneChips:
    low, high, value = 0, None if more else 0, None if more else 0
    odd, tags = "", []
    for chip, kinds, height in zip(chips, names, heights, strict=True):
        kind = kinds[0] if len(kinds) == 1 else None
        if kind is not None and kind.bounty:
            odd = "bounty"
        elif kinds == (None,) and chip.disc.seen >= WHOLE_RIM:
            odd = odd or "unknown"
        low += height.low
        high = None if high is None or height.high is None else high + height.high
        sure = kind is not None and height.low == height.high
        value = value + kind.value * height.low if sure and kind is not None and value is not None else None
        tags.append(Tag(chip.disc.x, chip.disc.y, chip.disc.radius, _text(kinds, height), sure))
    return ZoneChips(low, high, value, odd, tuple(tags))


def _text(kinds: Sequence[ChipKind | None], height: Height) -> str:
    name = " or ".join("no chip of ours" if kind is None else worth(kind.value) for kind in kinds)
    if height.low == height.high:
        return name if height.low == 1 else f"{height.low} x {name}"
    return f"{height.low}-{height.high} x {name}" if height.high is not None else f"{name}, height unknown"
