"""The wiring text: its pins are the firmware's, its levels are ones that the firmware can tell."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.drivers.gpio import wiring as gpio
from firmware_bridge.sim.firmware import Firmware
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.timeline import TimeLine
from hardware.drawings import PICTURES, wiring
from hardware.drawings.nets import Net

ROOT = Path(__file__).parents[2]

# The Pico's pins, from its datasheet: number -> GPIO.
PICO = {
    1: 0,
    2: 1,
    4: 2,
    5: 3,
    6: 4,
    7: 5,
    9: 6,
    10: 7,
    11: 8,
    12: 9,
    14: 10,
    15: 11,
    16: 12,
    17: 13,
    19: 14,
    20: 15,
}
PICO |= {21: 16, 22: 17, 24: 18, 25: 19, 26: 20, 27: 21, 29: 22}
PICO_SUPPLY = {"GND": 3, "GND2": 38, "3V3": 36, "VSYS": 39}
# The Raspberry Pi's header: GPIO -> pin.
HEADER = {
    2: 3,
    3: 5,
    4: 7,
    14: 8,
    15: 10,
    17: 11,
    18: 12,
    27: 13,
    22: 15,
    23: 16,
    24: 18,
    10: 19,
    9: 21,
    25: 22,
    11: 23,
}
HEADER |= {8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40}
HEADER_GROUND = {6, 9, 14, 20, 25, 30, 34, 39}


def firmware(device: str) -> Firmware:
    return Firmware(device, modules_of(Board(TimeLine())))


def net_of(device: str, pin: str) -> Net:
    return next((net for net in wiring.nets(device) if pin in net), frozenset({pin}))


def joined(device: str, gpio_number: int) -> set[str]:
    """What is wired to a GPIO of the Pico."""
    pin = f"Pico.GP{gpio_number}"
    return set(net_of(device, pin) - {pin})


@pytest.mark.parametrize("device", ["keypad", "shoe"])
def test_the_picos_pins_have_the_numbers_that_are_printed_on_it(device: str) -> None:
    for label, number in wiring.connectors(device)["Pico"].items():
        expected = (
            PICO_SUPPLY[label] if label in PICO_SUPPLY else {f"GP{at}": pin for pin, at in PICO.items()}[label]
        )
        assert number == expected, label


@pytest.mark.parametrize("device", ["keypad", "shoe"])
def test_line_memory_and_jumper_are_where_the_firmware_has_them(device: str) -> None:
    of = firmware(device)
    serving, fram, board = of.load("serving"), of.load("fram"), of.load("board")
    assert joined(device, serving.TX_PIN) == {"Line.RXD"}
    assert joined(device, serving.RX_PIN) == {"Line.TXD"}
    assert joined(device, fram.SDA_PIN) == {"FRAM.SDA"}
    assert joined(device, fram.SCL_PIN) == {"FRAM.SCL"}
    assert joined(device, board.SAFE_PIN) == {"Safe.a"}
    assert "Safe.b" in net_of(device, "Pico.GND")


def test_the_keypads_keys_lamps_and_buzzer() -> None:
    of = firmware("keypad")
    matrix, main = of.load("matrix"), of.load("main")
    for at, number in enumerate(matrix.ROW_PINS, 1):
        assert joined("keypad", number) == {f"Rows.row {at}"}
    for at, number in enumerate(matrix.COLUMN_PINS, 1):
        assert joined("keypad", number) == {f"Columns.column {at}"}
    assert joined("keypad", main.LAMP_PIN) == {"U1.1A"}
    assert net_of("keypad", "R1.b") == {"R1.b", "Lamps.DIN"}
    assert joined("keypad", main.BUZZER_PIN) == {"R2.a"}
    assert f"strip of {main.LAMPS} " in wiring.types("keypad")["Lamps"]


def test_the_shoes_readers_and_sensors() -> None:
    main: Any = firmware("shoe").load("main")
    for name, pins in (("Inner", main.INNER_READER), ("Outer", main.OUTER_READER)):
        for label, number in zip(("NSS", "BUSY", "RST", "IRQ"), pins, strict=True):
            assert joined("shoe", number) == {f"{name}.{label}"}
    for label, number in (("SCK", main.SCK_PIN), ("MOSI", main.MOSI_PIN), ("MISO", main.MISO_PIN)):
        assert joined("shoe", number) == {f"Inner.{label}", f"Outer.{label}"}
    assert joined("shoe", main.BEAM_PINS[0]) == {"Beam1.collector", "R7.b"}
    assert joined("shoe", main.BEAM_PINS[1]) == {"Beam2.collector", "R8.b"}
    assert joined("shoe", main.DARK_PIN) == {"Dark.collector", "R9.b"}
    assert joined("shoe", main.DECK_PIN) == {"Deck.collector"}, "the firmware pulls it up"
    assert joined("shoe", main.LID_PIN) == {"Lid.NO"}, "closed lid, closed contact"
    assert "Lid.COM" in net_of("shoe", "Pico.GND")
    assert joined("shoe", main.LAMP_PIN) == {"U1.1A"}


@pytest.mark.parametrize("device", ["keypad", "shoe"])
def test_no_supply_is_short_and_none_is_fed_from_two_sides(device: str) -> None:
    ground, five, three = (net_of(device, f"Pico.{pin}") for pin in ("GND", "VSYS", "3V3"))
    assert not ground & five
    assert not ground & three
    assert not five & three
    assert "Line.VCC" not in five, "the Pico's USB would feed the cable"


def test_the_example_of_the_guide_is_what_is_drawn_for_the_header() -> None:
    guide = (ROOT / "docs" / "venue.md").read_text("utf-8")
    example = tomllib.loads(re.search(r"```toml\n(\[gpio\]\nbuttons = \{NEW.*?)```", guide, re.S)[1])["gpio"]  # type: ignore[index]
    wanted = gpio.read(example)
    numbers = wiring.connectors("header")["Pi"]
    assert {number for label, number in numbers.items() if label.startswith("GND")} <= HEADER_GROUND
    assert {label: number for label, number in numbers.items() if not label.startswith("GND")} == {
        f"GPIO{pin}": HEADER[pin] for pin, _ in wanted.used()
    }
    for pin, key in wanted.buttons.items():
        assert net_of("header", f"Pi.GPIO{pin}") == {f"Pi.GPIO{pin}", f"{key.name}.a"}
        assert f"{key.name}.b" in net_of("header", "Pi.GND")
    for seat, pin in wanted.seat_lamps.items():
        assert _behind_resistor(f"Pi.GPIO{pin}") == f"Seat{seat}.anode"
    assert [_behind_resistor(f"Pi.GPIO{pin}") for pin in wanted.lamp] == ["Lamp.red", "Lamp.green", "Lamp.blue"]
    assert net_of("header", f"Pi.GPIO{wanted.buzzer}") == {f"Pi.GPIO{wanted.buzzer}", "Buzzer.plus"}


def _behind_resistor(pin: str) -> str:
    (resistor,) = (found.removesuffix(".a") for found in net_of("header", pin) - {pin})
    assert wiring.types("header")[resistor] == "330 Ω"
    (behind,) = net_of("header", f"{resistor}.b") - {f"{resistor}.b"}
    return behind


# ------------------------------------------------------------------------------------------------- levels

LOW_V, HIGH_V = 0.8, 2.0  # of the RP2040's inputs at 3.3 V, from its datasheet
SUPPLY_V = (4.4, 5.1)  # VSYS: below 4.4 V the device says that its supply is low
FORWARD_V = 1.25  # of an infrared emitter
PULL_UP_OHM = (50_000, 80_000)  # the RP2040's own


def ohms(resistor: str) -> float:
    value, unit = wiring.types("shoe")[resistor].split()
    return float(value) * {"Ω": 1, "kΩ": 1_000}[unit]


def emitter_ma(resistor: str) -> float:
    return 1_000 * (SUPPLY_V[0] - FORWARD_V) / ohms(resistor)


@pytest.mark.parametrize(("emitter", "pulled"), [("R3", "R7"), ("R4", "R8")])
def test_a_free_beam_reads_low_and_a_card_in_it_high(emitter: str, pulled: str) -> None:
    """TCST1103: of the emitter's current at least 10 percent, typically 20, reach the collector."""
    weakest = 0.10 * emitter_ma(emitter) / 1_000
    assert weakest * ohms(pulled) > 3.3 - LOW_V
    through_a_card = (3.3 - HIGH_V) / ohms(pulled)
    strongest = 0.40 * (SUPPLY_V[1] - FORWARD_V) / ohms(emitter)
    assert through_a_card / strongest > 0.05, "a card may let through five percent of the light"


def test_a_white_card_reads_low_at_both_reflex_sensors_and_a_black_one_high() -> None:
    """QRE1113 at 20 mA and 1 mm: typically 0.4 mA before white, a tenth of it before black."""
    white = 0.4e-3 * emitter_ma("R5") / 20
    assert white * ohms("R9") > 3.3 - LOW_V
    assert 0.1 * white * ohms("R9") < 3.3 - HIGH_V
    assert white * PULL_UP_OHM[0] > 3.3 - LOW_V
    assert 0.1 * white * PULL_UP_OHM[1] < 3.3 - HIGH_V


@pytest.mark.parametrize("resistor", ["R3", "R4", "R5", "R6"])
def test_no_emitter_gets_more_than_it_bears(resistor: str) -> None:
    assert 1_000 * (SUPPLY_V[1] - FORWARD_V) / ohms(resistor) < 20


def test_every_text_has_its_picture() -> None:
    drawn = {path.stem.removeprefix("wiring-") for path in PICTURES.glob("wiring-*.png")}
    assert drawn == {name for names in wiring.DEVICES.values() for name in names}
