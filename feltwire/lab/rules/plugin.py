"""A pytest plugin for `feltwire rules`: says which tests cite which rules.

Loaded by `-p feltwire.lab.rules.plugin`; `FELTWIRE_RULES_FILE` names the file to write the citations to.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

FILE = "FELTWIRE_RULES_FILE"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): shows these rules of the catalogue")
    config.addinivalue_line("markers", "function_only(reason): of rules that no process reaches")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Write `{"test": …, "rules": […], "function_only": reason}` for every test that cites rules, a line each; the
    reason is empty for a test that passes a process's door."""
    target = os.environ.get(FILE)
    if not target:
        return
    lines = []
    for item in items:
        rules = sorted({rule for mark in item.iter_markers("rule") for rule in mark.args})
        if rules:
            only = item.get_closest_marker("function_only")
            reason = str(only.args[0]) if only is not None else ""
            lines.append(json.dumps({"test": item.nodeid, "rules": rules, "function_only": reason}))
    Path(target).write_text("\n".join([*lines, ""]), "utf-8")
