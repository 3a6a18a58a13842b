"""Joker corners to learn from, among all kinds of others; and the training of the classifier that knows them.

A joker's corner shows a star, or the word, or both: letter below letter, on its side, or along the top. Ordinary
corners come from `corners`; other words set the same way are there so that the classifier learns this one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.corner import WINDOW_SIZE, window
from vision.cards.index import InkBox, paper_of
from vision.cards.joker import CLASSES, SURE, joker_features
from vision.cards.network import store
from vision.cards.signs import NOTHING
from vision.train.corners import CornerPrinter
from vision.train.learn import fit
from vision.train.printed import (
    PRINT_PX_PER_MM,
    Grey,
    Print,
    Rng,
    bare_paper,
    cover,
    ink_of,
    round_corner,
    scribble,
    stamp,
)
from vision.train.shot import Corner, photographed
from vision.train.suits import cut_to_ink, formula_suit
from vision.train.typefaces import Face, lettering

JOKERS, OTHER_WORDS, BARE = 0.42, 0.12, 0.10  # of the corners; the rest are ordinary ones
SPELT = ("JOKER", "JOKER", "JOKER", "Joker", "joker", "JOLLY", "JKR")
OTHERS = (
    "POKER",
    "ACES",
    "CLUBS",
    "RIVER",
    "WIZARD",
    "TAROT",
    "BRIDGE",
    "DEALER",
    "KINGS",
    "TEN",
    "QUEEN",
    "RUMMY",
)
NOWHERE = InkBox(0, 0, 1, 1, ())

Ink = NDArray[np.float64]  # (3,): blue, green, red


class JokerPrinter(CornerPrinter):
    """Prints corners of jokers (`rank` is the class of `CLASSES`) among others."""

    def corners(self) -> Iterator[Corner]:
        """Endless corners of jokers, other words, bare and ordinary cards; their pictures are flat BGR."""
        ordinary = super().corners()
        while True:
            choice = self._rng.random()
            if choice < JOKERS:
                yield self._joker()
            elif choice < JOKERS + OTHER_WORDS:
                yield self._other_word()
            elif choice < JOKERS + OTHER_WORDS + BARE:
                yield self._bare()
            else:
                other = next(ordinary)
                yield Corner(other.flat, NOTHING, NOTHING, NOWHERE, NOWHERE)

    def _joker(self) -> Corner:
        rng = self._rng
        page, ink = bare_paper(rng), ink_of("sh"[rng.integers(2)], rng)
        across = rng.uniform(3.6, 8.5)
        top = rng.uniform(2.0, 5.5)
        kind = rng.random()
        if kind < 0.33:  # a star and nothing else
            top = self._star(page, across, top, rng.uniform(4.5, 12.0), ink)
            if rng.random() < 0.5:
                self._art(page, across + 6)
        elif kind < 0.85:
            if rng.random() < 0.5:
                top = self._star(page, across, top, rng.uniform(4.0, 8.0), ink) + rng.uniform(0.5, 2.0)
            self._word(page, SPELT, across, top, ink)
        else:
            self._along(page, SPELT, top, ink)
        return self._shot(page, CLASSES[0])

    def _other_word(self) -> Corner:
        rng = self._rng
        page, ink = bare_paper(rng), ink_of("sh"[rng.integers(2)], rng)
        top, across = rng.uniform(2.0, 5.5), rng.uniform(3.6, 8.5)
        if rng.random() < 0.3:
            suit = formula_suit("cdhs"[rng.integers(4)], rng)
            tall = rng.uniform(4.0, 9.0)
            stamp(page, suit, across, top, tall, ink)
            top += tall + rng.uniform(0.5, 2.0)
        if rng.random() < 0.75:
            self._word(page, OTHERS, across, top, ink)
        else:
            self._along(page, OTHERS, top, ink)
        return self._shot(page, NOTHING)

    def _bare(self) -> Corner:
        """A card whose index is worn off, rubbed out or none: paper, and perhaps pips or a court beside it."""
        rng = self._rng
        page = bare_paper(rng)
        suit = "cdhs"[rng.integers(4)]
        ink = ink_of(suit, rng)
        if rng.random() < 0.75:
            self._beside(page, formula_suit(suit, rng), ink, rng.uniform(4.0, 14.0))
        return self._shot(page, NOTHING)

    def _shot(self, page: Grey, what: str) -> Corner:
        rng = self._rng
        round_corner(page, rng)
        printed = Print(page, what, what, NOWHERE, NOWHERE, 7.0)
        if rng.random() < 0.05:  # the wrong way round it is none
            printed.page = np.ascontiguousarray(page[::-1, ::-1])
            printed.rank = NOTHING
        bare = printed.page.copy()
        cover(rng, printed)
        hidden = not np.array_equal(bare, printed.page)
        shot = photographed(rng, printed)
        return Corner(shot.flat, "" if hidden else printed.rank, "", NOWHERE, NOWHERE)

    def _word(self, page: Grey, words: tuple[str, ...], across: float, top: float, ink: Ink) -> None:
        """A word down the side: letter below letter, or turned by a quarter either way."""
        rng = self._rng
        word = words[rng.integers(len(words))]
        face = self._fonts[rng.integers(len(self._fonts))]
        if rng.random() < 0.6:
            tall = rng.uniform(3.0, 6.2)
            for letter in word:
                sign = lettering(face, letter)
                assert sign is not None
                narrow = min(1.0, 2.0 * across / tall / (sign.shape[1] / sign.shape[0]) * 0.8)
                sign = _narrower(sign, narrow * rng.uniform(0.95, 1.0))
                stamp(page, sign, across, top, tall, ink)
                top += tall * rng.uniform(1.08, 1.16)
        else:
            sign = lettering(face, word)
            assert sign is not None
            turned = np.ascontiguousarray(np.rot90(sign, 3 if rng.random() < 0.7 else 1))
            wide = rng.uniform(3.0, 6.5)
            long = min(38.0, wide * turned.shape[0] / turned.shape[1])
            stamp(page, turned, across, top, long, ink)
        if rng.random() < 0.45:
            self._art(page, across + 4)

    def _along(self, page: Grey, words: tuple[str, ...], top: float, ink: Ink) -> None:
        """A word along the top, of which a corner shows the beginning."""
        rng = self._rng
        sign = lettering(self._fonts[rng.integers(len(self._fonts))], words[rng.integers(len(words))])
        assert sign is not None
        tall = rng.uniform(4.0, 9.0)
        wide = sign.shape[1] / sign.shape[0] * tall
        stamp(page, sign, rng.uniform(2.5, 7.0) + wide / 2, top, tall, ink)

    def _art(self, page: Grey, left_mm: float) -> None:
        s, rng = PRINT_PX_PER_MM, self._rng
        art = page[round(rng.uniform(4, 14) * s) :, round((left_mm + rng.uniform(0.5, 5)) * s) :]
        if art.shape[1] > 12:
            scribble(rng, art)

    def _star(self, page: Grey, across: float, top: float, tall: float, ink: Ink) -> float:
        """A star with five points, filled or crossed, alone or bare in a filled disc; where it ends (mm)."""
        stamp(page, star(self._rng), max(across, tall / 2 + 1.0), top, tall, ink)
        return top + tall


def star(rng: Rng) -> Grey:
    """Ink of a star as jokers bear one. The ink is 0 to 1, shape (height, width)."""
    page = np.zeros((200, 200), np.float32)
    waist, turn = rng.uniform(0.36, 0.5), rng.normal(0, 0.06)
    points = []
    for i in range(10):
        radius = 95.0 if i % 2 == 0 else 95.0 * waist
        angle = -np.pi / 2 + i * np.pi / 5 + turn
        points.append((100 + radius * np.cos(angle), 100 + radius * np.sin(angle)))
    outline = np.round(np.array(points)).astype(np.int32)
    if rng.random() < 0.35:  # bare in a disc
        cv2.circle(page, (100, 100), 98, 1.0, -1)
        small = np.round((np.array(points) - 100) * rng.uniform(0.6, 0.85) + 100).astype(np.int32)
        cv2.fillPoly(page, [small], 0.0)
        if rng.random() < 0.4:
            cv2.circle(page, (100, 100), 90, 0.0, 4)
    else:
        cv2.fillPoly(page, [outline], 1.0)
        if rng.random() < 0.15:  # drawn in one line
            page[:] = 0
            cv2.polylines(page, [outline[[0, 4, 8, 2, 6]]], True, 1.0, int(rng.integers(8, 18)))
    cut = cut_to_ink(page)
    assert cut is not None
    return cut


def _narrower(sign: Grey, by: float) -> Grey:
    wide = max(6, round(sign.shape[1] * by))
    return np.asarray(cv2.resize(sign, (wide, sign.shape[0]), interpolation=cv2.INTER_AREA), np.float32)


def train_jokers(
    seed: int,
    learn_faces: list[Face],
    held_faces: list[Face],
    count: int,
    held_out: int,
    path: Path,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Fit the classifier to `count` drawn corners, write it, and score it on `held_out` corners in other
    typefaces."""
    given, truth = _table(JokerPrinter(learn_faces, np.random.default_rng([seed, 5])), count)
    network = fit(given, truth, CLASSES, seed * 100 + 70)
    store(path, network.arrays())
    unseen, answers = _table(JokerPrinter(held_faces, np.random.default_rng([seed, 6])), held_out)
    sure = network(unseen)[:, 0] >= SURE
    jokers = answers == 0
    scores = {
        "held_out": len(answers),
        "known": round(float((sure & jokers).sum() / jokers.sum()), 4),
        "others_taken_for_one": int((sure & ~jokers).sum()),
    }
    say(f"joker's corner: {scores}")
    return scores


def _table(press: JokerPrinter, count: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Features and class numbers of `count` corners whose class is known."""
    width, height = WINDOW_SIZE
    windows = np.zeros((count, 3, height, width), np.uint8)
    truth = np.zeros(count, np.int64)
    for i, corner in enumerate(itertools.islice((c for c in press.corners() if c.rank), count)):
        windows[i] = window(corner.flat, paper_of(corner.flat))
        truth[i] = CLASSES.index(corner.rank)
    parts = [joker_features(windows[i : i + 1000]) for i in range(0, count, 1000)]
    return np.vstack(parts), truth
