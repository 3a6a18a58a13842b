"""Tests of pages, commands and stations, run by pytest in this process, which may be altered: the proof forks one
for each alteration.
"""

from __future__ import annotations

import io
import os
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from feltwire.lab.rules.tests import PLUGINS, ROOT

if TYPE_CHECKING:
    import pytest

_RAN = (0, 1)  # pytest's codes: all passed, some failed
_PROGRAM = ("table_core", "feltwire", "firmware_bridge", "vision", "display")
# The alarm of the proof is the time limit; pytest-timeout would take its signal.
_OPTIONS = ("-q", "--timeout=0", *(part for plugin in PLUGINS for part in ("-p", plugin)))


class PytestTest(Struct, frozen=True):
    """A test function by pytest's id, with all its parameters."""

    id: str
    root: Path = ROOT

    def failure(self) -> str:
        """What does not hold; empty when everything does. Raise `RuntimeError` where the program breaks with an
        exception, or the test does not run. Leaves modules and the working directory behind."""
        import pytest  # not there where only the demo is installed

        os.chdir(self.root)
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        heard = _Heard(self.root)
        with redirect_stdout(io.StringIO()) as said, redirect_stderr(said):
            code = pytest.main([*_OPTIONS, self.id], plugins=[heard])
        if heard.wrong:
            return heard.wrong
        if heard.broken or code not in _RAN:
            raise RuntimeError(heard.broken or f"pytest ends with {code}: {said.getvalue()[-200:].strip()}")
        return ""


class _Heard:
    """A plugin: what the tests said first, `wrong` by themselves, `broken` in the program or before they ran."""

    def __init__(self, root: Path) -> None:
        self.wrong = self.broken = ""
        self._tests = root / "tests"

    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is None:
            return
        error = call.excinfo.value
        said = f"{type(error).__name__}: {str(error).strip()[:200]}"
        if _found_by_the_test(error, self._tests):
            self.wrong = self.wrong or said
        else:
            self.broken = self.broken or said


def _found_by_the_test(error: BaseException, tests: Path) -> bool:
    """The test or what it asserts with raised it, not the program that it runs."""
    import pytest

    if isinstance(error, pytest.skip.Exception):
        return False
    raised = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
    if raised.is_relative_to(tests):
        return True
    in_program = any(raised.is_relative_to(ROOT / part) for part in _PROGRAM)
    return not in_program and isinstance(error, (AssertionError, pytest.fail.Exception))
