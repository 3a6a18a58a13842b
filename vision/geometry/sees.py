"""What a camera sees of a felt: which zones lie wholly in its picture, and how fine.

Several cameras over one felt share its zones: each is read by the camera that sees it best. A camera works on the
part of the felt that it sees, at its own scale, so that what one does costs nothing for what another sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from table_core.messages import Zone
from vision.geometry.felt import CARD_MM, Felt
from vision.geometry.hanging import Calibration

AROUND_MM = 20.0  # of bare felt that must be in the picture, and belongs to the part that a camera works on
CHIP_MM, LEAN_FROM_MM = 3.3, 10.0
COARSEST, FINEST = 0.4, 4.0  # felt pixels to the millimetre


def scale_at(felt: Felt, camera: Calibration, zone: Zone) -> float:
    """Pixels to the millimetre in a zone's middle; 0 where the zone does not lie wholly in the picture."""
    where = felt.zone(zone)
    seen = camera.to_picture(np.array(where.grown(AROUND_MM).corners))
    inside = (seen >= 0).all() and (seen <= np.array(camera.lens.size_px) - 1).all()
    return camera.px_per_mm(where.x, where.y) if inside else 0.0


def lean_at_zone(felt: Felt, camera: Calibration, zone: Zone) -> float:
    """How many pixels of the felt the top of a chip is seen beside its foot, in a zone's middle."""
    where = felt.zone(zone)
    here = np.array([(where.x, where.y)])
    off = camera.to_felt(camera.to_picture(here, CHIP_MM)) - here
    return float(np.hypot(*off[0])) * camera.px_per_mm(where.x, where.y)


def lean_at(
    at: tuple[float, float], camera: Calibration | None, middle: tuple[float, float], height_mm: float
) -> tuple[float, float] | None:
    """How many mm (x, y) a thing at a point of the felt (mm) is seen off its foot for each mm that it is up.

    From the calibration; without one the camera hangs `height_mm` above the felt's middle. None where unknown.
    """
    if camera is not None:
        here = np.array([at], np.float64)
        seen = camera.to_felt(camera.to_picture(here, LEAN_FROM_MM))
        x, y = (float(v) for v in (seen - here)[0] / LEAN_FROM_MM)
        return x, y
    if height_mm <= 0:
        return None
    return (at[0] - middle[0]) / height_mm, (at[1] - middle[1]) / height_mm


def part_of(felt: Felt, camera: Calibration, zones: Iterable[Zone]) -> tuple[Felt, Calibration]:
    """The part of the felt with these zones, and the camera over it, at the scale in which it sees them."""
    rects = {zone: felt.zone(zone) for zone in zones}
    corners = np.array([corner for rect in rects.values() for corner in rect.corners])
    size = np.array([felt.width_mm, felt.height_mm])
    margin = 2 * AROUND_MM + max(CARD_MM)
    left, top = np.clip(corners.min(axis=0) - margin, 0, size)
    right, bottom = np.clip(corners.max(axis=0) + margin, 0, size)
    scale = float(np.median([camera.px_per_mm(rect.x, rect.y) for rect in rects.values()]))
    part = Felt(
        float(right - left),
        float(bottom - top),
        round(min(FINEST, max(COARSEST, scale)), 3),
        {zone: replace(rect, x=rect.x - left, y=rect.y - top) for zone, rect in rects.items()},
        felt.seats,
        {zone: cloth for zone, cloth in felt.cloths.items() if zone in rects},
        felt.white & rects.keys(),
        tuple((x - float(left), y - float(top)) for x, y in felt.discs),
        felt.older,
    )
    return part, camera.of_part(float(left), float(top))
