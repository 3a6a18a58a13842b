"""`python -m tests.delay_box`: a day at a delay box in which everything fails; 0: none came early, else 1.

python -m tests.delay_box --hours 24 --report box.json            on a virtual clock, with a real encrypted ring
python -m tests.delay_box --hours 240 --shard 1/4 --report …      a part of them
python -m tests.delay_box --hours 240 --report … --resume         goes on where the report ends
python -m tests.delay_box --only 17                               one hour again
python -m tests.delay_box --planted                               faults put into the box, which it must notice
python -m tests.delay_box --skew srt --seconds 60                 real programs: the video beside the graphics
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.delay_box.campaign import PLANTED, Report, hours, play
from tests.delay_box.skew import WAYS, skew

MEMORY = Path("/dev/shm")


def main() -> int:
    args = _parser().parse_args()
    logging.disable(logging.CRITICAL)
    if args.skew:
        return skew(args.skew, args.seconds)
    if args.planted:
        return _all_planted(args.seed)
    report = Report(args.seed, args.hours, "{}/{}".format(*args.shard))
    if args.resume and args.report is not None and args.report.exists():
        asked, report = report, msgspec.json.decode(args.report.read_bytes(), type=Report)
        if (report.seed, report.hours, report.shard) != (asked.seed, asked.hours, asked.shard):
            print(f"{args.report} is of another run; give its --seed, --hours, --shard", file=sys.stderr)
            return 2
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        numbers = [args.only] if args.only is not None else [n for n in hours(report) if n not in {*report.done}]
        began = time.monotonic() - report.seconds
        for number in numbers[: args.limit]:
            play(report, number, Path(folder))
            report.seconds = round(time.monotonic() - began, 1)
            _write(report, args.report)
    report.finished = not {*hours(report)} - {*report.done}
    _write(report, args.report)
    for finding in report.findings:
        print(finding)
    print(f"seed {report.seed}, shard {report.shard}: {len(report.done)} hours in {report.seconds:.0f} s")
    black = f"{report.black_ms // 1_000} s black"
    print(f"{report.pictures} pictures out, {report.early} early, {report.late} late, {black}")
    print(", ".join(f"{count} {what}" for what, count in sorted(report.faults.items())))
    return 1 if report.findings else 0


def _all_planted(seed: int) -> int:
    """Whether the run finds each fault."""
    missed = []
    for name, plant in PLANTED.items():
        report = Report(seed, 1, "1/1")
        with tempfile.TemporaryDirectory() as folder, plant():
            play(report, 0, Path(folder))
        print(f"{name}: {report.findings[0] if report.findings else 'not found'}")
        missed += [] if report.findings else [name]
    return 1 if missed else 0


def _write(report: Report, path: Path | None) -> None:
    if path is not None:
        fresh = path.with_name(f".{path.name}")
        fresh.write_bytes(msgspec.json.encode(report) + b"\n")
        fresh.replace(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.delay_box", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hours", type=int, default=24, metavar="N", help="of the virtual clock (24)")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="only this part")
    parser.add_argument("--report", type=Path, metavar="FILE", help="a JSON file that grows")
    parser.add_argument("--resume", action="store_true", help="go on with the report")
    parser.add_argument("--only", type=int, metavar="N", help="one hour")
    parser.add_argument("--planted", action="store_true", help="with faults put into the box")
    parser.add_argument("--skew", choices=WAYS, help="measure with real programs instead")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="of that (60)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
