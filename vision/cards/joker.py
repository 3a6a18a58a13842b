"""The joker classifier: a corner with the word and a star, a star alone, or the word upright or on its side.

A joker has no rank and no suit, so this runs only where the other classifiers see no index. Two corners of a card
must show it independently: one alone may be a card under dirt.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.cards.corner import Window, window
from vision.cards.find import Image
from vision.cards.network import described, stored
from vision.cards.signs import NOTHING

MODEL = Path(__file__).resolve().parent.parent / "models" / "joker.npz"
CLASSES = "*" + NOTHING  # a joker's corner, or any other
CELL = 4
SURE, ALSO = 0.97, 0.50  # of the surer corner, and of the other

Floats = NDArray[np.float32]


def joker_features(windows: NDArray[np.uint8]) -> Floats:
    """What the network looks at: (n, 3, 84, 40) windows of corners → (n, features)."""
    return described(windows.max(axis=1).astype(np.float32) / 255.0, CELL, CELL)


class JokerClassifier:
    """The network that knows jokers. Safe to share between threads."""

    def __init__(self, path: Path = MODEL) -> None:
        """Raise `ModelError` when the trained file is missing or damaged."""
        self._network = stored(path, CLASSES)

    def odds(self, windows: list[Window]) -> Floats:
        """How likely each window shows a joker's corner, (n,)."""
        return np.asarray(self._network(joker_features(np.stack(windows)))[:, 0], np.float32)

    def sees(self, flat: Image, paper: NDArray[np.float32]) -> bool:
        """Whether both corners of a flat card show a joker.

        `flat` is BGR of `FLAT_SIZE` pixels; `paper` is its colour, (3,) BGR.
        """
        turned = np.ascontiguousarray(flat[::-1, ::-1])
        odds = self.odds([window(flat, paper), window(turned, paper)])
        return float(odds.max()) >= SURE and float(odds.min()) >= ALSO
