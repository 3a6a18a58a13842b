"""Trains the classifier of the whole card and says how often it is right about cards it has not seen."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.cards.network import store
from vision.cards.signs import NOTHING
from vision.cards.whole import COUNTS, PLAIN, Ink, whole_features
from vision.train.faces import Face, faces
from vision.train.learn import fit

CLASSES = COUNTS + NOTHING


def train_whole(seed: int, samples: int, held_out: int, path: Path, say: Callable[[str], None]) -> None:
    """Fit the network to `samples` drawn cards, write it, and report on `held_out` others."""
    learn = list(itertools.islice(faces(np.random.default_rng([seed, 3])), samples))
    held = list(itertools.islice(faces(np.random.default_rng([seed, 4])), held_out))
    say(f"drew {samples} + {held_out} whole cards")
    given, truth = _table(learn)
    network = fit(given, truth, CLASSES, seed * 100 + 50)
    store(path, network.arrays())
    seen, answers = _table(held)
    odds = network(seen)
    said, sure = odds.argmax(axis=1), odds.max(axis=1) >= PLAIN
    cards = answers < len(COUNTS)
    plain = sure & (said < len(COUNTS))
    say(
        f"{path} written: {(plain & (said == answers)).sum() / cards.sum():.3%} of whole cards counted plainly, "
        f"{(plain & cards & (said != answers)).sum()} wrong of {cards.sum()}, "
        f"{(plain & ~cards).sum()} of {(~cards).sum()} spoilt ones counted"
    )


def _table(drawn: list[Face]) -> tuple[Ink, NDArray[np.int64]]:
    ink = np.stack([face.ink for face in drawn])
    parts = [whole_features(ink[i : i + 1000]) for i in range(0, len(ink), 1000)]
    return np.vstack(parts), np.array([CLASSES.index(face.truth) for face in drawn])
