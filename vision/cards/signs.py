"""Tells signs apart: networks over gradients and ink of a rank or a suit that was cut out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.cards.network import Batch, Network, described, stored

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NOTHING = "."  # the class for everything else
CLASSES = {"rank": RANKS + NOTHING, "suit": SUITS + NOTHING}
CLASSIFIERS = 2  # networks per kind of sign
MODEL = Path(__file__).resolve().parent.parent / "models" / "signs.npz"
CELL = 4  # pixels


def features(ink: Batch, aspect: Batch) -> Batch:
    """What the networks look at: (n, 32, 24) ink and (n,) width by height → (n, features)."""
    shape = np.clip(np.log(np.maximum(aspect, 0.05)), -2, 1)[:, None]
    return np.hstack([described(ink, CELL, 2), shape]).astype(np.float32)


@dataclass(frozen=True)
class Signs:
    """The trained networks."""

    rank: tuple[Network, ...]
    suit: tuple[Network, ...]

    @classmethod
    def load(cls, path: Path = MODEL) -> Signs:
        """Raise `ModelError` when the trained file is missing or damaged."""
        rank, suit = (
            tuple(stored(path, classes, *names(kind, i)) for i in range(CLASSIFIERS))
            for kind, classes in CLASSES.items()
        )
        return cls(rank, suit)


def names(kind: str, classifier: int) -> tuple[str, str]:
    """How the names of a network's arrays begin in the trained file: its own, and those that its kind shares."""
    return f"{kind}{classifier}_", f"{kind}_"
