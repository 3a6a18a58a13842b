"""Whole tournaments, simulated from registration to the last prize: `python -m tests.tournaments --count 500`.

Each of the books plays `--count` nights of 9, 27, 200 and 2,000 entrants, the small ones most often. After every
hand everybody in play has one seat, the tables are balanced, every chip is accounted for; at the end each place is
given once, the prizes add up, and the night replayed from its records is the same. Now and then everything that
the station makes of it is made, as it is and with what may be missing (`tests/views`). A night that fails is named
by book, entrants and seed; `--only rpl/27/5` plays it again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from feltwire.tools.shard import shard
from tests.table_core.tournament.simulated import Simulated
from tests.views import of_a_night
from tests.views.of_a_night import shown_of

BOOKS = ("wfp", "rpl", "home", "ccp", "cpp", "base")
LOOKS = 0.5  # at the views, for each entrant and hand
EVERY = {2_000: 250, 200: 10, 27: 2}  # of so many nights one has that many entrants; the others have 9


def plan(count: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Book, entrants and seed of every night."""
    for no in range(1, count + 1):
        entrants = next((size for size, every in EVERY.items() if no % every == 0), 9)
        for book in BOOKS:
            yield book, entrants, seed * 100_000 + no


def play(book: str, entrants: int, seed: int) -> str:
    """What does not hold; empty where all does. Large nights are checked after every 20th hand."""
    played, hands = Simulated(book, entrants, seed), 0
    chance = random.Random(f"views {book}/{entrants}/{seed}")

    def check(played: Simulated) -> None:
        nonlocal hands
        hands += 1
        if entrants < 1_000 or hands % 20 == 0:
            played.assert_holds()
        if chance.random() < LOOKS / entrants:
            of_a_night.every_view(shown_of(played), chance)

    try:
        played.play(check)
        played.assert_ends_right()
    except AssertionError as error:
        return f"{error}" or "does not hold"
    except Exception as error:  # noqa: BLE001  (whatever a view raises is what is looked for)
        return f"{type(error).__name__} at {traceback.extract_tb(error.__traceback__)[-1].line}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tournaments", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="nights under each rulebook")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="only this part")
    parser.add_argument("--limit", type=int, help="no more nights than that")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="skip what this report holds, and add to it")
    parser.add_argument("--only", metavar="BOOK/ENTRANTS/SEED", help="one night")
    args = parser.parse_args()
    if args.only:
        book, entrants, seed = args.only.split("/")
        wrong = play(book, int(entrants), int(seed))
        print(wrong or "holds")
        return 1 if wrong else 0
    known = _known(args.resume)
    part, parts = args.shard
    nights = [night for at, night in enumerate(plan(args.count, args.seed)) if at % parts == part - 1]
    todo = [night for night in nights if "/".join(map(str, night)) not in known][: args.limit]
    failed = sum(bool(wrong) for wrong in known.values())
    began = time.monotonic()
    for no, night in enumerate(todo, 1):
        wrong = play(*night)
        name = "/".join(map(str, night))
        failed += bool(wrong)
        if wrong:
            print(f"{name}: {wrong}")
        if args.resume:
            with args.resume.open("a") as report:
                report.write(json.dumps({"night": name, "wrong": wrong}) + "\n")
        if no % 50 == 0 or no == len(todo):
            print(f"{no} of {len(todo)} nights, {failed} fail, {time.monotonic() - began:.0f} s", file=sys.stderr)
    print(f"{len(known) + len(todo)} nights, {failed} fail")
    return 1 if failed else 0


def _known(report: Path | None) -> dict[str, str]:
    if report is None or not report.exists():
        return {}
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    return {line["night"]: line["wrong"] for line in lines}


if __name__ == "__main__":
    sys.exit(main())
