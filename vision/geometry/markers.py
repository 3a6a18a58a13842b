"""The printed markers: four for the rail, a board for the lens. As SVG in millimetres, and found in pictures.

Markers are ArUco (5 × 5 cells, 50 numbers) and the board ChArUco (4 × 4 cells), so that the one is never taken for
the other. An SVG prints at its true size; a browser must be told not to fit it to the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Cells = NDArray[np.bool_]  # True is black
Corners = NDArray[np.float64]  # (4, 2) pixels, from the marker's own top left, clockwise

RAIL_NUMBERS = (0, 1, 2, 3)  # from the dealer's left, clockwise: bottom left, top left, top right, bottom right
BETWEEN_NUMBERS = (4, 5)  # in the middle of the back and of the front, where two cameras share a table
MARKER_MM = 60.0
BOARD_SQUARES = (7, 5)
SQUARE_CELLS, BOARD_MARKER_CELLS = 8, 6  # of 4.5 mm each
SQUARE_MM = 36.0
PAGE_MM = (297.0, 210.0)  # A4 on its side

PLACES = ("front left", "back left", "back right", "front right", "middle of the back", "middle of the front")

_RAIL = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
_BOARD = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
_RAIL_CELLS = 7  # five and the black edge


def charuco_board() -> cv2.aruco.CharucoBoard:
    """The board for the lens; its points are in mm."""
    marker_mm = SQUARE_MM * BOARD_MARKER_CELLS / SQUARE_CELLS
    return cv2.aruco.CharucoBoard(BOARD_SQUARES, SQUARE_MM, marker_mm, _BOARD)


def marker_cells(number: int) -> Cells:
    """The cells of a rail marker."""
    return np.asarray(cv2.aruco.generateImageMarker(_RAIL, number, _RAIL_CELLS) < 128)


def board_cells() -> Cells:
    """The cells of the lens's board."""
    across, down = (count * SQUARE_CELLS for count in BOARD_SQUARES)
    fine = 10  # pixels a cell: one from the middle of each is taken
    drawn = charuco_board().generateImage((across * fine, down * fine))
    return np.asarray(drawn[fine // 2 :: fine, fine // 2 :: fine] < 128)


def rail_sheet(marker_mm: float = MARKER_MM, numbers: Sequence[int] = RAIL_NUMBERS) -> str:
    """An A4 page with the four markers of a table, or those between them, to be cut out with their white edges."""
    width, height = PAGE_MM
    parts = []
    for place, number in enumerate(numbers):
        x = width * (0.25 + 0.5 * (place % 2)) - marker_mm / 2
        y = height * (0.25 + 0.5 * (place // 2)) - marker_mm / 2 - 4
        parts.append(_squares(marker_cells(number), x, y, marker_mm / _RAIL_CELLS))
        where = PLACES[number]
        label = f"marker {number} – {where} as the dealer sits – its black square is {marker_mm:g} mm wide"
        parts.append(_text(label, x + marker_mm / 2, y + marker_mm + 12))
    return _page(parts)


def board_sheet() -> str:
    """An A4 page with the board for the lens, to be glued on something flat."""
    cells = board_cells()
    cell = SQUARE_MM / SQUARE_CELLS
    x, y = ((page - count * cell) / 2 for page, count in zip(PAGE_MM, cells.shape[::-1], strict=True))
    label = f"lens board – seven squares are {7 * SQUARE_MM:g} mm wide – hold it flat"
    return _page([_squares(cells, x, y - 4, cell), _text(label, PAGE_MM[0] / 2, PAGE_MM[1] - 6)])


def find_markers(image: Image) -> dict[int, Corners]:
    """The rail markers in a picture (BGR or grey), by number. A number that is seen twice is none."""
    corners, numbers, _ = _DETECTOR.detectMarkers(image)
    if numbers is None:
        return {}
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    seen = [int(number) for number in np.ravel(numbers)]
    return {
        number: _sharpened(np.asarray(grey, np.uint8), np.asarray(quad, np.float64).reshape(4, 2))
        for number, quad in zip(seen, corners, strict=True)
        if seen.count(number) == 1
    }


def draw_markers(image: Image, found: Mapping[int, Corners]) -> None:
    """Outline markers in a picture, with their numbers.

    `image` is BGR and is drawn into; corners are (4, 2), in its pixels.
    """
    for number, quad in found.items():
        outline = np.round(quad * 16).astype(np.int32)
        cv2.polylines(image, [outline], True, (255, 0, 220), 2, cv2.LINE_AA, shift=4)
        x, y = quad.mean(axis=0)
        cv2.putText(
            image, str(number), (round(x) - 9, round(y) + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (255, 0, 220), 2
        )


_DETECTOR = cv2.aruco.ArucoDetector(_RAIL, cv2.aruco.DetectorParameters())


def _sharpened(grey: Image, quad: Corners) -> Corners:
    """The same quad to a few hundredths of a pixel: its sides as lines halfway between black and white.

    OpenCV's own refinement looks around each corner, where a small marker's inner cells pull it inwards.
    """
    for _ in range(2):
        sides = [_side(grey, quad, i) for i in range(4)]
        quad = np.array([np.cross(sides[i - 1], sides[i]) for i in range(4)])
        quad = quad[:, :2] / quad[:, 2:]
    return quad


def _side(grey: Image, quad: Corners, i: int) -> NDArray[np.float64]:
    """The line (a, b, c) along which one side of a marker turns from black to white."""
    begin, end = quad[i], quad[(i + 1) % 4]
    reach = min(4.0, 0.8 * float(np.hypot(*(end - begin))) / _RAIL_CELLS)
    parts = np.linspace(0.12, 0.88, 24)
    seen, outward = across_side(grey, quad, i, parts, reach)
    black, white = seen[:, :5].mean(), seen[:, -5:].mean()
    if white - black < 10:
        return _line(begin, end)
    # where the edge lies: as far from the outer end as there is white
    at = reach - np.clip((seen - black) / (white - black), 0, 1).mean(axis=1) * 2 * reach
    near = np.abs(at - np.median(at)) < 0.5  # not a scratch or a finger
    slope, offset = np.polyfit(parts[near], at[near], 1)
    return _line(begin + offset * outward, end + (offset + slope) * outward)


def across_side(
    grey: Image, quad: Corners, i: int, parts: NDArray[np.float64], reach: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Grey levels across one side of a marker, (parts, 33), `reach` pixels inwards to as many outwards.

    At these parts of the side; and the direction outwards, (2,).
    """
    begin, along = quad[i], quad[(i + 1) % 4] - quad[i]
    outward = np.array([along[1], -along[0]]) / float(np.hypot(*along))
    if outward @ (quad.mean(axis=0) - begin) > 0:
        outward = -outward
    places = begin + parts[:, None, None] * along + np.linspace(-reach, reach, 33)[:, None] * outward
    seen = cv2.remap(grey, places.astype(np.float32), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.float64), outward


def _line(begin: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.cross(np.append(begin, 1.0), np.append(end, 1.0))


def _squares(cells: Cells, x: float, y: float, cell: float) -> str:
    """One path for all black cells; runs along a row are one rectangle, so that no hair lines show."""
    drawn = []
    for row, line in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            left, top = x + begin * cell, y + row * cell
            drawn.append(f"M{left:.4f} {top:.4f}h{(end - begin) * cell:.4f}v{cell:.4f}H{left:.4f}z")
    return f'<path d="{"".join(drawn)}"/>'


def _text(words: str, x: float, y: float) -> str:
    style = 'font-family="sans-serif" font-size="3.2" text-anchor="middle" fill="#777"'
    return f'<text x="{x:.2f}" y="{y:.2f}" {style}>{words}</text>'


def _page(parts: list[str]) -> str:
    width, height = PAGE_MM
    head = f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    body = "\n".join(parts)
    paper = '<rect width="100%" height="100%" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>\n{paper}\n{body}\n</svg>\n'
