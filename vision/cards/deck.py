"""The room's own deck: a print of each of its 52 cards, learnt from pictures of them.

    deck = DeckPrints.load(path)
    reader = CardReader(deck=deck)

A whole card is compared with each of the 52, both ways up, after correction for the paper's colour. The deck gives
a name where one card fits well and all others clearly worse. It never names a card alone: it confirms a likely
name of the other classifiers, or it contradicts a certain one, which is then withheld.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image
from vision.cards.signs import RANKS, SUITS
from vision.file_errors import told_as

ALL_CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
KEPT_PX_PER_MM = 2.0
PRINT_SIZE = (round(CARD_WIDTH_MM * KEPT_PX_PER_MM), round(CARD_HEIGHT_MM * KEPT_PX_PER_MM))  # width, height
COARSE_SIZE = (64, 88)  # one pixel a millimetre
EDGE = 2  # coarse pixels ignored along a card's edge: the cut-out may be slightly rotated
SHIFTS = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))  # coarse pixels
NEAREST = 6  # candidates that are compared at every shift
FITS = 0.80  # least correlation of two pictures of one card
SIDED = 0.40  # where two cards differ: least position between the one (1) and the other (-1)
CLEARLY = 0.45  # largest ratio of the misfit to that of the other card, there
ALIKE = 0.3  # black courts that differ by less (0: nowhere, 4: everywhere) may do so in their indices alone
BLACK_COURTS = tuple({rank + "c", rank + "s"} for rank in "JQK")
HEAVY = 0.25  # part of the greatest difference from which two cards differ

Print = NDArray[np.uint8]  # (height, width, 3) of `PRINT_SIZE`: ink, 0 for paper
Floats = NDArray[np.float32]


class DeckPrintsError(ValueError):
    """A file that is no deck, or pictures that do not teach one. The text says what is wrong and what to do."""


@dataclass(frozen=True)
class DeckPrints:
    """The prints of one deck, by card name (`Ah`). Raise `DeckPrintsError` for prints of another shape."""

    prints: Mapping[str, Print]

    def __post_init__(self) -> None:
        for name, print_ in self.prints.items():
            if name not in ALL_CARDS or print_.shape != (*PRINT_SIZE[::-1], 3) or print_.dtype != np.uint8:
                raise DeckPrintsError(f"{name!r} is no card's print; enrol the deck again")
        if len(self.prints) < 2:
            raise DeckPrintsError(f"{len(self.prints)} cards: a deck has {len(ALL_CARDS)}; enrol it again")

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name in ALL_CARDS if name not in self.prints)

    def said(self, flat: Image, paper: Floats) -> str | None:
        """The card that a flat, upright face is, either way up; None where that is not clear.

        `flat` is BGR of `FLAT_SIZE` pixels; `paper` is the paper's colour, (3,) BGR.
        """
        return self.fits(print_of(flat, paper))

    def fits(self, print_: Print) -> str | None:
        """The card that a print is, either way up; None where that is not clear.

        `print_` is as `print_of` gives it.
        """
        coarse = _coarse(print_)
        fits = (self._both_ways @ _unit(coarse)).max(axis=1)
        nearest = np.argsort(-fits)[:NEAREST]
        moved = np.stack([_unit(np.roll(coarse, shift, (1, 0))) for shift in SHIFTS])
        laid = np.einsum("cwp,mp->cwm", self._both_ways[nearest], moved)
        fits = laid.max(axis=(1, 2))
        best = int(fits.argmax())
        if float(fits[best]) < FITS:
            return None
        way, shift = np.unravel_index(int(laid[best].argmax()), laid.shape[1:])
        rivals = [c for c in range(len(nearest)) if c != best]
        clear = all(
            self._told_apart(
                moved[shift], nearest[best], int(way), moved[laid[rival, turned].argmax()], nearest[rival], turned
            )
            for rival in rivals
            for turned in (0, 1)
        )
        return self._names[nearest[best]] if clear else None

    def _told_apart(self, seen: Floats, card: int, way: int, beside: Floats, rival: int, turned: int) -> bool:
        """Whether what was seen is clearly the card and not its rival, where the two differ.

        Many courts differ in nothing but the suit of their indices, and in how their prints were cut out. Of clubs
        and spades a deck then knows no more than those who read the indices. A card's print may have been cut out
        a little beside its place: `beside` is what was seen, moved to where the rival fits best.
        """
        mine, other = self._both_ways[card, way], self._both_ways[rival, turned]
        differ = mine - other
        length = float(differ @ differ)
        if length < ALIKE and {self._names[card], self._names[rival]} in BLACK_COURTS:
            return False
        side = 2 * float((seen - (mine + other) / 2) @ differ) / length  # 1: the card, -1: its rival
        where = np.abs(differ) > HEAVY * float(np.abs(differ).max())
        off = float(np.square(seen - mine)[where].sum())
        rivals = min(float(np.square(moved - other)[where].sum()) for moved in (seen, beside))
        return side >= SIDED and off <= CLEARLY * rivals

    def save(self, path: Path) -> None:
        """Write this deck. Raise `DeckPrintsError` when that cannot be done."""
        prints: dict[str, Any] = dict(self.prints)
        try:
            with path.open("wb") as file:
                np.savez_compressed(file, **prints)
        except OSError as error:
            raise DeckPrintsError(f"{path}: cannot be written ({error.strerror}); name another file") from error

    @classmethod
    def load(cls, path: Path) -> DeckPrints:
        """Read what `save` wrote. Raise `DeckPrintsError` that names the file and what is wrong with it."""
        told = told_as(DeckPrintsError, path, "enrolled deck", "feltwire vision enrol --deck")
        with told, path.open("rb") as file, np.load(file) as data:  # numpy leaves open what it cannot read
            deck = cls({name: np.asarray(data[name]) for name in data.files})
        if deck.missing:
            raise DeckPrintsError(f"{path}: {' '.join(deck.missing)} are not in it; enrol the whole deck")
        return deck

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(sorted(self.prints))

    @cached_property
    def _both_ways(self) -> Floats:
        """Every card upright and turned, as unit vectors: (cards, 2, pixels)."""
        coarse = [_coarse(self.prints[name]) for name in self._names]
        return np.stack([np.stack([_unit(one), _unit(one[::-1, ::-1])]) for one in coarse])


def print_of(flat: Image, paper: Floats) -> Print:
    """How much ink of each colour lies where on a flat card, whatever the light: 0 (paper) to 255.

    `flat` is BGR of any size; `paper` is the paper's colour, (3,) BGR. The result has the shape of `Print`.
    """
    small = cv2.resize(flat, PRINT_SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(255.0 - np.minimum(small * (255.0 / paper), 255.0), np.uint8)


def fit_of(one: Print, other: Print) -> float:
    """How well two prints fit each other (correlation), either way up."""
    here, there = _coarse(one), _coarse(other)
    moved = [_unit(np.roll(there, shift, (1, 0))) for shift in SHIFTS]
    return max(float(_unit(way) @ print_) for way in (here, here[::-1, ::-1]) for print_ in moved)


def _coarse(print_: Print) -> Floats:
    return np.asarray(cv2.resize(print_, COARSE_SIZE, interpolation=cv2.INTER_AREA), np.float32)


def _unit(coarse: Floats) -> Floats:
    """A card's inside as a vector of mean 0 and length 1."""
    inside = coarse[EDGE:-EDGE, EDGE:-EDGE].reshape(-1)
    apart = inside - inside.mean()
    return np.asarray(apart / max(1e-6, float(np.linalg.norm(apart))), np.float32)
