"""The keypad's measures (`hardware/bodies/keypad.toml`), its plate's cuts, and what would not fit.

x to the right, y away from the dealer, from the plate's near left corner. Keys and lamps are the firmware's.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from hardware.drawings import FOLDER
from hardware.drawings.boards import Layout, layouts
from hardware.drawings.bodies.bought import BODIES, Bought, Span, bought

_MATRIX = FOLDER / "firmware" / "keypad" / "matrix.py"


def _keys() -> tuple[tuple[int | None, ...], ...]:
    """The firmware's, which runs on a Pico alone: read, not imported."""
    for line in ast.parse(_MATRIX.read_text("utf-8")).body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "KEYS":
            return ast.literal_eval(line.value)  # type: ignore[no-any-return]
    raise LookupError(f"{_MATRIX}: no KEYS")


KEYS = _keys()
SEAT_1, SEAT_11 = 41, 51
_WIRES = 3.0  # below the keys' pins


class Cut(NamedTuple):
    """A hole in the plate: square where `wide` is its side, round where it is its diameter."""

    x: float
    y: float
    wide: float
    square: bool = False


class Keypad(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    margin: float
    lamp_row: float
    plate: float
    corner: float
    screw_from_edge: float
    wall: float
    fit: float
    front_high: float
    slope: float
    board_at: Span
    post_high: float
    post: float
    cable: float
    buzzer_at: Span

    @cached_property
    def bought(self) -> Bought:
        return bought()

    @cached_property
    def board(self) -> Layout:
        return layouts()["keypad"]

    @property
    def wide(self) -> float:
        return 2 * self.margin + len(KEYS[0]) * self.bought.key.pitch

    @property
    def deep(self) -> float:
        return 2 * self.margin + len(KEYS) * self.bought.key.pitch + 2 * self.lamp_row

    @property
    def keys(self) -> dict[int, Span]:
        """Key code -> the middle of its cut-out."""
        pitch = self.bought.key.pitch
        found: dict[int, Span] = {}
        for row, codes in enumerate(KEYS):
            y = self.deep - self.margin - self.lamp_row * min(row + 1, 2) - pitch * (row + 0.5)
            found |= {
                code: (self.margin + pitch * (column + 0.5), y)
                for column, code in enumerate(codes)
                if code is not None
            }
        return found

    @property
    def lamps(self) -> list[Span]:
        """The keypad's own lamp, then those of seats 1 to 11, each above its seat's key."""
        keys, above = self.keys, (self.bought.key.pitch + self.lamp_row) / 2
        seats = [(keys[code][0], keys[code][1] + above) for code in range(SEAT_1, SEAT_11 + 1)]
        own = (self.margin + self.bought.key.pitch * (len(KEYS[0]) - 0.5), seats[-1][1])
        return [own, *seats]

    @property
    def screws(self) -> list[Span]:
        edge = self.screw_from_edge
        middle = self.deep - self.margin - self.lamp_row - self.bought.key.pitch - self.lamp_row / 2
        return [(x, y) for x in (edge, self.wide - edge) for y in (edge, middle, self.deep - edge)]

    @property
    def sound_holes(self) -> list[Span]:
        x, y = self.buzzer_at
        return [(x, y), *((x + 3.5 * dx, y + 3.5 * dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))]

    @property
    def cuts(self) -> list[Cut]:
        key, lamp, screw = self.bought.key, self.bought.lamp, self.bought.screw
        return [
            *(Cut(x, y, key.cut_out, square=True) for x, y in self.keys.values()),
            *(Cut(x, y, lamp.light) for x, y in self.lamps),
            *(Cut(x, y, screw.clear) for x, y in self.screws),
            *(Cut(x, y, 2.0) for x, y in self.sound_holes),
        ]

    def high(self, y: float) -> float:
        """Height of the tray's edge above the table."""
        return self.front_high + y * math.tan(math.radians(self.slope))

    @property
    def posts(self) -> list[Span]:
        """The perfboard's posts: its upper left corner is the far left one."""
        x, y = self.board_at
        return [(x + left, y + self.board.size_mm[1] - down) for left, down in self.board.screws_mm]


@cache
def keypad(path: Path = BODIES / "keypad.toml") -> Keypad:
    """Raise `msgspec.ValidationError` for what the file must not have."""
    return msgspec.toml.decode(path.read_bytes(), type=Keypad)


def faults(pad: Keypad) -> list[str]:
    """What would not fit: empty for a keypad that one may make."""
    return [*_plate(pad), *_tray(pad)]


def _plate(pad: Keypad) -> Iterator[str]:
    key = pad.bought.key
    if not key.cut_out_fit[0] <= key.cut_out <= key.cut_out_fit[1]:
        yield f"keys do not hold in cut-outs of {key.cut_out} mm"
    if not key.plate[0] <= pad.plate <= key.plate[1]:
        yield f"keys do not click into a plate of {pad.plate} mm"
    for (one, a), (other, b) in itertools.combinations(pad.keys.items(), 2):
        if max(abs(a[0] - b[0]), abs(a[1] - b[1])) < key.cap + 0.5:
            yield f"the caps of keys {one} and {other} touch"
    for name, places, wide in (
        ("lamp", pad.lamps, pad.bought.lamp.light),
        ("screw", pad.screws, pad.bought.screw.head),
        ("sound hole", pad.sound_holes, 2.0),
    ):
        for x, y in places:
            if any(max(abs(x - kx), abs(y - ky)) < (key.cap + wide) / 2 for kx, ky in pad.keys.values()):
                yield f"the {name} at {x:.1f}, {y:.1f} is below a cap"
            if not (wide / 2 < x < pad.wide - wide / 2 and wide / 2 < y < pad.deep - wide / 2):
                yield f"the {name} at {x:.1f}, {y:.1f} is beside the plate"
    long, across = pad.bought.lamp.piece
    if long > key.pitch or across > pad.lamp_row + (key.pitch - key.body):
        yield "the lamps' pieces of strip do not lie between the keys"


def _tray(pad: Keypad) -> Iterator[str]:
    key, pico = pad.bought.key, pad.bought.pico
    x, y = pad.board_at
    wide, deep = pad.board.size_mm
    if pad.high(0) - pad.wall < key.below_plate + _WIRES:
        yield "the nearest keys touch the tray"
    if pad.high(y) - pad.wall < pad.post_high + 1.6 + pico.above_board + key.below_plate:
        yield "the Pico touches the keys above it"
    if pad.post_high < pico.below_board:
        yield "the wires below the board touch the tray"
    inner = pad.wall + pad.fit
    if not (inner < x < x + wide < pad.wide - inner and inner < y < y + deep < pad.deep - inner):
        yield "the board does not lie in the tray"
    for screw in pad.screws:
        if x - 5 < screw[0] < x + wide + 5 and y - 5 < screw[1] < y + deep + 5:
            yield f"the screw at {screw[0]:.1f}, {screw[1]:.1f} is above the board"
