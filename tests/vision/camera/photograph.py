"""What a hung camera sees of a scene, from every ray of its own: slow, and shares nothing with the calibration."""

from __future__ import annotations

import functools

import cv2
import numpy as np

from vision.geometry.felt import Felt
from vision.synthetic.felt import Renderer, Scene
from vision.synthetic.felt.hung import FLOOR, HungCamera, Image, Rail, lay_marker
from vision.synthetic.felt.table import empty_table


def photograph(
    scene: Scene, camera: HungCamera, rail: Rail | None = None, *, fine: float = 1.7, cloth: str = "green"
) -> Image:
    """What `camera` sees of `scene`; `fine` is how many pixels to the millimetre the table is drawn with first."""
    drawn = Felt(scene.felt.width_mm, scene.felt.height_mm, fine, scene.felt.zones, scene.felt.seats)
    middle = np.array([scene.felt.width_mm / 2, scene.felt.height_mm / 2], np.float32)
    there = (camera.at_mm[0] + float(middle[0]), camera.at_mm[1] + float(middle[1]), camera.at_mm[2])
    shown = Scene(drawn, scene.cards, scene.chips, scene.button, light=scene.light)
    flat = _renderer(drawn, there, cloth).render(shown).image
    where = (meets(camera, 0.0) + middle) * fine - 0.5
    seen = cv2.remap(flat, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=FLOOR)
    if rail is not None:
        on_rail = meets(camera, rail.height_mm) + middle
        for place in range(len(rail.order)):
            if rail.order[place] not in rail.missing:
                lay_marker(seen, on_rail, scene.felt, rail, place)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.6), np.uint8)


def meets(camera: HungCamera, height_mm: float) -> np.ndarray:
    """Where each pixel's ray meets the plane that high above the felt, in mm from the table's middle."""
    return camera.met(_rays(camera), height_mm)


@functools.lru_cache(maxsize=2)
def _rays(camera: HungCamera) -> np.ndarray:
    width, height = camera.size_px
    return camera.rays(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))


@functools.lru_cache(maxsize=3)
def _renderer(drawn: Felt, camera_mm: tuple[float, float, float], cloth: str) -> Renderer:
    return Renderer(drawn, empty_table(drawn, cloth), camera_mm=camera_mm)
