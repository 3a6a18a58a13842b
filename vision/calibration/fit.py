"""Where cameras hang over printed markers that lie in one plane, from one picture of each.

The markers' positions are not measured. Each is a square of known size, so its picture gives its distance; the
best fit of all corners in all pictures (Levenberg and Marquardt) gives the cameras' positions, the plane and the
markers in it. Cameras are tied together by the markers that they share.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.hanging import Calibration, CalibrationError, Lens, three
from vision.geometry.markers import Corners

Numbers = NDArray[np.float64]

TILTS_DEG, WAYS = (0.0, 20.0, 40.0, 60.0), 8  # where a fit may begin: how far a camera looks aside, and which way
BEGINNINGS = 3  # the most promising of these are fitted
SHARED = 2  # least markers that tie a camera to those before it
STEPS = 60
ENOUGH = 1e-9  # part of the sum of squares: a step that gains less is the last


@dataclass(frozen=True)
class CameraView:
    """What one camera's picture shows: the corners of each marker in it, by number."""

    lens: Lens
    found: Mapping[int, Corners]


@dataclass(frozen=True)
class Pose:
    """Brings the markers' plane (z = 0, z pointing away from the camera) before a camera."""

    turn: Numbers
    shift: Numbers


@dataclass(frozen=True)
class Fitted:
    """Cameras and markers in one frame, in mm; a marker as x, y, angle. The error is a root mean square in px."""

    poses: tuple[Pose, ...]
    markers: Mapping[int, Numbers]
    error_px: float


def fit_cameras(views: Sequence[CameraView], marker_mm: float) -> Fitted:
    """The best fit; raise `CalibrationError` for a camera that shares too few markers with the others."""
    for number, view in enumerate(views, start=1):
        if len(view.found) < SHARED:
            raise CalibrationError(f"camera {number} sees {_numbers(view.found)}: two or more are needed")
    alone = [_fit([view], _beginnings(view, marker_mm), marker_mm) for view in views]
    poses, markers = [alone[0].poses[0]], dict(alone[0].markers)
    for number, (view, fitted) in enumerate(zip(views[1:], alone[1:], strict=True), start=2):
        shared = sorted(markers.keys() & fitted.markers.keys())
        if len(shared) < SHARED:
            raise CalibrationError(
                f"camera {number} sees {_numbers(view.found)}: {SHARED} or more of those that the "
                "cameras before it see must be among them; lay markers 4 and 5 on the rail where both see them"
            )
        angle, moved = _laid_over(
            np.concatenate([_corners(marker_mm, fitted.markers[one]) for one in shared]),
            np.concatenate([_corners(marker_mm, markers[one]) for one in shared]),
        )
        poses.append(_moved(fitted.poses[0], angle, moved))
        for one, place in fitted.markers.items():
            markers.setdefault(one, np.append(_turned(angle) @ place[:2] + moved, place[2] + angle))
    return _fit(views, [Fitted(tuple(poses), markers, 0.0)], marker_mm)


def _numbers(found: Mapping[int, Corners]) -> str:
    return f"markers {', '.join(str(one) for one in sorted(found))}" if found else "no marker"


def square(side: float, x: float, y: float, angle: float) -> Numbers:
    """Corners of a marker from its own top left, clockwise as seen, (4, 2) mm."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    return np.asarray(corners @ _turned(angle).T + (x, y), np.float64)


def _corners(side: float, marker: Numbers) -> Numbers:
    x, y, angle = (float(v) for v in marker)
    return square(side, x, y, angle)


def _turned(angle: float) -> Numbers:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([(cos, -sin), (sin, cos)])


def _laid_over(here: Numbers, there: Numbers) -> tuple[float, Numbers]:
    """The turn (radians) and then the move (mm) that bring points of a plane onto others."""
    one, other = here - here.mean(axis=0), there - there.mean(axis=0)
    angle = math.atan2(
        float((one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]).sum()), float((one * other).sum())
    )
    return angle, there.mean(axis=0) - _turned(angle) @ here.mean(axis=0)


def _moved(pose: Pose, angle: float, moved: Numbers) -> Pose:
    """The same camera where the plane's frame was turned and moved."""
    back = np.eye(3)
    back[:2, :2] = _turned(-angle)
    rotation = cv2.Rodrigues(pose.turn)[0] @ back
    return Pose(np.ravel(cv2.Rodrigues(rotation)[0]), pose.shift - rotation @ np.append(moved, 0.0))


def _fit(views: Sequence[CameraView], beginnings: Sequence[Fitted], marker_mm: float) -> Fitted:
    numbers = sorted({number for view in views for number in view.found})
    fits = [_fitted(views, numbers, beginning, marker_mm) for beginning in beginnings]
    return min(fits, key=lambda fit: fit.error_px)


def _fitted(views: Sequence[CameraView], numbers: Sequence[int], beginning: Fitted, marker_mm: float) -> Fitted:
    """The fit nearest to a beginning."""
    start = np.concatenate(
        [
            *(np.concatenate([pose.turn, pose.shift]) for pose in beginning.poses),
            *(beginning.markers[n] for n in numbers),
        ]
    )

    def taken_apart(values: Numbers) -> tuple[list[Pose], dict[int, Numbers]]:
        cameras = values[: 6 * len(views)].reshape(-1, 6)
        places = values[6 * len(views) :].reshape(-1, 3)
        return [Pose(one[:3], one[3:]) for one in cameras], dict(zip(numbers, places, strict=True))

    def miss(values: Numbers) -> Numbers:
        poses, markers = taken_apart(values)
        return np.concatenate(
            [_missed(view, pose, markers, marker_mm) for view, pose in zip(views, poses, strict=True)]
        )

    values = _least_squares(miss, start)
    poses, markers = taken_apart(values)
    return Fitted(tuple(poses), markers, float(np.sqrt(np.mean(miss(values) ** 2) * 2)))


def _missed(view: CameraView, pose: Pose, markers: Mapping[int, Numbers], marker_mm: float) -> Numbers:
    """How far each corner in a picture lies from where it should be seen, x and y in pixels."""
    flat = np.concatenate([_corners(marker_mm, markers[number]) for number in view.found])
    space = np.column_stack([flat, np.zeros(len(flat))])
    drawn, _ = cv2.projectPoints(space, pose.turn, pose.shift, view.lens.matrix, view.lens.bends)
    return np.asarray(drawn.reshape(-1, 2) - np.concatenate([*view.found.values()]), np.float64).ravel()


# ---------------------------------------------------------------------------------------- where it begins


def _beginnings(view: CameraView, marker_mm: float) -> list[Fitted]:
    """Likely places of one camera: those from which its markers look most like squares of one size."""
    tried = [_beginning(view, turn, marker_mm) for turn in _turns()]
    return sorted(tried, key=lambda fit: fit.error_px)[:BEGINNINGS]


def _turns() -> Iterator[Numbers]:
    yield np.zeros(3)
    for tilt, way in itertools.product(TILTS_DEG[1:], range(WAYS)):
        angle = 2 * math.pi * way / WAYS
        yield math.radians(tilt) * np.array([math.cos(angle), math.sin(angle), 0.0])


def _beginning(view: CameraView, turn: Numbers, marker_mm: float) -> Fitted:
    """A camera that looks aside like that, as far away as its markers look small; the error is in mm."""
    quads = [_on_the_plane(view.lens, turn, 1.0, quad) for quad in view.found.values()]
    depth = marker_mm / float(
        np.mean([np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1).mean() for quad in quads])
    )
    markers, off = {}, []
    for number, flat in zip(view.found, quads, strict=True):
        angle, middle = _laid_over(square(marker_mm, 0.0, 0.0, 0.0), flat * depth)
        markers[number] = np.append(middle, angle)
        off.append(square(marker_mm, float(middle[0]), float(middle[1]), angle) - flat * depth)
    error = float(np.sqrt(np.mean(np.square(off))))
    return Fitted((Pose(turn, np.array([0.0, 0.0, depth])),), markers, error if np.isfinite(error) else np.inf)


def _on_the_plane(lens: Lens, turn: Numbers, depth: float, quad: Corners) -> Numbers:
    return Calibration(lens, three(turn), (0.0, 0.0, depth)).to_felt(quad)


# -------------------------------------------------------------------------------------------- least squares


def _least_squares(miss: Callable[[Numbers], Numbers], start: Numbers) -> Numbers:
    """The numbers near `start` that minimise the sum of squares of `miss(numbers)`."""
    numbers, missed = start, miss(start)
    damping = 1e-3
    for _ in range(STEPS):
        slope = _slope(miss, numbers, missed)
        squares = slope.T @ slope
        while True:
            step = np.linalg.solve(squares + damping * np.diag(np.diag(squares) + 1e-9), -slope.T @ missed)
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
