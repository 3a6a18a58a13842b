"""Reads cards: finds them, reads the index in both corners, and answers only when that is certain."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.classifiers import NO_INDEX, Classifiers
from vision.cards.corner import MODEL as CORNER_MODEL
from vision.cards.deck import DeckPrints
from vision.cards.find import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    PALE,
    Blob,
    Image,
    Quad,
    SearchRegion,
    cloth_of,
    find,
)
from vision.cards.index import FLAT_PX_PER_MM, flatten, paper_of
from vision.cards.inked import inked_corners
from vision.cards.joker import MODEL as JOKER_MODEL
from vision.cards.joker import JokerClassifier
from vision.cards.overlap import box_around, covered_mm2, guesses, least_cards, paper_share, shared
from vision.cards.seen import CardReading, Corners, FaceDown, Joker, Seen, Unread
from vision.cards.signs import MODEL
from vision.cards.visible import CardCorner, card_corners_in
from vision.cards.whole import MODEL as WHOLE_MODEL

CARD_MM2 = CARD_WIDTH_MM * CARD_HEIGHT_MM
BARE = 0.80  # of the paper's brightness in every channel
FACE_SHARE, BACK_SHARE = 0.55, 0.40  # of bare paper along the sides: a face has more, a back less
CELLS, PRINTED, MOST_PRINTED = (
    8,
    0.20,
    15,
)  # of each long side; print in a cell; printed cells of both sides: a back
SMALLEST_PILE = 0.75  # of a card
MOSTLY_PAPER, SOME_PAPER = 0.60, 0.05  # part of a pile that is paper: above it faces, below it no cards
LEFT_OVER = 0.30  # least part of a card in the rest of a pile for another card
TURNED = 0.40  # largest difference of a back from itself turned by 180°, by its contrast
MOST_SHARED = 0.45  # largest part of a back that others may cover
INDEX_AT_MM = (6.0, 13.0)  # from a card's corner
ONE_CARD = 0.9  # shared part of two cards at which no index of the lower card shows
SAME_INDEX_MM = 6.0  # least distance of two readable indices
LARGE_INDEX = 0.7  # by as much of that a large index is farther in


Thing = CardReading | Unread | FaceDown | Joker

Result = TypeVar("Result")
Parts = Generator[None, None, Result]  # work that may be interrupted where it yields


def finished(parts: Parts[Result]) -> Result:
    """What comes out of all the parts."""
    while True:
        try:
            next(parts)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


class CardReader:
    """Reads the cards of one region of a picture. Holds the trained networks; safe to share between threads."""

    def __init__(
        self,
        model: Path = MODEL,
        whole: Path = WHOLE_MODEL,
        corner: Path = CORNER_MODEL,
        deck: DeckPrints | None = None,
    ) -> None:
        """Raise `ModelError` when a trained file is missing or damaged. `deck` is the room's own, if known."""
        self._classifiers = Classifiers(model, whole, corner, deck)
        self._joker = JokerClassifier(JOKER_MODEL)

    def read(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Seen:
        """Read a crop (BGR) whose rim is bare cloth. Corners are pixels of the crop."""
        return finished(self.read_in_parts(crop, region, px_per_mm))

    def read_in_parts(self, crop: Image, region: SearchRegion, px_per_mm: float) -> Parts[Seen]:
        """The same, a card at a time: it yields before each, so that nobody waits for all of them."""
        things: list[Thing] = []
        clutter = 0.0
        cloth = cloth_of(crop, region)
        blue, green, red = (float(v) for v in cloth)
        blobs = find(crop, region, cloth, px_per_mm)
        if blobs is None:
            return Seen((), (), (), 1.0, (blue, green, red))
        for blob in blobs:
            if blob.quad is not None:
                yield
                things.append(self.look(crop, blob.quad))
            else:
                apart, rest_mm2 = yield from self._pile(crop, cloth, blob, px_per_mm, region.white)
                things += apart
                clutter += rest_mm2
        return Seen(
            tuple(thing for thing in things if isinstance(thing, CardReading)),
            tuple(thing for thing in things if isinstance(thing, Unread)),
            tuple(thing for thing in things if isinstance(thing, FaceDown)),
            min(1.0, clutter * px_per_mm**2 / region.area_px),
            (blue, green, red),
            tuple(thing for thing in things if isinstance(thing, Joker)),
        )

    def _pile(
        self, crop: Image, cloth: NDArray[np.float32], blob: Blob, px_per_mm: float, white: bool
    ) -> Parts[tuple[list[Thing], float]]:
        """The cards of a blob that is not one card lying free, and how much of it (mm²) is no card."""
        things, rest_mm2 = yield from self._pile_apart(crop, cloth, blob, px_per_mm, white)
        backs = [thing for thing in things if isinstance(thing, FaceDown)]
        if not backs or len(backs) < len(things):
            return things, rest_mm2
        seen = least_cards(blob.outline, guesses(blob.outline, px_per_mm), px_per_mm)
        least = 0
        for guess in seen:
            yield
            least += isinstance(self.look(crop, guess.quad), FaceDown)
        hidden = max(0, least - sum(back.cards for back in backs))
        return [*backs[:-1], replace(backs[-1], cards=backs[-1].cards + hidden)], rest_mm2

    def _pile_apart(
        self, crop: Image, cloth: NDArray[np.float32], blob: Blob, px_per_mm: float, white: bool
    ) -> Parts[tuple[list[Thing], float]]:
        """The same, by what was told apart and how much is left over."""
        if blob.area_mm2 < SMALLEST_PILE * CARD_MM2:
            return [], blob.area_mm2  # chips, a crumb, a finger
        paper = paper_share(crop, cloth, blob.outline, white)
        if paper < SOME_PAPER:
            return [], blob.area_mm2
        apart = yield from self._taken_apart(crop, blob, px_per_mm)
        left_over = blob.area_mm2 - covered_mm2([thing.corners for thing in apart], px_per_mm)
        if left_over < LEFT_OVER * CARD_MM2:
            return apart, 0.0
        more = max(1, round(left_over / CARD_MM2))
        around = box_around(blob.outline)
        if paper > MOSTLY_PAPER:
            why = "cards on top of each other, or something in front of them"
            return [*apart, *([Unread(around, why)] * more)], 0.0
        if any(isinstance(thing, FaceDown) for thing in apart):
            return [*apart, FaceDown(around, more)], 0.0
        return apart, left_over

    def _taken_apart(self, crop: Image, blob: Blob, px_per_mm: float) -> Parts[list[Thing]]:
        """Cards of a pile that can be told from each other: faces that were read, and whole backs."""
        found: list[CardReading] = []
        leaning: list[CardReading] = []
        backs: list[FaceDown] = []
        for guess in guesses(blob.outline, px_per_mm):
            yield
            seen = self.look(crop, guess.quad)
            if isinstance(seen, CardReading) and all(seen.card != other.card for other in found):
                found.append(seen)
            elif isinstance(seen, Unread) and seen.leaning:
                leaning.append(_as_reading(seen.leaning, seen.corners, (0, 1)))
            elif isinstance(seen, FaceDown) and _same_both_ways(flatten(crop, guess.quad)):
                backs.append(seen)
        covered, more = self._half_covered(crop, blob, px_per_mm, found)
        found += covered
        found = _of_one_suit(found, leaning + more, SAME_INDEX_MM * px_per_mm)
        things: list[Thing] = list(_not_contradicted(found, SAME_INDEX_MM * px_per_mm))
        for back in backs:
            if all(shared(back.corners, other.corners) < MOST_SHARED for other in things):
                things.append(back)
        return things

    def _half_covered(
        self, crop: Image, blob: Blob, px_per_mm: float, known: list[CardReading]
    ) -> tuple[list[CardReading], list[CardReading]]:
        """Cards of a pile of which only an index shows, where none was read yet; and what others lean to."""
        left, top, width, height = cv2.boundingRect(blob.outline)
        here = np.array((left, top), np.float32)
        part = np.ascontiguousarray(crop[top : top + height, left : left + width])
        whole = [np.asarray(card.corners, np.float32) - here for card in known if len(card.indices) == 2]
        corners = card_corners_in(blob.outline, px_per_mm)
        corners += [corner.moved(left, top) for corner in inked_corners(part, px_per_mm, whole)]
        read = [place for card in known for place in card.indices]
        return self._peeked(crop, [c for c in corners if not near_any(c, px_per_mm, read)], px_per_mm)

    def look(self, crop: Image, quad: Quad) -> Thing:
        """What lies in a quad, taken for one card. Corners are pixels of the crop."""
        flat = flatten(crop, quad)
        paper = paper_of(flat)
        corners = _points(quad)
        cells = _bare_cells(flat, paper)
        bare = float(cells.mean())
        pale = _is_pale(paper)
        if (bare <= BACK_SHARE or not pale) and not self._classifiers.glimpsed(flat, paper):
            return (
                FaceDown(corners) if bare <= BACK_SHARE else Unread(corners, "neither clearly a face nor a back")
            )
        px_per_mm = float(np.sqrt(cv2.contourArea(quad) / CARD_MM2))
        verdict = self._classifiers.face(flat, paper, pale and bare >= FACE_SHARE, px_per_mm)
        if verdict.why == NO_INDEX and int((cells < 1 - PRINTED).sum()) >= MOST_PRINTED:
            return FaceDown(corners)  # a pale pattern: a face has bare paper beside its index
        if verdict.card is None:
            joker = verdict.why == NO_INDEX and self._joker.sees(flat, paper)
            return Joker(corners) if joker else Unread(corners, verdict.why, verdict.leaning)
        return _as_reading(verdict.card, corners, verdict.corners, verdict.confidence)

    def leaning(self, crop: Image, quad: Quad) -> str:
        """The name that the classifiers lean to for a face they are not sure of; empty where they lean to none.

        `crop` is BGR; `quad` is (4, 2), in its pixels.
        """
        flat = flatten(crop, quad)
        px_per_mm = float(np.sqrt(cv2.contourArea(quad) / CARD_MM2))
        verdict = self._classifiers.face(flat, paper_of(flat), True, px_per_mm)
        return verdict.card or verdict.leaning

    def peek(self, image: Image, corners: Sequence[CardCorner], px_per_mm: float) -> list[CardReading]:
        """The cards that show one of these corners and perhaps nothing more; only what is certain.

        `image` is BGR; corners are in its pixels.
        """
        return self._peeked(image, corners, px_per_mm)[0]

    def _peeked(
        self, image: Image, corners: Sequence[CardCorner], px_per_mm: float
    ) -> tuple[list[CardReading], list[CardReading]]:
        """The same, and the cards that corners without a certain name lean to."""
        shown = [(corner, corner.flat(image, px_per_mm)) for corner in corners]
        pale = [(corner, flat, paper) for corner, flat in shown if _is_pale(paper := paper_of(flat))]
        verdicts = self._classifiers.corners([(flat, paper) for _, flat, paper in pale], px_per_mm)
        certain, leaning = [], []
        for (corner, _, _), verdict in zip(pale, verdicts, strict=True):
            if verdict.card:
                certain.append(_as_reading(verdict.card, corner.card(px_per_mm), (0,), verdict.confidence))
            elif verdict.leaning:
                leaning.append(_as_reading(verdict.leaning, corner.card(px_per_mm), (0,)))
        return certain, leaning


def _as_reading(name: str, corners: Corners, who: Sequence[int], confidence: float = 0.0) -> CardReading:
    """`who`: which of the card's two indices said so."""
    places = _index_places(corners)
    return CardReading(name, confidence, corners, tuple(places[i] for i in who))


def _is_pale(paper: NDArray[np.float32]) -> bool:
    return float(paper.max() - paper.min()) / float(paper.max()) < PALE


def _bare_cells(flat: Image, paper: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much of the two long sides, where indices stand, is bare paper: (2, CELLS), 0 to 1, downwards."""
    mm = FLAT_PX_PER_MM
    top, bottom = round(3.0 * mm), round((CARD_HEIGHT_MM - 3.0) * mm)
    left, right = round(2.5 * mm), round(13.0 * mm)
    least = tuple(float(v) for v in np.floor(BARE * paper) + 1)  # the next brighter than BARE of the paper
    bare = cv2.inRange(flat[top:bottom], least, (255.0, 255.0, 255.0)).astype(np.float32) / 255
    sides = (bare[:, left:right], bare[:, -right:-left])
    return np.stack([cv2.resize(side, (1, CELLS), interpolation=cv2.INTER_AREA)[:, 0] for side in sides])


def _same_both_ways(flat: Image) -> bool:
    """Whether a card looks the same turned round, as backs do and cards half covered do not."""
    small = cv2.resize(flat, (16, 22), interpolation=cv2.INTER_AREA).astype(np.float32)
    return float(np.abs(small - small[::-1, ::-1]).mean()) < TURNED * float(small.std())


def index_of(corner: CardCorner, px_per_mm: float) -> NDArray[np.float64]:
    """Where the index of a card's corner stands. The point is (2,), in pixels."""
    at = corner.at + (INDEX_AT_MM[0] * corner.right + INDEX_AT_MM[1] * corner.down) * px_per_mm
    return np.asarray(at, np.float64)


def near_any(corner: CardCorner, px_per_mm: float, places: Sequence[tuple[float, float]]) -> bool:
    """Whether the index of a card's corner stands at one of these places. Places are x, y in pixels."""
    x, y = index_of(corner, px_per_mm)
    return any(float(np.hypot(x - u, y - v)) < SAME_INDEX_MM * px_per_mm for u, v in places)


def _of_one_suit(
    readings: Sequence[CardReading], leaning: Sequence[CardReading], near: float
) -> list[CardReading]:
    """Those of which no other cut-out leans to the same rank in the other suit of that colour.

    In few pixels a spade may be a club in one corner of a card, or in one cut-out of it, and not in the next.
    """
    return [
        one
        for one in readings
        if not any(other.card == _mistaken(one.card) and same_index(one, other, near) for other in leaning)
    ]


def _mistaken(card: str) -> str:
    """The card that it is taken for in few pixels: a club for a spade, a heart for a diamond, and the reverse."""
    return card[0] + {"c": "s", "s": "c", "h": "d", "d": "h"}[card[1]]


def _not_contradicted(readings: Sequence[CardReading], near: float) -> list[CardReading]:
    """Each card once, and none whose index was read as another card's, too."""
    unique: list[CardReading] = []
    for reading in readings:
        others = [other for other in readings if other.card != reading.card]
        if any(same_index(reading, other, near) for other in others):
            continue
        if all(reading.card != other.card for other in unique):
            unique.append(reading)
    return unique


def same_index(one: CardReading, other: CardReading, near: float) -> bool:
    """Whether two readings name an index at one place, or one card by its two indices.

    The rank of a large index is farther in, where it may be another's turned round: a nine above a pip is a six.
    """
    for inward in (0.0, LARGE_INDEX * near):
        theirs = _ranks(other, inward)
        if any(math.dist(place, their) < near for place in _ranks(one, inward) for their in theirs):
            return True
    return min(shared(one.corners, other.corners), shared(other.corners, one.corners)) > ONE_CARD


def _ranks(reading: CardReading, inward: float) -> list[tuple[float, float]]:
    """Where a reading's ranks stand if they are so far `inward` of its indices' places. Points are in pixels."""
    x, y = (sum(v) / len(v) for v in zip(*reading.corners, strict=True))
    return [
        (u + by * (x - u), v + by * (y - v))
        for u, v in reading.indices
        for by in (inward / math.dist((x, y), (u, v)),)
    ]


def _index_places(corners: Corners) -> list[tuple[float, float]]:
    """Where the indices of a card stand, of the first corner and of the one across."""
    quad = np.array(corners)
    x, y = INDEX_AT_MM[0] / CARD_WIDTH_MM, INDEX_AT_MM[1] / CARD_HEIGHT_MM
    places = [quad[i] + x * (quad[j] - quad[i]) + y * (quad[k] - quad[i]) for i, j, k in ((0, 1, 3), (2, 3, 1))]
    return [(float(px), float(py)) for px, py in places]


def _points(quad: NDArray[np.float32]) -> Corners:
    return tuple((float(x), float(y)) for x, y in quad)
