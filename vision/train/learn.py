"""Fits the small networks of `vision.cards.signs` with plain numpy: mini-batches, Adam, nothing else."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from vision.cards.network import Batch, Network

Labels = NDArray[np.int64]

HIDDEN = (128, 64)
BATCH = 256
EPOCHS = 24
RATE = 2e-3
DECAY = 2e-5
DROPPED = 0.15  # of the hidden units, each step


def fit(given: Batch, truth: Labels, classes: str, seed: int) -> Network:
    """A network for features (n, f) and class numbers (n,). The same arguments give the same network."""
    rng = np.random.default_rng(seed)
    mean = given.mean(axis=0)
    scale = (1 / (given.std(axis=0) + 0.05)).astype(np.float32)
    x = (given - mean) * scale
    sizes = (given.shape[1], *HIDDEN, len(classes))
    weights = [rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32) for a, b in itertools.pairwise(sizes)]
    biases = [np.zeros(b, np.float32) for b in sizes[1:]]
    adam = _Adam([*weights, *biases])
    steps = EPOCHS * (len(x) // BATCH)
    for step in range(steps):
        chosen = rng.integers(0, len(x), BATCH)
        slopes = _slopes(x[chosen], truth[chosen], weights, biases, rng)
        adam.step(slopes, RATE * 0.5 * (1 + np.cos(np.pi * step / steps)))
    return Network(classes, tuple(weights), tuple(biases), mean.astype(np.float32), scale)


def _slopes(
    x: Batch, truth: Labels, weights: list[Batch], biases: list[Batch], rng: np.random.Generator
) -> list[Batch]:
    """Gradients of the mean cross-entropy: those of the weights, then those of the biases."""
    layers, kept = [x], []
    for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        out = layers[-1] @ weight + bias
        if i < len(weights) - 1:
            keep = (rng.random(out.shape) > DROPPED).astype(np.float32) / (1 - DROPPED)
            kept.append((out > 0) * keep)
            out = np.maximum(out, 0) * keep
        layers.append(out)
    odds = np.exp(layers[-1] - layers[-1].max(axis=1, keepdims=True))
    slope = odds / odds.sum(axis=1, keepdims=True)
    slope[np.arange(len(truth)), truth] -= 1
    slope /= len(truth)
    of_weights: list[Batch] = []
    of_biases: list[Batch] = []
    for i in reversed(range(len(weights))):
        of_weights.insert(0, layers[i].T @ slope + DECAY * weights[i])
        of_biases.insert(0, slope.sum(axis=0))
        if i:
            slope = (slope @ weights[i].T) * kept[i - 1]
    return [*of_weights, *of_biases]


class _Adam:
    """Adam (Kingma and Ba, 2015) over arrays that are changed in place."""

    def __init__(self, values: list[Batch]) -> None:
        self._values = values
        self._first = [np.zeros_like(v) for v in values]
        self._second = [np.zeros_like(v) for v in values]
        self._t = 0

    def step(self, slopes: list[Batch], rate: float) -> None:
        self._t += 1
        fix = np.sqrt(1 - 0.999**self._t) / (1 - 0.9**self._t)
        for value, slope, first, second in zip(self._values, slopes, self._first, self._second, strict=True):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            value -= np.float32(rate * fix) * first / (np.sqrt(second) + 1e-8)
