"""Finds discs in a picture: every edge votes for the centres that it may lie around, the rim is then measured.

A chip seen from above is a circle, whole or partly under other chips. What is found here is a circle with strong
edges along part of its rim; whether it is a chip, and which, others decide.

After D. Ballard, "Generalizing the Hough transform to detect arbitrary shapes", 1981: edges vote along their
gradient; and robust circle fitting to sub-pixel edges found along rays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.lab import Floats, Lab, commonest

Bools = NDArray[np.bool_]

RAYS = 72  # directions in which a rim is searched
_TURNS = np.arange(RAYS) * (2 * np.pi / RAYS)
COS, SIN = np.cos(_TURNS).astype(np.float32), np.sin(_TURNS).astype(np.float32)

EDGE = 2.0  # Lab units a pixel: least slope that votes
STRONG_EDGE = 10.0  # cap on the weight of a vote
RIM_STEP = 0.02  # part of the radius between samples of a ray
RIM_SPAN = np.arange(0.74, 1.30, RIM_STEP).astype(np.float32)
RIM_WIDTHS = (0.10, 0.05, 0.04)  # parts of the radius in which the rim is searched, narrower each time
BESIDE = 3  # samples on either side of a rim that are compared
RIM_CONTRAST = 5.0  # Lab units across a rim
MUCH_OF_IT, LEAST_OF_IT, FAINTEST = 0.30, 3.0, 5.0  # part of the change from ground to chip; Lab units; least
OFF_CIRCLE = 0.04  # part of the radius: rim points farther off belong to something else
MOST_CENTRES = 300


@dataclass(frozen=True)
class Circle:
    """A circle in a picture. `rim`: in which of `RAYS` directions an edge lies on it; `contrast`: how strong."""

    x: float
    y: float
    radius: float
    rim: Bools
    contrast: float

    @property
    def seen(self) -> float:
        """The part of the rim (0 to 1) that shows."""
        return float(self.rim.mean())

    def moved(self, by: float) -> Circle:
        """The same disc in a picture `by` times as large."""
        x, y = (self.x + 0.5) * by - 0.5, (self.y + 0.5) * by - 0.5
        return Circle(x, y, self.radius * by, self.rim, self.contrast)

    def fill(self, mask: NDArray[np.uint8], grown: float, value: int) -> None:
        """Draw the disc, `grown` times as large, into a mask (height, width)."""
        centre = (round(self.x * 16), round(self.y * 16))
        cv2.circle(mask, centre, round(self.radius * grown * 16), value, -1, cv2.LINE_8, 4)

    def holds(self, x: Floats, y: Floats, grown: float = 1.0) -> Bools:
        """Which points lie inside the disc, `grown` times as large.

        `x` and `y` are in pixels, of one shape; the result has that shape.
        """
        return np.asarray((x - self.x) ** 2 + (y - self.y) ** 2 < (self.radius * grown) ** 2, np.bool_)


def rays(lab: Lab, discs: Sequence[Circle], radii: Floats) -> Floats:
    """Colours along the rays of discs: (discs, RAYS, radii, 3); `radii` in parts of each disc's radius.

    `lab` has the shape (height, width, 3); discs are in its pixels.
    """
    x, y, radius = (
        np.array(v, np.float32)[:, None, None] for v in zip(*((d.x, d.y, d.radius) for d in discs), strict=True)
    )
    return _sampled(lab, x, y, radius, radii)


def ray_colours(lab: Lab, middle: tuple[float, float], radius: float, radii: Floats) -> Floats:
    """Colours along the rays from one point: (RAYS, radii, 3).

    `lab` is (height, width, 3); `middle` and `radius` are in pixels, `radii` in parts of `radius`.
    """
    x, y, size = (np.array([[[v]]], np.float32) for v in (*middle, radius))
    return np.asarray(_sampled(lab, x, y, size, radii)[0], np.float32)


def _sampled(lab: Lab, x: Floats, y: Floats, radius: Floats, radii: Floats) -> Floats:
    across = (x + radius * COS[None, :, None] * radii).reshape(-1, len(radii))
    down = (y + radius * SIN[None, :, None] * radii).reshape(-1, len(radii))
    drawn = cv2.remap(lab, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(drawn, np.float32).reshape(len(x), RAYS, len(radii), 3)


# ------------------------------------------------------------------------------------------- centres


class Edges:
    """The edges of a picture (Lab): where they are, which way they run, how strong."""

    def __init__(self, lab: Lab) -> None:
        smooth = cv2.GaussianBlur(lab, (0, 0), 0.9)
        across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
        strength = cv2.magnitude(across, down) / 8
        light, green, blue = cv2.split(strength)
        most = cv2.max(light, cv2.max(green, blue))
        self.shape = most.shape
        self._y, self._x = np.nonzero(most > EDGE)
        channel = strength[self._y, self._x].argmax(axis=1)
        slope_x = across[self._y, self._x, channel] / 8
        slope_y = down[self._y, self._x, channel] / 8
        steep = most[self._y, self._x]
        self._ux, self._uy = slope_x / steep, slope_y / steep
        self._loud = np.minimum(steep, STRONG_EDGE) / STRONG_EDGE

    def votes(self, radius: float) -> Floats:
        """How much of a rim of this radius lies around each pixel: about 1 for a whole, strong one."""
        height, width = self.shape
        votes = np.zeros(height * width, np.float32)
        for reach in (radius, -radius):
            x = np.rint(self._x + reach * self._ux).astype(np.intp)
            y = np.rint(self._y + reach * self._uy).astype(np.intp)
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            at = y[inside] * width + x[inside]
            votes += np.bincount(at, self._loud[inside], height * width).astype(np.float32)
        spread = max(1.0, 0.07 * radius)
        blurred = cv2.GaussianBlur(votes.reshape(height, width), (0, 0), spread)
        return np.asarray(blurred * (spread * spread / radius), np.float32)


def centres(edges: Edges, radii: Iterable[float], least: float) -> list[tuple[float, float, float]]:
    """Likely discs (x, y, radius), the likeliest first; those with `least` of a rim's votes or more."""
    found: list[tuple[float, float, float, float]] = []
    for radius in radii:
        votes = edges.votes(radius)
        peaks = (votes == cv2.dilate(votes, np.ones((3, 3), np.uint8))) & (votes >= least)
        ys, xs = np.nonzero(peaks)
        loud = votes[ys, xs]
        found += [(float(v), float(x), float(y), radius) for v, x, y in zip(loud, xs, ys, strict=True)]
    found.sort(reverse=True)
    kept: list[tuple[float, float, float]] = []
    for _, x, y, radius in found:
        if all(abs(x - u) + abs(y - v) > 0.2 * radius or abs(radius / r - 1) > 0.15 for u, v, r in kept):
            kept.append((x, y, radius))
            if len(kept) == MOST_CENTRES:
                break
    return kept


# --------------------------------------------------------------------------------------------- rims


def measured(lab: Lab, likely: Sequence[tuple[float, float, float]]) -> list[Circle]:
    """The discs around likely centres, their circles fitted to the edges that show.

    `lab` is (height, width, 3); `likely` are x, y and radius, in pixels.
    """
    if not likely:
        return []
    x, y, radius = (np.array(v, np.float32)[:, None, None] for v in zip(*likely, strict=True))
    for width in RIM_WIDTHS:
        at, contrast = _rim_along(_sampled(lab, x, y, radius, RIM_SPAN), width, *_sides(lab, x, y, radius))
        there = contrast > RIM_CONTRAST
        dx, dy, grown, off = _circle(at, there)
        x, y = x + (dx * radius[:, 0, 0])[:, None, None], y + (dy * radius[:, 0, 0])[:, None, None]
        radius = radius * grown[:, None, None]
        on_it = there & (off < OFF_CIRCLE)
    found = []
    for i in range(len(likely)):
        strength = float(np.median(contrast[i][on_it[i]])) if on_it[i].any() else 0.0
        found.append(Circle(float(x[i, 0, 0]), float(y[i, 0, 0]), float(radius[i, 0, 0]), on_it[i], strength))
    return found


def _sides(lab: Lab, x: Floats, y: Floats, radius: Floats) -> tuple[Floats, Floats]:
    """The commonest colours in and around each disc: (discs, 3) each."""
    inside = _sampled(lab, x, y, radius, np.array([0.35, 0.55, 0.75, 0.88], np.float32)).reshape(len(x), -1, 3)
    around = _sampled(lab, x, y, radius, np.array([1.16, 1.24], np.float32)).reshape(len(x), -1, 3)
    return commonest(inside)[0], commonest(around)[0]


def _rim_along(colours: Floats, width: float, body: Floats, ground: Floats) -> tuple[Floats, Floats]:
    """Where (parts of the radius) along each ray the strongest edge near the rim lies, and its contrast.

    An edge from the body to the ground counts before one that is merely strong: a white chip on pale wood has a
    faint rim and strong print, but outside the print is more chip.
    """
    sums = np.concatenate([np.zeros_like(colours[:, :, :1]), np.cumsum(colours, axis=2)], axis=2)
    means = (sums[:, :, BESIDE:] - sums[:, :, :-BESIDE]) / BESIDE
    inner, outer = means[:, :, :-BESIDE], means[:, :, BESIDE:]
    step = inner - outer
    at = RIM_SPAN[BESIDE : BESIDE + step.shape[2]] - RIM_STEP / 2
    near = np.exp(-(((at - 1) / width) ** 2))
    place, contrast = _peak(np.linalg.norm(step, axis=3), at, near)
    whole = np.maximum(np.linalg.norm(body - ground, axis=1), 1e-3)
    along = (step @ ((body - ground) / whole[:, None])[:, None, :, None])[..., 0]
    on_ground = np.linalg.norm(outer - ground[:, None, None], axis=3) < 0.4 * whole[:, None, None] + FAINTEST
    capped = np.where(on_ground, np.minimum(along, whole[:, None, None]), 0)
    its_place, its_contrast = _peak(capped, at, near)
    is_it = (its_contrast > np.maximum(MUCH_OF_IT * whole[:, None], LEAST_OF_IT)) & (whole[:, None] > FAINTEST)
    return (
        np.where(is_it, its_place, place).astype(np.float32),
        np.where(is_it, np.maximum(its_contrast, RIM_CONTRAST + 0.1), contrast).astype(np.float32),
    )


def _peak(strength: Floats, at: Floats, near: Floats) -> tuple[Floats, Floats]:
    """The strongest place along each ray, to a part of a sample, and the strength there."""
    best = (strength * near).argmax(axis=2)[..., None]
    inner = np.clip(best, 1, strength.shape[2] - 2)
    before, peak, after = (np.take_along_axis(strength, inner + i, axis=2)[..., 0] for i in (-1, 0, 1))
    bend = before + after - 2 * peak
    between = np.where(bend < -1e-3, 0.5 * (before - after) / np.where(bend < -1e-3, bend, 1), 0)
    place = at[inner[..., 0]] + np.clip(between, -1, 1) * RIM_STEP
    return place.astype(np.float32), np.take_along_axis(strength, best, axis=2)[..., 0].astype(np.float32)


def _circle(at: Floats, there: Bools) -> tuple[Floats, Floats, Floats, Floats]:
    """Circles through rim points: centre and radius in parts of the old radius, and how far each point is off.

    Where no circle near the old one fits, the old one is given back with every point far off.
    """
    x, y = (at * COS).astype(np.float64), (at * SIN).astype(np.float64)
    rows = np.stack([x, y, np.ones_like(x)], axis=2)
    square = x * x + y * y
    weight = there.astype(np.float64)
    for _ in range(4):
        left = np.einsum("dri,dr,drj->dij", rows, weight, rows) + 1e-6 * np.eye(3)
        right = np.einsum("dri,dr,dr->di", rows, weight, square)
        solved = np.linalg.solve(left, right[..., None])[..., 0]
        dx, dy = solved[:, 0] / 2, solved[:, 1] / 2
        grown = np.sqrt(np.maximum(1e-4, solved[:, 2] + dx * dx + dy * dy))
        off = np.abs(np.hypot(x - dx[:, None], y - dy[:, None]) - grown[:, None])
        weight = there * np.exp(-((off / 0.03) ** 2))
    lost = (np.hypot(dx, dy) > 0.3) | (grown < 0.8) | (grown > 1.25)
    dx, dy, grown = np.where(lost, 0, dx), np.where(lost, 0, dy), np.where(lost, 1, grown)
    off[lost] = np.inf
    return dx.astype(np.float32), dy.astype(np.float32), grown.astype(np.float32), off.astype(np.float32)
