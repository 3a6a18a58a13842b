"""Combines the card candidates of a photo: each card once, contradictions withheld."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.classifiers import CLASSIFIERS_DIFFER
from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Quad
from vision.cards.overlap import shared
from vision.cards.read import SAME_INDEX_MM, Thing, same_index
from vision.cards.seen import CardReading, FaceDown, Joker, Seen, Unread
from vision.cards.slanted import moved, same_corners

SAME_PLACE = 0.60  # shared part of a card from which two cut-outs are of one thing
SAME_CUT = 0.1  # part of a card's short side: largest distance between the corners of two cut-outs of one card
TOUCHING = 0.04  # part of a card: two cut-outs that share as much may be one card
LIKE_THE_OTHERS = (0.70, 1.40)  # a card's side by that of the others: perspective allows for as much
ACROSS_MM = 81.0 * LIKE_THE_OTHERS[1]  # from an index to the one across
CARD_PX = CARD_WIDTH_MM * CARD_HEIGHT_MM
COARSE = 1.6  # px/mm


@dataclass(frozen=True)
class Candidate:
    quad: Quad
    thing: Thing


def is_whole(look: Candidate) -> bool:
    """Whether a card was read by both its indices."""
    return isinstance(look.thing, CardReading) and len(look.thing.indices) == 2


def confidence(look: Candidate) -> float:
    return look.thing.confidence if isinstance(look.thing, CardReading) else 0.0


def index_places(looks: list[Candidate]) -> list[tuple[float, float]]:
    """Where indices were read: x, y in pixels."""
    return [place for look in looks if isinstance(look.thing, CardReading) for place in look.thing.indices]


def px_per_mm_of(quad: Quad) -> float:
    """Pixels to the millimetre of a card with these corners, (4, 2) in pixels."""
    return float(np.sqrt(cv2.contourArea(quad) / CARD_PX))


def size_of(looks: Iterable[Candidate]) -> float | None:
    """Pixels to the millimetre of a card in the middle of those that were read; None when none was."""
    sizes = [px_per_mm_of(look.quad) for look in looks if isinstance(look.thing, CardReading)]
    return float(np.median(sizes)) if sizes else None


def seen_by(look: Candidate, view: NDArray[np.float64]) -> Candidate:
    """The same candidate in a picture that a map makes of this one.

    `view` is a 3 × 3 homography from this picture's pixels to the other's.
    """
    quad = np.asarray(moved(look.quad, view), np.float32)
    if not isinstance(look.thing, CardReading):
        return Candidate(quad, look.thing)
    indices = _points(moved(np.array(look.thing.indices).reshape(-1, 2), view))
    return Candidate(quad, replace(look.thing, corners=_points(quad), indices=indices))


def same_place(one: Quad, other: Quad) -> bool:
    """Whether two cards cover much of each other. Quads are (4, 2), in pixels of one picture."""
    a, b = one.tolist(), other.tolist()  # most pairs are far apart; numpy takes ten times as long to say so
    far = 4 * math.dist(a[0], a[2])
    if any(abs(sum(corner[axis] for corner in a) - sum(corner[axis] for corner in b)) > far for axis in (0, 1)):
        return False
    area, _ = cv2.intersectConvexConvex(np.asarray(one, np.float32), np.asarray(other, np.float32))
    largest = max(1.0, *(float(cv2.contourArea(np.asarray(quad, np.float32))) for quad in (one, other)))
    return float(area) / largest > SAME_PLACE


def _same_cut(one: Quad, other: Quad) -> bool:
    """Whether two ways to cut out one thing have the same corners; two cards together have other corners than
    either."""
    return same_corners(one, other, SAME_CUT * float(np.linalg.norm(one[1] - one[0])))


def seen_of(looks: list[Candidate], size: float | None, by: float) -> Seen:
    """The result for a photo: each card once, contradictions withheld, corners in pixels of the whole picture."""
    readings, doubted = undoubted(looks)
    cards, unread = _each_once(readings, size or 0.0)
    unread += doubted
    backs: list[FaceDown] = []
    jokers: list[Joker] = []
    kept: list[CardReading | Unread] = [*cards, *unread]
    taken = [np.asarray(thing.corners, np.float32) for thing in kept]
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


def agreed(one: Seen, other: Seen) -> Seen:
    """The result of two reads of a photo: the one that names more cards, without names that the other
    contradicts."""
    best, rest = (other, one) if len(other.cards) > len(one.cards) else (one, other)
    doubted = [card for card in best.cards if any(_contradict(card, another) for another in rest.cards)]
    kept = tuple(card for card in best.cards if card not in doubted)
    unread = (Unread(card.corners, "looks at it differ") for card in doubted)
    return replace(best, cards=kept, unread=(*best.unread, *unread))


def undoubted(looks: list[Candidate]) -> tuple[list[CardReading], list[Unread]]:
    """The candidates that were read, without those where another candidate at that place is two cards in a coarse
    picture.

    In few pixels the classifiers make the same errors: one candidate in which they agree counts less than one in
    which they differ.
    """
    differ = [
        look.quad
        for look in looks
        if isinstance(look.thing, Unread)
        and look.thing.why == CLASSIFIERS_DIFFER
        and px_per_mm_of(look.quad) < COARSE
    ]
    kept: list[CardReading] = []
    doubted: list[Unread] = []
    for look in looks:
        if not isinstance(look.thing, CardReading):
            continue
        same = _same_cut if is_whole(look) else same_place
        if not any(same(look.quad, quad) for quad in differ):
            kept.append(look.thing)
        elif not any(same_place(look.quad, np.asarray(other.corners, np.float32)) for other in doubted):
            doubted.append(Unread(look.thing.corners, "looks at it differ"))
    return kept, doubted


def _contradict(one: CardReading, other: CardReading) -> bool:
    """Whether one index is read as two cards, or one card at two places."""
    if one.card == other.card:
        return shared(one.corners, other.corners) < TOUCHING
    return same_index(one, other, SAME_INDEX_MM * px_per_mm_of(np.asarray(one.corners, np.float32)))


def _by_place(looks: list[Candidate], taken: list[Quad]) -> list[list[Candidate]]:
    """Candidates that read nothing, grouped by position, without positions that are taken."""
    groups: list[list[Candidate]] = []
    for look in looks:
        if isinstance(look.thing, CardReading) or any(same_place(look.quad, quad) for quad in taken):
            continue
        for group in groups:
            if same_place(look.quad, group[0].quad):
                group.append(look)
                break
        else:
            groups.append([look])
    return groups


def _card_sized(quad: Quad, size: float) -> bool:
    low, high = LIKE_THE_OTHERS
    return low < px_per_mm_of(quad) / size < high


def _each_once(readings: list[CardReading], px_per_mm: float) -> tuple[list[CardReading], list[Unread]]:
    """Each card once, by its surest reading. Where one index was read as two cards, neither is named.

    Overlapping cards lie almost at one position, but an index belongs to one card: readings contradict each other
    when they name two cards by indices that lie together. A deck has each card once: the same name at two
    positions that do not touch is withheld too. A card with four indices has two that seem to be of a card beside
    it.
    """
    near, across = SAME_INDEX_MM * px_per_mm, ACROSS_MM * px_per_mm
    cards: list[CardReading] = []
    unread: list[Unread] = []
    for name in sorted({reading.card for reading in readings}):
        mine = sorted((r for r in readings if r.card == name), key=lambda r: (-len(r.indices), -r.confidence))
        best = mine[0]
        if any(same_index(r, other, near) for r in mine for other in readings if other.card != name):
            unread.append(Unread(best.corners, "looks at it differ"))
            continue
        others = [r for r in mine[1:] if shared(r.corners, best.corners) < TOUCHING]
        apart = [r for r in others if len(r.indices) == 2 or not _within(best, r, across)]
        if apart:
            unread += [Unread(r.corners, "the same card is seen at another place") for r in (best, *apart)]
        else:
            cards.append(best)
    return cards, unread


def _within(one: CardReading, other: CardReading, across: float) -> bool:
    """Whether all indices of two readings may be on one card, of which two are at most `across` pixels apart."""
    return all(math.dist(a, b) < across for a in one.indices for b in other.indices)


def _points(points: NDArray[np.float64] | Quad) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


def _scaled(corners: tuple[tuple[float, float], ...], by: float) -> tuple[tuple[float, float], ...]:
    return tuple(((x + 0.5) * by - 0.5, (y + 0.5) * by - 0.5) for x, y in corners)
