"""Faults, staged and counted (docs/faults.md).

    python -m tests.faults --hands 10000 --seed 4 --rendered 500 --report faults.json
    python -m tests.faults --hands 500 --seed 5 --rendered 500 --only wrong_seat --keep look    # or --only 118

One process draws the faults and writes them where no table looks, this one deals the hands, a third one is the
table; plan and ledger are joined afterwards. The report grows with every hundred hands. `measure` writes the rates
that camera readings are drawn from. Exit status: 0 everything holds, 1 something does not, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.faults.camera import RATES, Rates
from tests.faults.join import join
from tests.faults.judge import Verdict
from tests.faults.plan import PlannedTable, draw, only, read_plan, write_plan
from tests.faults.report import Least, Report, as_table, failures, meanings, rows_of
from tests.faults.room import ROOT


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    if args.command == "draw":
        write_plan(args.plan, draw(args.seed, args.hands, args.rendered))
        return 0
    if args.command == "measure":
        return _measure(args)
    if args.command == "kinds":
        print(meanings())
        return 0
    return _run(args)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = ("run", "draw", "measure", "kinds")
    parser.add_argument("command", nargs="?", choices=commands, default="run", help="run is all of it")
    parser.add_argument("--hands", type=int, default=10_000, metavar="N", help="hands to deal, or to measure on")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument(
        "--rendered", type=int, default=0, metavar="N", help="the first N hands with real pictures"
    )
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many hands in this run")
    parser.add_argument(
        "--only",
        metavar="HAND|KIND",
        help="to look into something: the hands at one table up to this one, or all of this kind and no others",
    )
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--report", type=Path, default=Path("faults.json"), metavar="FILE")
    parser.add_argument("--plan", type=Path, metavar="DIR", help="where draw writes its plan")
    parser.add_argument("--rates", type=Path, default=RATES, metavar="FILE", help="what measure writes")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep plan, doings and ledgers here")
    return parser


def _measure(args: argparse.Namespace) -> int:
    from tests.faults.measure import measure, write_rates

    write_rates(measure(args.hands, args.seed), args.rates, args.seed)
    return 0


def _run(args: argparse.Namespace) -> int:
    before = _resumed(args)
    folder = args.keep or Path(tempfile.mkdtemp(prefix="feltwire-faults-", dir=_memory()))
    plan = folder / "plan"
    asked = [f"--seed={args.seed}", f"--hands={args.hands}", f"--rendered={args.rendered}", f"--plan={plan}"]
    subprocess.run([sys.executable, "-m", "tests.faults", "draw", *asked], check=True, cwd=ROOT)
    part, parts = args.shard
    mine = list(read_plan(plan))[part - 1 :: parts]
    if args.only is not None:
        mine = only(args.only, mine)
    todo = [table for table in mine if before is None or table.no not in before.tables]
    if args.limit is not None:
        todo = [table for at, table in enumerate(todo) if sum(len(one.hands) for one in todo[:at]) < args.limit]
    print(f"seed {args.seed}: {len(todo)} of {len(mine)} tables to deal", file=sys.stderr)
    report = _deal(args, folder, mine, todo, before)
    print(as_table(report))
    if args.keep is None:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if report.failed else 0


def _resumed(args: argparse.Namespace) -> Report | None:
    if not args.resume or not args.report.exists():
        return None
    before = msgspec.json.decode(args.report.read_bytes(), type=Report)
    same = (before.seed, before.hands, before.rendered, before.shard)
    if same != (args.seed, args.hands, args.rendered, _words(args)):
        print(f"{args.report}: is of another run; give its --seed, --hands, --rendered, --shard", file=sys.stderr)
        raise SystemExit(2)
    return before


def _deal(
    args: argparse.Namespace,
    folder: Path,
    mine: Sequence[PlannedTable],
    todo: Sequence[PlannedTable],
    before: Report | None,
) -> Report:
    """Deal table after table; the report is written after each."""
    from tests.faults.shift import BOOK, Shift

    rates, least = Rates.load(args.rates), Least.load()
    verdicts: list[Verdict] = list(before.verdicts) if before is not None else []
    tables = list(before.tables) if before is not None else []
    dealt = before.dealt if before is not None else 0
    began = time.monotonic() - (before.seconds if before is not None else 0.0)
    report = _report(args, mine, tables, dealt, began, verdicts, least)
    for table in todo:
        at = folder / f"table-{table.no:04}"
        done = folder / "plan" / f"done-{table.no:04}.jsonl"
        Shift(table, at, rates).deal(done)
        verdicts += join(at / "table.ledger", done, BOOK)
        tables.append(table.no)
        dealt += len(table.hands)
        report = _report(args, mine, tables, dealt, began, verdicts, least)
        args.report.write_bytes(msgspec.json.encode(report) + b"\n")
        if args.keep is None:
            shutil.rmtree(at, ignore_errors=True)
        print(f"\r{len(tables)} of {len(mine)} tables", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return report


def _report(
    args: argparse.Namespace,
    mine: Sequence[PlannedTable],
    tables: Sequence[int],
    dealt: int,
    began: float,
    verdicts: Sequence[Verdict],
    least: Least,
) -> Report:
    rows = rows_of(verdicts, least)
    return Report(
        seed=args.seed,
        hands=args.hands,
        shard=_words(args),
        rendered=args.rendered,
        finished=len(tables) == len(mine),
        tables=tuple(tables),
        dealt=dealt,
        seconds=round(time.monotonic() - began, 1),
        rows=rows,
        failed=failures(rows, least),
        verdicts=tuple(verdicts),
    )


def _words(args: argparse.Namespace) -> str:
    return "{}/{}".format(*args.shard)


def _memory() -> Path | None:
    """Ledgers of simulated tables go to memory where there is some: durability is another proof's matter."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() else None


if __name__ == "__main__":
    sys.exit(main())
