"""`python -m tests.sweep`: every incident × seat × street × book × set of devices, at a table.

A hand from a seed is stopped at each of its moments; an incident is raised on the keypad (or on the screen); each
option that the table offers is taken, and undone. Report of cells and faults by kind; exit code 1 with faults.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from feltwire.tools.shard import shard
from table_core.messages import Seat
from table_core.rulebook import rulebook_ids
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.register import Incident
from tests.sweep.facts import Fault, faults
from tests.sweep.hands import DEVICES, Moment, moments


class Cell(NamedTuple):
    book: str
    devices: str
    moment: Moment
    incident: Incident
    seat: Seat | None

    def __str__(self) -> str:
        about = "" if self.seat is None else f" about seat {self.seat}"
        return f"{self.book}, {self.devices}, {self.moment.name}: {self.incident.no} {self.incident.key}{about}"


def cells(book: str, devices: str, seed: int) -> Iterator[Cell]:
    """Every incident at every moment of one hand: about each seat, or about none where none is needed."""
    for moment in moments(book, devices, seed):
        seats = sorted(moment.table.node.table.seats)
        for incident in INCIDENTS.values():
            for seat in seats if incident.needs_seat else (None, *seats):
                yield Cell(book, devices, moment, incident, seat)


class Report:
    """Cells swept, and faults by kind with the first few of each."""

    def __init__(self) -> None:
        self.cells = 0
        self.kinds: Counter[str] = Counter()
        self.examples: dict[str, list[str]] = {}
        self.done: list[str] = []

    def add(self, cell: Cell, found: list[Fault]) -> None:
        self.cells += 1
        for fault in found:
            self.kinds[fault.kind] += 1
            shown = self.examples.setdefault(fault.kind, [])
            if len(shown) < EXAMPLES:
                shown.append(f"{cell}: {fault.text}")

    def write(self, path: Path) -> None:
        path.write_text(
            json.dumps({"cells": self.cells, "kinds": self.kinds, "examples": self.examples, "done": self.done})
        )

    def read(self, path: Path) -> None:
        held = json.loads(path.read_text())
        self.cells, self.kinds = held["cells"], Counter(held["kinds"])
        self.examples, self.done = held["examples"], held["done"]

    def __str__(self) -> str:
        lines = [f"{self.cells} cells, {sum(self.kinds.values())} faults"]
        for kind, count in self.kinds.most_common():
            lines += [f"{kind}: {count}", *(f"  {example}" for example in self.examples[kind])]
        return "\n".join(lines)


EXAMPLES = 8


def sweep(options: argparse.Namespace) -> Report:
    """Hand by hand, each under one book with one set of devices; `--resume` goes on behind the last one noted."""
    report = Report()
    if options.resume and options.report and options.report.exists():
        report.read(options.report)
    end = report.cells + options.limit if options.limit else None
    part, parts = options.shard
    hands = [
        (seed, book, devices)
        for seed in range(options.seed, options.seed + options.hands)
        for book in options.books or rulebook_ids()
        for devices in options.devices or DEVICES
    ]
    for number, (seed, book, devices) in enumerate(hands):
        name = f"{seed} {book} {devices}"
        if number % parts != part - 1 or name in report.done:
            continue
        began = time.monotonic()
        for at, cell in enumerate(cells(book, devices, seed)):
            if at % options.every == number % options.every:
                report.add(cell, [*faults(cell.moment, cell.incident, cell.seat)])
            if end is not None and report.cells >= end:
                return report
        report.done.append(name)
        if options.report:
            report.write(options.report)
        print(f"{name}: {report.cells} cells, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return report


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sweep", description=__doc__)
    parser.add_argument("--seed", type=int, default=7, help="of the first hand (default 7)")
    parser.add_argument("--hands", type=int, default=1, metavar="N", help="for each book and set of devices")
    parser.add_argument("--books", nargs="+", metavar="BOOK", choices=rulebook_ids())
    parser.add_argument("--devices", nargs="+", metavar="SET", choices=list(DEVICES))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth cell (default 1: all)")
    parser.add_argument("--limit", type=int, metavar="N", help="cells at most in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the Ith of N parts")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written after each hand")
    parser.add_argument("--resume", action="store_true", help="go on with the report's file")
    report = sweep(parser.parse_args(argv))
    print(report)
    return 1 if report.kinds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
