"""`feltwire vision score --rendered N`: the reader on rendered scenes, in parts; a report can be resumed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.tools.shard import shard, within
from vision.evaluation import chip_scenes, scenes
from vision.evaluation.sums import ALL, ReportError, Sums, load_report, resumed

WHOLE = (1, 1)  # of parts: not cut up
EVERY = 200  # scenes between two lines of progress


def add_arguments(score: argparse.ArgumentParser) -> None:
    score.add_argument("--rendered", type=int, metavar="N", help="instead of photos: N scenes that are drawn here")
    score.add_argument("--rendered-chips", type=int, metavar="N", help="the same with chips instead of cards")
    score.add_argument("--seed", type=int, default=1, help="of rendered scenes or worse copies (default 1)")
    score.add_argument(
        "--shard", type=shard, default=WHOLE, metavar="I/N", help="every Nth rendered scene from the Ith"
    )
    score.add_argument("--limit", type=int, metavar="N", help="draw at most so many scenes in this run")
    score.add_argument("--resume", type=Path, metavar="FILE", help="add to this report what it has not yet")


def run(args: argparse.Namespace) -> int:
    """Score rendered scenes; exit status 1 when a name was wrong. What is done is told even when interrupted.

    Raise `UsageError` for bad arguments, or where `--resume` is no report or cannot be written.
    """
    asked = args.rendered or args.rendered_chips or 0
    if asked < 1 or (args.limit is not None and args.limit < 1):
        raise UsageError("--rendered, --rendered-chips and --limit: one scene or more")
    part, parts = args.shard
    columns: Sequence[str]
    if args.rendered:
        score, columns = scenes.Scenes(args.seed).score, scenes.COLUMNS
    else:
        score, columns = chip_scenes.ChipScenes(args.seed).score, chip_scenes.COLUMNS
    sums, done, numbers = Sums(columns), 0, list(range(part - 1, asked, parts))
    try:
        known = load_report(args.resume, args.seed, columns[0]) if args.resume else {}
        numbers = within(numbers, known.__contains__, args.limit)
        for done, scene in enumerate(resumed(numbers, known, args.resume, score), start=1):
            for look in scene.looks:
                sums.add(look.tags, look.found, look.ms)
                for name in look.wrong:
                    print(f"scene {scene.scene} ({', '.join(look.tags)}): {name}", file=sys.stderr, flush=True)
            if done % EVERY == 0:
                print(f"{done} of {len(numbers)} scenes", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted: what follows is a part", file=sys.stderr)
    except ReportError as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{args.resume}: cannot be written ({error.strerror}); name another file") from error
    if args.json:
        print(json.dumps({"seed": args.seed, "tags": sums.rows()}))
    else:
        print("\n".join([f"{done} of {len(numbers)} scenes", *sums.table()]))
    return 1 if sums[ALL]["wrong"] else 0
