"""What gets between the camera and the cards: a cloth, a hand."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.geometry.felt import Felt, Rect
from vision.synthetic.felt.faces import Colour, Image, tone
from vision.synthetic.felt.scene import Cover

CLOTH: Colour = (120, 92, 74)
HAND: Colour = (112, 146, 196)


def lay(image: Image, felt: Felt, zone: Rect, what: Cover, level: float) -> None:
    """Draw a cover over a zone, a little larger than it; `level` is the light's.

    `image` is BGR, of the size of `felt` in pixels; it is drawn into.
    """
    if what is Cover.CLOTH:
        _cloth(image, felt, zone, level)
    else:
        _hand(image, felt, zone, level)


def _cloth(image: Image, felt: Felt, zone: Rect, level: float) -> None:
    w, h = zone.width / 2 + 18, zone.height / 2 + 18
    for fold in range(6):
        left, right = -w + fold * w / 3, -w + (fold + 1) * w / 3
        corners = [zone.at(left, -h), zone.at(right, -h + 5), zone.at(right, h), zone.at(left, h - 5)]
        _polygon(image, felt, corners, tone(CLOTH, level * (0.86 + 0.08 * (fold % 3))))


def _hand(image: Image, felt: Felt, zone: Rect, level: float) -> None:
    """A forearm from the player's side, a palm and four fingers."""
    skin = tone(HAND, level)
    _polygon(image, felt, [zone.at(-38, 0), zone.at(38, 0), zone.at(46, 260), zone.at(-46, 260)], skin)
    _ellipse(image, felt, zone, (0, 6), (58, 52), skin)
    for finger in range(4):
        right = -42 + finger * 28
        _ellipse(image, felt, zone, (right, -52 + abs(finger - 1.5) * 6), (13, 44), skin)
        _ellipse(image, felt, zone, (right, -84 + abs(finger - 1.5) * 6), (8, 10), tone(HAND, level * 1.08))
    _ellipse(image, felt, zone, (62, 8), (15, 40), skin)


def _polygon(image: Image, felt: Felt, corners: list[tuple[float, float]], colour: Colour) -> None:
    cv2.fillPoly(image, [np.round(felt.to_px(corners) * 16).astype(np.int32)], colour, cv2.LINE_AA, shift=4)


def _ellipse(
    image: Image, felt: Felt, zone: Rect, at: tuple[float, float], radii: tuple[float, float], colour: Colour
) -> None:
    turns = [math.radians(a) for a in range(0, 360, 8)]
    outline = [zone.at(at[0] + radii[0] * math.cos(t), at[1] + radii[1] * math.sin(t)) for t in turns]
    _polygon(image, felt, outline, colour)
