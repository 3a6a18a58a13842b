"""A picture as a camera sends it, coded as JPEG: decoded as far as it is looked at.

A decoder gives a half, a quarter or an eighth of the size for less than half of the time: it adds up fewer waves.
OpenCV's copies each picture once it is decoded, which doubles the time of one with 12 million pixels.
"""

from __future__ import annotations

import zlib

import numpy as np
import simplejpeg

from vision.camera.errors import DamagedPicture
from vision.geometry.pixels import Image, Size
from vision.pictures import is_whole, stated_size

FACTORS = (8, 4, 2)  # by which a decoder can reduce
JPEG = b"\xff\xd8"  # its first bytes
FILLER = b"\0"  # some drivers give a buffer longer than the picture


class JpegPixels:
    """Raise `DamagedPicture` for bytes that are no whole JPEG."""

    def __init__(self, coded: bytes | bytearray) -> None:
        try:
            self._size = stated_size(coded)
        except ValueError as error:
            raise DamagedPicture(f"a coded picture of {len(coded)} bytes: {error}") from error
        if not (coded.rstrip(FILLER).endswith(b"\xff\xd9") or is_whole(coded)):
            raise DamagedPicture(f"a coded picture of {len(coded)} bytes ends in the middle")
        self._coded = coded
        self._whole: Image | None = None

    @property
    def size(self) -> Size:
        return self._size

    def whole(self) -> Image:
        if self._whole is None:
            self._whole = self._decoded(1)
            if self._whole.shape[1::-1] != self._size:
                raise DamagedPicture(f"a coded picture is not of the {self._size[0]} x {self._size[1]} it states")
        return self._whole

    def reduced(self, least: Size) -> Image:
        for factor in FACTORS:  # also where the whole is there: two ways of reducing look like motion
            if all(side // factor >= wanted for side, wanted in zip(self._size, least, strict=True)):
                return self._decoded(factor)
        return self.whole()

    def checksum(self) -> int:
        return zlib.crc32(self._coded)

    def _decoded(self, factor: int) -> Image:
        width, height = (side // factor for side in self._size)
        least = {"min_width": width, "min_height": height, "min_factor": factor}
        try:
            image = simplejpeg.decode_jpeg(self._coded, "BGR", **least, strict=False)
        except ValueError as error:
            raise DamagedPicture(f"a coded picture cannot be decoded: {error}") from error
        return np.asarray(image, np.uint8)
