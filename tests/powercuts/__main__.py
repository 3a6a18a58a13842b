"""`python -m tests.powercuts --limit 1000`: power cuts at every operation of table, station and relay.

A real room is played while everything that its processes do to their disks is recorded (`shim.c`). Then the disk
is rebuilt as it could stand after a cut behind each write, sync, cut and rename: nothing that was not synced,
everything, some writes, some sectors of 512 bytes. The process starts from each, and all is there that it had
acknowledged, sent or answered before. The report (JSON) grows with every hundred disks, so that a run can be
resumed. `--plant` puts a fault into the processes, which the run must find.
Exit status: 0 nothing was lost, 1 something was, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from table_core.messages import Frozen
from tests.powercuts.campaign import carry_out, plan
from tests.powercuts.planted import PLANTED
from tests.powercuts.record import KINDS, is_recorded, record, recorded

MOST_FAULTS = 50


class Part(Frozen, frozen=True):
    """One process: operations recorded, what it said, cuts there are for this shard, images tried by kind."""

    operations: int
    said: int
    cuts: int
    images: dict[str, int]
    seconds: float
    faults: tuple[str, ...] = ()

    @property
    def done(self) -> int:
        return sum(self.images.values())


class Report(Frozen, frozen=True):
    """What the command writes; `finished` once every process has its images."""

    seed: int
    shard: str
    folder: str
    finished: bool
    parts: dict[str, Part]


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    report = _resumed(args) if args.resume else None
    folder = Path(report.folder) if report else args.folder or Path(tempfile.mkdtemp(prefix="feltwire-powercuts-"))
    if not is_recorded(folder):
        print(f"recording {args.hands} hands, {args.players} players, seed {args.seed}", file=sys.stderr)
        plant = PLANTED[args.plant] if args.plant else ""
        record(folder, args.of, hands=args.hands, players=args.players, seed=args.seed, plant=plant)
    parts = dict(report.parts) if report else {}
    logging.disable(logging.CRITICAL)  # what a process says as it starts from a torn disk is not news
    try:
        for kind in args.of:
            for part in _part(args, folder, kind, parts.get(kind)):
                parts[kind] = part
                _write(args, folder, parts, finished=False)
    finally:
        logging.disable(logging.NOTSET)
    _write(args, folder, parts, finished=True)
    print(_in_words(args.seed, parts))
    if any(part.faults for part in parts.values()):
        print(f"the recording is kept in {folder}")
        return 1
    if args.folder is None:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(prog="python -m tests.powercuts", description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many disks of each process in this run")
    parser.add_argument("--hands", type=int, default=3, metavar="N", help="that the recorded room deals (3)")
    parser.add_argument("--players", type=int, default=12, metavar="N", help="that are registered (12)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--of", type=_kinds, default=KINDS, metavar="A,B", help=", ".join(KINDS))
    parser.add_argument("--plant", choices=PLANTED, help="put a fault into the processes")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the recording is kept, or is")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--report", type=Path, default=Path("powercuts.json"), metavar="FILE")
    return parser


def _kinds(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(KINDS):
        raise argparse.ArgumentTypeError(f"{text!r}: choose from {', '.join(KINDS)}")
    return names


def _resumed(args: argparse.Namespace) -> Report | None:
    if not args.report.exists():
        return None
    before = msgspec.json.decode(args.report.read_bytes(), type=Report)
    same = (before.seed, before.shard) == (args.seed, "{}/{}".format(*args.shard))
    if not (same and is_recorded(Path(before.folder))):
        raise SystemExit(f"{args.report}: is of another run, or its recording in {before.folder} is gone")
    return before


def _part(args: argparse.Namespace, folder: Path, kind: str, before: Part | None) -> Iterator[Part]:
    """The report of one process, growing."""
    one = recorded(folder, kind)
    mine = plan(one, args.seed)[args.shard[0] - 1 :: args.shard[1]]
    part = before or Part(len(one.recording.operations), len(one.recording.said), len(mine), {}, 0.0)
    begun = time.monotonic()
    cuts = mine[part.done :][: args.limit]
    with tempfile.TemporaryDirectory(prefix="feltwire-image-", dir=_in_memory()) as image:
        for chunk in carry_out(one, cuts, args.seed, Path(image) / "image"):
            now = time.monotonic()
            images = dict(Counter(part.images) + chunk.images)
            faults = (*part.faults, *chunk.faults)[:MOST_FAULTS]
            seconds = round(part.seconds + now - begun, 1)
            part, begun = msgspec.structs.replace(part, images=images, faults=faults, seconds=seconds), now
            for fault in chunk.faults[:5]:
                print(f"  LOST: {fault}", file=sys.stderr)
            yield part


def _in_memory() -> str | None:
    """The images need no disk of their own."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _write(args: argparse.Namespace, folder: Path, parts: dict[str, Part], *, finished: bool) -> None:
    report = Report(args.seed, "{}/{}".format(*args.shard), str(folder), finished, parts)
    args.report.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")


def _in_words(seed: int, parts: dict[str, Part]) -> str:
    lines = [f"seed {seed}"]
    for kind, part in parts.items():
        kinds = ", ".join(f"{name} {count}" for name, count in sorted(part.images.items()))
        lines.append(
            f"{kind}: {part.done} of {part.cuts} disks after {part.operations} operations ({kinds}); "
            f"{part.said} things said; {len(part.faults)} lost or wrong; {part.seconds:.0f} s"
        )
    return "\n".join([*lines, *(fault for part in parts.values() for fault in part.faults)])


if __name__ == "__main__":
    sys.exit(main())
