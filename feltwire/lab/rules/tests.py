"""Which tests cite which rules: scenarios and stories of a night in their headers, others by
`@pytest.mark.rule("wfp.nolimit.4", …)`.

Of the others pytest itself is asked, in a process of its own, so that marks on classes, modules and single
parameters count.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from feltwire.errors import UsageError
from feltwire.lab.night import play as night
from feltwire.lab.night.story import Story, read_story
from feltwire.lab.scenario import play as table
from feltwire.lab.scenario.file import Scenario, read_scenario
from feltwire.private_files import python

ROOT = Path(__file__).resolve().parents[3]
_RULE_NAMED = re.compile(r"""["'](?:[\w.]+ )*(?:tda|ccp|cpp|wfp|home|rpl)\.\w""")
_SCENARIOS, _NIGHTS = "tests/scenarios", "tests/nights"
_NO_PROCESS = "tests/table_core/"  # whose tests call the hand engine or a function
_NOTHING_COLLECTED = 5
_TOOLS = ("pytest", "pytest_timeout", "hypothesis")
# Only the plugins that such tests need: a start costs a third of what it does with all there are.
PLUGINS = ("no:cacheprovider", "pytest_timeout", "_hypothesis_pytestplugin", "feltwire.lab.rules.plugin")
_PYTEST = python("pytest", "-q", *(part for plugin in PLUGINS for part in ("-p", plugin)))


def tools_are_missing() -> str:
    """What must be installed before tests can be asked, in words; `""` when all of it is there.

    `make demo` installs none of it, and rules can be read without.
    """
    missing = [name for name in _TOOLS if find_spec(name) is None]
    return f"{', '.join(missing)} not installed here; `make check` installs what the tests need" if missing else ""


class Citation(Struct, frozen=True):
    """A test by pytest's id. `function_only`: why what it shows is a function that no process calls. `at_door`: it
    passes the door of a process."""

    test: str
    function_only: str = ""
    at_door: bool = False


class ScenarioTest(Struct, frozen=True):
    """A scenario under one book: devices and touches in, ledger and screen out."""

    id: str
    scenario: Scenario
    rulebook: str

    def failure(self) -> str:
        """What does not hold; empty when everything does."""
        return table.failure(self.scenario, self.rulebook)


class NightTest(Struct, frozen=True):
    """A story of a night: presses and tables' events in, what the station shows out."""

    id: str
    story: Story

    def failure(self) -> str:
        """What does not hold; empty when everything does. It is read again: its levels may be the book's."""
        return night.failure(read_story(self.story.path))


DoorTest = ScenarioTest | NightTest


def door_tests(root: Path = ROOT) -> dict[str, list[DoorTest]]:
    """Rule id -> the scenarios and stories that cite it. Raise `UsageError` for one that cannot be read."""
    found: dict[str, list[DoorTest]] = {}
    for path in sorted((root / _SCENARIOS).rglob("*.txt")):
        scenario = read_scenario(path)
        for book in scenario.rulebooks:
            test = ScenarioTest(f"{path.relative_to(root)}::{book}", scenario, book)
            for rule in scenario.rules_of(book):
                found.setdefault(rule, []).append(test)
    for path in sorted((root / _NIGHTS).rglob("*.txt")):
        story = read_story(path)
        for rule in story.rules:
            found.setdefault(rule, []).append(NightTest(str(path.relative_to(root)), story))
    return found


def citing_tests(root: Path = ROOT) -> dict[str, list[Citation]]:
    """Rule id -> the tests that cite it. Empty where the program was installed without its tests.

    Raise `UsageError` when the tests cannot be collected.
    """
    missing = tools_are_missing()
    if missing:
        raise UsageError(f"the tests cannot be collected: {missing}")
    at_door = {
        rule: [Citation(test.id, at_door=True) for test in tests] for rule, tests in door_tests(root).items()
    }
    files = sorted(str(path.relative_to(root)) for path in (root / "tests").rglob("test_*.py") if _cites(path))
    if not files:
        return at_door
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "citations"
        result = run_pytest(["--collect-only", *files], root, FELTWIRE_RULES_FILE=str(target))
        if result.returncode not in (0, _NOTHING_COLLECTED) or not target.exists():
            last = (result.stdout.strip() or result.stderr.strip()).splitlines()[-1:]
            raise UsageError(f"the tests cannot be collected: {''.join(last)}; run `pytest --collect-only tests`")
        return _by_rule(target.read_text("utf-8").splitlines(), at_door)


def run_pytest(
    arguments: Sequence[str], root: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """pytest in a process of its own, with `feltwire.lab.rules.plugin`; `environment` is added to ours."""
    return subprocess.run(
        [*_PYTEST, *arguments],
        cwd=root,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _cites(path: Path) -> bool:
    """Whether a file may cite rules: it names one in a string. Only such files are worth collecting."""
    return _RULE_NAMED.search(path.read_text("utf-8")) is not None


def _by_rule(lines: Sequence[str], tests: dict[str, list[Citation]]) -> dict[str, list[Citation]]:
    for line in lines:
        found = json.loads(line)
        test, only = found["test"], found["function_only"]
        at_door = not only and not test.startswith(_NO_PROCESS)
        for rule in found["rules"]:
            tests.setdefault(rule, []).append(Citation(test, only, at_door))
    return tests
