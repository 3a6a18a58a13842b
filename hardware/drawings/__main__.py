"""`python -m hardware.drawings WHAT…`: makes the drawings of the hardware from their data."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

from hardware.drawings import (
    board_pictures,
    bodies,
    key_wiring,
    mount_picture,
    parts,
    path_picture,
    sheets,
    wiring,
)

COMMANDS: Mapping[str, tuple[str, Callable[[], None]]] = {
    "parts": ("the tables of parts.md, summed", parts.write),
    "wiring": ("the wiring diagrams, by WireViz and Graphviz", wiring.write),
    "boards": ("the perfboards and their lists of wires", board_pictures.write),
    "keys": ("the keypad's plate from below, with its wires", key_wiring.write),
    "path": ("the card's path through the shoe", path_picture.write),
    "camera": ("how camera and lamps hang, and what a camera takes in", mount_picture.write),
    "sheets": ("print sheets of the keypad: its plate, also as DXF, and its legends", sheets.write),
    "bodies": ("shoe and keypad: pictures, and build/print/*.stl; with CadQuery", bodies.write),
    "fit": ("do the bodies' parts fit each other, the printer and the parts list? With CadQuery", bodies.fit),
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m hardware.drawings",
        description="Makes the drawings of the hardware from their data.",
        epilog="\n".join(f"{name:10} {says}" for name, (says, _) in COMMANDS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", nargs="+", choices=[*COMMANDS, "all"], metavar="WHAT", help="below, or all")
    wanted = parser.parse_args(arguments).what
    for name, (_, make) in COMMANDS.items():
        if name in wanted or "all" in wanted:
            make()
    return 0


if __name__ == "__main__":
    sys.exit(main())
