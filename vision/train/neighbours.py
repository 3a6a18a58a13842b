"""Other cards around a corner: over it, under it, beside it. In a pair, a fan or a pile a corner is seldom alone.

What lies there is print like its own: paper, another index at any angle, pips, a court. A network that has seen
corners only on bare cloth takes the neighbour's signs for the card's, or says nothing where a neighbour is near.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM

CARD_MM = (CARD_WIDTH_MM, CARD_HEIGHT_MM)
KEPT = 48  # drawn cards that lie about; each is used some times before another takes its place
RENEWED = 0.12
SAME_WAY_DEG, TOO_NEAR_MM = 25.0, 12.0  # skip a neighbour whose index lies in the place of ours

Rng = np.random.Generator
Page = NDArray[np.float32]
Points = NDArray[np.float64]


class Neighbours:
    """A few cards that lie about, drawn by `draw`, each of a card's size at `px_per_mm`."""

    def __init__(self, draw: Callable[[], Page], rng: Rng, px_per_mm: float) -> None:
        self._draw = draw
        self._rng = rng
        self._px_per_mm = px_per_mm
        self._cards: list[Page] = []

    def lay(
        self,
        ground: Page,
        to_px: Points,
        around_mm: tuple[float, float],
        free_mm: tuple[float, float] | None = None,
    ) -> NDArray[np.uint8]:
        """Lay a card anyhow into `ground` so that its edge passes within `around_mm`; 1 where it lies now.

        It does not lie over the point `free_mm`. `to_px` maps our millimetres to pixels of `ground`.
        """
        card, pose = self._any(), self._pose(around_mm, free_mm)
        whole = np.vstack([to_px, (0, 0, 1)]) @ np.vstack([pose, (0, 0, 1)])
        shape = (ground.shape[1], ground.shape[0])
        scale = float(np.hypot(*whole[:2, 0])) / self._px_per_mm
        soft = cv2.GaussianBlur(card, (0, 0), 0.42 / scale) if scale < 0.8 else card
        warp = whole[:2] @ np.diag((1 / self._px_per_mm, 1 / self._px_per_mm, 1.0))
        inside = cv2.warpAffine(np.ones(card.shape[:2], np.uint8), warp, shape)
        shown = cv2.warpAffine(soft, warp, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        ground[inside > 0] = shown[inside > 0]
        return np.asarray(inside, np.uint8)

    def _any(self) -> Page:
        if len(self._cards) < KEPT:
            self._cards.append(self._draw())
            return self._cards[-1]
        i = int(self._rng.integers(KEPT))
        if self._rng.random() < RENEWED:
            self._cards[i] = self._draw()
        return self._cards[i]

    def _pose(self, around_mm: tuple[float, float], free_mm: tuple[float, float] | None) -> Points:
        """The map from a neighbour's own millimetres to ours: some point of its edge lies within `around_mm`."""
        rng = self._rng
        size = np.array(CARD_MM)
        while True:
            turn = rng.uniform(0, 360)
            side, along = int(rng.integers(4)), rng.random()
            edge = size * ((along, 0.0), (along, 1.0), (0.0, along), (1.0, along))[side]
            cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            turned = np.array([[cos, -sin], [sin, cos]])
            at = rng.uniform(0, 1, 2) * around_mm - turned @ edge
            if free_mm is not None:
                x, y = turned.T @ (np.array(free_mm) - at)
                if 0 < x < size[0] and 0 < y < size[1]:
                    continue
            off_way = min(turn % 180, 180 - turn % 180)
            own = (at, at + turned @ size)
            if off_way > SAME_WAY_DEG or min(float(np.hypot(*corner)) for corner in own) > TOO_NEAR_MM:
                return np.column_stack([turned, at])
