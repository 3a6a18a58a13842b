"""The whole-card classifier: the number of pips on a card, or that it is an ace or a court.

It is independent of the index: the corners with an index are blanked out first. It cannot tell courts apart nor
name a suit, but it can show that a card whose corner reads as a 5 has three pips.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image
from vision.cards.index import ink_of_shares, shares
from vision.cards.network import Network, described, stored
from vision.cards.signs import NOTHING

MODEL = Path(__file__).resolve().parent.parent / "models" / "whole.npz"
COURT = "C"
COUNTS = "A23456789T" + COURT
GLANCE_SIZE = (40, 56)  # width, height in pixels
INDEX_MM = (9.0, 27.0)  # a corner of this width and height is not looked at
CELL = 8
PLAIN = 0.97  # a count named by both ways round at least this surely is said

Ink = NDArray[np.float32]


def glance(flat: Image, paper: NDArray[np.float32]) -> Ink:
    """Ink (56 × 40, 0 to 1) of a flat card without its index corners."""
    ink = ink_of_shares(*shares(flat, paper))
    small = np.asarray(cv2.resize(ink, GLANCE_SIZE, interpolation=cv2.INTER_AREA), np.float32)
    wide = round(INDEX_MM[0] / CARD_WIDTH_MM * GLANCE_SIZE[0])
    tall = round(INDEX_MM[1] / CARD_HEIGHT_MM * GLANCE_SIZE[1])
    small[:tall, :wide] = 0
    small[-tall:, -wide:] = 0
    return small


def whole_features(ink: Ink) -> Ink:
    """What the network looks at: (n, 56, 40) ink → (n, features)."""
    return described(ink, CELL, 2)


@dataclass(frozen=True)
class Whole:
    """The network of the whole card."""

    network: Network

    @classmethod
    def load(cls, path: Path = MODEL) -> Whole:
        """Raise `ModelError` when the trained file is missing or damaged."""
        return cls(stored(path, COUNTS + NOTHING))

    def count(self, flat: Image, paper: NDArray[np.float32]) -> str | None:
        """One of `COUNTS` when the card says so plainly, both ways round; else None.

        `flat` is BGR of `FLAT_SIZE` pixels; `paper` is the paper's colour, (3,) BGR.
        """
        ink = glance(flat, paper)
        odds = self.network(whole_features(np.stack([ink, ink[::-1, ::-1]]))).min(axis=0)
        said = int(odds.argmax())
        name = (COUNTS + NOTHING)[said]
        return name if odds[said] >= PLAIN and name != NOTHING else None


def fits(rank: str, count: str) -> bool:
    """Whether a rank of the corner and a count of the whole card may be on one card."""
    return rank in "JQK" if count == COURT else rank == count


def pips_differ(rank: str, count: str) -> bool:
    """Whether both name a number of pips, and not the same: courts and their art are left out."""
    return rank not in "JQK" and count != COURT and rank != count
