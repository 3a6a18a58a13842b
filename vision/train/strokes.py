"""Ranks drawn with a pen of our own: no two alike, thin and bold, with serifs or without, narrow and wide.

Playing cards set their ranks in letters no typeface has: slab-footed, hair-thin, squeezed tens. Each rank here
is a few lines and arcs in a unit box whose proportions are drawn by chance: so a network learns what a 3 *is*.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]
Rng = np.random.Generator
Line = list[tuple[float, float]]  # x to the right, y down, 0 to 1

HEIGHT_PX = 120
EDGE_PX = 40


def stroked(rank: str, rng: Rng) -> Grey:
    """A rank's ink (0 to 1), cut to its box, `HEIGHT_PX` or a little more high.

    The shape is (height, width), in pixels.
    """
    lines = _SHAPES[rank](rng)
    pen = HEIGHT_PX * float(np.exp(rng.uniform(np.log(0.035), np.log(0.20))))
    wide = HEIGHT_PX * rng.uniform(0.42, 0.85) * (1.25 if rank in "TQKA" else 1.0)
    contrast = float(np.exp(rng.normal(0, 0.35)))  # the pen is this much wider than high
    page = np.zeros((HEIGHT_PX + 2 * EDGE_PX, round(wide / contrast) + 2 * EDGE_PX), np.uint8)
    for line in lines:
        points = np.array([(EDGE_PX + x * wide / contrast, EDGE_PX + y * HEIGHT_PX) for x, y in line])
        cv2.polylines(
            page, [np.round(points * 16).astype(np.int32)], False, 255, max(2, round(pen)), cv2.LINE_AA, 4
        )
    size = (max(4, round(page.shape[1] * contrast)), page.shape[0])
    ink = cv2.resize(page, size, interpolation=cv2.INTER_AREA)
    ys, xs = np.nonzero(ink > 76)
    return np.asarray(ink[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] / 255, np.float32)


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float, square: float = 1.0) -> Line:
    """Part of an ellipse, degrees clockwise from the right; `square` below 1 fills its corners."""
    at = np.radians(np.linspace(start, end, 30))
    x, y = np.cos(at), np.sin(at)
    return [
        (cx + rx * float(np.sign(a) * abs(a) ** square), cy + ry * float(np.sign(b) * abs(b) ** square))
        for a, b in zip(x, y, strict=True)
    ]


def _serif(rng: Rng, x: float, y: float, reach: float) -> Line:
    size = reach * rng.uniform(0.6, 1.2)
    return [(x - size, y), (x + size, y)]


def _two(rng: Rng) -> list[Line]:
    knee = rng.uniform(0.24, 0.34)
    top = _arc(0.5, knee, rng.uniform(0.42, 0.5), knee, rng.uniform(175, 205), 375)
    neck = [(0.78, knee + 0.22), (rng.uniform(0.3, 0.5), 0.72)] if rng.random() < 0.5 else []
    line = [*top, *neck, (0.0, 1.0), (1.0, 1.0)]
    if rng.random() < 0.4:
        line.append((1.0, rng.uniform(0.84, 0.95)))
    return [line]


def _three(rng: Rng) -> list[Line]:
    if rng.random() < 0.4:
        return [_flat_three(rng)]
    waist = rng.uniform(0.40, 0.50)
    low = _arc(0.45, (waist + 1) / 2, rng.uniform(0.45, 0.55), (1 - waist) / 2, -90, rng.uniform(150, 185))
    top = _arc(0.45, waist / 2, rng.uniform(0.36, 0.52), waist / 2, rng.uniform(180, 215), 450)
    if rng.random() < 0.5:
        low = [(rng.uniform(0.25, 0.45), waist), *low]
    return [[*top, *low]]


def _flat_three(rng: Rng) -> Line:
    """A three whose head is a bar and a slope; on many cards the bar's left end hangs down."""
    waist = rng.uniform(0.34, 0.50)
    middle = rng.uniform(0.34, 0.5)
    bowl = _arc(middle, (waist + 1) / 2, rng.uniform(0.45, 0.58), (1 - waist) / 2, -90, rng.uniform(140, 190))
    left, right = rng.uniform(0.0, 0.12), rng.uniform(0.82, 0.98)
    hang = [(left, rng.uniform(0.06, 0.2))] if rng.random() < 0.6 else []
    return [*hang, (left, 0.0), (right, 0.0), (rng.uniform(0.28, middle), waist), *bowl]


def _four(rng: Rng) -> list[Line]:
    stem, bar = rng.uniform(0.62, 0.82), rng.uniform(0.62, 0.76)
    if rng.random() < 0.2:
        lines: list[Line] = [[(0.4, 0.0), (0.0, bar), (1.0, bar)], [(stem, rng.uniform(0.3, 0.5)), (stem, 1.0)]]
    else:
        lines = [[(stem, 1.0), (stem, 0.0), (0.0, bar), (1.0, bar)]]
    if rng.random() < 0.45:
        lines.append(_serif(rng, stem, 1.0, 0.24))
    return lines


def _five(rng: Rng) -> list[Line]:
    waist = rng.uniform(0.36, 0.46)
    left = rng.uniform(0.05, 0.2)
    bowl = _arc(
        0.45, (waist + 1) / 2 - 0.02, rng.uniform(0.46, 0.55), (1 - waist) / 2 + 0.02, -130, rng.uniform(145, 180)
    )
    return [[(rng.uniform(0.8, 0.98), 0.0), (left + 0.05, 0.0), (left, waist + 0.05), *bowl]]


def _six(rng: Rng) -> list[Line]:
    top = rng.uniform(0.36, 0.46)
    middle, half = (top + 1) / 2, (1 - top) / 2
    bowl = _arc(0.5, middle, 0.5, half, 0, 360)
    if rng.random() < 0.6:
        reach = rng.uniform(0.34, 0.52)
        back = _arc(0.5, 0.5, 0.5, 0.5, 180, 180 + rng.uniform(95, 140))
        return [bowl, [(0.0, middle), *back] if reach else back]
    return [bowl, [(0.02, middle - 0.08), (rng.uniform(0.1, 0.3), 0.35), (rng.uniform(0.5, 0.85), 0.0)]]


def _seven(rng: Rng) -> list[Line]:
    foot = rng.uniform(0.2, 0.5)
    bend = (rng.uniform(0.45, 0.7), rng.uniform(0.4, 0.55))
    line = (
        [(0.0, 0.0), (1.0, 0.0), bend, (foot, 1.0)]
        if rng.random() < 0.5
        else [(0.0, 0.0), (1.0, 0.0), (foot, 1.0)]
    )
    if rng.random() < 0.5:
        line.insert(0, (0.0, rng.uniform(0.08, 0.2)))
    lines = [line]
    if rng.random() < 0.15:
        lines.append(_serif(rng, foot, 1.0, 0.15))
    return lines


def _eight(rng: Rng) -> list[Line]:
    waist = rng.uniform(0.42, 0.5)
    top = _arc(0.5, waist / 2, rng.uniform(0.36, 0.48), waist / 2, 0, 360)
    return [top, _arc(0.5, (1 + waist) / 2, 0.5, (1 - waist) / 2, 0, 360)]


def _nine(rng: Rng) -> list[Line]:
    return [[(1 - x, 1 - y) for x, y in line] for line in _six(rng)]


def _ten(rng: Rng) -> list[Line]:
    one = rng.uniform(0.08, 0.2)
    lines: list[Line] = [[(one, 0.0), (one, 1.0)]]
    if rng.random() < 0.6:
        lines.append([(one - rng.uniform(0.1, 0.2), rng.uniform(0.05, 0.22)), (one, 0.0)])
    if rng.random() < 0.5:
        lines.append(_serif(rng, one, 1.0, 0.13))
    if rng.random() < 0.2:
        lines.append(_serif(rng, one, 0.0, 0.12))
    left = one + rng.uniform(0.16, 0.36)
    nought = _arc((left + 1) / 2, 0.5, (1 - left) / 2, 0.5, 0, 360, rng.uniform(0.55, 1.0))
    return [*lines, nought]


def _jack(rng: Rng) -> list[Line]:
    stem, hook = rng.uniform(0.6, 0.85), rng.uniform(0.62, 0.8)
    bowl = _arc(stem / 2, hook, stem / 2, 1 - hook, 0, rng.uniform(150, 185))
    lines: list[Line] = [[(stem, 0.0), *bowl]]
    choice = rng.random()
    if choice < 0.55:
        lines.append(_serif(rng, stem, 0.0, 0.26))
    elif choice < 0.7:
        lines.append([(stem - rng.uniform(0.25, 0.5), 0.0), (stem, 0.0)])
    return lines


def _queen(rng: Rng) -> list[Line]:
    bottom = rng.uniform(0.86, 1.0)
    lines: list[Line] = [_arc(0.5, bottom / 2, 0.5, bottom / 2, 0, 360, rng.uniform(0.6, 1.0))]
    choice = rng.random()
    if choice < 0.4:
        lines.append(
            [(rng.uniform(0.4, 0.7), rng.uniform(0.55, 0.8)), (rng.uniform(0.8, 1.1), rng.uniform(0.94, 1.12))]
        )
    elif choice < 0.55:  # a loop inside the foot of the bowl that runs out into the tail
        x, y = rng.uniform(0.3, 0.45), rng.uniform(0.72, 0.86)
        loop = _arc(x, y, rng.uniform(0.08, 0.16), rng.uniform(0.06, 0.12), 60, 330)
        lines.append([*loop, (rng.uniform(0.6, 0.8), rng.uniform(0.9, 1.0)), (rng.uniform(0.9, 1.1), 1.02)])
    elif choice < 0.65:  # a tail across the foot, outside and in
        x = rng.uniform(0.5, 0.75)
        lines.append([(x - 0.2, rng.uniform(0.72, 0.85)), (x + 0.2, rng.uniform(1.05, 1.2))])
    elif choice < 0.82:  # a wave across the bowl's foot
        y = rng.uniform(0.8, 0.92)
        lines.append([(0.2, y), (0.4, y - 0.08), (0.65, y + 0.06), (0.85, bottom + 0.04), (1.05, bottom)])
    else:
        lines.append([(0.5, bottom - 0.1), (0.5, 1.04), (0.9, 1.06)])
    return lines


def _king(rng: Rng) -> list[Line]:
    meet = rng.uniform(0.5, 0.68)
    stem = rng.uniform(0.0, 0.12)
    branch = (stem + (0.92 - stem) * rng.uniform(0.18, 0.4), meet - rng.uniform(0.06, 0.16))
    lines: list[Line] = [[(stem, 0.0), (stem, 1.0)], [(0.92, 0.0), (stem, meet)], [branch, (1.0, 1.0)]]
    if rng.random() < 0.55:
        lines += [_serif(rng, x, y, 0.15) for x, y in ((stem, 0.0), (stem, 1.0), (0.92, 0.0), (1.0, 1.0))]
    return lines


def _ace(rng: Rng) -> list[Line]:
    bar, top = rng.uniform(0.55, 0.75), rng.uniform(0.0, 0.06)
    left, right = 0.5 * (1 - bar), 1 - 0.5 * (1 - bar)
    lines: list[Line] = [[(0.0, 1.0), (0.5 - top, 0.0), (0.5 + top, 0.0), (1.0, 1.0)], [(left, bar), (right, bar)]]
    if rng.random() < 0.55:
        lines += [_serif(rng, x, 1.0, 0.17) for x in (0.0, 1.0)]
    return lines


_SHAPES: dict[str, Callable[[Rng], list[Line]]] = {
    "2": _two, "3": _three, "4": _four, "5": _five, "6": _six, "7": _seven, "8": _eight,
    "9": _nine, "T": _ten, "J": _jack, "Q": _queen, "K": _king, "A": _ace,
}  # fmt: skip
