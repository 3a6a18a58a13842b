"""Shoe and keypad: what is printed fits cards, firmware, perfboards and what one buys."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_bridge.sim.firmware import Firmware
from firmware_bridge.sim.pico import card_path
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.timeline import TimeLine
from hardware.drawings import FOLDER, PICTURES, key_wiring, path_picture
from hardware.drawings.boards import layouts
from hardware.drawings.bodies import keypad as keypads
from hardware.drawings.bodies import shoe as shoes
from hardware.drawings.bodies.bought import bought

ROOT = Path(__file__).parents[2]
SHOE, PAD = shoes.shoe(), keypads.keypad()
CADQUERY = FOLDER / "build" / "venv" / "bin" / "python"


def changed(body: Any, **parts: dict[str, Any]) -> Any:
    """The same with other measures: `path={"wide": 88.0}`."""
    inner = {name: msgspec.structs.replace(getattr(body, name), **new) for name, new in parts.items()}
    return msgspec.structs.replace(body, **inner)


def passages() -> Any:
    return Firmware("shoe", modules_of(Board(TimeLine()))).load("passages")


# --------------------------------------------------------------------------------------------- the shoe


def test_nothing_of_the_shoe_is_at_fault() -> None:
    assert shoes.faults(SHOE) == []


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"path": {"wide": 89.2}}, "a card of 88.9 mm has 0.3 mm of play across the path"),
        ({"path": {"high": 0.9}}, "a bent card sticks"),
        ({"gate": {"gap": 0.6}}, "is not between one thick card and two thin ones"),
        ({"beams": {"axis_inside": 2.5}}, "the shortest card covers the beams by 0.5 mm only"),
        ({"beams": {"at": (0.0, 6.0)}}, "the light barriers do not fit beside each other"),
        ({"dark": {"at": (4.0, 36.0)}}, "the sensor for the cut card looks beside the white edge"),
        ({"antennas": {"at": (-12.0, 16.0)}}, "the antennas overlap"),
        ({"antennas": {"turns": 6}}, "does not fit the module's matching"),
        ({"path": {"floor": 3.0}}, "percent of the field are left"),
        ({"gate": {"screws": (-12.0, 12.0)}}, "screws of the gate: 8.9 mm from an antenna"),
        ({"deck": {"high": 18.0}}, "a deck of 19.5 mm does not fit"),
        ({"deck": {"floor_z": -29.0}}, "the springs are pressed solid"),
        ({"lid": {"rails": (-90.0, -35.0)}}, "the lid's rails touch the front wall"),
        ({"bays": {"rear": 18.0}}, "the perfboard with its Pico is thicker than the rear bay"),
        ({"bays": {"lamp": (-112.0, -40.0)}}, "the lamp is below the lid"),
        ({"bays": {"side": 8.0}}, "a reader module is thicker than its bay"),
    ],
)
def test_a_shoe_that_would_not_work_says_why(parts: dict[str, Any], says: str) -> None:
    assert any(says in fault for fault in shoes.faults(changed(SHOE, **parts)))


def test_beams_antennas_and_cut_card_sensor_are_where_the_firmware_was_tried() -> None:
    inner, outer = SHOE.beams.at
    assert (outer - inner) * 1_000 == passages().BEAMS_UM
    assert [1_000 * (x - inner) for x in SHOE.beams.at] == list(card_path.BEAMS)
    assert [1_000 * (x - inner) for x in SHOE.antennas.at] == list(card_path.ANTENNAS)
    assert 1_000 * (SHOE.dark.at[0] - inner) == card_path.DARK_AT
    assert 1_000 * bought().card.poker[1] == passages().CARD_UM
    assert 1_000 * (SHOE.deck.front - inner) <= card_path.BEHIND, "a resting deck lies no nearer than it was tried"


def test_a_tag_is_read_while_its_card_is_between_the_beams_and_at_no_other_time() -> None:
    surely, barely = path_picture.REACH_MM
    (near, far), (inner, outer) = SHOE.beams.at, SHOE.antennas.at
    half = bought().card.poker[1] / 2
    assert surely < abs((near - half) - inner) < barely, "it begins to answer as its head comes"
    assert abs((far - half) - inner) < surely, "it answers before its head has passed both beams"
    assert surely < abs((far + half) - outer) < barely, "it has gone as its tail goes"
    nearest_in_the_deck = SHOE.deck.front - bought().card.bridge[0] / 2
    assert inner - nearest_in_the_deck > barely + 15, "no card of the deck answers, also a narrow one"


def test_how_far_metal_is_from_an_antenna() -> None:
    above_the_middle = (SHOE.antennas.at[0], 0.0, -SHOE.path.floor + 1.0 + 30.0)
    assert SHOE.from_winding(above_the_middle) == pytest.approx(30.0)
    beside = (SHOE.antennas.at[1] + SHOE.antennas.side / 2 + 12.0, 0.0, -SHOE.path.floor)
    assert SHOE.from_winding(beside) == pytest.approx(12.0)
    assert min(SHOE.from_winding(point) for point in SHOE.metal.values()) > SHOE.antennas.metal_free


def test_the_shoes_posts_are_at_the_boards_holes() -> None:
    board = layouts()["shoe"]
    (y0, z0) = SHOE.posts[0]
    assert [(y0 - y, z0 - z) for y, z in SHOE.posts] == [
        pytest.approx((x - board.screws_mm[0][0], y - board.screws_mm[0][1])) for x, y in board.screws_mm
    ]


def test_the_lids_peg_presses_the_switch_when_closed_and_frees_it_when_open() -> None:
    switch, hole_z = bought().switch, SHOE.lid.switch[1]
    assert SHOE.peg_end - hole_z < switch.lever_pressed
    lever_arm = SHOE.lid.peg[0] - SHOE.lid.hinge[0]
    lifted_at_30_degrees = lever_arm * 0.5
    assert SHOE.peg_end - hole_z + lifted_at_30_degrees > switch.lever_free


def test_the_document_has_the_figures_of_the_data() -> None:
    text = " ".join((FOLDER / "bodies.md").read_text("utf-8").split())
    card, head_at = bought().card, bought().card.poker[1] / 2
    inner = SHOE.antennas.at[0]
    for figure in (
        f"are {card.deck_high:.1f} mm; the well takes {SHOE.deck.high} mm",
        f"the last card with {SHOE.pressure(card.thick[0]):.1f} N",
        f"a full deck with {SHOE.pressure(card.deck_high):.1f} N",
        f"a card's tag is {head_at:.2f} mm behind its head".replace("a card's", "A card's"),
        f"the tag is {abs(-head_at - inner):.2f} mm from the inner antenna",
        f"reaches the outer beam {abs(SHOE.beams.at[1] - head_at - inner):.2f} mm",
        f"ends {-SHOE.deck.front:.0f} mm before the inner beam",
        f"is {inner - (SHOE.deck.front - card.bridge[0] / 2):.0f} mm from the inner antenna's middle",
        f"are {SHOE.inductance_uh:.1f} uH",
        f"are {SHOE.coil_above:.0f} mm. There {100 * SHOE.field_left:.0f} percent of the field are left",
        f"at least {min(map(SHOE.from_winding, SHOE.metal.values())):.0f} mm away from the windings",
        f"{(bought().barrier.gap - SHOE.path.high) / 2:.2f} mm away from either leg",
    ):
        assert figure in text, figure


def test_the_picture_of_the_path_is_that_of_the_data() -> None:
    assert path_picture.PICTURE.read_text("utf-8") == path_picture.picture(SHOE), (
        "python -m hardware.drawings path"
    )


# ------------------------------------------------------------------------------------------- the keypad


def test_nothing_of_the_keypad_is_at_fault() -> None:
    assert keypads.faults(PAD) == []


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ({"plate": 3.0}, "keys do not click into a plate of 3.0 mm"),
        ({"lamp_row": 4.0}, "is below a cap"),
        ({"screw_from_edge": 12.0}, "is below a cap"),
        ({"front_high": 11.0}, "the nearest keys touch the tray"),
        ({"board_at": (30.0, 80.0)}, "the Pico touches the keys above it"),
        ({"board_at": (100.0, 108.0)}, "the board does not lie in the tray"),
        ({"post_high": 3.0}, "the wires below the board touch the tray"),
    ],
)
def test_a_keypad_that_would_not_fit_says_why(new: dict[str, Any], says: str) -> None:
    assert any(says in fault for fault in keypads.faults(msgspec.structs.replace(PAD, **new)))


def test_the_plate_has_a_cut_out_for_each_key_and_a_hole_for_each_lamp_of_the_firmware() -> None:
    firmware = Firmware("keypad", modules_of(Board(TimeLine())))
    main, matrix = firmware.load("main"), firmware.load("matrix")
    assert matrix.KEYS == keypads.KEYS
    assert sorted(PAD.keys) == sorted(code for row in matrix.KEYS for code in row if code is not None)
    assert len(PAD.lamps) == main.LAMPS
    squares = [cut for cut in PAD.cuts if cut.square]
    assert len(squares) == len(PAD.keys) == 44
    assert {cut.wide for cut in squares} == {bought().key.cut_out}


def test_keys_stand_at_the_pitch_of_their_caps() -> None:
    keys = PAD.keys
    for codes in keypads.KEYS:
        xs = [keys[code][0] for code in codes if code is not None]
        assert [b - a for a, b in pairwise(xs)] == [pytest.approx(19.05)] * (len(xs) - 1)
        assert len({keys[code][1] for code in codes if code is not None}) == 1


def test_each_seats_lamp_is_above_its_key() -> None:
    for seat, (x, y) in enumerate(PAD.lamps[1:], start=1):
        key_x, key_y = PAD.keys[keypads.SEAT_1 + seat - 1]
        assert (x, y - key_y) == (key_x, pytest.approx((bought().key.pitch + PAD.lamp_row) / 2))


def test_the_picture_of_the_keys_wires_is_that_of_the_data() -> None:
    assert key_wiring.PICTURE.read_text("utf-8") == key_wiring.picture(PAD), "python -m hardware.drawings keys"


def test_the_keypads_posts_are_at_the_boards_holes() -> None:
    board = layouts()["keypad"]
    x0, y0 = PAD.posts[0]
    assert [(x - x0, y0 - y) for x, y in PAD.posts] == [
        pytest.approx((x - board.screws_mm[0][0], y - board.screws_mm[0][1])) for x, y in board.screws_mm
    ]


# ------------------------------------------------------------------------------------------- the solids


def test_every_picture_of_the_bodies_is_there() -> None:
    names = ("shoe", "shoe-exploded", "shoe-section", "shoe-below", "keypad", "keypad-exploded", "print")
    assert [name for name in names if not (PICTURES / f"{name}.png").is_file()] == []


@pytest.mark.slow("CadQuery makes every solid and intersects each with each")
@pytest.mark.skipif(not CADQUERY.exists(), reason="CadQuery is not installed (2 GB): `make -C hardware` does it")
def test_the_printed_parts_are_whole_and_apart_from_each_other_and_fit_the_printers_bed() -> None:
    ran = subprocess.run([CADQUERY, "-m", "hardware.drawings", "fit"], cwd=ROOT, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "shoe body" in ran.stdout
