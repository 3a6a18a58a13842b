"""The dealer button: a pale disc, larger than any chip, wherever in front of a seat the dealer put it.

    watch = ButtonWatch(felt)
    watch.step(small, still, cut)      # each picture
    watch.seat                         # its seat, None while unknown

Where two such discs lie nobody can tell which is the button.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.geometry.felt import Felt, Rect
from vision.watching.disc import (
    SAME_PLACE_MM,
    SMALLEST_MM,
    ButtonDisc,
    Cut,
    Image,
    Spot,
    disc_at,
    pale_spots,
    round_spots,
)

CHANGED, STEADY = 0.03, 0.3  # part of the light of white cloth; weight of the newest picture where nothing changed
PRINTED_MM = 10.0  # farther from a round print: what lies there is not the print
FAR_MM = 150.0  # farther from every seat's place: no seat
UNDECIDED_MM = 25.0  # least difference in distance between the nearest seat and the next
MOST_JUDGED = 3  # looked at in one picture
SETTLED = 5  # pictures without motion after which no new reading is due
LOOKS = 2  # pictures without it, its place bare and still, after which it counts as gone


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
        self._light: NDArray[np.float32] | None = None
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
        if self._felt.white:
            moving = moving | self._changed(small)
        if not self._seats:
            return
        self._due = SETTLED if moving.any() else self._due - 1
        if self._due < 0:
            return  # no motion for a while
        same = SAME_PLACE_MM
        if self._light is not None:
            same = max(same, 1.5 / px_per_mm)
            spots = [spot for spot in round_spots(self._light, px_per_mm) if self._away(spot)[0][0] < FAR_MM]
        else:
            spots = pale_spots(small, px_per_mm)
        seen = [spot for spot in spots if not _moves(moving, spot, px_per_mm)]
        rested = [spot for spot in seen if any(math.dist(spot, other) < same for other in self._before)]
        self._before = seen
        self._judged = [known for known in self._judged if any(math.dist(known[:2], s) < same for s in seen)]
        new = [spot for spot in rested if all(math.dist(spot, k[:2]) >= same for k in self._judged)]
        if self.disc is not None:
            new.sort(key=lambda spot: not self._lay_at(*spot))
        self._judged += [(*spot, self._judge(spot, cut)) for spot in new[:MOST_JUDGED]]
        discs: list[ButtonDisc] = []
        for _, _, disc in self._judged:
            if disc is not None and not any(disc.near(other.x, other.y) for other in discs):
                discs.append(disc)
        still = [disc for disc in discs if self._lay_at(disc.x, disc.y)]
        if len(new) > MOST_JUDGED:
            self._due = max(self._due, 1)  # which of them is the button is said when all were looked at
        elif len(discs) == 1:
            still = discs
        if still:
            self.disc, self._missed = still[0], 0
        elif len(discs) > 1 and len(new) <= MOST_JUDGED:
            self.disc = None
        elif self.disc is not None:
            self._missed = self._missed + 1 if self._bare(small, moving, px_per_mm) else 0
            if self._missed >= LOOKS:
                self.disc = None

    def _judge(self, spot: Spot, cut: Cut) -> ButtonDisc | None:
        disc = disc_at(*spot, cut, on_white=bool(self._felt.white))
        printed = disc is not None and any(math.dist((disc.x, disc.y), at) < PRINTED_MM for at in self._felt.discs)
        return None if printed else disc

    def _lay_at(self, x: float, y: float) -> bool:
        return self.disc is not None and self.disc.near(x, y)

    def _changed(self, small: Image) -> NDArray[np.bool_]:
        """Where the light changed since the last picture by as little as a button changes that of white cloth."""
        light = small.min(axis=2).astype(np.float32)
        last = self._light
        if last is None or last.shape != light.shape:
            self._light = light
            return np.ones(light.shape, np.bool_)
        change = cv2.blur(light - last, (3, 3))
        moving = np.abs(change - np.median(change)) > CHANGED * np.maximum(light, last)
        self._light = np.where(moving, light, last + STEADY * (light - last))
        return np.asarray(moving, np.bool_)

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
        if any(where.contains(disc.x, disc.y) for where in middle):
            return None
        (nearest, seat), *rest = self._away((disc.x, disc.y))
        if nearest > FAR_MM or (nearest > 0 and rest and rest[0][0] - nearest < UNDECIDED_MM):
            return None
        return seat

    def _away(self, spot: Spot) -> list[tuple[float, int]]:
        """How far (mm) a point lies from each seat's places, the nearest first."""
        return sorted((min(_distance(zone, spot) for zone in zones), seat) for seat, zones in self._seats.items())


def _places_of(felt: Felt, seat: int) -> list[Rect]:
    zones = (Zone.button(seat), Zone.cards(seat), Zone.bet(seat))
    return [felt.zones[zone] for zone in zones if zone in felt.zones]


def _distance(zone: Rect, spot: Spot) -> float:
    """How far (mm) a point lies outside a zone; 0 within it."""
    right, down = zone.within(*spot)
    return math.hypot(max(0.0, abs(right) - zone.width / 2), max(0.0, abs(down) - zone.height / 2))


def _moves(moving: NDArray[np.bool_], spot: tuple[float, float], px_per_mm: float) -> bool:
    return bool(_part(moving, spot, px_per_mm).any())


def _part(small: NDArray[np.generic], spot: tuple[float, float], px_per_mm: float) -> NDArray[np.generic]:
    """The square in the middle of a button's place."""
    column, row = (round(v * px_per_mm) for v in spot)
    reach = max(1, round(0.3 * SMALLEST_MM * px_per_mm))
    return small[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
