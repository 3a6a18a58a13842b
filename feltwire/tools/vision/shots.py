"""Pictures of a table from cameras or files, for the commands of whoever installs them, and what they are told."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from feltwire.errors import UsageError
from vision.calibration.table import RAIL_MM
from vision.camera import CameraError, open_camera
from vision.camera.live import SETTLE_PICTURES
from vision.geometry.felt import MAX_SEATS, MIN_SEATS
from vision.geometry.hanging import USUAL_FOV_DEG, CalibrationError, Lens
from vision.geometry.markers import MARKER_MM
from vision.pictures import Image, PictureError, open_picture

PATIENCE_S = 10.0  # for each picture of a camera
LEAST_MARKER_MM, MOST_MARKER_MM, MOST_RAIL_MM = 10.0, 500.0, 300.0  # of what may lie on a table
ANY_SIZE = (1920, 1080)
ONCE_EACH = ("file:", "socket:")  # cameras that have nothing to settle


def add_table_arguments(table: argparse.ArgumentParser) -> None:
    """Sources, seats, lenses and markers: the same for every command that looks at a whole table."""
    table.add_argument(
        "source",
        nargs="+",
        metavar="SOURCE",
        help="a camera (v4l2:/dev/video0, csi:0, socket:PATH) or a picture; several, one for each camera",
    )
    table.add_argument("--seats", type=int, default=9, choices=range(MIN_SEATS, MAX_SEATS + 1), metavar="N")
    table.add_argument(
        "--lens",
        type=Path,
        action="append",
        metavar="FILE",
        help="the lens, as `feltwire vision lens` wrote it; once for all cameras, or once for each",
    )
    table.add_argument(
        "--board", action="store_true", help="a camera for the board alone: the markers lie around it on the felt"
    )
    table.add_argument(
        "--fov",
        type=float,
        default=USUAL_FOV_DEG,
        help=f"without a lens file: degrees across the picture's diagonal ({USUAL_FOV_DEG:g})",
    )
    table.add_argument(
        "--marker-mm", type=float, default=MARKER_MM, help=f"width of a black square ({MARKER_MM:g})"
    )
    table.add_argument("--rail-mm", type=float, default=RAIL_MM, help=f"the rail above the felt ({RAIL_MM:g})")


def check_table_arguments(args: argparse.Namespace) -> None:
    """Raise `UsageError` for markers or a rail that no table has."""
    if not LEAST_MARKER_MM <= args.marker_mm <= MOST_MARKER_MM or not 0 <= args.rail_mm <= MOST_RAIL_MM:
        raise UsageError(
            f"--marker-mm is {LEAST_MARKER_MM:g} to {MOST_MARKER_MM:g}, --rail-mm 0 to {MOST_RAIL_MM:g}: measure"
        )


def lenses_of(args: argparse.Namespace) -> list[Lens | None]:
    """The measured lens of each camera, or None; before any of them is opened.

    Raise `UsageError` for a file that is no lens, for another number of them, or for a view that no lens has.
    """
    files, cameras = args.lens or [], len(args.source)
    if len(files) not in (0, 1, cameras):
        raise UsageError(f"--lens: {len(files)} files for {cameras} cameras; give one, or one for each")
    try:
        lenses: list[Lens | None] = [Lens.load(file) for file in files]
        if not lenses:
            Lens.assumed(ANY_SIZE, args.fov)
    except CalibrationError as error:
        raise UsageError(str(error)) from error
    return lenses if len(lenses) > 1 else (lenses or [None]) * cameras


def lens_for(image: Image, measured: Lens | None, fov_deg: float) -> Lens:
    """The lens that took a picture: the measured one, else one that is assumed."""
    return measured or Lens.assumed((image.shape[1], image.shape[0]), fov_deg)


def pictures_of(source: str, count: int = 1) -> list[Image]:
    """The picture in a file, or so many in a row of a camera that has settled; at least one. A source that repeats
    one picture by nature gives it once.

    Raise `CameraError` or `PictureError` where there is none.
    """
    if Path(source).exists():
        return [open_picture(Path(source))]
    if ":" not in source:
        raise PictureError(f"{source}: no such picture; name a picture, or a camera such as v4l2:/dev/video0")
    settles = 0 if source.startswith(ONCE_EACH) else SETTLE_PICTURES + 5
    pictures: list[Image] = []
    with open_camera(source) as camera:
        for _ in range(settles + count):
            frame = camera.read(PATIENCE_S)
            if frame is None:  # it does not open, or was pulled out: more patience does not help
                raise CameraError(camera.trouble or f"camera {source} gives no pictures")
            pictures = [*pictures, frame.image.copy()][-count:]  # a camera has few buffers
    if camera.gives:
        print(f"the camera gives {camera.gives}", file=sys.stderr)
    for refusal in camera.refused:
        print(f"not as asked: {refusal}", file=sys.stderr)
    return pictures[:1] if camera.repeats else pictures
