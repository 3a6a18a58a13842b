"""`python -m tests.fingers`: a dealer's fingers slip, and the screen says what came of it.

    python -m tests.fingers                                   # every set of devices
    python -m tests.fingers --devices keys --seed b --keep    # and what led to each wrong hand
    python -m tests.fingers --shard 2/4 --report part.json    # written behind each evening; --resume goes on

Each press comes twice, early, late, for a neighbour's seat or not at all, 5 % of presses each. The simulated
dealer reads the lines of the table's screen and mends what they name. Counted: presses that were lost, hands that
end wrong, and wrong acts that no line named by seat and chips. Exit status: 0 no press is lost and no wrong act is
without a line; 1 something is; 2 called wrongly.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from feltwire.tools.shard import shard
from tests.fingers.dealer import KINDS, FingersEvery, FingersHand, FingersPractised, Slips
from tests.fingers.screen import WatchedTable
from tests.workload.people import Odds
from tests.workload.practised import PractisedHand
from tests.workload.shift import DEVICE_SETS, Shift

HANDS = 12  # of an evening
SETS = [name for name, one in DEVICE_SETS.items() if one.presses]
CLEAN = Odds(slip=0.0, chips_unsure=0.0, card_unread=0.0)


class Found(msgspec.Struct):
    """Of one set of devices."""

    hands: int = 0
    presses: int = 0
    slips: dict[str, int] = msgspec.field(default_factory=dict)
    wrong: int = 0
    mends: list[int] = msgspec.field(default_factory=list)
    lost: list[str] = msgspec.field(default_factory=list)
    silent: list[str] = msgspec.field(default_factory=list)
    stuck: list[str] = msgspec.field(default_factory=list)
    ends_wrong: list[str] = msgspec.field(default_factory=list)

    def add(self, at: str, slips: Slips) -> None:
        self.hands += 1
        self.presses += slips.presses
        for kind, count in slips.slips.items():
            self.slips[kind] = self.slips.get(kind, 0) + count
        self.wrong += len(slips.wrong)
        self.mends += slips.mends
        self.lost += [f"{at}: {one}" for one in slips.lost]
        self.silent += [f"{at}: {one}" for one in slips.silent]
        self.stuck += [f"{at}: {one}" for one in slips.stuck]
        self.ends_wrong += [f"{at}: {slips.ends_wrong}"] if slips.ends_wrong else []


class Report(msgspec.Struct):
    done: set[str] = msgspec.field(default_factory=set)
    sets: dict[str, Found] = msgspec.field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return not any(found.lost or found.silent for found in self.sets.values())

    def __str__(self) -> str:
        names = ("hands", "presses", *KINDS, "wrong acts", "taken back by one press", "by two", "by more")
        names += ("not mended", "without a line", "keys lost", "hands that end wrong")
        rows = [["", *self.sets], ["---"] * (len(self.sets) + 1)]
        columns = [_column(found) for found in self.sets.values()]
        rows += [[name, *[f"{column[at]:,}" for column in columns]] for at, name in enumerate(names)]
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _column(found: Found) -> list[int]:
    slips = [found.slips.get(kind, 0) for kind in KINDS]
    one, two = found.mends.count(1), found.mends.count(2)
    mends = [found.wrong, one, two, len(found.mends) - one - two, len(found.stuck)]
    return [found.hands, found.presses, *slips, *mends, len(found.silent), len(found.lost), len(found.ends_wrong)]


def evening(name: str, seed: str, hands: int = HANDS) -> list[Slips]:
    """So many hands with the devices `name`, each with what its fingers did."""
    chance = random.Random(f"fingers {seed} {name}")
    with tempfile.TemporaryDirectory(prefix="feltwire-fingers-") as runtime:
        number = random.Random(f"cards {seed}").randrange(1 << 30)
        shift = Shift(DEVICE_SETS[name], Path(runtime), seed=number, odds=CLEAN, table_type=WatchedTable)
        dealer = FingersPractised if DEVICE_SETS[name].dealer is PractisedHand else FingersEvery
        dealt: list[FingersHand] = []

        def make(*arguments: Any, **options: Any) -> FingersHand:
            hand = dealer(*arguments, **options)
            hand.chance = chance
            dealt.append(hand)
            return hand

        shift.hand_type = make
        shift.deal(hands=hands)
        return [hand.slips for hand in dealt]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fingers", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--limit", type=int, default=50, metavar="N", help="evenings of 12 hands a set (default 50)"
    )
    parser.add_argument("--seed", default="7", help="of all evenings (default 7)")
    parser.add_argument("--devices", nargs="+", choices=SETS, default=SETS, metavar="SET")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this evening alone")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the Ith of N parts")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written behind each evening")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with this report")
    parser.add_argument("--keep", action="store_true", help="print what led to each hand that went wrong")
    args = parser.parse_args(argv)
    if args.resume and not args.resume.is_file():
        parser.error("--resume: a report that is there")
    report = msgspec.json.decode(args.resume.read_bytes(), type=Report) if args.resume else Report()
    part, parts = args.shard
    numbers = [number for number in range(args.limit) if number % parts == part - 1]
    began = time.monotonic()
    for number in numbers if args.only is None else [args.only]:
        for name in args.devices:
            if f"{name}/{number}" in report.done:
                continue
            found = report.sets.setdefault(name, Found())
            for no, slips in enumerate(evening(name, f"{args.seed}/{number}"), 1):
                found.add(f"{name}/{number}#{no}", slips)
                if args.keep and (slips.silent or slips.lost or slips.stuck or slips.ends_wrong):
                    _tell(f"{name}/{number}#{no}", slips)
            report.done.add(f"{name}/{number}")
            if args.report:
                args.report.write_bytes(msgspec.json.encode(report))
    print(report)
    for name, found in report.sets.items():
        for what, examples in _examples(found).items():
            print(f"{name}, {what}:", *examples[:12], sep="\n    ")
    print(f"{time.monotonic() - began:.0f} s")
    return 0 if report.holds else 1


def _examples(found: Found) -> dict[str, list[str]]:
    said = {"without a line": found.silent, "keys lost": found.lost, "not mended": found.stuck}
    return {what: texts for what, texts in {**said, "ends wrong": found.ends_wrong}.items() if texts}


def _tell(at: str, slips: Slips) -> None:
    print(f"== {at}: {slips.ends_wrong or 'ends right'}", slips.silent, slips.lost, slips.stuck, sep="; ")
    print(*slips.trace, sep="\n    ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
