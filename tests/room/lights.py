"""`python -m tests.room.lights --hands 100 --seed 1`: a room dealt under good and bad light, and no card misread.

A room of one table for each light (`feltwire demo --headless --light`): real processes, device bytes, rendered
frames with fresh noise; with `--cameras`, `--cloths` or `--deck-styles` a room for each of those instead, so many
hands in each.
What the camera leaves unread the dealer puts right; every hand must end as it was dealt.
The report (JSON) grows with every room, so that a run can be resumed. Exit status: 0 nothing misread and every
hand right, 1 something was not, 2 called wrongly.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from feltwire.lab.demo.check import DemoReport
from feltwire.lab.demo.command import USUAL_CAMERA
from feltwire.lab.simroom.felt.lights import LIGHTS
from feltwire.ledger.table_ledger import Ledger
from feltwire.private_files import python
from feltwire.tools.shard import shard
from table_core.messages import AnyObservation, Frozen, HandStarted, ZoneKind, ZoneSeen, decode
from tests.ports import free_base
from vision.synthetic.felt.faces import DECKS
from vision.synthetic.felt.models import KINDS
from vision.synthetic.felt.table import CLOTHS


class Dealt(Frozen, frozen=True):
    """One room: its light, or its camera, cloth and cards; how many hands were dealt, and what became of them.

    Of the camera's own readings of board and hands: faces it named (`read`) and saw but did not name (`unread`);
    `misread` cards stood wrong on the screen, `mismatched` hands ended wrong. At the end of each hand the camera
    saw the button disc before its seat (`disc_right`), before another (`disc_wrong`) or nowhere.
    """

    light: str
    hands: int
    read: int
    unread: int
    disc_right: int
    disc_wrong: int
    misread: int
    mismatched: int
    lost: int
    corrections: int
    hand_seconds: float


class Report(Frozen, frozen=True):
    seed: int
    hands: int
    finished: bool
    dealt: tuple[Dealt, ...]

    @property
    def wrong(self) -> bool:
        return any(one.misread or one.mismatched or one.lost or one.disc_wrong for one in self.dealt)


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    part, parts = args.shard
    rooms = {name: how for place, (name, how) in enumerate(_rooms(args).items()) if place % parts == part - 1}
    dealt = list(_resumed(args)) if args.resume else []
    each = -(-args.hands // len(args.lights)) if _by_light(args) else args.hands
    print(f"seed {args.seed}: {each} hands each: {'; '.join(rooms)}", file=sys.stderr)
    todo = [name for name in rooms if all(one.light != name for one in dealt)]
    for name in todo[: args.limit]:
        dealt.append(deal(name, rooms[name], each, args.seed))
        report = Report(args.seed, args.hands, {one.light for one in dealt} >= set(rooms), tuple(dealt))
        args.report.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    report = Report(args.seed, args.hands, {one.light for one in dealt} >= set(rooms), tuple(dealt))
    print(table_of(report))
    return 1 if report.wrong else 0


def _rooms(args: argparse.Namespace) -> dict[str, tuple[str, ...]]:
    """What each room is called, and how the demo is called for it."""
    if _by_light(args):
        return {light: ("--light", light) for light in args.lights}
    each = itertools.product(
        args.cameras or (USUAL_CAMERA,), args.cloths or ("green",), args.deck_styles or ("house",)
    )
    return {", ".join(how): ("--camera", how[0], "--cloth", how[1], "--deck-style", how[2]) for how in each}


def _by_light(args: argparse.Namespace) -> bool:
    return not (args.cameras or args.cloths or args.deck_styles)


def deal(name: str, how: Sequence[str], hands: int, seed: int) -> Dealt:
    """A room of one table; raise SystemExit when it does not come up or stops dealing."""
    with tempfile.TemporaryDirectory(prefix="feltwire-light-") as folder:
        file, room = Path(folder) / "report.json", Path(folder) / "room"
        command = [*python("feltwire", "demo"), "--headless", "--tables", "1", *how]
        command += ["--hands", str(hands), "--seed", str(seed), "--port", str(free_base()), "--report", str(file)]
        command += ["--room", str(room)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if not file.exists():
            raise SystemExit(f"the room {name!r} stopped with status {done.returncode}")
        report = msgspec.json.decode(file.read_bytes(), type=DemoReport)
        with contextlib.closing(Ledger.open(room / "data" / "table-01.ledger", read_only=True)) as ledger:
            every = list(_seen(ledger))
            discs = list(_discs(ledger, every))
        seen = [zone for zone in every if zone.zone.kind in (ZoneKind.BOARD, ZoneKind.CARDS)]
    return Dealt(
        name,
        report.hands,
        sum(len(zone.cards) for zone in seen),
        sum(zone.unread for zone in seen),
        sum(lay == due for lay, due in discs),
        sum(lay not in (due, None) for lay, due in discs),
        report.misread_cards,
        report.mismatched,
        report.lost,
        report.corrections,
        report.hand_seconds,
    )


def _seen(ledger: Ledger) -> Iterator[ZoneSeen]:
    """What the camera told the table of its zones."""
    for record in ledger.observations():
        if record.device == "camera":
            seen = decode(record.body, AnyObservation)
            if isinstance(seen, ZoneSeen):
                yield seen


def _discs(ledger: Ledger, seen: Iterable[ZoneSeen]) -> Iterator[tuple[int | None, int]]:
    """Before which seat the camera saw the disc when each hand ended, and whose button it was."""
    buttons = [zone for zone in seen if zone.zone.kind is ZoneKind.BUTTON]
    due, ended = 0, 0
    for event in (*ledger.events(), None):
        if (event is None or isinstance(event.data, HandStarted)) and due:
            last = {zone.zone.of_seat: zone.button for zone in buttons if zone.at <= ended}
            yield next((seat for seat, lies in last.items() if lies), None), due
        if event is not None:
            due, ended = event.data.button if isinstance(event.data, HandStarted) else due, event.at.ms


def table_of(report: Report) -> str:
    lines = ["| room | hands | camera read | unread | button right | button wrong | misread | wrong at the end |"]
    lines[0] += " presses to put right |"
    lines.append("|---|---|---|---|---|---|---|---|---|")
    lines += [
        f"| {one.light} | {one.hands} | {one.read} | {one.unread} | {one.disc_right} "
        f"| {one.disc_wrong} | {one.misread} | {one.mismatched + one.lost} | {one.corrections} |"
        for one in report.dealt
    ]
    return "\n".join(lines)


def _resumed(args: argparse.Namespace) -> tuple[Dealt, ...]:
    """What an earlier run with the same seed and hands has done."""
    if not args.report.exists():
        return ()
    before = msgspec.json.decode(args.report.read_bytes(), type=Report)
    if (before.seed, before.hands) != (args.seed, args.hands):
        raise SystemExit(f"{args.report} is of seed {before.seed} and {before.hands} hands: name another report")
    return before.dealt


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.room.lights", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--hands", type=int, default=100, metavar="N", help="in all, shared out over the lights, or in each room"
    )
    parser.add_argument("--seed", type=int, default=1)
    for name, known in (("lights", LIGHTS), ("cameras", KINDS), ("cloths", CLOTHS), ("deck-styles", DECKS)):
        default = tuple(LIGHTS) if name == "lights" else ()
        kind = functools.partial(_some_of, known)
        parser.add_argument(f"--{name}", type=kind, default=default, metavar="A,B", help=", ".join(known))
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many lights in this run")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--resume", action="store_true", help="go on where the report ends")
    parser.add_argument("--report", type=Path, default=Path("lights.json"), metavar="FILE")
    return parser


def _some_of(known: Iterable[str], text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := [name for name in names if name not in known]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(known)}")
    return names


if __name__ == "__main__":
    sys.exit(main())
