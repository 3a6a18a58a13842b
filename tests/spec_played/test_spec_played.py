"""A share of the second specification at a table, and what the specification itself may rest on."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import tests.spec
from table_core.catalogue import find_rule
from tests.spec.cells import cells
from tests.spec_played.__main__ import Report, not_disputed, share

SHARE = 131  # every so many of all cells; five sets of devices follow each other, so it is no multiple of five


def test_the_specification_knows_nothing_of_the_program() -> None:
    """It may use the standard library, itself, and the names of cards."""
    for path in Path(tests.spec.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                own = name.startswith("tests.spec.") or name in ("tests.spec", "table_core.cards")
                assert own or name.partition(".")[0] in sys.stdlib_module_names, f"{path}: {name}"


def test_every_rule_that_it_cites_is_in_the_catalogue() -> None:
    cited = {rule for cell in cells() for rule in cell.rules}
    assert [rule for rule in sorted(cited) if find_rule(rule) is None] == []


@pytest.mark.slow("a hundred cells, each ruling of each taken and its keys tried")
@pytest.mark.parametrize("pairs", [False, True])
def test_a_share_of_it_differs_from_a_table_only_where_that_is_disputed(pairs: bool) -> None:
    report = Report()
    for number, cell in share(SHARE, 7, pairs=pairs):
        report.play(number, cell)
    assert sum(report.same.values()) > sum(report.differ.values())
    assert not_disputed(report.causes) == []
