"""Whatever a press records about a player is said on the dealer's screen, by seat; a street by its name.

Played with the slips of a dealer: a record that is wrong is at least read there, while one UNDO takes it back.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from feltwire.lab.scenario.devices import at_table, variants
from feltwire.lab.scenario.file import Scenario, read_scenario
from feltwire.lab.scenario.steps import TableSteps
from table_core.messages import Acted, AnyEvent, BoardDealt, Source

SLIPS = Path(__file__).parents[2] / "scenarios" / "slips"
FILES = sorted(SLIPS.rglob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(SLIPS)) for file in FILES])
def test_what_a_press_records_is_said_by_seat(file: Path) -> None:
    scenario = read_scenario(file)
    assert [silent for variant in variants(scenario) for silent in _silent(variant)] == []


def _silent(scenario: Scenario) -> list[str]:
    scenario = at_table(scenario, scenario.devices)
    steps = TableSteps(scenario, scenario.rulebooks[0])
    found = []
    for line in scenario.lines:
        if line.verb == "expect":
            continue
        steps.step(line)
        keys = [word for word in line.words if not word.isdecimal() and word not in ("seat", "blind")]
        if line.verb != "press" or len(keys) > 1:  # of several keys the last one is on the screen
            continue
        view = steps.played.screen()
        said = f"{view.last} {view.question.text if view.question is not None else ''}"
        found += [
            f"{line.text}: {event} is not in {said!r}"
            for event in steps.played.events
            if not _is_said(event, said)
        ]
    return found


def _is_said(event: AnyEvent, said: str) -> bool:
    if isinstance(event, Acted) and event.source is not Source.ENGINE:
        return bool(re.search(rf"\b[Ss]eats? (?:\d+(?:, | and ))*{event.seat}\b", said))
    return not isinstance(event, BoardDealt) or str(event.street) in said.lower()
