"""The index in a card's corner: a rank with its suit below, cut out and scaled to a common size.

It works on a *flat* picture of one card, `FLAT_PX_PER_MM` pixels to the millimetre, as `flatten` makes it.
Training uses the same code, so a classifier sees in training exactly what it sees at the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Quad, level_at

FLAT_PX_PER_MM = 2.6
FLAT_SIZE = (round(CARD_WIDTH_MM * FLAT_PX_PER_MM), round(CARD_HEIGHT_MM * FLAT_PX_PER_MM))
GLYPH_SIZE = (24, 32)  # width, height
CORNER_MM = (30.0, 50.0)  # the part of a card that contains an index
THRESHOLDS = (0.42, 0.58, 0.30, 0.19, 0.14, 0.10)  # for ink, tried one after the other; overexposed print is pale
PAPER_RANK = 0.85  # part of a card's pixels that are darker than its paper
FRAMED = (0.42, 0.30, 0.19)  # thresholds at which lines of a court's frame that touch the index are removed
FRAME_MM = (14.0, 24.0)  # across and down: longer strokes belong to a frame
SLANTS = (0.0, 0.03, -0.03)  # of a frame: pixels aside for each along it

_AROUND = np.ones((3, 3), np.uint8)

Ink = NDArray[np.float32]


@dataclass(frozen=True)
class InkBox:
    """Left, top, right, bottom in flat pixels (right and bottom outside) and which components it is made of."""

    left: int
    top: int
    right: int
    bottom: int
    parts: tuple[int, ...]

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def centre_x(self) -> float:
        return (self.left + self.right) / 2

    def joined(self, other: InkBox) -> InkBox:
        return InkBox(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
            self.parts + other.parts,
        )


@dataclass(frozen=True)
class Glyph:
    """A sign ready for the classifier: ink (32 × 24, 0 to 1), width by height, and how blue, green and red it is.

    Colours are what the print leaves of the paper's light, by the ink that is there, so that a thin, pale stroke
    is as red as a bold one.
    """

    ink: Ink
    aspect: float
    colours: tuple[float, float, float]
    box: InkBox


@dataclass(frozen=True)
class Index:
    """One way to cut out the index of a corner."""

    rank: Glyph
    suit: Glyph


def flatten(image: Image, quad: Quad) -> Image:
    """The card in `quad` as if seen from straight above, upright.

    Pictures are BGR; `quad` is (4, 2), in pixels of `image`. The result has `FLAT_SIZE`, width by height.
    """
    width, height = FLAT_SIZE
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad, target)
    flat = cv2.warpPerspective(image, warp, FLAT_SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def paper_of(flat: Image) -> NDArray[np.float32]:
    """The colour of the card's paper under this light: what nearly the brightest parts look like.

    `flat` is BGR of any size; the result is (3,), BGR, each at least 1.
    """
    some = flat[::4, ::4].reshape(-1, 3)
    return np.array([max(1.0, level_at(some[:, channel], PAPER_RANK)) for channel in range(3)], np.float32)


def shares(flat: Image, paper: NDArray[np.float32]) -> tuple[Ink, Ink, Ink]:
    """What print leaves of the paper's blue, green and red light, each 0 to 1.

    `flat` is BGR, (height, width, 3); `paper` is (3,) BGR. The results are (height, width) each.
    """
    levels = np.arange(256, dtype=np.float32)
    blue, green, red = (
        np.asarray(cv2.LUT(plane, np.minimum(levels / light, np.float32(1.0))), np.float32)
        for plane, light in zip(cv2.split(flat), paper, strict=True)
    )
    return blue, green, red


def ink_of_shares(blue: Ink, green: Ink, red: Ink) -> Ink:
    """How much ink is there: what is missing of the light that is missing most, 0 (paper) to 1."""
    return np.asarray(1.0 - cv2.min(cv2.min(blue, green), red), np.float32)


def indices(flat: Image, paper: NDArray[np.float32]) -> list[Index]:
    """Ways to see an index in the top left corner of a flat card, by the first threshold that shows any.

    `flat` is BGR in flat pixels; `paper` is its colour, (3,) BGR.
    """
    return next(all_indices(flat, paper), [])


def all_indices(flat: Image, paper: NDArray[np.float32]) -> Iterator[list[Index]]:
    """Ways to see an index in the top left corner of a flat card, threshold after threshold that shows any.

    `flat` is BGR in flat pixels; `paper` is its colour, (3,) BGR.
    """
    width, height = (round(mm * FLAT_PX_PER_MM) for mm in CORNER_MM)
    share = shares(flat[:height, :width], paper)
    ink = ink_of_shares(*share)
    for printed in _printed(ink):
        count, labels, stats, _ = cv2.connectedComponentsWithStats(printed, connectivity=8)
        boxes = _boxes(count, stats)
        ways = [
            Index(cut_out(ink, share, labels, rank), cut_out(ink, share, labels, suit))
            for rank, suit in _pairs(boxes)
        ]
        if ways:
            yield ways


def _frame_pens() -> list[NDArray[np.uint8]]:
    """Strokes as long as a frame's, across and down: a card in a pile is seldom cut out quite straight."""
    across, down = (round(mm * FLAT_PX_PER_MM) for mm in FRAME_MM)
    pens = []
    for slant in SLANTS:
        for long, turned in ((across, False), (down, True)):
            aside = abs(round(long * slant))
            pen = np.zeros((aside + 1, long), np.uint8)
            left, right = (0, aside) if slant > 0 else (aside, 0)
            cv2.line(pen, (0, left), (long - 1, right), 1)
            pens.append(np.ascontiguousarray(pen.T) if turned else pen)
    return pens


FRAME_PENS = _frame_pens()


def _printed(ink: Ink) -> Iterator[NDArray[np.uint8]]:
    """What counts as print, way after way."""
    for threshold in THRESHOLDS:
        yield (ink > threshold).astype(np.uint8)
    for threshold in FRAMED:
        printed = (ink > threshold).astype(np.uint8)
        lines = np.zeros_like(printed)
        for pen in FRAME_PENS:
            lines |= cv2.morphologyEx(printed, cv2.MORPH_OPEN, pen)
        yield printed & (1 - lines)


def _boxes(count: int, stats: NDArray[np.int32]) -> list[InkBox]:
    """Components that may be a sign or half of a ten: big enough, off the card's edge, inside the corner."""
    mm = FLAT_PX_PER_MM
    boxes = []
    for i in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[i])
        box = InkBox(left, top, left + width, top + height, (i,))
        on_edge = left < 0.7 * mm or top < 0.7 * mm
        cut = box.right >= CORNER_MM[0] * mm - 1 or box.bottom >= CORNER_MM[1] * mm - 1
        if not on_edge and not cut and 3.5 * mm <= height <= 24 * mm and area >= 2.0 * mm * mm:
            boxes.append(box)
    return boxes


def _pairs(boxes: list[InkBox]) -> list[tuple[InkBox, InkBox]]:
    """A rank in the corner and the suit below it; with the rank's neighbour as a two-figure ten, too."""
    mm = FLAT_PX_PER_MM
    near = [b for b in boxes if b.centre_x < 15 * mm and b.top < 11 * mm and b.height >= 5 * mm]
    if not near:
        return []
    rank = min(near, key=lambda b: b.left + b.top)
    ranks = [rank]
    beside = [b for b in boxes if b is not rank and _stands_beside(rank, b)]
    if beside:
        ranks.insert(0, rank.joined(min(beside, key=lambda b: b.left)))
    pairs = []
    for one in ranks:
        below = [b for b in boxes if _hangs_below(one, b)]
        if below:
            pairs.append((one, min(below, key=lambda b: b.top + abs(b.centre_x - one.centre_x))))
    return pairs


def _stands_beside(one: InkBox, other: InkBox) -> bool:
    """Whether `other` may be the nought of the ten that begins with `one`."""
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    tallest = max(one.height, other.height)
    return shared > 0.8 * tallest and -0.1 * tallest < other.left - one.right < 0.40 * tallest


def _hangs_below(rank: InkBox, box: InkBox) -> bool:
    mm = FLAT_PX_PER_MM
    apart = box.top - rank.bottom
    if set(box.parts) & set(rank.parts) or not -1.0 * mm <= apart <= 9 * mm:
        return False
    drop = (box.top + box.bottom - rank.top - rank.bottom) / 2
    straight = abs(box.centre_x - rank.centre_x) <= 1.6 * mm + 0.05 * drop  # else it hangs from a card askew
    return straight and 0.35 <= box.height / rank.height <= 1.6


def cut_out(ink: Ink, share: tuple[Ink, Ink, Ink], labels: NDArray[np.int32], box: InkBox) -> Glyph:
    """Cut a sign out, its own print only, and stretch it to the common size."""
    top, left = max(0, box.top - 1), max(0, box.left - 1)
    window = np.s_[top : box.bottom + 1, left : box.right + 1]
    here = labels[window]
    own = here == box.parts[0]
    for part in box.parts[1:]:
        own |= here == part
    inside = ink[window]
    mine = inside * cv2.dilate(own.view(np.uint8), _AROUND)
    sign = cv2.resize(mine, GLYPH_SIZE, interpolation=cv2.INTER_AREA if box.height > 64 else cv2.INTER_LINEAR)
    strong = own & (inside > 0.6 * float(mine.max()))
    inked = max(1.0, float(inside[strong].sum()))
    blue, green, red = (float(colour[window][strong].sum()) / inked for colour in share)
    peak = max(0.2, float(sign.max()))
    return Glyph((sign / peak).astype(np.float32), box.width / box.height, (blue, green, red), box)
