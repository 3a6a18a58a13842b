"""Outlines as DXF (R12, millimetres), which laser cutters' programs read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Circle(NamedTuple):
    x: float
    y: float
    wide: float


class Square(NamedTuple):
    x: float
    y: float
    wide: float


class Rounded(NamedTuple):
    """A rectangle from the origin with rounded corners."""

    wide: float
    deep: float
    radius: float


Shape = Circle | Square | Rounded


def document(shapes: Iterable[Shape]) -> str:
    pairs: list[tuple[int, str]] = [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"), (0, "ENDSEC")]
    pairs += [(0, "SECTION"), (2, "ENTITIES")]
    for shape in shapes:
        pairs += _entities(shape)
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _entities(shape: Shape) -> Iterator[tuple[int, str]]:
    match shape:
        case Circle(x, y, wide):
            yield from [(0, "CIRCLE"), (8, "CUT"), (10, _n(x)), (20, _n(y)), (40, _n(wide / 2))]
        case Square(x, y, wide):
            half = wide / 2
            corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            for at, corner in enumerate(corners):
                yield from _line(corners[at - 1], corner)
        case Rounded(wide, deep, radius):
            yield from _line((radius, 0), (wide - radius, 0))
            yield from _line((wide, radius), (wide, deep - radius))
            yield from _line((wide - radius, deep), (radius, deep))
            yield from _line((0, deep - radius), (0, radius))
            for x, y, start in ((wide - radius, radius, 270), (wide - radius, deep - radius, 0),
                                (radius, deep - radius, 90), (radius, radius, 180)):  # fmt: skip
                yield from [(0, "ARC"), (8, "CUT"), (10, _n(x)), (20, _n(y)), (40, _n(radius))]
                yield from [(50, _n(start)), (51, _n((start + 90) % 360))]


def _line(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[int, str]]:
    yield from [
        (0, "LINE"),
        (8, "CUT"),
        (10, _n(start[0])),
        (20, _n(start[1])),
        (11, _n(end[0])),
        (21, _n(end[1])),
    ]


def _n(value: float) -> str:
    return f"{value:.4f}"
