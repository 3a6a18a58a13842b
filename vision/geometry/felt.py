"""Where things lie on a table: the felt in millimetres, its zones, and how a picture maps onto it.

The geometry of a table is a fact of the room: the camera reads zones at these places and the simulated room lays
cards there. Coordinates are millimetres from the top left corner of the camera's picture, x to the right and y
down. The dealer sits at the bottom; seat 1 is at the dealer's left and seats count clockwise.

A zone lies in a rectangle that may be turned. Its own x axis runs from left to right *for whoever sits at it*, so
`cards` of a zone are read in that order: for the board from the dealer's left, for a seat from the player's left.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import NDArray

from table_core.messages import Zone, ZoneKind
from table_core.toml_text import read_toml
from vision.file_errors import told_as

MIN_SEATS, MAX_SEATS = 2, 11
PILES = (ZoneKind.BURN, ZoneKind.MUCK)  # zones in which cards lie on each other
CARD_MM = (63.5, 88.9)  # poker size, width and height

PICTURE_MM = (2000.0, 1125.0)  # field of view of the camera above a table, 16 to 9
RAIL_MARGIN_MM = 22.0  # from the edge of the picture to the outside of the rail
RAIL_WIDTH_MM = 88.0
DEFAULT_PX_PER_MM = 0.96  # 1920 x 1080


FORMAT = 2  # of the felt file; before 2 it did not say where the cloth is white
PALE, PALEST_IN_THE_DARK = 0.64, 80  # part of a cloth's brightest channel; grey levels: darker cloth is not white


class FeltError(ValueError):
    """A felt that cannot be: which file or zone, and what is wrong with it."""


Cloth = tuple[int, int, int]  # BGR, 0 to 255


@dataclass(frozen=True)
class Rect:
    """A rectangle on the felt: centre, width and height in mm, turned clockwise (as seen) by `angle_deg`."""

    x: float
    y: float
    width: float
    height: float
    angle_deg: float = 0.0

    def at(self, right: float, down: float) -> tuple[float, float]:
        """The point (mm) that lies `right` and `down` (mm) of the centre along its own axes."""
        cos, sin = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        return self.x + right * cos - down * sin, self.y + right * sin + down * cos

    def within(self, x: float, y: float) -> tuple[float, float]:
        """The inverse of `at`: where the point (x, y) lies along its own axes."""
        cos, sin = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        dx, dy = x - self.x, y - self.y
        return dx * cos + dy * sin, -dx * sin + dy * cos

    def grown(self, mm: float) -> Rect:
        """The same rectangle, so many mm larger on each side."""
        return replace(self, width=self.width + 2 * mm, height=self.height + 2 * mm)

    def contains(self, x: float, y: float) -> bool:
        right, down = self.within(x, y)
        return abs(right) <= self.width / 2 and abs(down) <= self.height / 2

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Four corners in mm, from its own top left, clockwise."""
        w, h = self.width / 2, self.height / 2
        return self.at(-w, -h), self.at(w, -h), self.at(w, h), self.at(-w, h)

    def overlaps(self, other: Rect) -> bool:
        """Whether the two rectangles share more than an edge (separating axes)."""
        for angle in (self.angle_deg, self.angle_deg + 90, other.angle_deg, other.angle_deg + 90):
            ux, uy = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            mine = [x * ux + y * uy for x, y in self.corners]
            theirs = [x * ux + y * uy for x, y in other.corners]
            if max(mine) <= min(theirs) + 1e-6 or max(theirs) <= min(mine) + 1e-6:
                return False
        return True


@dataclass(frozen=True)
class Felt:
    """A table as its camera sees it. Build one with `Felt.for_seats(9)` or `Felt.load(path)`."""

    width_mm: float
    height_mm: float
    px_per_mm: float
    zones: Mapping[Zone, Rect] = field(hash=False)
    seats: int = field(default=9)
    cloths: Mapping[Zone, Cloth] = field(
        default_factory=dict, hash=False
    )  # around each zone when it was calibrated
    white: frozenset[Zone] = frozenset()  # zones whose cloth is nearly as light as paper
    discs: tuple[tuple[float, float], ...] = ()  # middles (mm) of round print that looks like a button
    older: bool = False  # from a file of a version that did not say where the cloth is white

    def __post_init__(self) -> None:
        """Raise `FeltError` for a bad scale, or zones that overlap."""
        if not 0.2 <= self.px_per_mm <= 20:
            raise FeltError(f"px_per_mm is {self.px_per_mm}: expected 0.2 to 20 pixels per millimetre")
        for (one, here), (other, there) in itertools.combinations(self.zones.items(), 2):
            if here.overlaps(there):
                raise FeltError(f"zones {str(one)!r} and {str(other)!r} overlap: move one of them")

    @classmethod
    def for_seats(
        cls, seats: int, *, px_per_mm: float = DEFAULT_PX_PER_MM, size_mm: tuple[float, float] = PICTURE_MM
    ) -> Felt:
        """The usual layout of an oval table with `seats` seats (2 to 11), `size_mm` wide and deep in all.

        `size_mm` is the table and 22 mm of floor around it. Raise `FeltError` for a table that is too small
        for its seats, or for any other number of seats.
        """
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise FeltError(f"{seats} seats: a table has {MIN_SEATS} to {MAX_SEATS}")
        if size_mm[1] > size_mm[0]:
            raise FeltError(f"{size_mm[0]:.0f} x {size_mm[1]:.0f} mm: the dealer sits at a table's long side")
        zones = dict((*_middle_zones(size_mm), *_seat_zones(seats, size_mm)))
        return cls(*size_mm, px_per_mm, zones, seats)

    def zone(self, zone: Zone) -> Rect:
        """Where the zone lies; raise `FeltError` when this table has none of that name."""
        try:
            return self.zones[zone]
        except KeyError:
            known = ", ".join(str(one) for one in self.zones)
            raise FeltError(f"no zone {str(zone)!r} on this table: it has {known}") from None

    def zone_at(self, x: float, y: float) -> Zone | None:
        """The zone that holds the point (mm), if any."""
        return next((zone for zone, where in self.zones.items() if where.contains(x, y)), None)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        return round(self.width_mm * self.px_per_mm), round(self.height_mm * self.px_per_mm)

    def to_px(self, points_mm: object) -> NDArray[np.float32]:
        """Points in mm (…, 2) as pixel coordinates (pixel centres at whole numbers)."""
        return (np.asarray(points_mm, np.float32) * self.px_per_mm - 0.5).astype(np.float32)

    def to_mm(self, points_px: object) -> NDArray[np.float32]:
        """The inverse of `to_px`: points (…, 2) in pixels to mm."""
        return ((np.asarray(points_px, np.float32) + 0.5) / self.px_per_mm).astype(np.float32)

    @property
    def doubt(self) -> str:
        """Why this felt may be wrong about its cloth; empty while it cannot be."""
        pale = [
            min(cloth) > PALE * max(cloth) and max(cloth) > PALEST_IN_THE_DARK for cloth in self.cloths.values()
        ]
        if not self.older or self.white or (pale and not any(pale)):
            return ""
        return (
            "the felt file is of an older version, which did not tell white cloth from other cloth: cards on "
            "white, cream or pale grey are missed; on such a cloth calibrate again (feltwire vision calibrate)"
        )

    def spot(self, zone: Zone, index: int, of: int) -> tuple[float, float, float]:
        """Where the card number `index` (from 0) of `of` cards in a row lies: x, y (mm) and angle (degrees).

        The board always has five slots; elsewhere the row is centred. In the muck and among the burns cards
        lie on top of each other, slightly apart.
        """
        where = self.zone(zone)
        if zone.kind in PILES:
            right, down = 7.0 * (index - (of - 1) / 2), 3.0 * (index % 3 - 1)
            right = max(-where.width / 4, min(where.width / 4, right))
            return (*where.at(right, down), where.angle_deg)
        of = 5 if zone == Zone.BOARD else of
        pitch = min(CARD_MM[0] + 8.0, (where.width - CARD_MM[0]) / max(1, of - 1))
        return (*where.at((index - (of - 1) / 2) * pitch, 0.0), where.angle_deg)

    def save(self, path: Path, **sections: Any) -> None:
        """Write this felt as TOML, and further `sections` (the calibration of its cameras) behind it."""
        text = tomli_w.dumps({**self.as_toml(), **sections})
        path.write_text(f"# rect_mm: x, y, width, height (mm), angle (degrees)\n{text}", encoding="utf-8")

    def as_toml(self) -> dict[str, Any]:
        """What `load` reads, as values of TOML."""
        sizes = {
            "format": FORMAT,
            "width_mm": self.width_mm,
            "height_mm": self.height_mm,
            "px_per_mm": self.px_per_mm,
        }
        zones = [
            {"name": str(zone), "rect_mm": [round(v, 3) for v in (r.x, r.y, r.width, r.height, r.angle_deg)]}
            | ({"cloth_bgr": list(self.cloths[zone])} if zone in self.cloths else {})
            | ({"white": True} if zone in self.white else {})
            for zone, r in self.zones.items()
        ]
        discs = {"round_print_mm": [list(disc) for disc in self.discs]} if self.discs else {}
        return {**sizes, "seats": self.seats, **discs, "zone": zones}

    @classmethod
    def load(cls, path: Path) -> Felt:
        """Read a felt written by `save`; raise `FeltError` that names the file and what is wrong."""
        with told_as(FeltError, path, "felt", "feltwire vision calibrate"):
            data = read_toml(path.read_text(encoding="utf-8"))
            rects = [(Zone.parse(str(z["name"])), Rect(*(float(v) for v in z["rect_mm"]))) for z in data["zone"]]
            for zone, count in Counter(zone for zone, _ in rects).items():
                if count > 1:
                    raise ValueError(f"zone {str(zone)!r} is given twice")
            sizes = (float(data["width_mm"]), float(data["height_mm"]), float(data["px_per_mm"]))
            cloths = {Zone.parse(str(z["name"])): _cloth(z["cloth_bgr"]) for z in data["zone"] if "cloth_bgr" in z}
            white = frozenset(Zone.parse(str(z["name"])) for z in data["zone"] if _flag(z.get("white", False)))
            discs = tuple((float(x), float(y)) for x, y in data.get("round_print_mm", ()))
            older = int(data.get("format", 1)) < FORMAT
            return cls(*sizes, dict(rects), int(data["seats"]), cloths, white, discs, older)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"white is {value!r}: expected true or false")
    return value


def _cloth(values: Any) -> Cloth:
    blue, green, red = (int(value) for value in values)
    if not all(0 <= value <= 255 for value in (blue, green, red)):
        raise ValueError(f"cloth_bgr is {values}: expected three numbers from 0 to 255")
    return blue, green, red


# ------------------------------------------------------------------------------------ the usual layout


@dataclass(frozen=True)
class Racetrack:
    """Two half circles joined by straight sides, around the middle of the picture."""

    half_straight: float
    radius: float
    centre: tuple[float, float]

    @property
    def length(self) -> float:
        return 4 * self.half_straight + 2 * math.pi * self.radius

    def at(self, along: float) -> tuple[float, float, float]:
        """Point (mm) at `along` mm clockwise from the bottom middle, and the angle of one who sits there."""
        cx, cy = self.centre
        s, r, arc = self.half_straight, self.radius, math.pi * self.radius
        along %= self.length
        if along < s:
            return cx - along, cy + r, 0.0
        if along < s + arc:
            turned = (along - s) / r
            return cx - s - r * math.sin(turned), cy + r * math.cos(turned), math.degrees(turned)
        if along < 3 * s + arc:
            return cx - s + (along - s - arc), cy - r, 180.0
        if along < 3 * s + 2 * arc:
            turned = (along - 3 * s - arc) / r
            return cx + s + r * math.sin(turned), cy - r * math.cos(turned), 180.0 + math.degrees(turned)
        return cx + (self.length - along), cy + r, 0.0


def felt_edge(size_mm: tuple[float, float] = PICTURE_MM) -> Racetrack:
    """The inside of the rail of the usual table."""
    return _inset(RAIL_MARGIN_MM + RAIL_WIDTH_MM, size_mm)


def size_around(across_mm: float, deep_mm: float) -> tuple[float, float]:
    """The size of a table whose four markers, halfway round each quarter of its rail, lie so far apart."""
    deep = 2 * (deep_mm / math.sqrt(2) + RAIL_MARGIN_MM + RAIL_WIDTH_MM / 2)
    return across_mm - deep_mm + deep, deep


def _inset(mm: float, size_mm: tuple[float, float] = PICTURE_MM) -> Racetrack:
    """The racetrack that runs `mm` inside the edges of the picture; its straight sides keep their length."""
    width, height = size_mm
    return Racetrack((width - height) / 2, height / 2 - mm, (width / 2, height / 2))


def _middle_zones(size_mm: tuple[float, float]) -> Iterator[tuple[Zone, Rect]]:
    x, y = size_mm[0] / 2, size_mm[1] / 2
    yield Zone.BOARD, Rect(x, y - 46, 390, 116)
    yield Zone.POT, Rect(x, y + 82, 260, 110)
    yield Zone.MUCK, Rect(x - 105, y + 222, 170, 124)
    yield Zone.BURN, Rect(x + 105, y + 222, 150, 124)


def _seat_zones(seats: int, size_mm: tuple[float, float]) -> Iterator[tuple[Zone, Rect]]:
    """Cards, bet and button of each seat, evenly spaced around what the dealer leaves of the oval."""
    edge = RAIL_MARGIN_MM + RAIL_WIDTH_MM
    track = _inset(edge + 72, size_mm)
    dealer = 620.0  # mm of the track that the dealer takes
    pitch = (track.length - dealer) / seats
    for seat in range(1, seats + 1):
        x, y, angle = track.at(dealer / 2 + (seat - 0.5) * pitch)
        cards = Rect(x, y, 164, 112, angle)
        yield Zone.cards(seat), cards
        yield Zone.bet(seat), Rect(*cards.at(0, -122), 120, 100, angle)
        yield Zone.button(seat), Rect(*cards.at(118, -30), 62, 62, angle)
