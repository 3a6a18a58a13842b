"""Sections of a document that a command writes: everything between `<!-- NAME -->` and `<!-- end -->`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path


def with_section(text: str, name: str, content: str) -> str:
    """`text` with the section's content replaced. Raise `ValueError` where it has no such section."""
    pattern = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.S)
    if pattern.search(text) is None:
        raise ValueError(f"no section <!-- {name} --> … <!-- end -->")
    return pattern.sub(lambda found: found[1] + content + found[2], text, count=1)


def write_section(path: Path, name: str, content: str) -> None:
    path.write_text(with_section(path.read_text("utf-8"), name, content), "utf-8")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """A Markdown table; `right`: the columns that are set to the right."""
    aligned = set(right)
    lines = [head, ["--:" if at in aligned else "---" for at in range(len(head))], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
