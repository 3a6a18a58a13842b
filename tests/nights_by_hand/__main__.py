"""`python -m tests.nights_by_hand`: whole nights of events that no table reports.

They are played through the station's own presses and channels, its disk in memory. Asked is: no false alarm, no
chip missing, every undo whole, and the places of who really went out when. A line a night; `--json FILE` writes
a report after each. Exit status: 0 nothing was found, 1 something was."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.nights_by_hand.director import NightByHand, nights


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.nights_by_hand",
        epilog="example: python -m tests.nights_by_hand --nights 200 --seed 1",
    )
    parser.add_argument("--nights", type=int, default=20, metavar="N", help="how many (20)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first one (1)")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="every Nth of them, from the Ith")
    parser.add_argument("--limit", type=float, default=0, metavar="S", help="begin no night after so many seconds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report there, after each night")
    parser.add_argument("--resume", action="store_true", help="leave out the nights that stand in that file")
    args = parser.parse_args(argv)
    shard = re.fullmatch(r"(\d+)/(\d+)", args.shard)
    if shard is None or not 1 <= int(shard[1]) <= int(shard[2]):
        parser.error(f"--shard {args.shard}: write 1/4 to 4/4")
    if args.resume and not args.json:
        parser.error("--resume goes with --json FILE")
    done = json.loads(args.json.read_text()) if args.resume and args.json.exists() else []
    have, began = {one["seed"] for one in done}, time.monotonic()
    print(f"seeds {args.seed} to {args.seed + args.nights - 1}, shard {args.shard}")
    for seed in nights(args.seed, args.nights, (int(shard[1]), int(shard[2]))):
        if seed in have or (args.limit and time.monotonic() - began > args.limit):
            continue
        night = NightByHand(seed)
        found = night.play()
        done.append(
            {"seed": seed, "book": night.book, "players": night.players, "presses": night.presses, "found": found}
        )
        print(
            f"night {seed}: {night.book}, {night.players} players, {night.presses} presses: {len(found)} found",
            flush=True,
        )
        for text in found[:5]:
            print(f"    {text}")
        if args.json:
            args.json.write_text(json.dumps(done, indent=1))
    wrong = sum(bool(one["found"]) for one in done)
    print(f"{len(done)} nights, {sum(one['presses'] for one in done)} presses, {wrong} with something found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
