"""Finds white discs of a dealer button's size on a felt.

Candidates come from the shrunken picture that motion is judged on; a rim is then fitted in the picture itself. It
is a button when its rim is a circle of 50 to 90 mm all the way round and most of it is white, lettered or plain.
Chips are smaller, cards have corners.

On a cloth nearly as white as the button nothing pale stands out: there round edges tell where to look, and a rim
is the slight fall from white plastic to cloth, to a shadow, or to its own side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.seen import Corners
from vision.geometry.felt import Felt
from vision.geometry.hanging import Calibration
from vision.geometry.pixels import Pixels, RawPixels
from vision.geometry.view import View, Window, shrink_of, view_of

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
Spot = tuple[float, float]  # x, y (mm)
Cut = Callable[[float, float, float], tuple[Image, float]]  # x, y, half a side (mm) → that square, and its px/mm

SMALLEST_MM, LARGEST_MM = 47.0, 94.0  # buttons are 50 to 90 mm wide; the rest is the error of the fit
PALE = 0.30  # largest saturation of white plastic
BRIGHT = 0.50  # part of the picture's brightest, in the least channel
RAYS = 72
REACH_MM = 62.0  # distance from the centre in which a rim is searched
OFF_MM, OFF_PX = 1.0, 0.9  # largest deviation of a rim from its circle
# On white cloth print of a card may be as round as a smaller one. A rim is seen inside its rounded edge at one
# side, outside at the shadow's.
SMALLEST_ON_WHITE_MM, OFF_ON_WHITE_MM = 47.5, 1.5
ALL_ROUND, ROUND_PRINT = 0.90, 0.80  # least part of the rays that meet the rim of a button, of print
ENOUGH = 1.0  # pixels to the millimetre in which a rim is looked for
WHITE_INSIDE, BARE = 0.50, 0.75  # least part of a disc that is bare white, beside letters and rings; of its light
STEP_PX = 0.5
FALL, FALL_ON_WHITE = 0.22, 0.035  # least relative drop of white's light at a rim
SOFT_MM = 0.5  # over which light falls off on white cloth, against the cloth's fibres
LIGHTER, AS_LIGHT = 1.03, 0.95  # times the light right around it; and of most things farther off
ROUGH_MM, GRID_MM = 15.0, 2.5  # largest error of the first guess of its middle; between middles that are tried
EDGE, ROUND = 0.025, 1.2  # least relative slope of an edge of a round thing; votes to the pixel of a circle
MOST_ROUND, CLOTH = 40, 0.3  # looked at; least part of the light of most of the picture that cloth has
MOST_CANDIDATES = 12
SAME_PLACE_MM = 6.0


@dataclass(frozen=True)
class ButtonDisc:
    """A disc on the felt: its middle and diameter in millimetres."""

    x: float
    y: float
    diameter: float

    def near(self, x: float, y: float) -> bool:
        return math.hypot(self.x - x, self.y - y) < SAME_PLACE_MM

    @property
    def box(self) -> Corners:
        """The square around it (mm)."""
        r = self.diameter / 2
        return (
            (self.x - r, self.y - r),
            (self.x + r, self.y - r),
            (self.x + r, self.y + r),
            (self.x - r, self.y + r),
        )


def pale_spots(small: Image, px_per_mm: float) -> list[Spot]:
    """Middles (mm) of round white things of a button's size in a picture of a few pixels to the centimetre."""
    blue, green, red = cv2.split(small)
    least, most = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    bright = BRIGHT * float(np.percentile(least[::2, ::2], 99.8))
    pale = ((least > (1 - PALE) * most) & (least > bright)).astype(np.uint8)
    count, _, stats, middles = cv2.connectedComponentsWithStats(pale, connectivity=4)
    slack = 2.0 / px_per_mm
    found = []
    for i in range(1, count):
        width, height, area = (int(v) for v in stats[i][2:5])
        sides = sorted((width / px_per_mm, height / px_per_mm))
        if sides[0] < SMALLEST_MM - slack or sides[1] > LARGEST_MM + slack or sides[1] > 1.35 * sides[0] + slack:
            continue
        if area > 0.45 * width * height:
            x, y = (float(v) for v in middles[i])
            found.append(((x + 0.5) / px_per_mm, (y + 0.5) / px_per_mm))
    return found[:MOST_CANDIDATES]


def round_spots(least: NDArray[np.float32], px_per_mm: float) -> list[Spot]:
    """Middles (mm) of round things of a button's size, light or dark, the roundest first.

    Every edge in the shrunken picture votes for the middles of the circles of which it may be a part; `least` is
    the least of its channels.
    """
    across, down = (
        cv2.Scharr(least, cv2.CV_32F, 1, 0, scale=1 / 32),
        cv2.Scharr(least, cv2.CV_32F, 0, 1, scale=1 / 32),
    )
    steep = cv2.magnitude(across, down)
    dark = CLOTH * float(np.median(least))
    rows, columns = np.nonzero(steep > EDGE * np.maximum(least, dark))
    right, below = (part[rows, columns] / steep[rows, columns] for part in (across, down))
    high, wide = least.shape
    votes = np.zeros((high, wide), np.float32)
    for radius in np.arange(SMALLEST_MM / 2 * px_per_mm, LARGEST_MM / 2 * px_per_mm + 0.5):
        here = np.zeros(high * wide, np.float32)
        for way in (-radius, radius):
            x, y = np.rint(columns + way * right).astype(np.intp), np.rint(rows + way * below).astype(np.intp)
            seen = (x >= 0) & (x < wide) & (y >= 0) & (y < high)
            here += np.bincount(y[seen] * wide + x[seen], minlength=high * wide)
        near = cv2.boxFilter(here.reshape(high, wide), -1, (3, 3), normalize=False)
        votes = np.maximum(votes, near / np.float32(2 * np.pi * radius))
    on_cloth = cv2.dilate(least, np.ones((3, 3), np.uint8)) > dark
    top = (votes >= cv2.dilate(votes, np.ones((3, 3), np.uint8))) & (votes > ROUND) & on_cloth
    rows, columns = np.nonzero(top)
    best = np.argsort(-votes[rows, columns])[:MOST_ROUND]
    return [((columns[i] + 0.5) / px_per_mm, (rows[i] + 0.5) / px_per_mm) for i in best]


def printed_discs(felt: Felt, camera: Calibration | None, picture: Image) -> list[Spot]:
    """Middles (mm) of round print on the empty felt in a picture (BGR) that may be taken for a button."""
    view = view_of(felt, camera, (picture.shape[1], picture.shape[0]))
    pixels = RawPixels(picture)
    small, px_per_mm = view.shrunk(pixels), felt.px_per_mm / shrink_of(felt)
    light = small.min(axis=2).astype(np.float32)
    spots = round_spots(light, px_per_mm) if felt.white else pale_spots(small, px_per_mm)
    cut = squares(felt, view, pixels)
    found = [disc_at(*spot, cut, on_white=bool(felt.white), all_round=ROUND_PRINT) for spot in spots]
    return [(round(disc.x, 1), round(disc.y, 1)) for disc in found if disc is not None]


def squares(felt: Felt, view: View, pixels: Pixels) -> Cut:
    """Cuts squares of the felt out of a picture, as fine as a rim needs; outside it is as at its edge."""

    def cut(x: float, y: float, half: float) -> tuple[Image, float]:
        left, top = (round(float(v)) for v in felt.to_px((x - half, y - half)))
        side = round(2 * half * felt.px_per_mm)
        width, height = felt.size_px
        inside = Window(max(0, left), max(0, top), min(width, left + side), min(height, top + side))
        square = view.cut(pixels.whole(), inside, keep=False)
        around = inside.top - top, top + side - inside.bottom, inside.left - left, left + side - inside.right
        if any(around):
            square = np.asarray(cv2.copyMakeBorder(square, *around, cv2.BORDER_REPLICATE), np.uint8)
        if felt.px_per_mm <= ENOUGH:
            return square, felt.px_per_mm
        part = ENOUGH / felt.px_per_mm
        small = cv2.resize(square, None, fx=part, fy=part, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8), small.shape[0] / square.shape[0] * felt.px_per_mm

    return cut


def disc_at(
    x: float, y: float, cut: Cut, *, on_white: bool = False, all_round: float = ALL_ROUND
) -> ButtonDisc | None:
    """The button whose middle lies about there (mm); None where it is none. Its rim is met by `all_round` of the
    rays."""
    crop, px_per_mm = cut(x, y, REACH_MM + ROUGH_MM)
    half = np.array((crop.shape[1] / 2 - 0.5, crop.shape[0] / 2 - 0.5))
    light = np.ascontiguousarray(crop.min(axis=2))
    rays, points = _falls(light, half, px_per_mm, on_white=on_white)
    near = max(OFF_PX, (OFF_ON_WHITE_MM if on_white else OFF_MM) * px_per_mm)
    for middle, radius in _circles(rays, points, half, px_per_mm, all_round):
        fitted = _fitted(rays, points, middle, radius, px_per_mm, near, all_round)
        if fitted is None:
            continue
        middle, radius = fitted
        diameter = 2 * radius / px_per_mm
        if (SMALLEST_ON_WHITE_MM if on_white else SMALLEST_MM) <= diameter <= LARGEST_MM and _white(
            crop, light, middle, radius, px_per_mm
        ):
            dx, dy = (middle - half) / px_per_mm
            return ButtonDisc(float(x + dx), float(y + dy), float(diameter))
    return None


def _falls(light: Image, middle: Points, px_per_mm: float, *, on_white: bool) -> tuple[NDArray[np.intp], Points]:
    """Points (n, 2) where light falls off along rays from a middle, and the ray of each."""
    angles = np.arange(RAYS) * 2 * np.pi / RAYS
    steps = np.arange(0, REACH_MM * px_per_mm, STEP_PX)
    xs = (middle[0] + np.outer(np.cos(angles), steps)).astype(np.float32)
    ys = (middle[1] + np.outer(np.sin(angles), steps)).astype(np.float32)
    along = cv2.remap(light, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    white = float(np.percentile(along[:, : int(0.45 * SMALLEST_MM * px_per_mm / STEP_PX)], 80))
    lag = 2  # steps to each side
    if on_white:
        wrapped = np.concatenate([along[-3:], along, along[:3]])
        along = cv2.GaussianBlur(wrapped, (0, 0), sigmaX=SOFT_MM * px_per_mm / STEP_PX, sigmaY=1.2)[3:-3]
        lag = max(lag, round(SOFT_MM * px_per_mm / STEP_PX))
    fall = np.zeros_like(along)
    fall[:, lag:-lag] = along[:, : -2 * lag] - along[:, 2 * lag :]
    top = np.zeros(fall.shape, np.bool_)
    top[:, 1:-1] = (fall[:, 1:-1] >= fall[:, :-2]) & (fall[:, 1:-1] > fall[:, 2:])
    rays, places = np.nonzero(top & (fall > (FALL_ON_WHITE if on_white else FALL) * white))
    return rays, np.stack([xs[rays, places], ys[rays, places]], axis=1).astype(np.float64)


def _circles(
    rays: NDArray[np.intp], points: Points, middle: Points, px_per_mm: float, all_round: float
) -> Iterator[tuple[Points, float]]:
    """Circles of a button's size around the middle that most rays meet, the largest first."""
    for radius in np.arange(LARGEST_MM / 2, SMALLEST_MM / 2 - 1, -2.0) * px_per_mm:
        share, about = _best(rays, points, middle, radius, (ROUGH_MM * px_per_mm, GRID_MM * px_per_mm))
        if share >= all_round:
            yield about, float(radius)


def _best(
    rays: NDArray[np.intp], points: Points, middle: Points, radius: float, grid: tuple[float, float]
) -> tuple[float, Points]:
    """Of middles in a grid (half its side, and its step) the one whose circle most rays meet, to a step; and what
    part of them does."""
    reach, step = grid
    offsets = np.arange(-reach, reach + step / 2, step)
    middles = middle + np.stack(np.meshgrid(offsets, offsets), axis=-1).reshape(-1, 1, 2)
    off = np.abs(np.hypot(*np.moveaxis(points - middles, -1, 0)) - radius)
    meets = np.zeros((len(middles), RAYS), np.bool_)
    which, point = np.nonzero(off <= step)
    meets[which, rays[point]] = True
    best = int(meets.sum(axis=1).argmax())
    return float(meets[best].mean()), middles[best, 0]


def _fitted(
    rays: NDArray[np.intp],
    points: Points,
    middle: Points,
    radius: float,
    px_per_mm: float,
    near: float,
    all_round: float,
) -> tuple[Points, float] | None:
    """The circle near such a one that nearly all rays meet; None where there is none."""
    rough = GRID_MM * px_per_mm
    tried = [
        (_best(rays, points, middle, r, (rough, near)), r) for r in np.arange(radius - rough, radius + rough, near)
    ]
    (share, middle), radius = max(tried, key=lambda one: one[0][0])
    if share < all_round:
        return None
    off = np.abs(np.hypot(*(points - middle).T) - radius)
    middle, radius = _circle(points[off <= near])
    off = np.abs(np.hypot(*(points - middle).T) - radius)
    return (middle, radius) if len(np.unique(rays[off <= near])) >= all_round * RAYS else None


def _circle(points: Points) -> tuple[Points, float]:
    """The circle nearest to points: least squares (Kåsa)."""
    matrix = np.column_stack([points, np.ones(len(points))])
    (a, b, c), *_ = np.linalg.lstsq(matrix, (points**2).sum(axis=1), rcond=None)
    middle = np.array((a / 2, b / 2))
    return middle, math.sqrt(max(0.0, float(c + middle @ middle)))


def _white(crop: Image, light: Image, middle: Points, radius: float, px_per_mm: float) -> bool:
    """Whether most of a disc is bare white, not coloured, and lighter than what it lies on."""
    height, width = crop.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    away = np.hypot(x - middle[0], y - middle[1])
    here, around = away < 0.95 * radius, (away > radius + 5 * px_per_mm) & (away < radius + 14 * px_per_mm)
    inside = crop[here].astype(np.float64)
    least, most = inside.min(axis=1), inside.max(axis=1)
    bare = least > BARE * float(np.percentile(least, 90))
    white, farther = float(np.median(least[bare])), away > radius + 14 * px_per_mm
    if any(
        white < times * float(np.median(light[part]))
        for times, part in ((LIGHTER, around), (AS_LIGHT, farther))
        if part.any()
    ):
        return False
    return float(((least > (1 - PALE) * most) & bare).mean()) >= WHITE_INSIDE
