"""`python -m tests.room.nights --count 20 --seed 1`: whole tournaments through real table processes and a broker.

A simulated director presses the station's door, dealers press keypads and pass cards through shoes, as fast as
acknowledged; the broker is a real mosquitto. Every snapshot of the station is checked: no chip is missing,
everybody has one seat, tables that differ too much have a move proposed. At the end whoever moved left behind the
hand in progress (where moves wait for all hands: while none was played), places and prizes are right,
the station's copies are the tables' ledgers, the stacks on the felt are those in the ledgers, and the records
replayed are what the page shows. The report (JSON) grows with every night, so that a run can be resumed.
Exit status: 0 all of it holds, 1 something does not, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from msgspec.structs import replace as replace_struct

from feltwire.lab.demo.night.command import night_plan, played
from feltwire.lab.demo.night.report import NightReport
from feltwire.lab.demo.night.room import NightRoom, evening_of, levels_of, open_night
from feltwire.lab.demo.room import RULEBOOK, RoomPlan, lay_out
from feltwire.table.recovery import destroy_keys
from feltwire.tools.shard import shard
from table_core.messages import Frozen
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base

TABLES = (3, 3, 3, 4)  # one night in four has a fourth
# Not what the dealers do not know: ccp carries odd chips, under home several post for a bust; wfp has no prizes.
BOOKS = ("base", "rpl", "cpp")
# ccp has moves wait for the hands at all tables; under base every other night does.
WAITING = {
    "balance_waits_for_all_hands": True,
    "clock_stops_for_balancing": True,
    "no_new_hands_while_stopped": True,
}
# Hands of a second: three tables without any pause need more than two cores, and the station falls seconds behind.
SPEED = 20.0
KILLED_SPEED, KILLED_LEVEL_S, KILLED_BREAK_S = 3.0, 45.0, 5.0
LONGEST_PAUSE_S = 6.0  # between two kills
GLANCE_S = 0.1
MOSTLY_BACK = 0.999  # so seldom, glance by glance, a process that is not back yet is killed again


class Nights(Frozen, frozen=True):
    """What the command writes; `finished` once every night of this shard is played."""

    seed: int
    count: int
    shard: str
    finished: bool
    nights: tuple[NightReport, ...]


def play(
    folder: Path, seed: int, tables: int, book: str = RULEBOOK, *, kill: str = "", times: int = 0
) -> NightReport:
    """One night in a room of its own, which lies in `folder` afterwards. `kill` names what is killed (-9) so many
    `times` meanwhile: the station, a table or the broker."""
    folder.mkdir(parents=True)
    began = time.monotonic()
    with Mosquitto(folder) as broker:
        room, url = folder / "room", broker.url
        plan = RoomPlan(
            folder=room, tables=tables, seed=seed, speed=0, port=free_base(), broker=url, rulebook=book
        )
        plan = replace(night_plan(plan, default_speed=False), speed=SPEED)
        if kill:  # slower, so that the night lasts as long as the kills
            plan = replace(plan, speed=KILLED_SPEED, levels=levels_of(KILLED_LEVEL_S, KILLED_BREAK_S))
        lay_out(plan)
        evening = evening_of(plan)
        if book == RULEBOOK and seed % 2:
            evening = replace(evening, house={**evening.house, **WAITING})
        try:
            with (
                open_night(plan, evening) as opened,
                Killer(opened, broker, kill, times if kill else 0) as killer,
            ):
                report = played(opened, began)
            return replace_struct(report, killed=killer.killed, restarts=report.restarts - killer.killed)
        finally:
            destroy_keys(plan.folder / "data")


class Killer:
    """Kills the station, one table after another, or the broker, at seeded moments once cards are in the air."""

    def __init__(self, room: NightRoom, broker: Mosquitto, target: str, times: int) -> None:
        self._room = room
        self._broker = broker
        self._target = target
        self._times = times
        self._rng = random.Random(f"killer/{room.plan.seed}")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"kill {target}", daemon=True)
        self.killed = 0

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while self.killed < self._times and not self._stopping.wait(self._rng.uniform(0, LONGEST_PAUSE_S)):
            if self._room.hands:
                self._strike()

    def _strike(self) -> None:
        if self._target == "broker":
            self._broker.kill()
            self._stopping.wait(self._rng.random())
            self._broker.start()
            self.killed += 1
            return
        name = self._rng.choice([f"table-{table}" for table in self._room.plan.table_ids])
        name = name if self._target == "table" else self._target
        plan, starts = self._room.plan, self._room.supervisor.starts(name)
        url = f"{plan.station_url}/api/clock" if name == "station" else f"{plan.table_url(name[-2:])}/"
        if self._room.supervisor.kill(name):
            self.killed += 1
            while self._room.supervisor.starts(name) == starts and not self._stopping.wait(GLANCE_S):
                pass
            while self._rng.random() < MOSTLY_BACK and not _serves(url) and not self._stopping.wait(GLANCE_S):
                pass


def _serves(url: str) -> bool:
    try:
        urllib.request.urlopen(url, timeout=PATIENCE_S).close()
    except OSError:
        return False
    return True


def plan_nights(count: int, seed: int) -> list[tuple[int, int, str]]:
    """Seed, tables and rulebook of each."""
    return [(seed * 1_000 + no, TABLES[no % len(TABLES)], BOOKS[no % len(BOOKS)]) for no in range(1, count + 1)]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.nights", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20, metavar="N", help="tournaments (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--kill", default="", choices=("station", "table", "broker"), help="kill -9 it meanwhile")
    parser.add_argument("--times", type=int, default=20, metavar="N", help="how often in each night (20)")
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
    for seed, tables, book in todo:
        night = play(folder / f"night-{seed}", seed, tables, book, kill=args.kill, times=args.times)
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


def _resumed(report: Path, nights: Sequence[tuple[int, int, str]]) -> list[NightReport]:
    if not report.exists():
        return []
    before = msgspec.json.decode(report.read_bytes(), type=Nights)
    if not {one.seed for one in before.nights} <= {seed for seed, _, _ in nights}:
        raise SystemExit(f"{report}: is of another plan; give its --seed, --count and --shard")
    return list(before.nights)


def _in_words(night: NightReport) -> str:
    words = (
        f"seed {night.seed}: {night.rulebook}, {night.tables} tables, {night.players} players, "
        f"{night.hands} hands, {night.rebuys} rebuys, {night.moves} moves, {night.breaks} breaks, "
        f"{night.unequal} times unequal ({night.hands_before_move} hands until confirmed, "
        f"{night.hands_after_move} behind it), "
        f"{night.rounds} rounds hand for hand, {night.coloured} colour-ups, {night.seconds} s"
        + (f", {night.killed} kills" if night.killed else "")
    )
    return "\n  WRONG: ".join([words, *night.wrong])


if __name__ == "__main__":
    sys.exit(main())
