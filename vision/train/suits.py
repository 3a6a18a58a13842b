"""Suit signs from formulas with chance proportions: no deck's own, and every deck's kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]
Rng = np.random.Generator


def formula_suit(suit: str, rng: Rng) -> Grey:
    """A suit sign from a formula with chance proportions."""
    y, x = np.mgrid[-1.0:1.0:81j, -1.0:1.0:81j]
    shape = {"h": _heart, "d": _diamond, "s": _spade, "c": _club}[suit](x, y, rng)
    cut = cut_to_ink(shape.astype(np.float32))
    assert cut is not None
    return cut


def _heart(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    sharp = rng.uniform(0.75, 1.15)
    u, v = x * 1.25, -y * 1.2 * sharp + 0.12
    return (u * u + v * v - 0.85) ** 3 - u * u * v**3 * rng.uniform(0.8, 1.8) < 0


def _diamond(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    power = rng.uniform(0.78, 1.18)
    return np.abs(x / rng.uniform(0.6, 0.95)) ** power + np.abs(y / 0.97) ** power < 1


def _stem(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    bottom = rng.uniform(0.85, 0.98)
    wide = rng.uniform(0.14, 0.42)
    half = 0.05 + rng.uniform(0.0, 0.05) + wide * np.clip((y - 0.2) / (bottom - 0.2), 0, 1) ** rng.uniform(1.0, 4)
    return (np.abs(x) < half) & (y > 0) & (y < bottom)


def _spade(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    leaf = _heart(x, -(y + rng.uniform(0.05, 0.2)) * rng.uniform(1.0, 1.2), rng)
    return leaf | _stem(x, y, rng)


def _club(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    r = rng.uniform(0.34, 0.44)
    out, low = rng.uniform(0.40, 0.52), rng.uniform(0.08, 0.24)
    leaves = np.zeros(x.shape, bool)
    for cx, cy in ((0.0, -rng.uniform(0.42, 0.54)), (-out, low), (out, low)):
        leaves |= (x - cx) ** 2 + (y - cy) ** 2 < r * r
    middle = (np.abs(x) < 0.22) & (np.abs(y + 0.05) < 0.25)
    return leaves | middle | _stem(x, y, rng)


def cut_to_ink(page: NDArray[np.floating[Any]]) -> Grey | None:
    """A page cut to the box of its ink; None when it is bare."""
    ys, xs = np.nonzero(page > 0.3)
    if len(ys) == 0:
        return None
    return page[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32)
