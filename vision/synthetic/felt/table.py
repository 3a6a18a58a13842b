"""The empty table: felt, rail, betting line, seat numbers and the light that falls on it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.geometry.felt import PICTURE_MM, Felt, Racetrack, felt_edge
from vision.synthetic.felt.faces import Colour, Image, tone, write
from vision.synthetic.felt.scene import SceneLight

FELT: Colour = (62, 96, 22)
PALE = 140  # brightest channel from which a cloth's print is darker than it
RAIL: Colour = (30, 30, 34)
FLOOR: Colour = (26, 30, 38)
WOOD: Colour = (34, 62, 104)
BET_LINE_INSET_MM = 136.0
CLOTHS: Mapping[str, Colour] = MappingProxyType(
    {
        "green": FELT,
        "blue": (110, 66, 24),
        "red": (34, 28, 112),
        "black": (34, 32, 30),
        "sand": (116, 152, 172),
        "white": (214, 220, 222),
        "cream": (188, 212, 224),
        "patterned": (104, 46, 28),
    }
)
PATTERN_MM, DIAMOND_MM = 34.0, 9.0  # of speed cloth: rows of diamonds, woven in


def empty_table(felt: Felt, cloth: str = "green") -> Image:
    """The table of `felt` with one of `CLOTHS` under even light, nothing on it, as BGR."""
    colour = CLOTHS[cloth]
    rng = np.random.default_rng(20)
    width, height = felt.size_px
    image = np.full((height, width, 3), FLOOR, np.uint8)
    edge = felt_edge((felt.width_mm, felt.height_mm))
    _disc(image, felt, edge, 88.0, RAIL)
    _rail_shine(image, felt, edge)
    _disc(image, felt, edge, 12.0, WOOD)
    _disc(image, felt, edge, 3.0, tone(colour, 0.5))
    inside = np.zeros((height, width, 3), np.uint8)
    _disc(inside, felt, edge, 0.0, (255, 255, 255))
    laid = _cloth(rng, height, width, colour)
    if cloth == "patterned":
        _diamonds(laid, felt, tone(colour, 1.22, 5))
    image = np.where(inside > 0, laid, image)
    line = tone(colour, 1.16, 4) if max(colour) < PALE else tone(colour, 0.86)
    _line(image, felt, edge, -BET_LINE_INSET_MM, line, 2.4)
    _lettering(image, felt, tone(colour, 1.18, 5) if max(colour) < PALE else tone(colour, 0.84))
    _seat_numbers(image, felt, edge)
    return image


def bare_cloth(felt: Felt, colour: Colour, seed: int = 20) -> Image:
    """Nothing but cloth of one colour all over the picture, as BGR."""
    width, height = felt.size_px
    return _cloth(np.random.default_rng(seed), height, width, colour)


def light_map(felt: Felt, light: SceneLight) -> NDArray[np.float32]:
    """What to multiply an evenly lit picture with: (height, width, 3), brightest over the middle.

    The channels are in BGR order; the size is that of `felt` in pixels.
    """
    width, height = felt.size_px
    y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
    x, y = x / width * 2 - 1, (y / height * 2 - 1) * (PICTURE_MM[1] / PICTURE_MM[0])
    angle = np.radians(light.towards_deg)
    slope = 1 + light.gradient * (x * np.cos(angle) + y * np.sin(angle))
    lamp = 1.06 - 0.16 * (x * x + y * y)
    tint = np.array([1 - 0.16 * light.warmth, 1.0, 1 + 0.06 * light.warmth], np.float32)
    coarse = (light.level * slope * lamp)[..., None] * tint
    return np.asarray(cv2.resize(coarse.astype(np.float32), (width, height)), np.float32)


def _cloth(rng: np.random.Generator, height: int, width: int, colour: Colour = FELT) -> Image:
    """Felt: fine fibre and broad, faint wear."""
    fibre = cv2.GaussianBlur(rng.normal(0, 9, (height, width)).astype(np.float32), (0, 0), 0.8)
    wear = cv2.resize(
        rng.normal(0, 3.0, (9, 16)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    shade = 1 + (fibre + wear)[..., None] / 128
    cloth: Image = np.clip(np.array(colour, np.float32) * shade, 0, 255).astype(np.uint8)
    return cloth


def _outline(felt: Felt, track: Racetrack) -> NDArray[np.int32]:
    points = [track.at(track.length * i / 360)[:2] for i in range(360)]
    return np.round(felt.to_px(points) * 16).astype(np.int32)


def _grown(track: Racetrack, mm: float) -> Racetrack:
    return Racetrack(track.half_straight, track.radius + mm, track.centre)


def _disc(image: Image, felt: Felt, track: Racetrack, grow_mm: float, colour: Colour) -> None:
    cv2.fillPoly(image, [_outline(felt, _grown(track, grow_mm))], colour, cv2.LINE_AA, shift=4)


def _line(image: Image, felt: Felt, track: Racetrack, grow_mm: float, colour: Colour, thick_mm: float) -> None:
    thickness = max(1, round(thick_mm * felt.px_per_mm))
    cv2.polylines(image, [_outline(felt, _grown(track, grow_mm))], True, colour, thickness, cv2.LINE_AA, shift=4)


def _rail_shine(image: Image, felt: Felt, track: Racetrack) -> None:
    """A padded rail is brightest along the middle of its curve."""
    for step in range(16):
        half = 30.0 * (1 - step / 16)
        shine = tone(RAIL, 1 + 0.85 * (step / 15) ** 2)
        _line(image, felt, track, 56.0, shine, 2 * half + 1)


def _diamonds(image: Image, felt: Felt, ink: Colour) -> None:
    """A cloth woven with diamonds in rows, every other row shifted by half."""
    shape = np.array([(0.0, -1.3), (1.0, 0.0), (0.0, 1.3), (-1.0, 0.0)]) * DIAMOND_MM / 2
    for row, y in enumerate(np.arange(0.0, felt.height_mm, PATTERN_MM / 2)):
        for x in np.arange(PATTERN_MM / 2 * (row % 2), felt.width_mm, PATTERN_MM):
            corners = np.round(felt.to_px(shape + np.array((x, y))) * 16).astype(np.int32)
            cv2.fillPoly(image, [corners], ink, cv2.LINE_AA, shift=4)


def _lettering(image: Image, felt: Felt, ink: Colour) -> None:
    x, y = felt.to_px((felt.width_mm / 2, felt.height_mm / 2 - 142))
    write(image, list("FELTWIRE"), (float(x), float(y)), 30 * felt.px_per_mm, ink, 0.11)


def _seat_numbers(image: Image, felt: Felt, track: Racetrack) -> None:
    for seat in range(1, felt.seats + 1):
        zone = felt.zone(Zone.cards(seat))
        x, y = felt.to_px(zone.at(0, 128))
        write(image, list(str(seat)), (float(x), float(y)), 24 * felt.px_per_mm, (150, 156, 160), 0.12)
