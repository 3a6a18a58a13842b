"""Measures a camera's lens once, from pictures of the printed board at many positions and slants.

The method is Zhang's (IEEE PAMI 22, 2000), as OpenCV's `calibrateCamera` has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.hanging import CalibrationError, Lens
from vision.geometry.markers import charuco_board

Image = NDArray[np.uint8]

FEWEST_PICTURES = 6
FEWEST_CORNERS = 10  # least number of the board's 24 corners in a picture that counts
WORST_PX = 1.0  # pixels: largest mean error of an accepted lens
FINE_PICTURES = 12  # pictures from which a third distortion coefficient is fitted
GRID = (4, 3)  # parts of the picture; corners should be seen in most of them


@dataclass(frozen=True)
class MeasuredLens:
    """A lens, how well it fits (root mean square, pixels), and how much of the picture the board was shown in."""

    lens: Lens
    error_px: float
    used: int
    shown: float


def measure_lens(pictures: Iterable[Image]) -> MeasuredLens:
    """The lens that took these pictures (BGR, all of one size); raise `CalibrationError` where they are not
    sufficient."""
    finder = cv2.aruco.CharucoDetector(charuco_board())
    size: tuple[int, int] | None = None
    spaces: list[NDArray[np.float32]] = []
    seen: list[NDArray[np.float32]] = []
    for image in pictures:
        here = (image.shape[1], image.shape[0])
        size = size or here
        if here != size:
            raise CalibrationError(f"pictures of {here} and of {size} pixels: take all with the same setting")
        corners, numbers, _, _ = finder.detectBoard(image)
        if numbers is None or len(numbers) < FEWEST_CORNERS:
            continue
        space, flat = charuco_board().matchImagePoints(corners, numbers)
        spaces.append(np.asarray(space, np.float32))
        seen.append(np.asarray(flat, np.float32))
    if size is None or len(seen) < FEWEST_PICTURES:
        raise CalibrationError(
            f"the board shows in {len(seen)} pictures: at least {FEWEST_PICTURES} are needed, near the edges too"
        )
    return _fit(size, spaces, seen)


def _fit(
    size: tuple[int, int], spaces: list[NDArray[np.float32]], seen: list[NDArray[np.float32]]
) -> MeasuredLens:
    flags = 0 if len(seen) >= FINE_PICTURES else cv2.CALIB_FIX_K3
    error, matrix, bend, _, _ = cv2.calibrateCamera(spaces, seen, size, np.eye(3), np.zeros(5), flags=flags)
    if not np.isfinite(error) or error > WORST_PX:
        raise CalibrationError(
            f"the lens fits its pictures to {error:.1f} pixels only (at most {WORST_PX:g}): is the board flat, "
            "and were all pictures taken with the same zoom and focus?"
        )
    k = np.ravel(bend)[:5]
    lens = Lens(
        size,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        (float(k[0]), float(k[1]), float(k[2]), float(k[3]), float(k[4])),
    )
    return MeasuredLens(lens, float(error), len(seen), _shown(size, seen))


def _shown(size: tuple[int, int], seen: list[NDArray[np.float32]]) -> float:
    """How many of the picture's parts showed a corner of the board, 0 to 1."""
    cells = np.concatenate([flat.reshape(-1, 2) for flat in seen]) / np.array(size) * np.array(GRID)
    return len({(int(x), int(y)) for x, y in cells}) / (GRID[0] * GRID[1])
