"""Every scenario file is a test, once for each rulebook that it names; its rules are those of its header.

Under one of them, drawn by the file's name, it is played with every set of devices; under the others with its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from feltwire.lab.scenario.devices import variants
from feltwire.lab.scenario.file import Scenario, read_scenario
from feltwire.lab.scenario.play import failure


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.File | None:
    if file_path.suffix != ".txt":
        return None
    file: pytest.File = ScenarioFile.from_parent(parent, path=file_path)
    return file


class ScenarioFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        scenario = read_scenario(self.path)
        for rulebook in scenario.rulebooks:
            item = ScenarioItem.from_parent(self, name=rulebook, scenario=scenario, rulebook=rulebook)
            item.add_marker(pytest.mark.rule(*scenario.rules_of(rulebook)))
            yield item


class ScenarioItem(pytest.Item):
    def __init__(self, *, scenario: Scenario, rulebook: str, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._scenario = scenario
        self._rulebook = rulebook

    def runtest(self) -> None:
        books = self._scenario.rulebooks
        drawn = books[crc32(self.path.name.encode()) % len(books)]
        for variant in variants(self._scenario) if self._rulebook == drawn else (self._scenario,):
            wrong = failure(variant, self._rulebook)
            if wrong:
                pytest.fail(wrong, pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self._scenario.title} [{self._rulebook}]"
