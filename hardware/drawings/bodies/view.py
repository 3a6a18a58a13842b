"""Pictures of solids from far away, lit from the upper left, edges drawn. They need no graphics card."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]
_FINE = 2  # pixels of the drawing to one of the picture
_LIGHT = np.array([-0.35, -0.45, 0.82])
_PAPER = 255.0
_COLOURS = 200
_EDGE = 20


class Scene:
    """`add` solids, then `write`. `turn`: degrees about the vertical; `tilt`: 90 looks straight down."""

    def __init__(self, turn: float, tilt: float) -> None:
        a, b = math.radians(turn), math.radians(tilt)
        across = np.array([math.cos(a), math.sin(a), 0.0])
        away = np.array([-math.sin(a), math.cos(a), 0.0])
        up = away * math.sin(b) + np.array([0, 0, math.cos(b)])
        self._axes = np.array([across, up, np.cross(across, up)])
        self._light = _LIGHT * (1, 1, math.copysign(1, tilt)) / np.linalg.norm(_LIGHT)
        self._triangles: list[tuple[Floats, Colour, int]] = []
        self._notes: list[tuple[Floats, str]] = []

    def add(self, solid: Any, colour: Colour, at: Sequence[float] = (0, 0, 0)) -> None:
        for number, piece in enumerate(solid.vals()):
            points, corners = piece.tessellate(0.08, 0.2)
            places = np.array([point.toTuple() for point in points]) + np.array(at, dtype=float)
            self._triangles.append((places[np.array(corners)], colour, len(self._triangles) * 64 + number))

    def note(self, at: Sequence[float], words: str) -> None:
        """Beside the picture, with a line to `at`."""
        self._notes.append((np.array(at, dtype=float), words))

    def write(self, path: Path, wide: int, *, letters: int = 15) -> None:
        from PIL import Image, ImageDraw, ImageFont

        font = ImageFont.load_default(letters)
        column = int(max((font.getlength(words) for _, words in self._notes), default=0))
        seen = [triangles @ self._axes.T for triangles, _, _ in self._triangles]
        every = np.concatenate([piece.reshape(-1, 3) for piece in seen])
        low, high = every[:, :2].min(axis=0), every[:, :2].max(axis=0)
        right = wide - _EDGE - column - (2 * _EDGE if column else 0)
        scale = _FINE * (right - _EDGE) / (high[0] - low[0])
        tall = int((high[1] - low[1]) * scale / _FINE) + 2 * _EDGE

        def place(points: Floats) -> Floats:
            moved = (points[..., :2] - low) * scale + _FINE * _EDGE
            moved[..., 1] = tall * _FINE - moved[..., 1]
            return np.concatenate([moved, points[..., 2:] * scale], axis=-1)

        picture = _drawn(
            [place(piece) for piece in seen], self._triangles, self._axes, self._light, wide * _FINE, tall * _FINE
        )
        image = Image.fromarray(picture.astype(np.uint8)).resize((wide, tall), Image.Resampling.LANCZOS)
        pen = ImageDraw.Draw(image)
        notes = [(place(where @ self._axes.T) / _FINE, words) for where, words in self._notes]
        heights = _apart([where[1] for where, _ in notes], letters * 1.4)
        for (where, words), y in zip(notes, heights, strict=True):
            pen.line([(where[0], where[1]), (right + _EDGE, y)], fill="#305080", width=1)
            pen.ellipse([where[0] - 3, where[1] - 3, where[0] + 3, where[1] + 3], fill="#305080")
            pen.text((right + _EDGE + 4, y), words, fill="#102040", font=font, anchor="lm")
        path.parent.mkdir(exist_ok=True)
        image.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """The same, so far from each other that lines of text do not overlap."""
    placed = list(heights)
    order = sorted(range(len(placed)), key=lambda at: placed[at])
    for before, after in itertools.pairwise(order):
        placed[after] = max(placed[after], placed[before] + least)
    return placed


def _drawn(
    seen: Iterable[Floats],
    solids: Iterable[tuple[Floats, Colour, int]],
    axes: Floats,
    light: Floats,
    wide: int,
    tall: int,
) -> Floats:
    depth = np.full((tall, wide), -np.inf)
    colours = np.full((tall, wide, 3), _PAPER)
    faces = np.zeros((tall, wide, 3))
    owner = np.full((tall, wide), -1)
    for places, (triangles, colour, number) in zip(seen, solids, strict=True):
        sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
        lengths = np.linalg.norm(sides, axis=1)
        facing = (sides @ axes[2] > 0) & (lengths > 1e-9)
        for corners, side in zip(places[facing], sides[facing] / lengths[facing, None], strict=True):
            bright = 0.42 + 0.58 * max(0.0, float(side @ light))
            _fill(corners, np.array(colour) * bright, side, number, depth, colours, faces, owner)
    return _with_edges(depth, colours, faces, owner)


def _fill(
    corners: Floats,
    colour: Floats,
    side: Floats,
    number: int,
    depth: Floats,
    colours: Floats,
    faces: Floats,
    owner: Any,
) -> None:
    x0, y0 = np.floor(corners[:, :2].min(axis=0)).astype(int)
    x1, y1 = np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy)
    if abs(area) < 1e-9:
        return
    x, y = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    u = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area
    v = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area
    z = u * az + v * bz + (1 - u - v) * cz
    window = np.s_[y0:y1, x0:x1]
    nearer = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6) & (z > depth[window])
    depth[window][nearer] = z[nearer]
    colours[window][nearer] = colour
    faces[window][nearer] = side
    owner[window][nearer] = number


def _with_edges(depth: Floats, colours: Floats, faces: Floats, owner: Any) -> Floats:
    """Dark where one face, or one part, meets another."""
    edges = np.zeros(depth.shape, dtype=bool)
    flat = np.where(np.isinf(depth), -1e6, depth)
    for axis in (0, 1):
        turned = (np.diff(faces, axis=axis) ** 2).sum(axis=2) > 0.12
        other = np.diff(owner, axis=axis) != 0
        step = np.abs(np.diff(flat, axis=axis)) > 14
        found = turned | other | step
        edges[tuple(slice(0, -1) if at == axis else slice(None) for at in (0, 1))] |= found
    colours[edges] = colours[edges] * 0.35
    return colours
