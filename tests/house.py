"""`python -m tests.house`: writes the packages and their imports into `docs/architecture.md`, from the code.

`python -m tests.house --figures` counts files, lines and functions instead, and names what is crowded.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
PACKAGES = ("table_core", "firmware_bridge", "vision", "display", "feltwire", "supervised")
NO_VENUE = ("feltwire/lab", "firmware_bridge/sim", "vision/evaluation", "vision/synthetic", "vision/train")
DOCUMENT = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- written by python -m tests.house -->\n", "<!-- end -->\n"
SPLIT = ("feltwire", "vision")  # drawn by the folders within them
NOT_DRAWN = ("table_core", "feltwire")  # imported everywhere: the rules; `feltwire/config.py` and `errors.py`


def in_venue(file: str) -> bool:
    """Whether a venue runs the code of a file, given as its path under the root."""
    return not file.startswith(tuple(f"{folder}/" for folder in NO_VENUE))


def sources(root: Path, folders: tuple[str, ...]) -> dict[str, str]:
    """Path under the root -> text, of every Python file."""
    files = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in files}


def package_of(path: str) -> str:
    """The package as which a module is drawn, of the module's path."""
    for folder in NO_VENUE:
        if path.startswith(f"{folder}/"):
            return folder.replace("/", ".")
    room, _, rest = path.partition("/")
    return f"{room}.{rest.split('/')[0]}" if room in SPLIT and "/" in rest else room


def imported(tree: ast.AST) -> Iterator[str]:
    """What a module imports, also within functions and for types only: names of modules, or of things in them."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{alias.name}" for alias in names)


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Package -> the other packages that it imports."""
    texts = sources(root, PACKAGES)
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in texts}
    found: dict[str, set[str]] = {}
    for path, text in texts.items():
        targets = found.setdefault(package_of(path), set())
        for name in imported(ast.parse(text)):
            target = modules.get(name) or modules.get(name.rpartition(".")[0])
            if target is not None:
                targets.add(package_of(target))
    return {package: targets - {package} for package, targets in sorted(found.items())}


def drawing() -> str:
    """The table of packages, in Markdown."""
    rows = ["| package | in a venue | imports |", "|---|---|---|"]
    for package, targets in imports().items():
        if package not in NOT_DRAWN:
            runs = "yes" if in_venue(f"{package.replace('.', '/')}/") else "no"
            names = ", ".join(f"`{target}`" for target in sorted(targets - {*NOT_DRAWN})) or "–"
            rows.append(f"| `{package}` | {runs} | {names} |")
    return "\n".join(rows) + "\n"


def document() -> str:
    """The text of `docs/architecture.md` with the table between its markers. ValueError without markers."""
    before, begin, rest = DOCUMENT.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{DOCUMENT.name}: no markers {BEGIN.strip()} and {END.strip()}")
    return f"{before}{begin}{drawing()}{end}{after}"


def functions(texts: dict[str, str]) -> list[tuple[int, str]]:
    """Lines of every function from `def` to its end, and where it is. One within another counts in both."""
    return sorted(
        (node.end_lineno - node.lineno + 1, f"{path}: {node.name}")
        for path, text in texts.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    )


def fields(text: str, name: str) -> int:
    """How many fields a class declares."""
    kinds = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef) and node.name == name]
    return sum(isinstance(line, ast.AnnAssign) for kind in kinds for line in kind.body)


def crowded(texts: dict[str, str]) -> Iterator[str]:
    """Where a reader loses the thread: no limits, but places to ask whether they are two."""
    per_folder = Counter(path.rpartition("/")[0] for path in texts)
    yield from (f"crowded: {count} modules in {name}" for name, count in per_folder.most_common() if count > 20)
    lengths = {path: len(text.splitlines()) for path, text in texts.items()}
    yield from (f"crowded: {count} lines in {path}" for path, count in lengths.items() if count > 500)
    yield from (f"crowded: {count} lines in {name}" for count, name in functions(texts) if count > 80)
    for path, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                count = sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)
                if count > 25:
                    yield f"crowded: {count} methods in {path}: {node.name}"


def figures(root: Path) -> Iterator[str]:
    """The figures of a checkout, line by line. Lines of Python files: blank lines and comments count."""
    texts = sources(root, (*PACKAGES, "hardware", "tests"))
    lines = {path: len(text.splitlines()) for path, text in texts.items()}
    files, per_folder = Counter[str](), Counter[str]()
    for path, count in lines.items():
        folder = path.rpartition("/")[0]
        files[folder] += 1
        per_folder[folder] += count
    yield "| folder | files | lines |\n|---|---|---|"
    yield from (f"| {folder} | {files[folder]} | {per_folder[folder]} |" for folder in sorted(files))

    largest = max((name for name in files if not name.startswith("tests")), key=lambda name: files[name])
    yield f"\nall: {len(lines)} files, {sum(lines.values())} lines"
    yield f"largest folder but for tests: {largest}, {files[largest]} files, {per_folder[largest]} lines"
    venue = sum(count for path, count in lines.items() if in_venue(path) and not path.startswith("tests/"))
    tests = sum(count for path, count in lines.items() if path.startswith("tests/"))
    yield f"lines that run in a venue: {venue}; that do not: {sum(lines.values()) - venue}, of them tests: {tests}"
    found = functions(sources(root, PACKAGES))
    yield f"functions but for tests: {len(found)}, median {median(count for count, _ in found):g} lines"
    yield from (f"  {count} lines: {name}" for count, name in found[:-4:-1])
    yield from crowded(texts)
    tracker = {path: count for path, count in lines.items() if path.startswith("table_core/tracker/")}
    memory = sum(count for path, count in tracker.items() if path.startswith("table_core/tracker/memory/"))
    state = fields(texts["table_core/tracker/state.py"], "TrackerState")
    yield f"tracker: {len(tracker)} files, {sum(tracker.values())} lines, of them memory: {memory}"
    yield f"TrackerState: {state} fields (slices of the memory, where they have an owner)"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.house",
        description="Writes the packages and their imports into docs/architecture.md.",
        epilog="example: python -m tests.house --figures",
    )
    parser.add_argument("--figures", action="store_true", help="count; write nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout to count")
    args = parser.parse_args()
    if args.figures:
        print("\n".join(figures(args.root)))
    else:
        DOCUMENT.write_text(document(), "utf-8")
        print(f"docs/{DOCUMENT.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
