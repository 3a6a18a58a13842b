"""`python -m tests.room.leak --corrupted`: deals that deviate from the books, at tables in memory.

python -m tests.room.leak --corrupted --hands 1000 --seed 7 --report corrupted.json
python -m tests.room.leak --corrupted --hands 1000 --report corrupted.json --resume  goes on where the report ends
python -m tests.room.leak --corrupted --hands 1000 --only 17                         one table again, step by step

Every table has a seed of its own, a device set, and a few hands. What is judged is what truly lay on the felt:
every card that became public was face up. Exit status 0 when that holds, else 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from feltwire.tools.shard import shard
from tests.room.leak.corrupted_hand import UNDER_CAMERA, CorruptedHand, drawn_corruption
from tests.room.leak.corrupted_table import DEVICE_SETS, CorruptedTable

HANDS_A_TABLE = 4
SETS = ("all", "all", "all", "shoe and keys", "shoe and keys", "camera and keys", "keys", "screen")


class TableFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One table: what was dealt there, and what became public that did not lie face up."""

    no: int
    devices: str
    hands: int
    corruptions: dict[str, int]
    board_cards: int  # that became public, of any source
    from_the_shoe: int  # cards that the shoe named
    restarts: int
    undone: int
    leaks: tuple[str, ...]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    seed: str
    hands: int
    shard: str
    finished: bool
    total: dict[str, int]
    leaks: int
    tables: tuple[TableFigures, ...]


def table_of(seed: str, no: int, hands: int, *, counting: bool | None = None, tell: bool = False) -> TableFigures:
    """Deal `hands` at table `no` of this seed. `counting`: whether its shoe sees every card leave; None: every
    second one's does."""
    chance = random.Random(f"{seed}/{no}")
    beside = random.Random(f"{seed}/{no}/camera")  # drawn apart: tables of this seed stay what they were
    shoe = random.Random(f"{seed}/{no}/shoe")  # this too
    devices = SETS[no % len(SETS)]
    counts = shoe.random() < 0.5 if counting is None else counting
    with tempfile.TemporaryDirectory(prefix="feltwire-corrupted-") as folder:
        table = CorruptedTable(
            Path(folder), chance.choice([2, 3, 4, 6, 6, 9]), DEVICE_SETS[devices], counting=counts
        )
        alternating = chance.random() < 0.5
        corruptions: Counter[str] = Counter()
        leaks: list[str] = []
        for hand in range(hands):
            corruption = drawn_corruption(chance)
            corruptions[corruption.kind] += 1
            under_camera = beside.choice(UNDER_CAMERA)
            table.actions.append(f"--- hand {hand}: {corruption} {under_camera}")
            CorruptedHand(
                table, chance, corruption, hand % 2 if alternating else 0, under_camera=under_camera, shoe=shoe
            ).play()
            leaks += [f"hand {hand} ({corruption.kind}): {card} in {text[:300]}" for card, text in table.leaked]
            if tell and table.leaked:
                print("\n".join(table.actions), *leaks[:3], sep="\n")
                break
            table.leaked.clear()
    return TableFigures(
        no=no,
        devices=f"{devices}, a shoe that counts" if table.counting else devices,
        hands=hands,
        corruptions=dict(corruptions),
        board_cards=table.public_cards["board"],
        from_the_shoe=table.public_cards["shoe"],
        restarts=table.actions.count("restart") + table.actions.count("power cut"),
        undone=table.actions.count("key UNDO"),
        leaks=tuple(dict.fromkeys(leaks)),
    )


def main(argv: Sequence[str]) -> int:
    args = _parser().parse_args(argv)
    if args.only is not None:
        return 1 if table_of(args.seed, args.only, HANDS_A_TABLE, tell=True).leaks else 0
    part, parts = args.shard
    numbers = [*range(-(-args.hands // HANDS_A_TABLE))][part - 1 :: parts]
    done = _resumed(args) if args.resume else []
    known = {one.no for one in done}
    for no in [no for no in numbers if no not in known][: args.limit]:
        done.append(table_of(args.seed, no, min(HANDS_A_TABLE, args.hands - no * HANDS_A_TABLE)))
        for leak in done[-1].leaks[:2]:
            print(f"table {no} ({done[-1].devices}): {leak}", file=sys.stderr)
        if args.report:
            _write(args, _report(args, numbers, done))
    report = _report(args, numbers, done)
    print(json.dumps(msgspec.to_builtins(msgspec.structs.replace(report, tables=())), indent=2))
    return 1 if report.leaks else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.room.leak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--corrupted", action="store_true", help="deals off the books; without it rooms are attacked"
    )
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--seed", default="7")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many tables in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--only", type=int, metavar="TABLE", help="this table alone, told step by step")
    parser.add_argument("--report", type=Path, metavar="FILE")
    return parser


def _resumed(args: argparse.Namespace) -> list[TableFigures]:
    if not args.report or not args.report.exists():
        return []
    before = msgspec.json.decode(args.report.read_bytes(), type=Report)
    if (before.seed, before.hands, before.shard) != (args.seed, args.hands, "{}/{}".format(*args.shard)):
        raise SystemExit(f"{args.report}: is of another plan; give it the options that it was begun with")
    return [*before.tables]


def _report(args: argparse.Namespace, numbers: Sequence[int], done: Sequence[TableFigures]) -> Report:
    total: Counter[str] = Counter()
    for one in done:
        total.update({f"corruption: {kind}": count for kind, count in one.corruptions.items()})
        total.update({f"devices: {one.devices}": one.hands})
        total.update(
            hands=one.hands,
            board_cards=one.board_cards,
            from_the_shoe=one.from_the_shoe,
            restarts=one.restarts,
            undone=one.undone,
        )
    return Report(
        seed=args.seed,
        hands=args.hands,
        shard="{}/{}".format(*args.shard),
        finished={one.no for one in done} >= set(numbers),
        total=dict(sorted(total.items())),
        leaks=sum(len(one.leaks) for one in done),
        tables=tuple(sorted(done, key=lambda one: one.no)),
    )


def _write(args: argparse.Namespace, report: Report) -> None:
    fresh = args.report.with_suffix(".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    fresh.replace(args.report)
