"""Card faces and backs, drawn from strokes and polygons of our own.

Lengths are millimetres; a sprite is a BGRA picture of one card, `SPRITE_PX_PER_MM` pixels to the millimetre.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

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


@dataclass(frozen=True)
class DeckStyle:
    """What a deck's indices and pips are like; lengths in mm, `weight` is the stroke by a rank's height."""

    rank_height: float = 17.5
    suit_height: float = 12.5
    index_x: float = 9.4
    top: float = 4.2
    gap: float = 2.5
    weight: float = 0.145
    feet: bool = False  # short bars across the ends of strokes
    pip_height: float = 10.4
    column: float = 25.2  # where the left column of pips stands
    frame: float = 17.5  # how far a court's frame is from the card's long side
    ink: dict[str, Colour] = field(default_factory=lambda: INK)


FOUR_INKS: dict[str, Colour] = {"c": (42, 108, 24), "s": (34, 28, 26), "d": (176, 84, 22), "h": (38, 28, 196)}
PALE_INKS: dict[str, Colour] = {"c": (96, 92, 90), "s": (96, 92, 90), "d": (124, 112, 222), "h": (124, 112, 222)}
REGULAR = DeckStyle(8.2, 6.4, 6.0, 3.6, 1.4, 0.15, pip_height=13.6, column=20.0, frame=11.5)
DECKS = {
    "house": DeckStyle(),
    "regular": REGULAR,
    "slab": replace(REGULAR, rank_height=9.0, weight=0.10, feet=True),
    "four colours": replace(REGULAR, rank_height=10.5, suit_height=7.5, index_x=7.0, ink=FOUR_INKS),
    "jumbo": DeckStyle(21.0, 13.5, 10.6, 3.6, 2.0, 0.16, pip_height=9.6, column=27.0, frame=20.0),
    "bleached": replace(REGULAR, rank_height=10.0, suit_height=7.5, index_x=6.6, ink=PALE_INKS),
}


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
    image: Image,
    text: Sequence[str],
    centre: Point,
    height: float,
    colour: Colour,
    weight: float = 0.145,
    feet: bool = False,
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
            for end in _ends(stroke) if feet else ():
                middle = np.array((x + end[0] * height, y + end[1] * height))
                reach = np.array((0.13 * height, 0.0))
                bar = np.array([middle - reach, middle + reach])
                cv2.polylines(image, [_fixed(bar)], False, colour, max(1, thickness - 1), cv2.LINE_AA, shift=4)
        x += width * height + gap


def _ends(stroke: list[Point]) -> list[Point]:
    """The ends of a stroke that stand on the line or hang from the top, where slab letters have feet."""
    upright = [p for p in (stroke[0], stroke[-1]) if not 0.1 < p[1] < 0.9]
    return [] if stroke[0] == stroke[-1] else upright


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Pixels as OpenCV's fixed point with four binary places."""
    return np.round(points * 16).astype(np.int32)


def fill(image: Image, points: Iterable[Point], colour: Colour) -> None:
    """Fill a polygon. `image` is BGR and is drawn into; points are x, y in its pixels."""
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
    """Polygons of a suit sign in a box from -0.5 to 0.5: points x, y in parts of the sign, not pixels."""
    if suit == "h":
        return [_heart()]
    if suit == "d":
        side = _bezier([(0.0, -0.54), (0.10, -0.34), (0.22, -0.14), (0.38, 0.0)])
        return [_mirrored([*side, *((x, -y) for x, y in reversed(side))])]
    if suit == "s":
        return _spade()
    leaves = [_arc(x, y, 0.225, 0.225, 0, 360) for x, y in ((0.0, -0.27), (-0.255, 0.09), (0.255, 0.09))]
    return [*leaves, [(-0.12, -0.1), (0.12, -0.1), (0.1, 0.15), (-0.1, 0.15)], _foot(0.18)]


def stamp(
    image: Image,
    suit: str,
    centre: Point,
    height: float,
    upside_down: bool = False,
    ink: dict[str, Colour] = INK,
) -> None:
    """Print a suit sign; pixels."""
    sign = -1 if upside_down else 1
    for shape in suit_shapes(suit):
        fill(image, [(centre[0] + sign * x * height, centre[1] + sign * y * height) for x, y in shape], ink[suit])


# --------------------------------------------------------------------------------------------- cards


@functools.cache
def face(card: str, deck: str = "house") -> Image:
    """The face of `card` ("Ah") in one of `DECKS` as BGRA."""
    rank, suit, style = card[0], card[1], DECKS[deck]
    image = bare_paper()
    if rank in "JQK":
        _court(image, rank, suit, style)
    else:
        _pips(image, rank, suit, style)
    for _ in range(2):  # the same at both ends: print, turn round, print, turn back
        _index(image, rank, suit, style)
        image = np.ascontiguousarray(image[::-1, ::-1])
    return cut_out(image)


@functools.cache
def back() -> Image:
    """The back that every card of the deck shares, as BGRA."""
    image = bare_paper()
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
    return cut_out(image)


def bare_paper() -> Image:
    """A card without print: BGR, (height, width, 3) uint8, `SPRITE_PX_PER_MM`."""
    size = (round(HEIGHT * SPRITE_PX_PER_MM), round(WIDTH * SPRITE_PX_PER_MM), 3)
    return np.full(size, PAPER, np.uint8)


def cut_out(image: Image) -> Image:
    """Round the corners, draw the edge, add the alpha channel.

    BGR, (height, width, 3) uint8, becomes BGRA, (height, width, 4).
    """
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


def _index(image: Image, rank: str, suit: str, deck: DeckStyle) -> None:
    s = SPRITE_PX_PER_MM
    glyph = ["10"] if rank == "T" else [rank]
    middle = (deck.index_x * s, (deck.top + deck.rank_height / 2) * s)
    write(image, glyph, middle, deck.rank_height * s, deck.ink[suit], deck.weight, deck.feet)
    below = deck.top + deck.rank_height + deck.gap + deck.suit_height / 2
    stamp(image, suit, (deck.index_x * s, below * s), deck.suit_height * s, ink=deck.ink)


_LEFT, _MID, _RIGHT = -1.0, 0.0, 1.0  # columns of pips
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


def _pips(image: Image, rank: str, suit: str, deck: DeckStyle) -> None:
    s = SPRITE_PX_PER_MM
    height = 32.0 if rank == "A" else deck.pip_height
    for column, y in _PIP_PLACES[rank]:
        x = WIDTH / 2 + column * (WIDTH / 2 - deck.column)
        stamp(image, suit, (x * s, y * s), height * s, y > HEIGHT / 2 + 1, deck.ink)


def _court(image: Image, rank: str, suit: str, deck: DeckStyle) -> None:
    """A double-ended figure in a frame: robe, collar, face, hair and a crown that tells the rank."""
    s = SPRITE_PX_PER_MM
    left, right, top = deck.frame, WIDTH - deck.frame, 8.0
    panel = image[round(top * s) : round(HEIGHT / 2 * s) + 1, round(left * s) : round(right * s)]
    panel[:] = (214, 236, 244)
    _figure(panel, rank, suit, deck.ink)
    half = image[: round(HEIGHT / 2 * s)]
    image[-half.shape[0] :] = half[::-1, ::-1]
    corner, opposite = (round(left * s), round(top * s)), (round(right * s), round((HEIGHT - top) * s))
    cv2.rectangle(image, corner, opposite, ROYAL, round(0.6 * s), cv2.LINE_AA)


def _figure(panel: Image, rank: str, suit: str, ink: dict[str, Colour]) -> None:
    height, width = panel.shape[:2]
    robe = ink[suit] if suit in "dh" else ROYAL
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
    stamp(panel, suit, at(-0.35, 0.16), 0.17 * height, ink=ink)


def _whole(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])
