"""`python -m tests.spec_played`: the cells of `tests.spec` beside what a table does, by cause.

Each cell is played with its set of devices; each ruling that the table offers is taken on a copy of it, and
then the seat's keys are tried. What differs is counted by cause, and held against `disputed.txt`: where the text
leaves it open, or the words of the book or a decision of the project say otherwise. Exit status: 0 nothing else
differs, 1 something does, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.spec.cell import Cell
from tests.spec.cells import cells, pair_cells
from tests.spec_played.compare import differences, kind_of
from tests.spec_played.table import NotPlayed

DISPUTED = Path(__file__).with_name("disputed.txt")


class Report(msgspec.Struct):
    """`done`: cells, by their number. `not_played`: why, of how many."""

    done: set[int] = msgspec.field(default_factory=set)
    same: dict[str, int] = msgspec.field(default_factory=dict)  # by incident
    differ: dict[str, int] = msgspec.field(default_factory=dict)
    not_played: dict[str, int] = msgspec.field(default_factory=dict)
    causes: dict[str, int] = msgspec.field(default_factory=dict)
    examples: dict[str, str] = msgspec.field(default_factory=dict)

    def play(self, number: int, cell: Cell) -> None:
        self.done.add(number)
        try:
            found = [*differences(cell)]
        except NotPlayed as error:
            why = f"{kind_of(cell)}: {error}"
            self.not_played[why] = self.not_played.get(why, 0) + 1
            return
        kind = self.differ if found else self.same
        kind[kind_of(cell)] = kind.get(kind_of(cell), 0) + 1
        for one in found:
            self.causes[one.cause] = self.causes.get(one.cause, 0) + 1
            self.examples.setdefault(one.cause, one.cell)

    def __str__(self) -> str:
        not_played = Counter[str]()
        for why, count in self.not_played.items():
            not_played[why.partition(":")[0]] += count
        incidents = sorted({*self.same, *self.differ, *not_played})
        lines = [
            f"{name}: {self.same.get(name, 0)} the same, {self.differ.get(name, 0)} differ, "
            f"{not_played[name]} not played"
            for name in incidents
        ]
        lines += [
            f"{count} {cause} <- {self.examples[cause]}" for cause, count in Counter(self.causes).most_common()
        ]
        return "\n".join(lines)


def causes_in(path: Path) -> set[str]:
    """Its lines but for words that people read."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {line for line in lines if line and not line.startswith("#")}


def not_disputed(causes: Iterable[str]) -> list[str]:
    """A line of `disputed.txt` may have a `*` for anything."""
    lines = causes_in(DISPUTED)
    return sorted(one for one in causes if not any(fnmatchcase(one, line) for line in lines))


def share(every: int, first: int = 0, *, pairs: bool = False) -> Iterable[tuple[int, Cell]]:
    """Every so many of all cells, from the first; of those of one incident, or of pairs."""
    of = enumerate(pair_cells() if pairs else cells())
    return [(number, cell) for number, cell in of if number % every == first % every]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.spec_played", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth cell (default 1: all)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first of these")
    parser.add_argument("--pairs", action="store_true", help="two errors in one hand")
    parser.add_argument("--incident", default="", help="of this one alone, or of this pair")
    parser.add_argument("--limit", type=int, metavar="N", help="cells at most in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the Ith of N parts")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written every 100 cells")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with this report")
    args = parser.parse_args(argv)
    if args.every < 1 or (args.resume and not args.resume.is_file()):
        parser.error("--every: 1 or more; --resume: a report that is there")
    report = msgspec.json.decode(args.resume.read_bytes(), type=Report) if args.resume else Report()
    part, parts = args.shard
    played, began = 0, time.monotonic()
    for number, cell in share(args.every, args.first, pairs=args.pairs):
        if number in report.done or number // args.every % parts != part - 1:
            continue
        if args.incident not in ("", kind_of(cell)):
            continue
        if args.limit is not None and played >= args.limit:
            break
        report.play(number, cell)
        played += 1
        if args.report and played % 100 == 0:
            args.report.write_bytes(msgspec.json.encode(report))
    if args.report:
        args.report.write_bytes(msgspec.json.encode(report))
    print(report)
    print(f"{played} cells in {time.monotonic() - began:.0f} s")
    new = not_disputed(report.causes)
    print("\n".join(f"not disputed: {cause}" for cause in new))
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
