"""Plays a scenario: each step goes to the real node; each `expect` is compared with the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from feltwire.lab.scenario.devices import at_table, in_words
from feltwire.lab.scenario.expect import Mismatch, expect_chips, no_hidden_card, says_what_is_next
from feltwire.lab.scenario.file import Scenario, ScenarioLine
from feltwire.lab.scenario.steps import TableSteps
from table_core.messages import (
    AnyEvent,
)


class StepDone(Struct, frozen=True):
    """One step as it went: the events that came of it, and what was wrong (empty when nothing was)."""

    file: str
    line: int
    rulebook: str
    step: str
    events: tuple[AnyEvent, ...]
    wrong: str = ""
    devices: str = ""


def play(scenario: Scenario, rulebook: str) -> Iterator[StepDone]:
    """Play every step under one rulebook with the scenario's own devices; it ends with the first that does not
    hold.

    Raise `ScenarioError` for a step that cannot be understood.
    """
    scenario = at_table(scenario, scenario.devices)
    room = _Room(scenario, rulebook)
    for line in scenario.lines:
        room.check(line)
    for at, line in enumerate(scenario.lines):
        wrong = ""
        try:
            events = room.step(line, scenario.lines[at + 1 :])
        except Mismatch as mismatch:
            wrong, events = str(mismatch), room.events(line)
        yield StepDone(scenario.path, line.no, rulebook, line.text, events, wrong, in_words(scenario.devices))
        if wrong:
            return


def failure(scenario: Scenario, rulebook: str) -> str:
    """What did not hold, as `file:line: …`; empty when everything did."""
    done = [step for step in play(scenario, rulebook) if step.wrong]
    if not done:
        return ""
    step = done[0]
    return f"{step.file}:{step.line}: [{step.rulebook}, {step.devices}] {step.step}\n    {step.wrong}"


class _Room:
    """The tables of a scenario, in one time."""

    def __init__(self, scenario: Scenario, rulebook: str) -> None:
        self._tables = {one.no: TableSteps(one, rulebook) for one in (scenario, *scenario.others)}

    def check(self, line: ScenarioLine) -> None:
        """As `TableSteps.check`, at each table of the step."""
        for steps in self._of(line):
            steps.check(line)

    def step(self, line: ScenarioLine, later: Sequence[ScenarioLine]) -> tuple[AnyEvent, ...]:
        """The events of the step. Raise `Mismatch` where what follows does not hold, or a refusal in it is not
        expected by the lines `later`."""
        self._in_one_time()
        if line.verb == "expect" and line.words[:1] == ("chips",) and not line.table:
            expect_chips([steps.played for steps in self._tables.values()], line.words[1:])
            return ()
        for steps in self._of(line):
            steps.step(line)
            no_hidden_card(steps.played)
            says_what_is_next(steps.played)
            if line.verb != "expect":
                steps.no_other_refusal(later)
        return self.events(line)

    def events(self, line: ScenarioLine) -> tuple[AnyEvent, ...]:
        """What came of the step so far."""
        return () if line.verb == "expect" else tuple([e for steps in self._of(line) for e in steps.played.events])

    def _of(self, line: ScenarioLine) -> list[TableSteps]:
        everywhere = not line.table or line.verb == "wait"  # time passes at every table
        return list(self._tables.values()) if everywhere else [self._tables[line.table]]

    def _in_one_time(self) -> None:
        now = max(steps.table.now for steps in self._tables.values())
        for steps in self._tables.values():
            steps.table.wait(now - steps.table.now)


def jsonable(step: StepDone) -> bytes:
    """One line of `--json`."""
    return msgspec.json.encode(step)
