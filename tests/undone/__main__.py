"""`python -m tests.undone`: a press and its UNDO are as if nothing had been pressed.

All along evenings of the fuzz presses are taken back on a copy, and another copy is told all but these. What
differs is counted by key and fact. Exit status: 0 nothing differs, 1 something does, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.undone.twins import Tried, evening

STEPS = 200


class Report(msgspec.Struct):
    done: set[str] = msgspec.field(default_factory=set)
    tried: dict[str, int] = msgspec.field(default_factory=dict)  # by key
    causes: dict[str, int] = msgspec.field(default_factory=dict)
    examples: dict[str, Tried] = msgspec.field(default_factory=dict)

    def add(self, one: Tried) -> None:
        self.tried[one.key] = self.tried.get(one.key, 0) + 1
        if one.differs:
            self.causes[one.cause] = self.causes.get(one.cause, 0) + 1
            self.examples.setdefault(one.cause, one)

    def __str__(self) -> str:
        differ, tried = sum(self.causes.values()), sum(self.tried.values())
        lines = [f"{tried} presses taken back in {len(self.done)} evenings, {differ} differ"]
        for cause, count in sorted(self.causes.items(), key=lambda item: -item[1]):
            one = self.examples[cause]
            lines += [f"{count} {cause} <- {one.at}", *[f"    between: {step}" for step in one.between]]
            lines += [f"    without: {one.without[-400:]}", f"    undone:  {one.undone[-400:]}"]
        return "\n".join(lines)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.undone", description=__doc__)
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="evenings (default 100)")
    parser.add_argument("--seed", default="7", help="of all evenings (default 7)")
    parser.add_argument("--only", metavar="NUMBER", help="this evening alone")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the Ith of N parts")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written behind each evening")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with this report")
    args = parser.parse_args(argv)
    if args.resume and not args.resume.is_file():
        parser.error("--resume: a report that is there")
    report = msgspec.json.decode(args.resume.read_bytes(), type=Report) if args.resume else Report()
    part, parts = args.shard
    numbers = [str(number) for number in range(args.limit) if number % parts == part - 1]
    began = time.monotonic()
    for number in [args.only] if args.only else numbers:
        if number in report.done:
            continue
        for one in evening(f"{args.seed}/{number}", STEPS):
            report.add(one)
        report.done.add(number)
        if args.report:
            args.report.write_bytes(msgspec.json.encode(report))
    print(report)
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if report.causes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
