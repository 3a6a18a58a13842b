"""Suit signs from formulas with chance proportions: no deck's own, and every deck's kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float32]
Rng = np.random.Generator


def formula_suit(suit: str, rng: Rng) -> Grey:
    """A suit sign from a formula with chance proportions. The ink is 0 to 1, shape (height, width)."""
    y, x = np.mgrid[-1.4:1.4:113j, -1.4:1.4:113j]  # some shapes reach beyond 1
    shape = {"h": _heart, "d": _diamond, "s": _spade, "c": _club}[suit](x, y, rng)
    cut = cut_to_ink(shape.astype(np.float32))
    assert cut is not None
    return cut


def _heart(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    return _two_circles(x, y, rng) if rng.random() < 0.3 else _lobes(x, y, rng)


def _two_circles(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    """A heart of two circles and a point below them, its sides straight or hollow."""
    out, r = rng.uniform(0.36, 0.5), rng.uniform(0.42, 0.56)
    top, tip = -rng.uniform(0.25, 0.45), rng.uniform(0.75, 0.98)
    circles = (np.abs(x) - out) ** 2 + (y - top) ** 2 < r * r
    down = np.clip((tip - y) / (tip - top), 0, 1)
    point = (np.abs(x) < (out + r) * down ** rng.uniform(0.9, 1.5)) & (y > top) & (y < tip)
    return np.asarray(circles | point, np.bool_)


def _lobes(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    sharp = rng.uniform(0.75, 1.15)
    u, v = x * 1.25, -y * 1.2 * sharp + 0.12
    return np.asarray((u * u + v * v - 0.85) ** 3 - u * u * v**3 * rng.uniform(0.8, 1.8) < 0, np.bool_)


def _diamond(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    power = rng.uniform(0.78, 1.18)
    return np.abs(x / rng.uniform(0.6, 0.95)) ** power + np.abs(y / 0.97) ** power < 1


def _stem(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    bottom = rng.uniform(0.85, 0.98)
    wide = rng.uniform(0.14, 0.42)
    half = 0.05 + rng.uniform(0.0, 0.05) + wide * np.clip((y - 0.2) / (bottom - 0.2), 0, 1) ** rng.uniform(1.0, 4)
    return (np.abs(x) < half) & (y > 0) & (y < bottom)


def _spade(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    if rng.random() < 0.35:
        return _onion(x, y, rng) | _stem(x, y, rng)
    leaf = _heart(x, -(y + rng.uniform(0.05, 0.2)) * rng.uniform(1.0, 1.2), rng)
    return leaf | _stem(x, y, rng)


def _onion(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    """A round leaf that is drawn out into a tip; its foot is straight or bent in."""
    tip, foot = -rng.uniform(0.9, 1.0), rng.uniform(0.35, 0.65)
    along = np.clip((y - tip) / (foot - tip), 0, 1)
    slender, round_ = rng.uniform(0.8, 2.4), rng.uniform(0.3, 0.6)
    shape = along**slender * (1 - along) ** round_
    fullest = slender / (slender + round_)
    half = rng.uniform(0.6, 0.9) * shape / (fullest**slender * (1 - fullest) ** round_)
    bent_in = (np.abs(x) < rng.uniform(0.05, 0.3)) & (y > foot - rng.uniform(0.02, 0.15))
    return np.asarray((np.abs(x) < half) & (y > tip) & (y < foot) & ~bent_in, np.bool_)


def _club(x: NDArray[np.float64], y: NDArray[np.float64], rng: Rng) -> NDArray[np.bool_]:
    fused = rng.random() < 0.4  # leaves that run into each other leave shallow notches only
    r = rng.uniform(0.40, 0.54) if fused else rng.uniform(0.33, 0.44)
    out = rng.uniform(0.32, 0.48) if fused else rng.uniform(0.40, 0.54)
    low, high = rng.uniform(0.02, 0.26), rng.uniform(0.34, 0.54)
    side = r * rng.uniform(0.9, 1.1)
    leaves = x**2 + (y + high) ** 2 < r * r
    for middle in (-out, out):
        leaves |= (x - middle) ** 2 + (y - low) ** 2 < side * side
    filled = rng.uniform(0.12, 0.34)
    middle_part = (np.abs(x) < filled) & (np.abs(y + 0.05) < 0.25)
    return np.asarray(leaves | middle_part | _stem(x, y, rng), np.bool_)


def cut_to_ink(page: NDArray[np.floating[Any]]) -> Grey | None:
    """A page cut to the box of its ink; None when it is bare. Ink is 0 to 1, shape (height, width)."""
    ys, xs = np.nonzero(page > 0.3)
    if len(ys) == 0:
        return None
    return page[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.float32)
