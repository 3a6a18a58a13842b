"""Whole cards to learn from: pips in their places, aces, courts of chance shapes, and what is no whole card.

Drawn flat, as the reader flattens a card, then seen through what a camera does to it. Suits come from `suits`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.cards.index import FLAT_PX_PER_MM, FLAT_SIZE, paper_of
from vision.cards.signs import NOTHING, SUITS
from vision.cards.whole import COUNTS, COURT, Ink, glance
from vision.train.strokes import stroked
from vision.train.suits import formula_suit

Grey = NDArray[np.float32]
Rng = np.random.Generator

JUMBO = 0.4
# rows of the side columns, and of the middle one, from top (0) to bottom (1)
SIDES = {"4": (0, 1), "5": (0, 1), "6": (0, 0.5, 1), "7": (0, 0.5, 1), "8": (0, 0.5, 1)}
SIDES |= {"9": (0, 1 / 3, 2 / 3, 1), "T": (0, 1 / 3, 2 / 3, 1)}
MIDDLE = {
    "2": (0, 1),
    "3": (0, 0.5, 1),
    "5": (0.5,),
    "7": (0.25,),
    "8": (0.25, 0.75),
    "9": (0.5,),
    "T": (1 / 6, 5 / 6),
}


@dataclass(frozen=True)
class Face:
    """A card at a glance and how many pips it has: one of `COUNTS`, or `NOTHING` where that cannot be seen."""

    truth: str
    ink: Ink


def faces(rng: Rng) -> Iterator[Face]:
    """Cards without end."""
    while True:
        truth = COUNTS[rng.integers(len(COUNTS))]
        card = _drawn(truth, rng)
        if rng.random() < 0.22:
            truth, card = NOTHING, _spoilt(card, rng)
        shot = _photographed(card, rng)
        yield Face(truth, glance(shot, paper_of(shot)))


def _drawn(count: str, rng: Rng) -> Grey:
    """A flat card (BGR, 0 to 255)."""
    name = SUITS[rng.integers(4)]
    red = name in "dh"
    ink = np.array([rng.uniform(15, 75), rng.uniform(10, 60), rng.uniform(165, 235)] if red else [30, 30, 30])
    card = np.full((FLAT_SIZE[1], FLAT_SIZE[0], 3), rng.uniform((228, 236, 236), 255), np.float32)
    suit = formula_suit(name, rng)
    if count == COURT:
        _court(card, suit, ink, rng)
    elif count == "A":
        _ace(card, suit, ink, rng)
    else:
        _pips(card, count, suit, ink, rng)
    if rng.random() < 0.08:  # a line all round, as on decks for show
        inset, colour = rng.uniform(3, 11), tuple(float(v) for v in rng.uniform(0, 200, 3))
        far = _px(CARD_WIDTH_MM - inset, CARD_HEIGHT_MM - inset)
        cv2.rectangle(card, _px(inset, inset), far, colour, int(rng.integers(1, 3)))
    _index(card, count, suit, ink, rng)
    return card


def _pips(card: Grey, count: str, suit: Grey, ink: NDArray[np.float64], rng: Rng) -> None:
    jumbo = rng.random() < JUMBO  # a large index leaves little room: small pips close to the middle
    tall = rng.uniform(6.5, 12.0) if jumbo else rng.uniform(9.5, 17.0) * (0.85 if count in "9T" else 1.0)
    top = rng.uniform(max(9.0, tall / 2 + 3), 20.0)
    column = rng.uniform(18.0, 28.5 - tall / 4) if jumbo else rng.uniform(max(14.0, tall / 2 + 7), 23.0)
    middle, bottom = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM - top
    side_rows, middle_rows = SIDES.get(count, ()), MIDDLE.get(count, ())
    places = [(x, row) for row in side_rows for x in (column, CARD_WIDTH_MM - column)]
    places += [(middle, row) for row in middle_rows]
    for x, row in places:
        pip = suit if row <= 0.5 else np.ascontiguousarray(suit[::-1])
        _stamp(card, pip, x, top + row * (bottom - top), tall, ink)


def _ace(card: Grey, suit: Grey, ink: NDArray[np.float64], rng: Rng) -> None:
    tall = float(np.exp(rng.uniform(np.log(11), np.log(48))))
    _stamp(card, suit, CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2, tall, ink)
    if tall > 25 and rng.random() < 0.7:  # a maker's ornaments
        _stamp(card, suit, CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2, tall * rng.uniform(0.4, 0.75), np.full(3, 245.0))
        _stamp(card, suit, CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2, tall * rng.uniform(0.2, 0.38), ink)
        for y in rng.uniform(14, 75, 2):
            half = rng.uniform(8, 16)
            ends = [_px(CARD_WIDTH_MM / 2 - half, y), _px(CARD_WIDTH_MM / 2 + half, y)]
            cv2.line(card, ends[0], ends[1], (90, 90, 90), int(rng.integers(1, 5)))


def _court(card: Grey, suit: Grey, ink: NDArray[np.float64], rng: Rng) -> None:
    """A frame full of coloured shapes, the same turned round; pips of the suit in two of its corners.

    On some decks the figure is a small one in the middle, without a frame and without pips.
    """
    small = rng.random() < 0.25
    left, top = (
        (rng.uniform(14, 20), rng.uniform(16, 27)) if small else (rng.uniform(7.5, 14.0), rng.uniform(5.0, 11.0))
    )
    (x0, y0), (x1, y1) = _px(left, top), _px(CARD_WIDTH_MM - left, CARD_HEIGHT_MM - top)
    art = card[y0:y1, x0:x1].copy()
    height, width = art.shape[:2]
    palette = [rng.uniform(0, 255, 3) for _ in range(5)] + [
        np.array(c) for c in ((30, 200, 240), (40, 30, 200), (20, 20, 20))
    ]
    for _ in range(int(rng.integers(8, 30))):
        colour = tuple(float(v) for v in palette[rng.integers(len(palette))])
        at = rng.uniform(0.1, 0.9, 2) * (width, height)
        reach = rng.uniform(0.05, 0.35) * width
        points = (at + rng.normal(0, reach, (int(rng.integers(3, 6)), 2))).astype(np.int32)
        if rng.random() < 0.6:
            cv2.fillPoly(art, [points], colour)
        else:
            cv2.polylines(art, [points], False, colour, int(rng.integers(1, 4)))
    half = height // 2
    art[height - half :] = art[:half][::-1, ::-1]
    card[y0:y1, x0:x1] = art
    if small:
        return
    if rng.random() < 0.8:
        cv2.rectangle(card, (x0, y0), (x1, y1), tuple(float(v) for v in rng.uniform(0, 120, 3)), 1)
    tall = rng.uniform(8, 14)
    x, y = left + tall * 0.6, top + tall * 0.65
    _stamp(card, suit, x, y, tall, ink)
    _stamp(card, np.ascontiguousarray(suit[::-1]), CARD_WIDTH_MM - x, CARD_HEIGHT_MM - y, tall, ink)


def _index(card: Grey, count: str, suit: Grey, ink: NDArray[np.float64], rng: Rng) -> None:
    """The index of both corners; what of it reaches out of the blanked corners is a part of the picture."""
    rank = "JQK"[rng.integers(3)] if count == COURT else count
    tall = float(np.exp(rng.uniform(np.log(6), np.log(22))))
    x, top = rng.uniform(4.2, 6.5) + 0.1 * tall, rng.uniform(3, 6)
    sign = stroked(rank, rng)
    for _ in range(2):
        _stamp(card, sign, x, top + tall / 2, tall, ink)
        _stamp(card, suit, x, top + tall * 1.6, tall * 0.75, ink)
        card[:] = card[::-1, ::-1].copy()


def _spoilt(card: Grey, rng: Rng) -> Grey:
    """A card of which too much is covered or that is cut out askew."""
    height, width = card.shape[:2]
    choice = rng.random()
    if choice < 0.6:  # a second card, a hand, a chip over it
        other = _drawn(COUNTS[rng.integers(len(COUNTS))], rng) if rng.random() < 0.6 else None
        angle, scale = rng.uniform(0, 360), rng.uniform(0.9, 1.1)
        way = rng.uniform(0, 2 * np.pi)
        off = np.array([np.cos(way) * width, np.sin(way) * height]) * rng.uniform(0.25, 0.75)
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, scale)
        turn[:, 2] += off
        cover = other if other is not None else np.full_like(card, rng.uniform(20, 200, 3))
        drawn = cv2.warpAffine(cover, turn, (width, height))
        over = cv2.warpAffine(np.ones((height, width), np.float32), turn, (width, height))
        return np.asarray(np.where(over[..., None] > 0.5, drawn, card), np.float32)
    if choice < 0.85:  # half of one, half of another, or of the table
        shift = rng.uniform(0.2, 0.5) * np.array([width, height]) * rng.choice((-1, 1), 2)
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
        ground = tuple(float(v) for v in rng.uniform(30, 255, 3))
        return np.asarray(cv2.warpAffine(card, move, (width, height), borderValue=ground), np.float32)
    small = rng.uniform(120, 255, (int(rng.integers(3, 14)), int(rng.integers(3, 10)), 3)).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _photographed(card: Grey, rng: Rng) -> NDArray[np.uint8]:
    """The flat card as a camera and the reader's own flattening give it back."""
    height, width = card.shape[:2]
    scale = float(np.exp(rng.uniform(np.log(0.75), np.log(2.6)))) / FLAT_PX_PER_MM
    shot = np.asarray(cv2.resize(card, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.float32)
    shot = cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.2, 1.0))
    shot = shot * rng.uniform(0.3, 1.25) * rng.uniform([0.75, 0.9, 0.85], [1.05, 1.0, 1.05]).astype(np.float32)
    rows, columns = shot.shape[:2]
    slope = (
        1
        + rng.normal(0, 0.12) * np.linspace(-1, 1, rows)[:, None]
        + rng.normal(0, 0.12) * np.linspace(-1, 1, columns)
    )
    shot = shot * slope[..., None].astype(np.float32)
    shot = shot + rng.standard_normal(shot.shape, np.float32) * np.float32(rng.uniform(0.5, 7))
    taken = np.clip(shot, 0, 255).astype(np.uint8)
    off = rng.normal(0, 0.012, (4, 2)) * (columns, rows)
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform((corners + off).astype(np.float32), target)
    ground = tuple(float(v) for v in rng.uniform(20, 180, 3))
    flat = cv2.warpPerspective(taken, warp, (width, height), flags=cv2.INTER_CUBIC, borderValue=ground)
    return np.asarray(flat, np.uint8)


def _stamp(card: Grey, sign: Grey, x_mm: float, y_mm: float, tall_mm: float, ink: NDArray[np.float64]) -> None:
    """Print a sign with its middle at a place."""
    tall = max(4, round(tall_mm * FLAT_PX_PER_MM))
    wide = max(3, round(sign.shape[1] / sign.shape[0] * tall))
    small = cv2.resize(sign, (wide, tall), interpolation=cv2.INTER_AREA)
    left, top = round(x_mm * FLAT_PX_PER_MM - wide / 2), round(y_mm * FLAT_PX_PER_MM - tall / 2)
    x0, y0 = max(0, left), max(0, top)
    below = card[y0 : top + tall, x0 : left + wide]
    part = small[y0 - top : y0 - top + below.shape[0], x0 - left : x0 - left + below.shape[1], None]
    below[:] = below * (1 - part) + ink.astype(np.float32) * part


def _px(x_mm: float, y_mm: float) -> tuple[int, int]:
    return round(x_mm * FLAT_PX_PER_MM), round(y_mm * FLAT_PX_PER_MM)
