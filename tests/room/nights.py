"""`python -m tests.room.nights --count 20 --seed 1`: whole tournaments through real table processes and a broker.

A simulated director presses the station's door, dealers press keypads and pass cards through shoes, as fast as
acknowledged; the broker is a real mosquitto. Every snapshot of the station is checked: no chip is missing,
everybody has one seat. At the end places and prizes are right, the station's copies are the tables' ledgers, the
stacks on the felt are those in the ledgers, and the records replayed are what the page shows. The report (JSON)
grows with every night, so that a run can be resumed.
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

from feltwire.lab.demo.night.command import night_plan, played
from feltwire.lab.demo.night.report import NightReport
from feltwire.lab.demo.night.room import evening_of, open_night
from feltwire.lab.demo.room import RoomPlan, lay_out
from feltwire.table.recovery import destroy_keys
from feltwire.tools.shard import shard
from table_core.messages import Frozen
from tests.feltwire.mosquitto import Mosquitto
from tests.ports import free_base

TABLES = (3, 3, 3, 4)  # one night in four has a fourth


class Nights(Frozen, frozen=True):
    """What the command writes; `finished` once every night of this shard is played."""

    seed: int
    count: int
    shard: str
    finished: bool
    nights: tuple[NightReport, ...]


def play(folder: Path, seed: int, tables: int) -> NightReport:
    """One night in a room of its own, which lies in `folder` afterwards."""
    folder.mkdir(parents=True)
    began = time.monotonic()
    with Mosquitto(folder) as broker:
        plan = RoomPlan(
            folder=folder / "room", tables=tables, seed=seed, speed=0, port=free_base(), broker=broker.url
        )
        plan = night_plan(plan, default_speed=False)
        lay_out(plan)
        try:
            with open_night(plan, evening_of(plan)) as room:
                return played(room, began)
        finally:
            destroy_keys(plan.folder / "data")


def plan_nights(count: int, seed: int) -> list[tuple[int, int]]:
    """Seed and tables of each."""
    return [(seed * 1_000 + no, TABLES[no % len(TABLES)]) for no in range(1, count + 1)]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.nights", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20, metavar="N", help="tournaments (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--report", type=Path, default=Path("nights.json"), metavar="FILE")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    part, parts = args.shard
    nights = plan_nights(args.count, args.seed)[part - 1 :: parts]
    played_before = _resumed(args.report, nights) if args.resume else []
    known = {one.seed for one in played_before}
    todo = [night for night in nights if night[0] not in known][: args.limit]
    done = list(played_before)
    folder = Path(tempfile.mkdtemp(prefix="feltwire-nights-"))
    for seed, tables in todo:
        night = play(folder / f"night-{seed}", seed, tables)
        done.append(night)
        report = Nights(args.seed, args.count, f"{part}/{parts}", len(done) == len(nights), tuple(done))
        args.report.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
        print(_in_words(night), file=sys.stderr, flush=True)
        if night.ok:
            shutil.rmtree(folder / f"night-{seed}", ignore_errors=True)
    wrong = [one for one in done if not one.ok]
    hands, seconds = sum(one.hands for one in done), sum(one.seconds for one in done)
    print(f"{len(done)} of {len(nights)} nights, {hands} hands, {seconds:.0f} s, {len(wrong)} wrong")
    if wrong:
        print(f"rooms are kept in {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def _resumed(report: Path, nights: Sequence[tuple[int, int]]) -> list[NightReport]:
    if not report.exists():
        return []
    before = msgspec.json.decode(report.read_bytes(), type=Nights)
    if not {one.seed for one in before.nights} <= {seed for seed, _ in nights}:
        raise SystemExit(f"{report}: is of another plan; give its --seed, --count and --shard")
    return list(before.nights)


def _in_words(night: NightReport) -> str:
    words = (
        f"seed {night.seed}: {night.tables} tables, {night.players} players, {night.hands} hands, "
        f"{night.rebuys} rebuys, {night.moves} moves, {night.breaks} breaks, "
        f"{night.rounds} rounds hand for hand, {night.coloured} colour-ups, {night.seconds} s"
    )
    return "\n  WRONG: ".join([words, *night.wrong])


if __name__ == "__main__":
    sys.exit(main())
