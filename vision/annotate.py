"""Draws the reader's results on a picture, for people."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.seen import Seen
from vision.watching.watched import Annotation, Kind

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

COLOURS: dict[Kind, Colour] = {
    Kind.READ: (96, 220, 120),
    Kind.UNREAD: (40, 170, 255),
    Kind.JOKER: (200, 90, 230),
    Kind.FACE_DOWN: (230, 190, 120),
    Kind.BUTTON: (230, 230, 230),
}

_QUALITIES = (82, 60, 30, 5)  # the first is enough for a masked table


def annotate(image: Image, boxes: Iterable[Annotation]) -> Image:
    """A copy of the picture with an outline and a label for each box; a back and the button get an outline only.

    Pictures are BGR, (height, width, 3) uint8; boxes are in their pixels.
    """
    drawn = image.copy()
    for box in boxes:
        outline = np.round(np.asarray(box.corners) * 16).astype(np.int32)
        cv2.polylines(drawn, [outline], True, COLOURS[box.kind], 2, cv2.LINE_AA, shift=4)
    for box in boxes:
        if box.kind not in (Kind.FACE_DOWN, Kind.BUTTON):
            _tag(drawn, box)
    return drawn


def boxes_of(seen: Seen) -> list[Annotation]:
    """What was seen, to be drawn: cards with their names and how sure, unread ones, jokers, backs.

    Corners are in pixels of the photo.
    """
    read = [Annotation(card.corners, Kind.READ, f"{card.card} {card.confidence:.3f}") for card in seen.cards]
    unread = [Annotation(thing.corners, Kind.UNREAD, thing.why) for thing in seen.unread]
    jokers = [Annotation(joker.corners, Kind.JOKER, "joker") for joker in seen.jokers]
    return [*read, *unread, *jokers, *(Annotation(back.corners, Kind.FACE_DOWN, "") for back in seen.face_down)]


def jpeg_of(image: Image, *, most_bytes: int, width: int = 1280) -> bytes:
    """A picture (BGR) as JPEG, `width` pixels wide, for a page: as good as `most_bytes` allow."""
    height = round(image.shape[0] * width / image.shape[1])
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    for quality in _QUALITIES:
        ok, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if ok and coded.size <= most_bytes:
            return coded.tobytes()
    raise ValueError("the picture could not be coded as JPEG")


def _tag(image: Image, box: Annotation) -> None:
    """The card's name, or a question mark, on a small plate at the box's lowest edge."""
    text = box.text if box.kind in (Kind.READ, Kind.JOKER) else "?"
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.62, 2)
    xs, ys = [x for x, _ in box.corners], [y for _, y in box.corners]
    left, bottom = round(sum(xs) / 4 - wide / 2), round(max(ys) + high + 10)
    bottom = min(bottom, image.shape[0] - 4)
    cv2.rectangle(image, (left - 5, bottom - high - 6), (left + wide + 5, bottom + 5), (28, 28, 28), -1)
    cv2.rectangle(image, (left - 5, bottom - high - 6), (left + wide + 5, bottom + 5), COLOURS[box.kind], 1)
    cv2.putText(image, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, 0.62, COLOURS[box.kind], 2, cv2.LINE_AA)
