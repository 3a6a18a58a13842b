"""`python -m tests.simulation --count 10000 --seed 1`: rooms on a virtual clock, each with a story of faults.

Tables, station, relay and wall clocks are the processes of a venue with their databases, on an in-process broker
and on clocks of their own; people deal, and direct a tournament. Machines are killed (also in the middle of a
step), lose power, disk or cable, stand still, have a full disk or another time of day; messages are lost,
doubled, late and out of order; a second machine is switched on for a table. Then there is peace, and everything
must agree: the station has what each table's ledger has, the pages show it, nothing acknowledged is missing,
nothing is carried out twice, no chip is lost, the wall clocks show the station's clock
(`tests/simulation/facts.py`).

    --only 1/42             one story, with its text
    --planted NAME|all      with a fault put into the product on purpose: how many stories find it
    --shard I/N --limit N --resume FILE     a part of it; go on with a report, which grows

Exit status: 0 everything held (with --planted: every fault was found), 1 not, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from table_core.messages import Frozen
from tests.simulation.planted import PLANTED, planted
from tests.simulation.play import Played, play, shorter
from tests.simulation.story import story_of

MOST_SEEDS = 2_000  # for a planted fault


class Failure(Frozen, frozen=True):
    seed: str
    failure: str


class Report(Frozen, frozen=True):
    """What the command writes. `done` stories of this shard are played."""

    seed: int
    shard: tuple[int, int]
    done: int = 0
    virtual_s: float = 0.0
    real_s: float = 0.0
    presses: int = 0
    failures: tuple[Failure, ...] = ()

    def text(self) -> str:
        rate = self.virtual_s / 3_600 / self.real_s if self.real_s else 0.0
        told = f"seed {self.seed}: {self.done} stories, {len(self.failures)} fail; {self.presses} presses"
        speed = f"{rate:.3f} virtual hours a second, {rate * 3_600:.0f} times real time"
        return f"{told}; {self.virtual_s / 3_600:.1f} virtual hours in {self.real_s:.0f} s ({speed})"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=10_000, metavar="N", help="stories (10,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="only this part")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with this report, which grows")
    parser.add_argument("--only", metavar="SEED", help="one story, as a failure names it: 1/42")
    parser.add_argument("--planted", metavar="NAME", help=f"all, or one of: {', '.join(PLANTED)}")
    args = parser.parse_args(argv)
    logging.disable(logging.CRITICAL)
    if args.planted is not None:
        names = list(PLANTED) if args.planted == "all" else [args.planted]
        if unknown := [name for name in names if name not in PLANTED]:
            print(f"no planted fault {unknown[0]!r}; there are: {', '.join(PLANTED)}", file=sys.stderr)
            return 2
        found = [is_found(name, args.seed) for name in names]
        return 0 if all(found) else 1
    if args.only is not None:
        played = play(story_of(args.only))
        print(played.story.text())
        print(played.failure or "holds")
        return 1 if played.failure else 0
    return campaign(args)


def campaign(args: argparse.Namespace) -> int:
    report = Report(args.seed, args.shard)
    if args.resume is not None and args.resume.exists():
        asked, report = report, msgspec.json.decode(args.resume.read_bytes(), type=Report)
        if (asked.seed, asked.shard) != (report.seed, report.shard):
            print(f"{args.resume} is of another run; give its --seed and --shard", file=sys.stderr)
            return 2
    part, parts = args.shard
    numbers = range(part - 1, args.count, parts)[report.done :][: args.limit]
    said = time.monotonic()
    for number in numbers:
        played = play(story_of(f"{args.seed}/{number}"))
        report = _with(report, played)
        if played.failure:
            say_failure(played)
        if args.resume is not None:
            args.resume.write_bytes(msgspec.json.encode(report))
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(report.text(), file=sys.stderr, flush=True)
    print(report.text())
    return 1 if report.failures else 0


def _with(report: Report, played: Played) -> Report:
    failed = (Failure(played.story.seed, played.failure),) if played.failure else ()
    return Report(
        report.seed,
        report.shard,
        report.done + 1,
        report.virtual_s + played.virtual_s,
        report.real_s + played.real_s,
        report.presses + played.presses,
        (*report.failures, *failed),
    )


def say_failure(played: Played) -> None:
    """What did not hold, and the shortest story of it."""
    print(f"{played.story.seed}: {played.failure}")
    print(f"  the shortest {shorter(played).story.text()}", flush=True)


def is_found(name: str, seed: int) -> bool:
    """Whether stories notice the planted fault; after how many is said."""
    with planted(name):
        for number, played in enumerate(_stories(seed), 1):
            if played.failure:
                least = shorter(played)
                print(f"{name}: found by story {number} ({played.story.seed}): {least.failure.splitlines()[0]}")
                print(f"  the shortest {least.story.text()}", flush=True)
                return True
    print(f"{name}: not found in {MOST_SEEDS} stories", flush=True)
    return False


def _stories(seed: int) -> Iterator[Played]:
    for number in range(MOST_SEEDS):
        yield play(story_of(f"{seed}/{number}"))


if __name__ == "__main__":
    sys.exit(main())
