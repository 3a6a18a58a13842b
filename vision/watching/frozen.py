"""Notices a camera that repeats one picture: its driver or its cable's other end hangs, and it looks healthy.

Two pictures of a live sensor differ in their noise, also over a table at rest. A dark or burnt-out scene may give
equal JPEGs for some pictures, so many of them must be equal for long. A camera that repeats several pictures in
turn is not noticed.
"""

from __future__ import annotations

from vision.geometry.pixels import Pixels

FROZEN_MS = 10_000
LEAST_PICTURES = 20  # a camera that gives few is slow, not frozen


class FrozenWatch:
    """`trouble` is a line for a person, empty while the pictures change."""

    def __init__(self) -> None:
        self.trouble = ""
        self._checksum: int | None = None
        self._since_ms = 0
        self._alike = 0

    def look(self, pixels: Pixels, at_ms: int) -> bool:
        """Take a picture; True while the camera is frozen. `at_ms` is when the picture came."""
        checksum = pixels.checksum()
        if checksum != self._checksum:
            self._checksum, self._since_ms, self._alike, self.trouble = checksum, at_ms, 0, ""
            return False
        self._alike += 1
        if not self.trouble and at_ms - self._since_ms >= FROZEN_MS and self._alike >= LEAST_PICTURES:
            self.trouble = f"frozen: it repeats one picture, {self._alike} times so far; unplug it and plug it in"
        return bool(self.trouble)
