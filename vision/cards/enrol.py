"""Teaches a room's deck from pictures of its cards spread face up under the camera. Each card is in one picture at
least.

Cards that the reader is sure of are named by it. Any other takes its likeliest name where that is still missing;
the last card takes the last missing name. While a card is unknown, the result says which cards to show again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.cards import CardReader
from vision.cards.deck import ALL_CARDS, DeckPrints, DeckPrintsError, Print, fit_of, print_of
from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image, Quad
from vision.cards.index import flatten, paper_of
from vision.cards.overlap import shared
from vision.cards.paper import papers
from vision.cards.photo import FIND_SIDE, PhotoReader
from vision.cards.seen import CardReading, Corners, Seen, Unread

SAME_CARD = 0.70  # least correlation of two pictures of one card of one deck
ONE_CARD = 0.96  # correlation of two unread faces from which they are the same card
LEAST_PX_PER_MM = 0.8
SAME_EDGES = 0.85  # overlap of a card with its outline
SAME_SIZE = 0.10  # largest difference in size of the cards of one picture: the camera is above them
TWO_DECKS, OTHER_DECK = 2, 0.4  # contradicted names, and their part: fewer are bad cut-outs


@dataclass(frozen=True)
class FaceSample:
    """A face in one picture; `leaning` is the classifiers' likeliest name where it was not read."""

    print: Print
    px_per_mm: float
    leaning: str = ""


@dataclass
class DeckEnrolment:
    """What pictures have taught so far."""

    named: dict[str, FaceSample] = field(default_factory=dict)
    unnamed: list[list[FaceSample]] = field(default_factory=list)  # looks at one card each
    by_leaning: list[str] = field(default_factory=list)  # named by elimination
    repeated: set[str] = field(default_factory=set)  # shown more than once
    contradicted: set[str] = field(default_factory=set)  # and looked different

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name in ALL_CARDS if name not in self.named)

    @property
    def deck(self) -> DeckPrints:
        """The deck as far as it is known."""
        return DeckPrints({name: face.print for name, face in self.named.items()})

    def whole(self) -> DeckPrints:
        """The whole deck; raise `DeckPrintsError` with what to show again where a card of it is not known."""
        if self.missing:
            raise DeckPrintsError(
                f"{len(self.named)} of {len(ALL_CARDS)} cards are known; show these again, apart, flat and closer:"
                f" {' '.join(self.missing)}"
            )
        return self.deck


class DeckTeacher:
    """Learns one deck from picture after picture."""

    def __init__(self) -> None:
        """Raise `ModelError` when a trained file is missing or damaged."""
        self._photos = PhotoReader()
        self._cards = CardReader()

    def enrol(self, pictures: Iterable[Image]) -> tuple[DeckEnrolment, list[Seen]]:
        """Learn from all pictures; also what was seen in each. Raise `DeckPrintsError` where they contradict.

        Pictures are BGR, (height, width, 3) uint8.
        """
        known = DeckEnrolment()
        seen_in: list[Seen] = []
        unread: list[FaceSample] = []
        for picture in pictures:
            seen = self._photos.read(picture)
            seen_in.append(seen)
            edges = _edges(picture, seen)
            for card in seen.cards:
                if (quad := self._whole(picture, card, edges)) is not None:
                    _keep(known, card.card, _face(picture, quad))
            for thing in seen.unread:
                if (quad := _outlined(edges, thing.corners)) is not None:
                    unread += self._unread(picture, quad)
        if len(known.contradicted) >= max(TWO_DECKS, OTHER_DECK * len(known.repeated)):
            names = " ".join(sorted(known.contradicted))
            raise DeckPrintsError(
                f"cards that look different have one name ({names}): show one deck only, cards apart"
            )
        if len(known.named) >= 2:
            _group(known, unread)
            name_the_rest(known)
        return known, seen_in

    def _whole(self, picture: Image, card: CardReading, edges: list[Quad]) -> Quad | None:
        """Where a card lies whole: both its ends are read, or one, and its edges hold that card."""
        if len(card.indices) == 2:
            return np.asarray(card.corners, np.float32)
        quad = _outlined(edges, card.corners)
        again = None if quad is None else self._cards.look(picture, quad)
        return quad if isinstance(again, CardReading) and again.card == card.card else None

    def _unread(self, picture: Image, quad: Quad) -> list[FaceSample]:
        """A face that was not read, with the classifiers' likeliest name; None where no face lies."""
        if not isinstance(self._cards.look(picture, quad), Unread):
            return []
        face = _face(picture, quad)
        return [FaceSample(face.print, face.px_per_mm, self._cards.leaning(picture, quad))]


def _edges(picture: Image, seen: Seen) -> list[Quad]:
    """Everything in a picture whose four edges are those of a card, and which is as large as its cards are."""
    by = max(1.0, max(picture.shape[:2]) / FIND_SIDE)
    size = (round(picture.shape[1] / by), round(picture.shape[0] / by))
    small = picture if by == 1 else np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    quads = [((p.quad + 0.5) * by - 0.5).astype(np.float32) for p in papers(small) if p.quad is not None]
    cards = [quad for quad in quads if any(_alike(quad, card.corners) >= SAME_EDGES for card in seen.cards)]
    if not cards:
        return []
    usual = float(np.median([_px_per_mm(quad) for quad in cards]))
    fits = [(abs(_px_per_mm(quad) / usual - 1), i) for i, quad in enumerate(quads)]
    return [quads[i] for off, i in sorted(fits) if off <= SAME_SIZE]


def _outlined(edges: list[Quad], corners: Corners) -> Quad | None:
    """The edges that a card was seen to have; None where its position was guessed from a part of it."""
    return next((quad for quad in edges if _alike(quad, corners) >= SAME_EDGES), None)


def _alike(quad: Quad, corners: Corners) -> float:
    """The shared part of each of two cards' areas."""
    return min(shared(_points(quad), corners), shared(corners, _points(quad)))


def _px_per_mm(quad: Quad) -> float:
    return float(np.sqrt(cv2.contourArea(quad) / (CARD_WIDTH_MM * CARD_HEIGHT_MM)))


def _points(quad: Quad) -> Corners:
    return tuple((float(x), float(y)) for x, y in quad)


def _face(picture: Image, quad: Quad) -> FaceSample:
    flat = flatten(picture, quad)
    return FaceSample(print_of(flat, paper_of(flat)), _px_per_mm(quad))


def _keep(known: DeckEnrolment, name: str, face: FaceSample) -> None:
    """Keep the sharpest sample of a card."""
    before = known.named.get(name)
    known.repeated.update([name] if before is not None else [])
    if before is not None and fit_of(before.print, face.print) < SAME_CARD:
        known.contradicted.add(name)
    if before is None or face.px_per_mm > before.px_per_mm:
        known.named[name] = face


def _group(known: DeckEnrolment, unread: Iterable[FaceSample]) -> None:
    """Group the samples of one unread card. Samples of a card that another picture named are dropped."""
    deck = known.deck
    for face in unread:
        if face.px_per_mm < LEAST_PX_PER_MM or deck.fits(face.print) is not None:
            continue
        for group in known.unnamed:
            if fit_of(group[0].print, face.print) >= ONE_CARD:
                group.append(face)
                break
        else:
            known.unnamed.append([face])


def name_the_rest(known: DeckEnrolment) -> None:
    """Name unread cards by their likeliest names among the missing ones, and the last card by the last missing
    name."""
    leaning = [{face.leaning for face in group if face.leaning} for group in known.unnamed]
    for i, group in enumerate(known.unnamed):
        others = [names for j, names in enumerate(leaning) if j != i]
        if len(leaning[i]) == 1 and leaning[i] <= set(known.missing) and not any(leaning[i] & o for o in others):
            _name(known, next(iter(leaning[i])), group)
    left = [group for group in known.unnamed if group]
    if len(left) == 1 and len(known.missing) == 1 and not any(face.leaning for face in left[0]):
        _name(known, known.missing[0], left[0])
    known.unnamed = [group for group in known.unnamed if group]


def _name(known: DeckEnrolment, name: str, group: list[FaceSample]) -> None:
    known.named[name] = max(group, key=lambda face: face.px_per_mm)
    known.by_leaning.append(name)
    group.clear()
