"""The Pi's own pins, driven through gpiozero's mock factory."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.gpio import FloorButton, GpioError, SeatLamps
from table_core.messages import Seat

PATIENCE = 240.0


class Clock:
    """A clock that stands until it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def pins() -> Iterator[Any]:
    factory = MockFactory()
    yield factory
    factory.close()


def test_a_bouncing_button_calls_the_floor_once_a_press(pins: Any) -> None:
    clock, pressed = Clock(), queue.SimpleQueue[int]()
    with FloorButton(17, on_press=pressed.put, clock=clock, pin_factory=pins):
        for start in (1000, 2000):
            clock.now = start
            for _ in range(20):  # closing, it chatters
                pins.pin(17).drive_low()
                pins.pin(17).drive_high()
            pins.pin(17).drive_low()
            clock.now = start + 5
            assert pressed.get(timeout=PATIENCE) == start
            clock.now = start + 500
            for _ in range(20):  # and opening too
                pins.pin(17).drive_high()
                pins.pin(17).drive_low()
            pins.pin(17).drive_high()
    assert pressed.empty()


def test_a_spark_calls_nobody(pins: Any) -> None:
    clock, pressed = Clock(), queue.SimpleQueue[int]()
    with FloorButton(17, on_press=pressed.put, clock=clock, pin_factory=pins):
        pins.pin(17).drive_low()
        clock.now += 4
        pins.pin(17).drive_high()
        clock.now += 100
        pins.pin(17).drive_low()
        clock.now += 5
        assert pressed.get(timeout=PATIENCE) == 1104
    assert pressed.empty()


def test_the_lamp_of_the_seat_to_act_burns_alone(pins: Any) -> None:
    with SeatLamps({Seat(1): 5, Seat(2): 6, Seat(3): 13}, pin_factory=pins) as lamps:
        lamps.only(Seat(2))
        assert (lamps.lit, repr(lamps)) == ((2,), "SeatLamps(1 2* 3)")
        lamps.only(Seat(3))
        assert [pins.pin(number).state for number in (5, 6, 13)] == [0, 0, 1]
        lamps.light(Seat(1))
        lamps.out(Seat(3))
        assert lamps.lit == (1,)
        lamps.only()
        assert lamps.lit == ()


def test_a_pin_in_use_is_named(pins: Any) -> None:
    with (
        SeatLamps({Seat(1): 5}, pin_factory=pins),
        pytest.raises(GpioError, match=r"pin 5: .*; choose another pin"),
    ):
        SeatLamps({Seat(2): 6, Seat(1): 5}, pin_factory=pins)
    SeatLamps({Seat(2): 6}, pin_factory=pins).close()  # the refused set let go of its pins
