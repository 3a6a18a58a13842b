"""Colours as a person tells them apart: CIE L*a*b* (D65), as floats; the light taken out where it is known."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image, at_most

Lab = NDArray[np.float32]  # the same picture: L 0 to 100, a and b about -100 to 100
Floats = NDArray[np.float32]

NEIGHBOURS = 8.0  # colours nearer than this are one colour
SUBSET, GOLDEN = 48, 0.6180339887
GAMMA = 2.2
DIM_CHANNEL = 0.15  # part of the brightest channel's light below which a channel is noise
PALEST_PX, PALEST_PART = 960, 0.0003  # longer side at which, and of which so much is the palest: a chip's spots
QUIET, MOST_QUIET = 0.02, 0.06  # part of a radius: blur that removes noise and keeps rims
NOISE = 0.016  # part of a radius for each Lab unit of noise
PALE, MOST_GAIN = 0.94, 10.0  # of white as coded; more gain shows noise


def to_lab(image: Image | Floats, gain: float = 1.0) -> Lab:
    """A picture's colours; equal steps look about equally large. `gain` multiplies its light.

    `image` is BGR, 0 to 255; the result has its shape, (height, width, 3).
    """
    shown = image.astype(np.float32) / 255
    if gain != 1.0:
        shown = np.minimum(shown * gain ** (1 / GAMMA), 1.0)
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_BGR2Lab), np.float32)


def gain_for(image: Image) -> float:
    """What to multiply a dark picture's light with so that its palest part is as pale as in a lit room.

    `image` is BGR, (height, width, 3) uint8.
    """
    some, _ = at_most(image, PALEST_PX)
    palest = float(np.quantile(some.max(axis=2), 1 - PALEST_PART)) / 255
    return float(np.clip((PALE / max(palest, 0.01)) ** GAMMA, 1.0, MOST_GAIN))


def gain_to(cloth: tuple[float, float, float], lightness: float) -> float:
    """What to multiply a dark picture's light with so that cloth (BGR) is as light (L) as it once was."""
    here = float(to_lab(np.array([[cloth]], np.float32))[0, 0, 0])
    return float(np.clip((max(lightness, 1.0) / max(here, 1.0)) ** GAMMA, 1.0, MOST_GAIN))


def quiet(lab: Lab, radius: float) -> Lab:
    """The picture without the sensor's noise, as far as rims allow.

    `lab` is (height, width, 3); `radius` is a chip's, in pixels.
    """
    some = lab[:, ::3]
    noise = float(np.median(np.abs(some - cv2.GaussianBlur(some, (0, 0), 1.0))))
    share = min(MOST_QUIET, max(QUIET, NOISE * noise))
    return np.asarray(cv2.GaussianBlur(lab, (0, 0), share * radius), np.float32)


def commonest(colours: Floats) -> tuple[Floats, Floats]:
    """Of each row (n, samples, 3) the colour that most samples have, and how many have it (0 to 1)."""
    some = colours[:, :: max(1, colours.shape[1] // SUBSET)]
    near = np.linalg.norm(some[:, :, None] - some[:, None], axis=3) < NEIGHBOURS
    middle = some[np.arange(len(some)), near.sum(axis=2).argmax(axis=1)]
    for _ in range(2):
        close = np.linalg.norm(colours - middle[:, None], axis=2) < NEIGHBOURS
        middle = (colours * close[..., None]).sum(axis=1) / np.maximum(1, close.sum(axis=1))[:, None]
    share = (np.linalg.norm(colours - middle[:, None], axis=2) < 1.2 * NEIGHBOURS).mean(axis=1)
    return np.asarray(middle, np.float32), np.asarray(share, np.float32)


def mixed(samples: Floats) -> Floats:
    """Samples (n, 3) in an order without steps: those along rays have a pattern that even steps may miss."""
    return samples[np.argsort(np.arange(len(samples)) * GOLDEN % 1.0)]


def linear(lab: Floats) -> Floats:
    """Light of each colour channel (B, G, R), 0 to 1, of Lab colours, shape (…, 3)."""
    flat = np.asarray(lab, np.float32).reshape(1, -1, 3)
    bgr = np.clip(cv2.cvtColor(flat, cv2.COLOR_Lab2LBGR), 0, None)
    return np.asarray(bgr, np.float32).reshape(np.shape(lab))


def from_linear(bgr: Floats) -> Floats:
    """The inverse of `linear`. `bgr` has the shape (…, 3), 0 to 1; the result has the same shape, in Lab."""
    flat = np.clip(np.asarray(bgr, np.float32), 0, 1).reshape(1, -1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_LBGR2Lab), np.float32).reshape(np.shape(bgr))
