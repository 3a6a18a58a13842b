"""The mutants of a package: cosmic-ray's operators, without those whose change nobody could observe."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.provider import OperatorProvider
from msgspec import Struct

Position = tuple[int, int]  # line from 1, column from 0

# `is` and `==` say the same of enum members, None and small integers, which is all that is compared here.
_SAME = ("Is_Eq", "Eq_Is", "IsNot_NotEq", "NotEq_IsNot")
_PROVIDER = OperatorProvider()
_OPERATORS = {
    name: _PROVIDER[name]
    for name in _PROVIDER
    if not _PROVIDER[name].arguments() and not name.endswith(tuple(f"Operator_{same}" for same in _SAME))
}


class Mutant(Struct, frozen=True):
    """One change: the `occurrence`-th place in `path` to which `operator` applies."""

    path: str
    line: int
    operator: str
    occurrence: int
    source: str  # hash of the file that is changed: a result stands as long as the file does

    def code(self, root: Path) -> str:
        """The changed file."""
        mutated = mutate_code((root / self.path).read_text("utf-8"), _OPERATORS[self.operator](), self.occurrence)
        if mutated is None:
            raise LookupError(f"{self.operator} applies to {self.path} fewer than {self.occurrence + 1} times")
        return str(mutated)

    def change(self, root: Path) -> tuple[str, str]:
        """The line before and after."""
        before = (root / self.path).read_text("utf-8").splitlines()
        after = self.code(root).splitlines()
        for old, new in zip(before, after, strict=False):
            if old != new:
                return old.strip(), new.strip()
        return before[self.line - 1].strip(), ""

    def function(self, root: Path) -> str:
        """The name of the function that is changed; empty outside of functions."""
        tree = ast.parse((root / self.path).read_text("utf-8"))
        found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and self._in(node)]
        return max(found, key=lambda node: node.lineno).name if found else ""

    def _in(self, node: ast.FunctionDef) -> bool:
        return node.lineno <= self.line <= (node.end_lineno or node.lineno)


def sample(
    root: Path, package: str, seed: int, limit: int | None, only: Sequence[str] = ("*.py",)
) -> tuple[list[Mutant], int]:
    """One mutant at each of `limit` places (None for every place) of a package, and how many places there are; of
    its modules, only those whose file names match one of the patterns.

    Places are drawn alike and then one of the changes possible there. Drawing from all mutants at once would fill
    the sample with arithmetic, of which each place has eleven, most of them fatal at the first call.
    """
    paths = sorted({path for pattern in only for path in (root / package).rglob(pattern)})
    places = [mutants for path in paths for mutants in _places(root, path).values()]
    chance = random.Random(seed)
    drawn = places if limit is None or limit >= len(places) else chance.sample(places, limit)
    return [chance.choice(mutants) for mutants in drawn], len(places)


def _places(root: Path, path: Path) -> dict[tuple[Position, Position], list[Mutant]]:
    source = path.read_text("utf-8")
    digest = sha256(source.encode()).hexdigest()[:16]
    nodes = [*ast_nodes(get_ast(source))]
    unseen = [*_annotations(ast.parse(source))]
    places: dict[tuple[Position, Position], list[Mutant]] = {}
    for name, operator in _OPERATORS.items():
        found = [span for node in nodes for span in operator().mutation_positions(node)]
        for occurrence, (start, stop) in enumerate(found):
            if not any(first <= start < last for first, last in unseen):
                mutant = Mutant(str(path.relative_to(root)), start[0], name, occurrence, digest)
                places.setdefault((start, stop), []).append(mutant)
    return places


def _annotations(tree: ast.Module) -> Iterator[tuple[Position, Position]]:
    """Where types stand, which nothing evaluates."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if part is not None:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)
