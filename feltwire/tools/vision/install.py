"""`feltwire vision cameras|check`: which camera to hang where, and what to change at one that hangs."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from feltwire.errors import UsageError
from feltwire.tools.vision.shots import (
    add_table_arguments,
    check_table_arguments,
    lens_for,
    lenses_of,
    pictures_of,
)
from vision.calibration.check import JUMBO, STANDARD, Finding, Shot, check_table
from vision.calibration.table import readable_at
from vision.camera import CameraError
from vision.geometry.cameras import MODELS, CameraModel
from vision.pictures import PictureError

Subparsers = Any  # argparse keeps the name of its class to itself

COMMANDS = ("cameras", "check")
TABLE_MM = "2400x1200"
SHARED_MM = 250.0  # of a table that both of two cameras see: the board, and the markers between them
BOARD_FROM_MM = 900.0  # above the board: where no head and no hand is in the way
IN_A_ROW = 20  # pictures of a camera: they tell whether the light flickers, and whether the camera is frozen


def add_commands(commands: Subparsers) -> None:
    cameras = commands.add_parser(
        "cameras",
        help="cameras that one can buy: how high each hangs over a table, and what it then reads",
        description="For each camera: the whole table, half of it (two cameras), and the board alone.",
        epilog="example: feltwire vision cameras --table-mm 2400x1200",
    )
    cameras.add_argument(
        "--table-mm", default=TABLE_MM, metavar="WxD", help=f"width and depth over the rail ({TABLE_MM})"
    )
    cameras.add_argument("--json", action="store_true", help="one JSON object a line on stdout")
    check = commands.add_parser(
        "check",
        help="look at the empty table and say what to change: light, focus, markers, places cut off",
        description="The table is empty but for the markers. Exit status 1 where something should be changed.",
        epilog="example: feltwire vision check v4l2:/dev/video0?size=3840x2160 --seats 9 --lens lens.toml",
    )
    add_table_arguments(check)
    check.add_argument("--jumbo", action="store_true", help="the cards have jumbo indices")
    check.add_argument("--json", action="store_true", help="one JSON object a line on stdout")


def run(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a bad picture, camera, lens or size."""
    try:
        return _cameras(args) if args.what == "cameras" else _check(args)
    except (PictureError, CameraError) as error:
        raise UsageError(str(error)) from error


def _cameras(args: argparse.Namespace) -> int:
    found = re.fullmatch(r"(\d{3,4})x(\d{3,4})", args.table_mm)
    if found is None:
        raise UsageError(
            f"--table-mm {args.table_mm}: expected width and depth in millimetres, such as {TABLE_MM}"
        )
    wide, deep = (float(side) for side in found.groups())
    if not args.json:
        print(f"{'camera':34} {'over':12} {'height':>7} {'px/mm':>6}  reads")
    for name, model in MODELS.items():
        for place, height in _places(model, wide, deep):
            scale = model.px_per_mm(height)
            reads = readable_at(scale) or "no card"
            if args.json:
                told = {"camera": name, "over": place, "height_mm": round(height), "px_per_mm": round(scale, 2)}
                print(json.dumps({**told, "reads": reads, "source": model.source}))
            else:
                print(f"{model.sold_as:34} {place:12} {height / 1000:5.2f} m {scale:6.2f}  {reads}")
    return 0


def _line(finding: Finding) -> str:
    return f"{finding.about}: {'; '.join(filter(None, (finding.seen, finding.do)))}"


def _places(model: CameraModel, wide: float, deep: float) -> Iterator[tuple[str, float]]:
    yield "whole table", model.height_mm(wide, deep)
    half = wide / 2 + SHARED_MM
    yield "half of it", min(model.height_mm(half, deep), model.height_mm(deep, half))
    yield "board alone", max(BOARD_FROM_MM, model.height_mm(640.0, 300.0))


def _check(args: argparse.Namespace) -> int:
    check_table_arguments(args)
    lenses = lenses_of(args)
    pictures = [pictures_of(source, IN_A_ROW) for source in args.source]
    done, findings = check_table(
        [Shot(given, lens_for(given[0], lens, args.fov)) for given, lens in zip(pictures, lenses, strict=True)],
        args.seats,
        marker_mm=args.marker_mm,
        rail_mm=args.rail_mm,
        needed=JUMBO if args.jumbo else STANDARD,
        board_only=args.board,
    )
    for finding in findings:
        print(json.dumps(asdict(finding)) if args.json else _line(finding))
    if not args.json and not args.lens:
        print(
            f"the lens is assumed ({args.fov:g} degrees, straight): `feltwire vision lens` measures it",
            file=sys.stderr,
        )
    if not findings and not args.json and done is not None:
        print(f"nothing to change: {len(done.felt.zones)} zones, markers fit to {done.error_px:.2f} pixels")
    return 1 if findings else 0
