"""`python -m tests.symptoms`: writes what screens and commands say of faults into docs/troubleshooting.md.

A sentence is a text of the code that ends as one and is no docstring; what is filled in there is an ellipsis. So a
search in the documents finds the words that somebody reads on a screen.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs/troubleshooting.md"
BEGIN, END = "<!-- written by python -m tests.symptoms -->\n", "<!-- end -->\n"
# Where it is read -> the modules that say it.
SAID: dict[str, tuple[str, ...]] = {
    "The director's queue and the top of the station's pages": (
        "feltwire/station/queue/of_tables.py",
        "feltwire/station/queue/of_views.py",
        "feltwire/station/queue/trouble.py",
        "feltwire/station/tables/*.py",
        "feltwire/station/processes.py",
        "feltwire/station/alerts.py",
        "feltwire/station/node.py",
        "feltwire/station/backups.py",
        "feltwire/runtime/backup_status.py",
        "feltwire/station/restored.py",
        "feltwire/station/on_disk.py",
        "feltwire/station/phones.py",
        "feltwire/station/programs.py",
        "feltwire/runtime/certificates/expiry.py",
    ),
    "How devices and machines are: the station's page of a table, the dealer screen, doctor": (
        "table_core/projections/health.py",
    ),
    "`feltwire doctor`": ("feltwire/tools/doctor/*.py",),
    "`feltwire home`": ("feltwire/home/*.py", "feltwire/runtime/children.py"),
}
_WORDS = 4  # a text with fewer is a name or a format
_SENTENCE = re.compile(r"[A-Z…].*[.?]$", re.DOTALL)


def sentences(path: Path) -> Iterator[tuple[str, ...]]:
    """The sentences of each function, in the order of the file."""
    tree = ast.parse(path.read_text("utf-8"))
    found: dict[int, list[str]] = {}
    _collect(tree, 0, found)
    for texts in found.values():
        yield tuple(dict.fromkeys(texts))


def _collect(node: ast.AST, function: int, found: dict[int, list[str]]) -> None:
    """`function`: the line of the function around a node; 0 outside of all."""
    if isinstance(node, ast.FunctionDef):
        function = node.lineno
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        if isinstance(child, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id == "HELP" for one in child.targets
        ):
            continue
        if (text := _text(child)) is None:
            _collect(child, function, found)
        elif _SENTENCE.match(text) and len(text.split()) >= _WORDS:
            found.setdefault(function, []).append(text)


def _text(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) or "…" for part in parts)
    return None


def written() -> str:
    """The generated part of the document."""
    lines = []
    for where, patterns in SAID.items():
        rows = [row for pattern in patterns for path in sorted(ROOT.glob(pattern)) for row in sentences(path)]
        lines += [f"\n### {where}\n", *(f"- {_escaped(' '.join(row))}" for row in rows)]
    return "\n".join(lines) + "\n\n"


def _escaped(text: str) -> str:
    text = re.sub(r"\{\w*\}", "…", " ".join(text.split()))
    text = re.sub("…[….]*…", "…", text)  # what stands side by side is one gap
    return re.sub(r"([*_<>\[\]`|])", r"\\\1", text)


def document() -> str:
    """docs/troubleshooting.md as it should be. ValueError without markers."""
    before, _, rest = DOCUMENT.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{DOCUMENT.name} has no {BEGIN.strip()} … {END.strip()}")
    return f"{before}{BEGIN}{written()}{END}{after}"


def main() -> int:
    DOCUMENT.write_text(document(), "utf-8")
    print(DOCUMENT.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
