"""A picture as a camera sends it, coded as JPEG: decoded as far as it is looked at.

A decoder gives a half, a quarter or an eighth of the size for less than half of the time: it adds up fewer waves.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera.errors import DamagedPicture
from vision.geometry.pixels import Image, Size
from vision.pictures import is_whole, stated_size

REDUCED = ((8, cv2.IMREAD_REDUCED_COLOR_8), (4, cv2.IMREAD_REDUCED_COLOR_4), (2, cv2.IMREAD_REDUCED_COLOR_2))
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
        self._coded = np.frombuffer(coded, np.uint8)
        self._whole: Image | None = None

    @property
    def size(self) -> Size:
        return self._size

    def whole(self) -> Image:
        if self._whole is None:
            self._whole = self._decoded(cv2.IMREAD_COLOR)
            if self._whole.shape[1::-1] != self._size:
                raise DamagedPicture(f"a coded picture is not of the {self._size[0]} x {self._size[1]} it states")
        return self._whole

    def reduced(self, least: Size) -> Image:
        for factor, how in REDUCED:  # also where the whole is there: two ways of reducing look like motion
            if all(side // factor >= wanted for side, wanted in zip(self._size, least, strict=True)):
                return self._decoded(how)
        return self.whole()

    def _decoded(self, how: int) -> Image:
        try:
            image = cv2.imdecode(self._coded, how)
        except cv2.error as error:
            raise DamagedPicture(f"a coded picture cannot be decoded: {error.err}") from error
        if image is None:
            raise DamagedPicture(f"a coded picture of {len(self._coded)} bytes cannot be decoded")
        return np.asarray(image, np.uint8)
