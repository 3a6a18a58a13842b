"""What print is measured by: the paper's light, the ink that takes it away, the ways in which ink grows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.find import level_at
from vision.cards.index import ink_of_shares, paper_of, shares
from vision.cards.network import DIRECTIONS, directions, pooled

SIDE = 16


@given(
    st.lists(st.integers(0, 255), min_size=1, max_size=40),
    st.floats(0, 1, allow_nan=False),
)
def test_a_level_below_which_a_part_lies_is_the_quantile(levels: list[int], rank: float) -> None:
    assert level_at(np.array(levels, np.uint8), rank) == pytest.approx(np.quantile(levels, rank), abs=1e-6)


def test_paper_is_what_most_of_a_card_shows_and_not_its_print() -> None:
    card = np.full((40, 40, 3), (200, 210, 220), np.uint8)
    card[10:20, 10:20] = (20, 30, 190)
    assert paper_of(card).tolist() == [200, 210, 220]


def test_ink_is_what_is_missing_of_the_light_that_is_missing_most() -> None:
    paper = np.array((200, 210, 220), np.float32)
    red_print = np.array([[(50, 21, 220), (200, 210, 220), (255, 255, 255)]], np.uint8)
    blue, green, red = shares(red_print, paper)
    assert (blue[0, 0], green[0, 0], red[0, 0]) == pytest.approx((0.25, 0.1, 1.0))
    assert ink_of_shares(blue, green, red)[0].tolist() == pytest.approx([0.9, 0.0, 0.0])


@pytest.mark.parametrize(("turn", "right", "down"), [(0, 1, 0), (1, 1, 1), (2, 0, 1), (4, -1, 0), (6, 0, -1)])
def test_ink_that_grows_one_way_grows_no_other(turn: int, right: int, down: int) -> None:
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    cells = directions((100 + right * x + down * y)[None], 4).reshape(4, 4, DIRECTIONS)[1:3, 1:3]
    assert cells[..., turn] == pytest.approx(np.full((2, 2), 2 * np.hypot(right, down)), abs=1e-3)
    assert np.delete(cells, turn, axis=2) == pytest.approx(0, abs=1e-3)


def test_ink_that_grows_between_two_directions_counts_for_both() -> None:
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    angle = np.pi / 8  # half way between the first direction and the second
    ink = 100 + np.float32(np.cos(angle)) * x + np.float32(np.sin(angle)) * y
    middle = directions(ink[None], 4).reshape(4, 4, DIRECTIONS)[1, 1]
    assert middle[:2] == pytest.approx([1, 1], abs=1e-3)
    assert middle[2:] == pytest.approx(0, abs=1e-3)


def test_signs_looked_at_together_are_seen_as_each_alone() -> None:
    signs = np.random.default_rng(1).random((3, SIDE, SIDE), np.float32)
    assert directions(signs, 4) == pytest.approx(np.vstack([directions(sign[None], 4) for sign in signs]))
    assert pooled(signs, 2) == pytest.approx(np.vstack([pooled(sign[None], 2) for sign in signs]))


def test_pooled_is_the_mean_of_its_squares() -> None:
    ink = np.arange(2 * 4 * 4, dtype=np.float32).reshape(2, 4, 4)
    assert pooled(ink, 2).tolist() == [[[2.5, 4.5], [10.5, 12.5]], [[18.5, 20.5], [26.5, 28.5]]]
