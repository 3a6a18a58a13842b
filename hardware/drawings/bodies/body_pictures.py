"""Pictures of the bodies, and what printers and cutters take: `hardware/pictures`, `hardware/build/print`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hardware.drawings import FOLDER, PICTURES
from hardware.drawings.bodies import keypad_solids, shoe_solids
from hardware.drawings.bodies.keypad import Keypad, keypad
from hardware.drawings.bodies.shapes import box
from hardware.drawings.bodies.shoe import Shoe, shoe
from hardware.drawings.bodies.view import Colour, Scene

PRINT = FOLDER / "build" / "print"
_COLOURS: Mapping[str, Colour] = {
    "body": (120, 150, 190), "base": (150, 150, 160), "floor": (238, 226, 196), "cover": (204, 206, 212),
    "gate": (244, 200, 80), "collars": (244, 200, 80), "platform": (150, 190, 130), "lid": (220, 150, 110),
    "cleats": (200, 90, 90), "spacer": (170, 140, 190), "deck": (250, 250, 245), "springs": (130, 130, 130),
    "barriers": (60, 60, 70), "readers": (90, 160, 110), "board": (200, 170, 100), "pico": (60, 150, 80),
    "switch": (70, 70, 80), "tray": (120, 150, 190), "plate": (222, 206, 160), "keys": (90, 90, 100),
    "caps": (240, 240, 235), "coils": (190, 110, 50),
}  # fmt: skip
_WORDS: Mapping[str, str] = {
    "cleats": "cleats, 2", "lid": "lid, with the deck sensor", "cover": "cover, 2 halves", "deck": "deck",
    "floor": "floor, antennas below it", "platform": "platform", "gate": "gate", "springs": "springs, 2",
    "body": "body", "base": "base",
}  # fmt: skip
_BELOW: Mapping[str, str] = {
    "readers": "reader modules, one on each side", "pico": "perfboard, Pico to the rear", "switch": "lid switch",
    "coils": "antennas", "barriers": "light barriers", "collars": "gate screws with collars",
}  # fmt: skip
_SECTION: Mapping[str, str] = {
    "lid": "lid: its rails press the deck down", "deck": "deck", "platform": "platform", "springs": "springs",
    "gate": "gate", "cover": "cover: the path's ceiling", "floor": "floor with both antennas",
    "board": "perfboard",
}  # fmt: skip


def write() -> None:
    """All of it: about a minute."""
    body, pad = shoe(), keypad()
    printed, bought = shoe_solids.parts(body), shoe_solids.stand_ins(body)
    _bed(_stl(body, printed, pad))
    level = {name: solid.rotate((0, 0, 0), (0, 1, 0), body.slope) for name, solid in (printed | bought).items()}
    _shoe(level)
    _exploded(body, printed, bought)
    _section(body, printed, bought)
    _below(body, printed, bought)
    _keypad(pad)


def _stl(body: Shoe, printed: dict[str, Any], pad: Keypad) -> dict[str, Any]:
    """The parts as they lie on the printer's bed, written."""
    import cadquery as cq

    PRINT.mkdir(parents=True, exist_ok=True)
    lying = {f"shoe-{name}": shoe_solids.printed(body, name, solid) for name, solid in printed.items()}
    bridge = shoe_solids.platform(body, bridge=True)
    lying["shoe-platform-bridge"] = shoe_solids.printed(body, "platform", bridge)
    lying |= {"keypad-plate": keypad_solids.plate(pad), "keypad-tray": keypad_solids.tray(pad)}
    for name, solid in lying.items():
        cq.exporters.export(
            cq.Workplane(cq.Compound.makeCompound(solid.vals())), str(PRINT / f"{name}.stl"), tolerance=0.05
        )
    return lying


def _bed(lying: dict[str, Any]) -> None:
    """All parts as they are printed, in rows."""
    scene, x, y, deep, right = Scene(12, 42), 0.0, 0.0, 0.0, 520.0
    for name, solid in lying.items():
        around = _bounds(solid)
        if x + around.xlen > right:
            x, y, deep = 0.0, y - deep - 16, 0.0
        at = (x - around.xmin, y - around.ymax, -around.zmin)
        scene.add(solid, _COLOURS[name.split("-")[1]], at)
        x, deep = x + around.xlen + 16, max(deep, around.ylen)
    scene.write(PICTURES / "print.png", 900)


def _bounds(solid: Any) -> Any:
    """Of all pieces together."""
    return solid.combine().val().BoundingBox()


def _add(scene: Scene, solids: dict[str, Any], names: Iterable[str], up: float = 0.0) -> None:
    for name in names:
        scene.add(solids[name], _COLOURS[name], (0, 0, up))


def _shoe(level: dict[str, Any]) -> None:
    scene = Scene(150, 38)
    _add(scene, level, ("body", "base", "floor", "cover", "gate", "lid", "cleats", "deck", "barriers", "platform"))
    scene.write(PICTURES / "shoe.png", 760)


def _exploded(body: Shoe, printed: dict[str, Any], bought: dict[str, Any]) -> None:
    """Upwards along z, one layer above the other."""
    layers = {
        "base": -60, "body": 0, "springs": 40, "platform": 66, "deck": 90, "gate": 60, "collars": 60,
        "barriers": 45, "floor": 80, "cover": 120, "lid": 140, "cleats": 170,
    }  # fmt: skip
    scene = Scene(150, 30)
    for name, up in layers.items():
        scene.add((printed | bought)[name], _COLOURS[name], (0, 0, up))
    for name, words in _WORDS.items():
        around = (printed | bought)[name].vals()[-1].BoundingBox()
        scene.note((around.center.x, around.ymax - 6, around.zmax + layers[name]), words)
    scene.write(PICTURES / "shoe-exploded.png", 760)


def _section(body: Shoe, printed: dict[str, Any], bought: dict[str, Any]) -> None:
    """Cut through the deck sensor's side, seen from the side."""
    half = box(body.rear - 10, body.path.ends + 10, 5, body.half + 10, -90, 60)
    scene = Scene(0, 4)
    solids = dict(printed | bought) | {"coils": _coils(body)}
    for name in (
        "body",
        "base",
        "floor",
        "cover",
        "gate",
        "platform",
        "lid",
        "deck",
        "springs",
        "board",
        "pico",
        "coils",
    ):
        cut = solids[name].intersect(half).rotate((0, 0, 0), (0, 1, 0), body.slope)
        if cut.vals():
            scene.add(cut, _COLOURS[name])
            if name in _SECTION:
                around = cut.val().BoundingBox()
                scene.note((around.center.x, 5, around.center.z), _SECTION[name])
    scene.write(PICTURES / "shoe-section.png", 900)


def _coils(body: Shoe) -> Any:
    wide, half = body.antennas.turns * body.bought.coil.pitch, body.antennas.side / 2
    z = -body.path.floor
    rings = [
        box(x - half, x + half, -half, half, z - 0.5, z).cut(
            box(x - half + wide, x + half - wide, -half + wide, half - wide, z - 1, z + 1)
        )
        for x in body.antennas.at
    ]
    return rings[0].add(rings[1])


def _below(body: Shoe, printed: dict[str, Any], bought: dict[str, Any]) -> None:
    """Without its base: where modules, board and antennas are."""
    scene = Scene(0, -90)
    solids = dict(printed | bought) | {"coils": _coils(body)}
    _add(
        scene,
        solids,
        ("body", "floor", "gate", "collars", "readers", "board", "pico", "switch", "barriers", "coils"),
    )
    for name, words in _BELOW.items():
        around = solids[name].solids().vals()[-1].BoundingBox()
        scene.note((around.center.x, around.center.y, around.zmin), words)
    scene.write(PICTURES / "shoe-below.png", 800)


def _keypad(pad: Keypad) -> None:
    bought = keypad_solids.stand_ins(pad)
    tray, plate = keypad_solids.tray(pad), keypad_solids.plate(pad)
    scene = Scene(18, 36)
    scene.add(tray, _COLOURS["tray"])
    _add(scene, bought, ("board", "pico"))
    for name, solid, up in (("plate", plate, 100), ("keys", bought["keys"], 100), ("caps", bought["caps"], 112)):
        scene.add(keypad_solids.raised(pad, solid), _COLOURS[name], (0, 0, up))
    x, y = pad.board_at
    scene.note((x + 67, y + 3, pad.wall + pad.post_high + 2), "perfboard, Pico to the left")
    scene.note((pad.wide - 20, 80, pad.front_high + 130), "keys with caps")
    scene.note((pad.wide - 14, 10, pad.front_high + 103), "plate")
    scene.note((pad.wide - 2, 30, 10), "tray")
    scene.write(PICTURES / "keypad-exploded.png", 760)
    scene = Scene(18, 36)
    scene.add(tray, _COLOURS["tray"])
    for name, solid in (("plate", plate), ("keys", bought["keys"]), ("caps", bought["caps"])):
        scene.add(keypad_solids.raised(pad, solid), _COLOURS[name])
    scene.write(PICTURES / "keypad.png", 640)
