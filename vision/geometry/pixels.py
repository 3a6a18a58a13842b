"""One picture of a camera: whole, and smaller where that is cheaper than to reduce the whole one.

What moves is seen in few pixels; what a card is called in all of them, but only of zones that changed and lie
still. So a coded picture is decoded whole only where that is asked for, and a camera with two streams is asked
for the large one only then.
"""

from __future__ import annotations

import zlib
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]  # BGR, (height, width, 3)
Size = tuple[int, int]  # width and height in pixels


class Pixels(Protocol):
    @property
    def size(self) -> Size:
        """Of the whole picture."""

    def whole(self) -> Image:
        """All of its pixels, not to be changed."""

    def reduced(self, least: Size) -> Image:
        """All that it shows in fewer pixels, but at least so many; as cheap as it can be had, and always alike."""

    def checksum(self) -> int:
        """A checksum. A sensor's noise makes it another one for each picture that was really taken."""


class RawPixels:
    """A picture of which all pixels are there."""

    def __init__(self, image: Image) -> None:
        self._image = image

    @property
    def size(self) -> Size:
        return self._image.shape[1], self._image.shape[0]

    def whole(self) -> Image:
        return self._image

    def reduced(self, least: Size) -> Image:
        """The whole: whoever needs a part of it reduces that alone."""
        return self._image

    def checksum(self) -> int:
        return checksum_of(self._image)


def checksum_of(image: NDArray[np.uint8]) -> int:
    """The checksum of every sixteenth row: there is noise in each."""
    return zlib.crc32(np.ascontiguousarray(image[::16]).data)


def as_pixels(given: Pixels | Image) -> Pixels:
    return RawPixels(given) if isinstance(given, np.ndarray) else given
