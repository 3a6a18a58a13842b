"""`python -m hardware.drawings fit`: are the solids whole, apart, and no larger than a bed?"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from hardware.drawings.bodies import keypad_solids, shoe_solids
from hardware.drawings.bodies.keypad import keypad
from hardware.drawings.bodies.shoe import shoe
from hardware.drawings.parts import materials

BED_MM = 220.0
_TOUCH_MM3 = 0.5
_GRAMS_PER_MM3 = 0.00127  # PETG, printed solid
_PIECES = {"cover": 2, "collars": 2, "cleats": 2}


def check() -> None:
    """Print the parts' sizes. Raise `SystemExit` with what does not fit."""
    body, pad = shoe(), keypad()
    printed, bought = shoe_solids.parts(body), shoe_solids.stand_ins(body)
    lying = {f"shoe {name}": shoe_solids.printed(body, name, solid) for name, solid in printed.items()}
    flat = {"plate": keypad_solids.plate(pad), "tray": keypad_solids.tray(pad)}
    lying |= {f"keypad {name}": solid for name, solid in flat.items()}
    faults = [*_sizes(lying)]
    without = {name: solid for name, solid in printed.items() if name != "spacer"}  # that is for bridge cards
    faults += _overlaps(without | bought)
    with_bridge = without | {"platform": shoe_solids.platform(body, bridge=True), "spacer": printed["spacer"]}
    faults += _overlaps({name: with_bridge[name] for name in ("body", "lid", "platform", "spacer")})
    parts = keypad_solids.stand_ins(pad)
    raised = {
        name: keypad_solids.raised(pad, solid)
        for name, solid in (flat | parts).items()
        if name in ("plate", "keys")
    }
    faults += _overlaps({"tray": flat["tray"], "board": parts["board"], "pico": parts["pico"]} | raised)
    faults += _filament(lying)
    if faults:
        raise SystemExit("\n".join(faults))


def _sizes(lying: Mapping[str, Any]) -> Iterator[str]:
    for name, solid in lying.items():
        around = solid.val().BoundingBox() if len(solid.vals()) == 1 else solid.combine().val().BoundingBox()
        print(f"{name:18} {around.xlen:6.1f} x {around.ylen:6.1f} x {around.zlen:5.1f} mm  {_grams(solid):4.0f} g")
        if max(around.xlen, around.ylen, around.zlen) > BED_MM:
            yield f"{name} is larger than the bed of {BED_MM} mm"
        pieces = solid.solids().size()
        if pieces != _PIECES.get(name.partition(" ")[2], 1):
            yield f"{name} is in {pieces} pieces"
        if not all(piece.isValid() for piece in solid.solids().vals()):
            yield f"{name} is no valid solid"


def _overlaps(solids: Mapping[str, Any]) -> Iterator[str]:
    for (one, a), (other, b) in itertools.combinations(solids.items(), 2):
        for x, y in itertools.product(a.vals(), b.vals()):
            if (shared := x.intersect(y).Volume()) > _TOUCH_MM3:
                yield f"{one} and {other} are in each other: {shared:.1f} mm3"


def _grams(solid: Any) -> float:
    return float(sum(piece.Volume() for piece in solid.solids().vals()) * _GRAMS_PER_MM3)


def _filament(lying: Mapping[str, Any]) -> Iterator[str]:
    for device in ("shoe", "keypad"):
        needed = sum(_grams(solid) for name, solid in lying.items() if name.startswith(device))
        print(f"{device:18} {needed:32.0f} g together")
        if needed > 100 * materials().needed(device)["filament"]:
            yield f"the {device} takes {needed:.0f} g, and its parts list has less"
