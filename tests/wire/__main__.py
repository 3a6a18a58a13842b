"""`python -m tests.wire PROOF`: the long proofs of the wire under the table."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.wire import board, bounce, cable, deals, power, streams
from tests.wire.proof import Counts, Finding, Proof

PROOFS = {
    "streams": streams.PROOF,
    "cable": cable.PROOF,
    "power": power.PROOF,
    "board": board.PROOF,
    "bounce": bounce.PROOF,
    "deals": deals.PROOF,
}
WRITTEN_EVERY_S = 5.0


class Report(msgspec.Struct):
    """How far a run is. `next`: the first case of the shard that has not been played."""

    proof: str
    seed: int
    shard: str
    next: int = 0
    seconds: float = 0.0
    counts: dict[str, int] = {}
    findings: list[str] = []
    finished: bool = False


def main() -> int:
    args = _parser().parse_args()
    report = Report(args.proof, args.seed, "{}/{}".format(*args.shard))
    if args.resume is not None and args.resume.exists():
        before = msgspec.json.decode(args.resume.read_bytes(), type=Report)
        if (before.proof, before.seed, before.shard) != (report.proof, report.seed, report.shard):
            print(f"{args.resume} is of another run; give its proof, --seed and --shard", file=sys.stderr)
            return 2
        report = before
    proof = PROOFS[args.proof]
    print(f"{proof.about}: seed {report.seed}, shard {report.shard}", file=sys.stderr)
    played(proof, report, args)
    _write(report, args.resume or args.report)
    print("\n".join([*proof.figures(Counter(report.counts)), *report.findings]))
    print(
        f"seed {report.seed}, shard {report.shard}, {report.seconds:.0f} s, {len(report.findings)} findings"
        f"{'' if report.finished else ', not finished'}"
    )
    return 1 if report.findings else 0


def played(proof: Proof, report: Report, args: argparse.Namespace) -> None:
    """Every Nth case of the shard, from where the report is."""
    part, parts = args.shard
    mine = range(part - 1, proof.cases(), parts)
    began, wrote, counts = time.monotonic() - report.seconds, time.monotonic(), Counter(report.counts)
    end = len(mine) if args.limit is None else min(len(mine), report.next + args.limit)
    while report.next < end:
        _play(proof, mine[report.next], report, counts)
        report.next += 1
        if time.monotonic() - wrote > WRITTEN_EVERY_S:
            wrote = time.monotonic()
            report.counts, report.seconds = dict(counts), round(wrote - began, 1)
            _write(report, args.resume or args.report)
            print(f"\r{report.next} of {len(mine)}, {len(report.findings)} findings", end="", file=sys.stderr)
    report.counts, report.seconds = dict(counts), round(time.monotonic() - began, 1)
    report.finished = report.next == len(mine)


def _play(proof: Proof, case: int, report: Report, counts: Counts) -> None:
    try:
        counts.update(proof.run(case, report.seed))
    except Finding as found:
        report.findings.append(f"case {case}: {found}")


def _write(report: Report, path: Path | None) -> None:
    if path is not None:
        fresh = path.with_name(f".{path.name}")
        fresh.write_bytes(msgspec.json.encode(report) + b"\n")
        fresh.replace(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.wire",
        description="The long proofs of the wire: "
        + "; ".join(f"{name}: {proof.about}" for name, proof in PROOFS.items())
        + ". Exit 0: all held, 1: findings, 2: called wrongly.",
        epilog="example: python -m tests.wire streams --shard 1/4 --resume streams-1.json",
    )
    parser.add_argument("proof", choices=PROOFS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="every Nth case from the Ith")
    parser.add_argument("--limit", type=int, help="stop after so many cases of this call")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written every few seconds")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="the same, and go on where it ends")
    return parser


if __name__ == "__main__":
    sys.exit(main())
