"""What the markers on the rail tell of the light: their paper and ink are of known white and black.

So a cloth beside them is known to be white, however a camera exposes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.table import Calibrated
from vision.geometry.felt import Cloth
from vision.geometry.markers import Corners, across_side
from vision.geometry.sees import scale_at
from vision.watching.zone_region import cloths

Image = NDArray[np.uint8]

WHITE = 0.36  # part of a cloth's brightness by which paper must be brighter than its darkest channel


@dataclass(frozen=True)
class Light:
    """What a marker tells of the picture around it: grey levels of its paper and ink, and the blur in pixels."""

    white: float
    black: float
    blur_px: float


def light_of(picture: Image, quad: Corners) -> Light:
    """Paper, ink and edges of a marker at its corners (pixels, from its own top left, clockwise)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    side = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean())
    reach = min(4.0, 0.8 * side / 7)
    parts = np.linspace(0.15, 0.85, 32)
    profile = np.mean([across_side(grey, quad, i, parts, reach)[0].mean(axis=0) for i in range(4)], axis=0)
    black, white = float(profile[:4].mean()), float(profile[-4:].mean())
    steepest = float(np.abs(np.gradient(profile, 2 * reach / (len(profile) - 1))).max())
    blur = (white - black) / max(1e-3, steepest) / np.sqrt(2 * np.pi)
    return Light(white, black, blur)


def with_cloths(done: Calibrated, pictures: Sequence[Image]) -> Calibrated:
    """The table whose felt knows the cloth around each zone, and where that is nearly as light as paper.

    `pictures` (BGR) are of the empty table, one by each camera.
    """
    felt = cloths(done.felt, list(zip(done.cameras, pictures, strict=True)))
    papers = [
        [(quad.mean(axis=0), light_of(picture, quad).white) for quad in markers.values()]
        for picture, markers in zip(pictures, done.found, strict=True)
    ]
    white = []
    for zone, cloth in felt.cloths.items():
        scales = [scale_at(felt, camera, zone) for camera in done.cameras]
        best = scales.index(max(scales))
        where = felt.zone(zone)
        at = done.cameras[best].to_picture(np.array([(where.x, where.y)]))[0]
        if as_white(cloth, _paper_at(papers[best], at)):
            white.append(zone)
    return replace(done, felt=replace(felt, white=frozenset(white)))


def as_white(cloth: Cloth, paper: float) -> bool:
    """Whether a cloth (BGR) is nearly as light as paper of that grey level under the same light."""
    return paper - min(cloth) < WHITE * max(cloth)


def _paper_at(papers: Sequence[tuple[NDArray[np.float64], float]], at: NDArray[np.float64]) -> float:
    """How light paper would be at a point of the picture: the markers' paper, the nearest counts most."""
    weights = [1 / (1.0 + float(np.sum((place - at) ** 2))) for place, _ in papers]
    return float(np.average([white for _, white in papers], weights=weights))
