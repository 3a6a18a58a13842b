"""How many chips lie on each other, as far as a camera above can tell.

Straight from above a stack looks like one chip. Away from the point under the camera its top is seen further out
than its foot, so that its outline is drawn long: by the stack's height, times the distance from that point, over
the height of the camera. The outline of a stack is all points as far from a line, foot to top, as a chip's radius.
That is fitted here, with its error; where the error is too large the height stays unknown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.chips.discs import COS, RAYS, SIN, Bools, ray_colours
from vision.chips.lab import Floats, Lab

Points = NDArray[np.float64]

SPAN = np.arange(0.60, 2.401, 0.03, dtype=np.float32)  # radii from the centre at which the outline is searched
PLATEAU = 5  # samples inside an outline that measure its contrast
HALF = 0.45  # part of the way from ground to chip at which the outline lies
FAINT_SIDE = 0.25  # the same for a side, with half the contrast of the top
AT_THE_FOOT, BESIDE_IT = 0.8, 0.4  # cosines of the angles to the foot, and to its left and right
FEWEST_TO_COMPARE, SOFT_PX = 4, 0.3  # rays; differences below this are blur
LEAST = 7.0  # Lab units: an outline needs this contrast to the ground
BLACK_AT = -16.0  # L at which the lines of colours that differ in light alone meet
DARKEST_SHADOW = 0.8  # factor on the ground's cube roots of light: half of its light
RADIUS_KNOWN = 0.008  # part of the radius: its error from enrolment and calibration
PLACE_PX = 0.25  # error of one outline point
SYSTEMATIC_PX = 0.9  # systematic error: shadows, worn edges, the lens
SHADOW_LENGTH = 0.1  # part of a stack's length by which its shadow may lengthen it
DARK_SIDE_PX = 0.4  # outlines are this much too short: the side facing the camera is darker than the top
SIGMAS = 2.5
TRUSTED_WIDTH, TRUSTED_ROUGH_PX = 0.021, 0.48  # part of the radius; outlines with a larger error give no height
ROUGH_PX = 0.6  # largest root mean square residual of a stack
LONGER_PX = 0.35  # 98 of 100 outlines of one chip exceed its lean by less
BETWEEN, CLEARLY_SHORTER_PX = 1.5, 0.55  # part of a chip's lean; two chips may look shorter than theirs by less
FEWEST_RAYS = 30
NOTCH, MOST_NOTCHED = 0.08, 0.5  # part of the radius inside the outline; part of its points
LEAST_LEAN_PX = 0.28  # least lean for a chip
MOST_CHIPS = 40
ROW = 0.9  # part of the radius: a longer outline may belong to a row
STEPS = 8


@dataclass(frozen=True)
class Height:
    """`low` to `high` chips lie on each other; `high` is None where nothing tells."""

    low: int = 1
    high: int | None = None


@dataclass(frozen=True)
class Outline:
    """A stack's outline: foot and top (pixels), radius, the length from foot to top with its error, the misfit.

    A pale chip's side is darker than its top, and may hardly stand out beside it: `fade`.
    """

    foot: tuple[float, float]
    top: tuple[float, float]
    radius: float
    length: float
    error: float
    rough: float
    fade: float = 0.0  # pixels by which it ends later at the foot, where what stands out less counts, too


def height_of(outline: Outline, chip_px: float, radius: float) -> Height:
    """How many chips of `radius` an outline is high when each leans by `chip_px`.

    Chips in a row, half over each other, look like a high stack: there may be as few as such a row has.
    """
    wide = abs(outline.radius / radius - 1)  # a shadow that looks like chip makes it wider, too
    if chip_px < LEAST_LEAN_PX or wide > TRUSTED_WIDTH or outline.rough > TRUSTED_ROUGH_PX:
        return Height()
    length = outline.length + DARK_SIDE_PX
    low = max(1, math.ceil((length - outline.error) / chip_px))
    if length > ROW * radius:
        low = min(low, 1 + math.ceil((length - outline.error) / (2 * radius)))
    high = max(low, math.floor((length + outline.error + outline.fade) / chip_px))
    return Height(min(low, MOST_CHIPS), high if high <= MOST_CHIPS else None)


def may_be_one(outline: Outline, chip_px: float) -> bool:
    """Whether one chip that leans by `chip_px` looks like this and two hardly do.

    Of 379 rendered single chips 331 pass, of 187 stacks of two 13, of 575 higher ones none.
    """
    return outline.length + outline.fade < min(chip_px + LONGER_PX, BETWEEN * chip_px - CLEARLY_SHORTER_PX)


def outline_at(
    lab: Lab, middle: tuple[float, float], ground: Floats, free: Bools, lean: tuple[float, float], radius: float
) -> Outline | None:
    """The outline of what stands around `middle`; None when it is no stack of chips of about `radius`.

    `lean` (pixels) is how far the top of one chip is seen from its foot; `free` says in which directions nothing
    else lies beside it.
    """
    apart = off_ground(ray_colours(lab, middle, radius, SPAN), ground)
    at, found = _edge(apart, HALF)
    usable = found & free
    if usable.sum() < FEWEST_RAYS:
        return None
    reach = at[usable] * radius
    points = np.stack([middle[0] + reach * COS[usable], middle[1] + reach * SIN[usable]], axis=1).astype(
        np.float64
    )
    chip_px = max(math.hypot(*lean), 1e-3)
    way = np.array(lean, np.float64) / chip_px
    length = max(0.3, float(np.ptp(points @ way)) - 2 * radius)
    fit = _fitted(points, middle, way, length, radius)
    if fit is None or fit.rough >= ROUGH_PX + 0.01 * radius:
        return None
    return replace(fit, fade=_fade(apart, at, usable, way, radius))


def _fade(apart: Floats, at: Floats, usable: Bools, way: Points, radius: float) -> float:
    """How much later than elsewhere (pixels) an outline ends at the foot when it need not stand out as much."""
    later, found = _edge(apart, FAINT_SIDE)
    along = COS * way[0] + SIN * way[1]
    seen = usable & found
    foot, beside = seen & (along < -AT_THE_FOOT), seen & (np.abs(along) < BESIDE_IT)
    if foot.sum() < FEWEST_TO_COMPARE or beside.sum() < FEWEST_TO_COMPARE:
        return 0.0
    further = (later - at) * radius
    return max(0.0, float(np.median(further[foot]) - np.median(further[beside])) - SOFT_PX)


def off_ground(colours: Floats, ground: Floats, brightest: float = 1.0) -> Floats:
    """How far colours (Lab, …, 3) are from the ground, in shadow or light up to `brightest`, whichever is nearest.

    Less light takes all of a colour's cube roots down by one factor: a line through black, at L = -16. `ground` is
    (3,) Lab; the result has the shape of `colours` without its last axis, in Lab units.
    """
    black = np.array([BLACK_AT, 0, 0], np.float32)
    lit, here = ground - black, colours - black
    part = np.clip((here @ lit) / float(lit @ lit), DARKEST_SHADOW, brightest)
    return np.asarray(np.linalg.norm(here - part[..., None] * lit, axis=-1), np.float32)


def _edge(apart: Floats, part_of_it: float) -> tuple[Floats, Bools]:
    """Along each ray the first place (parts of the radius) beyond which ground lies, and whether there is one.

    Ground is what stands out by less than a part of what lies inside.
    """
    inside = np.stack([apart[:, max(0, i - PLATEAU) : i + 1].max(axis=1) for i in range(len(SPAN))], axis=1)
    level = np.maximum(part_of_it * inside, HALF * LEAST)
    ends = (apart[:, :-2] >= level[:, :-2]) & (apart[:, 1:-1] < level[:, :-2]) & (apart[:, 2:] < level[:, :-2])
    found = ends.any(axis=1)
    here = ends.argmax(axis=1)
    row = np.arange(RAYS)
    first, second = apart[row, here], apart[row, here + 1]
    part = np.clip((first - level[row, here]) / np.maximum(first - second, 1e-3), 0, 1)
    return (SPAN[here] + part * (SPAN[1] - SPAN[0])).astype(np.float32), np.asarray(found, np.bool_)


def _fitted(
    points: Points, middle: tuple[float, float], way: Points, length: float, radius: float
) -> Outline | None:
    """Gauss-Newton from a stack of some length around `middle`; the radius is nearly known."""
    foot = np.array(middle, np.float64) - way * length / 2
    size, known = radius, 1 / (RADIUS_KNOWN * radius)
    for _ in range(STEPS):
        off, rows = _misfit(points, foot, way, length, size)
        weight = np.exp(-((off / (2 + 0.02 * radius)) ** 2)) / PLACE_PX
        left = np.vstack([rows * weight[:, None], [0, 0, 0, known]])
        right = np.append(-off * weight, known * (radius - size))
        step = np.linalg.solve(left.T @ left + 1e-9 * np.eye(4), left.T @ right)
        foot = foot + step[:2]
        length, size = max(0.0, length + float(step[2])), size + float(step[3])
        if not np.isfinite(foot).all() or np.abs(foot - middle).max() > 4 * radius:
            return None
    off, _ = _misfit(points, foot, way, length, size)
    notched = off < -NOTCH * radius  # pale spots on pale cloth do not make the chip smaller
    if notched.mean() > MOST_NOTCHED:
        return None
    points, off = points[~notched], off[~notched]
    rough = float(np.sqrt(np.mean(np.minimum(off * off, 4.0))))
    # the length may be near its least, 0, where its own derivative vanishes: take it at a little more
    _, rows = _misfit(points, foot, way, max(length, 0.5), size)
    left = np.vstack([rows / PLACE_PX, [0, 0, 0, known]])
    near = off[np.abs(off) < 2.0]
    spread = max(1.0, float(np.std(near)) / PLACE_PX) if len(near) else 9.0
    error = math.sqrt(abs(float(np.linalg.pinv(left.T @ left)[2, 2]))) * spread
    top = foot + way * length
    return Outline(
        (float(foot[0]), float(foot[1])),
        (float(top[0]), float(top[1])),
        size,
        length,
        SIGMAS * error + SYSTEMATIC_PX + SHADOW_LENGTH * length,
        rough,
    )


def _misfit(points: Points, foot: Points, way: Points, length: float, radius: float) -> tuple[Points, Points]:
    """How far each point is off the outline, and how that changes with foot (x, y), length and radius."""
    from_foot = points - foot
    along = from_foot @ way
    nearest = np.clip(along, 0, length)
    across = from_foot - nearest[:, None] * way
    far = np.maximum(np.linalg.norm(across, axis=1), 1e-6)
    unit = across / far[:, None]
    beyond = np.where(along >= length, -(unit @ way), 0.0)
    return far - radius, np.column_stack([-unit, beyond, -np.ones(len(points))])
