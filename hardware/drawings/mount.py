"""How camera and lamps hang (`hardware/mount.toml`): glare, evenness, what a camera takes in from a height."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from hardware.drawings import FOLDER
from vision.geometry.cameras import MARGIN_MM, MODELS, CameraModel

DATA = FOLDER / "mount.toml"
HEIGHTS_MM = (900.0, 1400.0, 1900.0, 2400.0)
EVEN = 0.5  # the darkest place beside the brightest, as docs/camera.md asks
Pair = tuple[float, float]


class Whole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    camera: str
    height: float
    lamp_at: Pair


class Alone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    camera: str
    height: float


class LensData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sensor: Pair
    focal: float

    @property
    def across_deg(self) -> float:
        return math.degrees(2 * math.atan(self.sensor[0] / 2 / self.focal))


class Mount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: Pair
    board: Pair
    felt_above_floor: float
    seated_head: float
    warp_deg: float
    lamp: Pair
    lamp_lumen: float
    whole: Whole
    alone: Alone
    lens: dict[str, LensData]

    def nearest_lamp(self, height: float) -> float:
        """How far from the middle a lamp's near edge must be, at `height`, so that no card mirrors it.

        The worst card lies at the table's edge: what the camera sees in it comes from outside, at the angle at
        which the camera looks down and at twice the card's warp more.
        """
        edge = self.table[1] / 2
        down = math.atan(edge / self.whole.height)
        return edge + height * math.tan(down + 2 * math.radians(self.warp_deg))

    def mirrored_at(self, lamp: Pair) -> float:
        """Where a flat card would mirror a lamp, from the middle."""
        across, height = lamp
        return across * self.whole.height / (self.whole.height + height)

    def lux(self, x: float, y: float) -> float:
        """At a place of the table, `x` along and `y` across it, of both lamps, which point to the middle."""
        across, height = self.whole.lamp_at
        candela = self.lamp_lumen / math.pi
        total = 0.0
        for side in (-1, 1):
            to = (x, y - side * across, -height)
            far = math.hypot(*to)
            aim = (0.0, -side * across, -height)
            off_axis = sum(a * b for a, b in zip(to, aim, strict=True)) / far / math.hypot(*aim)
            total += candela * off_axis * (height / far) / (far / 1000) ** 2
        return total

    @property
    def even(self) -> float:
        """The darkest place of the table beside the brightest."""
        wide, deep = self.table
        places = [self.lux(wide * i / 20, deep * j / 20) for i in range(-10, 11) for j in range(-10, 11)]
        return min(places) / max(places)


@cache
def mount(path: Path = DATA) -> Mount:
    """Raise `msgspec.ValidationError` for what the file must not have."""
    return msgspec.toml.decode(path.read_bytes(), type=Mount)


def taken_in(model: CameraModel, height: float) -> Pair:
    """Width and depth of the felt in its picture, less the margin around."""
    scale = model.px_per_mm(height)
    return model.size_px[0] / scale - 2 * MARGIN_MM, model.size_px[1] / scale - 2 * MARGIN_MM


def covers(model: CameraModel, height: float, hung: Mount) -> str:
    wide, deep = taken_in(model, height)
    if wide >= hung.table[0] and deep >= hung.table[1]:
        return "table"
    return "board" if wide >= hung.board[0] and deep >= hung.board[1] else "-"


def faults(hung: Mount) -> Iterator[str]:
    across, height = hung.whole.lamp_at
    needed = hung.nearest_lamp(height)
    near_edge = across - hung.lamp[1] / 2 * math.cos(math.atan2(across, height))
    if near_edge < needed:
        yield f"cards mirror the lamps: their near edges must be {needed:.0f} mm from the middle"
    if hung.even < EVEN:
        yield f"the darkest place has {100 * hung.even:.0f} percent of the brightest's light"
    for name, place, wanted in (("whole", hung.whole, "table"), ("alone", hung.alone, "board")):
        model = MODELS[place.camera]
        if covers(model, place.height, hung) != wanted:
            yield f"{name}: {model.sold_as} does not take in the {wanted} from {place.height:.0f} mm"
