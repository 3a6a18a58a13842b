"""The shoe's measures (`hardware/bodies/shoe.toml`), what follows from them, and what would not work.

x runs along the card's path, outwards, from where a card's head interrupts the inner beam; y across it from the
middle; z upwards from the floor of the path, square to it. The table is a slope in these coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

import msgspec

from hardware.drawings.boards import Layout, layouts
from hardware.drawings.bodies.bought import BODIES, Bought, Span, bought

_GRAVITY = 9.81
_FRICTION = 0.5  # of a card on plastic, on the high side
_MU_0 = 4e-7 * math.pi


class Path_(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wide: float
    high: float
    floor: float
    ends: float
    above_table: float
    finger_wide: float


class Gate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gap: float
    play: float
    wall: float
    thick: float
    half: float
    deep: float
    screws: Span
    screw_z: float
    boss: float


class Beams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: Span
    axis_inside: float


class Antennas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: Span
    side: float
    turns: int
    metal_free: float


class Dark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: Span
    deep: float


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    front: float
    room: float
    high: float
    platform: float
    floor_z: float
    springs: tuple[Span, Span]
    peg: float
    sensor: Span
    sensor_deep: float
    above: float


class Lid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    thick: float
    trench: float
    hinge: Span
    peg: Span
    switch: Span
    rails: Span
    cleat: Span


class Bays(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    side: float
    rear: float
    roof: float
    top: float
    lamp: Span


class Shoe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    slope: float
    wall: float
    fit: float
    path: Path_
    gate: Gate
    beams: Beams
    antennas: Antennas
    dark: Dark
    deck: Deck
    lid: Lid
    bays: Bays

    @cached_property
    def bought(self) -> Bought:
        return bought()

    @cached_property
    def board(self) -> Layout:
        return layouts()["shoe"]

    @property
    def well_rear(self) -> float:
        """x behind the longest card."""
        return self.deck.front - self.bought.card.poker[1] - self.deck.room

    @property
    def bay_front(self) -> float:
        """x of the wall between deck and rear bay, on the bay's side."""
        return self.well_rear - self.wall

    @property
    def rear(self) -> float:
        """x of the body's rear."""
        return self.bay_front - self.bays.rear - self.wall

    @property
    def half(self) -> float:
        """y of the body's side."""
        return self.path.wide / 2 + self.wall + self.bays.side + self.wall

    def table_z(self, x: float) -> float:
        """Where the table is, below the path."""
        return -(self.path.above_table + (self.path.ends - x) * math.tan(math.radians(self.slope)))

    @property
    def long(self) -> float:
        return self.path.ends - self.rear

    @property
    def barrier_y(self) -> float:
        """y of the open ends of the light barriers: their beams are `axis_inside` the path's side."""
        return -self.path.wide / 2 + self.beams.axis_inside + self.bought.barrier.axis_from_end

    @property
    def coil_above(self) -> float:
        """From the windings to a card that lies at the ceiling: the farthest."""
        return self.path.floor + self.path.high + self.bought.coil.wire / 2

    @property
    def inductance_uh(self) -> float:
        """Of an antenna: a flat square spiral, by the modified Wheeler formula (Mohan et al., 1999)."""
        outer = self.antennas.side / 1000
        inner = outer - 2 * self.antennas.turns * self.bought.coil.pitch / 1000
        mean, fill = (outer + inner) / 2, (outer - inner) / (outer + inner)
        return 1e6 * 2.34 * _MU_0 * self.antennas.turns**2 * mean / (1 + 2.75 * fill)

    @property
    def field_left(self) -> float:
        """What is left of an antenna's field on its axis at the farthest card: a loop of its area."""
        radius = self.antennas.side / math.sqrt(math.pi)
        return float((1 + (self.coil_above / radius) ** 2) ** -1.5)

    def spring_long(self, cards: float) -> float:
        """Length of the springs below so many millimetres of cards."""
        return self.path.high - cards - self.deck.platform - self.deck.floor_z

    def pressure(self, cards: float) -> float:
        """Newtons with which the top card lies at the ceiling, without its platform's weight."""
        thick = sum(self.bought.card.thick) / 2
        weight = cards / thick * self.bought.card.grams / 1000 * _GRAVITY
        squeeze = self.bought.spring.long - self.spring_long(cards)
        return len(self.deck.springs) * squeeze * self.bought.spring.rate - weight

    @property
    def peg_end(self) -> float:
        """z to which the closed lid's peg presses the switch's lever: a millimetre further than it must."""
        return self.lid.switch[1] + self.bought.switch.lever_pressed - 1.0

    @property
    def board_z(self) -> float:
        """z of the perfboard's lower edge in the rear bay."""
        return self.table_z(self.bay_front) + self.wall + 1.0

    @property
    def posts(self) -> list[tuple[float, float]]:
        """y, z of the perfboard's posts: it stands in the rear bay with its parts to the rear."""
        wide, high = self.board.size_mm
        return [(wide / 2 - x, self.board_z + high - y) for x, y in self.board.screws_mm]

    @property
    def metal(self) -> dict[str, tuple[float, float, float]]:
        """What is of metal near the antennas: its nearest point to them."""
        spring_x, spring_y = self.deck.springs[1]
        (_, gate_y), gate_z = self.gate.screws, self.gate.screw_z
        return {
            "springs": (spring_x + self.bought.spring.wide / 2, spring_y - self.bought.spring.wide / 2, -18.0),
            "screws of the gate": (
                self.deck.front + self.gate.wall + self.bought.screw.long,
                gate_y - self.bought.screw.head / 2,
                gate_z + self.bought.screw.head / 2,
            ),
            "screws of the cover": (
                self.antennas.at[0],
                self.cover_screws[1][1] - self.bought.screw.head / 2,
                0.0,
            ),
            "light barriers": (self.beams.at[0], self.barrier_y, 0.0),
            "reader modules": (self.deck.front, self.path.wide / 2 + self.wall, -4.0),
        }

    @property
    def cover_screws(self) -> list[tuple[float, float]]:
        """x, y of the screws that hold cover and floor: in the bays beside the path."""
        y = self.path.wide / 2 + self.wall + self.bays.side / 2 + 1.0
        xs = (self.deck.front + self.gate.wall + 6.0, self.path.ends - 9.0)
        return [(x, side) for x in xs for side in (-y, y)]

    def from_winding(self, point: tuple[float, float, float]) -> float:
        """Distance of a point from the nearest winding."""
        x, y, z = point
        half = self.antennas.side / 2
        down = max(0.0, abs(z + self.path.floor) - 1.0)
        away = (
            math.hypot(max(0.0, abs(x - middle) - half), max(0.0, abs(y) - half)) for middle in self.antennas.at
        )
        return math.hypot(min(away), down)


@cache
def shoe(path: Path = BODIES / "shoe.toml") -> Shoe:
    """Raise `msgspec.ValidationError` for what the file must not have."""
    return msgspec.toml.decode(path.read_bytes(), type=Shoe)


def faults(body: Shoe) -> list[str]:
    """What would not work: empty for a shoe that one may print."""
    return [*_path(body), *_sensors(body), *_antennas(body), *_deck(body), *_bays(body)]


def _path(body: Shoe) -> Iterator[str]:
    card, path = body.bought.card, body.path
    play = path.wide - card.long[1]
    if not 0.5 <= play <= 2.0:
        yield f"a card of {card.long[1]} mm has {play:.1f} mm of play across the path, not 0.5 to 2"
    if not card.thick[1] < body.gate.gap < 2 * card.thick[0]:
        yield f"the gate's gap of {body.gate.gap} mm is not between one thick card and two thin ones"
    if path.high < 3 * card.thick[1]:
        yield f"a bent card sticks in a path that is {path.high} mm high"
    if path.high > body.bought.barrier.gap - 1.0:
        yield "cards touch the light barriers' legs"
    if path.finger_wide * _FRICTION > card.bridge[0]:
        yield "a card that is drawn at the side of the finger's slot jams"


def _sensors(body: Shoe) -> Iterator[str]:
    card, barrier, beams = body.bought.card, body.bought.barrier, body.beams
    shortest_edge = -body.path.wide / 2 + (body.path.wide - card.long[0])  # pushed to the other side
    axis = -body.path.wide / 2 + beams.axis_inside
    if axis - shortest_edge < barrier.aperture / 2 + 1.0:
        yield f"the shortest card covers the beams by {axis - shortest_edge:.1f} mm only"
    if barrier.slot_deep - barrier.axis_from_end < beams.axis_inside + 0.5:
        yield "a card's edge hits the bottom of the light barriers' slot"
    if beams.at[1] - beams.at[0] < barrier.size[1] + 0.5:
        yield "the light barriers do not fit beside each other"
    if not beams.at[0] <= body.dark.at[0] <= beams.at[1]:
        yield "the sensor for the cut card is not between the beams"
    nearest, farthest = body.dark.deep, body.dark.deep + body.path.high
    if nearest < body.bought.reflex.sees[0] or farthest > body.bought.reflex.sees[1]:
        yield f"the sensor for the cut card is {nearest} to {farthest} mm from a card"
    for name, (_, y) in (("cut card", body.dark.at), ("deck", body.deck.sensor)):
        margin = (card.long[0] / 2 - (body.path.wide - card.long[0]) / 2, card.long[1] / 2)
        half = body.bought.reflex.size[1] / 2
        if y + half > margin[0] + 1.0 or y - half < margin[1] - card.white_edge - 1.5:
            yield f"the sensor for the {name} looks beside the white edge of a card"


def _antennas(body: Shoe) -> Iterator[str]:
    antennas = body.antennas
    if antennas.at[1] - antennas.at[0] < antennas.side + 1.0:
        yield "the antennas overlap"
    if (
        antennas.at[0] - antennas.side / 2 < body.deck.front + body.gate.wall
        or antennas.at[1] + antennas.side / 2 > body.path.ends
    ):
        yield "the antennas are not below the path's floor"
    low, high = body.bought.coil.module_uh
    if not low <= body.inductance_uh <= high:
        yield f"an antenna of {body.inductance_uh:.2f} uH does not fit the module's matching"
    if body.field_left < 0.9:
        yield f"at the ceiling {100 * body.field_left:.0f} percent of the field are left"
    for name, point in body.metal.items():
        if (distance := body.from_winding(point)) < antennas.metal_free:
            yield f"{name}: {distance:.1f} mm from an antenna"


def _deck(body: Shoe) -> Iterator[str]:
    card, deck, spring = body.bought.card, body.deck, body.bought.spring
    if deck.high < card.deck_high:
        yield f"a deck of {card.deck_high:.1f} mm does not fit"
    if deck.above - body.path.high < deck.high:
        yield "a loose deck on the raised platform stands over the walls"
    if body.spring_long(deck.high) < spring.solid + 2.0:
        yield "the springs are pressed solid below a full deck"
    for cards in (card.thick[0], card.deck_high):
        if not 0.5 <= body.pressure(cards) <= 2.5:
            yield f"{cards:.1f} mm of cards are pressed with {body.pressure(cards):.1f} N, not 0.5 to 2.5"
    x, z = body.lid.hinge
    if x + math.hypot(body.lid.rails[1] - x, body.path.high - z) > deck.front - 1.0:
        yield "the lid's rails touch the front wall as it turns"
    if body.lid.rails[0] < body.well_rear + card.poker[1] - card.bridge[0] + 0.5:
        yield "the lid's rails touch the spacer for bridge cards"
    if deck.floor_z - body.wall < body.table_z(deck.front):
        yield "the well is deeper than the body"


def _bays(body: Shoe) -> Iterator[str]:
    board, bays, reader, pico = body.board, body.bays, body.bought.reader, body.bought.pico
    if reader.size[2] > bays.side:
        yield "a reader module is thicker than its bay"
    if reader.size[0] > body.deck.front - body.well_rear + 2 * body.wall:
        yield "a reader module is longer than its bay"
    roof = bays.top - bays.roof
    if reader.size[1] + 1.0 > roof - body.table_z(body.deck.front) - body.wall:
        yield "a reader module is higher than its bay"
    (x, y), (long, across) = bays.lamp, body.bought.lamp.piece
    below_the_lid = body.path.wide / 2 + body.wall
    if (
        min(abs(y) - across / 2 - below_the_lid, x - long / 2 - body.rear - body.wall) < 0
        or x + long / 2 > body.bay_front
    ):
        yield "the lamp is below the lid, or beside the rear bay"
    if pico.below_board + 1.6 + pico.above_board > bays.rear:
        yield "the perfboard with its Pico is thicker than the rear bay"
    if board.size_mm[1] + 2.0 > roof - body.table_z(body.bay_front) - body.wall:
        yield "the perfboard is higher than the rear bay"
