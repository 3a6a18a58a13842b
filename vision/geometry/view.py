"""How a camera's pictures show the felt: cuts zones out of them as if the camera hung straight above.

A zone's reader gets its crop upright, in *felt pixels*: `Felt.px_per_mm` to the millimetre wherever the zone lies.
Where nothing was calibrated the picture itself is the felt and nothing is bent. Either way a picture may be of
another size than the felt was measured at, as long as it has the same shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.felt import Felt
from vision.geometry.hanging import OUTSIDE, Calibration, CalibrationError
from vision.geometry.pixels import Image, Pixels

Maps = tuple[NDArray[np.int16], NDArray[np.uint16]]

STEP = 16  # felt pixels between two that are projected
# By how much the picture for motion is reduced: by halves, and by two thirds. With another rest some of its pixels
# would be interpolated from few of the camera's, and noise on print would be motion.
SHRINKS = (6, 8, 12, 16, 24, 32)
MOTION_PX_PER_MM = 0.17  # of that picture, however fine the camera: what moves is larger than a chip
LEFT_OF_STREAM = SHRINKS[1] / SHRINKS[0]  # of a camera's second stream where it is larger than needed
SMALLEST = 0.5  # least part of the size at which the felt was measured: smaller pictures show no indices
SHAPE = 0.01  # largest deviation of width to height


class ViewError(ValueError):
    """A picture that this felt's camera cannot have taken."""


@dataclass(frozen=True)
class Window:
    """A rectangle of felt pixels: columns `left` to `right`, rows `top` to `bottom`, the last ones excluded."""

    left: int
    top: int
    right: int
    bottom: int


def shrink_of(felt: Felt) -> int:
    """How many felt pixels, in each direction, are one of the picture for motion."""
    return shrink_at(felt.px_per_mm)


def shrink_at(px_per_mm: float) -> int:
    """The same where a felt is seen in so many pixels to the millimetre."""
    return min(SHRINKS, key=lambda shrink: abs(shrink - px_per_mm / MOTION_PX_PER_MM))


def view_of(felt: Felt, calibration: Calibration | None, size_px: tuple[int, int]) -> View:
    """The view for pictures of `size_px`; raise `ViewError` for a size that cannot show this felt."""
    wanted = felt.size_px if calibration is None else calibration.lens.size_px
    if size_px == felt.size_px and calibration is None:
        return StraightView(felt)
    scale = size_px[0] / wanted[0]
    if scale < SMALLEST or abs(size_px[1] / wanted[1] / scale - 1) > SHAPE:
        raise ViewError(
            f"picture is {size_px[0]} x {size_px[1]}: this felt is calibrated for {wanted[0]} x {wanted[1]}"
        )
    if calibration is None:
        return ScaledView(felt, size_px)
    try:
        return CalibratedView(felt, calibration.at_size(size_px))
    except CalibrationError as error:
        raise ViewError(str(error)) from error


class StraightView:
    """The picture is the felt: crops are parts of it, nothing is copied."""

    def __init__(self, felt: Felt) -> None:
        width, height = felt.size_px
        shrink = shrink_of(felt)
        self._small = (width // shrink, height // shrink)

    def shrunk(self, pixels: Pixels) -> Image:
        """The whole felt, `shrink_of(felt)` times smaller; BGR, (height, width, 3) uint8."""
        return _reduced(pixels.reduced(self._small), self._small)

    def cut(self, image: Image, window: Window, *, keep: bool = True) -> Image:
        """The window's part of `image`, not copied; BGR, (height, width, 3) uint8."""
        return image[window.top : window.bottom, window.left : window.right]

    def to_picture(self, points: object) -> NDArray[np.float64]:
        """Points (…, 2) in pixels of the felt to pixels of the picture: the same."""
        return np.asarray(points, np.float64)


class ScaledView(StraightView):
    """The picture is the felt at another size."""

    def __init__(self, felt: Felt, size_px: tuple[int, int]) -> None:
        super().__init__(felt)
        self._scale = np.array(size_px) / np.array(felt.size_px)
        self._maps: dict[Window, Maps] = {}

    def cut(self, image: Image, window: Window, *, keep: bool = True) -> Image:
        """The window as if seen from above; BGR, (height, width, 3) uint8."""
        maps = self._maps.get(window) or _fixed(self.to_picture(_grid(window)))
        if keep:
            self._maps[window] = maps
        return _remapped(image, maps)

    def to_picture(self, points: object) -> NDArray[np.float64]:
        """Points (…, 2) in pixels of the felt to pixels of the picture."""
        return np.asarray((np.asarray(points, np.float64) + 0.5) * self._scale - 0.5, np.float64)


class CalibratedView:
    """The camera hangs somewhere, tilted, behind a lens that bends."""

    def __init__(self, felt: Felt, calibration: Calibration) -> None:
        self._felt = felt
        self._calibration = calibration
        self._maps: dict[Window, Maps] = {}
        self._size = calibration.lens.size_px
        shrink = shrink_of(felt)
        across, down = felt.size_px[0] // shrink, felt.size_px[1] // shrink
        self._seen_small = self.to_picture((_grid(Window(0, 0, across, down)) + 0.5) * shrink - 0.5)
        self._least = (self._size[0] // shrink, self._size[1] // shrink)
        self._reductions: dict[tuple[int, int], _Reduction] = {}

    def shrunk(self, pixels: Pixels) -> Image:
        """The whole felt, `shrink_of(felt)` times smaller; BGR, (height, width, 3) uint8."""
        image = pixels.reduced(self._least)
        size = (image.shape[1], image.shape[0])
        if size not in self._reductions:
            self._reductions[size] = _reduction(self._seen_small, self._size, size, self._least)
        return self._reductions[size].of(image)

    def cut(self, image: Image, window: Window, *, keep: bool = True) -> Image:
        """The window as if seen from above; BGR, (height, width, 3) uint8."""
        maps = self._maps.get(window) or _fixed(self._seen_from_above(window))
        if keep:
            self._maps[window] = maps
        return _remapped(image, maps)

    def _seen_from_above(self, window: Window) -> NDArray[Any]:
        """Where each pixel of a window is seen, (rows, columns, 2): every `STEP`th is projected, those between lie
        between. A lens and a slant bend so little over that distance that no pixel is 0.05 pixels astray."""
        across = -(-(window.right - window.left) // STEP) + 2
        down = -(-(window.bottom - window.top) // STEP) + 2
        x = window.left + (np.arange(across) - 0.5) * STEP - 0.5
        y = window.top + (np.arange(down) - 0.5) * STEP - 0.5
        coarse = self.to_picture(np.stack(np.meshgrid(x, y), axis=-1))
        if (coarse == OUTSIDE).any():  # there is nothing between a place and one that no picture shows
            return self.to_picture(_grid(window))
        size = (across * STEP, down * STEP)
        fine = np.asarray(cv2.resize(coarse.astype(np.float32), size, interpolation=cv2.INTER_LINEAR))
        height, width = window.bottom - window.top, window.right - window.left
        return fine[STEP : STEP + height, STEP : STEP + width]

    def to_picture(self, points: object) -> NDArray[np.float64]:
        """Points (…, 2) in pixels of the felt to pixels of the picture."""
        return self._calibration.to_picture(self._felt.to_mm(points))


View = StraightView | CalibratedView  # pictures of one size from one camera


@dataclass(frozen=True)
class _Reduction:
    """From a picture of one size to the felt seen small: the part that shows the table, its size, and the maps."""

    part: Window
    to: tuple[int, int]
    maps: Maps

    def of(self, image: Image) -> Image:
        part = image[self.part.top : self.part.bottom, self.part.left : self.part.right]
        return _remapped(_reduced(part, self.to), self.maps)


def _reduction(
    where: NDArray[np.float64], whole: tuple[int, int], size: tuple[int, int], least: tuple[int, int]
) -> _Reduction:
    """`where` each small pixel of the felt lies in the whole picture; the given one is of another size, and is
    reduced to about `least` in all."""
    scale = np.array(size) / np.array(whole)
    here = np.where(where == OUTSIDE, OUTSIDE, (where + 0.5) * scale - 0.5)
    shrink = _shrink_to(size, least)
    part = _part_around(here, size, shrink)
    to = (round((part.right - part.left) / shrink), round((part.bottom - part.top) / shrink))
    low = np.array((part.left, part.top))
    return _Reduction(part, to, _fixed((here - low + 0.5) / shrink - 0.5))


def _shrink_to(size: tuple[int, int], least: tuple[int, int]) -> float:
    """By how much a picture is reduced to about `least`: of a JPEG at a quarter one and a half may be left, of the
    second stream of a Pi camera one and a third."""
    left = size[0] / least[0]
    return LEFT_OF_STREAM if LEFT_OF_STREAM - 0.04 < left < 1.5 else max(1.0, int(2 * left) / 2)


def _part_around(where: NDArray[np.float64], size_px: tuple[int, int], shrink: float) -> Window:
    """The part of a picture that shows all these points: of a picture from a square sensor a third shows no table.

    Its sides can be halved twice and shrunk without a rest, which OpenCV does several times as fast.
    """
    seen = where[(where != OUTSIDE).all(axis=-1)]
    unit, size = 4 if shrink == LEFT_OF_STREAM else round(4 * shrink), np.array(size_px)
    margin = max(2, unit // 4)  # between two pixels something is interpolated
    low = np.clip(seen.min(axis=0) - margin, 0, size - unit).astype(int)
    high = np.clip(seen.max(axis=0) + margin, low + unit, size).astype(int)
    side = np.minimum(-(-(high - low) // unit), size // unit) * unit
    low = np.minimum(low, size - side)
    high = low + side
    return Window(int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def _grid(window: Window) -> NDArray[np.float64]:
    """The middle of every pixel of a window, (rows, columns, 2)."""
    columns = np.arange(window.left, window.right, dtype=np.float64)
    rows = np.arange(window.top, window.bottom, dtype=np.float64)
    return np.stack(np.meshgrid(columns, rows), axis=-1)


def _fixed(where: NDArray[Any]) -> Maps:
    """Maps in the form that `cv2.remap` is fastest with; a place outside of every picture stays outside."""
    near = np.clip(where, -30_000, 30_000).astype(np.float32)
    whole, part = cv2.convertMaps(near[..., 0], near[..., 1], cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)


def _remapped(image: Image, maps: Maps) -> Image:
    return np.asarray(cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)


def _reduced(image: Image, size: tuple[int, int]) -> Image:
    """`image` (BGR) at a smaller size, width by height.

    Halved while that leaves enough; where three pixels are left for two or four for three, those are interpolated:
    OpenCV does both three times as fast as it averages squares of another side, and the noise left is the same.
    """
    width, height = size
    while image.shape[1] >= 2 * width and image.shape[0] >= 2 * height:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    if image.shape[1::-1] == size:
        return image
    rows, columns = image.shape[:2]
    few = 2 * columns == 3 * width or (3 * columns, 3 * rows) == (4 * width, 4 * height)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR if few else cv2.INTER_AREA), np.uint8)
