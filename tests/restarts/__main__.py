"""`python -m tests.restarts`: the campaign by command."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.restarts.campaign import BLOCK, Campaign, Report, as_text


def main() -> int:
    args = _parser().parse_args()
    report = Report(args.seed, args.count, "{}/{}".format(*args.shard))
    if args.resume is not None and args.resume.exists():
        asked, report = report, msgspec.json.decode(args.resume.read_bytes(), type=Report)
        if (report.seed, report.count, report.shard) != (asked.seed, asked.count, asked.shard):
            print(f"{args.resume} is of another run; give its --seed, --count, --shard", file=sys.stderr)
            return 2
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="feltwire-restarts-", dir=memory if memory.is_dir() else None))
    try:
        return _run(args, report, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(args: argparse.Namespace, report: Report, folder: Path) -> int:
    campaign = Campaign(report, folder)
    began, ran = time.monotonic() - report.seconds, 0
    wanted = [args.only // BLOCK] if args.only is not None else campaign.blocks()
    for block in (block for block in wanted if block not in report.done):
        if args.limit is not None and ran >= args.limit:
            break
        campaign.run(block)
        ran += BLOCK
        report.seconds = round(time.monotonic() - began, 1)
        _write(report, args.report)
        cases = sum(report.cases.values())
        line = f"\r{cases} cases, {cases / report.seconds:.0f}/s, {len(report.findings)} findings"
        print(line, end="", file=sys.stderr, flush=True)
    report.finished = {*report.done} >= {*campaign.blocks()}
    _write(report, args.report)
    campaign.close()
    print(f"\n{as_text(report)}")
    return 1 if report.findings else 0


def _write(report: Report, path: Path | None) -> None:
    if path is not None:
        fresh = path.with_name(f".{path.name}")
        fresh.write_bytes(msgspec.json.encode(report) + b"\n")
        fresh.replace(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.restarts",
        description="Every door, then a restart: what was accepted keeps no process from starting, none of it is "
        "lost, and no door raises. Exit 0: it held, 1: findings, 2: called wrongly.",
        epilog="example: python -m tests.restarts --count 20000 --seed 3 --report restarts.json",
    )
    parser.add_argument("--count", type=int, default=20_000, help="cases of the whole campaign")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--shard", type=shard, default=(1, 1), metavar="I/N", help="every Nth block of 200 from the Ith"
    )
    parser.add_argument("--limit", type=int, help="stop after so many cases of this call")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written after every block")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a report")
    parser.add_argument("--only", type=int, metavar="CASE", help="the block of that case alone")
    return parser


if __name__ == "__main__":
    sys.exit(main())
