"""A camera that films the clock page, drawn: pictures with the time at which they were made."""

from __future__ import annotations

import cv2
import numpy as np

from feltwire.delay_box.filmed_clock import COLUMNS, ROWS, WRAPS, Picture, crc16

UNIT = 20


def page(ms: int) -> Picture:
    """The blocks of `/delay/clock` at that time, as display/delay/clock.js draws them."""
    data = (ms % WRAPS).to_bytes(3, "big")
    rows = [*data, *crc16(data).to_bytes(2, "big")]
    picture = np.full(((2 * ROWS + 4) * UNIT, (2 * COLUMNS + 4) * UNIT), 255, np.uint8)
    picture[UNIT:-UNIT, UNIT:-UNIT] = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            if rows[row] & 0x80 >> column:
                top, left = UNIT * (2 + 2 * row), UNIT * (2 + 2 * column)
                picture[top : top + 2 * UNIT, left : left + 2 * UNIT] = 255
    return picture


def filmed(
    ms: int, width: int = 640, height: int = 360, *, corners: list[tuple[float, float]] | None = None
) -> Picture:
    """The page in a picture; `corners` are where its own are, as shares of the picture."""
    drawn = page(ms)
    places = corners or [(0.2, 0.1), (0.8, 0.1), (0.8, 0.85), (0.2, 0.85)]
    ends = np.array([[x * width, y * height] for x, y in places], np.float32)
    high, wide = drawn.shape
    begins = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    ground = np.full((height, width), 60, np.uint8)
    moved = cv2.getPerspectiveTransform(begins, ends)
    return np.asarray(
        cv2.warpPerspective(
            drawn, moved, (width, height), dst=ground, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA
        ),
        np.uint8,
    )
