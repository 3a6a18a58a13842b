"""The perfboards: every net is the wiring text's, and one can solder them."""

from __future__ import annotations

import msgspec
import pytest

from hardware.drawings import PICTURES, wiring
from hardware.drawings.board_pictures import DOCUMENT, hole_name, picture, wire_list
from hardware.drawings.boards import Layout, faults, layouts
from hardware.drawings.nets import Net, only

BOARDS = layouts()
DEVICES = pytest.mark.parametrize("device", sorted(BOARDS))


def wired(device: str, board: Layout) -> set[Net]:
    return only(board.nets(), set(wiring.pins(device)))


@DEVICES
def test_the_board_joins_what_the_wiring_text_joins_and_nothing_else(device: str) -> None:
    assert wired(device, BOARDS[device]) == wiring.nets(device)


@DEVICES
def test_every_single_wire_is_needed(device: str) -> None:
    board = BOARDS[device]
    for at, wire in enumerate(board.wires):
        without = msgspec.structs.replace(board, wires=board.wires[:at] + board.wires[at + 1 :])
        assert wired(device, without) != wiring.nets(device), wire


@DEVICES
def test_it_can_be_built(device: str) -> None:
    assert faults(BOARDS[device]) == []


def test_a_board_that_cannot_be_built_says_why() -> None:
    board = BOARDS["keypad"]
    moved = [msgspec.structs.replace(part, at=(20, 3)) if part.name == "R1" else part for part in board.part]
    assert "R1.b: there is no hole 24, 3" in faults(msgspec.structs.replace(board, part=tuple(moved)))
    onto = [msgspec.structs.replace(part, at=(15, 4)) if part.name == "R1" else part for part in board.part]
    found = faults(msgspec.structs.replace(board, part=tuple(onto)))
    assert "R2.a: its hole has R1.a" in found
    assert "R1 and R2 lie on each other" in found


@DEVICES
def test_a_rail_and_a_wire_to_each_supply(device: str) -> None:
    board = BOARDS[device]
    for pin in ("Pico.GND2", "Pico.VSYS"):
        assert any(pin in (wire.first, wire.second) for wire in board.wires)


@DEVICES
def test_pictures_and_lists_of_wires_are_those_of_the_data(device: str) -> None:
    board = BOARDS[device]
    for side in ("above", "below"):
        drawn = (PICTURES / f"board-{device}-{side}.svg").read_text("utf-8")
        assert drawn == picture(board, below=side == "below"), "python -m hardware.drawings boards"
    assert f"<!-- wires {device} -->\n{wire_list(board)}<!-- end -->" in DOCUMENT.read_text("utf-8")


def test_holes_have_the_names_that_are_printed_on_boards() -> None:
    assert (hole_name((0, 0)), hole_name((23, 17))) == ("A1", "X18")
