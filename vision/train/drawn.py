"""What the networks of a corner learn from: drawn corners, as the reader sees them and cuts signs out of them."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.corner import RANK_CLASSES, SUIT_CLASSES, WINDOW_SIZE, window
from vision.cards.index import FLAT_PX_PER_MM, Glyph, InkBox, indices, paper_of
from vision.cards.signs import NOTHING
from vision.train.corners import CornerPrinter
from vision.train.shot import Corner
from vision.train.typefaces import Face

PART = 4_000  # corners per batch, so that the number of processes changes nothing
UNKNOWN = -1  # the label of what is half covered: neither a sign nor none
SAME_SIGN, OTHER_SIGN = 0.75, 0.50  # of two boxes' common area: more is the sign itself, less is something else


@dataclass(frozen=True)
class Sample:
    """One sign as the reader cut it out, and what it is (a class of `RANKS` or `SUITS`, or `NOTHING`)."""

    kind: str  # "rank" or "suit"
    truth: str
    glyph: Glyph


@dataclass(frozen=True)
class Drawn:
    """Corners as pictures with their labels (class numbers or `UNKNOWN`), and the signs cut out of them."""

    windows: NDArray[np.uint8]  # (n, 3, 84, 40)
    ranks: NDArray[np.int64]
    suits: NDArray[np.int64]
    samples: list[Sample]


def drawn_in_parts(faces: Sequence[Face], seed: Sequence[int], count: int, signs_of: int, processes: int) -> Drawn:
    """`count` corners in these typefaces, and the signs of the first `signs_of`.

    Each part has a seed of its own, so the same comes out of however many `processes`.
    """
    starts = range(0, count, PART)
    jobs = [
        (list(faces), [*seed, part], min(PART, count - start), start < signs_of)
        for part, start in enumerate(starts)
    ]
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        parts = list(pool.map(_part, jobs))
    return Drawn(
        np.concatenate([part.windows for part in parts]),
        np.concatenate([part.ranks for part in parts]),
        np.concatenate([part.suits for part in parts]),
        [sample for part in parts for sample in part.samples],
    )


def _part(job: tuple[list[Face], list[int], int, bool]) -> Drawn:
    faces, seed, count, with_signs = job
    cv2.setNumThreads(1)
    cv2.setRNGSeed(sum(seed))
    return drawn(CornerPrinter(faces, np.random.default_rng(seed)).corners(), count, with_signs)


def drawn(corners: Iterable[Corner], count: int, with_signs: bool = True) -> Drawn:
    """The first `count` corners, ready to learn from, and the signs cut out of them.

    The windows are (count, 3, 84, 40): ink of blue, green, red (BGR), 0 to 255.
    """
    width, height = WINDOW_SIZE
    windows = np.zeros((count, 3, height, width), np.uint8)
    ranks, suits = np.full(count, UNKNOWN, np.int64), np.full(count, UNKNOWN, np.int64)
    found: list[Sample] = []
    for i, corner in enumerate(itertools.islice(corners, count)):
        windows[i] = window(corner.flat, paper_of(corner.flat))
        ranks[i] = RANK_CLASSES.index(corner.rank) if corner.rank else UNKNOWN
        suits[i] = SUIT_CLASSES.index(corner.suit) if corner.suit else UNKNOWN
        if with_signs:
            found += samples(corner)
    return Drawn(windows, ranks, suits, found)


def samples(corner: Corner) -> Iterator[Sample]:
    """The signs that the reader cuts out of a corner.

    The corner's boxes are in mm × 100, those of the signs in flat pixels.
    """
    for way in indices(corner.flat, paper_of(corner.flat)):
        signs = (
            ("rank", way.rank, corner.rank, corner.rank_box),
            ("suit", way.suit, corner.suit, corner.suit_box),
        )
        for kind, glyph, truth, true_box in signs:
            here = _overlap(glyph.box, true_box)
            if here > SAME_SIGN and truth:
                yield Sample(kind, truth, glyph)
            elif kind == "rank" and here < OTHER_SIGN:  # a pip in the suit's place *is* a sign: do not train on it
                yield Sample(kind, NOTHING, glyph)


def _overlap(box: InkBox, true_mm: InkBox) -> float:
    """Intersection over union of a box in flat pixels with a true one in mm × 100."""
    s = 100 / FLAT_PX_PER_MM
    left, top, right, bottom = (v * s for v in (box.left, box.top, box.right, box.bottom))
    wide = min(right, true_mm.right) - max(left, true_mm.left)
    high = min(bottom, true_mm.bottom) - max(top, true_mm.top)
    if wide <= 0 or high <= 0:
        return 0.0
    both = (right - left) * (bottom - top) + true_mm.width * true_mm.height - wide * high
    return wide * high / both
