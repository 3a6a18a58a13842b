"""Perfboard layouts (`hardware/boards/*.toml`): where parts are, which holes their pins have, what wires join.

Holes are counted from the upper left corner as one looks at the parts, columns first: (0, 0), (1, 0) … A pad takes
the pin itself and at most three wires. A *rail* is a bare wire along a row, soldered to every hole: its pins are
`NAME.1`, `NAME.2` … Names of parts and pins are those of the wiring text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from hardware.drawings import FOLDER
from hardware.drawings.nets import Joined, Net, join_grounds

LAYOUTS = FOLDER / "boards"
PITCH_MM = 2.54
WIRES_A_PAD = 3
_PAD_MM = 1.0  # half a pad
Hole = tuple[int, int]
# What a part covers beyond its pins, in holes.
_MARGIN = {
    "pico": (0.4, 0.4), "dip14": (0.4, 0.4), "axial": (0.45, 0.45), "radial": (0.45, 0.45), "row": (0.45, 0.45),
    "rail": (-0.1, -0.1),
}  # fmt: skip

_PICO_LEFT = ("GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND3", "GP6", "GP7", "GP8", "GP9", "GND4", "GP10",
              "GP11", "GP12", "GP13", "GND5", "GP14", "GP15")  # fmt: skip
_PICO_RIGHT = ("VBUS", "VSYS", "GND2", "3V3_EN", "3V3", "ADC_VREF", "GP28", "GND6", "GP27", "GP26", "RUN", "GP22",
               "GND7", "GP21", "GP20", "GP19", "GP18", "GND8", "GP17", "GP16")  # fmt: skip
_U1_LEFT = ("1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND")
_U1_RIGHT = ("VCC", "4OE", "4A", "4Y", "3OE", "3A", "3Y")


class Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part with its first pin `at` a hole. `pins`: of a row, in their order; `length`: of a rail, in holes."""

    name: str
    kind: Literal["pico", "dip14", "axial", "radial", "row", "rail"]
    at: Hole
    pins: tuple[str, ...] = ()
    length: int = 0
    says: str = ""
    above: bool = False  # on a socket: low parts may lie below it

    @property
    def holes(self) -> dict[str, Hole]:
        """Label of each pin -> its hole."""
        column, row = self.at
        return {label: (column + right, row + down) for label, (right, down) in self._offsets()}

    def _offsets(self) -> Iterator[tuple[str, Hole]]:
        match self.kind:
            case "pico":  # seen from above with its USB socket to the left
                yield from ((label, (at, 0)) for at, label in enumerate(_PICO_RIGHT))
                yield from ((label, (at, 7)) for at, label in enumerate(_PICO_LEFT))
            case "dip14":
                yield from ((label, (at, 0)) for at, label in enumerate(_U1_RIGHT))
                yield from ((label, (at, 3)) for at, label in enumerate(_U1_LEFT))
            case "axial":
                yield from zip(self.pins, ((0, 0), (4, 0)), strict=True)
            case "radial":
                yield from zip(self.pins, ((0, 0), (2, 0)), strict=True)
            case "row":
                yield from ((label, (at, 0)) for at, label in enumerate(self.pins))
            case "rail":
                yield from ((str(at + 1), (at, 0)) for at in range(self.length))

    @property
    def body(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what it covers, in holes. A rail covers nothing."""
        columns = [column for column, _ in self.holes.values()]
        rows = [row for _, row in self.holes.values()]
        beside, above = (0.75, 1.4) if self.says == "470 µF" else _MARGIN[self.kind]
        return min(columns) - beside, min(rows) - above, max(columns) + beside, max(rows) + above


class Wire(msgspec.Struct, frozen=True, array_like=True):
    """An insulated wire below the board, from pin to pin."""

    first: str
    second: str
    colour: str


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`size_mm`: along columns and rows; `screws_mm`: its screw holes, from the upper left corner."""

    title: str
    columns: int
    rows: int
    size_mm: tuple[float, float]
    screws_mm: tuple[tuple[float, float], ...]
    screw_hole_mm: float
    part: tuple[Placed, ...]
    wires: tuple[Wire, ...]

    @property
    def holes(self) -> dict[str, Hole]:
        """Pin -> hole."""
        return {f"{part.name}.{label}": hole for part in self.part for label, hole in part.holes.items()}

    def nets(self) -> set[Net]:
        """What wires and rails join, and the Pico inside."""
        joined = Joined()
        for wire in self.wires:
            joined.join(wire.first, wire.second)
        for part in self.part:
            if part.kind == "rail":
                for label in part.holes:
                    joined.join(f"{part.name}.1", f"{part.name}.{label}")
        join_grounds(joined, self.holes)
        return joined.nets()

    def length_mm(self, wire: Wire) -> float:
        (column, row), (other_column, other_row) = self.holes[wire.first], self.holes[wire.second]
        return PITCH_MM * (abs(column - other_column) + abs(row - other_row))


def layouts() -> dict[str, Layout]:
    return {path.stem: layout(path) for path in sorted(LAYOUTS.glob("*.toml"))}


def layout(path: Path) -> Layout:
    """Raise `msgspec.ValidationError` for what the file must not have."""
    return msgspec.toml.decode(path.read_bytes(), type=Layout)


def faults(board: Layout) -> list[str]:
    """What nobody could build: holes used twice or not there, parts on each other, pads with too many wires."""
    return [*_holes(board), *_bodies(board), *_pads(board)]


def _holes(board: Layout) -> Iterator[str]:
    used: dict[Hole, str] = {}
    wide, high = board.size_mm
    first = ((wide - (board.columns - 1) * PITCH_MM) / 2, (high - (board.rows - 1) * PITCH_MM) / 2)
    for x, y in board.screws_mm:
        if not (0 < x < wide and 0 < y < high):
            yield f"the screw hole {x}, {y} is beside the board"
    for pin, (column, row) in board.holes.items():
        where = (first[0] + column * PITCH_MM, first[1] + row * PITCH_MM)
        if min(math.dist(where, screw) for screw in board.screws_mm) < board.screw_hole_mm / 2 + _PAD_MM:
            yield f"{pin}: its pad is at a screw hole"
        if not (0 <= column < board.columns and 0 <= row < board.rows):
            yield f"{pin}: there is no hole {column}, {row}"
        if (column, row) in used:
            yield f"{pin}: its hole has {used[column, row]}"
        used[column, row] = pin


def _bodies(board: Layout) -> Iterator[str]:
    solid = [part for part in board.part if part.kind != "rail" and not part.above]
    for at, one in enumerate(solid):
        left, top, right, bottom = one.body
        for other in solid[at + 1 :]:
            other_left, other_top, other_right, other_bottom = other.body
            if left < other_right and other_left < right and top < other_bottom and other_top < bottom:
                yield f"{one.name} and {other.name} lie on each other"


def _pads(board: Layout) -> Iterator[str]:
    ends = [pin for wire in board.wires for pin in (wire.first, wire.second)]
    for pin in dict.fromkeys(ends):
        if pin not in board.holes:
            yield f"{pin}: a wire ends there, and there is no such pin"
        elif ends.count(pin) > WIRES_A_PAD:
            yield f"{pin}: {ends.count(pin)} wires at one pad"
