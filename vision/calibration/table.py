"""Finds the camera's position from one picture of the four printed markers on the rail.

The markers' positions are not measured. Each is a square of known size, so its picture gives its distance; the
best fit of all corners (Levenberg and Marquardt) gives the camera's position, the rail's plane and the markers on
it. The middle of the four is the middle of the table; the line from marker 0 to 3 is its front.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.annotate import Image
from vision.geometry.felt import PICTURE_MM, Felt, FeltError, marker_spots
from vision.geometry.hanging import Calibration, CalibrationError, Lens, Marker
from vision.geometry.markers import MARKER_MM, RAIL_NUMBERS, Corners, draw_markers, find_markers

Numbers = NDArray[np.float64]

RAIL_MM = 35.0  # how high a padded rail usually stands above the felt
WORST_PX = 2.0  # root mean square by which corners may miss where they should be
SMALLEST_TABLE_MM = (1100.0, 700.0)
LARGEST_TABLE_MM = (3600.0, 2200.0)
COARSEST, FINEST = 0.4, 4.0  # felt pixels to the millimetre
# Least pixels to the millimetre at which cards are read, and what is read there: measured with eighteen rendered
# cards of each of six decks, at any angle. Below the last only backs are told from bare felt.
READABLE = ((1.2, "any index"), (0.9, "standard index in good light, jumbo in any"), (0.5, "jumbo index only"))
STEPS = 60
ENOUGH = 1e-9  # part of the sum of squares: a step that gains less is the last


@dataclass(frozen=True)
class Calibrated:
    """A table found: its felt, its camera, the markers as seen, and how well everything fits (pixels)."""

    felt: Felt
    calibration: Calibration
    found: Mapping[int, Corners]
    error_px: float


def calibrate_table(
    image: Image, lens: Lens, seats: int, *, marker_mm: float = MARKER_MM, rail_mm: float = RAIL_MM
) -> Calibrated:
    """The table in a picture (BGR); raise `CalibrationError` that says what is missing or does not fit."""
    found = {number: quad for number, quad in find_markers(image).items() if number in RAIL_NUMBERS}
    _check_markers(found)
    lens = lens.at_size((image.shape[1], image.shape[0]))
    quads = [found[number] for number in RAIL_NUMBERS]
    solved, error = _solve(lens, quads, marker_mm)
    if error > WORST_PX:
        raise CalibrationError(
            f"the markers fit to {error:.1f} pixels only (at most {WORST_PX:g}): measure the lens "
            "(`feltwire vision lens`), and see that no marker is bent"
        )
    calibration, size_mm = _in_table_frame(lens, solved, marker_mm, rail_mm)
    _check_size(size_mm)
    _check_scale(calibration, size_mm)
    try:
        felt = Felt.for_seats(seats, px_per_mm=_px_per_mm(calibration, size_mm), size_mm=size_mm)
    except FeltError as error_of_size:
        raise CalibrationError(
            f"a table of {_metres(size_mm)} is too small for {seats} seats ({error_of_size}); is the black "
            f"square of the markers {marker_mm:g} mm wide?"
        ) from error_of_size
    return Calibrated(felt, calibration, found, error)


def zone_px_per_mm(done: Calibrated) -> dict[Zone, float]:
    """How fine the camera sees each zone: pixels to the millimetre in its middle."""
    return {
        zone: round(done.calibration.px_per_mm(where.x, where.y), 2) for zone, where in done.felt.zones.items()
    }


def readable_at(px_per_mm: float) -> str:
    """What is read of cards at that scale; empty where nothing is."""
    return next((what for least, what in READABLE if px_per_mm >= least), "")


def picture_of(image: Image, done: Calibrated) -> Image:
    """The picture with the markers, the zones and a ruler drawn where the calibration has them.

    Pictures are BGR, (height, width, 3) uint8; the input is not changed.
    """
    drawn = image.copy()
    for zone, where in done.felt.zones.items():
        edge = _along(where.corners)
        outline = np.round(done.calibration.to_picture(edge) * 16).astype(np.int32)
        cv2.polylines(drawn, [outline], True, (90, 230, 250), 2, cv2.LINE_AA, shift=4)
        x, y = done.calibration.to_picture(np.array([where.at(0, 0)]))[0]
        (wide, high), _ = cv2.getTextSize(str(zone), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
        at = (round(x - wide / 2), round(y + high / 2))
        cv2.putText(drawn, str(zone), at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (90, 230, 250), 1, cv2.LINE_AA)
    draw_markers(drawn, done.found)
    return drawn


def _along(corners: tuple[tuple[float, float], ...]) -> Numbers:
    """Points along the sides of a quad: lens distortion bends its sides."""
    quad = np.array(corners)
    parts = np.arange(8)[:, None] / 8
    return np.concatenate(
        [one + parts * (other - one) for one, other in zip(quad, np.roll(quad, -1, 0), strict=True)]
    )


def _check_markers(found: Mapping[int, Corners]) -> None:
    missing = [number for number in RAIL_NUMBERS if number not in found]
    if missing:
        seen = ", ".join(str(number) for number in sorted(found)) or "none"
        raise CalibrationError(
            f"marker {', '.join(str(number) for number in missing)} is not seen (seen: {seen}): print them with "
            "`feltwire vision markers`, lay them flat on the rail, and let nothing cover them or shine on them"
        )
    middles = np.array([found[number].mean(axis=0) for number in RAIL_NUMBERS])
    sides = np.roll(middles, -1, axis=0) - middles
    nexts = np.roll(sides, -1, axis=0)
    if np.any(sides[:, 0] * nexts[:, 1] - sides[:, 1] * nexts[:, 0] <= 0):
        raise CalibrationError(
            "the markers do not go round the table as they should: 0 front left, 1 back left, 2 back right, "
            "3 front right, as the dealer sits"
        )


def _check_size(size_mm: tuple[float, float]) -> None:
    """Width and depth, either way round within what tables are."""
    for side, least, most in zip(size_mm, SMALLEST_TABLE_MM, LARGEST_TABLE_MM, strict=True):
        if not least <= side <= most:
            raise CalibrationError(
                f"the table comes out as {_metres(size_mm)}: measure the black square of a marker as it was "
                "printed and give its width (--marker-mm)"
            )


def _check_scale(calibration: Calibration, size_mm: tuple[float, float]) -> None:
    middle = calibration.px_per_mm(size_mm[0] / 2, size_mm[1] / 2)
    if not readable_at(middle):
        raise CalibrationError(
            f"the camera sees the middle of the table with {middle:.2f} pixels to the millimetre: at least "
            f"{READABLE[-1][0]:g} are needed to read a card; take larger pictures or hang it lower"
        )


def _metres(size_mm: tuple[float, float]) -> str:
    return f"{size_mm[0] / 1000:.2f} x {size_mm[1] / 1000:.2f} m"


# ------------------------------------------------------------------------------------------- the fit


@dataclass(frozen=True)
class _Solved:
    """Camera and markers in a frame in which the rail is the plane z = 0; markers as x, y, angle."""

    turn: Numbers
    shift: Numbers
    markers: Numbers  # (4, 3)


def _solve(lens: Lens, quads: list[Corners], marker_mm: float) -> tuple[_Solved, float]:
    """The best fit of the corners, and its error (root mean square, pixels)."""
    seen = np.concatenate(quads)

    def miss(numbers: Numbers) -> Numbers:
        solved = _Solved(numbers[:3], numbers[3:6], numbers[6:].reshape(4, 3))
        corners = np.concatenate([_square(marker_mm, *marker) for marker in solved.markers])
        space = np.column_stack([corners, np.zeros(len(corners))])
        drawn, _ = cv2.projectPoints(space, solved.turn, solved.shift, lens.matrix, lens.bends)
        return np.asarray(drawn.reshape(-1, 2) - seen, np.float64).ravel()

    numbers = _least_squares(miss, _first_guess(lens, quads, marker_mm))
    solved = _Solved(numbers[:3], numbers[3:6], numbers[6:].reshape(4, 3))
    return solved, float(np.sqrt(np.mean(miss(numbers) ** 2) * 2))


def _first_guess(lens: Lens, quads: list[Corners], marker_mm: float) -> Numbers:
    """The start of the fit: markers at a table of the usual proportions, at the size that they appear."""
    spots = np.array(marker_spots())
    spots -= spots.mean(axis=0)
    spots[:, 1] *= _depth(lens, quads) / float(np.ptp(spots[:, 1]) / np.ptp(spots[:, 0]))
    flat = np.array([lens.straight(quad) for quad in quads])
    sides = np.linalg.norm(flat - np.roll(flat, -1, axis=1), axis=2).mean()
    span = np.linalg.norm(flat[3].mean(axis=0) - flat[0].mean(axis=0))
    spots *= (span / sides * marker_mm) / float(np.ptp(spots[:, 0]))
    space = np.column_stack([spots, np.zeros(4)])
    middles = np.array([quad.mean(axis=0) for quad in quads])
    ok, turn, shift = cv2.solvePnP(space, middles, lens.matrix, lens.bends, flags=cv2.SOLVEPNP_IPPE)
    if not ok:
        raise CalibrationError("the markers lie in a line: one belongs on each quarter of the rail")
    guess = Calibration(lens, _three(np.ravel(turn)), _three(np.ravel(shift)))
    flat = np.array([guess.to_felt(quad) for quad in quads])
    sides = flat[:, 1] - flat[:, 0]
    markers = np.column_stack([flat.mean(axis=1), np.arctan2(sides[:, 1], sides[:, 0])])
    return np.concatenate([np.ravel(turn), np.ravel(shift), markers.ravel()])


def _depth(lens: Lens, quads: list[Corners]) -> float:
    """How deep the four look beside how wide."""
    middles = np.array([lens.straight(quad).mean(axis=0) for quad in quads])
    wide = np.linalg.norm(middles[3] - middles[0]) + np.linalg.norm(middles[2] - middles[1])
    deep = np.linalg.norm(middles[1] - middles[0]) + np.linalg.norm(middles[2] - middles[3])
    return float(deep / wide)


def _square(side: float, x: float, y: float, angle: float) -> Numbers:
    """Corners of a marker from its own top left, clockwise as seen."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(corners @ np.array([(cos, sin), (-sin, cos)]) + (x, y), np.float64)


def _least_squares(miss: Callable[[Numbers], Numbers], start: Numbers) -> Numbers:
    """The numbers near `start` that minimise the sum of squares of `miss(numbers)`."""
    numbers, missed = start, miss(start)
    damping = 1e-3
    for _ in range(STEPS):
        slope = _slope(miss, numbers, missed)
        square = slope.T @ slope
        while True:
            step = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-9), -slope.T @ missed)
            tried = miss(numbers + step)
            if tried @ tried < missed @ missed or damping > 1e9:
                break
            damping *= 8
        gained = missed @ missed - tried @ tried
        if gained <= ENOUGH * (missed @ missed):
            break
        numbers, missed, damping = numbers + step, tried, damping / 5
    return numbers


def _slope(miss: Callable[[Numbers], Numbers], numbers: Numbers, missed: Numbers) -> Numbers:
    """How `miss` changes with each number, by small steps."""
    columns = []
    for i in range(len(numbers)):
        step = 1e-6 * max(1.0, abs(numbers[i]))
        moved = numbers.copy()
        moved[i] += step
        columns.append((miss(moved) - missed) / step)
    return np.array(columns).T


def _in_table_frame(
    lens: Lens, solved: _Solved, marker_mm: float, rail_mm: float
) -> tuple[Calibration, tuple[float, float]]:
    """The same camera and markers in the felt's own millimetres, and how large the table is."""
    middles = solved.markers[:, :2]
    across = middles[3] - middles[0] + middles[2] - middles[1]
    deep = middles[0] - middles[1] + middles[3] - middles[2]
    usual = np.array(marker_spots())
    extra = np.array(PICTURE_MM) - np.ptp(usual, axis=0)  # what lies outside of the markers
    wide_mm, deep_mm = (
        float(np.hypot(*side) / 2 + more) for side, more in zip((across, deep), extra, strict=True)
    )
    angle = math.atan2(across[1], across[0])
    cos, sin = math.cos(angle), math.sin(angle)
    to_solved = np.array([(cos, -sin, 0), (sin, cos, 0), (0, 0, 1)])  # felt axes in the frame of the fit
    # The felt's origin (its top left corner) in the frame of the fit; the rail's plane lies rail_mm above it.
    origin = np.append(middles.mean(axis=0), rail_mm) - to_solved @ np.array([wide_mm / 2, deep_mm / 2, 0])
    rotation = cv2.Rodrigues(solved.turn)[0]
    turn = np.ravel(cv2.Rodrigues(rotation @ to_solved)[0])
    shift = rotation @ origin + solved.shift
    markers = []
    for number, (x, y, turned) in zip(RAIL_NUMBERS, solved.markers, strict=True):
        corners = (_square(marker_mm, x, y, turned) - origin[:2]) @ to_solved[:2, :2]
        markers.append(Marker(number, tuple((float(a), float(b)) for a, b in corners)))
    return (
        Calibration(lens, _three(turn), _three(shift), rail_mm, tuple(markers)),
        (round(wide_mm, 1), round(deep_mm, 1)),
    )


def _px_per_mm(calibration: Calibration, size_mm: tuple[float, float]) -> float:
    """As fine as the picture shows the middle of the table."""
    finest = calibration.px_per_mm(size_mm[0] / 2, size_mm[1] / 2)
    return round(min(FINEST, max(COARSEST, finest)), 3)


def _three(values: Numbers) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in values)
    return x, y, z
