"""Cameras from a shop as they hang in a room: over the middle, a little askew, with lens and sensor of their kind.

Sizes and angles are the makers'; how a lens bends and how a sensor's noise looks is what such cameras are like: it
was not measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from vision.geometry.cameras import MODELS
from vision.synthetic.felt.hung import HungCamera
from vision.synthetic.felt.hung_view import Sensor

TABLE_MM = (2400.0, 1200.0)  # of a nine-handed table, over the rail
ASKEW_MM, ASKEW_DEG, TURNED_DEG = (18.0, -14.0), (0.5, -0.4), 1.2  # as one hangs that was hung with care
HIGHER = 1.02  # so much, because it hangs askew


@dataclass(frozen=True)
class Kind:
    """`bend` is k1, k2 of its lens."""

    bend: tuple[float, float]
    sensor: Sensor


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "c920": Kind((0.04, -0.06), Sensor(1.6, 0.025, 0.7, 80)),
        "brio": Kind((-0.06, 0.01), Sensor(1.3, 0.02, 0.6, 85)),
        "module3": Kind((-0.03, 0.0), Sensor(1.0, 0.02, 0.3, 95)),
        "module3-wide": Kind((-0.02, 0.005), Sensor(1.2, 0.025, 0.3, 95)),
        "hq-6mm": Kind((-0.12, 0.03), Sensor(0.8, 0.012, 0.2, 95)),
    }
)


def hung(name: str, table_mm: tuple[float, float] = TABLE_MM) -> HungCamera:
    """One of `KINDS` over a table of that size."""
    model = MODELS[name]
    height = HIGHER * model.height_mm(*table_mm)
    return HungCamera((*ASKEW_MM, height), ASKEW_DEG, TURNED_DEG, model.focal_px, KINDS[name].bend, model.size_px)
