"""Notices when the camera was moved: the printed markers on the rail are not where they were.

Somebody knocks against the stand, a bracket sags in the warmth of an evening. Where three markers are seen at new
places that fit together, the camera's new place follows from them and the zones move along; where they do not, the
camera is of no use until it is calibrated again, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.hanging import Calibration, CalibrationError, three
from vision.geometry.markers import Corners, find_markers
from vision.geometry.pixels import Pixels, as_pixels

Image = NDArray[np.uint8]

LOOK_EVERY_MS = 2_000
SAY_MS = 60_000  # how long a corrected camera shift is reported
FULL_LOOK_EVERY = 5  # looks between searches of the whole picture, while markers are missing
STEADY_MM = 4.0  # apparent motion of markers by light, noise or a moved rail
RESTING_PX = 0.7  # largest motion between two pictures at rest
FITS_PX = 1.5  # root mean square of markers in their new places
ENOUGH = 3  # least markers that give the camera's position
UNSEEN_LOOKS = 30  # pictures (a minute) without enough markers


class MarkerWatch:
    """Looks at the markers now and then. `trouble` is a line for a person, empty while all is well.

    `lost` is True while the camera is known to hang elsewhere and nobody knows where: its zones mean nothing.
    """

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.trouble = ""
        self.lost = False
        self._next_ms: int | None = None
        self._looks = 0
        self._unseen = 0
        self._elsewhere = False
        self._said_until_ms = 0
        self._before: dict[int, Corners] = {}

    def look(self, given: Pixels | Image, at_ms: int) -> Calibration | None:
        """Take a picture, or its pixels (BGR); the camera's new place when it was moved and is still again.

        `at_ms` is the camera's time in ms.
        """
        if not self.calibration.markers or (self._next_ms is not None and at_ms < self._next_ms):
            return None
        self._next_ms = at_ms + LOOK_EVERY_MS
        pixels = as_pixels(given)
        try:
            calibration = self.calibration.at_size(pixels.size)
        except CalibrationError:
            return None  # the reader of this picture's zones reports it
        found = self._found(pixels.whole(), calibration)
        before, self._before = self._before, found
        if len(found) < ENOUGH:
            self._few()
            return None
        self._unseen = 0
        moved_mm = _moved_mm(calibration, found)
        if moved_mm < STEADY_MM:
            self.lost = False
            if at_ms >= self._said_until_ms:
                self.trouble = ""
            return None
        if not _resting(before, found):
            return None
        moved = self._follow(calibration, found, moved_mm)
        self._said_until_ms = at_ms + SAY_MS if moved is not None else 0
        return moved

    def _found(self, image: Image, calibration: Calibration) -> dict[int, Corners]:
        """Markers near where they were; in the whole picture now and then when they are not there."""
        self._looks += 1
        found: dict[int, Corners] = {}
        for number, corners in _expected(calibration).items():
            margin = 1.2 * float(np.ptp(corners, axis=0).max())
            low = np.maximum(0, np.floor(corners.min(axis=0) - margin)).astype(int)
            high = np.minimum(image.shape[1::-1], np.ceil(corners.max(axis=0) + margin)).astype(int)
            if (high - low).min() < 8:
                continue
            here = find_markers(np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]]))
            if number in here:
                found[number] = here[number] + low
        if len(found) >= ENOUGH or (self._looks % FULL_LOOK_EVERY and not self._elsewhere):
            self._elsewhere = False
            return found
        known = {marker.number for marker in calibration.markers}
        found = {number: quad for number, quad in find_markers(image).items() if number in known}
        self._elsewhere = len(found) >= ENOUGH  # then the next look goes there too
        return found

    def _few(self) -> None:
        self._unseen += 1
        if self._unseen >= UNSEEN_LOOKS and not self.lost:
            self.trouble = "the markers on the rail are not seen: nobody can tell whether the camera stands still"

    def _follow(
        self, calibration: Calibration, found: Mapping[int, Corners], moved_mm: float
    ) -> Calibration | None:
        """The same camera at its new place."""
        markers = {marker.number: marker for marker in calibration.markers}
        numbers = sorted(found)
        space = np.concatenate([np.array(markers[number].corners_mm) for number in numbers])
        space = np.column_stack([space, np.full(len(space), -calibration.rail_mm)])
        seen = np.concatenate([found[number] for number in numbers])
        lens = calibration.lens
        ok, turn, shift = cv2.solvePnP(
            space,
            seen,
            lens.matrix,
            lens.bends,
            np.array(calibration.turn).reshape(3, 1),
            np.array(calibration.shift).reshape(3, 1),
            useExtrinsicGuess=True,
            flags=cv2.SOLVEPNP_ITERATIVE,
        )
        moved = replace(self.calibration, turn=three(np.ravel(turn)), shift=three(np.ravel(shift)))
        there = moved.at_size(lens.size_px)
        apart = np.concatenate([there.to_picture(space[:, :2], calibration.rail_mm) - seen])
        if not ok or float(np.sqrt((apart**2).sum(axis=1).mean())) > FITS_PX:
            self.lost = True
            self.trouble = (
                f"camera or markers were moved by about {moved_mm:.0f} mm: run `feltwire vision calibrate`"
            )
            return None
        self.calibration, self.lost = moved, False
        self.trouble = f"the camera was moved by {moved_mm:.0f} mm; the zones moved along"
        return moved


def _expected(calibration: Calibration) -> dict[int, Corners]:
    """Where the markers are seen while nothing has moved."""
    return {
        marker.number: calibration.to_picture(np.array(marker.corners_mm), calibration.rail_mm)
        for marker in calibration.markers
    }


def _moved_mm(calibration: Calibration, found: Mapping[int, Corners]) -> float:
    """How far the felt moved in the picture; one marker that somebody pushed aside does not count."""
    apart = []
    for marker in calibration.markers:
        if marker.number in found:
            now = calibration.to_felt(found[marker.number], calibration.rail_mm)
            apart.append(float(np.hypot(*(now - np.array(marker.corners_mm)).mean(axis=0))))
    return float(np.median(apart))


def _resting(before: Mapping[int, Corners], now: Mapping[int, Corners]) -> bool:
    both = before.keys() & now.keys()
    return len(both) >= ENOUGH and all(float(np.abs(before[n] - now[n]).max()) < RESTING_PX for n in both)
