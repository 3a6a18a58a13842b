"""Versions of a SQLite file of ours, and the steps from each to the next.

`user_version` in the file's header says which version it is; docs/storage.md describes the newest of each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from sqlite3 import Connection

Step = str | Callable[[Connection], None]  # SQL statements, or a function for what SQL cannot say


@dataclass(frozen=True, slots=True)
class Schema:
    """One kind of file.

    `tables` are the statements that make the newest version. `marks` are the values of `user_version`, that of the
    oldest version first: the low byte tells kinds apart, the bytes above count versions of a kind. `steps[n]`
    leads from `marks[n]` to `marks[n + 1]`. `has` is a table of every version: two kinds shared a mark.
    """

    tables: str
    marks: tuple[int, ...]
    has: str
    steps: tuple[Step, ...] = ()
    left_out: Step = "SELECT 1"

    def __post_init__(self) -> None:
        assert len(self.steps) == len(self.marks) - 1

    @property
    def newest(self) -> int:
        return self.marks[-1]

    def is_newer(self, mark: int) -> bool:
        """Whether a later program wrote a file with this mark."""
        return mark & 0xFF == self.newest & 0xFF and mark > self.newest

    def steps_from(self, mark: int) -> tuple[Step, ...]:
        """The steps that a file with this mark lacks; raise `ValueError` for a mark that is none."""
        return self.steps[self.marks.index(mark) :]


def carry_out(run: Connection, step: Step) -> None:
    """Carry out one step within the caller's transaction."""
    if callable(step):
        step(run)
        return
    for statement in step.split(";"):
        run.execute(statement)
