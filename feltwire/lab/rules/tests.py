"""Which tests show which rules: those marked `@pytest.mark.rule("wfp.nolimit.4", …)`, and scenarios.

pytest itself is asked, in a process of its own, so that marks on classes, modules and single parameters count.
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
from feltwire.private_files import python

ROOT = Path(__file__).resolve().parents[3]
_RULE_NAMED = re.compile(r"""["'](?:[\w.]+ )*(?:tda|ccp|cpp|wfp|home|rpl)\.\w""")
_NOTHING_COLLECTED = 5
_TOOLS = ("pytest", "pytest_timeout", "hypothesis")
# Only the plugins that such tests need: a start costs a third of what it does with all there are.
_PLUGINS = ("no:cacheprovider", "pytest_timeout", "_hypothesis_pytestplugin", "feltwire.lab.rules.plugin")
_PYTEST = python("pytest", "-q", *(part for plugin in _PLUGINS for part in ("-p", plugin)))


def tools_are_missing() -> str:
    """What must be installed before tests can be asked, in words; `""` when all of it is there.

    `make demo` installs none of it, and rules can be read without.
    """
    missing = [name for name in _TOOLS if find_spec(name) is None]
    return f"{', '.join(missing)} not installed here; `make check` installs what the tests need" if missing else ""


class Citation(Struct, frozen=True):
    """A test by pytest's id. `function_only`: why what it shows is a function that no process calls; `""` for a
    test that passes a process's door."""

    test: str
    function_only: str = ""


def citing_tests(root: Path = ROOT) -> dict[str, list[Citation]]:
    """Rule id -> the tests that cite it. Empty where the program was installed without its tests.

    Raise `UsageError` when the tests cannot be collected.
    """
    missing = tools_are_missing()
    if missing:
        raise UsageError(f"the tests cannot be collected: {missing}")
    folder = root / "tests"
    tests = [path for path in folder.rglob("test_*.py") if _cites(path)]
    files = sorted(str(path.relative_to(root)) for path in [*tests, *(folder / "scenarios").rglob("*.txt")])
    if not files:
        return {}
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "citations"
        result = run_pytest(["--collect-only", *files], root, FELTWIRE_RULES_FILE=str(target))
        if result.returncode not in (0, _NOTHING_COLLECTED) or not target.exists():
            last = (result.stdout.strip() or result.stderr.strip()).splitlines()[-1:]
            raise UsageError(f"the tests cannot be collected: {''.join(last)}; run `pytest --collect-only tests`")
        return _by_rule(target.read_text("utf-8").splitlines())


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


def _by_rule(lines: Sequence[str]) -> dict[str, list[Citation]]:
    tests: dict[str, list[Citation]] = {}
    for line in lines:
        found = json.loads(line)
        for rule in found["rules"]:
            tests.setdefault(rule, []).append(Citation(found["test"], found["function_only"]))
    return tests
