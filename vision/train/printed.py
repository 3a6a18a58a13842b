"""A corner of a card as it comes from the press: paper, inks, signs, and what may lie over it.

Pages are BGR, 0 to 255, `PRINT_PX_PER_MM` pixels to the millimetre.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.index import CORNER_MM, InkBox
from vision.cards.signs import NOTHING

Grey = NDArray[np.float32]
Rng = np.random.Generator

PRINT_PX_PER_MM = 4.0
PAGE_MM = (CORNER_MM[0] + 6, CORNER_MM[1] + 6)
FOUR_COLOURS = 0.22  # of the corners are a four-colour deck's
COVERED = 0.30  # least visible part of a sign: below it the label is no sign


@dataclass
class Print:
    """A corner on paper: BGR 0 to 255 at `PRINT_PX_PER_MM`."""

    page: Grey
    rank: str
    suit: str
    rank_box: InkBox
    suit_box: InkBox
    tall_mm: float


def ink_of(suit: str, rng: Rng) -> NDArray[np.float64]:
    """A printing ink (BGR) for a suit: red or black, of a four-colour deck, fresh or bleached."""
    four = rng.random() < FOUR_COLOURS
    blue = np.array([rng.uniform(130, 235), rng.uniform(50, 130), rng.uniform(5, 110)])
    if four and suit == "d" and rng.random() < 0.6:
        ink = blue
    elif four and suit == "d":
        ink = np.array([rng.uniform(20, 90), rng.uniform(130, 210), rng.uniform(190, 250)])  # yellow to orange
    elif four and suit == "s" and rng.random() < 0.5:
        ink = blue
    elif four and suit == "c":
        ink = np.array([rng.uniform(20, 110), rng.uniform(95, 165), rng.uniform(0, 70)])
    elif suit in "dh":
        ink = np.array([rng.uniform(15, 100), rng.uniform(5, 80), rng.uniform(155, 240)])
    else:
        ink = np.full(3, rng.uniform(8, 75)) + rng.normal(0, 6, 3)
    if rng.random() < 0.25:  # bleached by light or by years
        ink = ink + (235 - ink) * rng.uniform(0, 0.5 if suit in "dh" else 0.35)
    return np.asarray(np.clip(ink, 0, 255), np.float64)


def bare_paper(rng: Rng) -> Grey:
    """Paper without print: BGR, (height, width, 3) float32, 0 to 255."""
    shape = (round(PAGE_MM[1] * PRINT_PX_PER_MM), round(PAGE_MM[0] * PRINT_PX_PER_MM), 3)
    return np.full(shape, rng.uniform((215, 228, 230), 255), np.float32)


def scribble(rng: Rng, art: Grey) -> None:
    """Chance shapes in chance colours, as courts and backs are to a small network."""
    height, width = art.shape[:2]
    canvas = np.ascontiguousarray(art)
    for _ in range(int(rng.integers(4, 22))):
        colour = tuple(float(v) for v in rng.uniform(0, 255, 3))
        at = rng.uniform(0.0, 1.0, 2) * (width, height)
        reach = rng.uniform(0.05, 0.3) * width
        points = (at + rng.normal(0, reach, (int(rng.integers(3, 6)), 2))).astype(np.int32)
        if rng.random() < 0.5:
            cv2.fillPoly(canvas, [points], colour)
        else:
            cv2.polylines(canvas, [points], False, colour, int(rng.integers(1, 5)))
    art[:] = canvas


def round_corner(page: Grey, rng: Rng) -> None:
    """Cut the paper's own corner round: what shows there is the table.

    `page` is BGR, (height, width, 3) float32; it is changed.
    """
    radius = rng.uniform(2.0, 4.0) * PRINT_PX_PER_MM
    side = round(radius)
    y, x = np.mgrid[0:side, 0:side]
    table = rng.uniform(10, 200, 3) if rng.random() < 0.75 else rng.uniform(200, 255, 3)  # or another card
    page[:side, :side][np.hypot(x - radius, y - radius) > radius] = table


def stamp(
    page: Grey, sign: Grey, middle_mm: float, top_mm: float, tall_mm: float, ink: NDArray[np.float64]
) -> InkBox:
    """Print a sign; its box in mm × 100."""
    s = PRINT_PX_PER_MM
    height = max(4, round(tall_mm * s))
    width = max(3, round(sign.shape[1] / sign.shape[0] * height))
    small = cv2.resize(sign, (width, height), interpolation=cv2.INTER_AREA)[..., None]
    left, top = max(0, round(middle_mm * s - width / 2)), max(0, round(top_mm * s))
    below = page[top : top + height, left : left + width]
    small = small[: below.shape[0], : below.shape[1]]
    below[:] = below * (1 - small) + ink.astype(np.float32) * small
    edges = [round(v / s * 100) for v in (left, top, left + width, top + height)]
    return InkBox(edges[0], edges[1], edges[2], edges[3], ())


def cover(rng: Rng, printed: Print) -> None:
    """Lay something over the corner now and then: another card's edge, a finger, a chip."""
    if rng.random() > 0.16:
        return
    height, width = printed.page.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    if rng.random() < 0.7:  # a straight edge across, from the right or from below
        turn = rng.choice((0.0, np.pi / 2)) + rng.normal(0, 0.35)
        normal = np.array([np.cos(turn), np.sin(turn)])
        y, x = np.mgrid[0:height, 0:width]
        reach = (x * normal[0] + y * normal[1]) / PRINT_PX_PER_MM
        mask[reach > rng.uniform(5, 34)] = 1
    else:
        at = rng.uniform(0, 1, 2) * (width, height)
        radius = rng.uniform(6, 20) * PRINT_PX_PER_MM
        cv2.circle(mask, (int(at[0]), int(at[1])), int(radius), 1, -1)
    over = np.full_like(printed.page, rng.uniform(20, 255, 3) if rng.random() < 0.6 else rng.uniform(225, 255, 3))
    if rng.random() < 0.4:
        scribble(rng, over)
    edge = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    printed.page[mask > 0] = over[mask > 0]
    printed.page[edge] *= np.float32(rng.uniform(0.5, 0.95))  # its shadow
    hide(printed, mask)


def hide(printed: Print, mask: NDArray[np.uint8]) -> None:
    """Take back what a corner shows where something lies over it (`mask`).

    The mask has the shape of the page, (height, width): 1 where hidden, else 0.
    """
    if _hidden(mask, printed.rank_box) > COVERED:
        printed.rank = NOTHING
    elif _hidden(mask, printed.rank_box) > 0.06:
        printed.rank = "" if printed.rank != NOTHING else NOTHING
    if _hidden(mask, printed.suit_box) > COVERED:
        printed.suit = NOTHING
    elif _hidden(mask, printed.suit_box) > 0.12:
        printed.suit = "" if printed.suit != NOTHING else NOTHING


def _hidden(mask: NDArray[np.uint8], box: InkBox) -> float:
    s = PRINT_PX_PER_MM / 100
    part = mask[int(box.top * s) : int(box.bottom * s) + 1, int(box.left * s) : int(box.right * s) + 1]
    return float(part.mean()) if part.size else 0.0
