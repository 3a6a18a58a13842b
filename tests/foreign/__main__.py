"""`python -m tests.foreign`: foreign files with bytes flipped, numbers exploded, nesting, other encodings and
separators, given to the commands and pages that take them. No traceback, and no file given up for one hand.

    python -m tests.foreign --count 50000 --seed 7 --shard 1/2
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from feltwire.tools.shard import shard
from tests.foreign.spoilt import Case, campaign

_BLOCK = 500


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.foreign", description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="cases (2,000)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="no new cases after so long")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one case")
    args = parser.parse_args()
    part, parts = args.shard
    print(f"seed {args.seed}, shard {part}/{parts}, {args.count} cases", file=sys.stderr)
    faults: list[int] = []

    def tell(number: int, found: Case) -> None:
        faults.append(number)
        print(f"case {number} ({found.door}, {found.how}): {found.wrong}", flush=True)

    began, count = time.monotonic(), Counter[str]()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        blocks = [args.only] if args.only is not None else range((part - 1) * _BLOCK, args.count, parts * _BLOCK)
        for first in blocks:
            last = first + 1 if args.only is not None else min(first + _BLOCK, args.count)
            count += campaign(range(first, last), args.seed, Path(folder), tell)
            seconds = time.monotonic() - began
            print(f"\r{count.total()} cases, {len(faults)} faults, {seconds:.0f} s", end="", file=sys.stderr)
            if args.limit is not None and seconds > args.limit:
                break
    print(file=sys.stderr)
    for door, cases in sorted(count.items()):
        print(f"{cases:7} {door}")
    print(f"{count.total()} cases, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
