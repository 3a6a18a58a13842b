"""Card faces and backs, drawn from strokes and polygons of our own.

Lengths are millimetres; a sprite is a BGRA picture of one card, `SPRITE_PX_PER_MM` pixels to the millimetre.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Point = tuple[float, float]
Colour = tuple[int, int, int]  # blue, green, red

SPRITE_PX_PER_MM = 8
WIDTH, HEIGHT, CORNER_RADIUS = 63.5, 88.9, 3.4

PAPER: Colour = (240, 245, 246)
INK: dict[str, Colour] = {"c": (34, 28, 26), "s": (34, 28, 26), "d": (38, 28, 196), "h": (38, 28, 196)}
GOLD: Colour = (60, 170, 226)
ROYAL: Colour = (138, 62, 30)
SKIN: Colour = (172, 204, 238)
BACK: Colour = (52, 30, 142)

RANK_HEIGHT, RANK_TOP, INDEX_X = 17.5, 4.2, 9.4
SUIT_HEIGHT, SUIT_TOP = 12.5, 24.2


def tone(colour: Colour, factor: float, add: float = 0.0) -> Colour:
    """A lighter or darker colour."""
    b, g, r = (max(0, min(255, round(c * factor + add))) for c in colour)
    return b, g, r


# ------------------------------------------------------------------------------------------- strokes


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> list[Point]:
    """Points along an ellipse; degrees, clockwise from the right."""
    steps = max(6, int(abs(end - start) / 8))
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles]


# Each glyph: strokes in a box one high; the width of the box stands first.
GLYPHS: dict[str, tuple[float, list[list[Point]]]] = {
    "2": (0.62, [[*_arc(0.31, 0.28, 0.25, 0.22, 190, 385), (0.06, 0.93), (0.58, 0.93)]]),
    "3": (
        0.62,
        [[*_arc(0.29, 0.27, 0.23, 0.20, 200, 440), (0.30, 0.47)], _arc(0.29, 0.70, 0.26, 0.23, 275, 520)],
    ),
    "4": (0.66, [[(0.46, 0.95), (0.46, 0.07), (0.05, 0.68), (0.63, 0.68)]]),
    "5": (0.62, [[(0.54, 0.07), (0.13, 0.07), (0.10, 0.44), *_arc(0.29, 0.66, 0.26, 0.27, 235, 505)]]),
    "6": (0.62, [[(0.50, 0.08), (0.30, 0.22), *_arc(0.31, 0.68, 0.25, 0.25, 190, 550)]]),
    "7": (0.60, [[(0.05, 0.07), (0.55, 0.07), (0.24, 0.95)]]),
    "8": (0.62, [_arc(0.31, 0.27, 0.21, 0.20, 90, 450), _arc(0.31, 0.70, 0.25, 0.23, -90, 270)]),
    "9": (0.62, [[(0.12, 0.93), (0.32, 0.78), *_arc(0.31, 0.32, 0.25, 0.25, 10, 370)]]),
    "10": (0.84, [[(0.05, 0.20), (0.17, 0.07), (0.17, 0.95)], _arc(0.58, 0.505, 0.20, 0.43, 0, 360)]),
    "J": (
        0.56,
        [[(0.22, 0.07), (0.53, 0.07)], [(0.39, 0.07), (0.39, 0.70), *_arc(0.22, 0.72, 0.17, 0.22, 0, 165)]],
    ),
    "Q": (0.72, [_arc(0.34, 0.48, 0.27, 0.41, 0, 360), [(0.38, 0.68), (0.64, 0.97)]]),
    "K": (0.68, [[(0.10, 0.07), (0.10, 0.95)], [(0.60, 0.07), (0.12, 0.58)], [(0.28, 0.44), (0.62, 0.95)]]),
    "A": (0.70, [[(0.05, 0.95), (0.34, 0.07), (0.63, 0.95)], [(0.16, 0.66), (0.52, 0.66)]]),
    "D": (
        0.62,
        [[(0.08, 0.07), (0.08, 0.93)], [(0.08, 0.07), *_arc(0.20, 0.5, 0.34, 0.43, -90, 90), (0.08, 0.93)]],
    ),
    "E": (0.55, [[(0.52, 0.07), (0.07, 0.07), (0.07, 0.93), (0.52, 0.93)], [(0.07, 0.5), (0.44, 0.5)]]),
    "F": (0.55, [[(0.52, 0.07), (0.07, 0.07), (0.07, 0.95)], [(0.07, 0.5), (0.44, 0.5)]]),
    "I": (0.16, [[(0.08, 0.07), (0.08, 0.93)]]),
    "L": (0.55, [[(0.07, 0.07), (0.07, 0.93), (0.50, 0.93)]]),
    "R": (
        0.62,
        [
            [(0.08, 0.95), (0.08, 0.07), *_arc(0.26, 0.29, 0.26, 0.22, -90, 90), (0.08, 0.51)],
            [(0.28, 0.51), (0.56, 0.95)],
        ],
    ),
    "T": (0.60, [[(0.04, 0.07), (0.56, 0.07)], [(0.30, 0.07), (0.30, 0.95)]]),
    "W": (0.95, [[(0.05, 0.07), (0.25, 0.93), (0.475, 0.25), (0.70, 0.93), (0.90, 0.07)]]),
    "0": (0.62, [_arc(0.31, 0.50, 0.24, 0.43, 0, 360)]),
    "1": (0.40, [[(0.06, 0.22), (0.24, 0.07), (0.24, 0.95)]]),
}


def write(
    image: Image, text: Sequence[str], centre: Point, height: float, colour: Colour, weight: float = 0.145
) -> None:
    """Write glyphs in a row around `centre`, in pixels; `weight` is the stroke as part of the height."""
    gap = 0.20 * height
    total = sum(GLYPHS[glyph][0] * height for glyph in text) + gap * (len(text) - 1)
    x, y = centre[0] - total / 2, centre[1] - height / 2
    thickness = max(1, round(weight * height))
    for glyph in text:
        width, strokes = GLYPHS[glyph]
        for stroke in strokes:
            points = np.array([(x + px * height, y + py * height) for px, py in stroke])
            cv2.polylines(image, [_fixed(points)], False, colour, thickness, cv2.LINE_AA, shift=4)
        x += width * height + gap


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Pixels as OpenCV's fixed point with four binary places."""
    return np.round(points * 16).astype(np.int32)


def fill(image: Image, points: Iterable[Point], colour: Colour) -> None:
    cv2.fillPoly(image, [_fixed(np.array(list(points)))], colour, cv2.LINE_AA, shift=4)


# --------------------------------------------------------------------------------------------- suits


def _bezier(points: Sequence[Point]) -> list[Point]:
    """A cubic curve through four control points."""
    t = np.linspace(0, 1, 14)[:, None]
    a, b, c, d = (np.array(p) for p in points)
    curve = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    return [(float(x), float(y)) for x, y in curve]


def _mirrored(right: Sequence[Point]) -> list[Point]:
    return [*right, *((-x, y) for x, y in reversed(right))]


def _heart() -> list[Point]:
    lobe = _bezier([(0.0, -0.28), (0.10, -0.62), (0.52, -0.58), (0.48, -0.16)])
    return _mirrored([*lobe, *_bezier([(0.48, -0.16), (0.44, 0.10), (0.14, 0.28), (0.0, 0.52)])])


def _spade() -> list[list[Point]]:
    leaf = [(x * 0.98, -y * 0.86 - 0.05) for x, y in _heart()]
    return [leaf, _foot(0.17)]


def _foot(half: float) -> list[Point]:
    return _mirrored([(0.03, 0.05), *_bezier([(0.03, 0.2), (0.05, 0.40), (0.08, 0.46), (half, 0.50)])])


def suit_shapes(suit: str) -> list[list[Point]]:
    """Polygons of a suit sign in a box from -0.5 to 0.5."""
    if suit == "h":
        return [_heart()]
    if suit == "d":
        side = _bezier([(0.0, -0.54), (0.10, -0.34), (0.22, -0.14), (0.38, 0.0)])
        return [_mirrored([*side, *((x, -y) for x, y in reversed(side))])]
    if suit == "s":
        return _spade()
    leaves = [_arc(x, y, 0.225, 0.225, 0, 360) for x, y in ((0.0, -0.27), (-0.255, 0.09), (0.255, 0.09))]
    return [*leaves, [(-0.12, -0.1), (0.12, -0.1), (0.1, 0.15), (-0.1, 0.15)], _foot(0.18)]


def stamp(image: Image, suit: str, centre: Point, height: float, upside_down: bool = False) -> None:
    """Print a suit sign; pixels."""
    sign = -1 if upside_down else 1
    for shape in suit_shapes(suit):
        fill(image, [(centre[0] + sign * x * height, centre[1] + sign * y * height) for x, y in shape], INK[suit])


# --------------------------------------------------------------------------------------------- cards


@functools.cache
def face(card: str) -> Image:
    """The face of `card` ("Ah") as BGRA."""
    rank, suit = card[0], card[1]
    image = _paper()
    if rank in "JQK":
        _court(image, rank, suit)
    else:
        _pips(image, rank, suit)
    for _ in range(2):  # the same at both ends: print, turn round, print, turn back
        _index(image, rank, suit)
        image = np.ascontiguousarray(image[::-1, ::-1])
    return _cut_out(image)


@functools.cache
def back() -> Image:
    """The back that every card of the deck shares, as BGRA."""
    image = _paper()
    s = SPRITE_PX_PER_MM
    left, top, right, bottom = (round(v * s) for v in (4.2, 4.2, WIDTH - 4.2, HEIGHT - 4.2))
    cv2.rectangle(image, (left, top), (right, bottom), BACK, -1, cv2.LINE_AA)
    lattice = image[top:bottom, left:right]
    light = tone(BACK, 1.0, 58)
    for offset in range(-bottom, right + bottom, round(4.4 * s)):
        cv2.line(lattice, (offset, 0), (offset + bottom, bottom), light, round(0.9 * s), cv2.LINE_AA)
        cv2.line(lattice, (offset + bottom, 0), (offset, bottom), light, round(0.9 * s), cv2.LINE_AA)
    inset = round(2.2 * s)
    cv2.rectangle(
        image, (left + inset, top + inset), (right - inset, bottom - inset), PAPER, round(0.7 * s), cv2.LINE_AA
    )
    middle = (round(WIDTH / 2 * s), round(HEIGHT / 2 * s))
    cv2.ellipse(image, middle, (round(13 * s), round(18 * s)), 0, 0, 360, BACK, -1, cv2.LINE_AA)
    cv2.ellipse(image, middle, (round(13 * s), round(18 * s)), 0, 0, 360, PAPER, round(0.8 * s), cv2.LINE_AA)
    write(image, ["F", "W"], middle, 11 * s, PAPER, 0.12)
    return _cut_out(image)


def _paper() -> Image:
    size = (round(HEIGHT * SPRITE_PX_PER_MM), round(WIDTH * SPRITE_PX_PER_MM), 3)
    return np.full(size, PAPER, np.uint8)


def _cut_out(image: Image) -> Image:
    """Round the corners, draw the edge, add the alpha channel."""
    height, width = image.shape[:2]
    alpha = np.zeros((height, width), np.uint8)
    r = round(CORNER_RADIUS * SPRITE_PX_PER_MM)
    cv2.rectangle(alpha, (r, 0), (width - r - 1, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (width - 1, height - r - 1), 255, -1)
    for x in (r, width - r - 1):
        for y in (r, height - r - 1):
            cv2.circle(alpha, (x, y), r, 255, -1, cv2.LINE_AA)
    rim = cv2.subtract(alpha, cv2.erode(alpha, np.ones((5, 5), np.uint8)))
    image = np.where(rim[..., None] > 0, (image * 0.78).astype(np.uint8), image)
    return np.dstack([image, alpha])


def _index(image: Image, rank: str, suit: str) -> None:
    s = SPRITE_PX_PER_MM
    glyph = ["10"] if rank == "T" else [rank]
    write(image, glyph, (INDEX_X * s, (RANK_TOP + RANK_HEIGHT / 2) * s), RANK_HEIGHT * s, INK[suit])
    stamp(image, suit, (INDEX_X * s, (SUIT_TOP + SUIT_HEIGHT / 2) * s), SUIT_HEIGHT * s)


_LEFT, _MID, _RIGHT = 25.2, WIDTH / 2, WIDTH - 25.2
_TEN_ROWS = (16.0, 34.97, 53.93, 72.9)
_PIP_PLACES: dict[str, list[Point]] = {
    "A": [(_MID, 44.45)],
    "2": [(_MID, 16), (_MID, 72.9)],
    "3": [(_MID, 16), (_MID, 44.45), (_MID, 72.9)],
    "4": [(x, y) for x in (_LEFT, _RIGHT) for y in (16, 72.9)],
    "5": [*((x, y) for x in (_LEFT, _RIGHT) for y in (16, 72.9)), (_MID, 44.45)],
    "6": [(x, y) for x in (_LEFT, _RIGHT) for y in (16, 44.45, 72.9)],
    "7": [*((x, y) for x in (_LEFT, _RIGHT) for y in (16, 44.45, 72.9)), (_MID, 30.2)],
    "8": [*((x, y) for x in (_LEFT, _RIGHT) for y in (16, 44.45, 72.9)), (_MID, 30.2), (_MID, 58.7)],
    "9": [*((x, y) for x in (_LEFT, _RIGHT) for y in _TEN_ROWS), (_MID, 44.45)],
    "T": [*((x, y) for x in (_LEFT, _RIGHT) for y in _TEN_ROWS), (_MID, 25.5), (_MID, 63.4)],
}


def _pips(image: Image, rank: str, suit: str) -> None:
    s = SPRITE_PX_PER_MM
    height = 32.0 if rank == "A" else 10.4
    for x, y in _PIP_PLACES[rank]:
        stamp(image, suit, (x * s, y * s), height * s, upside_down=y > HEIGHT / 2 + 1)


def _court(image: Image, rank: str, suit: str) -> None:
    """A double-ended figure in a frame: robe, collar, face, hair and a crown that tells the rank."""
    s = SPRITE_PX_PER_MM
    left, right, top = 17.5, WIDTH - 17.5, 8.0
    panel = image[round(top * s) : round(HEIGHT / 2 * s) + 1, round(left * s) : round(right * s)]
    panel[:] = (214, 236, 244)
    _figure(panel, rank, suit)
    half = image[: round(HEIGHT / 2 * s)]
    image[-half.shape[0] :] = half[::-1, ::-1]
    corner, opposite = (round(left * s), round(top * s)), (round(right * s), round((HEIGHT - top) * s))
    cv2.rectangle(image, corner, opposite, ROYAL, round(0.6 * s), cv2.LINE_AA)


def _figure(panel: Image, rank: str, suit: str) -> None:
    height, width = panel.shape[:2]
    robe = INK[suit] if suit in "dh" else ROYAL
    mid = width / 2

    def at(x: float, y: float) -> Point:
        return mid + x * width, y * height

    fill(panel, [at(-0.5, 1), at(-0.42, 0.66), at(-0.16, 0.54), at(0.16, 0.54), at(0.42, 0.66), at(0.5, 1)], robe)
    fill(panel, [at(-0.13, 1), at(-0.10, 0.55), at(0.10, 0.55), at(0.13, 1)], GOLD)
    for y in (0.68, 0.82, 0.96):
        fill(panel, [at(-0.07, y), at(0, y - 0.05), at(0.07, y), at(0, y + 0.05)], robe)
    hair = (30, 62, 92) if rank != "K" else (120, 130, 138)
    cv2.ellipse(
        panel, _whole(at(0, 0.40)), _whole((0.24 * width, 0.20 * height)), 0, 0, 360, hair, -1, cv2.LINE_AA
    )
    cv2.ellipse(
        panel, _whole(at(0, 0.40)), _whole((0.155 * width, 0.17 * height)), 0, 0, 360, SKIN, -1, cv2.LINE_AA
    )
    for x in (-0.06, 0.06):
        cv2.circle(panel, _whole(at(x, 0.38)), round(0.016 * width), (40, 40, 40), -1, cv2.LINE_AA)
    cv2.ellipse(panel, _whole(at(0, 0.47)), _whole((0.05 * width, 0.012 * height)), 0, 0, 360, (60, 60, 170), -1)
    if rank == "K":  # beard and a crown of five points
        fill(panel, [at(-0.15, 0.46), at(0, 0.66), at(0.15, 0.46), at(0, 0.52)], hair)
        points = [(-0.24, 0.25), (-0.26, 0.08), (-0.13, 0.17), (0, 0.04), (0.13, 0.17), (0.26, 0.08), (0.24, 0.25)]
    elif rank == "Q":  # a low diadem
        points = [(-0.22, 0.25), (-0.20, 0.15), (-0.09, 0.19), (0, 0.10), (0.09, 0.19), (0.20, 0.15), (0.22, 0.25)]
    else:  # a flat cap
        points = [(-0.26, 0.26), (-0.20, 0.13), (0.22, 0.10), (0.26, 0.26)]
    fill(panel, [at(x, y) for x, y in points], GOLD if rank != "J" else robe)
    stamp(panel, suit, at(-0.35, 0.16), 0.17 * height)


def _whole(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])
