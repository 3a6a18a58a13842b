"""Takes pictures of printed corners, and cuts them out of the picture again as the reader does."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.index import CORNER_MM, FLAT_PX_PER_MM, InkBox
from vision.train.neighbours import Neighbours
from vision.train.printed import PRINT_PX_PER_MM, Grey, Print, Rng

Flat = NDArray[np.uint8]

FEWEST_PX = 6.5  # of a rank's height in a picture
LEAST_SCALE, MOST_SCALE = 0.75, 2.8  # px/mm of the picture; the reader makes finer ones coarser
COARSER = 1.35  # more than 1: more corners in coarse pictures, which are the hard ones
ON_ANOTHER = 0.28  # of the corners lie on other cards instead of cloth


@dataclass(frozen=True)
class Corner:
    """A corner as the reader flattens it, what stands in it, and where (mm × 100).

    `rank` and `suit` are `NOTHING` where no such sign stands, and empty where half of one shows.
    """

    flat: Flat
    rank: str
    suit: str
    rank_box: InkBox
    suit_box: InkBox


def photographed(rng: Rng, printed: Print, others: Neighbours | None = None) -> Corner:
    """Take a picture of the corner and flatten it as the reader does. It may lie on `others`.

    The picture in the result is BGR in flat pixels; its boxes are in mm × 100.
    """
    scale = LEAST_SCALE * float((MOST_SCALE / LEAST_SCALE) ** (rng.random() ** COARSER))
    scale = max(scale, FEWEST_PX / printed.tall_mm)
    below = others if rng.random() < ON_ANOTHER else None
    taken, to_px = _picture(rng, printed.page, scale, below)
    flat, at = _flat_again(rng, taken, to_px)
    boxes = [_moved_box(box, at) for box in (printed.rank_box, printed.suit_box)]
    return Corner(flat, printed.rank, printed.suit, boxes[0], boxes[1])


def _picture(rng: Rng, page: Grey, scale: float, below: Neighbours | None) -> tuple[Flat, NDArray[np.float64]]:
    """The corner on some cloth, turned anyhow, at `scale` px/mm; and the map from millimetres to its pixels."""
    turn = rng.uniform(0, 2 * np.pi)
    size_mm = np.array(page.shape[1::-1]) / PRINT_PX_PER_MM
    side = int(np.hypot(*size_mm) * scale) + 8
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    to_px = np.array([[cos, -sin, 0], [sin, cos, 0]])
    to_px[:, 2] = side / 2 + rng.uniform(-0.5, 0.5, 2) - to_px[:, :2] @ (size_mm / 2)
    soft = cv2.GaussianBlur(page, (0, 0), max(0.3, 0.42 * PRINT_PX_PER_MM / scale))
    warp = to_px.copy()
    warp[:, :2] /= PRINT_PX_PER_MM
    shot = np.full((side, side, 3), rng.uniform(15, 200, 3), np.float32)
    if below is not None:
        for _ in range(int(rng.integers(1, 3))):
            below.lay(shot, to_px, (12.0, 24.0))
        soft[:1] *= np.float32(rng.uniform(0.55, 0.97))  # the paper's edge, or its shadow, tells two cards apart
        soft[:, :1] *= np.float32(rng.uniform(0.55, 0.97))
    transparent = cv2.BORDER_TRANSPARENT
    cv2.warpAffine(soft, warp, (side, side), dst=shot, borderMode=transparent)
    shot = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.2, 1.0 if rng.random() < 0.8 else 0.2 + 0.5 * scale))
    if rng.random() < 0.2:
        shot = _moved(rng, np.asarray(shot, np.float32), scale)
    shot = _lit(rng, np.asarray(shot, np.float32))
    shot += rng.standard_normal(shot.shape, np.float32) * np.float32(rng.uniform(0.5, 7.0))
    taken = np.clip(shot, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 97))])[1]
        taken = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return taken, to_px


def _lit(rng: Rng, shot: Grey) -> Grey:
    """Under some light: tinted, uneven, with a sheen, a hard shadow or a spot that washes out."""
    side = shot.shape[0]
    tint = rng.uniform(0.3, 1.3) * rng.uniform([0.65, 0.88, 0.85], [1.05, 1.0, 1.08])
    at = np.linspace(-0.5, 0.5, side, dtype=np.float32)
    slope = np.float32(1) + rng.normal(0, 0.15) * at[:, None] + rng.normal(0, 0.15) * at[None, :]
    if rng.random() < 0.12:  # the edge of a shadow
        turn, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.01, 0.15)
        across = at[:, None] * np.sin(turn) + at[None, :] * np.cos(turn) - rng.uniform(-0.25, 0.25)
        slope = slope * (1 - rng.uniform(0.3, 0.65) / (1 + np.exp(-across / soft)))
    shot = shot * tint.astype(np.float32) * slope[..., None].astype(np.float32)
    if rng.random() < 0.2:  # a sheen over everything
        shot = shot * 0.75 + np.float32(rng.uniform(10, 70))
    if rng.random() < 0.1:  # a lamp's reflection on one spot
        cx, cy = rng.uniform(-0.4, 0.4, 2)
        far = (at[None, :] - cx) ** 2 + (at[:, None] - cy) ** 2
        spot = rng.uniform(40, 170) * np.exp(-far / rng.uniform(0.005, 0.06))
        shot = shot + spot[..., None].astype(np.float32)
    return np.asarray(shot, np.float32)


def _moved(rng: Rng, shot: Grey, scale: float) -> Grey:
    """Smeared along a line, as by a card or a camera that moves."""
    length = min(rng.uniform(1.2, 4.5), rng.uniform(0.8, 2.2) * scale)
    kernel = np.zeros((9, 9), np.uint8)
    turn = rng.uniform(0, np.pi)
    half = np.array([np.cos(turn), np.sin(turn)]) * length / 2
    ends = [tuple(int(v) for v in np.round((4 + way * half) * 16)) for way in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    weights = kernel.astype(np.float32) / float(kernel.sum())
    return np.asarray(cv2.filter2D(shot, -1, weights), np.float32)


def _moved_box(box: InkBox, at: NDArray[np.float64]) -> InkBox:
    """Where a box (mm × 100) of the corner lies in the flattened picture."""
    corners = np.array([(x / 100, y / 100, 1) for x in (box.left, box.right) for y in (box.top, box.bottom)])
    moved = corners @ at.T * 100
    low, high = moved.min(axis=0).round().astype(int), moved.max(axis=0).round().astype(int)
    return InkBox(int(low[0]), int(low[1]), int(high[0]), int(high[1]), ())


def _flat_again(rng: Rng, taken: Flat, to_px: NDArray[np.float64]) -> tuple[Flat, NDArray[np.float64]]:
    """Flatten the corner as the reader does, with the errors of a card's outline or of a guessed one.

    Also the map from true millimetres to the millimetres of the flat picture.
    """
    size = (round(CORNER_MM[0] * FLAT_PX_PER_MM), round(CORNER_MM[1] * FLAT_PX_PER_MM))
    rough = 1.0 if rng.random() < 0.7 else 2.2
    off = rng.normal(0, 0.35 * rough, 2)
    turn, grow, lean, wide = rng.normal(0, np.array((0.018, 0.022, 0.02, 0.03)) * rough)
    jitter = np.array([[1 + grow + wide, lean - turn, off[0]], [turn, 1 + grow, off[1]], [0, 0, 1]])
    flat_to_mm = np.array([[1 / FLAT_PX_PER_MM, 0, 0], [0, 1 / FLAT_PX_PER_MM, 0], [0, 0, 1]])
    whole = (np.vstack([to_px, [0, 0, 1]]) @ jitter @ flat_to_mm)[:2]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = np.asarray(cv2.warpAffine(taken, whole, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return flat, np.linalg.inv(jitter)[:2]
