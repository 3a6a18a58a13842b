"""A photo as a worse camera in worse light would have taken it, for `feltwire vision score DIR --worse N`.

Nothing is added to a photo and no card is cut off, so its labels stay true. Which faults a copy has is told by
the seed, the photo's name and the copy's number: a name that was wrong once is found again.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image

Rng = random.Random

MOST_FAULTS = 3  # at once


def worse(image: Image, rng: Rng) -> tuple[Image, list[str]]:
    """The photo (BGR) with one to three faults, and their names, such as `coarse`."""
    names = sorted(rng.sample(list(FAULTS), rng.randint(1, MOST_FAULTS)), key=list(FAULTS).index)
    for name in names:
        image = FAULTS[name](image, rng)
    return image, names


def _seen_aslant(image: Image, rng: Rng) -> Image:
    """From the side: one edge up to a fifth shorter than the other."""
    height, width = image.shape[:2]
    less, edge = rng.uniform(0.03, 0.10), rng.randrange(4)
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shown = whole.copy()
    for corner, towards in ((edge, (edge + 1) % 4), ((edge + 1) % 4, edge)):
        shown[corner] += less * (whole[towards] - whole[corner])
    warp = cv2.getPerspectiveTransform(whole, shown)
    return _warped(image, warp, (width, height))


def _turned(image: Image, rng: Rng) -> Image:
    """By any angle, on a larger ground."""
    height, width = image.shape[:2]
    degrees = rng.uniform(0, 360)
    turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0), (0, 0, 1)])
    cos, sin = abs(np.cos(np.radians(degrees))), abs(np.sin(np.radians(degrees)))
    size = (round(width * cos + height * sin), round(width * sin + height * cos))
    turn[:2, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    return _warped(image, turn, size)


def _warped(image: Image, warp: NDArray[np.float64], size: tuple[int, int]) -> Image:
    ground = tuple(float(v) for v in np.median(image[::8, ::8].reshape(-1, 3), axis=0))
    return np.asarray(cv2.warpPerspective(image, warp, size, flags=cv2.INTER_AREA, borderValue=ground), np.uint8)


def _coarse(image: Image, rng: Rng) -> Image:
    by = rng.uniform(0.5, 0.9)
    return np.asarray(cv2.resize(image, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), np.uint8)


def _soft(image: Image, rng: Rng) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 0.9) * _fine(image)), np.uint8)


def _smeared(image: Image, rng: Rng) -> Image:
    """Along a line, by a camera or a table that shakes."""
    half, turn = rng.uniform(0.8, 2.0) * _fine(image), rng.uniform(0, np.pi)
    reach = int(np.ceil(half))
    brush = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    ends = [tuple(round((reach + way * half * f(turn)) * 16) for f in (np.cos, np.sin)) for way in (-1, 1)]
    cv2.line(brush, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    weights = brush.astype(np.float32) / float(brush.sum())
    return np.asarray(cv2.filter2D(image, -1, weights), np.uint8)


def _dark(image: Image, rng: Rng) -> Image:
    """Too little light, and the noise that comes with it."""
    left = image.astype(np.float32) * rng.uniform(0.25, 0.6)
    return _grained(left, rng, rng.uniform(2.0, 5.0))


def _harsh(image: Image, rng: Rng) -> Image:
    """More light than the camera holds, and more of it on one side."""
    height, width = image.shape[:2]
    turn, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.35)
    down, right = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j]
    light = rng.uniform(1.05, 1.35) * (1 + slope * (right * np.cos(turn) + down * np.sin(turn)))
    return np.asarray(np.clip(image * light[..., None], 0, 255), np.uint8)


def _tinted(image: Image, rng: Rng) -> Image:
    """By a lamp that the camera's white does not follow."""
    lamp = rng.choice(((0.62, 0.86, 1.0), (1.0, 0.92, 0.74), (0.80, 1.0, 0.80)))
    return np.asarray(np.clip(image * np.array(lamp), 0, 255), np.uint8)


def _noisy(image: Image, rng: Rng) -> Image:
    return _grained(image.astype(np.float32), rng, rng.uniform(4.0, 10.0))


def _squeezed(image: Image, rng: Rng) -> Image:
    """Stored in few bytes."""
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(25, 60)])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _grained(image: NDArray[np.float32], rng: Rng, much: float) -> Image:
    grain = np.random.default_rng(rng.getrandbits(32)).standard_normal(image.shape, np.float32)
    return np.asarray(np.clip(image + np.float32(much) * grain, 0, 255), np.uint8)


def _fine(image: Image) -> float:
    """How many pixels a pixel of a photo 1,280 wide is here: a lens is as soft in a finer picture."""
    return float(max(1.0, max(image.shape[:2]) / 1_280))


FAULTS: dict[str, Callable[[Image, Rng], Image]] = {  # in the order in which they come about
    "aslant": _seen_aslant, "turned": _turned, "harsh": _harsh, "dark": _dark, "tinted": _tinted, "soft": _soft,
    "smeared": _smeared, "coarse": _coarse, "noisy": _noisy, "squeezed": _squeezed,
}  # fmt: skip
