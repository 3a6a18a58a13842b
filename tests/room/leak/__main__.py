"""`python -m tests.room.leak`: 0 when nothing hidden was found, 1 when something was.

python -m tests.room.leak --hands 200 --seed 7 --tables 2 --report leak.json
python -m tests.room.leak --hands 200 --report leak.json --resume     goes on where the report ends
python -m tests.room.leak --hands 200 --shard 1/4                     every fourth room of the plan
python -m tests.room.leak --corrupted --hands 1000 --seed 7           deals off the books, at tables in memory

The hands are dealt in rooms of fifty, each with a seed of its own; the report grows with every room.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from feltwire.table.recovery import destroy_keys
from feltwire.tools.shard import shard
from tests.room.leak import corrupted
from tests.room.leak.examine import Examined, examine
from tests.room.leak.on_air import OnAir
from tests.room.leak.room import Attack, attack

PER_ROOM = 50
STYLES_EVERY = 3  # rooms on air: a browser costs as much as a table


class Planned(NamedTuple):
    """One room of the plan."""

    no: int
    seed: int
    hands: int
    kills: int


class RoomFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What was looked at in one room, and what was found."""

    no: int
    seed: int
    hands: int
    hidden_cards: int
    seconds: float
    bytes_read: int
    readings: int
    different: int
    streams: int
    streams_by_kind: dict[str, int]
    credentials: tuple[str, ...]
    refused: dict[str, str]
    messages: int
    public_cards_named: int
    commitments: int
    commitments_tried: int
    values_tried: int
    pictures: dict[str, int]
    cards_in_pictures: int
    timed: int
    times_far: dict[str, float]
    signed_in: tuple[str, ...]
    backups: int
    sealed_boxes: int
    sealed_boxes_as_dealt: int
    recovery_boxes: int
    recovery_boxes_opened: int
    faults: dict[str, int]
    cards_on_air: int = 0
    guessed: int = 0
    trouble: dict[str, int] = {}
    kills: int
    stuck: bool
    findings: dict[str, int]
    samples: dict[str, str]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """`finished` once every room of this shard was examined. `total` adds the rooms up."""

    seed: int
    hands: int
    tables: int
    delay: str
    kills: int
    on_air: str = ""
    air_s: str = ""
    cameras: int = -1
    shard: str
    per_room: int
    finished: bool
    total: dict[str, float]
    faults: dict[str, int]
    findings: dict[str, int]
    stuck: int
    rooms: tuple[RoomFigures, ...]


def main(argv: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if argv is None else argv
    if "--corrupted" in given:
        return corrupted.main(given)
    args = _parser().parse_args(given)
    rooms = shard_of(plan(args.hands, args.seed, args.kills, args.per_room), args.shard)
    done = _resumed(args) if args.resume else []
    todo = not_done(rooms, done)[: args.limit]
    left = len(rooms) - len(todo)
    print(f"seed {args.seed}: {len(todo)} rooms to attack, {left} done or left out", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="feltwire-leak-") as folder:
        for planned in todo:
            done.append(_attack(planned, args.room or Path(folder), args))
            _write(args, report_of(args, rooms, done))
    report = report_of(args, rooms, done)
    _write(args, report)
    print(json.dumps(msgspec.to_builtins(msgspec.structs.replace(report, rooms=())), indent=2))
    return 1 if report.findings or report.stuck else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.room.leak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many rooms in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--delay", default="never", help="the relay's delay_s (never)")
    parser.add_argument("--kills", type=int, default=6, help="tables killed in mid-hand, over all rooms")
    parser.add_argument("--per-room", type=int, default=PER_ROOM, metavar="N", help="hands in one room (50)")
    parser.add_argument(
        "--on-air",
        choices=("kept", "folded"),
        default="",
        help="hands go out while others are dealt, with `folded` those that folded, too: the relay is killed, its "
        "delays change, a producer presses everything",
    )
    parser.add_argument("--air", dest="air_s", default="", metavar="SECONDS", help="the first air delay")
    parser.add_argument("--cameras", type=int, default=-1, metavar="N", help="so many tables have one (all)")
    parser.add_argument("--stolen", action="store_true", help="thieves forge with every certificate meanwhile")
    parser.add_argument("--port", type=int, default=0, help="first port of the room (any that are free)")
    parser.add_argument("--room", type=Path, help="keep the rooms' files in this folder")
    parser.add_argument("--report", type=Path, default=Path("leak.json"), metavar="FILE")
    return parser


# --------------------------------------------------------------------------------------------- the plan


def plan(hands: int, seed: int, kills: int, per_room: int = PER_ROOM) -> list[Planned]:
    """Rooms of at most `per_room` hands; the kills are spread over them."""
    sizes = [min(per_room, hands - first) for first in range(0, hands, per_room)]
    share = [kills * (no + 1) // len(sizes) - kills * no // len(sizes) for no in range(len(sizes))]
    return [Planned(no, seed + no, size, share[no]) for no, size in enumerate(sizes)]


def shard_of(rooms: list[Planned], shard: tuple[int, int]) -> list[Planned]:
    part, parts = shard
    return rooms[part - 1 :: parts]


def not_done(rooms: Sequence[Planned], done: Iterable[RoomFigures]) -> list[Planned]:
    known = {room.no for room in done}
    return [planned for planned in rooms if planned.no not in known]


def _resumed(args: argparse.Namespace) -> list[RoomFigures]:
    if not args.report.exists():
        return []
    before = msgspec.json.decode(args.report.read_bytes(), type=Report)
    if {name: getattr(before, name) for name in _asked(args)} != _asked(args):
        raise SystemExit(f"{args.report}: is of another plan; give it the options that it was begun with")
    return list(before.rooms)


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    """What makes the plan, and stands in the report."""
    names = ("seed", "hands", "tables", "delay", "kills", "per_room", "on_air", "air_s", "cameras")
    return {name: getattr(args, name) for name in names} | {"shard": "{}/{}".format(*args.shard)}


# ------------------------------------------------------------------------------------------ the rooms


def _attack(planned: Planned, folder: Path, args: argparse.Namespace) -> RoomFigures:
    got = attack(
        folder / f"room-{planned.no}",
        hands=planned.hands,
        seed=planned.seed,
        tables=args.tables,
        port=args.port,
        delay_s=args.delay,
        kills=planned.kills,
        thieves=args.stolen,
        cameras=None if args.cameras < 0 else args.cameras,
        on_air=_on_air(planned, args) if args.on_air else None,
    )
    figures = figures_of(planned, got, examine(got))
    destroy_keys(got.plan.folder / "data")
    print(f"room {planned.no}: {figures.hands} hands, {sum(figures.findings.values())} findings", file=sys.stderr)
    return figures


def _on_air(planned: Planned, args: argparse.Namespace) -> OnAir:
    styles = planned.no % STYLES_EVERY == 0
    return OnAir(folded=args.on_air == "folded", air_s=args.air_s, styles=styles, to_the_end=True)


def figures_of(planned: Planned, got: Attack, result: Examined) -> RoomFigures:
    return RoomFigures(
        no=planned.no,
        seed=planned.seed,
        hands=result.hands,
        hidden_cards=result.hidden_cards,
        seconds=round(got.seconds, 1),
        bytes_read=got.capture.bytes,
        readings=sum(got.capture.readings.values()),
        different=len(got.capture.kept),
        streams=len(got.capture.streams),
        streams_by_kind=dict(Counter(stream.split(" ")[0] for stream in got.capture.streams)),
        credentials=tuple(sorted(got.let_in)),
        refused=got.refused,
        messages=result.messages,
        public_cards_named=result.cards_named,
        commitments=result.commitments,
        commitments_tried=result.commitments_tried,
        values_tried=result.values_tried,
        pictures=result.pictures,
        cards_in_pictures=result.cards_in_pictures,
        timed=result.timed,
        times_far=result.times_far,
        signed_in=tuple(sorted(got.signed_in)),
        backups=got.backups,
        sealed_boxes=result.boxes,
        sealed_boxes_as_dealt=result.boxes_checked,
        recovery_boxes=result.recovery_boxes,
        recovery_boxes_opened=result.recovery_boxes_opened,
        faults=dict(Counter(got.faults)),
        cards_on_air=result.cards_on_air,
        guessed=result.guessed,
        trouble=dict(sorted(got.trouble.done.items())),
        kills=got.kills,
        stuck=bool(got.stuck),
        findings=dict(result.findings.most_common()),
        samples=result.samples,
    )


# ------------------------------------------------------------------------------------------ the report


def report_of(args: argparse.Namespace, rooms: Sequence[Planned], done: Sequence[RoomFigures]) -> Report:
    return Report(
        **_asked(args),
        finished=not not_done(rooms, done),
        total=totals(done),
        faults=dict(sum((Counter(room.faults) for room in done), Counter[str]())),
        findings=dict(sum((Counter(room.findings) for room in done), Counter[str]())),
        stuck=sum(room.stuck for room in done),
        rooms=tuple(sorted(done, key=lambda room: room.no)),
    )


def totals(done: Sequence[RoomFigures]) -> dict[str, float]:
    """Every figure that counts something, added up over the rooms."""
    counts = [field for field in RoomFigures.__struct_fields__ if field not in ("no", "seed", "stuck")]
    numbers = [name for name in counts if all(isinstance(getattr(room, name), int | float) for room in done)]
    return {name: round(sum(getattr(room, name) for room in done), 1) for name in numbers} if done else {}


def _write(args: argparse.Namespace, report: Report) -> None:
    fresh = args.report.with_suffix(".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    fresh.replace(args.report)


if __name__ == "__main__":
    sys.exit(main())
