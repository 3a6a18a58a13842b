"""`python -m tests.table_core.tracker_slices`: the slices of the tracker's memory, and who writes them.

Fields are found from a slice's type, writes from the syntax tree. A slice is written where one of its fields is
assigned or deleted, or where the value of a field is changed in place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from table_core.tracker import memory, state
from table_core.tracker.memory.slice import Slice
from table_core.tracker.state import TrackerState

TRACKER = Path(state.__file__).parent
MEMORY = Path(memory.__file__).parent
TABLE = TRACKER.parents[1] / "feltwire" / "table"
IN_PLACE = {
    "append",
    "add",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "remove",
    "setdefault",
    "sort",
    "update",
}
SETTERS = {"setattr", "delattr", "force_setattr", "__setattr__"}


class Write(NamedTuple):
    module: str
    line: int
    field: str


def slices() -> dict[str, type[Slice]]:
    return {name: type(slice_) for name, slice_ in TrackerState().slices().items()}


def owner_of(kind: type[Slice]) -> str:
    """The module whose methods write the slice."""
    return kind.__module__.rpartition(".")[2]


def foreign_writes() -> list[Write]:
    """Writes of a slice outside its own methods, in the tracker and in the process under the table."""
    kinds = slices()
    fields = {field for kind in kinds.values() for field in kind.__struct_fields__}
    found = []
    for path in sorted([*TRACKER.rglob("*.py"), *TABLE.glob("*.py")]):
        for target in written(ast.parse(path.read_text())):
            if path.parent == TABLE:  # whose own objects may have attributes of the same names
                foreign = isinstance(target.value, ast.Attribute) and target.value.attr in kinds
            elif MEMORY in path.parents:
                foreign = not (isinstance(target.value, ast.Name) and target.value.id == "self")
            else:
                foreign = target.attr in fields or (target.attr in kinds and path.name != "state.py")
            if foreign:
                found.append(Write(f"{path.parent.name}/{path.name}", target.lineno, target.attr))
    return found


def written(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Every attribute that is assigned or deleted, or on which something is changed in place."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield node
            case ast.Subscript(value=ast.Attribute() as value, ctx=ast.Store() | ast.Del()):
                yield value
            case ast.Call(func=ast.Attribute(value=ast.Attribute() as value, attr=method)) if method in IN_PLACE:
                yield value


def setters(path: Path) -> list[int]:
    """Lines that set attributes by name, which `written` does not see."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return [
        node.lineno
        for node in nodes
        if (isinstance(node, ast.Name) and node.id in SETTERS)
        or (isinstance(node, ast.Attribute) and node.attr in SETTERS)
    ]


def lines(folder: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in folder.rglob("*.py"))


def main() -> None:
    print("| slice | owner | fields |\n| --- | --- | --- |")
    kinds = slices()
    for name, kind in kinds.items():
        owner = kind.__module__.removeprefix("table_core.tracker.").replace(".", "/")
        print(f"| {name} | {owner}.py | {len(kind.__struct_fields__)} |")
    fields = sum(len(kind.__struct_fields__) for kind in kinds.values())
    print(
        f"\n{len(kinds)} slices, {fields} fields, {max(len(k.__struct_fields__) for k in kinds.values())} at most"
    )
    print(f"modules that write another's slice: {len({write.module for write in foreign_writes()})}")
    print(f"lines: {lines(TRACKER)}, of them memory: {lines(MEMORY)}")


if __name__ == "__main__":
    main()
