"""Pictures of the perfboards, from above (parts) and from below (wires), and the list of their wires."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hardware.drawings import FOLDER, PICTURES, svg
from hardware.drawings.boards import PITCH_MM, Hole, Layout, Placed, Wire, layouts
from hardware.drawings.document import table, write_section

DOCUMENT = FOLDER / "boards.md"
_SCALE = 1.6  # of the picture
_PITCH = PITCH_MM * _SCALE
_EDGE, _TOP = 9.0, 16.0
_BODY = {"pico": "#dff0e4", "dip14": "#d9d9e3", "axial": "#f3e3c8", "radial": "#dde8f5", "row": "#eee"}
_ENDS_MM = 12.0  # of a wire: bared, bent, soldered
_COLOURS = {
    "BK": "black", "BN": "brown", "RD": "red", "OG": "orange", "YE": "yellow", "GN": "green", "BU": "blue",
    "VT": "violet", "GY": "grey", "WH": "white", "PK": "pink",
}  # fmt: skip


def write() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, board in layouts().items():
        for side in ("above", "below"):
            (PICTURES / f"board-{name}-{side}.svg").write_text(picture(board, below=side == "below"), "utf-8")
        write_section(DOCUMENT, f"wires {name}", wire_list(board))


def hole_name(hole: Hole) -> str:
    """As boards have it printed: a letter for the column, a number for the row."""
    return f"{chr(ord('A') + hole[0])}{hole[1] + 1}"


def wire_list(board: Layout) -> str:
    rows = []
    for wire in board.wires:
        ends = [f"{pin} ({hole_name(board.holes[pin])})" for pin in (wire.first, wire.second)]
        rows.append([*ends, _COLOURS[wire.colour], f"{board.length_mm(wire) + _ENDS_MM:.0f}"])
    return table(["from", "to", "colour", "mm"], rows, right=(3,))


def picture(board: Layout, *, below: bool) -> str:
    wide = 2 * _EDGE + (board.columns - 1) * _PITCH
    high = _TOP + (board.rows - 1) * _PITCH + _EDGE + 3
    side = "from below, mirrored: the wires" if below else "from above: the parts"
    shapes = [svg.text(_EDGE - 3, 6, f"{board.title}, {side}", size=4, weight="bold")]
    shapes += _board(board, below=below)
    for part in board.part:
        shapes += _rail(board, part, below=below) if part.kind == "rail" else _part(board, part, below=below)
    if below:
        for at, wire in enumerate(board.wires):
            shapes += _wire(board, wire, at)
    return svg.document(wide, high, shapes)


def _place(board: Layout, hole: tuple[float, float], *, below: bool) -> tuple[float, float]:
    column = board.columns - 1 - hole[0] if below else hole[0]
    return _EDGE + column * _PITCH, _TOP + hole[1] * _PITCH


def _board(board: Layout, *, below: bool) -> Iterator[str]:
    left, top = _EDGE - 0.8 * _PITCH, _TOP - 0.8 * _PITCH
    wide, high = (board.columns + 0.6) * _PITCH, (board.rows + 0.6) * _PITCH
    yield svg.rectangle(left, top, wide, high, fill="#fbf7ec", line="#998", round_by=1)
    for column in range(board.columns):
        for row in range(board.rows):
            x, y = _place(board, (column, row), below=below)
            yield svg.circle(x, y, 0.55, fill="#fff", line="#c9a253")
        x, y = _place(board, (column, 0), below=below)
        yield svg.text(x, y - 1.45 * _PITCH, hole_name((column, 0))[0], size=2, anchor="middle", colour="#777")
    for row in range(board.rows):
        x, y = _place(board, (board.columns - 1 if below else 0, row), below=below)
        yield svg.text(x - 0.95 * _PITCH, y + 0.7, str(row + 1), size=2, anchor="end", colour="#777")


def _part(board: Layout, part: Placed, *, below: bool) -> Iterator[str]:
    left, top, right, bottom = part.body
    corners = [_place(board, (left, top), below=below), _place(board, (right, bottom), below=below)]
    x, y = min(corners[0][0], corners[1][0]), corners[0][1]
    wide, high = abs(corners[1][0] - corners[0][0]), corners[1][1] - corners[0][1]
    fill = "none" if below else _BODY[part.kind]
    dim = svg.FAINT if below else "#555"
    yield svg.rectangle(x, y, wide, high, fill=fill, line=dim, round_by=0.6)
    for at, (label, hole) in enumerate(part.holes.items()):
        pin_x, pin_y = _place(board, hole, below=below)
        yield svg.circle(pin_x, pin_y, 0.7, fill="#c9a253" if at or below else "#7a4b00")
        if len(part.holes) > 2 and not below:
            words, side = label.removeprefix("row ").removeprefix("column "), _side(board, part, hole)
            beside = pin_y + (1.1 if side == "end" else -1.1)
            yield svg.text(pin_x + 0.5, beside, words, size=1.5, turned=-90, anchor=side)
    if not below:
        yield from _name(board, part, x, y, wide, high)


def _side(board: Layout, part: Placed, hole: Hole) -> str:
    """Where a pin's name ends: it stands inside its part, beside a row of pins on the side that is free."""
    downwards = hole[1] in (0, board.rows - 1) if part.kind == "row" else hole[1] == part.at[1]
    return "end" if downwards else "start"


def _name(board: Layout, part: Placed, x: float, y: float, wide: float, high: float) -> Iterator[str]:
    row = part.at[1]
    words = f"{part.name}: {part.says}"
    if part.kind == "row" and row in (0, board.rows - 1):
        below = row != 0
        yield svg.text(x, y + high + 7 if below else y - 0.8, words if wide > 17 else part.name, size=1.7)
    elif part.kind == "row":
        yield svg.text(x - 0.6, y + high / 2 + 0.6, part.name, size=1.7, anchor="end")
    elif part.kind in ("axial", "radial"):
        below_pins = 0.6 if part.kind == "axial" else min(high / 2 - 0.4, 2.6)
        yield svg.text(x + wide / 2, y + high / 2 + below_pins, words.replace(":", ""), size=1.7, anchor="middle")
    else:
        yield svg.text(x + wide / 2, y + high / 2 + 1, words, size=2.6, anchor="middle")
        if part.kind == "pico":
            yield svg.rectangle(x - 3, y + high / 2 - 4, 6, 8, fill="#ccc", line="#555")
            yield svg.text(x, y + high / 2 + 0.8, "USB", size=2, anchor="middle")


def _rail(board: Layout, part: Placed, *, below: bool) -> Iterator[str]:
    holes = list(part.holes.values())
    ends = [_place(board, holes[at], below=below) for at in (0, -1)]
    colour = {"GND": svg.WIRE["BK"], "5V": svg.WIRE["RD"], "3V3": svg.WIRE["PK"]}[part.name]
    yield svg.path(ends, line=colour, width=1.0 if below else 0.5, dashes="" if below else "1.5 1.2")
    x, y = max(ends) if below else ends[0]
    yield svg.text(x + (1.5 if below else -1.5), y + 0.8, part.name, size=2, colour=colour,
                   anchor="start" if below else "end")  # fmt: skip


def _wire(board: Layout, wire: Wire, at: int) -> Iterator[str]:
    """Bowed a little, so that wires beside each other can be told apart."""
    x, y = _place(board, board.holes[wire.first], below=True)
    to_x, to_y = _place(board, board.holes[wire.second], below=True)
    length = math.hypot(to_x - x, to_y - y) or 1.0
    bow = (0.06 + 0.03 * (at % 4)) * (1 if at % 2 else -1) * min(length, 30.0)
    middle = ((x + to_x) / 2 - (to_y - y) / length * bow, (y + to_y) / 2 + (to_x - x) / length * bow)
    steps = [part / 12 for part in range(13)]
    points = [
        ((1 - t) ** 2 * x + 2 * t * (1 - t) * middle[0] + t * t * to_x,
         (1 - t) ** 2 * y + 2 * t * (1 - t) * middle[1] + t * t * to_y)
        for t in steps
    ]  # fmt: skip
    yield svg.path(points, line=svg.WIRE[wire.colour], width=0.55)
    yield svg.circle(x, y, 0.75, fill=svg.WIRE[wire.colour])
    yield svg.circle(to_x, to_y, 0.75, fill=svg.WIRE[wire.colour])
