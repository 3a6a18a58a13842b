"""`docs/threats.md` names tests and files that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "threats.md").read_text("utf-8")
FILES = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}


def test_each_test_that_is_named_exists() -> None:
    named = re.findall(r"`(test_\w+)::(\w+)`", TEXT)
    assert len(named) > 50
    missing = [f"{file}::{test}" for file, test in named if f"def {test}(" not in source(file)]
    assert not missing


def test_each_file_that_is_named_exists() -> None:
    named = re.findall(r"`((?:table_core|firmware_bridge|vision|display|feltwire|tests)/[\w/.-]+)", TEXT)
    named += [f"docs/{link.partition('#')[0]}" for link in re.findall(r"\]\(([^)]+)\)", TEXT)]
    assert len(named) > 20
    assert not [name for name in named if not (ROOT / name).is_file()]


def source(file: str) -> str:
    return FILES[file].read_text("utf-8") if file in FILES else ""
