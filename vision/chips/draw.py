"""Draws on a picture what the chip reader saw in it, so that a person sees what it saw."""

from __future__ import annotations

from collections.abc import Iterable

import cv2

from vision.chips.count import Tag
from vision.pictures import Image

SURE, UNSURE = (96, 220, 120), (40, 170, 255)  # BGR
PLATE = (28, 28, 28)


def draw_tags(image: Image, tags: Iterable[Tag], why: str = "") -> Image:
    """A copy of the picture with a circle around each disc and what it was taken for beside it.

    `why`: what is withheld and for which reason, written at the top, a line for each part after a semicolon.
    Pictures are BGR, (height, width, 3) uint8; tags are in their pixels.
    """
    drawn = image.copy()
    thick = max(1, round(max(image.shape[:2]) / 900))
    size = max(0.4, max(image.shape[:2]) / 2600)
    every = list(tags)
    for tag in every:
        centre = (round(tag.x * 16), round(tag.y * 16))
        cv2.circle(drawn, centre, round(tag.radius * 16), _colour(tag), thick, cv2.LINE_AA, 4)
    for tag in every:
        (wide, high), _ = cv2.getTextSize(tag.text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        left, bottom = round(tag.x - wide / 2), round(tag.y + tag.radius + high + 4)
        _write(drawn, tag.text, (left, min(bottom, image.shape[0] - 4)), _colour(tag), size, thick)
    for row, line in enumerate(why.split("; ") if why else ()):
        _write(drawn, line, (8, round(34 * size) * (row + 1)), UNSURE, size, thick)
    return drawn


def _write(
    drawn: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int], size: float, thick: int
) -> None:
    """Text on a dark plate, its lower left corner at a place."""
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    left, bottom = at
    cv2.rectangle(drawn, (left - 3, bottom - high - 3), (left + wide + 3, bottom + 4), PLATE, -1)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)


def _colour(tag: Tag) -> tuple[int, int, int]:
    return SURE if tag.sure else UNSURE
