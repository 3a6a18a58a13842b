"""One physical card keeps one identity while it lies there, whatever passes over it.

Of a card that was read, its position and its picture (one grey pixel per millimetre) are kept. When the zone has
moved and is at rest again, the position is compared. Where only the light changed it is the same card, although
glare or a shadow may keep it from being read now. Under something it stays the same card as long as one whole
index is visibly the same print, because the index names the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import Corners

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

WIDTH, HEIGHT = 64, 88  # size of a rectified card, one pixel a millimetre
BLOCK = 4
INDEX = (4, 7)  # blocks that hold a corner's rank and suit: 16 x 28 mm
CHANGED, FAINTEST = 0.085, 6.0  # largest difference of a still block: part of the paper's brightness, grey levels
OTHER_LIGHT = 1.8  # largest factor of brightness: above it another thing, not another light
SAME_PLACE_MM = 12.0
CORE = 0.25  # least part of unchanged blocks of a card that lies under something


@dataclass(frozen=True, eq=False)
class TrackedCard:
    """A card that was read: its number at this table, its name, its place (pixels of the zone's crop) and look.

    `name` is empty once looks at it contradicted each other: it stays withheld until it is moved.
    """

    identity: int
    name: str
    corners: Corners
    looked: Floats


@dataclass(frozen=True)
class Thing:
    """The reading of one position: a name, or why there is none; `face_down` backs have neither."""

    corners: Corners
    name: str = ""
    why: str = ""
    face_down: bool = False
    identity: int = 0


class Memory:
    """The cards in one zone. `numbers` gives each new card a number."""

    def __init__(self, numbers: Iterator[int], px_per_mm: float) -> None:
        self._numbers = numbers
        self._near = SAME_PLACE_MM * px_per_mm
        self._cards: list[TrackedCard] = []

    def forget(self) -> None:
        self._cards = []

    def settle(self, things: Sequence[Thing], crop: Image) -> list[Thing]:
        """The same things with their identities: names that still hold, contradictions withheld.

        `crop` is BGR, (height, width, 3) uint8; corners are in its pixels.
        """
        left = _each_once(things)
        read = {thing.name for thing in left if thing.name}
        settled: list[Thing] = []
        kept: list[TrackedCard] = []
        for card in self._cards:
            now = flattened(crop, card.corners)
            here = self._at(left, card)
            thing = self._remembered(card, now, here)
            if thing is not None and here is None and thing.name in read:
                continue  # read in another zone: it was moved
            if thing is not None:
                _take_out(left, here, card.corners)
                settled.append(thing)
                kept.append(self._renewed(card, thing, crop))
        still = {card.identity for card in kept}
        gone = {card.name: card for card in self._cards if card.identity not in still}
        for thing in left:
            if thing.name:
                moved = gone.pop(thing.name, None)
                number = next(self._numbers) if moved is None else moved.identity
                kept.append(TrackedCard(number, thing.name, thing.corners, flattened(crop, thing.corners)))
                settled.append(replace(thing, identity=number))
            else:
                settled.append(thing)
        self._cards = kept
        return settled

    def _at(self, things: Sequence[Thing], card: TrackedCard) -> Thing | None:
        """The thing that lies where the card lay, one with a name first."""
        middle = np.mean(card.corners, axis=0)
        near = [t for t in things if np.hypot(*(np.mean(t.corners, axis=0) - middle)) < self._near]
        return min(near, key=lambda thing: not thing.name, default=None)

    def _remembered(self, card: TrackedCard, now: Floats, here: Thing | None) -> Thing | None:
        """The card as it lies there still; None when it does not, or nobody can tell."""
        if here is not None and here.face_down:
            return None
        if here is not None and here.name:
            if here.name == card.name:
                return replace(here, identity=card.identity)
            return _withheld(card, here.corners) if same_card(card.looked, now) else None
        if not card.name:
            return _withheld(card, card.corners) if same_card(card.looked, now) else None
        if same_card(card.looked, now) or same_index(card.looked, now):
            return Thing(card.corners, card.name, identity=card.identity)
        return None

    def _renewed(self, card: TrackedCard, thing: Thing, crop: Image) -> TrackedCard:
        """What to remember of it from now on: how it looks when it is read, not when something lies over it."""
        if thing.name and thing.corners is not card.corners:
            return TrackedCard(card.identity, thing.name, thing.corners, flattened(crop, thing.corners))
        return replace(card, name=thing.name)


def _each_once(things: Sequence[Thing]) -> list[Thing]:
    """A deck has each card once: one that was read twice in one place counts once, in two places not at all."""
    once: list[Thing] = []
    for thing in things:
        twins = [other for other in things if thing.name and other.name == thing.name]
        if any(not covers(thing.corners, other.corners) for other in twins):
            once.append(replace(thing, name="", why="two places say the same card"))
        elif not twins or twins[0] is thing:
            once.append(thing)
    return once


def _withheld(card: TrackedCard, corners: Corners) -> Thing:
    return Thing(corners, why="the looks differ", identity=card.identity)


def _take_out(things: list[Thing], here: Thing | None, corners: Corners) -> None:
    """Take what is now accounted for out of `things`: what lies there, or one that nobody could take apart."""
    if here is not None:
        things.remove(here)
        return
    over = next((t for t in things if not t.name and not t.face_down and covers(t.corners, corners)), None)
    if over is not None:
        things.remove(over)


def flattened(crop: Image, corners: Corners) -> Floats:
    """A card (four corners in pixels of the crop, from a short side) as `HEIGHT` × `WIDTH` grey levels."""
    to = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32) - 0.5
    turn = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), to)
    flat = cv2.warpPerspective(
        crop, turn, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.float32)


def same_card(before: Floats, now: Floats) -> bool:
    """Whether nothing but the light changed: both indices are as they were, and no pip came or went.

    Both are grey levels, (`HEIGHT`, `WIDTH`), as `flattened` gives them.
    """
    changed = _changed(before, now)
    return not any(index.any() for index in _indices(changed)) and not _together(changed).any()


def same_index(before: Floats, now: Floats) -> bool:
    """Whether an index, and enough of the card around it, is visibly the print that it was.

    Both are grey levels, (`HEIGHT`, `WIDTH`), as `flattened` gives them.
    """
    changed = _changed(before, now)
    return not all(index.any() for index in _indices(changed)) and float((~changed).mean()) >= CORE


def covers(box: Corners, corners: Corners) -> bool:
    """Whether the middle of a card lies within a box. Corners are in pixels of one picture."""
    x, y = np.mean(corners, axis=0)
    return cv2.pointPolygonTest(np.asarray(box, np.float32), (float(x), float(y)), False) >= 0


def _changed(before: Floats, now: Floats) -> Flags:
    """Which blocks differ by more than the light: its gain is that of the paper that is still seen."""
    paper = float(np.percentile(before, 75))
    bright = before > 0.4 * paper
    gain = float(np.percentile(now[bright] / np.maximum(1.0, before[bright]), 75))
    if not 1 / OTHER_LIGHT < gain < OTHER_LIGHT:
        return np.ones((HEIGHT // BLOCK, WIDTH // BLOCK), np.bool_)
    apart = np.abs(before * gain - now)
    blocks = apart.reshape(HEIGHT // BLOCK, BLOCK, WIDTH // BLOCK, BLOCK).mean(axis=(1, 3))
    return np.asarray(blocks > max(FAINTEST, CHANGED * paper * gain), np.bool_)


def _indices(changed: Flags) -> tuple[Flags, Flags]:
    """The blocks of both indices: top left, and bottom right upside down."""
    across, down = INDEX
    return changed[:down, :across], changed[-down:, -across:]


def _together(changed: Flags) -> Flags:
    """Blocks of which two by two lie together: what is alone is an edge that trembles."""
    return np.asarray(changed[1:, 1:] & changed[:-1, 1:] & changed[1:, :-1] & changed[:-1, :-1], np.bool_)
