"""Colour words for chips of no known set: *red*, *green*, *blue*, *black*, *white* and a few more.

Without a chip set nobody knows which colours a room has, so a word is given only well inside its colours; between
two words both are possible.
"""

from __future__ import annotations

import numpy as np

from vision.chips.lab import Floats, from_linear, linear
from vision.chips.light import WhiteBalance

# Hue in degrees around Lab's a and b axes, from the first word's beginning to the next one's.
HUES: tuple[tuple[float, str], ...] = (
    (-22.0, "red"), (48.0, "orange"), (72.0, "yellow"), (115.0, "green"), (236.0, "blue"), (303.0, "purple"),
    (338.0, "red"),
)  # fmt: skip
WORDS = ("white", "black", "grey", "red", "pink", "orange", "yellow", "green", "blue", "purple")
BETWEEN_DEG = 5.0
TEAL = (226.0, 246.0)  # hues that may be called blue or green
NEUTRAL, COLOURED = 9.0, 15.0  # chroma: below it no hue, above it a hue
SURELY_BLACK, DARK, GREY, BLACK, WHITE, SURELY_WHITE, LIGHT = 20.0, 24.0, 36.0, 40.0, 60.0, 75.0, 76.0  # lightness
NEAR_NEUTRAL = 22.0  # chroma of very dark and very light things under coloured light
LESS_NEUTRAL = 0.5  # decrease of that for each step of lightness above `DARK`: hazy pictures lighten black
RAISED_BLACK = 32.0  # lightness beside white paper from which nothing is black
MORE_LIGHT = 1.35  # times the light in which white is just burnt out
LAMP_HUE, LAMP_CHROMA = (50.0, 110.0), 38.0  # hue and chroma of white under a lamp
PINK = 62.0  # lightness from which red is pink


def words_for(body: Floats, light: WhiteBalance) -> tuple[str, ...]:
    """The words that a colour (Lab) under a light may have: one when it is clear.

    `body` has the shape (3,), in Lab.
    """
    found = linear(body)
    lit = [from_linear(found * by) for by in light.lights]
    words = tuple(word for colour in lit for word in _words(colour))
    if not light.sure:
        words += _under_a_lamp(body)
    elif "black" in _words(body) and (lit[0][0] < RAISED_BLACK or not light.paper):
        words += ("black",)  # amplified for pale things, it may have been black
    elif light.burnt and "black" in _words(from_linear(found * light.lights[0] / MORE_LIGHT)):
        words += ("black",)
    return tuple(dict.fromkeys(words))


def _under_a_lamp(colour: Floats) -> tuple[str, ...]:
    """White, where a thing is as pale and yellowish as a warm lamp makes that."""
    lightness, a, b = (float(v) for v in colour)
    warm = LAMP_HUE[0] < float(np.degrees(np.arctan2(b, a))) < LAMP_HUE[1]
    return ("white",) if lightness > WHITE and warm and float(np.hypot(a, b)) < LAMP_CHROMA else ()


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
