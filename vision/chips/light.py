"""The light of a plain picture: the colour of a white thing in it, and whether that is certain.

Cards are the best reference: paper lies flat and is paler than the table. Glare on it is paler still and
misleading, so the colour of most of the paper is used. Without paper the palest thing may be a white chip or not,
and the light is uncertain unless it has a lamp's colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.lab import DIM_CHANNEL, Floats, Lab, commonest, from_linear, linear, to_lab
from vision.pictures import Image, at_most

LOOK_PX = 960  # longer side in pixels of the picture that is examined
WHITE = 0.9  # linear light of white
MOST_CAST = 1.5  # largest ratio between the light's channels
UNSURE_LIGHT, NO_LAMP, MOST_TINT = 1.2, 1.15, 2.15  # ratio of any channel; of green to the others; of two channels
MOST_LIGHT = 1.6  # largest light without a pale thing
PALEST_SHARE, ONE_THING = 0.001, 0.8  # part of the picture that is its palest thing; part of that in every channel
MOST_TINT_OF_PAPER = 2.6  # a lamp's light with a daylight white balance
GROUND_HUE, GROUND_LIGHT = 12.0, 0.35  # Lab units; part of the table's lightness that may vary
FLAT = 4.0  # Lab units to the next pixel
PALER = 1.1  # times the ground's dimmest channel
GLARE = 0.35  # least lightness of paper by the palest thing's dimmest channel
LEAST_THING, BESIDE, EDGED = 0.0008, 7, 9.0  # part of the picture; pixels beside a thing; Lab units
AS_PALE, GLARE_EVEN = 0.35, 1.45  # part of paper's light in every channel; largest ratio between channels of glare
EVEN, MORE_LIGHT = 1.2, 25.0  # largest ratio between channels of one thing in two lights; Lab units
NEAR_WHITE = 13.0  # Lab units
FALL_PX, FALL_ROUNDS = (120, 80), 20  # of the picture in which the fall of light is fitted; steps of that
SURFACE, SAME_SURFACE = 0.3, 1.3  # least part of the picture; largest ratio of light, and between channels
BURNT = 250  # grey level from which a channel tells nothing
FALLS_MUCH = 4.6  # ratio of light on one surface: half the grey levels at one end are 4, two fifths 6
LEAST_PAPER, SAMPLES = 0.0035, 1_500  # part of the picture; pixels of paper that are compared


@dataclass(frozen=True)
class WhiteBalance:
    """`by`: what to multiply linear light (B, G, R) with so that white is white; `gain` was applied before.

    `paper`: paper tells; `sure`: that, or something as pale and coloured as a white thing is under a lamp.
    """

    by: Floats
    sure: bool = True
    paper: bool = False
    gain: float = 1.0

    def is_white(self, ground: Floats) -> bool:
        """Whether a ground (Lab) looks about like white."""
        return float(np.linalg.norm(from_linear(WHITE / self.by) - ground)) < NEAR_WHITE


def is_burnt_out(ground: Floats, gain: float) -> bool:
    """Whether a ground (Lab, after `gain`) is about as bright as a picture can be: white hardly stands out."""
    return float(np.linalg.norm(from_linear(linear(ground) / gain) - (100.0, 0.0, 0.0))) < NEAR_WHITE


def falls_off(image: Image) -> bool:
    """Whether the light on the table falls to a quarter from one side of a picture (BGR) to the other.

    The table is the widest surface of one hue. A plane is fitted to the logarithm of its light, from where it has
    its commonest colour outwards; what is burnt out tells nothing, and lies in that light.
    """
    small = np.asarray(cv2.resize(image, FALL_PX, interpolation=cv2.INTER_AREA), np.uint8)
    lab, burnt = to_lab(small), small.max(axis=2) >= BURNT
    if burnt.all():
        return False
    surface = linear(commonest(lab[~burnt][None])[0][0])
    channels = surface > DIM_CHANNEL * surface.max()
    ratio = np.log(np.maximum(linear(lab)[..., channels], 1e-3) / surface[channels])
    told = ~burnt & (np.ptp(ratio, axis=2) < np.log(SAME_SURFACE))
    level, (down, across) = ratio.mean(axis=2), np.mgrid[0 : 1 : FALL_PX[1] * 1j, 0 : 1 : FALL_PX[0] * 1j]
    places, plane = np.stack([np.ones_like(down), down, across], axis=-1), np.zeros(3)
    for _ in range(FALL_ROUNDS):
        on = told & (np.abs(level - places @ plane) < np.log(SAME_SURFACE))
        if on.mean() < LEAST_PAPER:
            return False
        plane = np.linalg.lstsq(places[on], level[on], rcond=None)[0]
    darkest, lightest = np.quantile((places @ plane)[on | burnt], (0.02, 0.98))
    return bool(on.mean() > SURFACE and lightest - darkest > np.log(FALLS_MUCH))


def light_of(image: Image, gain: float, ground: Floats, bodies: Sequence[Floats] = ()) -> WhiteBalance:
    """The light of a picture (BGR) of a table with a ground, and chips, of some colours (Lab, after `gain`)."""
    lab = to_lab(at_most(image, LOOK_PX)[0], gain)
    light = linear(lab)
    palest = np.quantile(light.reshape(-1, 3), 1 - PALEST_SHARE, axis=0).astype(np.float32)
    paper = _paper(lab, light, ground, float(palest.min()))
    if paper is not None and not (len(bodies) and _is_back(linear(np.array(bodies, np.float32)), paper).any()):
        return WhiteBalance((WHITE / np.maximum(paper, 0.02)).astype(np.float32), paper=True, gain=gain)
    whiter = WHITE / np.maximum(palest, 0.05)
    even = min(float(np.exp(np.log(whiter).mean())), MOST_LIGHT)
    by = np.asarray(np.clip(whiter, even / MOST_CAST, even * MOST_CAST), np.float32)
    one_thing = float((light > ONE_THING * palest).all(axis=2).mean()) > PALEST_SHARE / 2
    return WhiteBalance(by, sure=one_thing and bool(by.min() <= UNSURE_LIGHT) and _of_a_lamp(by), gain=gain)


def _paper(lab: Lab, light: Floats, ground: Floats, palest: float) -> Floats | None:
    """The light of paper that lies on the table, where there is enough of it."""
    dimmest = light.min(axis=2)
    least = max(PALER * float(linear(ground).min()), GLARE * palest)
    there = _edged(lab, _on_table(lab, ground) & _flat(lab) & (dimmest > least))
    count = int(there.sum())
    if count < LEAST_PAPER * there.size:
        return None
    pixels = lab[there][:: max(1, count // SAMPLES)]
    middle, share = commonest(pixels[None])
    if float(share[0]) * count < LEAST_PAPER * there.size:
        return None
    paper = linear(middle[0])
    paler = pixels[linear(pixels).min(axis=1) > PALER * paper.min()]
    if len(paler) * count > LEAST_PAPER * there.size * len(pixels):
        other = linear(commonest(paler[None])[0][0])
        paper = (
            paper if _even(np.asarray(other / paper, np.float32)) else other
        )  # glare is even; a grey thing and paper are two
    if float(_is_back(light[there], paper).sum()) > PALEST_SHARE * there.size:
        return None
    by = (WHITE / np.maximum(paper, 0.02)).astype(np.float32)
    return paper if _of_a_lamp(by, MOST_TINT_OF_PAPER) else None


def _is_back(others: Floats, paper: Floats) -> NDArray[np.bool_]:
    """Which of other pale things (n, 3) have more of one colour than what was taken for paper: no paper has less
    of any colour than what it lies beside, so this is a card's back, and that may be white."""
    ratio = others / np.maximum(paper, 0.02)
    least, most = ratio.min(axis=1), ratio.max(axis=1)
    return np.asarray((least > AS_PALE) & (most > GLARE_EVEN * least) & (most > PALER), np.bool_)


def _even(ratio: Floats) -> bool:
    """Whether two colours are of one thing in more and in less light."""
    return bool(ratio.max() < EVEN * ratio.min())


def _edged(lab: Lab, there: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The things in a mask that differ from what is right beside them; a table's sheen fades into it."""
    count, numbers, stats, _ = cv2.connectedComponentsWithStats(there.astype(np.uint8))
    kept = np.zeros_like(there)
    for i in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[i])
        if area < LEAST_THING * there.size:
            continue
        window = np.s_[max(0, top - BESIDE) : top + height + BESIDE, max(0, left - BESIDE) : left + width + BESIDE]
        its = (numbers[window] == i).astype(np.uint8)
        size = np.ones((3, 3), np.uint8)
        outside = cv2.dilate(its, size, iterations=BESIDE) - cv2.dilate(its, size, iterations=2)
        inside = its - cv2.erode(its, size, iterations=2)
        if not outside.any():
            continue
        beside, rim = (np.median(lab[window][part > 0], axis=0) for part in (outside, inside))
        lit_more = (
            _even(np.asarray(linear(rim) / np.maximum(linear(beside), 1e-3), np.float32))
            and float(rim[0] - beside[0]) < MORE_LIGHT
        )
        if float(np.linalg.norm(rim - beside)) > EDGED and not lit_more:
            kept[window] |= its > 0
    return kept


def _on_table(lab: Lab, ground: Floats) -> NDArray[np.bool_]:
    """What lies on the table: within the largest thing of the ground's colour, and not of it."""
    off = lab - ground
    like = cv2.magnitude(off[..., 1], off[..., 2]) < GROUND_HUE
    like &= np.abs(off[..., 0]) < GROUND_LIGHT * max(20.0, float(ground[0]))
    count, numbers, stats, _ = cv2.connectedComponentsWithStats(like.astype(np.uint8))
    table = np.zeros(like.shape, np.uint8)
    if count > 1:
        largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
        ys, xs = np.nonzero(numbers == largest)
        hull = cv2.convexHull(np.stack([xs, ys], axis=1).astype(np.int32))
        cv2.fillConvexPoly(table, hull, 1)
    return np.asarray((table > 0) & ~like, np.bool_)


def _flat(lab: Lab) -> NDArray[np.bool_]:
    """Where colours do not change from pixel to pixel."""
    square = np.ones((3, 3), np.uint8)
    change = np.stack(
        [cv2.morphologyEx(np.ascontiguousarray(lab[..., i]), cv2.MORPH_GRADIENT, square) for i in range(3)]
    )
    return np.asarray(change.max(axis=0) < 2 * FLAT, np.bool_)


def _of_a_lamp(by: Floats, most: float = MOST_TINT) -> bool:
    """Whether light of a lamp or of day may look like this: yellowish or bluish, and not very coloured."""
    blue, green, red = (float(v) for v in by)
    lamp = min(blue, red) / NO_LAMP < green < max(blue, red) * NO_LAMP
    return lamp and max(blue, green, red) <= most * min(blue, green, red)
