"""The pips of a card say its suit, which their number does not: they are twice as tall as the suit of the index.

They are cut out and classified like that suit; those of the lower half are printed upside down.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.find import Image
from vision.cards.index import FLAT_PX_PER_MM, FLAT_SIZE, Glyph, InkBox, cut_out, ink_of_shares, shares
from vision.cards.network import Network, vote
from vision.cards.signs import SUITS, features

PRINTED = 0.42  # threshold for ink
INDEX_MM = (13.0, 27.0)  # of a corner, where an index stands
LONGEST_MM, LEAST_MM, SHORTER_MM = 42.0, 7.0, 4.0  # a pip's longer side; the least of its shorter one
EDGE_MM, ON_MIDDLE_MM = 2.0, 3.0
SAYS, DENIES = 0.8, 0.2  # odds of one suit and of the other, from which a pip tells them apart
AT_ONCE = 5  # pips in one product of arrays: larger ones wake numpy's threads, at 20 ms on two cores
RIVALS = {"s": "c", "c": "s", "h": "d", "d": "h"}  # of the same colour in most decks
NUMBERS = {rank: number for number, rank in enumerate("A23456789T", start=1)}


def pips_of(flat: Image, paper: NDArray[np.float32]) -> list[Glyph]:
    """Print of a pip's size, without the indices.

    `flat` is BGR of `FLAT_SIZE` pixels; `paper` is the paper's colour, (3,) BGR.
    """
    share = shares(flat, paper)
    ink = ink_of_shares(*share)
    _, labels, stats, _ = cv2.connectedComponentsWithStats((ink > PRINTED).astype(np.uint8), connectivity=8)
    boxes = [InkBox(x, y, x + w, y + h, (i,)) for i, (x, y, w, h, _) in enumerate(stats.tolist()) if i]
    return [cut_out(ink, share, labels, box) for box in boxes if _may_be_pip(box)]


def _may_be_pip(box: InkBox) -> bool:
    mm, (width, height) = FLAT_PX_PER_MM, FLAT_SIZE
    longer, shorter = max(box.width, box.height), min(box.width, box.height)
    if not LEAST_MM * mm <= longer <= LONGEST_MM * mm or shorter < SHORTER_MM * mm:
        return False
    if min(box.left, box.top, width - box.right, height - box.bottom) < EDGE_MM * mm:
        return False
    x, y = box.centre_x, (box.top + box.bottom) / 2
    return not any(u < INDEX_MM[0] * mm and v < INDEX_MM[1] * mm for u, v in ((x, y), (width - x, height - y)))


def pips_say(pips: Sequence[Glyph], card: str, networks: Sequence[Network]) -> bool | None:
    """Whether a card's pips are of its suit (True) or of the other suit of that colour (False); None where they do
    not say."""
    if not pips:
        return None
    middle, near = FLAT_SIZE[1] / 2, ON_MIDDLE_MM * FLAT_PX_PER_MM
    ways = []  # a pip and its ink, upright; one on the middle stands either way
    for i, pip in enumerate(pips):
        y = (pip.box.top + pip.box.bottom) / 2
        if y < middle + near:
            ways.append((i, pip.ink))
        if y > middle - near:
            ways.append((i, pip.ink[::-1, ::-1]))
    which, aspects = [i for i, _ in ways], np.array([pips[i].aspect for i, _ in ways], np.float32)
    given = features(np.stack([ink for _, ink in ways]), aspects)
    each = np.vstack([vote(networks, given[at : at + AT_ONCE]) for at in range(0, len(given), AT_ONCE)])
    odds = np.zeros((len(pips), each.shape[1]), np.float32)
    np.maximum.at(odds, which, each)
    its, other = odds[:, SUITS.index(card[1])], odds[:, SUITS.index(RIVALS[card[1]])]
    agree = int(((its >= SAYS) & (other <= DENIES)).sum())
    differ = int(((other >= SAYS) & (its <= DENIES)).sum())
    enough = NUMBERS[card[0]] / 2
    if (agree and differ) or max(agree, differ) < enough:
        return None
    return agree >= enough
