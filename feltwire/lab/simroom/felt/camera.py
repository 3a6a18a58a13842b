"""The camera of a simulated table: one from a shop that hangs over it, and the felt file that belongs to it."""

from __future__ import annotations

from pathlib import Path

from vision.calibration.light import with_cloths
from vision.calibration.table import calibrate_cameras
from vision.geometry.felt import RAIL_MARGIN_MM, Felt
from vision.synthetic.felt.hung import Rail
from vision.synthetic.felt.hung_view import HungView
from vision.synthetic.felt.models import KINDS, TABLE_MM, hung
from vision.synthetic.felt.scene import Scene


def view_of(name: str, seats: int, cloth: str, *, seed: int = 0) -> HungView:
    """What the camera of that name sees of a table of the usual size."""
    wide, deep = (side + 2 * RAIL_MARGIN_MM for side in TABLE_MM)
    felt = Felt.for_seats(seats, size_mm=(wide, deep))
    return HungView(felt, hung(name), KINDS[name].sensor, Rail(), cloth=cloth, seed=seed)


def calibrate(name: str, seats: int, cloth: str, path: Path) -> None:
    """Write the felt file of a table under such a camera: from one picture of the empty table with its markers."""
    view = view_of(name, seats, cloth)
    picture = view.take(Scene(view.felt))
    done = calibrate_cameras([(picture, view.camera.lens)], seats)
    with_cloths(done, [picture]).save(path)
