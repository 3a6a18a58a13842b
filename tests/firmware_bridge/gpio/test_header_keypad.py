"""The driver of a keypad at the header: what it tells the table; machines without pins."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.drivers.gpio import header
from firmware_bridge.drivers.gpio.driver import GpioKeypad
from firmware_bridge.drivers.interface import DriverSettings
from firmware_bridge.reports import KeyDown, ReportsLost
from table_core.messages import DeviceState, Key
from tests.firmware_bridge.drivers.kit import Listening
from tests.firmware_bridge.gpio.buttons import OPTIONS, touch
from tests.waiting import until

Make = Callable[..., tuple[GpioKeypad, MockFactory, Listening]]


def settings(**changed: object) -> DriverSettings:
    return DriverSettings("keypad", "header", options={**OPTIONS, **changed})


@pytest.fixture
def make() -> Iterator[Make]:
    """A started keypad, its pins and who listens."""
    made: list[GpioKeypad] = []

    def one(*, acknowledges: bool = True) -> tuple[GpioKeypad, MockFactory, Listening]:
        pins, heard = MockFactory(), Listening(acknowledges=acknowledges)
        keypad = GpioKeypad(settings(), heard, pins)
        heard.driver = keypad
        made.append(keypad)
        keypad.start()
        heard.wait(lambda: bool(heard.states) and heard.states[-1][0] is DeviceState.OK)
        return keypad, pins, heard

    yield one
    for keypad in made:
        keypad.stop()


def keys(heard: Listening) -> list[Key]:
    return [report.key for report in heard.reports if isinstance(report, KeyDown)]


def press(pins: MockFactory, key: str, heard: Listening) -> None:
    """A finger that stays until the press is told."""
    before = len(heard.said)
    touch(pins, key, [True])
    heard.wait(lambda: len(heard.said) > before)
    touch(pins, key, [False])


def test_presses_come_in_their_order_behind_what_is_not_known(make: Make) -> None:
    _, pins, heard = make()
    heard.wait(lambda: len(heard.said) == 1)
    press(pins, "FOLD", heard)
    press(pins, "FLOOR", heard)
    assert keys(heard) == [Key.FOLD, Key.FLOOR]
    assert isinstance(heard.reports[0], ReportsLost), "nobody knows what was pressed before this process"


def test_a_press_is_told_again_until_it_is_acknowledged_and_then_the_lamp_says_so(make: Make) -> None:
    keypad, pins, heard = make(acknowledges=False)
    heard.wait(lambda: len(heard.said) == 1)
    keypad.acknowledge(*heard.said[0])
    until(lambda: len(pins.pin(23).states) == 3, "the lamp changes three times")
    press(pins, "FOLD", heard)
    touch(pins, "FLOOR", [True])
    heard.wait(lambda: len(heard.said) == 3)
    assert heard.said[1] == heard.said[2]
    assert keys(heard) == [Key.FOLD], "one at a time"
    assert len(pins.pin(23).states) == 3, "no lamp for what is not in the ledger"
    heard.acknowledges = True
    heard.wait(lambda: keys(heard) == [Key.FOLD, Key.FLOOR])
    until(lambda: [state.state for state in pins.pin(23).states][-3:] == [False, True, False], "it goes off again")


@pytest.mark.parametrize(
    ("factory", "says"),
    [
        ("lgpoi", "there is no pin factory 'lgpoi'; there are lgpio, mock"),
        ("rpigpio", "RPi.GPIO is not installed: pip install RPi.GPIO"),
        ("native", "this machine is no Raspberry Pi: it has no header"),
    ],
)
def test_a_machine_without_pins_says_why_and_the_table_goes_on(factory: str, says: str) -> None:
    heard = Listening()
    keypad = GpioKeypad(settings(pin_factory=factory), heard)
    keypad.start()
    heard.wait(lambda: bool(heard.states))
    keypad.stop()
    state, detail = heard.states[0]
    assert state is DeviceState.NOT_RESPONDING
    assert says in detail


NO_LGPIO = """
import sys
from firmware_bridge.drivers.gpio.header import HeaderError, open_factory
sys.modules["lgpio"] = None
try:
    open_factory("")
except HeaderError as error:
    print(error)
"""


def test_lgpio_is_what_is_used_and_its_lack_is_said() -> None:
    without = {name: value for name, value in os.environ.items() if name != "GPIOZERO_PIN_FACTORY"}
    done = subprocess.run(
        [sys.executable, "-c", NO_LGPIO], capture_output=True, text=True, env=without, check=True
    )
    assert done.stdout == "lgpio is not installed: pip install lgpio (docs/venue.md)\n"


@pytest.mark.parametrize(
    ("chips", "says"),
    [((), "the kernel offers no pins"), (("gpiochip0",), "not allowed to use the pins (busy): add this user")],
)
def test_why_a_pi_gives_no_pins(
    chips: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chip in chips:
        (tmp_path / chip).touch()
    monkeypatch.setattr(header, "_CHIPS", tmp_path)
    monkeypatch.setattr(os, "access", lambda path, how: False)
    assert says in header._without_pins("busy")
