"""Card corners to learn from: printed, worn, covered, lit and photographed by our own code, then cut out again.

Nothing here comes from the renderer that draws the simulated room: its letters, suits, courts and felt are never
seen in training. A corner is what the reader's own `flatten` makes of one: `CORNER_MM` of a card, in flat pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.index import CORNER_MM, FLAT_PX_PER_MM, Box
from vision.cards.signs import NOTHING, RANKS, SUITS
from vision.train.neighbours import CARD_MM, Neighbours
from vision.train.strokes import stroked
from vision.train.suits import cut_to_ink, formula_suit
from vision.train.typefaces import Face, lettering

Grey = NDArray[np.float32]
Flat = NDArray[np.uint8]
Rng = np.random.Generator

PRINT_PX_PER_MM = 4.0
PAGE_MM = (CORNER_MM[0] + 6, CORNER_MM[1] + 6)
SIGN_PX = 96
PENNED = 0.42  # of the ranks are drawn with our own pen
FEWEST_PX = 6.5  # of a rank's height in a picture
LEAST_SCALE, MOST_SCALE = 0.75, 2.8  # px/mm of the picture; the reader makes finer ones coarser
COARSER = 1.35  # more than 1: more corners in coarse pictures, which are the hard ones
FOUR_COLOURS = 0.22  # of the corners are a four-colour deck's
UNDER_ANOTHER = 0.24  # of the corners lie under another card's edge, or beside it
RANK_SHOWS = 0.75  # of those under another, at least the middle of their rank
ON_ANOTHER = 0.28  # lie on other cards instead of cloth
SUIT_LETTERS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
OTHER_RANKS = "EFGHLMNPRUVWXY&+=%#"  # no letter that a rank could be taken for with right
OTHER_SUITS = "●■▲▼★XOVMTHUKEN"
WORDS = ("the", "straight", "flush", "river", "board", "dealer", "level", "ante", "100", "25", "POKER", "JOKER")
COVERED = 0.30  # of a sign: what shows less of it is nobody's sign


@dataclass(frozen=True)
class Corner:
    """A corner as the reader flattens it, what stands in it, and where (mm × 100).

    `rank` and `suit` are `NOTHING` where no such sign stands, and empty where half of one shows.
    """

    flat: Flat
    rank: str
    suit: str
    rank_box: Box
    suit_box: Box


@dataclass
class Print:
    """A corner on paper: BGR 0 to 255 at `PRINT_PX_PER_MM`."""

    page: Grey
    rank: str
    suit: str
    rank_box: Box
    suit_box: Box
    tall_mm: float


class Press:
    """Prints corners with the given fonts; one for training and another, with other fonts, for the hold-out."""

    def __init__(self, fonts: list[Face], rng: Rng) -> None:
        self._fonts = fonts
        self._rng = rng
        self._families = _families(fonts)
        self._suit_fonts = [f for f in fonts if lettering(f, "♣") is not None]
        self._others = Neighbours(self._whole_card, rng, PRINT_PX_PER_MM)

    def corners(self) -> Iterator[Corner]:
        """Corners without end."""
        while True:
            printed = self._printed()
            if self._rng.random() < UNDER_ANOTHER:
                self._lay_another_over(printed)
            else:
                cover(self._rng, printed)
            yield photographed(self._rng, printed, self._others)

    def _lay_another_over(self, printed: Print) -> None:
        """Another card over the corner, anyhow."""
        rng = self._rng
        to_px = np.diag((PRINT_PX_PER_MM, PRINT_PX_PER_MM, 1.0))[:2]
        box = printed.rank_box
        index = ((box.left + box.right) / 200, (box.top + box.bottom) / 200)
        mask = self._others.lay(printed.page, to_px, PAGE_MM, index if rng.random() < RANK_SHOWS else None)
        edge = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        printed.page[edge] *= np.float32(rng.uniform(0.5, 0.97))
        hide(printed, mask)

    def _whole_card(self) -> Grey:
        """A card to lie about: indices, pips or a court; now and then a back."""
        rng = self._rng
        width, height = (round(mm * PRINT_PX_PER_MM) for mm in CARD_MM)
        page = np.full((height, width, 3), rng.uniform((215, 228, 230), 255), np.float32)
        if rng.random() < 0.12:
            edge = round(rng.uniform(1, 5) * PRINT_PX_PER_MM)
            page[edge:-edge, edge:-edge] = rng.uniform(20, 200, 3)
            scribble(rng, page[edge:-edge, edge:-edge])
            return page
        name = SUITS[rng.integers(4)]
        rank, suit, ink = self._rank(RANKS[rng.integers(13)]), self._suit(name), ink_of(name, rng)
        tall = min(float(np.exp(rng.uniform(np.log(5.2), np.log(16.0)))), 15.0 * rank.shape[0] / rank.shape[1])
        middle = max(rng.uniform(3.6, 8.0), rank.shape[1] / rank.shape[0] * tall / 2 + 1.4)
        top, pip = rng.uniform(2.0, 6.5), rng.uniform(8, 14)
        court = rng.random() < 0.25
        if court:
            left, above = round(rng.uniform(9, 16) * PRINT_PX_PER_MM), round(rng.uniform(5, 10) * PRINT_PX_PER_MM)
            scribble(rng, page[above:-above, left:-left])
        for _ in range(2):
            stamp(page, rank, middle, top, tall, ink)
            stamp(page, suit, middle, top + tall * rng.uniform(1.05, 1.3), tall * rng.uniform(0.55, 0.95), ink)
            for x in (18.0, 31.7, 45.5) if not court else ():
                for y in rng.uniform(8, 34, rng.integers(0, 3)):
                    stamp(page, suit, x, y, pip, ink)
            page = np.ascontiguousarray(page[::-1, ::-1])
        return page

    def _printed(self) -> Print:
        rng = self._rng
        choice = rng.random()
        if choice < 0.07:
            return self._no_index()
        rank, suit = RANKS[rng.integers(13)], SUITS[rng.integers(4)]
        wrong = rng.random()
        rank_ink = self._other(OTHER_RANKS) if wrong < 0.07 else self._rank(rank)
        suit_ink = self._other(OTHER_SUITS) if 0.07 <= wrong < 0.14 else self._suit(suit)
        if 0.14 <= wrong < 0.17:  # a suit where the rank should be and the other way round
            rank_ink, suit_ink = suit_ink, rank_ink
        if 0.17 <= wrong < 0.21:  # a suit that stands askew is another card's; ranks lean in many typefaces
            suit_ink = self._askew(suit_ink)
        if 0.21 <= wrong < 0.25:  # half a nine is no five, and half a pip no four
            rank_ink = self._part(rank_ink if rng.random() < 0.6 else self._suit(suit))
        if 0.25 <= wrong < 0.275:  # half a diamond is no spade
            suit_ink = self._part(suit_ink)
        truth_rank = NOTHING if wrong < 0.07 or 0.14 <= wrong < 0.17 or 0.21 <= wrong < 0.25 else rank
        truth_suit = NOTHING if 0.07 <= wrong < 0.21 or 0.25 <= wrong < 0.275 else suit
        printed = self._set(rank_ink, suit_ink, suit)
        printed.rank, printed.suit = truth_rank, truth_suit
        if rng.random() < 0.05:  # a corner seen the wrong way round, or in a mirror, says nothing
            flips: tuple[Callable[[Grey], Grey], ...] = (lambda p: p[::-1, ::-1], lambda p: p[:, ::-1])
            printed.page = np.ascontiguousarray(flips[rng.integers(2)](printed.page))
            printed.rank = printed.suit = NOTHING
        return printed

    def _letters(self) -> Face:
        """Any family first, then any of its cuts: one with forty cuts is not forty times as common on cards."""
        family = self._families[self._rng.integers(len(self._families))]
        return family[self._rng.integers(len(family))]

    def _rank(self, rank: str) -> Grey:
        rng = self._rng
        if rng.random() < PENNED:
            return self._worn(stroked(rank, rng), squeeze=(0.85, 1.15), thicken=0.02)
        font = self._letters()
        if rank != "T":
            ink = lettering(font, rank)
            assert ink is not None
            return self._worn(ink, squeeze=(0.5, 1.2))
        one, nought = lettering(font, "1"), lettering(font, "0")
        assert one is not None
        assert nought is not None
        height = max(one.shape[0], nought.shape[0])
        gap = np.zeros((height, int(height * rng.uniform(0.02, 0.22))), np.float32)
        pair = [np.pad(part, ((height - part.shape[0], 0), (0, 0))) for part in (one, nought)]
        return self._worn(np.hstack([pair[0], gap, pair[1]]), squeeze=(0.42, 0.9))

    def _suit(self, suit: str) -> Grey:
        rng = self._rng
        if self._suit_fonts and rng.random() < 0.35:
            ink = lettering(self._suit_fonts[rng.integers(len(self._suit_fonts))], SUIT_LETTERS[suit])
            if ink is not None:
                return self._worn(ink, squeeze=(0.8, 1.2), thicken=0.02)
        return self._worn(formula_suit(suit, rng), squeeze=(0.75, 1.25), thicken=0.02)

    def _other(self, letters: str) -> Grey:
        rng = self._rng
        while True:
            ink = lettering(self._letters(), letters[rng.integers(len(letters))])
            if ink is not None:
                return self._worn(ink)

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

    def _part(self, ink: Grey) -> Grey:
        """Between a third and two thirds of a sign: the rest lies under another card."""
        rng = self._rng
        height, width = ink.shape
        turn = rng.choice((0.0, 0.5, 1.0, 1.5)) * np.pi + rng.normal(0, 0.35)
        y, x = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j]
        shown = ink.copy()
        shown[x * np.cos(turn) + y * np.sin(turn) > rng.uniform(-0.17, 0.17)] = 0
        cut = cut_to_ink(shown)
        return ink[: max(4, height // 2)] if cut is None else cut

    def _worn(self, ink: Grey, squeeze: tuple[float, float] = (0.6, 1.2), thicken: float = 0.05) -> Grey:
        """A sign SIGN_PX high: squeezed, slanted, turned a little, its strokes thicker or thinner."""
        rng = self._rng
        wide = max(8, round(ink.shape[1] * SIGN_PX / ink.shape[0] * rng.uniform(*squeeze)))
        sign = np.pad(cv2.resize(ink, (wide, SIGN_PX), interpolation=cv2.INTER_AREA), 20)
        lean = np.array([[1, rng.normal(0, 0.05), 0], [rng.normal(0, 0.01), 1, 0]], np.float32)
        lean[:, 2] = -(lean[:, :2] - np.eye(2)) @ (np.array(sign.shape[::-1]) / 2)
        sign = cv2.warpAffine(sign, lean, sign.shape[::-1])
        grow = rng.normal(0.2 * thicken, thicken) * SIGN_PX
        size = 2 * round(abs(grow) / 2) + 1
        if size > 1:
            change: Callable[..., object] = cv2.dilate if grow > 0 else cv2.erode
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
            changed = np.asarray(change(sign, kernel), np.float32)
            sign = changed if changed.max() > 0.9 else sign
        cut = cut_to_ink(np.asarray(sign, np.float32))
        return ink if cut is None else cut

    def _set(self, rank: Grey, suit: Grey, name: str) -> Print:
        """Set rank and suit into the corner of a card, with what stands beside them on cards."""
        rng = self._rng
        page = bare_paper(rng)
        ink = ink_of(name, rng)
        tall = float(np.exp(rng.uniform(np.log(5.2), np.log(20.0))))
        aspect = rank.shape[1] / rank.shape[0]
        tall = min(tall, 15.0 / aspect)
        suit_tall = min(tall * rng.uniform(0.45, 1.05), 14.0)
        middle = max(rng.uniform(3.6, 10.0), aspect * tall / 2 + 1.4)
        top = rng.uniform(2.0, 6.5)
        gap = rng.uniform(0.03, 0.32) * tall
        self._beside(page, suit, ink, middle + aspect * tall / 2)
        rank_box = stamp(page, rank, middle, top, tall, ink)
        suit_box = stamp(page, suit, middle + rng.normal(0, 0.5), top + tall + gap, suit_tall, ink)
        round_corner(page, rng)
        return Print(page, "", "", rank_box, suit_box, tall)

    def _beside(self, page: Grey, suit: Grey, ink: NDArray[np.float64], index_right_mm: float) -> None:
        """What stands beside an index: pips, a court's frame and colours, or nothing."""
        rng = self._rng
        beside = index_right_mm + rng.uniform(0.8, 5.0)
        choice = rng.random()
        if choice < 0.45:
            for y in rng.uniform(6, 45, rng.integers(1, 4)):
                stamp(page, suit, beside + rng.uniform(5, 12), y, rng.uniform(8, 13), ink)
        elif choice < 0.8:
            s = PRINT_PX_PER_MM
            left, top = round(beside * s), round(rng.uniform(4, 11) * s)
            art = page[top:, left:]
            art[:] = art[0, 0] if rng.random() < 0.4 else rng.uniform(60, 250, 3)
            scribble(rng, art)
            if rng.random() < 0.85:
                edge = max(1, round(rng.uniform(0.2, 0.9) * s))
                line = rng.uniform(0, 130, 3)
                page[top:, left : left + edge] = line
                page[top : top + edge, left:] = line
            if rng.random() < 0.7:  # the court's own pip, close to the index
                own = (beside + rng.uniform(4, 9), top / s + rng.uniform(1, 4), rng.uniform(7, 13))
                stamp(page, suit, *own, ink)

    def _no_index(self) -> Print:
        """Pale or dark things without any index: print, courts, backs, jokers, chips, bare paper."""
        rng = self._rng
        page = bare_paper(rng)
        choice = rng.random()
        if choice < 0.3:
            y, s = rng.uniform(1, 6), PRINT_PX_PER_MM
            font = self._letters()
            tall, ink = float(np.exp(rng.uniform(np.log(1.5), np.log(12)))), np.full(3, rng.uniform(10, 120))
            while y < page.shape[0] / s:
                x = rng.uniform(0.5, 6)
                while x < page.shape[1] / s:
                    word = lettering(font, WORDS[rng.integers(len(WORDS))])
                    assert word is not None
                    wide = word.shape[1] / word.shape[0] * tall
                    stamp(page, word, x + wide / 2, y, tall, ink)
                    x += wide + 0.5 * tall
                y += 1.6 * tall
        elif choice < 0.6:
            scribble(rng, page)
        elif choice < 0.72:
            self._word_down_the_side(page)
        elif choice < 0.84:
            self._chip(page)
        else:
            stamp(page, self._suit(SUITS[rng.integers(4)]), rng.uniform(4, 20), rng.uniform(2, 20),
                   rng.uniform(6, 16), ink_of("shcd"[rng.integers(4)], rng))  # fmt: skip
        nowhere = Box(0, 0, 1, 1, ())
        return Print(page, NOTHING, NOTHING, nowhere, nowhere, 12.0)

    def _word_down_the_side(self, page: Grey) -> None:
        """A word down the side of a card, its first letter where a rank stands."""
        rng = self._rng
        font, ink = self._letters(), ink_of("shcd"[rng.integers(4)], rng)
        tall, x, y = rng.uniform(3.5, 8.0), rng.uniform(3.0, 7.0), rng.uniform(2.0, 6.0)
        for letter in ("JOKER", "Joker", "JOLLY")[rng.integers(3)]:
            sign = lettering(font, letter)
            assert sign is not None
            stamp(page, sign, x, y, tall * (0.75 if letter.islower() else 1.0), ink)
            y += tall * rng.uniform(1.05, 1.3)

    def _chip(self, page: Grey) -> None:
        """A chip or a dealer's button: a disc, spots at its edge, and its value, which is no rank."""
        rng = self._rng
        page[:] = rng.uniform(20, 200, 3)
        height, width = page.shape[:2]
        at = rng.uniform(0.2, 0.6, 2) * (width, height)
        middle, radius = (int(at[0]), int(at[1])), int(rng.uniform(14, 24) * PRINT_PX_PER_MM)
        disc, spots, inlay = (tuple(float(v) for v in rng.uniform(20, 255, 3)) for _ in range(3))
        cv2.circle(page, middle, radius, disc, -1)
        turn = rng.uniform(0, 360)
        for spot in range(6):
            start = turn + 60 * spot
            cv2.ellipse(page, middle, (radius, radius), 0, start, start + 22, spots, round(0.35 * radius))
        cv2.circle(page, middle, round(0.72 * radius), inlay if rng.random() < 0.5 else (245, 245, 245), -1)
        sign = lettering(self._letters(), ("1", "5", "25", "100", "500", "D", "DEALER", "10")[rng.integers(8)])
        assert sign is not None
        tall = min(rng.uniform(5, 14), 1.2 * radius / PRINT_PX_PER_MM * sign.shape[0] / sign.shape[1])
        top = middle[1] / PRINT_PX_PER_MM - tall / 2
        stamp(page, sign, middle[0] / PRINT_PX_PER_MM, top, tall, np.full(3, rng.uniform(5, 90)))


def _families(fonts: list[Face]) -> list[list[Face]]:
    """Typefaces that come together, each family once, in the order of the fonts."""
    found: dict[Path | int, list[Face]] = {}
    for font in fonts:
        found.setdefault(font.parent if isinstance(font, Path) else font, []).append(font)
    return list(found.values())


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
    """Cut the paper's own corner round: what shows there is the table."""
    radius = rng.uniform(2.0, 4.0) * PRINT_PX_PER_MM
    side = round(radius)
    y, x = np.mgrid[0:side, 0:side]
    table = rng.uniform(10, 200, 3) if rng.random() < 0.75 else rng.uniform(200, 255, 3)  # or another card
    page[:side, :side][np.hypot(x - radius, y - radius) > radius] = table


def stamp(
    page: Grey, sign: Grey, middle_mm: float, top_mm: float, tall_mm: float, ink: NDArray[np.float64]
) -> Box:
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
    return Box(edges[0], edges[1], edges[2], edges[3], ())


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
    """Take back what a corner shows where something lies over it (`mask`)."""
    if _hidden(mask, printed.rank_box) > COVERED:
        printed.rank = NOTHING
    elif _hidden(mask, printed.rank_box) > 0.06:
        printed.rank = "" if printed.rank != NOTHING else NOTHING
    if _hidden(mask, printed.suit_box) > COVERED:
        printed.suit = NOTHING
    elif _hidden(mask, printed.suit_box) > 0.12:
        printed.suit = "" if printed.suit != NOTHING else NOTHING


def _hidden(mask: NDArray[np.uint8], box: Box) -> float:
    s = PRINT_PX_PER_MM / 100
    part = mask[int(box.top * s) : int(box.bottom * s) + 1, int(box.left * s) : int(box.right * s) + 1]
    return float(part.mean()) if part.size else 0.0


def photographed(rng: Rng, printed: Print, others: Neighbours | None = None) -> Corner:
    """Take a picture of the corner and flatten it as the reader does. It may lie on `others`."""
    scale = LEAST_SCALE * float((MOST_SCALE / LEAST_SCALE) ** (rng.random() ** COARSER))
    scale = max(scale, FEWEST_PX / printed.tall_mm)
    below = others if rng.random() < ON_ANOTHER else None
    taken, to_px = _picture(rng, printed.page, scale, below)
    flat, at = _flat_again(rng, taken, to_px)
    boxes = [_moved_box(box, at) for box in (printed.rank_box, printed.suit_box)]
    return Corner(flat, printed.rank, printed.suit, boxes[0], boxes[1])


def _picture(rng: Rng, page: Grey, scale: float, below: Neighbours | None) -> tuple[Flat, NDArray[np.float64]]:
    """The corner on some cloth, turned anyhow, at `scale` px/mm; and the map from millimetres to its pixels."""
    turn = rng.uniform(0, 2 * np.pi)
    size_mm = np.array(page.shape[1::-1]) / PRINT_PX_PER_MM
    side = int(np.hypot(*size_mm) * scale) + 8
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    to_px = np.array([[cos, -sin, 0], [sin, cos, 0]])
    to_px[:, 2] = side / 2 + rng.uniform(-0.5, 0.5, 2) - to_px[:, :2] @ (size_mm / 2)
    soft = cv2.GaussianBlur(page, (0, 0), max(0.3, 0.42 * PRINT_PX_PER_MM / scale))
    warp = to_px.copy()
    warp[:, :2] /= PRINT_PX_PER_MM
    shot = np.full((side, side, 3), rng.uniform(15, 200, 3), np.float32)
    if below is not None:
        for _ in range(int(rng.integers(1, 3))):
            below.lay(shot, to_px, (12.0, 24.0))
        soft[:1] *= np.float32(rng.uniform(0.55, 0.97))  # the paper's edge, or its shadow, tells two cards apart
        soft[:, :1] *= np.float32(rng.uniform(0.55, 0.97))
    transparent = cv2.BORDER_TRANSPARENT
    cv2.warpAffine(soft, warp, (side, side), dst=shot, borderMode=transparent)
    shot = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.2, 1.0 if rng.random() < 0.8 else 0.2 + 0.5 * scale))
    if rng.random() < 0.2:
        shot = _moved(rng, np.asarray(shot, np.float32), scale)
    shot = _lit(rng, np.asarray(shot, np.float32))
    shot += rng.standard_normal(shot.shape, np.float32) * np.float32(rng.uniform(0.5, 7.0))
    taken = np.clip(shot, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 97))])[1]
        taken = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return taken, to_px


def _lit(rng: Rng, shot: Grey) -> Grey:
    """Under some light: tinted, uneven, with a sheen, a hard shadow or a spot that washes out."""
    side = shot.shape[0]
    tint = rng.uniform(0.3, 1.3) * rng.uniform([0.65, 0.88, 0.85], [1.05, 1.0, 1.08])
    at = np.linspace(-0.5, 0.5, side, dtype=np.float32)
    slope = np.float32(1) + rng.normal(0, 0.15) * at[:, None] + rng.normal(0, 0.15) * at[None, :]
    if rng.random() < 0.12:  # the edge of a shadow
        turn, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.01, 0.15)
        across = at[:, None] * np.sin(turn) + at[None, :] * np.cos(turn) - rng.uniform(-0.25, 0.25)
        slope = slope * (1 - rng.uniform(0.3, 0.65) / (1 + np.exp(-across / soft)))
    shot = shot * tint.astype(np.float32) * slope[..., None].astype(np.float32)
    if rng.random() < 0.2:  # a sheen over everything
        shot = shot * 0.75 + np.float32(rng.uniform(10, 70))
    if rng.random() < 0.1:  # a lamp's reflection on one spot
        cx, cy = rng.uniform(-0.4, 0.4, 2)
        far = (at[None, :] - cx) ** 2 + (at[:, None] - cy) ** 2
        spot = rng.uniform(40, 170) * np.exp(-far / rng.uniform(0.005, 0.06))
        shot = shot + spot[..., None].astype(np.float32)
    return np.asarray(shot, np.float32)


def _moved(rng: Rng, shot: Grey, scale: float) -> Grey:
    """Smeared along a line, as by a card or a camera that moves."""
    length = min(rng.uniform(1.2, 4.5), rng.uniform(0.8, 2.2) * scale)
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


def _flat_again(rng: Rng, taken: Flat, to_px: NDArray[np.float64]) -> tuple[Flat, NDArray[np.float64]]:
    """Flatten the corner as the reader does, with the errors of a card's outline or of a guessed one.

    Also the map from true millimetres to the millimetres of the flat picture.
    """
    size = (round(CORNER_MM[0] * FLAT_PX_PER_MM), round(CORNER_MM[1] * FLAT_PX_PER_MM))
    rough = 1.0 if rng.random() < 0.7 else 2.2
    off = rng.normal(0, 0.35 * rough, 2)
    turn, grow, lean, wide = rng.normal(0, np.array((0.018, 0.022, 0.02, 0.03)) * rough)
    jitter = np.array([[1 + grow + wide, lean - turn, off[0]], [turn, 1 + grow, off[1]], [0, 0, 1]])
    flat_to_mm = np.array([[1 / FLAT_PX_PER_MM, 0, 0], [0, 1 / FLAT_PX_PER_MM, 0], [0, 0, 1]])
    whole = (np.vstack([to_px, [0, 0, 1]]) @ jitter @ flat_to_mm)[:2]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = np.asarray(cv2.warpAffine(taken, whole, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return flat, np.linalg.inv(jitter)[:2]
