"""Buttons, lamps and a buzzer on gpiozero's mock pins, in time that is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockPin

from firmware_bridge.drivers.gpio import wiring
from firmware_bridge.drivers.gpio.board import HELD_MS, Board
from firmware_bridge.drivers.gpio.contacts import LOOK_MS
from firmware_bridge.drivers.gpio.header import HeaderError
from firmware_bridge.drivers.gpio.panel import BLINK_MS, RECORDED_MS, Panel
from firmware_bridge.drivers.interface import DriverError
from firmware_bridge.reports import KeyDown
from table_core.messages import Key
from tests.firmware_bridge.gpio.buttons import BUTTONS, OPTIONS, Clock, HeldPin, TimedFactory, on_time, touch

SPARKS = (True, False) * 4  # a millisecond each


class Bench:
    def __init__(self, drops: int = 0, pin_class: type[MockPin] = MockPin) -> None:
        self.clock = Clock()
        self.factory = TimedFactory(self.clock, drops, pin_class)
        self.board = Board(wiring.read(OPTIONS), self.clock)
        self.board.open(self.factory)
        self.presses: list[KeyDown] = []
        self._look_at = self.clock.ms + LOOK_MS

    @property
    def keys(self) -> list[Key]:
        return [press.key for press in self.presses]

    def wait(self, ms: int) -> None:
        for _ in range(ms):
            self.clock.ms += 1
            if self.clock.ms >= self._look_at:
                self._look_at += LOOK_MS
                self.presses += self.board.step()

    def press(self, key: str, sparks: tuple[bool, ...] = (), hold: int = 60) -> None:
        for level in (*sparks, True):
            touch(self.factory, key, [level])
            self.wait(1)
        self.wait(hold)
        for level in (*[not level for level in sparks], False):
            touch(self.factory, key, [level])
            self.wait(1)
        self.wait(hold)

    def level(self, pin: int) -> bool:
        return bool(self.factory.pin(pin).state)


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Bench]]:
    on_time(monkeypatch, Clock())
    made: list[Bench] = []

    class TimedBench(Bench):
        def __init__(self, drops: int = 0, pin_class: type[MockPin] = MockPin) -> None:
            super().__init__(drops, pin_class)
            on_time(monkeypatch, self.clock)
            made.append(self)

    yield TimedBench
    for bench in made:
        bench.board.close()


def test_each_button_is_its_key_and_says_when_it_was_pressed(timed: type[Bench]) -> None:
    bench = timed()
    began = bench.clock.ms
    for name in BUTTONS:
        bench.press(name)
    assert bench.keys == [Key[name] for name in BUTTONS]
    assert [press.device_ms for press in bench.presses] == [press.at - began for press in bench.presses]
    assert [press.at - began for press in bench.presses] == [122 * number for number in range(len(BUTTONS))]


@pytest.mark.parametrize("drops", [0, 2, 3, 5])
def test_a_contact_that_bounces_is_one_press_also_where_the_kernel_drops_edges(
    timed: type[Bench], drops: int
) -> None:
    bench = timed(drops)
    for number in range(250):
        bench.press("FOLD", SPARKS[: 2 * (number % 3)])
        bench.press("D1", SPARKS[: 2 * (number % 2)])
    assert bench.keys == [Key.FOLD, Key.D1] * 250


def test_the_lamp_says_that_a_press_is_recorded(timed: type[Bench]) -> None:
    bench = timed()
    bench.board.recorded()
    bench.wait(LOOK_MS)
    assert (bench.level(22), bench.level(23)) == (False, True), "green"
    bench.wait(RECORDED_MS)
    assert not bench.level(23)


def test_the_table_lights_lamps_and_sounds_the_buzzer(timed: type[Bench]) -> None:
    bench = timed()
    bench.board.lamp(11, (0, 160, 80), False)
    bench.board.sound(30, 30, 2)
    heard = []
    for _ in range(15):
        bench.wait(LOOK_MS)
        heard.append(bench.level(18))
    assert heard == [True, True, False, False, False, True, True, True, *[False] * 7]
    assert (bench.level(21), bench.level(7)) == (False, True)
    lamp = bench.factory.pin(7)
    bench.board.close()
    assert lamp.function == "input", "nothing drives the pin any more"


def test_a_button_that_something_lies_on_is_named(timed: type[Bench]) -> None:
    bench = timed()
    touch(bench.factory, "FOLD", [True])
    bench.wait(HELD_MS + 3 * LOOK_MS)
    assert (
        bench.board.words
        == "11 buttons at the header; FOLD: a key is held down: look whether something lies on it"
    )
    touch(bench.factory, "FOLD", [False])
    bench.wait(3 * LOOK_MS)
    assert (bench.board.words, bench.keys) == ("11 buttons at the header", [Key.FOLD])


def test_a_button_that_is_down_when_the_process_starts_is_no_press(timed: type[Bench]) -> None:
    bench = timed(pin_class=HeldPin)
    bench.wait(100)
    assert bench.keys == []
    touch(bench.factory, "FOLD", [False])
    bench.wait(100)
    bench.press("FOLD")
    assert bench.keys == [Key.FOLD]


def test_lamps_blink_and_colours_become_those_that_are_there() -> None:
    panel = Panel(wiring.read(OPTIONS))
    panel.lamp(0, (255, 140, 0), blinking=True)
    panel.lamp(4, (0, 160, 80), blinking=False)
    panel.lamp(9, (255, 255, 255), blinking=False)  # seat 9 has no lamp
    on = {22: True, 23: True, 24: False, 21: True, 7: False, 18: False}
    assert panel.levels(0) == on
    assert panel.levels(BLINK_MS) == {**on, 22: False, 23: False}
    panel.recorded(BLINK_MS)
    assert panel.levels(BLINK_MS) == {**on, 22: False}
    one = Panel(wiring.read({**OPTIONS, "lamp": [22]}))
    one.lamp(0, (255, 0, 0), blinking=False)
    assert one.levels(0)[22]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"buttons": {}}, r"gpio: no buttons"),
        ({"buttons": {"CALL": 5}}, r"gpio: there is no key 'CALL'; docs/wire\.md lists them"),
        ({"buttons": {"FOLD": 28}}, r"gpio: FOLD: the header has no GPIO28; write 2 to 27"),
        ({"buttons": {"FOLD": 1}}, r"gpio: FOLD: GPIO1 is for the memory chip of an add-on board"),
        ({"buzzer": 5}, r"gpio: GPIO5 is used twice, for FOLD and for buzzer; move one"),
        ({"seat_lamps": {"12": 8}}, r"gpio: seat_lamps: '12' is no seat; write 1 to 11"),
        ({"lamp": [22, 23]}, r"gpio: lamp has 2 pins; name one, or three"),
        ({"settle_ms": 0}, r"gpio: settle_ms 0; write 1 to 50"),
    ],
)
def test_what_cannot_be_wired_is_said(changed: dict[str, object], says: str) -> None:
    with pytest.raises(DriverError, match=says):
        wiring.read({**OPTIONS, **changed})


def test_a_pin_that_something_else_uses_is_named_with_what_is_wired_to_it(timed: type[Bench]) -> None:
    bench = timed()
    second = Board(wiring.read(OPTIONS), bench.clock)
    with pytest.raises(HeaderError, match=r"GPIO5 \(FOLD\) cannot be used: .*in use"):
        second.open(bench.factory)
    bench.press("FOLD")
    assert bench.keys == [Key.FOLD], "the first goes on"
