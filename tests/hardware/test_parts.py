"""The bill of materials: its sums, its targets, and that one can build what is drawn from it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from hardware.drawings import parts, wiring
from hardware.drawings.parts import DOCUMENT, Kit, materials

DATA = materials()


def test_the_documents_tables_are_those_of_the_data() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert parts.document(text, DATA) == text, "python -m hardware.drawings parts"
    assert f"<!-- targets -->\n{parts.targets(DATA)}<!-- end -->" in parts.GUIDE.read_text("utf-8")


def test_a_sum_is_that_of_its_lines() -> None:
    text = DOCUMENT.read_text("utf-8")
    for section in re.findall(r"<!-- kit [\w-]+ -->\n(.*?)<!-- end -->", text, re.S):
        costs = [float(line.split("|")[-2].strip(" *")) for line in section.splitlines()[2:]]
        assert sum(costs[:-1]) == pytest.approx(costs[-1])


@pytest.mark.parametrize("table", DATA.table, ids=lambda table: table.name)
def test_a_table_costs_no_more_than_its_target(table: parts.Table) -> None:
    assert DATA.price_of_table(table) <= table.target


def test_targets_are_stated_with_and_without_camera_and_shoe() -> None:
    of = {frozenset(table.kits) - {"computer", "keypad"} for table in DATA.table if "keypad" in table.kits}
    assert of >= {frozenset(), frozenset({"shoe"}), frozenset({"camera"}), frozenset({"shoe", "camera"})}


def test_every_part_is_used_and_every_used_part_is_there() -> None:
    used = {part for kit in DATA.kit for part in kit.parts}
    assert used | {"clock-module"} == {part.id for part in DATA.part}, "the clock module is for a Pi 4"
    assert {kit for table in DATA.table for kit in table.kits} <= {kit.id for kit in DATA.kit}


def test_clock_chip_and_disk_are_in_every_table() -> None:
    assert all("computer" in table.kits for table in DATA.table)
    assert DATA.needed("computer")["clock"] == DATA.needed("computer")["ssd"] == 1


# What a connector of the wiring text is bought as: words in its type -> the part.
BOUGHT = {
    "Pico": "pico",
    "line cable": "line-cable",
    "1N5817": "schottky",
    "µF": "electrolytic",
    "nF": "ceramic",
    "memory": "fram",
    "74AHCT125": "level-shifter",
    "Ω": "resistor",
    "PS1240P02BT": "buzzer",
    "reader": "reader",
    "light barrier": "barrier",
    "reflex sensor": "reflex",
    "microswitch": "microswitch",
    "push button": "button",
    "LED of seat": "led",
    "common cathode": "rgb-led",
    "sounder": "sounder",
}


@pytest.mark.parametrize("device", ["keypad", "shoe", "header"])
def test_a_kit_has_every_part_that_is_wired(device: str) -> None:
    kit: Kit = next(kit for kit in DATA.kit if kit.id == device)
    wired = Counter(
        part for says in wiring.types(device).values() for words, part in BOUGHT.items() if words in says
    )
    assert wired == {part: count for part, count in kit.parts.items() if part in BOUGHT.values()}
