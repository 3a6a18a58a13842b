"""A table's felt and where its cameras hang, from one picture of each of the printed markers on the rail.

Nobody measures where the markers lie (`vision.calibration.fit`). The middle of markers 0 to 3 is the middle of the
table; the line from 0 to 3 is its front. One camera sees all four. Of two each sees two of them and markers 4 and
5, which lie on the rail between them. A camera for the board alone sees four on the felt around the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from table_core.messages import FOR_CHIPS, Zone, ZoneKind
from vision.annotate import Image
from vision.calibration.fit import CameraView, Fitted, Numbers, fit_cameras, square
from vision.geometry.felt import Felt, FeltError, Rect, size_around
from vision.geometry.hanging import Calibration, CalibrationError, Lens, Marker, three
from vision.geometry.markers import BETWEEN_NUMBERS, MARKER_MM, RAIL_NUMBERS, Corners, draw_markers, find_markers
from vision.geometry.sees import COARSEST, FINEST, lean_at_zone, scale_at

RAIL_MM = 35.0  # how high a padded rail usually stands above the felt
WORST_PX = 2.0  # root mean square by which corners may miss where they should be
SMALLEST_TABLE_MM = (1100.0, 700.0)
LARGEST_TABLE_MM = (3600.0, 2200.0)
SMALLEST_BOARD_MM, LARGEST_BOARD_MM = (480.0, 200.0), (1400.0, 900.0)  # what markers around a board span
BOARD_MM = (420.0, 150.0)  # around the board of a table: nothing else is looked at there
# Least pixels to the millimetre at which cards are read, and what is read there: measured with eighteen rendered
# cards of each of six decks, at any angle. Below the last only backs are told from bare felt.
READABLE = ((1.2, "any index"), (0.9, "standard index in good light, jumbo in any"), (0.5, "jumbo index only"))
MOST_ASIDE_DEG = 40.0  # a camera that looks further aside is for stacks, not for cards
HEIGHTS_PX = 2.5  # least lean of a chip from which heights of stacks are told
CARDS_LIE = (ZoneKind.BOARD, ZoneKind.CARDS)


@dataclass(frozen=True)
class Calibrated:
    """A table found: its felt, its cameras, the markers as each sees them, and how well it all fits (pixels)."""

    felt: Felt
    cameras: tuple[Calibration, ...]
    found: tuple[Mapping[int, Corners], ...]
    error_px: float
    notes: tuple[str, ...] = ()  # what an installer should know of the cloth

    @property
    def calibration(self) -> Calibration:
        """The first camera, or the only one."""
        return self.cameras[0]

    def save(self, path: Path) -> None:
        """Write the felt file that the table's configuration names."""
        cameras = [camera.as_toml() for camera in self.cameras]
        self.felt.save(path, camera=cameras if len(cameras) > 1 else cameras[0])


def calibrate_cameras(
    shots: Sequence[tuple[Image, Lens]],
    seats: int,
    *,
    marker_mm: float = MARKER_MM,
    rail_mm: float = RAIL_MM,
    board_only: bool = False,
) -> Calibrated:
    """The table, from a picture (BGR) and the lens of each camera over it.

    `board_only`: the markers lie on the felt around the board, nothing else is looked at, and the markers may be
    taken away afterwards. Raise `CalibrationError` where markers are not seen or do not fit, or where no card
    could be read.
    """
    views = [_view(image, lens) for image, lens in shots]
    _check_markers(views)
    fitted = fit_cameras(views, marker_mm)
    if fitted.error_px > WORST_PX:
        raise CalibrationError(
            f"the markers fit to {fitted.error_px:.1f} pixels only (at most {WORST_PX:g}): measure the lens "
            "(`feltwire vision lens`), and see that no marker is bent"
        )
    _check_order(fitted)
    frame = _frame(fitted, on_rail=not board_only)
    _check_size(frame.size_mm, marker_mm, board_only=board_only)
    cameras = _in_table_frame(
        [view.lens for view in views], fitted, frame, marker_mm, 0.0 if board_only else rail_mm
    )
    if board_only:
        cameras = [replace(camera, markers=()) for camera in cameras]
    scale = _px_per_mm(cameras, frame.size_mm)
    felt = _board(frame.size_mm, scale, seats) if board_only else _table(frame.size_mm, scale, seats, marker_mm)
    done = Calibrated(felt, tuple(cameras), tuple(view.found for view in views), fitted.error_px)
    _check_scale(done)
    return done


def _view(image: Image, lens: Lens) -> CameraView:
    found = {
        number: quad for number, quad in find_markers(image).items() if number in (*RAIL_NUMBERS, *BETWEEN_NUMBERS)
    }
    return CameraView(lens.at_size((image.shape[1], image.shape[0])), found)


def _table(size_mm: tuple[float, float], px_per_mm: float, seats: int, marker_mm: float) -> Felt:
    try:
        return Felt.for_seats(seats, px_per_mm=px_per_mm, size_mm=size_mm)
    except FeltError as error:
        raise CalibrationError(
            f"a table of {_metres(size_mm)} is too small for {seats} seats ({error}); is the black "
            f"square of the markers {marker_mm:g} mm wide?"
        ) from error


def _board(size_mm: tuple[float, float], px_per_mm: float, seats: int) -> Felt:
    middle = Rect(size_mm[0] / 2, size_mm[1] / 2, *BOARD_MM)
    return Felt(*size_mm, px_per_mm, {Zone.BOARD: middle}, seats)


# ------------------------------------------------------------------------------------ what is told of it


@dataclass(frozen=True)
class SeenZone:
    """How one zone is seen: by which camera (from 1; 0: by none wholly), how fine, how far a chip leans there."""

    zone: Zone
    camera: int
    px_per_mm: float
    chip_px: float

    @property
    def verdict(self) -> str:
        """What is read there, in words."""
        if not self.camera:
            return "not wholly in any picture: it is not read"
        if self.zone.kind in CARDS_LIE:
            return readable_at(self.px_per_mm) or "no card is read"
        told = (
            "heights of stacks are told" if self.chip_px >= HEIGHTS_PX else "one chip and a stack may look alike"
        )
        return f"a chip leans {self.chip_px:.1f} px: {told}"


def seen_zones(done: Calibrated) -> Iterator[SeenZone]:
    """How each zone for cards or chips is seen by the camera that sees it best."""
    for zone in done.felt.zones:
        if zone.kind in CARDS_LIE:
            scales = [
                scale_at(done.felt, camera, zone) if camera.tilt_deg <= MOST_ASIDE_DEG else 0.0
                for camera in done.cameras
            ]
            best = scales.index(max(scales))
        elif zone.kind in FOR_CHIPS:
            scales = [scale_at(done.felt, camera, zone) for camera in done.cameras]
            leans = [
                lean_at_zone(done.felt, camera, zone) * (scale > 0)
                for camera, scale in zip(done.cameras, scales, strict=True)
            ]
            best = leans.index(max(leans))
        else:
            continue
        lean = lean_at_zone(done.felt, done.cameras[best], zone) if scales[best] else 0.0
        yield SeenZone(zone, best + 1 if scales[best] else 0, round(scales[best], 2), round(lean, 1))


def readable_at(px_per_mm: float) -> str:
    """What is read of cards at that scale; empty where nothing is."""
    return next((what for least, what in READABLE if px_per_mm >= least), "")


def picture_of(image: Image, done: Calibrated, camera: int = 0) -> Image:
    """The picture of a camera (from 0) with the markers and the zones drawn where the calibration has them.

    Pictures are BGR, (height, width, 3) uint8; the input is not changed.
    """
    drawn, calibration = image.copy(), done.cameras[camera]
    for zone, where in done.felt.zones.items():
        edge = _along(where.corners)
        outline = np.round(np.clip(calibration.to_picture(edge), -4e3, 4e4) * 16).astype(np.int32)
        cv2.polylines(drawn, [outline], True, (90, 230, 250), 2, cv2.LINE_AA, shift=4)
        x, y = calibration.to_picture(np.array([where.at(0, 0)]))[0]
        (wide, high), _ = cv2.getTextSize(str(zone), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
        at = (round(x - wide / 2), round(y + high / 2))
        cv2.putText(drawn, str(zone), at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (90, 230, 250), 1, cv2.LINE_AA)
    draw_markers(drawn, done.found[camera])
    return drawn


def _along(corners: tuple[tuple[float, float], ...]) -> Numbers:
    """Points along the sides of a quad: lens distortion bends its sides."""
    quad = np.array(corners)
    parts = np.arange(8)[:, None] / 8
    return np.concatenate(
        [one + parts * (other - one) for one, other in zip(quad, np.roll(quad, -1, 0), strict=True)]
    )


# --------------------------------------------------------------------------------------------- what is refused


def _check_markers(views: Sequence[CameraView]) -> None:
    everywhere = {number for view in views for number in view.found}
    missing = [number for number in RAIL_NUMBERS if number not in everywhere]
    if missing:
        seen = ", ".join(str(number) for number in sorted(everywhere)) or "none"
        raise CalibrationError(
            f"marker {', '.join(str(number) for number in missing)} is not seen (seen: {seen}): print them with "
            "`feltwire vision markers`, lay them flat on the rail, and let nothing cover them or shine on them"
        )


def _check_order(fitted: Fitted) -> None:
    middles = np.array([fitted.markers[number][:2] for number in RAIL_NUMBERS])
    sides = np.roll(middles, -1, axis=0) - middles
    nexts = np.roll(sides, -1, axis=0)
    if np.any(sides[:, 0] * nexts[:, 1] - sides[:, 1] * nexts[:, 0] <= 0):
        raise CalibrationError(
            "the markers do not go round the table as they should: 0 front left, 1 back left, 2 back right, "
            "3 front right, as the dealer sits"
        )


def _check_size(size_mm: tuple[float, float], marker_mm: float, *, board_only: bool) -> None:
    """Width and depth, either way round within what tables are."""
    smallest = SMALLEST_BOARD_MM if board_only else SMALLEST_TABLE_MM
    largest = LARGEST_BOARD_MM if board_only else LARGEST_TABLE_MM
    for side, least, most in zip(size_mm, smallest, largest, strict=True):
        if not least <= side <= most:
            what = "the place between the markers" if board_only else "the table"
            raise CalibrationError(
                f"{what} comes out as {_metres(size_mm)}: measure the black square of a marker as it was "
                f"printed and give its width (--marker-mm, now {marker_mm:g})"
            )


def _check_scale(done: Calibrated) -> None:
    board = next(seen for seen in seen_zones(done) if seen.zone == Zone.BOARD)
    if not board.camera:
        raise CalibrationError("no camera sees the board wholly: turn one, or hang it higher")
    if not readable_at(board.px_per_mm):
        raise CalibrationError(
            f"the camera sees the middle of the table with {board.px_per_mm:.2f} pixels to the millimetre: at "
            f"least {READABLE[-1][0]:g} are needed to read a card; take larger pictures or hang it lower"
        )


def _metres(size_mm: tuple[float, float]) -> str:
    return f"{size_mm[0] / 1000:.2f} x {size_mm[1] / 1000:.2f} m"


# ------------------------------------------------------------------------------------------- the felt's own frame


@dataclass(frozen=True)
class _Frame:
    """The felt's axes in the frame of the fit: its middle there, how far it is turned, and how large it is."""

    middle: Numbers
    angle: float
    size_mm: tuple[float, float]


def _frame(fitted: Fitted, *, on_rail: bool) -> _Frame:
    """`on_rail`: the markers lie on a rail, and what lies outside of them is the table's, too."""
    middles = np.array([fitted.markers[number][:2] for number in RAIL_NUMBERS])
    across = middles[3] - middles[0] + middles[2] - middles[1]
    deep = middles[0] - middles[1] + middles[3] - middles[2]
    apart = float(np.hypot(*across) / 2), float(np.hypot(*deep) / 2)
    wide_mm, deep_mm = size_around(*apart) if on_rail else apart
    size_mm = (round(wide_mm, 1), round(deep_mm, 1))
    return _Frame(middles.mean(axis=0), math.atan2(across[1], across[0]), size_mm)


def _in_table_frame(
    lenses: Sequence[Lens], fitted: Fitted, frame: _Frame, marker_mm: float, rail_mm: float
) -> list[Calibration]:
    """The same cameras and markers in the felt's own millimetres."""
    cos, sin = math.cos(frame.angle), math.sin(frame.angle)
    to_fit = np.array([(cos, -sin, 0), (sin, cos, 0), (0, 0, 1)])  # felt axes in the frame of the fit
    # The felt's origin (its top left corner) in the frame of the fit; the rail's plane lies rail_mm above it.
    wide_mm, deep_mm = frame.size_mm
    origin = np.append(frame.middle, rail_mm) - to_fit @ np.array([wide_mm / 2, deep_mm / 2, 0])
    markers = []
    for number, (x, y, turned) in sorted(fitted.markers.items()):
        corners = (square(marker_mm, x, y, turned) - origin[:2]) @ to_fit[:2, :2]
        markers.append(Marker(number, tuple((float(a), float(b)) for a, b in corners)))
    cameras = []
    for lens, pose in zip(lenses, fitted.poses, strict=True):
        rotation = cv2.Rodrigues(pose.turn)[0]
        turn, shift = np.ravel(cv2.Rodrigues(rotation @ to_fit)[0]), rotation @ origin + pose.shift
        cameras.append(Calibration(lens, three(turn), three(shift), rail_mm, tuple(markers)))
    return cameras


def _px_per_mm(cameras: Sequence[Calibration], size_mm: tuple[float, float]) -> float:
    """As fine as the cameras show the middle of the table."""
    finest = max(camera.px_per_mm(size_mm[0] / 2, size_mm[1] / 2) for camera in cameras)
    return round(min(FINEST, max(COARSEST, finest)), 3)
