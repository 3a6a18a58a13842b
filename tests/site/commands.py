"""The commands that the documents tell a reader to type, in the order of each page.

Every block has a mark. Those of the mark `sh` are commands, one a line; what stands behind ` # ` is a comment.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MARKS = {"sh", "text", "toml", "python", "json", "yaml", "css"}
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """`line` of its first fence, from 1."""

    line: int
    mark: str
    text: str


def pages() -> list[str]:
    """The documents of the site, without decisions: those say what was, not what to type."""
    listed = subprocess.run(
        ("git", "ls-files", "*.md"), cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    found = listed.splitlines() or [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.md")]
    return sorted(name for name in found if not name.startswith(("docs/decisions/", ".", "node_modules")))


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text("utf-8")
    return [Block(text.count("\n", 0, one.start()) + 1, one[2], one[3]) for one in _FENCE.finditer(text)]


def commands(page: str) -> list[str]:
    """
    >>> commands("docs/versions.md")[0]
    'feltwire --version'
    """
    lines = [line.strip() for block in blocks(page) if block.mark == "sh" for line in block.text.splitlines()]
    return [re.sub(r"\s+# .*", "", line) for line in lines if line]


def unmarked(page: str) -> list[str]:
    """Blocks that say not what they are: without a mark, with another one, or indented."""
    text = (ROOT / page).read_text("utf-8")
    wrong = [f"{page}:{block.line}: mark {block.mark!r}" for block in blocks(page) if block.mark not in MARKS]
    outside = _FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)
    if "```" in outside:
        wrong.append(f"{page}: a fence that does not end")
    lines = outside.split("\n")
    for number, (before, line) in enumerate(itertools.pairwise(lines), 2):
        if line.startswith("    ") and line.strip() and not before.strip() and not _in_a_list(lines[: number - 1]):
            wrong.append(f"{page}:{number}: an indented block")
    return wrong


def _in_a_list(lines: list[str]) -> bool:
    """Whether what comes next belongs to an item of a list: the last line that is not indented begins one."""
    last = next((line for line in reversed(lines) if line.strip() and not line.startswith(" ")), "")
    return re.match(r"([-*]|\d+\.) ", last) is not None
