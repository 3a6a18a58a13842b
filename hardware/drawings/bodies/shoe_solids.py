"""The shoe's parts as CadQuery solids, where they are in the shoe (coordinates: `shoe.py`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import cadquery as cq

from hardware.drawings.bodies.shapes import box, cylinder, prism
from hardware.drawings.bodies.shoe import Shoe

_OVER = 5.0  # beyond what is cut


def parts(shoe: Shoe) -> dict[str, Any]:
    """What one prints."""
    return {name: make(shoe) for name, make in PARTS.items()}


def printed(shoe: Shoe, name: str, solid: Any) -> Any:
    """The part as it lies on the printer's bed."""
    turned = {
        "body": (0, shoe.slope, 0),
        "base": (0, shoe.slope, 0),
        "gate": (0, -90, 0),
        "collars": (0, -90, 0),
        "spacer": (0, 90, 0),
        "lid": (180, 0, 0),
    }.get(name, (0, 0, 0))
    for axis, degrees in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), turned, strict=True):
        solid = solid.rotate((0, 0, 0), axis, degrees)
    around = solid.val().BoundingBox()
    return solid.translate((-around.center.x, -around.center.y, -around.zmin))


def body(shoe: Shoe) -> Any:
    path, deck, bays, lid = shoe.path, shoe.deck, shoe.bays, shoe.lid
    side, inner, wall = path.wide / 2, shoe.half - shoe.wall, shoe.wall
    roof, front = bays.top - bays.roof, deck.front + shoe.gate.wall
    slab = deck.floor_z - wall
    solid = _to_table(shoe, shoe.rear, path.ends, -shoe.half, shoe.half, bays.top)
    # Walls around the deck, above; the cover has the fourth.
    solid = solid.union(box(shoe.bay_front, deck.front, -side - wall, side + wall, bays.top - 1, deck.above))
    solid = solid.cut(
        box(shoe.bay_front - 1, shoe.well_rear, -side - wall - 1, side + wall + 1, deck.above - 2, deck.above + 1)
    )
    solid = solid.cut(box(shoe.well_rear, deck.front, -side, side, deck.floor_z, deck.above + 1))
    solid = solid.cut(box(deck.front - 1, front, -side, side, 0, deck.above + 1))
    # Room for floor and cover.
    solid = solid.cut(box(front, path.ends + 1, -inner, inner, path.high, bays.top + 1))
    solid = solid.cut(
        box(front, path.ends + 1, -side - wall - shoe.fit, side + wall + shoe.fit, -FLOOR_THICK, bays.top + 1)
    )
    # Bays: beside the deck and the path, behind, below.
    for y0, y1 in ((-inner, -side - wall), (side + wall, inner)):
        solid = solid.cut(_to_table(shoe, shoe.rear + wall, front, y0, y1, roof))
        solid = solid.cut(_to_table(shoe, front - 1, path.ends - wall, y0, y1, bays.top + 1))
    solid = solid.cut(_to_table(shoe, shoe.rear + wall, shoe.bay_front, -inner, inner, roof))
    solid = solid.cut(_to_table(shoe, shoe.well_rear, deck.front, -inner, inner, slab))
    solid = solid.cut(_to_table(shoe, front, path.ends - wall, -side, side, -FLOOR_THICK - 1))
    solid = solid.cut(_to_table(shoe, front, path.ends - wall, -inner, inner, -3 * FLOOR_THICK))
    solid = solid.cut(box(front, path.ends - wall, 4 - side, side - 4, -FLOOR_THICK - 2, 0))
    # The gate.
    gate = shoe.gate
    solid = solid.cut(
        box(
            deck.front - 1,
            deck.front + gate.thick + 0.2,
            -gate.half - shoe.fit,
            gate.half + shoe.fit,
            -gate.deep - gate.play,
            1,
        )
    )
    for y in gate.screws:
        half, high = gate.boss / 2 + 0.2, gate.boss / 2 + gate.play
        solid = solid.cut(box(deck.front, front + 1, y - half, y + half, gate.screw_z - high, gate.screw_z + high))
    # Light barriers: a shelf below them, and room through the wall.
    x0, x1 = _barriers(shoe)
    size = shoe.bought.barrier.size
    middle = path.high / 2
    solid = solid.union(
        box(x0 - 2, x1 + 2, -inner, shoe.barrier_y, middle - size[0] / 2 - 3.2, middle - size[0] / 2 - 0.2)
    )
    solid = solid.cut(box(x0, x1, -inner, shoe.barrier_y, middle - size[0] / 2 - 0.2, bays.top + 1))
    # Bosses of cover, bottom and cleats; posts of the board; rib of the lid switch; ears of the hinge.
    for x, y in shoe.cover_screws:
        outside = inner + 0.5 if y > 0 else -inner - 0.5
        solid = solid.union(box(x - 5, x + 5, min(y - 5, outside), max(y + 5, outside), -22, path.high))
        solid = solid.cut(cylinder((x, y, -20), 25, shoe.bought.screw.bite))
    solid = solid.intersect(_to_table(shoe, shoe.rear, path.ends, -shoe.half, shoe.half, deck.above + 10, over=0))
    x0, x1 = shoe.rear + wall, path.ends - wall
    z0, z1, up = shoe.table_z(x0), shoe.table_z(x1), wall + 0.2
    solid = solid.cut(prism([(x0, z0 - 1), (x1, z1 - 1), (x1, z1 + up), (x0, z0 + up)], -inner, inner))
    for x, y in bottom_screws(shoe):
        solid = solid.union(_boss(shoe, x, y, 10)).cut(_screw(shoe, x, y, shoe.bought.screw.bite, wall, wall + 12))
    for y, z in shoe.posts:
        post = cylinder((shoe.bay_front + 0.5, y, z), POST + 0.5, 6.0, along=(-1, 0, 0))
        solid = solid.union(post).cut(cylinder((shoe.bay_front + 2, y, z), POST + 4, 1.6, along=(-1, 0, 0)))
    solid = _lid_switch(shoe, solid)
    for near in (-1, 1):
        x, z = lid.hinge
        y0, y1 = sorted((near * 40.0, near * 46.0))
        solid = solid.union(box(x - 5, x + 5, y0, y1, bays.top - 1, z + 5))
        solid = solid.cut(cylinder((x, near * 39, z), 8, shoe.bought.screw.clear, along=(0, near, 0)))
        x, y = lid.cleat[0], near * lid.cleat[1]
        y0, y1 = sorted((near * side, y + near * 4))
        solid = solid.union(
            box(
                x - 5,
                deck.front,
                y0 if near < 0 else side,
                y1 if near > 0 else -side,
                bays.top - 1,
                deck.above + lid.thick,
            )
        )
        solid = solid.cut(cylinder((x, y, deck.above + lid.thick - 9), 10, shoe.bought.screw.bite))
        solid = solid.cut(
            box(x - 6, deck.front + 1, near * side - 4, near * side + 4, deck.above, deck.above + lid.thick + 1)
        )
    for x, y in deck.springs:
        solid = solid.union(cylinder((x, y, deck.floor_z - 1), 7, deck.peg))
    solid = solid.cut(cylinder((*bays.lamp, roof - 1), bays.roof + 2, shoe.bought.lamp.light))
    # Cables: two out of the rear, and from each bay to the next.
    for y in (-20.0, 20.0):
        z = shoe.table_z(shoe.rear)
        solid = solid.cut(box(shoe.rear - 1, shoe.rear + wall + 1, y - 7, y + 7, z - 5, z + 10))
    return solid.cut(box(shoe.bay_front - 1, shoe.well_rear + 1, -40, -25, slab - 12, slab))


def _lid_switch(shoe: Shoe, solid: Any) -> Any:
    (x, z), (peg_x, peg_y), switch = shoe.lid.switch, shoe.lid.peg, shoe.bought.switch
    y = peg_y + switch.size[1] / 2 + 0.2
    solid = solid.union(box(shoe.rear + 1, x + switch.holes_apart + 6, y, y + 3, z - 6, shoe.bays.top - 1))
    for at in (x, x + switch.holes_apart):
        solid = solid.cut(cylinder((at, y - 1, z), 6, 1.8, along=(0, 1, 0)))
    return solid.cut(box(peg_x - 6, peg_x + 5, peg_y - 4, peg_y + 4, shoe.bays.top - 4, shoe.bays.top + 1))


def floor(shoe: Shoe) -> Any:
    """Of the path, with the antennas in grooves on its lower side."""
    path, front = shoe.path, shoe.deck.front + shoe.gate.wall
    side = path.wide / 2 + shoe.wall
    solid = box(front, path.ends, -side, side, -FLOOR_THICK, path.high)
    solid = solid.cut(box(front - 1, path.ends + 1, -path.wide / 2, path.wide / 2, 0, path.high + 1))
    half, groove = shoe.antennas.side / 2, shoe.antennas.turns * shoe.bought.coil.pitch + 0.4
    for x in shoe.antennas.at:
        ring = box(x - half - 0.2, x + half + 0.2, -half - 0.2, half + 0.2, -FLOOR_THICK - 1, -path.floor)
        kept = half - groove
        solid = solid.cut(ring.cut(box(x - kept, x + kept, -kept, kept, -FLOOR_THICK - 2, 0)))
        solid = solid.cut(
            box(x - 1.5, x + 1.5, half - 4, side - 6, -FLOOR_THICK - 1, -path.floor - 0.6)
        )  # its leads
    x0, x1 = _barriers(shoe)
    solid = solid.cut(box(x0, x1, -side - 1, shoe.barrier_y, -FLOOR_THICK - 1, path.high + 1))
    return _reflex_pocket(shoe, solid, shoe.dark.at, -FLOOR_THICK - 1, -shoe.dark.deep)


def cover(shoe: Shoe) -> Any:
    """The path's ceiling with the finger's slot, and the wall before the deck."""
    path, deck, bays = shoe.path, shoe.deck, shoe.bays
    side, front = path.wide / 2, deck.front + shoe.gate.wall
    half = shoe.half - shoe.wall - shoe.fit
    solid = box(front, path.ends, -half, half, path.high, bays.top)
    solid = solid.union(box(deck.front, front + 0.1, -side + shoe.fit, side - shoe.fit, path.high, deck.above))
    solid = solid.cut(
        box(deck.front - 1, path.ends + 1, -path.finger_wide / 2, path.finger_wide / 2, 0, deck.above + 1)
    )
    trench = shoe.lid.trench / 2
    solid = solid.cut(box(deck.front - 1, front + 1, -trench, trench, bays.top, deck.above + 1))
    x0, x1 = _barriers(shoe)
    top = path.high / 2 + shoe.bought.barrier.size[0] / 2 + 0.2
    solid = solid.cut(box(x0, x1, -half - 1, shoe.barrier_y, path.high - 1, top))
    for x, y in shoe.cover_screws:
        solid = solid.cut(cylinder((x, y, path.high - 1), 20, shoe.bought.screw.clear))
        solid = solid.cut(cylinder((x, y, path.high + 3), 20, shoe.bought.screw.head + 0.6))
    return solid


def gate(shoe: Shoe) -> Any:
    gate, x = shoe.gate, shoe.deck.front
    top = shoe.path.high - gate.gap
    solid = box(x, x + gate.thick, -gate.half, gate.half, top - gate.deep, top)
    for y in gate.screws:
        solid = solid.union(cylinder((x, y, gate.screw_z), gate.wall - 0.2, gate.boss, along=(1, 0, 0)))
        solid = solid.cut(
            cylinder((x - 1, y, gate.screw_z), gate.wall + 2, shoe.bought.screw.bite, along=(1, 0, 0))
        )
    return solid


def collars(shoe: Shoe) -> Any:
    """Below the heads of the gate's screws, so that these do not reach the deck."""
    gate, x = shoe.gate, shoe.deck.front + shoe.gate.wall
    both = None
    for y in gate.screws:
        collar = cylinder((x, y, gate.screw_z), COLLAR, gate.boss + 5, along=(1, 0, 0))
        collar = collar.cut(
            cylinder((x - 1, y, gate.screw_z), COLLAR + 2, shoe.bought.screw.clear, along=(1, 0, 0))
        )
        both = collar if both is None else both.union(collar)
    return both


def platform(shoe: Shoe, *, bridge: bool = False) -> Any:
    """Below the deck, raised by the springs; drawn below a full deck."""
    deck, card = shoe.deck, shoe.bought.card
    top = shoe.path.high - deck.high
    rear = deck.front - (card.bridge if bridge else card.poker)[1] - deck.room + 1.0
    half = shoe.path.wide / 2 - 0.8
    solid = box(rear, deck.front - 0.5, -half, half, top - deck.platform, top)
    x, y = deck.sensor
    solid = solid.cut(box(x - 5, x + 5, y - 5, half + 1, top - 9, top + 1))
    for x, y in deck.springs:
        solid = solid.cut(cylinder((x, y, top - deck.platform - 1), 2.0, shoe.bought.spring.wide + 1.0))
    return solid


def spacer(shoe: Shoe) -> Any:
    """Behind bridge cards, hung over the rear wall."""
    card, deck = shoe.bought.card, shoe.deck
    thick = card.poker[1] - card.bridge[1]
    x, half, top = shoe.well_rear, 30.0, deck.above - 2
    solid = box(x + 0.1, x + thick, -half, half, deck.floor_z + 8, top + 1.7)
    solid = solid.union(box(shoe.bay_front - 2.3, x + thick, -half, half, top + 0.1, top + 1.7))
    return solid.union(box(shoe.bay_front - 2.3, shoe.bay_front - 0.3, -half, half, top - 6, top + 1.7))


def lid(shoe: Shoe) -> Any:
    deck, lid, card_z = shoe.deck, shoe.lid, shoe.path.high
    side, trench = shoe.path.wide / 2, lid.trench / 2
    top, front = deck.above + lid.thick, deck.front - 4
    solid = box(lid.hinge[0] - 5, front, -side - 2.5, side + 2.5, deck.above + 0.2, top)
    solid = solid.cut(box(lid.rails[0] + 2, front + 1, -trench, trench, deck.above - 1, top + 1))
    for y0, y1 in ((-side + 1, -trench), (trench, side - 1)):
        rail = box(lid.rails[0], lid.rails[1], y0, y1, card_z, deck.above + 1)
        solid = solid.union(
            rail.cut(box(lid.rails[0] + 2.4, lid.rails[1] - 2.4, y0 + 2.4, y1 - 2.4, card_z + 4, top + 1))
        )
        solid = solid.cut(box(lid.rails[0] + 2.4, lid.rails[1] - 2.4, y0 + 2.4, y1 - 2.4, card_z + 4, top + 1))
    x, z = lid.hinge
    for near in (-1, 1):
        y0, y1 = sorted((near * 33.0, near * 39.6))
        solid = solid.union(box(x - 5, x + 5, y0, y1, z - 5, top))
        solid = solid.cut(cylinder((x, near * 41, z), 10, shoe.bought.screw.bite, along=(0, -near, 0)))
    x, y = lid.peg
    solid = solid.union(box(x - 3, x + 2, y - 3, y + 3, shoe.peg_end, deck.above + 1))
    return _reflex_pocket(shoe, solid, deck.sensor, card_z + deck.sensor_deep, top)


def cleats(shoe: Shoe) -> Any:
    """They turn over the lid's edges."""
    lid, z = shoe.lid, shoe.deck.above + shoe.lid.thick + 0.2
    both = None
    for near in (-1, 1):
        x, y = lid.cleat[0], near * lid.cleat[1]
        y0, y1 = sorted((y + near * 4, y - near * 14))
        cleat = box(x - 4, x + 4, y0, y1, z, z + 4).cut(cylinder((x, y, z - 1), 6, shoe.bought.screw.clear))
        both = cleat if both is None else both.union(cleat)
    return both


def base(shoe: Shoe) -> Any:
    """The bottom."""
    inner = shoe.half - shoe.wall - shoe.fit
    x0, x1 = shoe.rear + shoe.wall + shoe.fit, shoe.path.ends - shoe.wall - shoe.fit
    z0, z1 = shoe.table_z(x0), shoe.table_z(x1)
    solid = prism([(x0, z0), (x1, z1), (x1, z1 + shoe.wall), (x0, z0 + shoe.wall)], -inner, inner)
    for x, y in bottom_screws(shoe):
        solid = solid.cut(_screw(shoe, x, y, shoe.bought.screw.clear, -2, 12))
        solid = solid.cut(_screw(shoe, x, y, shoe.bought.screw.head + 0.6, -2, shoe.wall / 2))
    return solid


def stand_ins(shoe: Shoe) -> dict[str, Any]:
    """What one buys, as blocks, where it is."""
    bought, deck, path = shoe.bought, shoe.deck, shoe.path
    side, card = path.wide / 2, bought.card
    top = path.high - deck.platform - deck.high
    springs = [
        cylinder((x, y, deck.floor_z), top - deck.floor_z + 1.0, bought.spring.wide).cut(
            cylinder((x, y, deck.floor_z - 1), 30, bought.spring.wide - 1)
        )
        for x, y in deck.springs
    ]
    height, along, foot = bought.barrier.size
    middle = path.high / 2
    barriers = []
    for x in shoe.beams.at:
        fork = box(
            x - along / 2,
            x + along / 2,
            shoe.barrier_y - foot,
            shoe.barrier_y,
            middle - height / 2,
            middle + height / 2,
        )
        gap, end = bought.barrier.gap / 2, shoe.barrier_y - bought.barrier.slot_deep
        barriers.append(fork.cut(box(x - 9, x + 9, end, shoe.barrier_y + 1, middle - gap, middle + gap)))
    long, high, thick = bought.reader.size
    z = shoe.bays.top - shoe.bays.roof - high - 0.5
    readers = [
        box(shoe.deck.front - long, shoe.deck.front, y0, y0 + thick, z, z + high)
        for y0 in (side + shoe.wall + 0.5, -side - shoe.wall - 0.5 - thick)
    ]
    wide, tall = shoe.board.size_mm
    x = shoe.bay_front - POST
    board = box(x - 1.6, x, -wide / 2, wide / 2, shoe.board_z, shoe.board_z + tall)
    pico = box(x - 1.6 - bought.pico.above_board, x - 1.6, -22, 29, shoe.board_z + 12, shoe.board_z + 33)
    (at, z), switch = shoe.lid.switch, bought.switch
    y, start = shoe.lid.peg[1], at - (switch.size[0] - switch.holes_apart) / 2
    lid_switch = box(
        start, start + switch.size[0], y - switch.size[1] / 2, y + switch.size[1] / 2, z - switch.hole_from_foot,
        z - switch.hole_from_foot + switch.size[2],
    )  # fmt: skip
    rear = deck.front - card.poker[1]
    cards = box(
        rear, deck.front - 0.1, -card.long[1] / 2, card.long[1] / 2, path.high - deck.high, path.high - 0.01
    )
    return {
        "deck": cards, "springs": springs[0].add(springs[1]), "barriers": barriers[0].add(barriers[1]),
        "readers": readers[0].add(readers[1]), "board": board, "pico": pico, "switch": lid_switch,
    }  # fmt: skip


PARTS: Mapping[str, Callable[[Shoe], Any]] = {
    "body": body, "floor": floor, "cover": cover, "gate": gate, "collars": collars, "platform": platform,
    "lid": lid, "cleats": cleats, "base": base, "spacer": spacer,
}  # fmt: skip
FLOOR_THICK = 3.0
POST = 6.0
COLLAR = 7.0


def bottom_screws(shoe: Shoe) -> list[tuple[float, float]]:
    x0, x1, y = shoe.rear + shoe.wall + 5, shoe.path.ends - shoe.wall - 5, shoe.half - shoe.wall - 5
    return [(x, side) for x in (x0, x1) for side in (-y, y)]


def _reflex_pocket(shoe: Shoe, solid: Any, at: tuple[float, float], z0: float, z1: float) -> Any:
    """Room for a reflex sensor from `z0` to `z1`, and a window through the rest."""
    (x, y), (long, wide, _) = at, shoe.bought.reflex.size
    long, wide = long / 2 + 0.2, wide / 2 + 0.2
    solid = solid.cut(box(x - 1.2, x + 1.2, y - 1.2, y + 1.2, z0 - 2, z1 + 2))
    return solid.cut(box(x - long, x + long, y - wide, y + wide, z0, z1))


def _boss(shoe: Shoe, x: float, y: float, high: float) -> Any:
    y0, y1 = sorted((y - 5, y + 5))
    z0, z1 = shoe.table_z(x - 5) + shoe.wall + 0.2, shoe.table_z(x + 5) + shoe.wall + 0.2
    return prism([(x - 5, z0), (x + 5, z1), (x + 5, z1 + high), (x - 5, z0 + high)], y0, y1)


def _screw(shoe: Shoe, x: float, y: float, wide: float, start: float, end: float) -> Any:
    """A hole square to the table, from `start` to `end` above it."""
    hole = cq.Workplane("XY").circle(wide / 2).extrude(end - start).translate((0, 0, start))
    return hole.rotate((0, 0, 0), (0, 1, 0), shoe.slope).translate((x, y, shoe.table_z(x)))


def _barriers(shoe: Shoe) -> tuple[float, float]:
    """x of the room for both light barriers."""
    half = shoe.bought.barrier.size[1] / 2 + 0.3
    return shoe.beams.at[0] - half, shoe.beams.at[1] + half


def _to_table(
    shoe: Shoe, x0: float, x1: float, y0: float, y1: float, top: float, over: float | None = None
) -> Any:
    """From `top` down to the table, or beyond it where it cuts."""
    below = 0.0 if over == 0 or (y0 == -shoe.half) else _OVER
    return prism([(x0, top), (x1, top), (x1, shoe.table_z(x1) - below), (x0, shoe.table_z(x0) - below)], y0, y1)
