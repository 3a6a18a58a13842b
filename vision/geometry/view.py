"""How a camera's pictures show the felt: cuts zones out of them as if the camera hung straight above.

A zone's reader gets its crop upright, in *felt pixels*: `Felt.px_per_mm` to the millimetre wherever the zone lies.
Where nothing was calibrated the picture itself is the felt and nothing is bent. Either way a picture may be of
another size than the felt was measured at, as long as it has the same shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.felt import Felt
from vision.geometry.hanging import OUTSIDE, Calibration, CalibrationError

Image = NDArray[np.uint8]
Maps = tuple[NDArray[np.int16], NDArray[np.uint16]]

STEP = 16  # felt pixels between two that are projected
SHRINK = 6  # factor by which the picture for motion is reduced
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


class View(Protocol):
    """Pictures of one size from one camera."""

    def shrunk(self, image: Image) -> Image:
        """The whole felt, `SHRINK` times smaller. Pictures are BGR, (height, width, 3) uint8."""
        ...

    def cut(self, image: Image, window: Window, *, keep: bool = True) -> Image:
        """A part of the felt, upright, in felt pixels; `keep` how to cut it where it will be cut again."""
        ...

    def to_picture(self, points: object) -> NDArray[np.float64]:
        """Felt pixels (…, 2) as pixels of the picture."""
        ...


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
        self._small = (width // SHRINK, height // SHRINK)

    def shrunk(self, image: Image) -> Image:
        """The whole felt, `SHRINK` times smaller; BGR, (height, width, 3) uint8."""
        return _reduced(image, self._small)

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
        across, down = felt.size_px[0] // SHRINK, felt.size_px[1] // SHRINK
        where = self.to_picture((_grid(Window(0, 0, across, down)) + 0.5) * SHRINK - 0.5)
        self._table = _part_around(where, calibration.lens.size_px)
        low = np.array((self._table.left, self._table.top))
        self._shrunk_to = (
            (self._table.right - self._table.left) // SHRINK,
            (self._table.bottom - self._table.top) // SHRINK,
        )
        self._small_maps = _fixed((where - low + 0.5) / SHRINK - 0.5)

    def shrunk(self, image: Image) -> Image:
        """The whole felt, `SHRINK` times smaller; BGR, (height, width, 3) uint8."""
        part = image[self._table.top : self._table.bottom, self._table.left : self._table.right]
        return _remapped(_reduced(part, self._shrunk_to), self._small_maps)

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


def _part_around(where: NDArray[np.float64], size_px: tuple[int, int]) -> Window:
    """The part of a picture that shows all these points: of a picture from a square sensor a third shows no table.

    Its sides can be halved twice and shrunk without a rest, which OpenCV does several times as fast.
    """
    seen = where[(where != OUTSIDE).all(axis=-1)]
    unit, size = 4 * SHRINK, np.array(size_px)
    low = np.clip(seen.min(axis=0) - SHRINK, 0, size - unit).astype(int)
    high = np.clip(seen.max(axis=0) + SHRINK, low + unit, size).astype(int)
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

    Halved while that leaves enough, then interpolated: OpenCV halves four times as fast as it averages squares of
    another side, and the noise that is left is the same.
    """
    width, height = size
    while image.shape[1] >= 2 * width and image.shape[0] >= 2 * height:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    if image.shape[1::-1] == size:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
