"""Reads the time in a picture of the page `/delay/clock`.

The page is a white frame, a black gap, and five rows of eight blocks: 24 bits of milliseconds of boot time, then
their CRC-16. It may stand anywhere in the picture, seen from the side, blurred, upside down.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

COLUMNS, ROWS = 8, 5
BITS, CHECK_BITS = 24, 16
WRAPS = 1 << BITS
UNIT = 10  # pixels of the straightened picture; the frame and the gap are one wide, blocks two
WIDTH, HEIGHT = (2 * COLUMNS + 4) * UNIT, (2 * ROWS + 4) * UNIT
LEAST_AREA = 0.005  # of the picture
LEAST_CONTRAST = 40


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


def read_clock(picture: Picture) -> int | None:
    """The milliseconds in a grey picture, modulo 4.7 hours; None where none can be read for certain."""
    for corners in _frames(picture):
        target = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
        straight = cv2.warpPerspective(
            picture, cv2.getPerspectiveTransform(corners, target), (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR
        )
        for turned in (straight, np.ascontiguousarray(straight[::-1, ::-1])):
            time = _blocks(turned)
            if time is not None:
                return time
    return None


def _frames(picture: Picture) -> Iterator[NDArray[np.float32]]:
    """Corners of what may be the frame, clockwise from where a long side begins; the largest first."""
    _, white = cv2.threshold(cv2.GaussianBlur(picture, (5, 5), 0), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    outlines, _ = cv2.findContours(white, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    least = LEAST_AREA * picture.size
    for outline in sorted(outlines, key=cv2.contourArea, reverse=True):
        if cv2.contourArea(outline) < least:
            return
        corners = cv2.approxPolyDP(outline, 0.03 * cv2.arcLength(outline, True), True)
        if len(corners) == 4 and cv2.isContourConvex(corners):
            yield _in_order(corners.reshape(4, 2).astype(np.float32))


def _in_order(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    around = corners[np.argsort(angles)]
    sides = [float(np.linalg.norm(around[(at + 1) % 4] - around[at])) for at in range(4)]
    return np.roll(around, 0 if sides[0] + sides[2] >= sides[1] + sides[3] else -1, axis=0)


def _blocks(straight: Picture) -> int | None:
    half = UNIT // 2
    frame = float(np.median(np.concatenate([straight[half, :], straight[-half, :]])))
    gap = float(np.median(np.concatenate([straight[UNIT + half, 2 * UNIT : -2 * UNIT]])))
    if frame - gap < LEAST_CONTRAST:
        return None
    number = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            top, left = (2 + 2 * row) * UNIT + half, (2 + 2 * column) * UNIT + half
            block = straight[top : top + UNIT, left : left + UNIT]
            number = number << 1 | int(float(block.mean()) > (frame + gap) / 2)
    time, check = number >> CHECK_BITS, number & (1 << CHECK_BITS) - 1
    return time if crc16(time.to_bytes(BITS // 8, "big")) == check else None
