"""What the markers on the rail tell of the light: their paper and ink are of known white and black.

So a cloth beside them is known to be white, however a camera exposes it. On white cloth print along a zone's rim
would hide that zone for good: the zone's edge is laid beside it.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.calibration.table import Calibrated
from vision.cards.find import cloth_of, find
from vision.cards.white_cloth import BURNT
from vision.geometry.felt import Felt, FeltError
from vision.geometry.hanging import Calibration
from vision.geometry.markers import Corners, across_side
from vision.geometry.sees import scale_at
from vision.geometry.view import view_of
from vision.watching.disc import printed_discs
from vision.watching.watched import is_for_things
from vision.watching.zone_region import cloths, zone_region

Image = NDArray[np.uint8]

SIDES = MappingProxyType({"left": (-1, 0), "right": (1, 0), "upper": (0, -1), "lower": (0, 1)})
MOVES_MM = (6.0, 10.0, 14.0, 18.0, 26.0, -6.0, -10.0)  # of an edge of a zone; outwards first: cards lie within
LEAST_PX = 0.9  # px/mm below which on white cloth courts are missed now and then, and small buttons often
# Part of a cloth's brightness by which paper is at most brighter than its darkest channel: where it is white, and
# where most of the cloth is, for a shadow or print along a rim makes it darker.
WHITE, WHITE_AS_MOST = 0.36, 0.5


@dataclass(frozen=True)
class Light:
    """What a marker tells of the picture around it: grey levels of its paper and ink, and the blur in pixels."""

    white: float
    black: float
    blur_px: float


def light_of(picture: Image, quad: Corners) -> Light:
    """Paper, ink and edges of a marker at its corners (pixels, from its own top left, clockwise)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    side = float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).mean())
    reach = min(4.0, 0.8 * side / 7)
    parts = np.linspace(0.15, 0.85, 32)
    profile = np.mean([across_side(grey, quad, i, parts, reach)[0].mean(axis=0) for i in range(4)], axis=0)
    black, white = float(profile[:4].mean()), float(profile[-4:].mean())
    steepest = float(np.abs(np.gradient(profile, 2 * reach / (len(profile) - 1))).max())
    blur = (white - black) / max(1e-3, steepest) / np.sqrt(2 * np.pi)
    return Light(white, black, blur)


def with_cloths(done: Calibrated, pictures: Sequence[Image]) -> Calibrated:
    """The table whose felt knows the cloth around each zone, and where that is nearly as light as paper.

    `pictures` (BGR) are of the empty table, one by each camera.
    """
    felt = cloths(done.felt, list(zip(done.cameras, pictures, strict=True)))
    papers = [
        [(quad.mean(axis=0), light_of(picture, quad).white) for quad in markers.values()]
        for picture, markers in zip(pictures, done.found, strict=True)
    ]
    darker: dict[Zone, float] = {}
    for zone, cloth in felt.cloths.items():
        scales = [scale_at(felt, camera, zone) for camera in done.cameras]
        best = scales.index(max(scales))
        where = felt.zone(zone)
        at = done.cameras[best].to_picture(np.array([(where.x, where.y)]))[0]
        darker[zone] = (_paper_at(papers[best], at) - min(cloth)) / max(1, *cloth)
    most = sum(part < WHITE for part in darker.values()) > len(darker) / 2
    white = [zone for zone, part in darker.items() if part < (WHITE_AS_MOST if most else WHITE)]
    felt, notes = replace(felt, white=frozenset(white)), []
    shots = list(zip(done.cameras, pictures, strict=True))
    for zone in white:
        camera, picture = max(shots, key=lambda shot: scale_at(felt, shot[0], zone))
        if not print_hides(felt, camera, picture, zone):
            continue
        moved = next(_beside_print(felt, camera, picture, zone), None)
        if moved is not None:
            felt, note = moved
            notes.append(note)
    if white and felt.px_per_mm < LEAST_PX:
        notes.append(
            f"white cloth at {felt.px_per_mm:.2f} px/mm of {LEAST_PX:g}: kings, queens and jacks are missed there "
            "now and then; a white button under 60 mm is often not seen: the computed one counts, or BUTTON and "
            "the seat by key"
        )
    discs = [disc for camera, picture in shots for disc in printed_discs(felt, camera, picture)]
    notes += [
        f"round print like a button at {x:.0f}, {y:.0f} mm: a button right on it is not seen" for x, y in discs
    ]
    felt = replace(cloths(felt, shots), discs=tuple(discs))
    return replace(done, felt=felt, notes=tuple(notes))


def print_hides(felt: Felt, camera: Calibration, picture: Image, zone: Zone) -> bool:
    """Whether cards on white cloth would be hidden there, or something is seen, in this picture (BGR) of the empty
    table."""
    if is_for_things(zone):
        return False
    window, region = zone_region(felt, zone)
    crop = view_of(felt, camera, (picture.shape[1], picture.shape[0])).cut(picture, window, keep=False)
    cloth = cloth_of(crop, region)
    return float(cloth.min()) <= BURNT and find(crop, region, cloth, felt.px_per_mm) != []


def _beside_print(felt: Felt, camera: Calibration, picture: Image, zone: Zone) -> Iterator[tuple[Felt, str]]:
    """The felt with an edge of a zone, or two that meet, moved so that print hides the zone no more; and what to
    say."""
    one = list(itertools.product(MOVES_MM, SIDES))
    two = [(first, second) for first in one for second in one if SIDES[first[1]][0] and SIDES[second[1]][1]]
    for moves in (*((move,) for move in one), *two):
        rect, said = felt.zone(zone), []
        for mm, side in moves:
            right, down = SIDES[side]
            x, y = rect.at(right * mm / 2, down * mm / 2)
            wide, high = rect.width + mm * abs(right), rect.height + mm * abs(down)
            rect = replace(rect, x=x, y=y, width=wide, height=high)
            said.append(f"its {side} edge lies {abs(mm):.0f} mm further {'out' if mm > 0 else 'in'}")
        with contextlib.suppress(FeltError):
            moved = replace(felt, zones={**felt.zones, zone: rect})
            if not print_hides(moved, camera, picture, zone):
                yield moved, f"{zone}: print along its rim: {', '.join(said)}"


def _paper_at(papers: Sequence[tuple[NDArray[np.float64], float]], at: NDArray[np.float64]) -> float:
    """How light paper would be at a point of the picture: the markers' paper, the nearest counts most."""
    weights = [1 / (1.0 + float(np.sum((place - at) ** 2))) for place, _ in papers]
    return float(np.average([white for _, white in papers], weights=weights))
