"""`python -m tests.room.kills --each 20 --seed 7`: kill -9 of every process under load, and nothing is lost.

Rooms deal hands as fast as acknowledged; table, station, embedded broker, a real mosquitto, relay and clock are
killed at seeded moments of a hand, at named calls of the process, and at any time. The report (JSON) grows with
every room, so that a run can be resumed. Exit status: 0 nothing was lost, 1 something was, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec

from feltwire.runtime.children import ChildSpec
from feltwire.tools.shard import shard
from table_core.messages import Frozen
from tests.powercuts.planted import PLANTED, planted
from tests.room.killing import TARGETS, Kill, Killed, Outcome, kill_in_rooms, plan_kills, process_of

PER_ROOM = 20


class Report(Frozen, frozen=True):
    """What the command writes; `finished` once every kill of this shard is done."""

    seed: int
    each: int
    shard: str
    finished: bool
    planned: int
    killed: int
    by_target: dict[str, dict[str, int]]  # kills by process and moment
    longest_back_s: dict[str, float]
    wrong: tuple[str, ...]
    hands: int
    events: int
    frames: int
    snapshots: int
    released: int
    dealer: dict[str, int]  # extra work of the dealer in the hands with a kill
    outcomes: tuple[Outcome, ...]


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    kills = shard_of(plan_kills(args.targets, args.each, args.seed), args.shard)
    outcomes = _resumed(args, kills) if args.resume else []
    todo = _not_done(kills, outcomes)[: args.limit]
    print(f"seed {args.seed}: {len(todo)} kills to do, {len(kills) - len(todo)} done or left out", file=sys.stderr)
    folder = Path(tempfile.mkdtemp(prefix="feltwire-kills-"))
    rooms = partial(kill_in_rooms, seed=args.seed, per_room=PER_ROOM, on_kill=_say)
    for outcome in rooms(todo, folder, child=partial(_with_fault, args.plant)):
        outcomes.append(outcome)
        report = _report(args, kills, outcomes)
        args.report.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
        for wrong in outcome.wrong:
            print(f"  WRONG: {wrong}", file=sys.stderr)
    report = _report(args, kills, outcomes)
    print(_in_words(report))
    if report.wrong:
        print(f"rooms are kept in {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.room.kills", description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=20, metavar="N", help="kills of each process (20)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--targets", type=_targets, default=TARGETS, metavar="A,B", help=", ".join(TARGETS))
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many kills in this run")
    parser.add_argument("--plant", choices=PLANTED, help="put a fault into the table, which must be found")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--report", type=Path, default=Path("kills.json"), metavar="FILE")
    return parser


def _with_fault(plant: str | None, child: ChildSpec) -> ChildSpec:
    """A table with a fault put into it; any other process as it is."""
    if plant is None or child.name != process_of("table"):
        return child
    return replace(child, argv=planted(child.argv, PLANTED[plant]))


def _targets(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(TARGETS):
        raise argparse.ArgumentTypeError(f"{text!r}: choose from {', '.join(TARGETS)}")
    return names


def shard_of(kills: list[Kill], shard: tuple[int, int]) -> list[Kill]:
    part, parts = shard
    return kills[part - 1 :: parts]


def _resumed(args: argparse.Namespace, kills: Sequence[Kill]) -> list[Outcome]:
    if not args.report.exists():
        return []
    before = msgspec.json.decode(args.report.read_bytes(), type=Report)
    known = set(kills)
    if any(one.kill not in known for outcome in before.outcomes for one in outcome.killed):
        raise SystemExit(f"{args.report}: is of another plan; give its --seed, --each, --targets and --shard")
    return list(before.outcomes)


def _not_done(kills: Sequence[Kill], outcomes: Sequence[Outcome]) -> list[Kill]:
    done = {one.kill.no for outcome in outcomes for one in outcome.killed}
    return [kill for kill in kills if kill.no not in done]


def _report(args: argparse.Namespace, kills: Sequence[Kill], outcomes: Sequence[Outcome]) -> Report:
    killed = [one for outcome in outcomes for one in outcome.killed]
    targets = sorted({one.kill.target for one in killed})
    return Report(
        seed=args.seed,
        each=args.each,
        shard="{}/{}".format(*args.shard),
        finished=not _not_done(kills, outcomes),
        planned=len(kills),
        killed=len(killed),
        by_target={t: dict(Counter(one.kill.moment for one in killed if one.kill.target == t)) for t in targets},
        longest_back_s={t: max(one.back_s for one in killed if one.kill.target == t) for t in targets},
        wrong=tuple(wrong for outcome in outcomes for wrong in outcome.wrong),
        hands=sum(outcome.hands for outcome in outcomes),
        events=sum(outcome.events for outcome in outcomes),
        frames=sum(outcome.frames for outcome in outcomes),
        snapshots=sum(outcome.snapshots for outcome in outcomes),
        released=sum(outcome.released for outcome in outcomes),
        dealer={
            name: sum(getattr(outcome, name) for outcome in outcomes)
            for name in ("corrections", "questions", "counts", "late")
        },
        outcomes=tuple(outcomes),
    )


def _say(killed: Killed) -> None:
    kill = killed.kill
    print(
        f"kill {kill.no}: {kill.target} while {kill.moment}, hand {killed.hand} event {killed.seq}, "
        f"back after {killed.back_s} s",
        file=sys.stderr,
    )


def _in_words(report: Report) -> str:
    lines = [f"{report.killed} of {report.planned} kills, {report.hands} hands, {report.events} events"]
    for target, moments in report.by_target.items():
        when = ", ".join(f"{moment} {count}" for moment, count in sorted(moments.items()))
        lines.append(f"{target}: {sum(moments.values())} ({when}), back within {report.longest_back_s[target]} s")
    lines.append(f"{len(report.wrong)} things wrong; dealer's extra work: {report.dealer}")
    return "\n".join([*lines, *report.wrong])


if __name__ == "__main__":
    sys.exit(main())
