"""Where a camera hangs above its table and how its lens bends: millimetres on the felt and pixels of its picture.

The camera is a pinhole with the usual five numbers for the bend of its lens (OpenCV's k1, k2, p1, p2, k3); the
felt is the plane z = 0, z pointing down into the table, so the top of the rail has a negative z. A calibration is
kept in the table's felt file, under `[camera]` or, where several see one felt, one `[[camera]]` each; a lens also
alone, because it belongs to the camera.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import tomli_w
from numpy.typing import NDArray

from table_core.toml_text import read_toml
from vision.file_errors import told_as

Points = NDArray[np.float64]  # (n, 2)
USUAL_FOV_DEG = 78.0  # across the diagonal: most USB cameras; a Pi camera 3 has 75, the wide one 120
OUTSIDE = -1e5  # returned for a point outside the lens's view
BEYOND = 1.15  # part of the distance to the picture's corner: beyond it the distortion is undefined


class CalibrationError(ValueError):
    """A calibration that cannot be: what is wrong with it and what to do."""


@dataclass(frozen=True)
class Lens:
    """A camera's lens at one picture size: focal lengths and centre in pixels, and its bend."""

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    bend: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Raise `CalibrationError` for impossible numbers."""
        if min(self.size_px) < 16 or min(self.focal_px) <= 0 or len(self.bend) != 5:
            raise CalibrationError(
                "a lens has a picture size, focal lengths above 0 and five numbers for its bend"
            )

    @classmethod
    def assumed(cls, size_px: tuple[int, int], fov_deg: float = USUAL_FOV_DEG) -> Lens:
        """A lens that does not bend, with a field of view across the picture's diagonal as its data sheet says.

        Raise `CalibrationError` for a view outside 20 to 150 degrees.
        """
        if not 20 <= fov_deg <= 150:
            raise CalibrationError(f"a view of {fov_deg:g} degrees: expected 20 to 150, as the data sheet says")
        width, height = size_px
        focal = math.hypot(width, height) / 2 / math.tan(math.radians(fov_deg) / 2)
        return cls(size_px, (focal, focal), ((width - 1) / 2, (height - 1) / 2))

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The camera matrix, 3 × 3, in pixels."""
        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]], np.float64)

    @property
    def bends(self) -> NDArray[np.float64]:
        """The distortion coefficients, (5,), in OpenCV's order."""
        return np.array(self.bend, np.float64)

    def at_size(self, size_px: tuple[int, int]) -> Lens:
        """The same lens on a picture of another size; raise `CalibrationError` for one of another shape."""
        if size_px == self.size_px:
            return self
        factor = size_px[0] / self.size_px[0]
        if abs(size_px[1] / self.size_px[1] / factor - 1) > 0.01:
            raise CalibrationError(
                f"a lens measured at {self.size_px[0]} x {self.size_px[1]} says nothing of pictures of "
                f"{size_px[0]} x {size_px[1]}: measure it at that size"
            )
        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        centre = ((cx + 0.5) * factor - 0.5, (cy + 0.5) * factor - 0.5)
        return replace(self, size_px=size_px, focal_px=(fx * factor, fy * factor), centre_px=centre)

    def straight(self, points_px: Points) -> Points:
        """Directions (x / z, y / z) from the camera to what is seen at these pixels."""
        flat = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.undistortPoints(flat, self.matrix, self.bends), np.float64).reshape(-1, 2)

    def as_toml(self) -> dict[str, Any]:
        """What `from_toml` reads."""
        return {
            "size_px": self.size_px,
            "focal_px": _rounded(self.focal_px),
            "centre_px": _rounded(self.centre_px),
            "bend": _rounded(self.bend),
        }

    @classmethod
    def from_toml(cls, data: Mapping[str, Any]) -> Lens:
        width, height = (int(v) for v in data["size_px"])
        fx, fy = (float(v) for v in data["focal_px"])
        cx, cy = (float(v) for v in data["centre_px"])
        return cls((width, height), (fx, fy), (cx, cy), tuple(float(v) for v in data["bend"]))

    def save(self, path: Path) -> None:
        """Write this lens as TOML."""
        path.write_text(tomli_w.dumps({"lens": self.as_toml()}), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Lens:
        """Read a lens written by `save`; raise `CalibrationError` that names the file and what is wrong."""
        with told_as(CalibrationError, path, "lens", "feltwire vision lens"):
            return cls.from_toml(read_toml(path.read_text(encoding="utf-8"))["lens"])


@dataclass(frozen=True)
class Marker:
    """A printed marker on the rail: its number, and its four corners in mm from its own top left, clockwise."""

    number: int
    corners_mm: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Calibration:
    """One camera above one table. `turn` (a rotation vector) and `shift` (mm) bring the felt before the camera."""

    lens: Lens
    turn: tuple[float, float, float]
    shift: tuple[float, float, float]
    rail_mm: float = 0.0  # how high the rail, and the markers on it, stand above the felt
    markers: tuple[Marker, ...] = ()

    def to_picture(self, points_mm: object, height_mm: float = 0.0) -> Points:
        """Where points (…, 2) that lie `height_mm` above the felt are seen, in pixels."""
        given = np.asarray(points_mm, np.float64)
        flat = given.reshape(-1, 2)
        space = np.column_stack([flat, np.full(len(flat), -height_mm)])
        seen, _ = cv2.projectPoints(
            space, np.array(self.turn), np.array(self.shift), self.lens.matrix, self.lens.bends
        )
        pixels = np.asarray(seen, np.float64).reshape(-1, 2)
        pixels[~self._in_sight(space)] = OUTSIDE
        return pixels.reshape(given.shape)

    def to_felt(self, points_px: object, height_mm: float = 0.0) -> Points:
        """Which points `height_mm` above the felt are seen at these pixels (…, 2), in mm."""
        given = np.asarray(points_px, np.float64)
        rays = self.lens.straight(given.reshape(-1, 2))
        turned = self._rotation.T @ np.vstack([rays.T, np.ones(len(rays))])
        camera = self._rotation.T @ -np.array(self.shift)
        along = (-height_mm - camera[2]) / turned[2]
        return np.asarray((camera[:2, None] + turned[:2] * along).T.reshape(given.shape), np.float64)

    @property
    def height_mm(self) -> float:
        """How high the camera hangs above the felt."""
        return float(-(self._rotation.T @ -np.array(self.shift))[2])

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks away from straight down."""
        return math.degrees(math.acos(min(1.0, float(self._rotation[2, 2]))))

    def px_per_mm(self, x: float, y: float) -> float:
        """How many pixels a millimetre of felt takes at a point, along the way in which it takes the fewest."""
        here, right, down = self.to_picture(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        return float(np.linalg.svd(np.array([right - here, down - here]), compute_uv=False).min())

    def of_part(self, x: float, y: float) -> Calibration:
        """The same camera over a part of the felt: millimetres count from (x, y) on."""
        shift = self._rotation @ np.array([x, y, 0.0]) + np.array(self.shift)
        markers = tuple(
            replace(marker, corners_mm=tuple((cx - x, cy - y) for cx, cy in marker.corners_mm))
            for marker in self.markers
        )
        return replace(self, shift=three(shift), markers=markers)

    @property
    def _rotation(self) -> NDArray[np.float64]:
        return np.asarray(cv2.Rodrigues(np.array(self.turn))[0], np.float64)

    def _in_sight(self, space: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Before the camera, and not so far out that the bend of the lens folds back into the picture."""
        before = self._rotation @ space.T + np.array(self.shift)[:, None]
        width, height = self.lens.size_px
        corners = np.array([(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)], np.float64)
        widest = BEYOND * float(np.hypot(*self.lens.straight(corners).T).max())
        depth = np.maximum(before[2], 1e-6)
        return np.asarray((before[2] > 1) & (np.hypot(before[0], before[1]) / depth < widest))

    def at_size(self, size_px: tuple[int, int]) -> Calibration:
        """The same camera giving pictures of another size."""
        return replace(self, lens=self.lens.at_size(size_px))

    def as_toml(self) -> dict[str, Any]:
        """What `from_toml` reads."""
        return {
            "turn": _rounded(self.turn),
            "shift_mm": _rounded(self.shift),
            "rail_mm": self.rail_mm,
            "lens": self.lens.as_toml(),
            "marker": [
                {"number": marker.number, "corners_mm": [_rounded(corner) for corner in marker.corners_mm]}
                for marker in self.markers
            ],
        }

    @classmethod
    def from_toml(cls, data: Mapping[str, Any]) -> Calibration:
        """Raise KeyError, TypeError or ValueError where something is missing or wrong."""
        markers = tuple(
            Marker(int(m["number"]), tuple((float(x), float(y)) for x, y in m["corners_mm"]))
            for m in data.get("marker", ())
        )
        turn, shift = three(data["turn"]), three(data["shift_mm"])
        return cls(Lens.from_toml(data["lens"]), turn, shift, float(data["rail_mm"]), markers)


def load_calibrations(path: Path) -> tuple[Calibration, ...]:
    """The cameras of a felt file, none where it has none; raise `CalibrationError` for one that is damaged."""
    with told_as(CalibrationError, path, "felt with a [camera]", "feltwire vision calibrate"):
        data = read_toml(path.read_text(encoding="utf-8")).get("camera", [])
        return tuple(Calibration.from_toml(one) for one in (data if isinstance(data, list) else [data]))


def three(values: Any) -> tuple[float, float, float]:
    """A vector of three numbers as a tuple. Raise TypeError or ValueError where it is none."""
    x, y, z = (float(v) for v in values)
    return x, y, z


def _rounded(values: object) -> list[float]:
    return [round(float(v), 6) for v in np.asarray(values, np.float64)]
