"""Chips and the dealer button, seen from straight above."""

from __future__ import annotations

import functools
import math

import cv2
import numpy as np

from vision.synthetic.felt.faces import PAPER, SPRITE_PX_PER_MM, Colour, Image, tone, write

CHIP_MM = 39.0

COLOURS: dict[str, Colour] = {
    "white": (226, 232, 232),
    "red": (44, 38, 190),
    "blue": (150, 74, 28),
    "green": (58, 128, 44),
    "black": (36, 34, 34),
    "purple": (128, 44, 98),
    "yellow": (48, 190, 232),
    "orange": (30, 118, 232),
    "grey": (128, 128, 126),
    "pink": (158, 118, 236),
}


@functools.cache
def chip(colour: str) -> Image:
    """A chip from above as BGRA: edge spots, a ring and a pale inlay."""
    if colour not in COLOURS:
        raise ValueError(f"no chip colour {colour!r}: it is one of {', '.join(COLOURS)}")
    base = COLOURS[colour]
    spot = PAPER if colour not in ("white", "yellow") else COLOURS["blue"]
    size = round(CHIP_MM * SPRITE_PX_PER_MM)
    image = np.zeros((size, size, 4), np.uint8)
    middle, radius = (size // 2, size // 2), size // 2 - 1
    cv2.circle(image, middle, radius, (*base, 255), -1, cv2.LINE_AA)
    for turn in range(0, 360, 60):
        cv2.ellipse(image, middle, (radius, radius), turn, -9, 9, (*spot, 255), -1, cv2.LINE_AA)
    cv2.circle(image, middle, round(radius * 0.74), (*base, 255), -1, cv2.LINE_AA)
    dark = tone(base, 0.72)
    cv2.circle(image, middle, radius, (*dark, 255), round(radius * 0.05), cv2.LINE_AA)
    cv2.circle(image, middle, round(radius * 0.60), (*spot, 255), round(radius * 0.05), cv2.LINE_AA)
    inlay = tone(base, 0.8, 51)
    cv2.circle(image, middle, round(radius * 0.54), (*inlay, 255), -1, cv2.LINE_AA)
    for turn in range(0, 360, 45):
        x, y = (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
        at = (round(middle[0] + x * radius * 0.34), round(middle[1] + y * radius * 0.34))
        cv2.circle(image, at, round(radius * 0.06), (*base, 255), -1, cv2.LINE_AA)
    return image


@functools.cache
def button(mm: float, text: str) -> Image:
    """The top of the dealer button as BGRA; without a text it is plain."""
    size = round(mm * SPRITE_PX_PER_MM)
    image = np.zeros((size, size, 4), np.uint8)
    middle, radius = (size // 2, size // 2), size // 2 - 1
    cv2.circle(image, middle, radius, (206, 216, 220, 255), -1, cv2.LINE_AA)
    cv2.circle(image, middle, round(radius * 0.9), (244, 248, 248, 255), -1, cv2.LINE_AA)
    if not text:
        return image
    cv2.circle(image, middle, round(radius * 0.82), (60, 56, 52, 255), round(radius * 0.05), cv2.LINE_AA)
    colour = np.ascontiguousarray(image[..., :3])
    write(colour, list(text), middle, radius * (0.86 if len(text) == 1 else 1.8 / len(text)), (52, 48, 44), 0.16)
    return np.dstack([colour, image[..., 3]])


@functools.cache
def button_side(mm: float) -> Image:
    """A slice of its side, which lamps from above light less."""
    size = round(mm * SPRITE_PX_PER_MM)
    image = np.zeros((size, size, 4), np.uint8)
    cv2.circle(image, (size // 2, size // 2), size // 2 - 1, (150, 156, 158, 255), -1, cv2.LINE_AA)
    return image
