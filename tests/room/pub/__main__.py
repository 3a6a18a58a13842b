"""Friday at a pub: twenty walk-ins, three tables that deal to themselves, no device but phones.

`feltwire home` opens the room; a phone at each table asks for its keys and is let in (one of them Chromium,
touched; the others send what its page sends). The director plays along. Players come late, one is away for some
hands, a bust is undone, tables break, the laptop is closed for a minute, small chips are coloured up, prizes and
points are given out. Printed: taps, presses, what was asked, by kind; and whether chips, places, prizes and points
are right.
Exit status: 0 all of it holds, 1 something does not, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from table_core.messages import Frozen
from tests.room.pub.evening import LID_S, PubReport, play


class Evenings(Frozen, frozen=True):
    """What the command writes, anew after each evening; `finished` once all of this shard are played."""

    seed: int
    count: int
    shard: str
    finished: bool
    evenings: tuple[PubReport, ...]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.pub", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=1, metavar="N", help="evenings, of seeds from --seed on (1)")
    parser.add_argument("--lid", type=float, default=LID_S, metavar="S", help="so long is the laptop closed (60)")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many in this run")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--report", type=Path, default=Path("pub.json"), metavar="FILE")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    part, parts = args.shard
    seeds = list(range(args.seed, args.seed + args.count))[part - 1 :: parts]
    done = list[PubReport]()
    if args.resume and args.report.exists():
        before = msgspec.json.decode(args.report.read_bytes(), type=Evenings)
        done = [one for one in before.evenings if one.seed in seeds]
    known = {one.seed for one in done}
    for seed in [seed for seed in seeds if seed not in known][: args.limit]:
        folder, began = Path(tempfile.mkdtemp(prefix="feltwire-pub-")), time.monotonic()

        def say(sentence: str, began: float = began) -> None:
            if sentence:
                print(f"{time.monotonic() - began:5.0f} s  {sentence}", file=sys.stderr, flush=True)

        one = play(folder, seed, say, lid_s=args.lid)
        done.append(one)
        report = Evenings(args.seed, args.count, f"{part}/{parts}", len(done) == len(seeds), tuple(done))
        args.report.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
        print(in_words(one), flush=True)
        if one.wrong:
            print(f"the room is kept in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if any(one.wrong for one in done) else 0


def in_words(one: PubReport) -> str:
    asked = ", ".join(f"{count} {kind}" for kind, count in one.questions.items())
    lines = [
        f"seed {one.seed}: {one.players} players, {one.hands} hands ({one.with_absent} with somebody away), "
        f"{one.rebuys} rebuys, {one.moves} moves, {one.breaks} tables broken, {one.undone} busts undone, "
        f"{one.coloured} colour-ups, {one.penalties} penalties, {one.points} points, {one.seconds:.0f} s",
        f"{one.taps} taps on the phones ({one.refused_taps} refused), {one.presses} presses of the director; "
        f"asked: {asked or 'nothing'}",
        *(f"WRONG: {what}" for what in one.wrong),
    ]
    return "\n  ".join(lines if one.wrong else [*lines, "Every chip, seat, place, prize and point is right."])


if __name__ == "__main__":
    sys.exit(main())
