"""`python -m tests.people`: names of banned players in other spellings at a station's desk; pairs of two people.

Exit status: 0 nobody was let in, no two people are equal, and at most one pair in a hundred is asked about; 1
otherwise; 2 called wrongly.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from random import Random

from tests.people.desk import Pairs, Tried, try_pairs, try_spellings

MOST_ASKED = 0.01


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.people", description=__doc__)
    parser.add_argument("--count", type=int, default=50_000, metavar="N", help="spellings (default 50000)")
    parser.add_argument("--pairs", type=int, default=10_000, metavar="N", help="pairs (default 10000)")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="of all that is drawn (default: a new one)")
    args = parser.parse_args(argv)
    began, tried, pairs = time.monotonic(), Tried(), Pairs()
    print(f"seed {args.seed}", flush=True)
    try_pairs(args.pairs, Random(f"{args.seed} pairs"), pairs)
    print(pairs, *pairs.shown, sep="\n", flush=True)
    try_spellings(args.count, Random(f"{args.seed} spellings"), tried)
    print(tried, *tried.evaded, sep="\n")
    print(f"{time.monotonic() - began:.0f} s")
    return 1 if tried.evaded or pairs.share("equal") or pairs.share("perhaps") > MOST_ASKED else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
