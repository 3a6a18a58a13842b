"""Shapes of a drawing as SVG text. Lengths are millimetres."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

INK, FAINT = "#222", "#bbb"
FONT = "font-family='DejaVu Sans, Arial, sans-serif'"
# Colours of wires, by IEC 60757's letters, as WireViz has them.
WIRE = {
    "BK": "#000000", "BN": "#8b4513", "RD": "#d01010", "OG": "#f08000", "YE": "#d8b400", "GN": "#109020",
    "BU": "#0050d0", "VT": "#8020a0", "GY": "#808080", "WH": "#b8b8b8", "PK": "#f060a0",
}  # fmt: skip


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rectangle(x: float, y: float, wide: float, high: float, *, fill: str = "none", line: str = INK,
              width: float = 0.2, round_by: float = 0.0) -> str:  # fmt: skip
    return (
        f"<rect x='{number(x)}' y='{number(y)}' width='{number(wide)}' height='{number(high)}' "
        f"rx='{number(round_by)}' fill='{fill}' stroke='{line}' stroke-width='{number(width)}'/>"
    )


def circle(
    x: float, y: float, radius: float, *, fill: str = "none", line: str = "none", width: float = 0.2
) -> str:
    return (
        f"<circle cx='{number(x)}' cy='{number(y)}' r='{number(radius)}' fill='{fill}' stroke='{line}' "
        f"stroke-width='{number(width)}'/>"
    )


def path(points: Iterable[tuple[float, float]], *, line: str = INK, width: float = 0.2, dashes: str = "",
         fill: str = "none", closed: bool = False) -> str:  # fmt: skip
    joined = " L".join(f"{number(x)},{number(y)}" for x, y in points)
    dash = f" stroke-dasharray='{dashes}'" if dashes else ""
    return (
        f"<path d='M{joined}{'Z' if closed else ''}' fill='{fill}' stroke='{line}' stroke-width='{number(width)}' "
        f"stroke-linecap='round' stroke-linejoin='round'{dash}/>"
    )


def text(x: float, y: float, words: str, *, size: float = 3.0, anchor: str = "start", colour: str = INK,
         weight: str = "normal", turned: float = 0.0) -> str:  # fmt: skip
    """`y` is the line on which the letters stand."""
    turn = f" transform='rotate({number(turned)} {number(x)} {number(y)})'" if turned else ""
    return (
        f"<text x='{number(x)}' y='{number(y)}' font-size='{number(size)}' text-anchor='{anchor}' fill='{colour}' "
        f"font-weight='{weight}' {FONT}{turn}>{escape(words)}</text>"
    )


def document(wide: float, high: float, shapes: Iterable[str]) -> str:
    """Printed at 100 percent it has its size in millimetres."""
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{number(wide)}mm' height='{number(high)}mm' "
        f"viewBox='0 0 {number(wide)} {number(high)}'>"
    )
    return "\n".join([head, rectangle(0, 0, wide, high, fill="#fff", line="none"), *shapes, "</svg>\n"])
