"""`feltwire vision score --rendered N`: the reader on rendered scenes, in parts; a report can be resumed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.tools.shard import shard
from vision.evaluation.scenes import SceneScore, Sum
from vision.evaluation.scenes import run as run_scenes

EVERY = 200  # scenes between two lines of progress
COLUMNS = ("scenes", "cards", "read", "unread", "wrong", "share", "covered", "covered_read", "ms")


def add_arguments(score: argparse.ArgumentParser) -> None:
    score.add_argument("--rendered", type=int, metavar="N", help="instead of photos: N scenes that are drawn here")
    score.add_argument("--seed", type=int, default=1, help="of rendered scenes or worse copies (default 1)")
    score.add_argument(
        "--shard", type=shard, default=(1, 1), metavar="I/N", help="every Nth rendered scene from the Ith"
    )
    score.add_argument("--limit", type=int, metavar="N", help="at most so many rendered scenes in this run")
    score.add_argument("--resume", type=Path, metavar="FILE", help="add to this report what it has not yet")


def run(args: argparse.Namespace) -> int:
    """Score rendered scenes; exit status 1 when a name was wrong. What is done is told even when interrupted.

    Raise `UsageError` for bad arguments, or where `--resume` cannot be written.
    """
    if args.rendered < 1 or (args.limit is not None and args.limit < 1):
        raise UsageError("--rendered and --limit: one scene or more")
    part, parts = args.shard
    numbers = range(part - 1, args.rendered, parts)
    if args.limit is not None:
        numbers = numbers[: args.limit]
    sums: dict[str, Sum] = {}

    def on_each(score: SceneScore) -> None:
        for tag in ("all", *score.tags):
            sums.setdefault(tag, Sum()).add(score)
        for name in score.wrong:
            print(f"scene {score.scene} ({', '.join(score.tags)}): {name}", file=sys.stderr, flush=True)
        if sums["all"].scenes % EVERY == 0:
            print(f"{sums['all'].scenes} of {len(numbers)} scenes", file=sys.stderr, flush=True)

    try:
        run_scenes(numbers, args.seed, args.resume, on_each)
    except KeyboardInterrupt:
        print("interrupted: what follows is a part", file=sys.stderr)
    except OSError as error:
        raise UsageError(f"{args.resume}: cannot be written ({error.strerror}); name another file") from error
    if args.json:
        print(json.dumps({"seed": args.seed, "tags": {tag: total.row() for tag, total in sums.items()}}))
    else:
        print("\n".join(_table(sums, len(numbers))))
    return 1 if sums and sums["all"].wrong else 0


def _table(sums: dict[str, Sum], asked: int) -> list[str]:
    rows = {tag: total.row() for tag, total in sums.items()}
    done = rows["all"]["scenes"] if rows else 0
    lines = [f"{done} of {asked} scenes", f"{'':<20}" + "".join(f"{name:>13}" for name in COLUMNS)]
    ordered = ["all", *sorted(tag for tag in rows if tag != "all")] if rows else []
    return lines + [f"{tag:<20}" + "".join(f"{rows[tag][name]:>13}" for name in COLUMNS) for tag in ordered]
