"""What was counted and measured, as facts: the colour, and what to do wherever it is not green."""

from __future__ import annotations

import pytest

from table_core.messages import (
    ClockSetting,
    DeviceFault,
    DeviceReadings,
    HealthColour,
    HealthFact,
    MachineReadings,
    TableHealth,
)
from table_core.projections.health import facts_of, of_device, of_machine

GREEN, YELLOW, RED = HealthColour
SHOE = DeviceReadings("shoe", 900, 200, 0, 0, 0, passages=200, unread=0, bounces=2, supply_mv=5_020)
PI = MachineReadings(48, 0, 20_000, clock=ClockSetting.SYNCHRONISED, clock_chip=True, chip_off_s=1)


def only(facts: object, what: str) -> HealthFact:
    (found,) = [fact for fact in facts if fact.what == what]  # type: ignore[attr-defined]
    assert isinstance(found, HealthFact)
    return found


def test_what_is_well_is_green_and_asks_nothing_of_anybody() -> None:
    facts = [*facts_of(TableHealth(1, PI, (SHOE,)))]
    assert {fact.colour for fact in facts} == {GREEN}
    assert not any(fact.do or fact.at_the_table for fact in facts)
    assert {fact.what for fact in facts} == {
        *("contact", "supply", "reads", "resent", "damaged", "bounces"),
        *("temperature", "speed", "disk", "clock", "clock chip"),
    }


@pytest.mark.parametrize(
    ("given", "what", "colour"),
    [
        ({"unread": 2}, "reads", GREEN),  # two of two hundred say nothing
        ({"unread": 5}, "reads", YELLOW),
        ({"unread": 20}, "reads", RED),
        ({"passages": 4, "unread": 2}, "reads", GREEN),  # few of few say nothing
        ({"resent": 12}, "resent", YELLOW),
        ({"resent": 90}, "resent", RED),
        ({"damaged": 9}, "damaged", YELLOW),
        ({"damaged": 60}, "damaged", RED),
        ({"bounces": 150}, "bounces", YELLOW),
        ({"bounces": 450}, "bounces", RED),
        ({"lost": 1}, "lost", YELLOW),
        ({"heard_ms_ago": 6_000}, "contact", YELLOW),
        ({"heard_ms_ago": 61_000}, "contact", RED),
        ({"faults": (DeviceFault.LOW_SUPPLY,)}, "low_supply", RED),
        ({"faults": (DeviceFault.KEY_HELD,)}, "key_held", YELLOW),
    ],
)
def test_a_devices_trouble_has_a_colour_and_what_to_do(
    given: dict[str, object], what: str, colour: HealthColour
) -> None:
    plain = {name: getattr(SHOE, name) for name in SHOE.__struct_fields__}
    fact = only(of_device(DeviceReadings(**plain | given)), what)
    assert fact.colour is colour
    assert bool(fact.do) is (colour is not GREEN)


@pytest.mark.parametrize(
    ("machine", "what", "colour", "words"),
    [
        (MachineReadings(celsius=75), "temperature", YELLOW, "75 degrees"),
        (MachineReadings(celsius=83), "temperature", RED, "83 degrees"),
        (MachineReadings(throttled=0x50005), "supply", RED, "too low"),
        (MachineReadings(throttled=0x10000), "supply", YELLOW, "has been too low"),
        (MachineReadings(throttled=0x4), "speed", YELLOW, "slower"),
        (MachineReadings(throttled=0x80000), "speed", YELLOW, "has run slower"),
        (MachineReadings(disk_free_mb=700), "disk", YELLOW, "700 MB"),
        (MachineReadings(disk_free_mb=40), "disk", RED, "40 MB"),
        (MachineReadings(disk_free_mb=20_000, disk_read_only=True), "disk", RED, "only be read"),
        (MachineReadings(clock=ClockSetting.UNSET), "clock", RED, "not set"),
        (MachineReadings(clock_chip=False), "clock chip", YELLOW, "no clock chip"),
        (MachineReadings(clock_chip=True, chip_off_s=-7_300), "clock chip", YELLOW, "2 hours off"),
    ],
)
def test_a_machines_trouble_has_a_colour_and_what_to_do(
    machine: MachineReadings, what: str, colour: HealthColour, words: str
) -> None:
    fact = only(of_machine(machine), what)
    assert (fact.colour, words in fact.words) == (colour, True), fact.words
    assert fact.do


def test_a_device_that_never_answered_is_not_taken_for_one_that_counts_nothing() -> None:
    assert [fact.colour for fact in of_device(DeviceReadings("shoe"))] == [RED]
    assert [*of_device(DeviceReadings("shoe", reports=12))] == []  # a reader that types


def test_each_fault_that_a_device_finds_has_a_colour_and_what_to_do() -> None:
    facts = [*of_device(DeviceReadings("shoe", reports=0, faults=tuple(DeviceFault)))]
    assert [fact.what for fact in facts] == [*DeviceFault]
    assert all(fact.do and fact.colour is not GREEN for fact in facts)
