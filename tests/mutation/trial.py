"""One trial: the tests of the hand engine in a forked process that imports a mutant in place of one module."""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.util
import os
import resource
import sys
from collections.abc import Sequence
from enum import StrEnum
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import hypothesis
import pytest

# Imported once, before any fork; none of them imports the package under test.
_PRELOADED = ("numpy", "phevaluator", "table_core.messages", "table_core.ranking", "table_core.rulebook")
_MEMORY = 4 << 30  # bytes of address space: a mutant that builds a list for ever fails early
_KILLED, _SURVIVED = 10, 0
_PLUGINS = ("no:cacheprovider", "pytest_timeout", "_hypothesis_pytestplugin")
_PYTEST = ("-x", "-q", "--assert=plain", "--tb=no", *(part for plugin in _PLUGINS for part in ("-p", plugin)))


class Outcome(StrEnum):
    KILLED = "killed"  # a test failed
    RAN_ON = "ran on"  # killed as well: the tests did not come to an end within their time
    SURVIVED = "survived"


def preload(package: str) -> None:
    """Import what every trial needs. Raise `RuntimeError` when that brought the package under test along."""
    for name in _PRELOADED:
        importlib.import_module(name)
    if any(name.startswith(f"{package}.") for name in sys.modules):
        raise RuntimeError(f"{package} is imported already: a trial could not replace its modules")


def attempt(module: str, code: str | None, tests: Sequence[str], examples: int, seconds: int) -> Outcome:
    """Run `tests` with `code` in place of `module` (None: as it is); `seconds` of processor time at most."""
    child = os.fork()
    if child == 0:
        # Whatever happens, the child must not return into the caller's loop.
        try:
            os._exit(_in_child(module, code, tests, examples, seconds))
        finally:
            os._exit(_KILLED)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return Outcome.RAN_ON
    return Outcome.SURVIVED if os.WEXITSTATUS(status) == _SURVIVED else Outcome.KILLED


def _in_child(module: str, code: str | None, tests: Sequence[str], examples: int, seconds: int) -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    # No database: what fails for a mutant must not come back in real runs. Without shrinking, failing is fast.
    hypothesis.settings.register_profile(
        "mutation",
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutation")
    if code is not None:
        sys.meta_path.insert(0, _Mutated(module, code))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    arguments = [*_PYTEST, *tests]
    with (
        open(os.devnull, "w") as nothing,
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
    ):
        return _SURVIVED if pytest.main(arguments) == pytest.ExitCode.OK else _KILLED


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, whose code is given; every other one is found as always."""

    def __init__(self, module: str, code: str) -> None:
        self._module = module
        self._code = code

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return importlib.util.spec_from_loader(name, self) if name == self._module else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._code, f"<mutant of {self._module}>", "exec"), module.__dict__)


def module_of(path: str) -> str:
    """`table_core/hand/pots.py` -> `table_core.hand.pots`."""
    return ".".join(Path(path).with_suffix("").parts)
