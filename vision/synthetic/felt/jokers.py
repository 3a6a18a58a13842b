"""Jokers, drawn from strokes and polygons of our own: a star, the word, or both in two corners, and a fool."""

from __future__ import annotations

import functools
import math

import cv2
import numpy as np

from vision.synthetic.felt.faces import (
    GOLD,
    HEIGHT,
    INK,
    ROYAL,
    SKIN,
    SPRITE_PX_PER_MM,
    WIDTH,
    Colour,
    Image,
    bare_paper,
    cut_out,
    fill,
    write,
)

JOKERS = ("joker", "joker star", "joker word")  # both signs, or one
WORD = ("J", "0", "K", "E", "R")


@functools.cache
def joker(kind: str) -> Image:
    """One of `JOKERS` as BGRA."""
    image = bare_paper()
    ink = INK["h"] if kind == "joker star" else INK["s"]
    _fool(image)
    for _ in range(2):  # the same at both ends
        top = 4.0
        if kind != "joker word":
            _star(image, (7.6, top + 4.2), 4.4, ink)
            top += 10.5
        if kind != "joker star":
            _word(image, 7.4, top, ink)
        image = np.ascontiguousarray(image[::-1, ::-1])
    return cut_out(image)


def _star(image: Image, at: tuple[float, float], radius: float, ink: Colour) -> None:
    s = SPRITE_PX_PER_MM
    tips = [(radius if i % 2 == 0 else 0.42 * radius, i * math.pi / 5 - math.pi / 2) for i in range(10)]
    fill(image, [((at[0] + r * math.cos(a)) * s, (at[1] + r * math.sin(a)) * s) for r, a in tips], ink)


def _word(image: Image, across: float, top: float, ink: Colour) -> None:
    s, tall = SPRITE_PX_PER_MM, 4.8
    for i, letter in enumerate(WORD):
        write(image, [letter], (across * s, (top + (i + 0.5) * 1.14 * tall) * s), tall * s, ink, 0.17)


def _fool(image: Image) -> None:
    """A face under a cap of three horns with bells."""
    s, x, y = SPRITE_PX_PER_MM, WIDTH / 2, HEIGHT / 2 + 3

    def at(right: float, down: float) -> tuple[float, float]:
        return (x + right) * s, (y + down) * s

    for colour, horn in (
        (ROYAL, [(-9, -6), (-19, -22), (-3, -16)]),
        (INK["h"], [(-4, -14), (0, -30), (4, -14)]),
        (GOLD, [(9, -6), (19, -22), (3, -16)]),
    ):
        fill(image, [at(*point) for point in horn], colour)
        tip = at(*horn[1])
        cv2.circle(image, (round(tip[0]), round(tip[1])), round(2.2 * s), GOLD, -1, cv2.LINE_AA)
    middle = at(0, 0)
    cv2.ellipse(image, (round(middle[0]), round(middle[1])), (round(9 * s), round(12 * s)), 0, 0, 360, SKIN, -1)
    collar = [at(-14, 16), at(-7, 10), at(0, 18), at(7, 10), at(14, 16), at(0, 26)]
    fill(image, collar, ROYAL)
    for side in (-3.4, 3.4):
        eye = at(side, -2)
        cv2.circle(image, (round(eye[0]), round(eye[1])), round(1.1 * s), (40, 40, 40), -1, cv2.LINE_AA)
    mouth = at(0, 4)
    cv2.ellipse(
        image, (round(mouth[0]), round(mouth[1])), (round(4 * s), round(2.4 * s)), 0, 0, 180, INK["h"], s // 2
    )
