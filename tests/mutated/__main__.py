"""`python -m tests.mutated`: the campaign by command."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.mutated.campaign import BLOCK, Campaign, Report, growth_kb, undone

DOORS = ("bus", "http", "serial")
MOST_GROWTH_KB = 20.0  # a thousand cases; a million then add 20 MB at most


def main() -> int:
    args = _parser().parse_args()
    wanted = args.doors.split(",")
    if set(wanted) - {*DOORS}:
        print(f"--doors {args.doors}: choose among {', '.join(DOORS)}", file=sys.stderr)
        return 2
    report = Report(args.seed, args.count, "{}/{}".format(*args.shard), args.doors)
    if args.resume is not None and args.resume.exists():
        asked, report = report, msgspec.json.decode(args.resume.read_bytes(), type=Report)
        if (report.seed, report.count, report.shard, report.doors) != (
            asked.seed,
            asked.count,
            asked.shard,
            asked.doors,
        ):
            print(f"{args.resume} is of another run; give its --seed, --count, --shard, --doors", file=sys.stderr)
            return 2
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="feltwire-mutated-", dir=memory if memory.is_dir() else None))
    try:
        return _run(args, report, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(args: argparse.Namespace, report: Report, folder: Path) -> int:
    campaign = Campaign(report, folder)
    print(f"seed {report.seed}, shard {report.shard}, {report.count} cases", file=sys.stderr)
    if args.only is not None:
        campaign.run(args.only // BLOCK, args.only)
        return 1 if report.findings else 0
    began, ran = time.monotonic() - report.seconds, 0
    for block in undone(campaign):
        if args.limit is not None and ran >= args.limit:
            break
        campaign.run(block)
        ran += BLOCK
        report.seconds = round(time.monotonic() - began, 1)
        _write(report, args.report)
        cases = sum(report.cases.values())
        line = f"\r{cases} cases, {cases / report.seconds:.0f}/s, {len(report.findings)} findings"
        print(line, end="", file=sys.stderr, flush=True)
    report.finished = not list(undone(campaign))
    _write(report, args.report)
    campaign.close()
    print(f"\n{as_text(report)}")
    return 1 if report.findings or growth_kb(report.rss_kb) > MOST_GROWTH_KB else 0


def _write(report: Report, path: Path | None) -> None:
    if path is not None:
        fresh = path.with_name(f".{path.name}")
        fresh.write_bytes(msgspec.json.encode(report) + b"\n")
        fresh.replace(path)


def as_text(report: Report) -> str:
    lines = [f"seed {report.seed}, shard {report.shard}: {report.cases}, {report.invalid} of them invalid"]
    lines.append(f"{report.seconds:.0f} s; answers {report.statuses}")
    rss = report.rss_kb or [0]
    lines.append(
        f"memory {rss[0] / 1024:.0f} to {rss[-1] / 1024:.0f} MB, {growth_kb(rss):+.1f} kB a thousand cases"
    )
    lines += [f"{one.case} {one.door} {one.how} {one.where}: {one.what}" for one in report.findings]
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutated",
        description="Mutated messages, requests and frames: no process ends, no 5xx, nothing changed by what "
        "is invalid. Exit 0: it held, 1: findings, 2: called wrongly.",
        epilog="example: python -m tests.mutated --count 10000 --seed 3 --report mutated.json",
    )
    parser.add_argument("--doors", default=",".join(DOORS), help="bus,http,serial")
    parser.add_argument("--count", type=int, default=1_000_000, help="cases of the whole campaign")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--shard", type=shard, default=(1, 1), metavar="I/N", help="every Nth thousand from the Ith"
    )
    parser.add_argument("--limit", type=int, help="stop after so many cases of this call")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written after every thousand")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a report")
    parser.add_argument("--only", type=int, metavar="CASE", help="play it again, after those before")
    return parser


if __name__ == "__main__":
    sys.exit(main())
