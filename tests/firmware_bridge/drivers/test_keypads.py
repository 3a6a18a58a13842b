"""One suite for every keypad and its driver: whatever stands behind it, the table hears the same.

A keypad of another kind (on the Pi's own pins, of another make) joins with one line in `KEYPADS`: a function that
gives a `Keypad` and the settings of its driver. One that is no device of its own has no cable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from firmware_bridge.drivers import registry
from firmware_bridge.drivers.gpio import driver as gpio_driver
from firmware_bridge.drivers.gpio.contacts import LOOK_MS
from firmware_bridge.drivers.interface import Colour, DriverSettings, KeypadDriver
from firmware_bridge.reports import KeyDown, ReportsLost
from firmware_bridge.sim import SimKeypad
from firmware_bridge.sim.firmware_device import FirmwareDevice
from table_core.messages import DeviceState, Key
from tests.firmware_bridge.drivers.kit import Listening
from tests.firmware_bridge.gpio import buttons
from tests.firmware_bridge.gpio.buttons import Clock, Fingers, TimedFactory, on_time

HERTZ = 1_800
KEYS = tuple([key for key in Key if key is not Key.CARD])  # which is on the screen alone


class Keypad(Protocol):
    """What happens to a keypad, and what it shows. `keys`: those that it has."""

    @property
    def keys(self) -> tuple[Key, ...]: ...
    def press(self, *keys: int) -> None: ...
    def chatter(self, key: int) -> None:
        """A press whose contact bounces for a few milliseconds."""

    def shows(self, lamp: int, colour: Colour) -> bool: ...
    def sounded(self) -> int:
        """How many tones there were."""


class KeypadWithCable(Keypad, Protocol):
    """One that is a device of its own."""

    def unplug(self) -> None: ...
    def plug(self) -> None: ...
    def reboot(self) -> None:
        """Off and on; it has a memory."""


class Simulated:
    keys = KEYS

    def __init__(self, device: SimKeypad) -> None:
        self._device = device
        self.unplug, self.plug, self.reboot = device.unplug, device.plug, device.reboot

    def press(self, *keys: int) -> None:
        for key in keys:
            self._device.press(key)

    def chatter(self, key: int) -> None:
        self._device.bounce(times=5, gap_ms=1)
        self._device.press(key)

    def shows(self, lamp: int, colour: Colour) -> bool:
        return self._device.lamps.get(lamp, ())[:3] == colour

    def sounded(self) -> int:
        return sum(times for hertz, _, _, times in self._device.sounds if hertz == HERTZ)


class OfFirmware:
    keys = KEYS

    def __init__(self, device: FirmwareDevice) -> None:
        self._device = device
        self.press, self.unplug, self.plug, self.reboot = device.press, device.unplug, device.plug, device.reboot
        self.check = device.check

    def chatter(self, key: int) -> None:
        edges = [(at, level) for start in range(0, 4_000, 1_000) for at, level in ((start, 1), (start + 600, 0))]
        self._device.contact(key, [*edges, (4_000, 1), (40_000, 0)])

    def shows(self, lamp: int, colour: Colour) -> bool:
        return self._device.lamps.get(lamp) == colour

    def sounded(self) -> int:
        return self._device.tones.count(HERTZ)


class AtTheHeader:
    """Buttons wired to the Pi: of many keys the usual ones, lamps that are on or off, a buzzer of one tone."""

    def __init__(self, fingers: Fingers) -> None:
        self.keys = tuple([Key[name] for name in buttons.BUTTONS])
        self._pins = fingers.factory
        self.press, self.chatter = fingers.press, fingers.chatter

    def shows(self, lamp: int, colour: Colour) -> bool:
        return bool(self._pins.pin(buttons.OPTIONS["seat_lamps"][str(lamp)]).state) is any(colour)

    def sounded(self) -> int:
        self._pins.clock.ms += LOOK_MS  # a look at it takes time
        return sum(bool(state.state) for state in self._pins.pin(buttons.OPTIONS["buzzer"]).states)


Made = tuple[Any, str, DriverSettings]


@contextmanager
def in_process(folder: Path) -> Iterator[Made]:
    port = f"sim://{folder.name}"
    with SimKeypad(port) as device:
        yield Simulated(device), "feltwire", DriverSettings("keypad", port)


@contextmanager
def behind_a_terminal(folder: Path) -> Iterator[Made]:
    with SimKeypad(folder / "keypad") as device:
        yield Simulated(device), "feltwire", DriverSettings("keypad", str(folder / "keypad"))


@contextmanager
def firmware_under_micropython(folder: Path) -> Iterator[Made]:
    with FirmwareDevice("keypad", folder / "keypad") as device:
        yield OfFirmware(device), "feltwire", DriverSettings("keypad", str(folder / "keypad"))


@contextmanager
def buttons_at_the_header(_folder: Path) -> Iterator[Made]:
    factory = TimedFactory(Clock())
    with pytest.MonkeyPatch.context() as patch:
        on_time(patch, factory.clock)
        patch.setattr(gpio_driver, "open_factory", lambda name: factory)
        patch.setattr(gpio_driver, "boot_ms", factory.clock)
        yield AtTheHeader(Fingers(factory)), "gpio", DriverSettings("keypad", "header", options=buttons.OPTIONS)


Make = Callable[[Path], AbstractContextManager[Made]]
WITH_CABLE: dict[str, Make] = {
    "in this process": in_process,
    "behind a pseudo-terminal": behind_a_terminal,
    "firmware under MicroPython": firmware_under_micropython,
}
KEYPADS: dict[str, Make] = {**WITH_CABLE, "buttons at the header": buttons_at_the_header}


class Bench(NamedTuple):
    keypad: KeypadWithCable
    driver: KeypadDriver
    heard: Listening

    def keys(self) -> list[Key]:
        """The log: every report once, in order."""
        assert all(isinstance(report, KeyDown) for report in self.heard.reports), self.heard.reports
        return [report.key for report in self.heard.reports if isinstance(report, KeyDown)]

    def hears(self, *keys: Key) -> None:
        self.heard.wait(lambda: len(self.heard.reports) >= len(keys))
        assert self.keys() == list(keys)


@pytest.fixture(scope="module", params=KEYPADS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    with KEYPADS[request.param](tmp_path_factory.mktemp("keypad")) as made:
        yield made


@pytest.fixture
def bench(made: Made) -> Iterator[Bench]:
    keypad, driver, settings = made
    heard = Listening()
    if isinstance(keypad, OfFirmware):
        heard.check = keypad.check
    heard.driver = made_driver = registry.keypad(driver)(settings, heard)
    made_driver.start()
    heard.wait(lambda: bool(heard.states) and heard.states[-1][0] is DeviceState.OK)
    if driver == "gpio":  # it begins with what it cannot know
        heard.wait(lambda: len(heard.reports) == 1 and isinstance(heard.reports[0], ReportsLost))
        heard.named.clear()
    yield Bench(keypad, made_driver, heard)
    made_driver.stop()


def test_every_key_is_heard_once_and_in_order(bench: Bench) -> None:
    bench.keypad.press(*bench.keypad.keys)
    bench.hears(*bench.keypad.keys)


def test_a_contact_that_chatters_is_one_press(bench: Bench) -> None:
    bench.keypad.chatter(Key.FOLD)
    bench.keypad.chatter(Key.D7)
    bench.keypad.press(Key.CLEAR)
    bench.hears(Key.FOLD, Key.D7, Key.CLEAR)


@pytest.mark.parametrize("made", WITH_CABLE, indirect=True)
def test_the_cable_may_be_pulled_at_any_time(bench: Bench) -> None:
    pressed: list[Key] = []
    for turn, keys in enumerate(((Key.D1,), (Key.D2, Key.D00), (), (Key.BET_RAISE,), (Key.UNDO, Key.SEAT_3))):
        bench.keypad.press(*keys)
        pressed += keys
        if turn % 2:
            bench.keypad.plug()
        else:
            bench.keypad.unplug()
    bench.keypad.plug()
    bench.hears(*pressed)


@pytest.mark.parametrize("made", WITH_CABLE, indirect=True)
def test_a_press_that_is_not_acknowledged_survives_a_restart(bench: Bench) -> None:
    bench.heard.acknowledges = False
    bench.keypad.press(Key.D1, Key.D2, Key.BET_RAISE)
    bench.heard.wait(lambda: len(bench.heard.said) >= 4)  # 700 ms: the other two wait behind the first
    assert len(bench.heard.named) == 1
    bench.keypad.reboot()
    bench.heard.acknowledges = True
    bench.heard.wait(lambda: len(bench.heard.reports) == 3)
    bench.keypad.press(Key.FOLD)
    bench.hears(Key.D1, Key.D2, Key.BET_RAISE, Key.FOLD)
    boots = [boot for boot, _ in bench.heard.named]
    assert boots[0] == boots[1] == boots[2] != boots[3]


def test_lamps_and_buzzer_do_what_the_table_says(bench: Bench) -> None:
    before = bench.keypad.sounded()
    bench.driver.lamp(4, (0, 160, 80))
    bench.driver.sound(HERTZ, 20, 20, 2)
    bench.driver.lamp(11, (3, 2, 1))
    bench.heard.wait(lambda: bench.keypad.shows(11, (3, 2, 1)) and bench.keypad.sounded() >= before + 2)
    assert bench.keypad.shows(4, (0, 160, 80))
    assert bench.keypad.sounded() == before + 2


def test_a_press_has_the_time_when_it_was_made(bench: Bench) -> None:
    bench.keypad.press(Key.D1, Key.D2, Key.D3)
    bench.hears(Key.D1, Key.D2, Key.D3)
    times = [report.at for report in bench.heard.reports if isinstance(report, KeyDown)]
    assert times == sorted(times)
