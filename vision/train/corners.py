"""Card corners to learn from: printed, worn, covered, lit and photographed by our own code, then cut out again.

Nothing here comes from the renderer that draws the simulated room: its letters, suits, courts and felt are never
seen in training. A corner is what the reader's own `flatten` makes of one: `CORNER_MM` of a card, in flat pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.index import InkBox
from vision.cards.signs import NOTHING, RANKS, SUITS
from vision.train.neighbours import CARD_MM, Neighbours
from vision.train.printed import (
    PAGE_MM,
    PRINT_PX_PER_MM,
    Grey,
    Print,
    Rng,
    bare_paper,
    cover,
    hide,
    ink_of,
    round_corner,
    scribble,
    stamp,
)
from vision.train.shot import Corner, photographed
from vision.train.strokes import stroked
from vision.train.suits import cut_to_ink, formula_suit
from vision.train.typefaces import Face, lettering

SIGN_PX = 96
PENNED = 0.42  # of the ranks are drawn with our own pen
UNDER_ANOTHER = 0.24  # of the corners lie under another card's edge, or beside it
RANK_SHOWS = 0.75  # of those under another, at least the middle of their rank
SUIT_LETTERS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
OTHER_RANKS = "EFGHLMNPRUVWXY&+=%#"  # no letter that looks like a rank
OTHER_SUITS = "●■▲▼★XOVMTHUKEN"
WORDS = ("the", "straight", "flush", "river", "board", "dealer", "level", "ante", "100", "25", "POKER", "JOKER")


class CornerPrinter:
    """Prints corners with the given fonts; one for training and another, with other fonts, for the hold-out."""

    def __init__(self, fonts: list[Face], rng: Rng) -> None:
        self._fonts = fonts
        self._rng = rng
        self._families = _families(fonts)
        self._suit_fonts = [f for f in fonts if lettering(f, "♣") is not None]
        self._others = Neighbours(self._whole_card, rng, PRINT_PX_PER_MM)

    def corners(self) -> Iterator[Corner]:
        """Corners without end; their pictures are flat BGR."""
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
        if rng.random() < 0.05:  # an upside-down or mirrored corner is no sign
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
        nowhere = InkBox(0, 0, 1, 1, ())
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
