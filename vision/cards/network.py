"""Small networks in plain numpy: what they look at, how they run, and the files they are kept in."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.file_errors import told_as

DIRECTIONS = 8  # a power of two

Batch = NDArray[np.float32]


class ModelError(Exception):
    """The trained file is missing or is not one."""


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

    def arrays(self, own: str = "", shared: str = "") -> dict[str, NDArray[np.generic]]:
        """What `stored` reads again; names begin with `own`, those of mean and scale with `shared`."""
        layers = enumerate(zip(self.weights, self.biases, strict=True))
        found = {f"{own}{name}": value for i, (weight, bias) in layers
                 for name, value in ((f"w{i}", weight.astype(np.float16)), (f"b{i}", bias))}  # fmt: skip
        return {f"{shared}mean": self.mean, f"{shared}scale": self.scale, **found}


def store(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write the arrays of trained networks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


@functools.lru_cache(maxsize=16)
def stored(path: Path, classes: str, own: str = "", shared: str = "") -> Network:
    """A network of a trained file, by how its arrays' names begin. Raise `ModelError` for a bad file or none."""
    told = told_as(ModelError, path, "trained file", "python -m vision.train")
    with told, path.open("rb") as file, np.load(file) as data:
        depth = sum(name.startswith(f"{own}w") for name in data.files)
        weights, biases = (tuple(data[f"{own}{p}{i}"].astype(np.float32) for i in range(depth)) for p in "wb")
        mean, scale = (data[f"{shared}{name}"].astype(np.float32) for name in ("mean", "scale"))
        return Network(classes, weights, biases, mean, scale)


def vote(networks: Sequence[Network], given: Batch) -> Batch:
    """The least sure of several networks for each class: they must agree to be sure together."""
    return np.asarray(np.min([network(given) for network in networks], axis=0), np.float32)


def described(ink: Batch, cell: int, coarse: int) -> Batch:
    """What networks look at: (n, height, width) ink → (n, features).

    The directions in which ink grows in cells of so many pixels, and the ink itself, so many times smaller.
    """
    cells = directions(ink, cell)
    cells = np.sqrt(cells / (np.linalg.norm(cells, axis=1, keepdims=True) + 1e-3))
    return np.hstack([cells, 0.5 * pooled(ink, coarse).reshape(len(ink), -1)]).astype(np.float32)


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
