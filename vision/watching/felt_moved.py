"""Notices that a camera without markers was moved: what is printed on the felt is not where it was.

Letters, seat numbers, the ends of lines, the rail's fittings are looked for again where they lay in the first
picture. Where most of them moved together, and rest there, it was the camera or the table. Cards, chips and hands
come and go each for itself, so they never outvote the felt. Where the felt shows too little, that is said.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.felt import Felt
from vision.geometry.hanging import Calibration
from vision.geometry.pixels import Pixels, as_pixels

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

LOOK_EVERY_MS = 2_000
WIDE = 640  # width in pixels of the picture that is examined
MOST_POINTS, POINTS_APART = 120, 9
FAINTEST = 0.03  # part of the strongest corner in the picture
ENOUGH = 16  # least points to detect motion
AROUND_PX = 21  # neighbourhood of a point that is searched again
PATCH_PX, ALIKE = 15, 0.6
BACK_PX = 0.6  # largest error of a point followed there and back
TOGETHER = 0.6  # least part of the points found again that move alike
FITS_PX = 1.2
STEADY_MM = 6.0  # apparent motion at rest
ZONES_OFF_MM = 15.0  # above it a card may lie outside of its zone
RESTING_MM = 1.5  # largest motion between two pictures at rest
UNSEEN_LOOKS = 30  # pictures (a minute) with too few points before a report
UNKNOWN = "no markers, and too little of the felt's print is seen: nobody can tell whether the camera stands still"


class StillWatch:
    """Looks at the felt now and then. `trouble` is a line for a person, empty while all is well.

    `lost` is True while the camera is known to hang elsewhere: its zones mean nothing.
    """

    def __init__(self, felt: Felt, calibration: Calibration | None = None) -> None:
        self._felt = felt
        self._calibration = calibration
        self.trouble = ""
        self.lost = False
        self._first: Image | None = None
        self._points: Points = np.zeros((0, 1, 2), np.float32)
        self._next_ms: int | None = None
        self._unseen = 0
        self._before_mm: float | None = None
        self._known = False  # two pictures have shown the same felt

    def look(self, given: Pixels | Image, at_ms: int) -> Calibration | None:
        """Take a picture, or its pixels (BGR). None always: without markers nobody knows where the camera hangs.

        `at_ms` is the camera's time in ms.
        """
        if self._next_ms is not None and at_ms < self._next_ms:
            return None
        self._next_ms = at_ms + LOOK_EVERY_MS
        pixels = as_pixels(given)
        small = _evened(pixels.reduced((2 * WIDE, 2 * WIDE * pixels.size[1] // pixels.size[0])))
        moved_mm = self._moved_mm(small)
        if not self._known:
            self._known = moved_mm is not None and moved_mm < STEADY_MM
        if not self._known:
            self._begin(small)
        self._judge(moved_mm)
        return None

    def _begin(self, small: Image) -> None:
        """Take a picture as the first. The next must show the same: a hand, a covered lens would teach nothing."""
        found = cv2.goodFeaturesToTrack(
            small, MOST_POINTS, FAINTEST, POINTS_APART, mask=self._outside_zones(small)
        )
        self._first = small
        self._points = np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)

    def _outside_zones(self, small: Image) -> Image:
        """255 where neither cards nor chips are expected."""
        mask = np.full(small.shape, 255, np.uint8)
        for zone in self._felt.zones.values():
            corners = np.clip(self._in_small(np.array(zone.corners)), -WIDE, 2 * WIDE)
            cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 0)
        return mask

    def _in_small(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where points of the felt are seen in the picture that is examined."""
        if self._calibration is None:
            return np.asarray(self._felt.to_px(points_mm) * (WIDE / self._felt.size_px[0]), np.float64)
        return self._calibration.to_picture(points_mm) * (WIDE / self._calibration.lens.size_px[0])

    def _px_per_mm(self) -> float:
        """Of the picture that is examined, in the middle of the felt."""
        middle = np.array([self._felt.width_mm, self._felt.height_mm]) / 2
        here, beside = self._in_small(np.array([middle, middle + np.array((1.0, 0.0))]))
        return float(np.hypot(*(beside - here)))

    def _moved_mm(self, small: Image) -> float | None:
        """How far the felt moved in the picture (the median point); None when too little is found again."""
        if self._first is None or self._first.shape != small.shape or len(self._points) < ENOUGH:
            self._known = False
            return None
        there, back = _followed(self._first, small, self._points)
        found = (back < BACK_PX) & _alike(self._first, self._points, small, there)
        if int(found.sum()) < ENOUGH:
            return None
        before, now = self._points[found].reshape(-1, 2), there[found].reshape(-1, 2)
        move, together = cv2.estimateAffinePartial2D(before, now, ransacReprojThreshold=FITS_PX)
        if move is None or float(together.mean()) < TOGETHER:
            return None
        chosen = together.ravel() > 0
        px = float(np.median(np.hypot(*(now[chosen] - before[chosen]).T)))
        return px / self._px_per_mm()

    def _judge(self, moved_mm: float | None) -> None:
        before, self._before_mm = self._before_mm, moved_mm
        if moved_mm is None:
            self._unseen += 1
            if self._unseen >= UNSEEN_LOOKS and not self.lost:
                self.trouble = UNKNOWN
            return
        self._unseen = 0
        if moved_mm < STEADY_MM:
            self.lost, self.trouble = False, ""
        elif before is not None and abs(moved_mm - before) < RESTING_MM:
            self.lost = moved_mm >= ZONES_OFF_MM
            what = "put it back, or lay markers and calibrate" if self.lost else "the zones no longer fit well"
            self.trouble = f"camera or table was moved by about {moved_mm:.0f} mm: {what}"


def _evened(image: Image) -> Image:
    """A small grey picture in which light and dark parts have the same contrast."""
    high = round(image.shape[0] * WIDE / image.shape[1])
    grey = cv2.cvtColor(cv2.resize(image, (WIDE, high), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    plain = grey.astype(np.float32)
    around = cv2.GaussianBlur(plain, (0, 0), 8)
    spread = np.sqrt(cv2.GaussianBlur((plain - around) ** 2, (0, 0), 8)) + 4.0
    return np.asarray(np.clip(128 + 40 * (plain - around) / spread, 0, 255), np.uint8)


def _alike(first: Image, points: Points, now: Image, there: Points) -> NDArray[np.bool_]:
    """Whether what lies around each point looks as it did in the first picture (correlation)."""
    size = (PATCH_PX, PATCH_PX)
    same = np.zeros(len(points), np.bool_)
    for i, (before, after) in enumerate(zip(points.reshape(-1, 2), there.reshape(-1, 2), strict=True)):
        one = cv2.getRectSubPix(first, size, (float(before[0]), float(before[1])))
        other = cv2.getRectSubPix(now, size, (float(after[0]), float(after[1])))
        same[i] = float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0]) > ALIKE
    return same


def _followed(first: Image, now: Image, points: Points) -> tuple[Points, NDArray[np.float64]]:
    """Where points of the first picture are now (Lucas and Kanade), and how far off the way back ends (pixels)."""
    how: dict[str, Any] = {"winSize": (AROUND_PX, AROUND_PX), "maxLevel": 4}
    there, seen, _ = cv2.calcOpticalFlowPyrLK(first, now, points, points.copy(), **how)
    again, seen_again, _ = cv2.calcOpticalFlowPyrLK(now, first, there, there.copy(), **how)
    off = np.hypot(*(again - points).reshape(-1, 2).T).astype(np.float64)
    off[(seen.ravel() == 0) | (seen_again.ravel() == 0)] = np.inf
    return np.asarray(there, np.float32), off
