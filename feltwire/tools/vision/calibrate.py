"""`feltwire vision markers|lens|calibrate`: printed markers, the camera's lens, and where the camera hangs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from feltwire.errors import UsageError
from feltwire.tools.vision.outputs import check_file, check_folder, check_picture_file
from feltwire.tools.vision.shots import (
    add_table_arguments,
    check_table_arguments,
    lens_for,
    lenses_of,
    pictures_of,
)
from vision.calibration.lens import measure_lens
from vision.calibration.light import with_cloths
from vision.calibration.table import Calibrated, SeenZone, calibrate_cameras, picture_of, seen_zones
from vision.camera import CameraError
from vision.geometry.hanging import CalibrationError
from vision.geometry.markers import BETWEEN_NUMBERS, MARKER_MM, board_sheet, draw_markers, find_markers, rail_sheet
from vision.pictures import PictureError, open_picture, save_picture, whole_pictures

Subparsers = Any  # argparse keeps the name of its class to itself

RAIL_SHEET, BETWEEN_SHEET, BOARD_SHEET = "rail-markers.svg", "rail-markers-between.svg", "lens-board.svg"
WELL_SHOWN = 0.75  # of the picture in which the board should have been seen
SMALLEST_MARKER_MM, LARGEST_MARKER_MM = 30.0, 85.0


def add_commands(commands: Subparsers) -> None:
    markers = commands.add_parser(
        "markers",
        help="printable markers for the rail and the board for the lens",
        description="Writes three A4 pages as SVG. Print them at 100 percent, not fitted to the page.",
        epilog="example: feltwire vision markers --out print/",
    )
    markers.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the pages go")
    markers.add_argument("--marker-mm", type=float, default=MARKER_MM, help=f"width of a marker ({MARKER_MM:g})")
    lens = commands.add_parser(
        "lens",
        help="measure a camera's lens from pictures of the printed board",
        description="Once for each kind of camera, at the size of picture that is used. Ten to twenty pictures, "
        "the board at every edge and at a slant, focus held.",
        epilog="example: feltwire vision lens board-pictures/ --out lens.toml",
    )
    lens.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="pictures, or a folder of them")
    lens.add_argument("--out", type=Path, required=True, metavar="FILE", help="where the lens is written")
    lens.add_argument("--json", action="store_true", help="one JSON object on stdout")
    table = commands.add_parser(
        "calibrate",
        help="find out where the cameras hang from the markers on the rail",
        description="Writes the felt file that the configuration of the table names (camera.felt). Look "
        "at the annotated picture: every zone must lie where its cards lie. Several cameras over one table are "
        "calibrated together, in the order in which the configuration names them.",
        epilog="example: feltwire vision calibrate v4l2:/dev/video0 --seats 9 --lens lens.toml --out felt.toml "
        "--annotate found.jpg",
    )
    add_table_arguments(table)
    table.add_argument("--out", type=Path, metavar="FILE", help="where the felt is written; else only printed")
    table.add_argument(
        "--annotate",
        type=Path,
        metavar="FILE",
        help="write the picture with what was found in it; FILE-2 and so on",
    )
    table.add_argument("--json", action="store_true", help="one JSON object on stdout")


def run(args: argparse.Namespace) -> int:
    """Exit status 1, with a line on stderr, where the pictures do not show what is needed.

    Raise `UsageError` for bad pictures, a bad camera or a file that cannot be written.
    """
    handler: Callable[[argparse.Namespace], int] = {"markers": _markers, "lens": _lens, "calibrate": _calibrate}[
        args.what
    ]
    try:
        return handler(args)
    except (PictureError, CameraError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be written ({error.strerror}); name another place") from error
    except CalibrationError as error:
        print(f"feltwire vision {args.what}: {error}", file=sys.stderr)
        return 1


def _markers(args: argparse.Namespace) -> int:
    if not SMALLEST_MARKER_MM <= args.marker_mm <= LARGEST_MARKER_MM:
        raise UsageError(
            f"--marker-mm: {SMALLEST_MARKER_MM:g} to {LARGEST_MARKER_MM:g}, so that four fit on a page"
        )
    check_folder(args.out)
    (args.out / RAIL_SHEET).write_text(rail_sheet(args.marker_mm), encoding="utf-8")
    (args.out / BOARD_SHEET).write_text(board_sheet(), encoding="utf-8")
    (args.out / BETWEEN_SHEET).write_text(rail_sheet(args.marker_mm, BETWEEN_NUMBERS), encoding="utf-8")
    print(f"{args.out / RAIL_SHEET}: cut out, lay marker 0 to 3 on the rail clockwise from the dealer's left")
    print(f"{args.out / BETWEEN_SHEET}: for two cameras: marker 4 in the middle of the back, 5 of the front")
    print(f"{args.out / BOARD_SHEET}: glue it on something flat, for `feltwire vision lens`")
    return 0


def _lens(args: argparse.Namespace) -> int:
    check_file(args.out)
    measured = measure_lens(map(open_picture, whole_pictures(args.images)))
    measured.lens.save(args.out)
    if args.json:
        report = {"lens": str(args.out), "error_px": round(measured.error_px, 3), "used": measured.used}
        print(json.dumps(report | {"shown": round(measured.shown, 2)}))
        return 0
    print(f"{args.out}: {measured.used} pictures, fits to {measured.error_px:.2f} pixels")
    if measured.shown < WELL_SHOWN:
        share = f"{measured.shown:.0%} of the picture"
        print(f"the board was seen in {share} only: what lies outside is a guess; take more near the edges")
    return 0


def _calibrate(args: argparse.Namespace) -> int:
    check_table_arguments(args)
    lenses = lenses_of(args)
    check_file(args.out)
    if args.annotate:
        for number in range(len(args.source)):
            check_picture_file(_numbered(args.annotate, number))
    images = [pictures_of(source)[0] for source in args.source]
    shots = [(image, lens_for(image, lens, args.fov)) for image, lens in zip(images, lenses, strict=True)]
    try:
        done = calibrate_cameras(
            shots, args.seats, marker_mm=args.marker_mm, rail_mm=args.rail_mm, board_only=args.board
        )
    except CalibrationError:
        for number, image in enumerate(images):
            if args.annotate:
                drawn = image.copy()
                draw_markers(drawn, find_markers(image))
                save_picture(_numbered(args.annotate, number), drawn)
        raise
    for number, image in enumerate(images):
        if args.annotate:
            save_picture(_numbered(args.annotate, number), picture_of(image, done, number))
    done = with_cloths(done, images)
    if args.out:
        done.save(args.out)
    if args.json:
        print(json.dumps(_report(done)))
    else:
        _tell(done, "" if args.lens else f"the lens is assumed ({args.fov:g} degrees, straight)")
    return 0


def _numbered(path: Path, number: int) -> Path:
    """The file for the camera of that number, from 0."""
    return path.with_stem(f"{path.stem}-{number + 1}") if number else path


def _tell(done: Calibrated, assumed: str) -> None:
    width, height = done.felt.width_mm / 1000, done.felt.height_mm / 1000
    for number, camera in enumerate(done.cameras, start=1):
        which = f"camera {number}" if len(done.cameras) > 1 else f"table {width:.2f} x {height:.2f} m, camera"
        print(f"{which} {camera.height_mm / 1000:.2f} m above the felt, looks {camera.tilt_deg:.0f} degrees aside")
    print(f"markers fit to {done.error_px:.2f} pixels; {done.felt.px_per_mm:.2f} pixels to the millimetre")
    for seen in seen_zones(done):
        which = f" (camera {seen.camera})" if len(done.cameras) > 1 and seen.camera else ""
        print(f"{seen.zone}: {seen.px_per_mm:.2f} px/mm{which}: {seen.verdict}")
    for note in done.notes:
        print(note)
    if assumed:
        print(f"{assumed}: `feltwire vision lens` measures it")


def _report(done: Calibrated) -> dict[str, Any]:
    return {
        "seats": done.felt.seats,
        "size_mm": [done.felt.width_mm, done.felt.height_mm],
        "px_per_mm": done.felt.px_per_mm,
        "error_px": round(done.error_px, 3),
        "cameras": [
            {
                "height_mm": round(camera.height_mm, 1),
                "tilt_deg": round(camera.tilt_deg, 2),
                "markers": _corners(found),
            }
            for camera, found in zip(done.cameras, done.found, strict=True)
        ],
        "notes": done.notes,
        "zones": {str(seen.zone): _zone(seen) for seen in seen_zones(done)},
    }


def _corners(found: Mapping[int, Any]) -> dict[int, Any]:
    return {number: [[round(float(x), 1), round(float(y), 1)] for x, y in quad] for number, quad in found.items()}


def _zone(seen: SeenZone) -> dict[str, Any]:
    return {"camera": seen.camera, "px_per_mm": seen.px_per_mm, "chip_px": seen.chip_px, "verdict": seen.verdict}
