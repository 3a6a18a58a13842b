"""`python -m tests.room.leak`: 0 when nothing hidden was found, 1 when something was.

python -m tests.room.leak --hands 200 --seed 7 --tables 2 --report leak.json
python -m tests.room.leak --hands 200 --shard 1/4          every fourth part has its own seed
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from feltwire.recovery import destroy_keys
from tests.room.leak.examine import Examined, examine
from tests.room.leak.room import Attack, attack


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.leak", description=__doc__)
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--limit", type=int, help="at most so many hands")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="the I-th of N parts of the hands")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--delay", default="never", help="the relay's delay_s (never)")
    parser.add_argument("--kills", type=int, default=6, help="tables killed in mid-hand")
    parser.add_argument("--port", type=int, default=0, help="first port of the room (any that are free)")
    parser.add_argument("--room", type=Path, help="keep the room's files in this folder")
    parser.add_argument("--report", type=Path, help="JSON file for the figures")
    arguments = parser.parse_args()
    shard, shards = (int(part) for part in arguments.shard.split("/"))
    hands = min(arguments.hands // shards, arguments.limit or arguments.hands)
    seed = arguments.seed + shard - 1
    print(f"{hands} hands, seed {seed}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="feltwire-leak-") as folder:
        got = attack(
            arguments.room or Path(folder),
            hands=hands, seed=seed, tables=arguments.tables, port=arguments.port,
            delay_s=arguments.delay, kills=arguments.kills,
        )  # fmt: skip
        result = examine(got)
        figures = report(got, result, seed)
        destroy_keys(got.plan.folder / "data")
    text = json.dumps(figures, indent=2)
    print(text)
    if arguments.report:
        arguments.report.write_text(text + "\n")
    return 1 if result.findings or got.stuck else 0


def report(got: Attack, result: Examined, seed: int) -> dict[str, object]:
    return {
        "seed": seed,
        "hands": result.hands,
        "hidden_cards": result.hidden_cards,
        "seconds": round(got.seconds, 1),
        "bytes_read": got.capture.bytes,
        "readings": sum(got.capture.readings.values()),
        "different": len(got.capture.kept),
        "streams": len(got.capture.streams),
        "streams_by_kind": dict(Counter(stream.split(" ")[0] for stream in got.capture.streams)),
        "credentials": sorted(got.let_in),
        "refused": got.refused,
        "messages": result.messages,
        "public_cards_named": result.cards_named,
        "commitments": result.commitments,
        "salts_tried": result.salts_tried,
        "sealed_boxes": result.boxes,
        "sealed_boxes_as_dealt": result.boxes_checked,
        "recovery_boxes": result.recovery_boxes,
        "recovery_boxes_opened": result.recovery_boxes_opened,
        "faults": dict(Counter(got.faults)),
        "kills": got.kills,
        "stuck": got.stuck,
        "findings": dict(result.findings.most_common()),
        "samples": result.samples,
    }


if __name__ == "__main__":
    sys.exit(main())
