"""Tells signs apart: a small network over gradients and ink, in plain numpy."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NOTHING = "."  # the class for everything else
MODEL = Path(__file__).resolve().parent.parent / "models" / "signs.npz"
CELL = 4  # pixels
DIRECTIONS = 8  # a power of two

Batch = NDArray[np.float32]


class ModelError(Exception):
    """The trained file is missing or is not one."""


def features(ink: Batch, aspect: Batch) -> Batch:
    """What the network looks at: (n, 32, 24) ink and (n,) width by height → (n, features).

    Histograms of the direction in which ink grows in cells of 4 × 4 pixels, the ink at half size, the shape.
    """
    flat = directions(ink, CELL)
    flat = np.sqrt(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-3))
    small = pooled(ink, 2).reshape(len(ink), -1)
    shape = np.clip(np.log(np.maximum(aspect, 0.05)), -2, 1)[:, None]
    return np.hstack([flat, small * 0.5, shape]).astype(np.float32)


def directions(ink: Batch, cell: int) -> Batch:
    """How strongly ink grows in each of eight directions in square cells: (n, height, width) → (n, cells × 8)."""
    n, height, width = ink.shape
    padded = np.zeros((n, height + 2, width + 2), np.float32)
    padded[:, 1:-1, 1:-1] = ink
    dx = padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]
    dy = padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]
    strength = np.hypot(dx, dy)
    turn = np.arctan2(dy, dx) * np.float32(DIRECTIONS / (2 * np.pi)) + np.float32(DIRECTIONS)
    low = turn.astype(np.int64)
    part = strength * (turn - low)
    first = _first_bins(height, width, cell) + (low & (DIRECTIONS - 1))
    second = _first_bins(height, width, cell) + ((low + 1) & (DIRECTIONS - 1))
    a_picture = height * width // cell**2 * DIRECTIONS
    cells = np.empty((n, a_picture), np.float32)
    for i in range(n):
        grown = np.bincount(first[i].ravel(), (strength[i] - part[i]).ravel(), a_picture)
        grown += np.bincount(second[i].ravel(), part[i].ravel(), a_picture)
        cells[i] = grown / cell**2
    return cells


@functools.lru_cache(maxsize=8)
def _first_bins(height: int, width: int, cell: int) -> NDArray[np.int64]:
    """For each pixel the number of its cell's first bin."""
    y, x = np.mgrid[:height, :width] // cell
    return np.asarray((y * (width // cell) + x) * DIRECTIONS, np.int64)


def pooled(values: Batch, cell: int) -> Batch:
    """The mean of square cells: (n, height, width) → (n, height / cell, width / cell)."""
    n, height, width = values.shape
    size = (width // cell, n * height // cell)
    means = cv2.resize(values.reshape(n * height, width), size, interpolation=cv2.INTER_AREA)
    return np.asarray(means, np.float32).reshape(n, height // cell, width // cell)


@dataclass(frozen=True)
class Network:
    """Fully connected layers with rectifiers between; the last class is `NOTHING`."""

    classes: str
    weights: tuple[Batch, ...]
    biases: tuple[Batch, ...]
    mean: Batch
    scale: Batch

    def __call__(self, given: Batch) -> Batch:
        """Probabilities (n, classes) of a batch of features."""
        x = (given - self.mean) * self.scale
        last = len(self.weights) - 1
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = x @ weight + bias
            if i < last:
                x = np.maximum(x, 0)
        x -= x.max(axis=1, keepdims=True)
        odds = np.exp(x)
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True)
class Signs:
    """The trained networks."""

    rank: tuple[Network, ...]
    suit: tuple[Network, ...]

    @classmethod
    def load(cls, path: Path = MODEL) -> Signs:
        return _load(path)


def vote(networks: Sequence[Network], given: Batch) -> Batch:
    """The least sure of several networks for each class: they must agree to be sure together."""
    return np.asarray(np.min([network(given) for network in networks], axis=0), np.float32)


@functools.lru_cache(maxsize=2)
def _load(path: Path) -> Signs:
    try:
        with np.load(path) as data:
            return Signs(
                _networks(data, "rank", RANKS + NOTHING),
                _networks(data, "suit", SUITS + NOTHING),
            )
    except OSError as error:
        raise ModelError(f"{path} is missing: python -m vision.train writes it") from error
    except (KeyError, ValueError) as error:
        raise ModelError(f"{path} is no trained file: {error}; python -m vision.train writes one") from error


def _networks(data: dict[str, NDArray[np.generic]], name: str, classes: str) -> tuple[Network, ...]:
    found = []
    for classifier in range(int(data["voices"])):
        stem = f"{name}{classifier}"
        depth = int(data["depth"])
        weights = tuple(data[f"{stem}_w{i}"].astype(np.float32) for i in range(depth))
        biases = tuple(data[f"{stem}_b{i}"].astype(np.float32) for i in range(depth))
        mean, scale = (data[f"{name}_{part}"].astype(np.float32) for part in ("mean", "scale"))
        found.append(Network(classes, weights, biases, mean, scale))
    return tuple(found)
