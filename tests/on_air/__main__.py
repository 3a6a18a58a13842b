"""`python -m tests.on_air`: random evenings at a relay; 0 where no card goes out or shows before its time, else 1.

python -m tests.on_air --seed 7 --count 10000 --report on_air.json      ten thousand hands
python -m tests.on_air --seed 7 --count 10000 --shard 1/4 --report …    a part of them
python -m tests.on_air --seed 7 --count 10000 --report … --resume       goes on where the report ends
python -m tests.on_air --seed 7 --only 312                              one evening again
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.on_air.campaign import Report, evenings, play


def main() -> int:
    args = _parser().parse_args()
    report = Report(args.seed, args.count, "{}/{}".format(*args.shard))
    if args.resume and args.report is not None and args.report.exists():
        asked, report = report, msgspec.json.decode(args.report.read_bytes(), type=Report)
        if (report.seed, report.count, report.shard) != (asked.seed, asked.count, asked.shard):
            print(f"{args.report} is of another run; give its --seed, --count, --shard", file=sys.stderr)
            return 2
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="feltwire-air-", dir=memory if memory.is_dir() else None) as folder:
        numbers = (
            [args.only] if args.only is not None else [n for n in evenings(report) if n not in {*report.done}]
        )
        began = time.monotonic() - report.seconds
        for number in numbers[: args.limit]:
            play(report, number, Path(folder) / "evening")
            report.seconds = round(time.monotonic() - began, 1)
            if args.report is not None and len(report.done) % 10 == 0:
                _write(report, args.report)
    report.finished = not {*evenings(report)} - {*report.done}
    if args.report is not None:
        _write(report, args.report)
    for finding in report.findings:
        print(finding)
    print(f"seed {report.seed}, shard {report.shard}: {len(report.done)} evenings in {report.seconds:.0f} s")
    print(", ".join(f"{count} {what}" for what, count in sorted(report.counts.items())))
    return 1 if report.findings else 0


def _write(report: Report, path: Path) -> None:
    fresh = path.with_name(f".{path.name}")
    fresh.write_bytes(msgspec.json.encode(report) + b"\n")
    fresh.replace(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.on_air", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=10_000, metavar="HANDS")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many evenings in this run")
    parser.add_argument("--only", type=int, metavar="N", help="this evening alone")
    parser.add_argument("--report", type=Path, metavar="FILE")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    return parser


if __name__ == "__main__":
    sys.exit(main())
