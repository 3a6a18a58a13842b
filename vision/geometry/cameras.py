"""Cameras that one can buy: size of their pictures, what their lens takes in, and how they sit above a table.

Sizes and angles are their makers'. A lens is taken as straight here; `feltwire vision lens` measures how it bends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from vision.geometry.hanging import Lens

MARGIN_MM = 40.0  # around what must be in the picture: a stand sags, nobody aims to the millimetre


@dataclass(frozen=True)
class CameraModel:
    """`across_deg` is the angle that the longer side of the picture takes in; `source` is how a table's
    configuration names it."""

    sold_as: str
    size_px: tuple[int, int]
    across_deg: float
    source: str

    @property
    def focal_px(self) -> float:
        return self.size_px[0] / 2 / math.tan(math.radians(self.across_deg) / 2)

    @property
    def lens(self) -> Lens:
        """Its lens, straight."""
        width, height = self.size_px
        return Lens(self.size_px, (self.focal_px, self.focal_px), ((width - 1) / 2, (height - 1) / 2))

    def height_mm(self, wide_mm: float, deep_mm: float) -> float:
        """How high above the felt it sees so much of it, with a margin."""
        needed = max(
            (wide_mm + 2 * MARGIN_MM) / self.size_px[0],
            (deep_mm + 2 * MARGIN_MM) / self.size_px[1],
        )
        return needed * self.focal_px

    def px_per_mm(self, height_mm: float) -> float:
        """How fine it sees the felt from that height, looking straight down."""
        return self.focal_px / height_mm


def _across(diagonal_deg: float, size_px: tuple[int, int]) -> float:
    """The angle across a picture, from that across its diagonal."""
    part = size_px[0] / math.hypot(*size_px)
    return math.degrees(2 * math.atan(math.tan(math.radians(diagonal_deg) / 2) * part))


def _of_sensor(sensor_mm: float, focal_mm: float) -> float:
    return math.degrees(2 * math.atan(sensor_mm / 2 / focal_mm))


HD, UHD = (1920, 1080), (3840, 2160)
MODELS: Mapping[str, CameraModel] = MappingProxyType(
    {
        "c920": CameraModel("Logitech C920", HD, _across(78.0, HD), "v4l2:/dev/video0"),
        "brio": CameraModel("Logitech Brio 4K", UHD, _across(90.0, UHD), "v4l2:/dev/video0?size=3840x2160"),
        "module3": CameraModel("Raspberry Pi Camera Module 3", (4608, 2592), 66.0, "csi:0?size=4608x2592"),
        "module3-wide": CameraModel(
            "Raspberry Pi Camera Module 3 Wide", (4608, 2592), 102.0, "csi:0?size=4608x2592"
        ),
        "hq-6mm": CameraModel(
            "Raspberry Pi HQ Camera, 6 mm lens", (4056, 3040), _of_sensor(6.287, 6.0), "csi:0?size=4056x3040"
        ),
    }
)
