"""Reads cards: finds them, reads the index in both corners, and answers only when that is certain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Blob, Image, Place, Quad, cloth_of, find
from vision.cards.heap import box_around, covered_mm2, guesses, paper_share, shared
from vision.cards.index import FLAT_PX_PER_MM, THRESHOLDS, Glyph, Index, all_indices, flatten, paper_of
from vision.cards.seen import Corners, FaceDown, Reading, Seen, Unread
from vision.cards.signs import MODEL, NOTHING, RANKS, SUITS, Signs, features, vote
from vision.cards.whole import MODEL as WHOLE_MODEL
from vision.cards.whole import Whole, fits

CARD_MM2 = CARD_WIDTH_MM * CARD_HEIGHT_MM
RED, BLACK = 0.40, 0.22  # redness of a suit's print: at least this is red, at most that is black
RANK_RED, RANK_BLACK = 0.14, 0.22  # a rank's thin strokes lose their colour in a coded picture, but not all of it
PALE = 0.30  # a card's paper has less saturation than this
BARE = 0.80  # of the paper's brightness in every channel
FACE_SHARE, BACK_SHARE = 0.55, 0.40  # of bare paper along the sides: a face has more, a back less
SMALLEST_HEAP = 0.75  # of a card
MOSTLY_PAPER, SOME_PAPER = 0.60, 0.05  # of a heap: faces are more, things without cards are less
LEFT_OVER = 0.30  # of a card: less of a heap is not another card
TURNED = 0.40  # how unlike itself turned round, by its own contrast, a back may be
MOST_SHARED = 0.45  # of a back's place that others may cover
INDEX_AT_MM = (6.0, 13.0)  # from a card's corner
MOST_THRESHOLDS = len(THRESHOLDS) + 1
AGREED = 0.80  # how sure two corners must be that agree with the whole card
CLEARLY = 0.5  # a corner that says something else at least this clearly contradicts


Thing = Reading | Unread | FaceDown


@dataclass(frozen=True)
class _Corner:
    """What one corner says: its best way to be read."""

    rank: str
    suit: str
    confidence: float
    red: bool | None  # None: neither clearly red nor clearly black

    @property
    def card(self) -> str:
        return self.rank + self.suit

    @property
    def speaks(self) -> bool:
        return NOTHING not in self.card and self.confidence >= CLEARLY

    @property
    def colour_fits(self) -> bool:
        return self.red is not None and self.red == (self.suit in "dh")


class CardReader:
    """Reads the cards of one place in a picture. Holds the trained networks; safe to share between threads."""

    def __init__(self, model: Path = MODEL, whole: Path = WHOLE_MODEL) -> None:
        """Raise `ModelError` when a trained file is missing or damaged."""
        self._signs = Signs.load(model)
        self._whole = Whole.load(whole)

    def read(self, crop: Image, place: Place, px_per_mm: float) -> Seen:
        """Read a crop (BGR) whose rim is bare cloth. Corners are pixels of the crop."""
        things: list[Thing] = []
        clutter = 0.0
        cloth = cloth_of(crop, place)
        for blob in find(crop, place, cloth, px_per_mm):
            if blob.quad is not None:
                things.append(self.look(crop, blob.quad))
            else:
                apart, rest_mm2 = self._heap(crop, cloth, blob, px_per_mm)
                things += apart
                clutter += rest_mm2
        blue, green, red = (float(v) for v in cloth)
        return Seen(
            tuple(thing for thing in things if isinstance(thing, Reading)),
            tuple(thing for thing in things if isinstance(thing, Unread)),
            tuple(thing for thing in things if isinstance(thing, FaceDown)),
            min(1.0, clutter * px_per_mm**2 / place.area_px),
            (blue, green, red),
        )

    def _heap(
        self, crop: Image, cloth: NDArray[np.float32], blob: Blob, px_per_mm: float
    ) -> tuple[list[Thing], float]:
        """The cards of a blob that is not one card lying free, and how much of it (mm²) is no card."""
        if blob.area_mm2 < SMALLEST_HEAP * CARD_MM2:
            return [], blob.area_mm2  # chips, a crumb, a finger
        paper = paper_share(crop, cloth, blob.outline)
        if paper < SOME_PAPER:
            return [], blob.area_mm2
        apart = self._taken_apart(crop, blob, px_per_mm)
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

    def _taken_apart(self, crop: Image, blob: Blob, px_per_mm: float) -> list[Thing]:
        """Cards of a heap that can be told from each other: faces that were read, and whole backs."""
        found: list[Thing] = []
        backs: list[FaceDown] = []
        for guess in guesses(blob.outline, px_per_mm):
            seen = self.look(crop, guess.quad)
            if isinstance(seen, Reading) and all(seen.card != _name(other) for other in found):
                found.append(seen)
            elif isinstance(seen, FaceDown) and _same_both_ways(flatten(crop, guess.quad)):
                backs.append(seen)
        for back in backs:
            if all(shared(back.corners, other.corners) < MOST_SHARED for other in found):
                found.append(back)
        return found

    def look(self, crop: Image, quad: Quad) -> Reading | Unread | FaceDown:
        """What lies in a quad, taken for one card. Corners are pixels of the crop."""
        flat = flatten(crop, quad)
        paper = paper_of(flat)
        corners = _points(quad)
        bare = _bare_share(flat, paper)
        pale = float(paper.max() - paper.min()) / float(paper.max()) < PALE
        if bare <= BACK_SHARE:
            return FaceDown(corners)
        if not pale:
            return Unread(corners, "neither clearly a face nor a back")
        return self._face(flat, paper, corners, bare >= FACE_SHARE)

    def _face(self, flat: Image, paper: NDArray[np.float32], corners: Corners, plain: bool) -> Reading | Unread:
        """Read a face; one that is not `plain`, because light or dirt lies over it, must be very sure."""
        turned = np.ascontiguousarray(flat[::-1, ::-1])
        said = self._hear([all_indices(flat, paper), all_indices(turned, paper)])
        heard = [corner for corner in said if corner is not None and corner.speaks]
        if not heard:
            return Unread(corners, "no index that can be read")
        if len({corner.card for corner in heard}) > 1:
            return Unread(corners, "the two corners differ")
        if not all(corner.colour_fits for corner in heard):
            return Unread(corners, "colour and suit do not fit")
        count = self._whole.count(flat, paper)
        if count is not None and not fits(heard[0].rank, count):
            return Unread(corners, "the corner and the whole card differ")
        needed = self._needed(len(heard), count is not None) if plain else self._signs.very_sure
        if min(corner.confidence for corner in heard) < needed:
            return Unread(corners, "not sure enough")
        places = [
            place for place, c in zip(_index_places(corners), said, strict=True) if c is not None and c.speaks
        ]
        return Reading(heard[0].card, min(corner.confidence for corner in heard), corners, tuple(places))

    def _needed(self, corners: int, counted: bool) -> float:
        """How sure corners must be: voices that agree may each be less sure than one that is alone."""
        if corners == 2:
            return AGREED if counted else self._signs.sure
        return self._signs.sure if counted else self._signs.very_sure

    def _hear(self, corners: list[Iterator[list[Index]]]) -> list[_Corner | None]:
        """What each corner says; one that says nothing surely is looked at again with another threshold."""
        said: list[_Corner | None] = [None for _ in corners]
        for _ in range(MOST_THRESHOLDS):
            asked = [i for i, corner in enumerate(said) if corner is None or corner.confidence < self._signs.sure]
            shown = [(i, next(corners[i], [])) for i in asked]
            for (i, _), heard in zip(shown, self._say([ways for _, ways in shown]), strict=True):
                said[i] = _surer(said[i], heard)
            if not any(ways for _, ways in shown):
                break
        return said

    def _say(self, corners: list[list[Index]]) -> list[_Corner | None]:
        """The best way of each corner; all signs of a card go through the networks at once."""
        flat_ways = [way for corner in corners for way in corner]
        if not flat_ways:
            return [None for _ in corners]
        ranks = vote(self._signs.rank, _batch([way.rank for way in flat_ways]))
        suits = vote(self._signs.suit, _batch([way.suit for way in flat_ways]))
        said: list[_Corner | None] = []
        at = 0
        for corner in corners:
            here = range(at, at + len(corner))
            at += len(corner)
            each = [_corner(flat_ways[i], ranks[i], suits[i]) for i in here]
            named = [c for c in each if NOTHING not in c.card] or each
            said.append(max(named, key=lambda c: c.confidence, default=None))
        return said


def _surer(one: _Corner | None, other: _Corner | None) -> _Corner | None:
    """The surer of two looks at a corner, and no surer than the other lets it be."""
    if one is None or other is None:
        return one or other
    named = [corner for corner in (one, other) if NOTHING not in corner.card] or [one, other]
    best = max(named, key=lambda corner: corner.confidence)
    if len(named) == 2 and one.card != other.card:
        return replace(best, confidence=min(best.confidence, 1 - min(one.confidence, other.confidence)))
    return best


def _batch(glyphs: list[Glyph]) -> NDArray[np.float32]:
    ink = np.stack([g.ink for g in glyphs])
    return features(ink, np.array([g.aspect for g in glyphs], np.float32))


def _corner(way: Index, rank: NDArray[np.float32], suit: NDArray[np.float32]) -> _Corner:
    r, s = int(rank.argmax()), int(suit.argmax())
    return _Corner(
        (RANKS + NOTHING)[r],
        (SUITS + NOTHING)[s],
        float(min(rank[r], suit[s])),
        _red(way.rank.redness, way.suit.redness),
    )


def _red(rank: float, suit: float) -> bool | None:
    """What the suit's colour says, when the rank's does not contradict it."""
    if suit >= RED:
        return True if rank >= RANK_RED else None
    return False if suit <= BLACK and rank <= RANK_BLACK else None


def _bare_share(flat: Image, paper: NDArray[np.float32]) -> float:
    """How much of the two long sides, where indices stand, is bare paper."""
    mm = FLAT_PX_PER_MM
    top, bottom = round(3.0 * mm), round((CARD_HEIGHT_MM - 3.0) * mm)
    left, right = round(2.5 * mm), round(13.0 * mm)
    sides = np.hstack([flat[top:bottom, left:right], flat[top:bottom, -right:-left]])
    return float((sides > BARE * paper).all(axis=2).mean())


def _same_both_ways(flat: Image) -> bool:
    """Whether a card looks the same turned round, as backs do and cards half covered do not."""
    small = cv2.resize(flat, (16, 22), interpolation=cv2.INTER_AREA).astype(np.float32)
    return float(np.abs(small - small[::-1, ::-1]).mean()) < TURNED * float(small.std())


def _name(thing: Thing) -> str | None:
    return thing.card if isinstance(thing, Reading) else None


def _index_places(corners: Corners) -> list[tuple[float, float]]:
    """Where the indices of a card stand, of the first corner and of the one across."""
    quad = np.array(corners)
    x, y = INDEX_AT_MM[0] / CARD_WIDTH_MM, INDEX_AT_MM[1] / CARD_HEIGHT_MM
    places = [quad[i] + x * (quad[j] - quad[i]) + y * (quad[k] - quad[i]) for i, j, k in ((0, 1, 3), (2, 3, 1))]
    return [(float(px), float(py)) for px, py in places]


def _points(quad: NDArray[np.float32]) -> Corners:
    return tuple((float(x), float(y)) for x, y in quad)
