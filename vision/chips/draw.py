"""Draws on a picture what the chip reader saw in it, so that a person sees what it saw."""

from __future__ import annotations

from collections.abc import Iterable

import cv2

from vision.chips.count import Tag
from vision.chips.lab import Image

SURE, UNSURE = (96, 220, 120), (40, 170, 255)  # BGR
PLATE = (28, 28, 28)


def draw_tags(image: Image, tags: Iterable[Tag]) -> Image:
    """A copy of the picture with a circle around each disc and what it was taken for beside it."""
    drawn = image.copy()
    thick = max(1, round(max(image.shape[:2]) / 900))
    size = max(0.4, max(image.shape[:2]) / 2600)
    told = list(tags)
    for tag in told:
        centre = (round(tag.x * 16), round(tag.y * 16))
        cv2.circle(drawn, centre, round(tag.radius * 16), _colour(tag), thick, cv2.LINE_AA, 4)
    for tag in told:
        (wide, high), _ = cv2.getTextSize(tag.text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        left, bottom = round(tag.x - wide / 2), round(tag.y + tag.radius + high + 4)
        bottom = min(bottom, image.shape[0] - 4)
        cv2.rectangle(drawn, (left - 3, bottom - high - 3), (left + wide + 3, bottom + 4), PLATE, -1)
        cv2.putText(
            drawn, tag.text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, size, _colour(tag), thick, cv2.LINE_AA
        )
    return drawn


def _colour(tag: Tag) -> tuple[int, int, int]:
    return SURE if tag.sure else UNSURE
