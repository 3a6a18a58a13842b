"""The dealer button: a pale disc, larger than any chip, wherever in front of a seat the dealer put it.

    watch = ButtonWatch(felt)
    watch.step(small, still, cut)      # each picture
    watch.seat                         # its seat, None while unknown

Candidates come from the shrunken picture that motion is judged on; a rim is then fitted in the picture itself. It
is a button when its rim is a circle of 50 to 90 mm all the way round and most of it is white, lettered or plain.
Chips are smaller, cards have corners. Where two such discs lie nobody can tell which is the button.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.cards.seen import Corners
from vision.geometry.felt import Felt, Rect

Image = NDArray[np.uint8]
Points = NDArray[np.float64]
Cut = Callable[[float, float, float], tuple[Image, float]]  # x, y, half a side (mm) → that square, and its px/mm

SMALLEST_MM, LARGEST_MM = 47.0, 94.0  # buttons are 50 to 90 mm wide; the rest is the error of the fit
PALE = 0.30  # largest saturation of white plastic
BRIGHT = 0.50  # part of the picture's brightest, in the least channel
RAYS = 72
REACH_MM = 62.0  # distance from the centre in which a rim is searched
OFF_MM, OFF_PX = 1.0, 0.9  # largest deviation of a rim from its circle
ALL_ROUND = 0.90  # least part of the rays that meet the rim
WHITE_INSIDE = 0.50  # least part of a disc that is bare white, beside letters and rings
STEP_PX = 0.5
FALL = 0.22  # least relative drop of white's light at a rim
ROUGH_MM = 4.5  # largest error of the first guess of its centre
SAME_PLACE_MM = 6.0
FAR_MM = 150.0  # farther from every seat's place: no seat
UNDECIDED_MM = 25.0  # least difference in distance between the nearest seat and the next
MOST_CANDIDATES = 12
MOST_JUDGED = 3  # looked at in one picture
SETTLED = 5  # pictures without motion after which no new reading is due
LOOKS = 2  # pictures without it, its place bare and still, after which it counts as gone


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


class ButtonWatch:
    """Follows the dealer button over a felt. What it last saw stands while something lies over it."""

    def __init__(self, felt: Felt) -> None:
        self._felt = felt
        places = {seat: _places_of(felt, seat) for seat in range(1, felt.seats + 1)}
        self._seats = {seat: zones for seat, zones in places.items() if zones}
        self._before: list[tuple[float, float]] = []
        self._judged: list[tuple[float, float, ButtonDisc | None]] = []
        self._missed = 0
        self._due = SETTLED
        self.disc: ButtonDisc | None = None
        self._owned: tuple[ButtonDisc | None, int | None] = (None, None)

    @property
    def seat(self) -> int | None:
        """Whose button it is; None where it lies before nobody, between two seats, or is not seen at all."""
        if self.disc is not self._owned[0]:  # called for every zone of every picture
            self._owned = (self.disc, None if self.disc is None else self._owner(self.disc))
        return self._owned[1]

    def forget(self) -> None:
        """Know nothing any more, as after a restart."""
        self.look_again()
        self.disc = None

    def look_again(self) -> None:
        """Judge every disc anew; what was seen last stands meanwhile."""
        self._before, self._judged, self._missed, self._due = [], [], 0, SETTLED

    def step(self, small: Image, moving: NDArray[np.bool_], px_per_mm: float, cut: Cut) -> None:
        """Take the next shrunken picture (`px_per_mm` of it), where it moved, and how to cut out more of it.

        `small` is BGR, (height, width, 3) uint8; `moving` is its mask, (height, width).
        """
        self._due = SETTLED if moving.any() else self._due - 1
        if self._due < 0:
            return  # no motion for a while
        seen = [spot for spot in pale_spots(small, px_per_mm) if not _moves(moving, spot, px_per_mm)]
        rested = [spot for spot in seen if any(math.dist(spot, other) < SAME_PLACE_MM for other in self._before)]
        self._before = seen
        self._judged = [
            known for known in self._judged if any(math.dist(known[:2], s) < SAME_PLACE_MM for s in seen)
        ]
        new = [spot for spot in rested if all(math.dist(spot, k[:2]) >= SAME_PLACE_MM for k in self._judged)]
        self._judged += [(*spot, disc_at(*spot, cut)) for spot in new[:MOST_JUDGED]]
        if len(new) > MOST_JUDGED:
            self._due = max(self._due, 1)  # which of them is the button is said when all were looked at
            return
        discs = [disc for _, _, disc in self._judged if disc is not None]
        if len(discs) == 1:
            self.disc, self._missed = discs[0], 0
        elif len(discs) > 1:
            self.disc = next(
                (disc for disc in discs if self.disc is not None and self.disc.near(disc.x, disc.y)), None
            )
        elif self.disc is not None:
            self._missed = self._missed + 1 if self._bare(small, moving, px_per_mm) else 0
            if self._missed >= LOOKS:
                self.disc = None

    def _bare(self, small: Image, moving: NDArray[np.bool_], px_per_mm: float) -> bool:
        """Whether the felt shows, and lies still, where the button lay."""
        assert self.disc is not None
        spot = (self.disc.x, self.disc.y)
        here = _part(small, spot, px_per_mm).reshape(-1, 3).astype(np.float64)
        felt = np.median(small.reshape(-1, 3)[::7], axis=0)
        return (
            not _moves(moving, spot, px_per_mm)
            and float(np.abs(here.mean(axis=0) - felt).max()) < 0.35 * felt.max()
        )

    def _owner(self, disc: ButtonDisc) -> int | None:
        middle = [self._felt.zones[zone] for zone in (Zone.BOARD, Zone.POT) if zone in self._felt.zones]
        if not self._seats or any(where.contains(disc.x, disc.y) for where in middle):
            return None
        away = sorted((min(_distance(zone, disc) for zone in zones), seat) for seat, zones in self._seats.items())
        (nearest, seat), rest = away[0], away[1:]
        if nearest > FAR_MM or (nearest > 0 and rest and rest[0][0] - nearest < UNDECIDED_MM):
            return None
        return seat


def _places_of(felt: Felt, seat: int) -> list[Rect]:
    zones = (Zone.button(seat), Zone.cards(seat), Zone.bet(seat))
    return [felt.zones[zone] for zone in zones if zone in felt.zones]


def _distance(zone: Rect, disc: ButtonDisc) -> float:
    """How far (mm) a disc's middle lies outside a zone; 0 within it."""
    right, down = zone.within(disc.x, disc.y)
    return math.hypot(max(0.0, abs(right) - zone.width / 2), max(0.0, abs(down) - zone.height / 2))


def pale_spots(small: Image, px_per_mm: float) -> list[tuple[float, float]]:
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


def disc_at(x: float, y: float, cut: Cut) -> ButtonDisc | None:
    """The button whose middle lies about there (mm); None where it is none."""
    crop, px_per_mm = cut(x, y, REACH_MM + 6)
    half = np.array((crop.shape[1] / 2 - 0.5, crop.shape[0] / 2 - 0.5))
    middle, radius, slack = half, 0.0, ROUGH_MM
    for _ in range(3):
        falls, white = _falls(crop, middle, px_per_mm)
        radius = radius or _largest(falls, px_per_mm)
        rim = _rim(falls, middle, radius, slack * px_per_mm)
        if len(rim) < ALL_ROUND * RAYS or not radius:
            return None
        middle, radius = _circle(rim)
        slack = max(OFF_MM, OFF_PX / px_per_mm) + (slack > 2) * 1.0
    off = np.abs(np.hypot(*(rim - middle).T) - radius)
    diameter = 2 * radius / px_per_mm
    if (off <= max(OFF_PX, OFF_MM * px_per_mm)).sum() < ALL_ROUND * RAYS:
        return None
    if not SMALLEST_MM <= diameter <= LARGEST_MM or not _white(crop, middle, radius, white):
        return None
    dx, dy = (middle - half) / px_per_mm
    return ButtonDisc(float(x + dx), float(y + dy), float(diameter))


def _falls(crop: Image, middle: Points, px_per_mm: float) -> tuple[NDArray[np.bool_], float]:
    """Where white falls off along each ray, (rays, steps of half a pixel); and how bright white is here."""
    angles = np.arange(RAYS) * 2 * np.pi / RAYS
    steps = np.arange(0, REACH_MM * px_per_mm, STEP_PX)
    xs = (middle[0] + np.outer(np.cos(angles), steps)).astype(np.float32)
    ys = (middle[1] + np.outer(np.sin(angles), steps)).astype(np.float32)
    least = np.ascontiguousarray(crop.min(axis=2))
    light = cv2.remap(least, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    white = float(np.percentile(light[:, : int(0.45 * SMALLEST_MM * px_per_mm / STEP_PX)], 80))
    fall = np.zeros_like(light)
    fall[:, 2:-2] = light[:, :-4] - light[:, 4:]  # over two pixels
    top = np.zeros(fall.shape, np.bool_)
    top[:, 1:-1] = (fall[:, 1:-1] >= fall[:, :-2]) & (fall[:, 1:-1] > fall[:, 2:])
    return top & (fall > FALL * white), white


def _largest(falls: NDArray[np.bool_], px_per_mm: float) -> float:
    """The largest radius (pixels) of a button at which white falls off on nearly all rays; 0: none."""
    for radius_mm in np.arange(LARGEST_MM / 2, SMALLEST_MM / 2 - 1, -1.0):
        low, high = (round((radius_mm + off) * px_per_mm / STEP_PX) for off in (-ROUGH_MM, ROUGH_MM))
        if falls[:, low : high + 1].any(axis=1).mean() >= ALL_ROUND:
            return float(radius_mm * px_per_mm)
    return 0.0


def _rim(falls: NDArray[np.bool_], middle: Points, radius: float, slack: float) -> Points:
    """On each ray the outermost fall of white about that far from the middle, (n, 2) pixels."""
    low, high = (round((radius + off) / STEP_PX) for off in (-slack, slack))
    here = falls[:, max(0, low) : high + 1]
    rays = np.flatnonzero(here.any(axis=1))
    last = here.shape[1] - 1 - here[rays, ::-1].argmax(axis=1)
    reach = (max(0, low) + last) * STEP_PX
    angles = rays * 2 * np.pi / RAYS
    return np.asarray(middle + np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach[:, None], np.float64)


def _circle(points: Points) -> tuple[Points, float]:
    """The circle nearest to points: least squares (Kåsa), again without what lies far off."""
    chosen = points
    for _ in range(2):
        matrix = np.column_stack([chosen, np.ones(len(chosen))])
        (a, b, c), *_ = np.linalg.lstsq(matrix, (chosen**2).sum(axis=1), rcond=None)
        middle = np.array((a / 2, b / 2))
        radius = math.sqrt(max(0.0, float(c + middle @ middle)))
        off = np.abs(np.hypot(*(points - middle).T) - radius)
        near = points[off <= max(1.0, 2.5 * float(np.median(off)))]
        chosen = near if len(near) >= RAYS / 2 else points
    return middle, radius


def _white(crop: Image, middle: Points, radius: float, white: float) -> bool:
    """Whether most of a disc is bare white, and not coloured."""
    height, width = crop.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    inside = crop[np.hypot(x - middle[0], y - middle[1]) < 0.95 * radius].astype(np.float64)
    least, most = inside.min(axis=1), inside.max(axis=1)
    return float(((least > (1 - PALE) * most) & (least > 0.7 * white)).mean()) >= WHITE_INSIDE


def _moves(moving: NDArray[np.bool_], spot: tuple[float, float], px_per_mm: float) -> bool:
    return bool(_part(moving, spot, px_per_mm).any())


def _part(small: NDArray[np.generic], spot: tuple[float, float], px_per_mm: float) -> NDArray[np.generic]:
    """The square in the middle of a button's place."""
    column, row = (round(v * px_per_mm) for v in spot)
    reach = max(1, round(0.3 * SMALLEST_MM * px_per_mm))
    return small[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
