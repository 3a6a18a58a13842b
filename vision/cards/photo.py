"""Reads a plain photo: no markers, no calibration, nothing known about the table, the camera or the light.

Cards that lie alone are found by their shape; they tell how large a card is here, and with that size heaps are
taken apart. Where no card lies alone, the size is guessed from the straight sides of the heap itself. The same
card comes out of several cuts of the picture: those are looks of their own, and they must not contradict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.deck import Deck
from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Quad
from vision.cards.heap import guesses, shared, side_lengths
from vision.cards.inked import inked_corners
from vision.cards.papers import Paper, papers
from vision.cards.read import SAME_INDEX_MM, CardReader, Thing, near_any, same_index
from vision.cards.seen import FaceDown, Joker, Reading, Seen, Unread
from vision.cards.signs import MODEL
from vision.cards.visible import CardCorner, card_corners_in
from vision.cards.voices import VOICES_DIFFER

READ_SIDE = 1920  # a larger picture is made smaller first, in pixels of its longer side
WELL_READ = 2.2  # px/mm: a card that is finer is read no better
WORTH_A_LOOK, MOST_FINER = 1.35, 2.4  # by how much finer a larger picture is looked at again
FIND_SIDE = 1280  # and things are found in one of at most this
LOOKS = 4  # at most so many of the ways in which one thing was cut out are looked at
SAME_PLACE = 0.60  # of a card is shared by two ways to cut out one thing
TOUCHING = 0.04  # of a card: two cuts that share as much may be one card
LIKE_THE_OTHERS = (0.70, 1.40)  # a card's side by that of the others: perspective allows for as much
HEAP_AREA = (1.12, 12.0)  # a heap's, in cards; fewer is one card, more is a table
ON_HEAP = 0.60  # of a guessed card: things that are no cards may lie on the rest
FEWEST_SIDES = 0.9
GUESSES = 16  # of a heap that are looked at
RAGGED = 50.0  # perimeter² by area: a card has 16, a fan of four 30, a carpet hundreds
HEAPS = 14  # at most so many outlines are taken apart
SIZES = 5  # at most so many sizes are guessed where no card lies alone
CARD_PX = CARD_WIDTH_MM * CARD_HEIGHT_MM
CORNERS = 48  # at most so many corners of cards that may be half covered are looked at
SAME_CORNER_MM = 3.5
SAME_WAY_DEG = 15.0
LEAST_SHOWN = 0.2  # of a card
SAME_SHAPE_PX = 4
COARSE = 1.6  # px/mm
LARGER = (1.0, 0.87, 1.15)  # a half-covered card's size by that of the others
CARD_SHARES = (0.08, 0.105, 0.14, 0.185, 0.24, 0.32)  # a card's width by the picture's short side, as a guess


@dataclass(frozen=True)
class _Look:
    quad: Quad
    thing: Thing


class PhotoReader:
    """Reads plain photos. Holds the trained networks; safe to share between threads."""

    def __init__(self, model: Path = MODEL, deck: Deck | None = None) -> None:
        """Raise `ModelError` when the trained file is missing or damaged. `deck` is the one shown, if known."""
        self._reader = CardReader(model, deck=deck)

    def read(self, photo: Image) -> Seen:
        """Read a photo (BGR). Corners are its pixels; `clutter` and `cloth` mean nothing here and stay empty."""
        rough, rougher = _at_most(photo, FIND_SIDE)
        found = papers(rough)
        seen, size = self._read_at(photo, READ_SIDE, found, rougher)
        finer = 2.0 if size is None else WELL_READ / size
        if max(photo.shape[:2]) > READ_SIDE and finer >= WORTH_A_LOOK:
            again, _ = self._read_at(photo, round(READ_SIDE * min(finer, MOST_FINER)), found, rougher)
            seen = _agreed(seen, again)
        return seen

    def _read_at(self, photo: Image, side: int, rough: list[Paper], rougher: float) -> tuple[Seen, float | None]:
        """Read a photo made at most `side` pixels long; also how many of those a millimetre of a card has."""
        image, smaller = _at_most(photo, side)
        found = [_grown(paper, smaller / rougher) for paper in rough]
        alone = self._alone(image, found)
        looks = [look for group in alone for look in group]
        size = _size_of(looks)
        for outline in _heaps(found, size):
            sizes = [size] if size else _sizes(outline)
            tries = [self._taken_apart(image, outline, px_per_mm) for px_per_mm in sizes]
            looks += max(tries, key=_weight) if tries else []
        size = size or _size_of(looks)
        looks += self._half_covered(
            image, found, size, [look for look in looks if isinstance(look.thing, Reading)]
        )
        size = size or _size_of(looks)
        return _told(looks, size, 1 / smaller), size

    def _alone(self, image: Image, found: list[Paper]) -> list[list[_Look]]:
        """Looks at what has a card's shape, those at the same place together."""
        groups: list[list[Quad]] = []
        for quad in (paper.quad for paper in found if paper.quad is not None):
            for group in groups:
                if _same_place(quad, group[0]):
                    group.append(quad)
                    break
            else:
                groups.append([quad])
        return [self._looks(image, group) for group in groups]

    def _looks(self, image: Image, group: list[Quad]) -> list[_Look]:
        """Some of the ways to see one thing, spread over its sizes."""
        ordered = sorted(group, key=lambda quad: float(cv2.contourArea(quad)))
        chosen = np.unique(np.linspace(0, len(ordered) - 1, min(LOOKS, len(ordered))).round().astype(int))
        return [_Look(ordered[i], self._reader.look(image, ordered[i])) for i in chosen]

    def _taken_apart(self, image: Image, outline: NDArray[np.int32], px_per_mm: float) -> list[_Look]:
        """Faces in a heap that were read; everything else about a heap is a guess and not told."""
        found = guesses(outline, px_per_mm, on_heap=ON_HEAP, fewest_sides=FEWEST_SIDES)
        here = [guess.quad for guess in found if _in_picture(guess.quad, image)][:GUESSES]
        looks = [_Look(quad, self._reader.look(image, quad)) for quad in here]
        return [look for look in looks if isinstance(look.thing, Reading)]

    def _half_covered(
        self, image: Image, found: list[Paper], size: float | None, known: list[_Look]
    ) -> list[_Look]:
        """Cards told by one corner that shows, where no index was read yet."""
        guessed = [share * min(image.shape[:2]) / CARD_WIDTH_MM for share in CARD_SHARES]
        looks: list[_Look] = []
        for px_per_mm in [size] if size else guessed:
            corners = _lone_corners(found, px_per_mm, _places(known + looks))
            for factor in LARGER if size else LARGER[:1]:
                looks += self._peeked(image, corners, px_per_mm * factor)
                read = _places(looks)
                corners = [corner for corner in corners if not near_any(corner, px_per_mm, read)]
        size = size or _size_of(looks)
        if size:
            looks += self._by_print(image, size, known + looks)
        return looks

    def _by_print(self, image: Image, px_per_mm: float, known: list[_Look]) -> list[_Look]:
        """Cards told by an index whose card's edges do not show, as in a fan."""
        whole = [look.quad for look in known if isinstance(look.thing, Reading) and len(look.thing.indices) == 2]
        coarse = 2.0 if px_per_mm < COARSE else 1.0  # print that touches comes apart in a larger picture
        larger = image if coarse == 1 else cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        signs = inked_corners(np.asarray(larger, np.uint8), px_per_mm * coarse, [quad * coarse for quad in whole])
        corners = [CardCorner(c.at / coarse, c.right, c.down) for c in signs]
        read = _places(known)
        return self._peeked(image, [c for c in corners if not near_any(c, px_per_mm, read)], px_per_mm)

    def _peeked(self, image: Image, corners: list[CardCorner], px_per_mm: float) -> list[_Look]:
        readings = self._reader.peek(image, corners, px_per_mm)
        return [_Look(np.asarray(reading.corners, np.float32), reading) for reading in readings]


def _places(looks: list[_Look]) -> list[tuple[float, float]]:
    """Where indices were read."""
    return [place for look in looks if isinstance(look.thing, Reading) for place in look.thing.indices]


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


def _at_most(image: Image, side: int) -> tuple[Image, float]:
    """The picture with its longer side at most `side` pixels, and by how much it was made smaller."""
    scale = side / max(image.shape[:2])
    if scale >= 1:
        return image, 1.0
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def _in_picture(quad: Quad, image: Image) -> bool:
    height, width = image.shape[:2]
    slack = 0.12 * float(np.linalg.norm(quad[1] - quad[0]))
    return bool((quad > -slack).all() and (quad < (width + slack, height + slack)).all())


def _weight(looks: Iterable[_Look]) -> float:
    """How much speaks for a size: two indices that agree on one card do more than one alone."""
    return sum(len(look.thing.indices) ** 2 for look in looks if isinstance(look.thing, Reading))


def _grown(paper: Paper, by: float) -> Paper:
    """The same thing in pixels of a picture `by` times as large."""
    if by == 1:
        return paper
    quad = None if paper.quad is None else ((paper.quad + 0.5) * by - 0.5).astype(np.float32)
    outline = np.round((paper.outline + 0.5) * by - 0.5).astype(np.int32)
    return Paper(outline, paper.area * by * by, quad)


def _same_place(one: Quad, other: Quad) -> bool:
    if np.abs(one.mean(axis=0) - other.mean(axis=0)).max() > np.linalg.norm(one[2] - one[0]):
        return False
    return min(shared(_corners(one), _corners(other)), shared(_corners(other), _corners(one))) > SAME_PLACE


def _size_of(looks: Iterable[_Look]) -> float | None:
    """Pixels to the millimetre of a card in the middle of those that were read; None when none was."""
    sizes = [_px_per_mm(look.quad) for look in looks if isinstance(look.thing, Reading)]
    return float(np.median(sizes)) if sizes else None


def _px_per_mm(quad: Quad) -> float:
    return float(np.sqrt(cv2.contourArea(quad) / CARD_PX))


def _heaps(found: list[Paper], size: float | None) -> list[NDArray[np.int32]]:
    """Outlines that may be several cards together, each once, the most solid first."""
    chosen: list[tuple[float, Paper, tuple[int, ...]]] = []
    for paper in found:
        if paper.quad is not None:
            continue
        if size and not HEAP_AREA[0] < paper.area / (size * size * CARD_PX) < HEAP_AREA[1]:
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
    return [paper.outline for _, paper, _ in chosen[:HEAPS]]


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


def _told(looks: list[_Look], size: float | None, by: float) -> Seen:
    """What a photo says: each card once, contradictions withheld, corners in the pixels of the whole picture."""
    readings, doubted = _undoubted(looks)
    cards, unread = _each_once(readings, (size or 0.0) * SAME_INDEX_MM)
    unread += doubted
    backs: list[FaceDown] = []
    jokers: list[Joker] = []
    told: list[Reading | Unread] = [*cards, *unread]
    taken = [np.asarray(thing.corners, np.float32) for thing in told]
    for group in _by_place(looks, taken):
        first = group[0].thing
        if size is not None and not _card_sized(group[0].quad, size):
            continue
        joker = next((look.thing for look in group if isinstance(look.thing, Joker)), None)
        if joker is not None and not any(isinstance(look.thing, FaceDown) for look in group):
            jokers.append(joker)
        elif isinstance(first, FaceDown) and all(isinstance(look.thing, FaceDown) for look in group):
            if size is not None:  # without a card to compare with, a dark rectangle is just that
                backs.append(first)
        else:
            why = next((look.thing.why for look in group if isinstance(look.thing, Unread)), "no face and no back")
            unread.append(Unread(first.corners, why))
    return Seen(
        tuple(replace(c, corners=_scaled(c.corners, by), indices=_scaled(c.indices, by)) for c in cards),
        tuple(replace(u, corners=_scaled(u.corners, by)) for u in unread),
        tuple(replace(b, corners=_scaled(b.corners, by)) for b in backs),
        jokers=tuple(replace(j, corners=_scaled(j.corners, by)) for j in jokers),
    )


def _undoubted(looks: list[_Look]) -> tuple[list[Reading], list[Unread]]:
    """What was read; and what was, but where another look at the same place saw two cards in a coarse picture.

    In few pixels the voices err together: a look in which they agree says less than one in which they differ.
    """
    differ = [
        look.quad
        for look in looks
        if isinstance(look.thing, Unread) and look.thing.why == VOICES_DIFFER and _px_per_mm(look.quad) < COARSE
    ]
    told: list[Reading] = []
    doubted: list[Unread] = []
    for look in looks:
        if not isinstance(look.thing, Reading):
            continue
        if not any(_same_place(look.quad, quad) for quad in differ):
            told.append(look.thing)
        elif not any(_same_place(look.quad, np.asarray(other.corners, np.float32)) for other in doubted):
            doubted.append(Unread(look.thing.corners, "looks at it differ"))
    return told, doubted


def _agreed(one: Seen, other: Seen) -> Seen:
    """Of two looks at a photo the one that names more, without the names that the other contradicts."""
    best, rest = (other, one) if len(other.cards) > len(one.cards) else (one, other)
    doubted = [card for card in best.cards if any(_contradict(card, another) for another in rest.cards)]
    told = tuple(card for card in best.cards if card not in doubted)
    unread = (Unread(card.corners, "looks at it differ") for card in doubted)
    return replace(best, cards=told, unread=(*best.unread, *unread))


def _contradict(one: Reading, other: Reading) -> bool:
    """Whether one index is read as two cards, or one card at two places."""
    if one.card == other.card:
        return shared(one.corners, other.corners) < TOUCHING
    return same_index(one, other, SAME_INDEX_MM * _px_per_mm(np.asarray(one.corners, np.float32)))


def _by_place(looks: list[_Look], taken: list[Quad]) -> list[list[_Look]]:
    """Looks that read nothing, those at one place together, without the places that are taken."""
    groups: list[list[_Look]] = []
    for look in looks:
        if isinstance(look.thing, Reading) or any(_same_place(look.quad, quad) for quad in taken):
            continue
        for group in groups:
            if _same_place(look.quad, group[0].quad):
                group.append(look)
                break
        else:
            groups.append([look])
    return groups


def _card_sized(quad: Quad, size: float) -> bool:
    low, high = LIKE_THE_OTHERS
    return low < _px_per_mm(quad) / size < high


def _each_once(readings: list[Reading], near: float) -> tuple[list[Reading], list[Unread]]:
    """Each card once, its surest reading; where one index was read as two cards neither is told.

    Cards of a heap lie almost at one place, but an index belongs to one card: readings contradict each other when
    they name two cards by indices less than `near` pixels apart. A deck has each card once: two places that say
    the same and do not touch are withheld too.
    """
    cards: list[Reading] = []
    unread: list[Unread] = []
    for name in sorted({reading.card for reading in readings}):
        mine = sorted((r for r in readings if r.card == name), key=lambda r: (-len(r.indices), -r.confidence))
        best = mine[0]
        if any(same_index(r, other, near) for r in mine for other in readings if other.card != name):
            unread.append(Unread(best.corners, "looks at it differ"))
            continue
        apart = [r for r in mine[1:] if shared(r.corners, best.corners) < TOUCHING]
        if apart:
            unread += [Unread(r.corners, "the same card is seen at another place") for r in (best, *apart)]
        else:
            cards.append(best)
    return cards, unread


def _corners(quad: Quad) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in quad)


def _scaled(corners: tuple[tuple[float, float], ...], by: float) -> tuple[tuple[float, float], ...]:
    return tuple(((x + 0.5) * by - 0.5, (y + 0.5) * by - 0.5) for x, y in corners)
