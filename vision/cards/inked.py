"""Finds indices by their print: a rank and a suit below it on pale paper, without the card's edges.

In a fan or among overlapping cards an edge is white on white and no outline shows its corner. Two small pieces of
print, one below the other, of the size of an index, give the position and orientation of a possible index. Most
such pairs are pips, art or letters: the caller must read the card's own signs before believing one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import PALE, Image, Quad
from vision.cards.visible import CardCorner

INKED = (0.30, 0.55)  # part of the paper's light that print absorbs: thresholds for pale and for smeared print
FINE_MM = 1.3  # thinner print is also removed once: lines of a court's frame join what they touch
PAPER_MM = 9.0  # distance around print in which its paper is searched
DIM_PAPER = 0.35  # least brightness of paper, as a part of the picture's brightest
LEAST_MM, MOST_MM = 2.2, 24.0  # size of a sign; the largest is a jumbo deck's rank
APART_MM = (4.0, 26.0)  # distance from the middle of a rank to the middle of its suit
SAME_MM, SAME_WAY = 1.5, 0.99  # distance and direction by which two thresholds agree on a corner
UNEVEN = 2.6  # largest ratio of the sizes of rank and suit
BESIDE = 1.0  # largest distance of the two figures of a ten, by their size
RANK_MM = (6.4, 4.0)  # from the card's corner: across to the middle of a rank, down to its top
TALL_MM, FARTHER = 10.0, 0.33  # taller ranks are farther from the card's side, by this part of the excess
MOST_SIGNS = 260
NEIGHBOURS = 4

Points = NDArray[np.float64]


@dataclass(frozen=True)
class _Sign:
    middle: Points
    size: float  # pixels: the longer side of its smallest box
    area: float


def inked_corners(image: Image, px_per_mm: float, known: Sequence[Quad] = ()) -> list[CardCorner]:
    """Where a card's corner would be if two signs are its rank and suit; a pair is tried both ways up.

    Print within the `known` cards is left out. `image` is BGR; `known` quads and the corners found are in its
    pixels.
    """
    found: list[CardCorner] = []
    for signs in _signs(image, px_per_mm, known):
        before = np.array([corner.at for corner in found]).reshape(-1, 2)
        ways = np.array([corner.down for corner in found]).reshape(-1, 2)
        for corner in _pairs(signs, px_per_mm):
            near = np.abs(before - corner.at).max(axis=1) < SAME_MM * px_per_mm
            if not (near & (ways @ corner.down > SAME_WAY)).any():
                found.append(corner)
    return found


def _pairs(signs: Sequence[_Sign], px_per_mm: float) -> Iterator[CardCorner]:
    """The corner that each two signs would have which may be a rank and its suit."""
    middles = np.array([sign.middle for sign in signs])
    for rank in signs:
        away = np.hypot(*(middles - rank.middle).T)
        near = np.argsort(away)[1 : 1 + NEIGHBOURS]
        for j in near:
            suit = signs[int(j)]
            if not APART_MM[0] <= away[j] / px_per_mm <= APART_MM[1]:
                continue
            if max(rank.size, suit.size) > UNEVEN * min(rank.size, suit.size) or away[j] < 0.5 * rank.size:
                continue
            yield _corner(rank.middle, suit.middle, rank.size, px_per_mm)
            for k in near:
                if k != j and away[k] < BESIDE * rank.size and signs[int(k)].size < 1.3 * rank.size:
                    yield _corner((rank.middle + signs[int(k)].middle) / 2, suit.middle, rank.size, px_per_mm)


def _corner(rank: Points, suit: Points, tall: float, px_per_mm: float) -> CardCorner:
    down = (suit - rank) / max(1e-6, float(np.linalg.norm(suit - rank)))
    right = np.array([down[1], -down[0]])
    across = RANK_MM[0] * px_per_mm + FARTHER * max(0.0, tall - TALL_MM * px_per_mm)
    at = rank - across * right - (RANK_MM[1] * px_per_mm + tall / 2) * down
    return CardCorner(at, right, down)


def _signs(image: Image, px_per_mm: float, known: Sequence[Quad]) -> Iterator[list[_Sign]]:
    """Small pieces of print on bright paper, the largest first, for each of the ways to tell print from paper."""
    least = np.asarray(image.min(axis=2), np.uint8)
    reach = max(3, round(PAPER_MM * px_per_mm) | 1)
    paper = cv2.dilate(cv2.blur(least, (3, 3)), np.ones((reach, reach), np.uint8))
    bright = paper > DIM_PAPER * float(np.percentile(paper[::4, ::4], 98))
    for quad in known:
        cv2.fillConvexPoly(least, np.round(quad).astype(np.int32), 255)
    pale, smeared = (((least < (1 - inked) * paper) & bright).astype(np.uint8) for inked in INKED)
    fine = round(FINE_MM * px_per_mm) + 1
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (fine, fine))
    thick = np.asarray(cv2.morphologyEx(pale, cv2.MORPH_OPEN, brush), np.uint8)
    for printed in (pale, smeared, thick):
        yield _most_likely(_pieces(printed, px_per_mm), image, paper, reach)


def _most_likely(signs: list[_Sign], image: Image, paper: NDArray[np.uint8], reach: int) -> list[_Sign]:
    """The largest `MOST_SIGNS`; of too many those on paper as grey as a card's: a wooden floor has thousands."""
    if len(signs) > MOST_SIGNS:
        lightest = cv2.dilate(cv2.blur(np.asarray(image.max(axis=2)), (3, 3)), np.ones((reach, reach), np.uint8))
        rows, columns = np.array([sign.middle[::-1] for sign in signs]).round().astype(int).T
        grey = paper[rows, columns] > (1 - PALE) * lightest[rows, columns]
        signs = [sign for sign, on_paper in zip(signs, grey, strict=True) if on_paper]
    return signs[:MOST_SIGNS]


def _pieces(mask: NDArray[np.uint8], px_per_mm: float) -> list[_Sign]:
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found = []
    for i in range(1, count):
        width, height, area = (int(v) for v in stats[i][2:5])
        size = float(max(width, height))
        if LEAST_MM <= size / px_per_mm <= MOST_MM and area > 1.2 * px_per_mm**2:
            found.append(_Sign(np.asarray(middles[i], np.float64), size, float(area)))
    return sorted(found, key=lambda sign: -sign.area)
