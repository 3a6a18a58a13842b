"""Each command of the hand engine has a caller in what a venue runs."""

import ast
from pathlib import Path
from typing import get_args

import table_core
from table_core.messages import AnyHandCommand

CORE = Path(table_core.__file__).parent


def made_in(folder: Path) -> set[str]:
    """Names that the modules of a folder call."""
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.rglob("*.py")]
    calls = [node.func for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {function.id for function in calls if isinstance(function, ast.Name)}


def test_each_command_is_made_by_the_tracker_or_by_a_ruling() -> None:
    made = made_in(CORE / "tracker") | made_in(CORE / "rulings")
    assert [kind.__name__ for kind in get_args(AnyHandCommand) if kind.__name__ not in made] == []
