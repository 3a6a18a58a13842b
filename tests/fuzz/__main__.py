"""`python -m tests.fuzz`: sessions at a table where anything is pressed, dealt, seen and ruled."""

from __future__ import annotations

import argparse
import sys
import traceback
from pathlib import Path

from tests.fuzz.session import play, shorter
from tests.fuzz.steps import step_text


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--limit", type=int, default=1000, metavar="N", help="sessions (default 1000)")
    parser.add_argument("--steps", type=int, default=300, metavar="N", help="steps a session (default 300)")
    parser.add_argument("--seed", default="7", help="of all sessions (default 7)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this session alone")
    parser.add_argument("--shard", default="0/1", metavar="K/N", help="every Nth session from the Kth on")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on behind the last session noted there")
    parser.add_argument("--keep-on", action="store_true", help="go on after a failure")
    options = parser.parse_args(argv)
    shard, shards = map(int, options.shard.split("/"))
    numbers = range(shard, options.limit, shards) if options.only is None else [options.only]
    first = int(options.resume.read_text()) + 1 if options.resume and options.resume.exists() else 0
    broken = looked = 0
    for number in numbers:
        if number < first:
            continue
        broken += not session_holds(f"{options.seed}/{number}", options.steps)
        looked += 1
        if options.resume:
            options.resume.write_text(str(number))
        if broken and not options.keep_on:
            break
    print(f"{looked} sessions of {options.steps} steps, {broken} broken")
    return 1 if broken else 0


def session_holds(seed: str, steps: int) -> bool:
    """Whether every fact held; what did not is said with the shortest way there."""
    played = play(seed, steps)
    if not played.failure:
        return True
    print(f"session {seed}: {played.failure[:600]}", flush=True)
    played, config = shorter(played), played.room.config
    print(f"  {config.rulebook} {config.house}, {config.seat_count} seats, {', '.join(played.room.devices)}")
    for step in played.done:
        print(f"  {step_text(step)}")
    print(f"  {played.failure[:3000]}")
    if played.error is not None:
        print("".join(traceback.format_tb(played.error.__traceback__)[-4:]), flush=True)
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
