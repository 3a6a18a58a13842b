"""`feltwire demo`: a whole simulated poker room on this machine, over real wires.

The processes are the ones that run in a venue; only the devices under the tables are simulated, and they speak the
devices' bytes on pseudo-terminals and show the camera rendered pictures.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import logging
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import msgspec

from feltwire.errors import UsageError
from feltwire.lab.demo.check import DemoReport
from feltwire.lab.demo.headless import run_headless
from feltwire.lab.demo.landing import serve_landing
from feltwire.lab.demo.night.command import night_plan, run_night
from feltwire.lab.demo.room import RULEBOOK, RoomPlan, lay_out
from feltwire.lab.simroom.felt.lights import LIGHTS
from feltwire.lab.simroom.play.recorded import check_dealable
from feltwire.private_files import data_folder, keep_files_private
from feltwire.table.recovery import destroy_keys
from feltwire.tools.hand_files import find_histories, read_all
from table_core.histories.recorded import HistoryError
from table_core.rulebook import load_rulebook
from vision.synthetic.felt.faces import DECKS
from vision.synthetic.felt.models import KINDS
from vision.synthetic.felt.table import CLOTHS

HELP = "A whole simulated room on this machine: tables, station, clock, relay and a landing page to start from."
EXAMPLE = "feltwire demo --tables 3 --seed 7"

DEFAULT_TABLES = 2
NIGHT_TABLES = 3
HEADLESS_HANDS = 10
USUAL_CAMERA, PLAIN = "brio", "plain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", type=int, metavar="N", help="number of tables (2; with --night 3)")
    parser.add_argument(
        "--night", action="store_true", help="a whole tournament in three minutes, from registration to payout"
    )
    parser.add_argument(
        "--hands",
        default="",
        metavar="PATH or N",
        help="how many hands in the whole room, or recorded ones (PHH files) to deal; without it: for ever",
    )
    parser.add_argument(
        "--seed", type=int, metavar="S", help="the same room again; drawn and printed when left out"
    )
    parser.add_argument(
        "--speed", metavar="X", help="1: a brisk live table, 2: twice that, max: as fast as acknowledged"
    )
    parser.add_argument(
        "--camera",
        choices=(*KINDS, PLAIN),
        help=f"the camera over each table ({USUAL_CAMERA}; headless {PLAIN}: a small table seen in few pixels)",
    )
    parser.add_argument("--cloth", default="green", choices=CLOTHS, help="of the tables (green)")
    parser.add_argument(
        "--deck-style",
        default="house",
        choices=DECKS,
        help="how the cards are printed (house, with a large index; regular: a standard one)",
    )
    parser.add_argument("--light", default="", choices=LIGHTS, help="light and lens of the cameras")
    parser.add_argument("--headless", action="store_true", help="no landing page: deal, check, report, end")
    parser.add_argument("--kill", default="", metavar="KIND", help="kill -9 such a process in mid-hand (headless)")
    parser.add_argument("--times", type=int, default=20, metavar="N", help="how often --kill kills (20)")
    parser.add_argument("--broker", default="", metavar="URL", help="an MQTT broker that runs already")
    parser.add_argument(
        "--certificates",
        type=Path,
        metavar="DIR",
        help="for an mqtts:// broker: what `feltwire provision venue DIR --venue demo` made",
    )
    parser.add_argument("--report", metavar="FILE", help="where the report goes (JSON); headless only")
    parser.add_argument(
        "--port", type=int, default=8080, metavar="P", help="the landing page; others follow (8080)"
    )
    parser.add_argument("--room", metavar="DIR", help="keep configurations, logs and ledgers in this folder")
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object on stdout")


def run(args: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    signal.signal(signal.SIGTERM, _as_interrupt)
    keep_files_private()
    with room_folder(args.room) as folder:
        plan = plan_of(args, folder)
        plan.check()
        lay_out(plan)
        if args.night:
            return run_night(plan, headless=args.headless, report=args.report, as_json=args.json)
        if not args.headless:
            serve_landing(plan)
            return 0
        report = run_headless(plan, progress=sys.stderr, kill=args.kill, times=args.times)
        write_report(report, args.report, as_json=args.json)
        return 0 if report.ok else 1


def plan_of(args: argparse.Namespace, folder: Path) -> RoomPlan:
    """The room that the arguments ask for; raise `UsageError` for one that cannot be."""
    if args.night and (args.hands or args.kill):
        raise UsageError("--night: plays until one player has all the chips; leave out --hands and --kill")
    hands, histories = _hands(args.hands)
    if args.headless and not args.night and not hands and not histories:
        hands = HEADLESS_HANDS
    tables = args.tables if args.tables is not None else NIGHT_TABLES if args.night else DEFAULT_TABLES
    plan = RoomPlan(
        folder=folder,
        tables=tables,
        seed=secrets.randbelow(1_000_000) if args.seed is None else args.seed,
        speed=_speed(args.speed, headless=args.headless),
        hands=hands,
        histories=histories,
        broker=args.broker,
        certificates=args.certificates.resolve() if args.certificates else None,
        port=args.port,
        fps=max(15.0, 60.0 / max(tables, 1)) if args.headless else 12.0,
        light=args.light,
        cloth=args.cloth,
        deck_style=args.deck_style,
        camera=_camera(args.camera, headless=args.headless),
    )
    return night_plan(plan, default_speed=args.speed is None and not args.headless) if args.night else plan


def _camera(name: str | None, *, headless: bool) -> str:
    """The camera's name, empty for none in particular: a room that is only checked is done in half the time."""
    chosen = name or (PLAIN if headless else USUAL_CAMERA)
    return "" if chosen == PLAIN else chosen


def _hands(text: str) -> tuple[int, tuple[Path, ...]]:
    if not text:
        return 0, ()
    if text.isdigit():
        if text.strip("0"):
            return int(text), ()
        raise UsageError("--hands 0: give a number from 1 up, or leave it out to deal for ever")
    files = tuple(path.resolve() for path in find_histories([text]))
    rulebook = load_rulebook(RULEBOOK)
    try:
        for recorded in itertools.chain.from_iterable(map(read_all, files)):
            check_dealable(recorded, rulebook)
    except HistoryError as error:
        raise UsageError(f"--hands {text}: cannot be dealt: {error}") from error
    return 0, files


def _speed(text: str | None, *, headless: bool) -> float:
    """0 stands for as fast as acknowledged."""
    if text is None:
        return 0.0 if headless else 1.0
    if text == "max":
        return 0.0
    try:
        speed = float(text)
    except ValueError:
        speed = -1.0
    if not 0 <= speed <= 1000:
        raise UsageError(f"--speed {text}: give a number such as 1 or 2.5, or max")
    return speed


@contextlib.contextmanager
def room_folder(wanted: str | None) -> Iterator[Path]:
    """The folder of the room: the one that is wanted, else a temporary one that is gone afterwards.

    Raise `UsageError` where the wanted folder is not empty.
    """
    if wanted is not None:
        folder = Path(wanted).resolve()
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"--room {wanted}: is not empty; name a new folder")
        data_folder(folder)
        try:
            yield folder
        finally:
            destroy_keys(folder / "data")
        return
    folder = Path(tempfile.mkdtemp(prefix="feltwire-demo-"))
    try:
        yield folder
    finally:
        destroy_keys(folder / "data")
        shutil.rmtree(folder, ignore_errors=True)


def write_report(report: DemoReport, path: str | None, *, as_json: bool) -> None:
    raw = msgspec.json.encode(report)
    if path is not None:
        Path(path).write_bytes(msgspec.json.format(raw, indent=2) + b"\n")
    if as_json:
        print(raw.decode())
        return
    print(f"{report.hands} hands, {report.events} events (seed {report.seed}, {report.seconds:.0f} s)")
    print(f"lost {report.lost}, duplicates {report.duplicates}, mismatched {report.mismatched}")
    print(f"cards misread {report.misread_cards}, unread {report.unread_cards}")
    print(f"key to browser: p50 {report.p50_ms} ms, p99 {report.p99_ms} ms over {report.measured} presses")
    for table, one in report.tables.items():
        wrong = f"  differs: {', '.join(one.mismatched)}" if one.mismatched else ""
        print(f"table {table}: {one.hands} hands, last event {one.last_seq}, head {one.head[:16]}{wrong}")


def _as_interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
