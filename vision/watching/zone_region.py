"""A zone as its reader gets it: the window of felt pixels around it, and where in that only cloth is expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.cards.find import SearchRegion, cloth_of
from vision.geometry.felt import Felt
from vision.geometry.hanging import Calibration
from vision.geometry.sees import scale_at
from vision.geometry.view import Window, shrink_of, view_of

RIM_MM = 8.0  # bare felt around a zone that is included


def zone_region(felt: Felt, zone: Zone) -> tuple[Window, SearchRegion]:
    """The window of a zone with its rim, and the region to search in a crop of it."""
    where = felt.zone(zone)
    outer, inner = felt.to_px(where.grown(RIM_MM).corners), felt.to_px(where.corners)
    size = np.array(felt.size_px)
    low = np.clip(np.floor(outer.min(axis=0)), 0, size - 2).astype(int)
    high = np.clip(np.ceil(outer.max(axis=0)) + 1, low + 1, size).astype(int)
    inside = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillPoly(inside, [np.round(outer - low).astype(np.int32)], 255)
    rim = inside.copy()
    cv2.fillPoly(rim, [np.round(inner - low).astype(np.int32)], 0)
    window = Window(int(low[0]), int(low[1]), int(high[0]), int(high[1]))
    return window, SearchRegion.of(inside, rim, white=zone in felt.white)


def rims(felt: Felt) -> NDArray[np.bool_]:
    """Where in the picture for motion (`shrink_of`) the rims of zones are: cards lie in zones, felt around
    them."""
    width, height = felt.size_px
    shrink = shrink_of(felt)
    mask = np.zeros((height // shrink, width // shrink), np.uint8)
    for where in felt.zones.values():
        middle = felt.to_px(where.grown(RIM_MM / 2).corners) / shrink - 0.5
        cv2.polylines(mask, [np.round(middle).astype(np.int32)], True, 1)
    return mask > 0


def cloths(felt: Felt, pictures: Sequence[tuple[Calibration | None, NDArray[np.uint8]]]) -> Felt:
    """The felt with the colour of the cloth around each zone, as the camera that sees it best has it in its
    picture (BGR) of the table."""
    views = [view_of(felt, camera, (image.shape[1], image.shape[0])) for camera, image in pictures]
    seen = {}
    for zone in felt.zones:
        scales = [1.0 if camera is None else scale_at(felt, camera, zone) for camera, _ in pictures]
        best = scales.index(max(scales))
        if scales[best] > 0:
            window, region = zone_region(felt, zone)
            crop = views[best].cut(pictures[best][1], window, keep=False)
            blue, green, red = (round(float(part)) for part in cloth_of(crop, region))
            seen[zone] = (blue, green, red)
    return replace(felt, cloths=seen)
