"""What one hung camera sees of one table, picture after picture: only what changed is drawn anew.

A picture of eight million pixels is made once, of the empty table with markers on its rail. After that a card that
is dealt costs the pixels around it: the rays of that part, the lens, the sensor.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.felt import Felt
from vision.synthetic.felt.hung import FLOOR, Box, HungCamera, Image, Rail, lay_marker
from vision.synthetic.felt.renderer import Renderer
from vision.synthetic.felt.scene import Scene
from vision.synthetic.felt.table import empty_table

LENS_PX = 0.6  # blur of a good lens, standard deviation
PAD = 6  # pixels around a part, for what the lens and the sharpening mix in
BAND = 240  # rows drawn at once of the first picture
COARSE = 24  # pixels between two of which the place on the felt is known beforehand
EXPOSED_TO = 118.0  # mean grey level of the empty table that automatic exposure does not exceed
TILE = 512  # side of the noise that is laid over pictures


@dataclass(frozen=True)
class Sensor:
    """Noise of a sensor that was told to be as light as it should be, and what its electronics make of it.

    `read` is there in the dark (grey levels), `shot` is the variance that each grey level adds. `sharpens` is how
    much of the difference to a blurred picture is added, `quality` that of its JPEG.
    """

    read: float = 1.0
    shot: float = 0.015
    sharpens: float = 0.4
    quality: int = 85


class HungView:
    """Pictures of one table by one camera. Not for several threads at once."""

    def __init__(
        self, felt: Felt, camera: HungCamera, sensor: Sensor, rail: Rail, *, cloth: str = "green", seed: int = 0
    ) -> None:
        self.camera = camera
        self.sensor = sensor
        self._rng = np.random.default_rng(seed)
        self._noise = self._rng.standard_normal((2 * TILE, 2 * TILE, 3), np.float32).astype(np.float16)
        scale = round(camera.focal_px / camera.at_mm[2], 2)
        self.felt = replace(felt, px_per_mm=scale)
        self._middle = np.array([felt.width_mm / 2, felt.height_mm / 2], np.float32)
        x, y = (float(v) for v in np.array(camera.at_mm[:2]) + self._middle)
        self._renderer = Renderer(self.felt, empty_table(self.felt, cloth), camera_mm=(x, y, camera.at_mm[2]))
        self._coarse = self._coarsely()
        self._lies: dict[Hashable, Box] = {}
        empty = self._renderer.render(_even(Scene(self.felt))).image
        self._exposure = min(1.0, EXPOSED_TO / float(empty.mean()))
        self._picture, self._markers = self._empty(empty, rail)

    def take(self, scene: Scene) -> Image:
        """The picture (BGR) of `scene`, which is one of `self.felt`; not to be changed."""
        if scene.lens_covered:
            return self._sensed(np.full_like(self._picture, 9))
        flat = self._renderer.render(_even(scene)).image
        lies = self._renderer.windows(_even(scene))
        changed = [box for key, box in (lies.items() ^ self._lies.items())]
        self._lies = lies
        self._picture = self._picture.copy()  # the last one may be on its way still
        for box in changed:
            for part in self._parts(box):
                self._draw(flat, part)
        return self._picture

    def _empty(self, flat: Image, rail: Rail) -> tuple[Image, NDArray[np.bool_]]:
        """The empty table, drawn flat, with its markers as the camera sees them; and where those are."""
        width, height = self.camera.size_px
        picture, markers = np.zeros((height, width, 3), np.uint8), np.zeros((height, width), np.bool_)
        for top in range(0, height, BAND):
            part = (0, top, width, min(top + BAND, height))
            seen = self._seen(flat, part)
            bare = seen.copy()
            on_rail = self.camera.meets_in(_padded(part), rail.height_mm) + self._middle
            for place in range(len(rail.order)):
                lay_marker(seen, on_rail, self.felt, rail, place)
            rows = np.s_[PAD:-PAD, PAD:-PAD]
            laid = (seen != bare).any(axis=-1).astype(np.uint8)
            markers[part[1] : part[3]] = cv2.dilate(laid, np.ones((PAD, PAD), np.uint8))[rows] > 0
            picture[part[1] : part[3]] = self._sensed(self._through_lens(seen))[rows]
        return picture, markers

    def _draw(self, flat: Image, part: Box) -> None:
        """Draw a part of the picture anew; the markers on the rail stay."""
        left, top, right, bottom = part
        seen = self._sensed(self._through_lens(self._seen(flat, part)))[PAD:-PAD, PAD:-PAD]
        here = np.s_[top:bottom, left:right]
        keep = self._markers[here]
        self._picture[here] = np.where(keep[..., None], self._picture[here], seen)

    def _seen(self, flat: Image, part: Box) -> Image:
        """The felt in a part of the picture, with a margin of `PAD` around it."""
        where = (self.camera.meets_in(_padded(part), 0.0) + self._middle) * self.felt.px_per_mm - 0.5
        seen = cv2.remap(flat, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=FLOOR)
        return np.asarray(seen, np.uint8)

    def _through_lens(self, seen: Image) -> Image:
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), LENS_PX), np.uint8)

    def _sensed(self, seen: Image) -> Image:
        """With the sensor's noise, sharpened. Noise is one large tile, laid anew each time."""
        dx, dy = (int(v) for v in self._rng.integers(0, TILE, 2))
        tiled = self._noise[dy : dy + TILE, dx : dx + TILE]
        repeats = (-(-seen.shape[0] // TILE), -(-seen.shape[1] // TILE), 1)
        noise = np.tile(tiled, repeats)[: seen.shape[0], : seen.shape[1]].astype(np.float32)
        light = self._exposure * seen.astype(np.float32)
        noisy = light + noise * np.sqrt(self.sensor.read**2 + self.sensor.shot * light)
        if self.sensor.sharpens:
            noisy += self.sensor.sharpens * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.0))
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)

    def _coarsely(self) -> NDArray[np.float32]:
        """Where every `COARSE`th pixel is seen on the felt (mm), (rows, columns, 2)."""
        width, height = self.camera.size_px
        met = self.camera.meets_in((0, 0, width, height), 0.0)[::COARSE, ::COARSE]
        return np.asarray(met + self._middle, np.float32)

    def _parts(self, box: Box) -> Iterable[Box]:
        """The part of the picture in which a part of the drawn felt is seen; none where it is not."""
        left, top, right, bottom = (side / self.felt.px_per_mm for side in box)
        slack = COARSE / self.felt.px_per_mm
        x, y = self._coarse[..., 0], self._coarse[..., 1]
        here = (x > left - slack) & (x < right + slack) & (y > top - slack) & (y < bottom + slack)
        rows, columns = np.flatnonzero(here.any(axis=1)), np.flatnonzero(here.any(axis=0))
        if len(rows):
            width, height = self.camera.size_px
            yield (
                max(0, int(columns[0] - 1) * COARSE),
                max(0, int(rows[0] - 1) * COARSE),
                min(width, int(columns[-1] + 2) * COARSE),
                min(height, int(rows[-1] + 2) * COARSE),
            )


def _even(scene: Scene) -> Scene:
    """The scene before lens and sensor, which are the camera's own."""
    return replace(scene, light=replace(scene.light, noise=0.0, blur_px=0.0, smear_px=0.0))


def _padded(part: Box) -> Box:
    left, top, right, bottom = part
    return left - PAD, top - PAD, right + PAD, bottom + PAD
