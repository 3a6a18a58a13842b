"""The keypad's plate and tray as CadQuery solids, standing on the table (coordinates: `keypad.py`)."""

from __future__ import annotations

import itertools
from typing import Any

import cadquery as cq

from hardware.drawings.bodies.keypad import Keypad
from hardware.drawings.bodies.shapes import box, cylinder

_BOSS = 8.0


def plate(pad: Keypad) -> Any:
    """Flat, its upper side at `plate`."""
    top = _rounded(pad, pad.plate).faces(">Z").workplane(origin=(0, 0, pad.plate))
    for (wide, square), cuts in itertools.groupby(pad.cuts, lambda cut: (cut.wide, cut.square)):
        places = top.pushPoints([(cut.x, cut.y) for cut in cuts])
        top = (places.rect(wide, wide) if square else places.circle(wide / 2)).cutThruAll()
        top = top.faces(">Z").workplane(origin=(0, 0, pad.plate))
    return cq.Workplane(top.findSolid())


def raised(pad: Keypad, solid: Any) -> Any:
    """What lies flat, as it lies on the tray."""
    return solid.rotate((0, 0, 0), (1, 0, 0), pad.slope).translate((0, 0, pad.front_high))


def tray(pad: Keypad) -> Any:
    tall = pad.high(pad.deep)
    below = box(-1, pad.wide + 1, -2 * tall, pad.deep + tall, -3 * tall, 0)
    under_plate = raised(pad, below)
    solid = _rounded(pad, tall)
    hollow = box(pad.wall, pad.wide - pad.wall, pad.wall, pad.deep - pad.wall, pad.wall, tall + 1)
    for x, y in pad.screws:
        hollow = hollow.cut(_boss(pad, x, y, tall))
    solid = solid.cut(hollow)
    for x, y in pad.posts:
        solid = solid.union(cylinder((x, y, pad.wall - 0.5), pad.post_high + 0.5, pad.post))
        solid = solid.cut(cylinder((x, y, pad.wall), pad.post_high + 1, 1.6))
    solid = solid.intersect(under_plate)
    for x, y in pad.screws:
        hole = cylinder((x, y, -12), 13, pad.bought.screw.bite)
        solid = solid.cut(raised(pad, hole))
    x = pad.board_at[0] + 10
    return solid.cut(
        box(x - 7, x + 7, pad.deep - pad.wall - 1, pad.deep + 1, pad.wall + 4, pad.wall + 4 + pad.cable)
    )


def _boss(pad: Keypad, x: float, y: float, tall: float) -> Any:
    """Around a screw, joined to the nearest wall."""
    half = _BOSS / 2
    x0, x1 = (-1.0, x + half) if x < pad.wide / 2 else (x - half, pad.wide + 1)
    return box(x0, x1, y - half, y + half, 0, tall + 1)


def _rounded(pad: Keypad, high: float) -> Any:
    solid = cq.Workplane("XY").box(pad.wide, pad.deep, high, centered=False)
    return solid.edges("|Z").fillet(pad.corner)


def stand_ins(pad: Keypad) -> dict[str, Any]:
    """What one buys, as blocks: the keys flat as in `plate`, the board in the tray."""
    key, (x, y), (wide, deep) = pad.bought.key, pad.board_at, pad.board.size_mm
    low = pad.wall + pad.post_high
    board = box(x, x + wide, y, y + deep, low, low + 1.6)
    pico = box(x + 6, x + 57, y + 9, y + 30, low + 1.6, low + 1.6 + pad.bought.pico.above_board)
    keys, caps = cq.Workplane("XY"), cq.Workplane("XY")
    for at_x, at_y in pad.keys.values():
        half, cap = key.body / 2, key.cap / 2
        bodies = box(at_x - half, at_x + half, at_y - half, at_y + half, pad.plate, pad.plate + 5)
        inner = key.cut_out / 2 - 0.1
        keys = keys.add(bodies).add(
            box(at_x - inner, at_x + inner, at_y - inner, at_y + inner, -key.below_plate, pad.plate)
        )
        caps = caps.add(box(at_x - cap, at_x + cap, at_y - cap, at_y + cap, pad.plate + 6, pad.plate + 14))
    return {"board": board, "pico": pico, "keys": keys, "caps": caps}
