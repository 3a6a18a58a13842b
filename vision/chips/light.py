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

from vision.chips.lab import DIM_CHANNEL, GAMMA, Floats, Lab, commonest, from_linear, linear, quiet, to_lab
from vision.pictures import Image, at_most

LOOK_PX, CHIP_PX = 960, 20.0  # longer side in pixels of the picture that is examined; about a chip's radius in it
WHITE = 0.9  # linear light of white
BURNT_WHITE = 0.95  # linear light from which white may be burnt out
AS_GLARE = 1.4  # times as light as white is the palest thing, where it is glare
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
NEAR_WHITE = 14.0  # Lab units
FALL_PX, FALL_ROUNDS = (120, 80), 20  # of the picture in which the fall of light is fitted; steps of that
SURFACE, SAME_SURFACE = 0.3, 1.3  # least part of the picture; largest ratio of light, and between channels
BURNT = 250  # grey level from which a channel tells nothing
FALLS, FALLS_MUCH = 2.2, 4.6  # ratio of light on one surface: half the grey levels at one end are 4, two fifths 6
LEAST_PAPER, SAMPLES = 0.0035, 1_500  # part of the picture; pixels of paper that are compared


@dataclass(frozen=True)
class WhiteBalance:
    """What linear light (B, G, R) is to be multiplied with so that white is white.

    `lights`: those that there may be, the likeliest first. `paper`: paper tells; `sure`: that, or something as
    pale and coloured as a white thing is under a lamp. `burnt`: white is burnt out, there may be more light.
    """

    lights: tuple[Floats, ...]
    sure: bool = True
    paper: bool = False
    burnt: bool = False

    def is_white(self, ground: Floats) -> bool:
        """Whether a ground (Lab) may be about white."""
        white, light = from_linear(np.full(3, WHITE)), linear(ground)
        return any(float(np.linalg.norm(from_linear(light * by) - white)) < NEAR_WHITE for by in self.lights)


@dataclass(frozen=True)
class Fall:
    """How the light on a table falls from one side of a picture to the other.

    `plane`: the logarithm of the light at the top left corner, and its change across all of the height and width.
    `ratio` is that of the lightest to the darkest place.
    """

    plane: tuple[float, float, float]
    ratio: float

    def evened(self, image: Image) -> Image:
        """The picture (BGR) as it is in even light, that of its lightest side."""
        height, width = image.shape[:2]
        down, across = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j].astype(np.float32)
        light = self.plane[0] + self.plane[1] * down + self.plane[2] * across
        raised = image * np.exp((light.max() - light) / np.float32(GAMMA))[..., None]
        return np.asarray(np.clip(np.rint(raised), 0, 255), np.uint8)


def fall_of(image: Image) -> Fall | None:
    """How the light falls on the table in a picture (BGR); None where too little tells.

    The table is the widest surface of one hue. A plane is fitted to the logarithm of its light, from where it has
    its commonest colour outwards; what is burnt out tells nothing, and lies in that light.
    """
    small = np.asarray(cv2.resize(image, FALL_PX, interpolation=cv2.INTER_AREA), np.uint8)
    lab, burnt = to_lab(small), small.max(axis=2) >= BURNT
    if burnt.all():
        return None
    surface = linear(commonest(lab[~burnt][None])[0][0])
    channels = surface > DIM_CHANNEL * surface.max()
    ratio = np.log(np.maximum(linear(lab)[..., channels], 1e-3) / surface[channels])
    told = ~burnt & (np.ptp(ratio, axis=2) < np.log(SAME_SURFACE))
    level, (down, across) = ratio.mean(axis=2), np.mgrid[0 : 1 : FALL_PX[1] * 1j, 0 : 1 : FALL_PX[0] * 1j]
    places, plane = np.stack([np.ones_like(down), down, across], axis=-1), np.zeros(3)
    for _ in range(FALL_ROUNDS):
        on = told & (np.abs(level - places @ plane) < np.log(SAME_SURFACE))
        if on.mean() < LEAST_PAPER:
            return None
        plane = np.linalg.lstsq(places[on], level[on], rcond=None)[0]
    if on.mean() <= SURFACE:
        return None
    darkest, lightest = np.quantile((places @ plane)[on | burnt], (0.02, 0.98))
    return Fall((float(plane[0]), float(plane[1]), float(plane[2])), float(np.exp(lightest - darkest)))


def light_of(image: Image, gain: float, ground: Floats, bodies: Sequence[Floats] = ()) -> WhiteBalance:
    """The light of a picture (BGR) of a table with a ground, and chips, of some colours (Lab, after `gain`)."""
    lab = quiet(to_lab(at_most(image, LOOK_PX)[0], gain), CHIP_PX)  # the lightest of noise is lighter than white
    light = linear(lab)
    table, things = _on_table(lab, ground)
    palest = np.quantile(light[table], 1 - PALEST_SHARE, axis=0).astype(np.float32)
    paper, doubted = _paper(lab, light, ground, things, float(palest.min()))
    if paper is not None and len(bodies) and _is_back(linear(np.array(bodies, np.float32)), paper).any():
        paper = None
    if paper is not None and not doubted:
        return _known(paper, gain, paper=True)
    whiter = np.asarray(WHITE / np.maximum(palest, 0.05), np.float32)
    even = min(float(np.exp(np.log(whiter).mean())), MOST_LIGHT)
    by = np.asarray(np.clip(whiter, even / MOST_CAST, even * MOST_CAST), np.float32)
    one_thing = float((light[table] > ONE_THING * palest).all(axis=1).mean()) > PALEST_SHARE / 2
    if paper is None and one_thing and bool(by.min() <= UNSURE_LIGHT) and _of_a_lamp(by):
        return _known(palest, gain)
    as_it_is = np.ones(3, np.float32)
    lights = [by, as_it_is, as_it_is / np.float32(gain)]
    if one_thing and _of_a_lamp(whiter, MOST_TINT_OF_PAPER):
        lights += [whiter, whiter * np.float32(AS_GLARE)]
    if paper is not None:
        lights.append(_by(paper))
    return WhiteBalance(tuple(lights), sure=False)


def _by(white: Floats) -> Floats:
    """What light is to be multiplied with so that a white thing is white."""
    return np.asarray(WHITE / np.maximum(white, 0.02), np.float32)


def _known(white: Floats, gain: float, *, paper: bool = False) -> WhiteBalance:
    """The light that a white thing (B, G, R, after `gain`) tells."""
    return WhiteBalance((_by(white),), paper=paper, burnt=float(white.min()) / gain > BURNT_WHITE)


def _paper(
    lab: Lab, light: Floats, ground: Floats, things: NDArray[np.bool_], palest: float
) -> tuple[Floats | None, bool]:
    """The light of paper that lies on the table, where there is enough of it; and whether that is doubtful."""
    dimmest = light.min(axis=2)
    least = max(PALER * float(linear(ground).min()), GLARE * palest)
    there = _edged(lab, things & _flat(lab) & (dimmest > least))
    count = int(there.sum())
    if count < LEAST_PAPER * there.size:
        return None, False
    pixels = lab[there][:: max(1, count // SAMPLES)]
    middle, share = commonest(pixels[None])
    if float(share[0]) * count < LEAST_PAPER * there.size:
        return None, False
    paper = linear(middle[0])
    paler = pixels[linear(pixels).min(axis=1) > PALER * paper.min()]
    if len(paler) * count > LEAST_PAPER * there.size * len(pixels):
        other = linear(commonest(paler[None])[0][0])
        paper = (
            paper if _even(np.asarray(other / paper, np.float32)) else other
        )  # glare is even; a grey thing and paper are two
    backs = float(_is_back(light[there], paper).sum()) > PALEST_SHARE * there.size
    return paper, backs or not _of_a_lamp(_by(paper), MOST_TINT_OF_PAPER)


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


def _on_table(lab: Lab, ground: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The table, which is the largest thing of the ground's colour and what lies within; and what lies on it."""
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
    return table > 0 if table.any() else np.ones(like.shape, np.bool_), (table > 0) & ~like


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
