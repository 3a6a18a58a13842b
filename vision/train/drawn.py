"""Card corners to learn from: indices in many typefaces, printed, worn, lit and photographed by our own code.

Nothing here comes from the renderer that draws the simulated room: its typeface, suits and felt are never seen in
training. Ranks are drawn with a pen of chance proportions or come from the machine's DejaVu and Liberation
families and OpenCV's Hershey strokes, squeezed, slanted and thickened; suits are those of the typefaces and from
formulas.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pil
from PIL import ImageDraw, ImageFont

from vision.cards.index import CORNER_MM, FLAT_PX_PER_MM, Box, Glyph, indices, paper_of
from vision.cards.signs import NOTHING, RANKS, SUITS
from vision.train.strokes import stroked
from vision.train.suits import cut_to_ink, formula_suit

Grey = NDArray[np.float32]
Rng = np.random.Generator

PRINT_PX_PER_MM = 5.0
SIGN_PX = 120
PENNED = 0.6  # of the ranks are drawn with our own pen
FEWEST_PX = 8.0  # of a rank's height in a picture
FONT_FOLDERS = (Path("/usr/share/fonts/truetype/dejavu"), Path("/usr/share/fonts/truetype/liberation"))
HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)
SUIT_LETTERS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
OTHER_RANKS = "CDEFHLMNPRTUVWXY0147&?+=%#"  # 1, 4 and 7 are drawn turned by a quarter
OTHER_SUITS = "●■▲▼★XOVMTHU"


@dataclass(frozen=True)
class Sample:
    """One sign as the reader cut it out, and what it is (a class of `RANKS` or `SUITS`, or `NOTHING`)."""

    kind: str  # "rank" or "suit"
    truth: str
    glyph: Glyph


def typefaces() -> list[Path]:
    """The outline fonts to draw from, in a fixed order; raise FileNotFoundError when the machine has none."""
    found = [path for folder in FONT_FOLDERS for path in sorted(folder.glob("*.ttf"))]
    if not found:
        raise FileNotFoundError("no DejaVu or Liberation fonts: apt install fonts-dejavu fonts-liberation")
    return found


@functools.lru_cache(maxsize=4096)
def _lettering(font: Path | int, text: str) -> Grey | None:
    """Ink (0 to 1) of a text, cut to its box; None when the font has no such sign."""
    if isinstance(font, int):
        return _hershey(font, text) if text.isascii() else None
    face = ImageFont.truetype(str(font), 110)
    if not text.isascii() and bytes(face.getmask(text)) == bytes(face.getmask("\uffff")):
        return None
    page = Pil.new("L", (420, 260), 0)
    ImageDraw.Draw(page).text((60, 40), text, font=face, fill=255)
    return cut_to_ink(np.asarray(page, np.float32) / 255)


def _hershey(font: int, text: str) -> Grey | None:
    page = np.zeros((260, 420), np.uint8)
    cv2.putText(page, text, (60, 180), font, 4.0 if font != cv2.FONT_HERSHEY_PLAIN else 8.0, 255, 12, cv2.LINE_AA)
    return cut_to_ink(page.astype(np.float32) / 255)


class Press:
    """Prints corners with the given fonts; one for training and another, with other fonts, for the hold-out."""

    def __init__(self, fonts: list[Path | int], rng: Rng) -> None:
        self._fonts = fonts
        self._rng = rng
        self._suit_fonts = [f for f in fonts if _lettering(f, "♣") is not None]

    def samples(self) -> Iterator[Sample]:
        """Signs without end, as the reader would cut them out."""
        while True:
            yield from self._corner()

    def _corner(self) -> Iterator[Sample]:
        rng = self._rng
        rank, suit = RANKS[rng.integers(13)], SUITS[rng.integers(4)]
        wrong = rng.random()
        rank_ink = self._other(OTHER_RANKS) if wrong < 0.10 else self._rank(rank)
        suit_ink = self._other(OTHER_SUITS) if 0.10 <= wrong < 0.20 else self._suit(suit)
        if 0.20 <= wrong < 0.24:  # a suit where the rank should be and the other way round
            rank_ink, suit_ink = suit_ink, rank_ink
        if 0.24 <= wrong < 0.30:  # a suit that stands askew is another card's; ranks lean in many typefaces
            suit_ink = self._askew(suit_ink)
        truth = {
            "rank": NOTHING if wrong < 0.10 or 0.20 <= wrong < 0.24 else rank,
            "suit": NOTHING if 0.10 <= wrong < 0.30 else suit,
        }
        yield from _photographed(rng, *self._printed(rank_ink, suit_ink, suit), truth)

    def _rank(self, rank: str) -> Grey:
        rng = self._rng
        if rng.random() < PENNED:
            return self._worn(stroked(rank, rng), squeeze=(0.85, 1.15), thicken=0.02)
        font = self._fonts[rng.integers(len(self._fonts))]
        if rank != "T":
            ink = _lettering(font, rank)
            assert ink is not None
            return self._worn(ink)
        one, nought = _lettering(font, "1"), _lettering(font, "0")
        assert one is not None
        assert nought is not None
        height = max(one.shape[0], nought.shape[0])
        gap = np.zeros((height, int(height * rng.uniform(0.02, 0.22))), np.float32)
        pair = [np.pad(part, ((height - part.shape[0], 0), (0, 0))) for part in (one, nought)]
        return self._worn(np.hstack([pair[0], gap, pair[1]]), squeeze=(0.45, 0.9))

    def _suit(self, suit: str) -> Grey:
        rng = self._rng
        if self._suit_fonts and rng.random() < 0.35:
            ink = _lettering(self._suit_fonts[rng.integers(len(self._suit_fonts))], SUIT_LETTERS[suit])
            if ink is not None:
                return self._worn(ink, squeeze=(0.8, 1.2), thicken=0.02)
        return self._worn(formula_suit(suit, rng), squeeze=(0.75, 1.25), thicken=0.02)

    def _other(self, letters: str) -> Grey:
        rng = self._rng
        while True:
            letter = letters[rng.integers(len(letters))]
            ink = _lettering(self._fonts[rng.integers(len(self._fonts))], letter)
            if ink is not None:
                return self._worn(np.ascontiguousarray(np.rot90(ink)) if letter in "147" else ink)

    def _askew(self, ink: Grey) -> Grey:
        """A sign turned by 25 to 50 degrees either way: more than any slanted typeface leans."""
        rng = self._rng
        side = int(np.hypot(*ink.shape)) + 8
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.choice((-1, 1)) * rng.uniform(25, 50), 1.0)
        page = np.zeros((side, side), np.float32)
        top, left = (side - ink.shape[0]) // 2, (side - ink.shape[1]) // 2
        page[top : top + ink.shape[0], left : left + ink.shape[1]] = ink
        cut = cut_to_ink(np.asarray(cv2.warpAffine(page, turn, (side, side)), np.float32))
        return ink if cut is None else cut

    def _worn(self, ink: Grey, squeeze: tuple[float, float] = (0.6, 1.2), thicken: float = 0.05) -> Grey:
        """A sign SIGN_PX high: squeezed, slanted, turned a little, its strokes thicker or thinner."""
        rng = self._rng
        wide = max(8, round(ink.shape[1] * SIGN_PX / ink.shape[0] * rng.uniform(*squeeze)))
        sign = np.pad(cv2.resize(ink, (wide, SIGN_PX), interpolation=cv2.INTER_AREA), 24)
        lean = np.array([[1, rng.normal(0, 0.05), 0], [rng.normal(0, 0.01), 1, 0]], np.float32)
        lean[:, 2] = -(lean[:, :2] - np.eye(2)) @ (np.array(sign.shape[::-1]) / 2)
        sign = cv2.warpAffine(sign, lean, sign.shape[::-1])
        grow = rng.normal(0.3 * thicken, thicken) * SIGN_PX
        size = 2 * round(abs(grow) / 2) + 1
        if size > 1:
            change: Callable[..., object] = cv2.dilate if grow > 0 else cv2.erode
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
            changed = np.asarray(change(sign, kernel), np.float32)
            sign = changed if changed.max() > 0.9 else sign
        cut = cut_to_ink(np.asarray(sign, np.float32))
        return ink if cut is None else cut

    def _printed(self, rank: Grey, suit: Grey, name: str) -> tuple[NDArray[np.float32], Box, Box, float]:
        """A corner of a card (BGR 0 to 255), the true boxes in mm × 100, and the height of the rank in mm."""
        rng = self._rng
        s = PRINT_PX_PER_MM
        shape = (round((CORNER_MM[1] + 5) * s), round((CORNER_MM[0] + 5) * s), 3)
        paper = np.array([rng.uniform(225, 255), rng.uniform(235, 255), rng.uniform(235, 255)])
        page = np.full(shape, paper, np.float32)
        red = name in "dh"
        ink = _red_ink(rng) if red else np.full(3, rng.uniform(10, 60)) + rng.normal(0, 6, 3)
        tall = float(np.exp(rng.uniform(np.log(6.0), np.log(20.0))))
        suit_tall = tall * rng.uniform(0.5, 0.95)
        middle = max(rng.uniform(4.2, 10.5), rank.shape[1] / rank.shape[0] * tall / 2 + 1.6)
        top = rng.uniform(2.8, 6.5)
        gap = rng.uniform(0.04, 0.32) * tall
        _pips(rng, page, suit, ink, middle + rank.shape[1] / rank.shape[0] * tall / 2)
        rank_box = _stamp(page, rank, middle, top, tall, ink)
        suit_box = _stamp(page, suit, middle + rng.normal(0, 0.5), top + tall + gap, suit_tall, ink)
        return page, rank_box, suit_box, tall


def _red_ink(rng: Rng) -> NDArray[np.float64]:
    return np.array([rng.uniform(15, 75), rng.uniform(10, 60), rng.uniform(165, 235)])


def _stamp(
    page: Grey, sign: Grey, middle_mm: float, top_mm: float, tall_mm: float, ink: NDArray[np.float64]
) -> Box:
    s = PRINT_PX_PER_MM
    height = max(4, round(tall_mm * s))
    width = max(3, round(sign.shape[1] / sign.shape[0] * height))
    small = cv2.resize(sign, (width, height), interpolation=cv2.INTER_AREA)[..., None]
    left, top = max(0, round(middle_mm * s - width / 2)), round(top_mm * s)
    below = page[top : top + height, left : left + width]
    small = small[: below.shape[0], : below.shape[1]]
    below[:] = below * (1 - small) + ink.astype(np.float32) * small
    edges = [round(v / s * 100) for v in (left, top, left + width, top + height)]
    return Box(edges[0], edges[1], edges[2], edges[3], ())


def _pips(rng: Rng, page: Grey, suit: Grey, ink: NDArray[np.float64], index_right_mm: float) -> None:
    """What stands beside an index: pips, a court's frame and colours, or nothing."""
    beside = index_right_mm + rng.uniform(2.0, 6.0)
    choice = rng.random()
    if choice < 0.5:
        for y in rng.uniform(6, 45, rng.integers(1, 4)):
            _stamp(page, suit, beside + rng.uniform(5, 12), y, rng.uniform(8, 12), ink)
    elif choice < 0.8:
        s = PRINT_PX_PER_MM
        left, top = round(beside * s), round(rng.uniform(5, 10) * s)
        page[top:, left:] = rng.uniform(60, 250, 3)
        page[top:, left : left + 4] = rng.uniform(0, 90, 3)


def _photographed(
    rng: Rng, page: Grey, rank_box: Box, suit_box: Box, tall: float, truth: dict[str, str]
) -> Iterator[Sample]:
    """Take a picture of the corner and let the reader cut its signs out of it."""
    scale = max(float(np.exp(rng.uniform(np.log(0.75), np.log(3.0)))), FEWEST_PX / tall)
    flat, at = _flat_again(rng, *_picture(rng, page, scale))
    for way in indices(flat, paper_of(flat)):
        for kind, glyph, true_box in (("rank", way.rank, rank_box), ("suit", way.suit, suit_box)):
            here = _overlap(glyph.box, _moved_box(true_box, at))
            if here > 0.75:
                yield Sample(kind, truth[kind], glyph)
            elif kind == "rank" and here < 0.50:  # a pip taken for the suit *is* a sign: no lesson in that
                yield Sample(kind, NOTHING, glyph)


def _picture(rng: Rng, page: Grey, scale: float) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The corner on some cloth, turned anyhow, at `scale` px/mm; and the map from millimetres to its pixels."""
    turn = rng.uniform(0, 2 * np.pi)
    size_mm = np.array(page.shape[1::-1]) / PRINT_PX_PER_MM
    side = int(np.hypot(*size_mm) * scale) + 8
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    to_px = np.array([[cos, -sin, 0], [sin, cos, 0]])
    to_px[:, 2] = side / 2 + rng.uniform(-0.5, 0.5, 2) - to_px[:, :2] @ (size_mm / 2)
    shrink = PRINT_PX_PER_MM / scale
    soft = cv2.GaussianBlur(page, (0, 0), 0.42 * shrink)
    warp = to_px.copy()
    warp[:, :2] /= PRINT_PX_PER_MM
    cloth = tuple(float(v) for v in rng.uniform(15, 130, 3))
    shot = cv2.warpAffine(soft, warp, (side, side), borderMode=cv2.BORDER_CONSTANT, borderValue=cloth)
    shot = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.2, 0.9))
    if rng.random() < 0.15:
        shot = _moved(rng, np.asarray(shot, np.float32))
    if rng.random() < 0.2:  # a sheen over everything
        shot = shot * 0.75 + rng.uniform(10, 60)
    tint = rng.uniform(0.3, 1.25) * rng.uniform([0.75, 0.9, 0.85], [1.05, 1.0, 1.05])
    shot = shot * tint.astype(np.float32)
    y = np.linspace(-0.5, 0.5, side)
    slope = 1 + rng.normal(0, 0.15) * y[:, None] + rng.normal(0, 0.15) * y[None, :]
    shot = shot * slope[..., None].astype(np.float32)
    shot = shot + rng.standard_normal(shot.shape, np.float32) * np.float32(rng.uniform(0.5, 6.0))
    taken = np.clip(shot, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 97))])[1]
        taken = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return taken, to_px


def _moved(rng: Rng, shot: Grey) -> Grey:
    """Smeared along a line, as by a card or a camera that moves."""
    length = rng.uniform(1.5, 3.5)
    kernel = np.zeros((9, 9), np.uint8)
    turn = rng.uniform(0, np.pi)
    half = np.array([np.cos(turn), np.sin(turn)]) * length / 2
    ends = [tuple(int(v) for v in np.round((4 + way * half) * 16)) for way in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    weights = kernel.astype(np.float32) / float(kernel.sum())
    return np.asarray(cv2.filter2D(shot, -1, weights), np.float32)


def _moved_box(box: Box, at: NDArray[np.float64]) -> Box:
    """Where a box (mm × 100) of the corner lies in the flattened picture."""
    corners = np.array([(x / 100, y / 100, 1) for x in (box.left, box.right) for y in (box.top, box.bottom)])
    moved = corners @ at.T * 100
    low, high = moved.min(axis=0).round().astype(int), moved.max(axis=0).round().astype(int)
    return Box(int(low[0]), int(low[1]), int(high[0]), int(high[1]), ())


def _flat_again(
    rng: Rng, taken: NDArray[np.uint8], to_px: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Flatten the corner as the reader does, with the little errors of a card's outline.

    Also the map from true millimetres to the millimetres of the flat picture.
    """
    size = (round(CORNER_MM[0] * FLAT_PX_PER_MM), round(CORNER_MM[1] * FLAT_PX_PER_MM))
    off = rng.normal(0, 0.35, 2)
    turn, grow, lean, wide = rng.normal(0, (0.018, 0.02, 0.02, 0.03))
    jitter = np.array([[1 + grow + wide, lean - turn, off[0]], [turn, 1 + grow, off[1]], [0, 0, 1]])
    flat_to_mm = np.array([[1 / FLAT_PX_PER_MM, 0, 0], [0, 1 / FLAT_PX_PER_MM, 0], [0, 0, 1]])
    whole = (np.vstack([to_px, [0, 0, 1]]) @ jitter @ flat_to_mm)[:2]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = np.asarray(cv2.warpAffine(taken, whole, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return flat, np.linalg.inv(jitter)[:2]


def _overlap(box: Box, true_mm: Box) -> float:
    """Intersection over union of a box in flat pixels with a true one in mm × 100."""
    s = 100 / FLAT_PX_PER_MM
    left, top, right, bottom = (v * s for v in (box.left, box.top, box.right, box.bottom))
    wide = min(right, true_mm.right) - max(left, true_mm.left)
    high = min(bottom, true_mm.bottom) - max(top, true_mm.top)
    if wide <= 0 or high <= 0:
        return 0.0
    both = (right - left) * (bottom - top) + true_mm.width * true_mm.height - wide * high
    return wide * high / both
