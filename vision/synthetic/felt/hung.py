"""A camera that hangs over a rendered table somewhere, tilted, behind a lens that bends; with markers on the rail.

The picture is made backwards, pixel by pixel: which ray, where it meets the rail's plane, where the felt's. It
shares no code with the calibration: the lens's bend is undone by iteration here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Zone
from vision.geometry.felt import RAIL_MARGIN_MM, RAIL_WIDTH_MM, Felt
from vision.geometry.hanging import Lens
from vision.geometry.markers import marker_cells

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # left, top, right, bottom
FLOOR = (62, 58, 54)
STEP = 16


@dataclass(frozen=True)
class HungCamera:
    """`at_mm` is where it hangs: right and down of the table's middle as in the picture, and its height.

    It looks at `looks_at_mm` (of the table's middle) but for `aside_deg`, and is turned by `roll_deg`. `bend` is
    k1, k2 of its lens.
    """

    at_mm: tuple[float, float, float] = (0.0, 0.0, 1650.0)
    aside_deg: tuple[float, float] = (0.0, 0.0)
    roll_deg: float = 0.0
    focal_px: float = 1350.0
    bend: tuple[float, float] = (0.0, 0.0)
    size_px: tuple[int, int] = (1920, 1080)
    looks_at_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def lens(self) -> Lens:
        """Its lens as `feltwire vision lens` would measure it."""
        middle = ((self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2)
        return Lens(self.size_px, (self.focal_px, self.focal_px), middle, (*self.bend, 0.0, 0.0, 0.0))

    def rays(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.float64]:
        """Directions in the table's axes of what is seen at these pixels, (rows, columns, 3)."""
        width, height = self.size_px
        across = (x - (width - 1) / 2) / self.focal_px
        down = (y[:, None] - (height - 1) / 2) / self.focal_px
        bent = np.hypot(across, down)
        straight = bent
        for _ in range(12):
            r2 = straight**2
            straight = bent / (1 + self.bend[0] * r2 + self.bend[1] * r2 * r2)
        factor = straight / np.maximum(bent, 1e-12)
        before = np.stack([across * factor, down * factor, np.ones(bent.shape)], -1)
        return np.asarray(before @ self._axes(), np.float64)

    def meets_in(self, window: Box, height_mm: float) -> NDArray[np.float32]:
        """Where the rays of a part of the picture meet the plane that high above the felt, in mm from the table's
        middle: every `STEP`th ray, for between two of them a lens bends little."""
        left, top, right, bottom = window
        first = left // STEP - 1, top // STEP - 1  # the same rays whatever the part
        across, down = -(-right // STEP) + 1 - first[0], -(-bottom // STEP) + 1 - first[1]
        x, y = (
            (start + np.arange(count) + 0.5) * STEP - 0.5
            for start, count in zip(first, (across, down), strict=True)
        )
        coarse = self.met(self.rays(x, y), height_mm)
        fine = cv2.resize(coarse, (across * STEP, down * STEP), interpolation=cv2.INTER_LINEAR)
        left, top = left - first[0] * STEP, top - first[1] * STEP
        return np.asarray(fine[top : top + window[3] - window[1], left : left + right - window[0]], np.float32)

    def met(self, rays: NDArray[np.float64], height_mm: float) -> NDArray[np.float32]:
        """Where rays, (…, 3), meet that plane, (…, 2)."""
        along = (self.at_mm[2] - height_mm) / rays[..., 2:]
        return (np.array(self.at_mm[:2]) + rays[..., :2] * along).astype(np.float32)

    def _axes(self) -> NDArray[np.float64]:
        """The camera's right, down and forward in the table's axes (right, down, into the table)."""
        x, y = self.looks_at_mm
        look = np.array([x - self.at_mm[0], y - self.at_mm[1], self.at_mm[2]], np.float64)
        aside = np.tan(np.radians(self.aside_deg)) * self.at_mm[2]
        look[:2] += aside
        forward = look / np.linalg.norm(look)
        roll = math.radians(self.roll_deg)
        right = np.array([math.cos(roll), math.sin(roll), 0.0])
        right -= forward * (right @ forward)
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(forward, right), forward])


@dataclass(frozen=True)
class Rail:
    """Markers on the rail: how large, how high, and how far each lies from where it belongs: mm and degrees.

    `order` numbers those at the four quarters, then those in the middle of the back and of the front; `around_mm`:
    the first four lie around the board instead, so far apart.
    """

    marker_mm: float = 60.0
    height_mm: float = 35.0
    astray: tuple[tuple[float, float, float], ...] = ((0, 0, 0),) * 6
    missing: tuple[int, ...] = ()
    order: tuple[int, ...] = (0, 1, 2, 3)
    around_mm: tuple[float, float] | None = None


def marker_spots(size_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Where the middles of the four printed markers belong (mm): on the rail, halfway round each quarter of it."""
    radius = size_mm[1] / 2 - RAIL_MARGIN_MM - RAIL_WIDTH_MM / 2
    deep = radius / math.sqrt(2)
    wide, (x, y) = (size_mm[0] - size_mm[1]) / 2 + deep, (size_mm[0] / 2, size_mm[1] / 2)
    return (x - wide, y + deep), (x - wide, y - deep), (x + wide, y - deep), (x + wide, y + deep)


def _spots(felt: Felt, rail: Rail) -> Sequence[tuple[float, float]]:
    size = (felt.width_mm, felt.height_mm)
    if rail.around_mm is None:
        on_rail, across = RAIL_MARGIN_MM + RAIL_WIDTH_MM / 2, size[0] / 2
        return (*marker_spots(size), (across, on_rail), (across, size[1] - on_rail))
    board, wide, high = felt.zone(Zone.BOARD), rail.around_mm[0] / 2, rail.around_mm[1] / 2
    x, y = board.x, board.y
    return (x - wide, y + high), (x - wide, y - high), (x + wide, y - high), (x + wide, y + high)


def lay_marker(seen: Image, where: NDArray[np.float32], felt: Felt, rail: Rail, place: int) -> None:
    """Draw one marker with its white edge where `where` (mm, as large as `seen`) has its place."""
    x, y = _spots(felt, rail)[place]
    right, down, turned = rail.astray[place]
    angle = math.radians(turned)
    cell_mm = rail.marker_mm / 7
    far = np.abs(where - np.array([x + right, y + down], np.float32)).max(axis=-1)
    rows, columns = np.nonzero(far < 4.5 * cell_mm * math.sqrt(2))
    if not len(rows):
        return
    part = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    where, seen = where[part], seen[part]
    apart = where - np.array([x + right, y + down], np.float32)
    own = apart @ np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]], np.float32)
    fine = 12  # pixels of a cell
    cells = np.pad(marker_cells(rail.order[place]), 1).repeat(fine, 0).repeat(fine, 1)
    paper = np.where(cells, 30, 225).astype(np.uint8)
    maps = (own / cell_mm + 4.5) * fine - 0.5
    here = (np.abs(own) < 4.5 * cell_mm).all(axis=-1)
    # what a pixel gathers: about its own size on the paper
    gathers = float(np.median(np.abs(np.diff(maps[..., 0], axis=1)) + np.abs(np.diff(maps[..., 1], axis=1))))
    printed = cv2.remap(cv2.GaussianBlur(paper, (0, 0), 0.4 * gathers), maps, None, cv2.INTER_LINEAR)
    seen[here] = printed[here][:, None]
