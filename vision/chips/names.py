"""Colour words for chips of no known set: *red*, *green*, *blue*, *black*, *white* and a few more.

Without a chip set nobody knows which colours a room has, so a word is given only well inside its colours; between
two words both are possible.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.chips.lab import Floats, Image, from_linear, linear, to_lab

# Hue in degrees around Lab's a and b axes, from the first word's beginning to the next one's.
HUES: tuple[tuple[float, str], ...] = (
    (-22.0, "red"), (48.0, "orange"), (72.0, "yellow"), (115.0, "green"), (236.0, "blue"), (303.0, "purple"),
    (338.0, "red"),
)  # fmt: skip
WORDS = ("white", "black", "grey", "red", "pink", "orange", "yellow", "green", "blue", "purple")
BETWEEN_DEG = 5.0
TEAL = (226.0, 246.0)  # hues that are blue to some and green to others
NEUTRAL, COLOURED = 9.0, 15.0  # chroma: less has no hue, more has one
SURELY_BLACK, DARK, GREY, BLACK, WHITE, SURELY_WHITE, LIGHT = 20.0, 24.0, 36.0, 40.0, 60.0, 75.0, 76.0  # lightness
NEAR_NEUTRAL = 22.0  # chroma that very dark and very light things may have under coloured light
LESS_NEUTRAL = 0.5  # of that lost for each step of lightness above `DARK`: flat, hazy pictures lift black
PINK = 62.0  # lightness from which red is pink
PALEST = 0.9  # linear light of the palest thing in a picture
MOST_CAST = 1.5  # the light's channels differ by less
UNSURE_LIGHT, NO_LAMP, MOST_TINT = 1.2, 1.15, 2.15  # for every channel; for green beyond the others; between two
MOST_LIGHT = 1.6  # where nothing pale lies


def light_of(image: Image, gain: float) -> Floats:
    """What to multiply linear light (B, G, R) with so that the palest thing in a picture is white.

    `gain` was already applied to the colours.
    """
    small = to_lab(np.asarray(cv2.resize(image, (320, 200), interpolation=cv2.INTER_AREA), np.uint8), gain)
    palest = np.percentile(linear(small.reshape(-1, 3)), 99.9, axis=0)
    whiter = PALEST / np.maximum(palest, 0.05)
    even = min(float(np.exp(np.log(whiter).mean())), MOST_LIGHT)
    return np.asarray(np.clip(whiter, even / MOST_CAST, even * MOST_CAST), np.float32)


def words_for(body: Floats, light: Floats) -> tuple[str, ...]:
    """The words that a colour (Lab) under a light may have: one when it is clear.

    Where nothing white may lie there the light may be right as it is.
    """
    as_lit, as_it_is = _words(from_linear(linear(body) * light)), _words(body)
    if not _unsure(light):  # but what is raised for pale things' sake may have been black
        as_it_is = tuple(word for word in as_it_is if word == "black")
    return tuple(dict.fromkeys((*as_lit, *as_it_is)))


def _unsure(light: Floats) -> bool:
    """Whether what seemed white may be something else.

    Every channel is low, or the light would be very coloured, or green or purple, where lamps and days are
    yellowish or bluish.
    """
    blue, green, red = (float(v) for v in light)
    lamp = min(blue, red) / NO_LAMP < green < max(blue, red) * NO_LAMP
    least, most = min(blue, green, red), max(blue, green, red)
    return least > UNSURE_LIGHT or most > MOST_TINT * least or not lamp


def _words(colour: Floats) -> tuple[str, ...]:
    lightness, a, b = (float(v) for v in colour)
    chroma, hue = float(np.hypot(a, b)), float(np.degrees(np.arctan2(b, a)))
    words: list[str] = []
    if chroma < NEAR_NEUTRAL - LESS_NEUTRAL * max(0.0, lightness - DARK) and lightness < BLACK:
        words.append("black")
    if chroma < NEAR_NEUTRAL and lightness > WHITE:
        words.append("white")
    if chroma < COLOURED and GREY < lightness < SURELY_WHITE:
        words.append("grey")
    hidden = chroma < NEAR_NEUTRAL and (lightness < SURELY_BLACK or lightness > LIGHT)
    if chroma > NEUTRAL and not hidden:
        words += _hues(lightness, hue)
    return tuple(dict.fromkeys(words))


def _hues(lightness: float, hue: float) -> list[str]:
    words = []
    for side in (hue - BETWEEN_DEG, hue + BETWEEN_DEG):
        turn = (side + 22.0) % 360.0 - 22.0
        word = [name for begins, name in HUES if turn >= begins][-1]
        words.append("pink" if word == "red" and lightness > PINK else word)
    return ["green", "blue"] if TEAL[0] < hue % 360.0 < TEAL[1] else words
