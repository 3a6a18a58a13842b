"""Reads a plain photo: no markers, no calibration, unknown table, camera and light.

Cards that lie alone are found by their shape; they give the size of a card, with which overlapping cards are
separated. Where no card lies alone, the size is guessed from the straight sides of the outline. The same card
comes out of several cuts of the picture: these candidates must not contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.candidates import (
    CARD_PX,
    COARSE,
    Candidate,
    agreed,
    confidence,
    index_places,
    is_whole,
    px_per_mm_of,
    same_place,
    seen_by,
    seen_of,
    size_of,
)
from vision.cards.deck import DeckPrints
from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Quad
from vision.cards.inked import inked_corners
from vision.cards.overlap import guesses, side_lengths
from vision.cards.paper import Paper, papers
from vision.cards.read import CardReader, index_of, near_any
from vision.cards.seen import CardReading, Seen
from vision.cards.slanted import cards_by_sides, from_above, is_slanted, outline_in
from vision.cards.visible import CardCorner, card_corners_in
from vision.pictures import at_most

READ_SIDE = 1920  # longer side in pixels to which a larger picture is reduced first
WELL_READ = 2.2  # px/mm above which reading does not improve
WORTH_A_LOOK, MOST_FINER = 1.35, 2.4  # least and largest enlargement for a second read
FIND_SIDE = 1280  # longer side in pixels of the picture in which things are found
LOOKS = 4  # most cut-outs of one thing that are read
PILE_AREA = (1.12, 12.0)  # area of a pile in cards; below it one card, above it a table
ON_PILE = 0.60  # visible part of a guessed card: other things may cover the rest
FEWEST_SIDES = 0.9
ON_TOP = 5  # places at most of the card on top of a pile, for one size or none
SIDES_ON_TOP = 1.7
VIEWS, OUTLINES = 4, 2  # most slanted piles that are rectified, and outlines of each
GUESSES = 16  # most guesses tried for a pile
RAGGED = 50.0  # perimeter² by area: about 16 for a card, 30 for a fan of four, hundreds for a carpet
PILES = 14  # most outlines that are taken apart
SIZES = 5  # most sizes that are tried where no card lies alone
CORNERS = 48  # most corners of half-covered cards that are read
SAME_CORNER_MM = 3.5
SAME_WAY_DEG = 15.0
LEAST_SHOWN = 0.2  # of a card
SAME_SHAPE_PX = 4
LARGER = (1.0, 0.87, 1.15)  # a half-covered card's size by that of the others
CARD_SHARES = (0.08, 0.105, 0.14, 0.185, 0.24, 0.32)  # a card's width by the picture's short side, as a guess


class PhotoReader:
    """Reads plain photos. Holds the trained networks; safe to share between threads."""

    def __init__(self, deck: DeckPrints | None = None) -> None:
        """Raise `ModelError` when the trained file is missing or damaged. `deck` is the one shown, if known."""
        self._reader = CardReader(deck=deck)

    def read(self, photo: Image) -> Seen:
        """Read a photo (BGR). Corners are its pixels; `clutter` and `cloth` mean nothing here and stay empty."""
        rough, rougher = at_most(photo, FIND_SIDE)
        found = papers(rough)
        seen, size = self._read_at(photo, READ_SIDE, found, rougher)
        finer = 2.0 if size is None else WELL_READ / size
        if max(photo.shape[:2]) > READ_SIDE and finer >= WORTH_A_LOOK:
            again, _ = self._read_at(photo, round(READ_SIDE * min(finer, MOST_FINER)), found, rougher)
            seen = agreed(seen, again)
        return seen

    def _read_at(self, photo: Image, side: int, rough: list[Paper], rougher: float) -> tuple[Seen, float | None]:
        """Read a photo made at most `side` pixels long; also how many of those a millimetre of a card has."""
        image, smaller = at_most(photo, side)
        found = [_grown(paper, smaller / rougher) for paper in rough]
        alone = self._alone(image, found)
        candidates = [look for group in alone for look in group]
        size = size_of(candidates)
        for outline in _piles([paper for paper in found if paper.quad is None], size):
            sizes = [size] if size else _sizes(outline)
            tries = [self._taken_apart(image, outline, px_per_mm) for px_per_mm in sizes]
            candidates += max(tries, key=_weight) if tries else []
        piles = _piles(_not_read(found, candidates), size)
        for outline in piles:
            candidates += self._on_top(image, outline, size)
        candidates += self._as_they_lie(image, piles, candidates)
        size = size or size_of(candidates)
        candidates += self._half_covered(
            image, found, size, [look for look in candidates if isinstance(look.thing, CardReading)]
        )
        size = size or size_of(candidates)
        return seen_of(candidates, size, 1 / smaller), size

    def _alone(self, image: Image, found: list[Paper]) -> list[list[Candidate]]:
        """Looks at what has a card's shape, those at the same place together."""
        groups: list[list[Quad]] = []
        for quad in (paper.quad for paper in found if paper.quad is not None):
            for group in groups:
                if same_place(quad, group[0]):
                    group.append(quad)
                    break
            else:
                groups.append([quad])
        return [self._candidates(image, group) for group in groups]

    def _candidates(self, image: Image, group: list[Quad]) -> list[Candidate]:
        """Some of the ways to see one thing, spread over its sizes."""
        ordered = sorted(group, key=lambda quad: float(cv2.contourArea(quad)))
        chosen = np.unique(np.linspace(0, len(ordered) - 1, min(LOOKS, len(ordered))).round().astype(int))
        return [Candidate(ordered[i], self._reader.look(image, ordered[i])) for i in chosen]

    def _taken_apart(self, image: Image, outline: NDArray[np.int32], px_per_mm: float) -> list[Candidate]:
        """Faces in a pile that were read; everything else about a pile is a guess and not told."""
        found = guesses(outline, px_per_mm, on_pile=ON_PILE, fewest_sides=FEWEST_SIDES)
        here = [guess.quad for guess in found if _in_picture(guess.quad, image)][:GUESSES]
        candidates = [Candidate(quad, self._reader.look(image, quad)) for quad in here]
        return [look for look in candidates if isinstance(look.thing, CardReading)]

    def _on_top(self, image: Image, outline: NDArray[np.int32], size: float | None) -> list[Candidate]:
        """The card on top of a pile, which shows whole, seen from straight above or at any slant."""
        quads = cards_by_sides(outline, ON_TOP)
        for px_per_mm in [size] if size else _sizes(outline):
            quads += [guess.quad for guess in guesses(outline, px_per_mm, fewest_sides=SIDES_ON_TOP)][:ON_TOP]
        candidates = [Candidate(quad, self._reader.look(image, quad)) for quad in quads]
        return [look for look in candidates if is_whole(look)]

    def _as_they_lie(
        self, image: Image, piles: list[NDArray[np.int32]], known: list[Candidate]
    ) -> list[Candidate]:
        """The other cards of piles at a slant, as a card of each that was read whole shows how they lie."""
        found: list[Candidate] = []
        for shown, outlines in _slanted(piles, known):
            px_per_mm = px_per_mm_of(shown.quad)
            view, size = from_above(shown.quad, px_per_mm)
            flat = np.asarray(cv2.warpPerspective(image, view, size, flags=cv2.INTER_CUBIC), np.uint8)
            there = [outline_in(view, outline, size) for outline in outlines]
            read = [seen_by(look, view) for look in known + found]
            candidates: list[Candidate] = []
            for outline in there:
                candidates += self._taken_apart(flat, outline, px_per_mm)
                places = index_places(read + candidates)
                corners = [c for c in card_corners_in(outline, px_per_mm) if not near_any(c, px_per_mm, places)]
                candidates += self._peeked(flat, corners, px_per_mm)
            candidates += self._by_print(flat, px_per_mm, read + candidates, there)
            back = np.asarray(np.linalg.inv(view), np.float64)
            found += [seen_by(look, back) for look in candidates]
        return found

    def _half_covered(
        self, image: Image, found: list[Paper], size: float | None, known: list[Candidate]
    ) -> list[Candidate]:
        """Cards told by one corner that shows, where no index was read yet."""
        guessed = [share * min(image.shape[:2]) / CARD_WIDTH_MM for share in CARD_SHARES]
        candidates: list[Candidate] = []
        for px_per_mm in [size] if size else guessed:
            corners = _lone_corners(found, px_per_mm, index_places(known + candidates))
            for factor in LARGER if size else LARGER[:1]:
                candidates += self._peeked(image, corners, px_per_mm * factor)
                read = index_places(candidates)
                corners = [corner for corner in corners if not near_any(corner, px_per_mm, read)]
        size = size or size_of(candidates)
        if size:
            candidates += self._by_print(image, size, known + candidates)
        return candidates

    def _by_print(
        self, image: Image, px_per_mm: float, known: list[Candidate], piles: list[NDArray[np.int32]] | None = None
    ) -> list[Candidate]:
        """Cards told by an index whose card's edges do not show, as in a fan; in these piles only, if given."""
        whole = [look.quad for look in known if is_whole(look)]
        coarse = 2.0 if px_per_mm < COARSE else 1.0  # print that touches comes apart in a larger picture
        larger = image if coarse == 1 else cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        signs = inked_corners(np.asarray(larger, np.uint8), px_per_mm * coarse, [quad * coarse for quad in whole])
        corners = [CardCorner(c.at / coarse, c.right, c.down) for c in signs]
        if piles is not None:
            corners = [c for c in corners if any(_holds(pile, index_of(c, px_per_mm)) for pile in piles)]
        read = index_places(known)
        return self._peeked(image, [c for c in corners if not near_any(c, px_per_mm, read)], px_per_mm)

    def _peeked(self, image: Image, corners: list[CardCorner], px_per_mm: float) -> list[Candidate]:
        readings = self._reader.peek(image, corners, px_per_mm)
        return [Candidate(np.asarray(reading.corners, np.float32), reading) for reading in readings]


def _not_read(found: list[Paper], candidates: list[Candidate]) -> list[Paper]:
    """Pale things without those that are one card and were read: two cards may lie so that they look like one."""
    read = [look.quad for look in candidates if is_whole(look)]
    return [
        paper for paper in found if paper.quad is None or not any(same_place(paper.quad, quad) for quad in read)
    ]


def _slanted(
    piles: list[NDArray[np.int32]], candidates: list[Candidate]
) -> list[tuple[Candidate, list[NDArray[np.int32]]]]:
    """Cards read whole and at a slant that lie in piles, each pile's surest, and outlines of those piles."""
    whole = [look for look in candidates if is_whole(look)]
    found: list[tuple[Candidate, list[NDArray[np.int32]]]] = []
    for outline in piles:
        here = [look for look in whole if _holds(outline, look.quad.mean(axis=0))]
        if not here:
            continue
        shown = max(here, key=confidence)
        known = next((outlines for other, outlines in found if same_place(shown.quad, other.quad)), None)
        if known is None:
            if is_slanted(shown.quad) and len(found) < VIEWS:
                found.append((shown, [outline]))
        elif len(known) < OUTLINES:
            known.append(outline)
    return found


def _holds(outline: NDArray[np.int32], point: NDArray[np.floating[Any]]) -> bool:
    return cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), False) > 0


def _lone_corners(found: list[Paper], px_per_mm: float, read: list[tuple[float, float]]) -> list[CardCorner]:
    """Square corners of pale outlines where no index was read yet, those first that most cuts show."""
    near = SAME_CORNER_MM * px_per_mm
    least = LEAST_SHOWN * CARD_PX * px_per_mm**2
    clusters: dict[tuple[int, int, int], list[CardCorner]] = {}
    for paper in _each_shape_once(found):
        if paper.area < least or cv2.arcLength(paper.outline, True) ** 2 > RAGGED * paper.area:
            continue
        for corner in card_corners_in(paper.outline, px_per_mm):
            x, y = (int(v) for v in corner.at // near)
            turn = round(float(np.degrees(np.arctan2(corner.down[1], corner.down[0]))) / SAME_WAY_DEG)
            clusters.setdefault((x, y, turn), []).append(corner)
    chosen: list[CardCorner] = []
    for cluster in sorted(clusters.values(), key=lambda each: -len(each)):
        corner = _middle(cluster)
        if not near_any(corner, px_per_mm, read) and not any(
            _same_corner(corner, other, near) for other in chosen
        ):
            chosen.append(corner)
        if len(chosen) == CORNERS:
            break
    return chosen


def _each_shape_once(found: list[Paper]) -> list[Paper]:
    """Of outlines that are almost the same one each: most cuts show a thing alike."""
    shapes: dict[tuple[int, ...], Paper] = {}
    for paper in found:
        box = cv2.boundingRect(paper.outline)
        shapes.setdefault((*(v // SAME_SHAPE_PX for v in box), int(paper.area) // SAME_SHAPE_PX**3), paper)
    return list(shapes.values())


def _same_corner(one: CardCorner, other: CardCorner, near: float) -> bool:
    return float(np.abs(one.at - other.at).max()) < near and float(one.down @ other.down) > 0.97


def _middle(cluster: list[CardCorner]) -> CardCorner:
    """The corner in the middle of several ways to see one."""
    at, right, down = (
        np.median([getattr(corner, part) for corner in cluster], axis=0) for part in ("at", "right", "down")
    )
    return CardCorner(at, right / np.linalg.norm(right), down / np.linalg.norm(down))


def _in_picture(quad: Quad, image: Image) -> bool:
    height, width = image.shape[:2]
    slack = 0.12 * float(np.linalg.norm(quad[1] - quad[0]))
    return bool((quad > -slack).all() and (quad < (width + slack, height + slack)).all())


def _weight(candidates: Iterable[Candidate]) -> float:
    """How much speaks for a size: two indices that agree on one card do more than one alone."""
    return sum(len(look.thing.indices) ** 2 for look in candidates if isinstance(look.thing, CardReading))


def _grown(paper: Paper, by: float) -> Paper:
    """The same thing in pixels of a picture `by` times as large."""
    if by == 1:
        return paper
    quad = None if paper.quad is None else ((paper.quad + 0.5) * by - 0.5).astype(np.float32)
    outline = np.round((paper.outline + 0.5) * by - 0.5).astype(np.int32)
    return Paper(outline, paper.area * by * by, quad)


def _piles(found: list[Paper], size: float | None) -> list[NDArray[np.int32]]:
    """Outlines that may be several cards together, each once, the most solid first."""
    chosen: list[tuple[float, Paper, tuple[int, ...]]] = []
    for paper in found:
        if size and not PILE_AREA[0] < paper.area / (size * size * CARD_PX) < PILE_AREA[1]:
            continue
        if cv2.arcLength(paper.outline, True) ** 2 > RAGGED * paper.area:
            continue
        solid = paper.area / max(1.0, float(cv2.contourArea(cv2.convexHull(paper.outline))))
        box = cv2.boundingRect(paper.outline)
        if solid > 0.55 and not any(
            _alike(box, other[2]) and paper.area < 1.04 * other[1].area for other in chosen
        ):
            chosen.append((solid, paper, box))
    chosen.sort(key=lambda each: -each[0])
    return [paper.outline for _, paper, _ in chosen[:PILES]]


def _alike(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    slack = 0.02 * max(one[2], one[3]) + 1
    return all(abs(a - b) <= slack for a, b in zip(one, other, strict=True))


def _sizes(outline: NDArray[np.int32]) -> list[float]:
    """What pixels to the millimetre may be, when the longest straight sides of an outline are a card's sides."""
    sizes: list[float] = []
    for length in side_lengths(outline):
        for side_mm in (CARD_HEIGHT_MM, CARD_WIDTH_MM):
            size = length / side_mm
            if size > 0.4 and all(abs(size / other - 1) > 0.04 for other in sizes):
                sizes.append(size)
    return sizes[:SIZES]
