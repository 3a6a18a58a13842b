"""Solids by their limits, in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cadquery as cq


def box(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float) -> Any:
    return cq.Workplane("XY").box(x1 - x0, y1 - y0, z1 - z0, centered=False).translate((x0, y0, z0))


def cylinder(
    foot: tuple[float, float, float], long: float, wide: float, *, along: tuple[float, float, float] = (0, 0, 1)
) -> Any:
    return cq.Workplane(cq.Solid.makeCylinder(wide / 2, long, cq.Vector(*foot), cq.Vector(*along)))


def prism(outline: Sequence[tuple[float, float]], y0: float, y1: float) -> Any:
    """An outline (x, z) from `y0` to `y1`."""
    return cq.Workplane("XZ").polyline(list(outline)).close().extrude(y0 - y1).translate((0, y0, 0))
