"""Hands played at random with every kind of command, right and wrong, under every book; seeds are fixed.

What `test_properties.py` states is checked here over more and wilder hands than Hypothesis has time for.
"""

import random

import pytest

from table_core.hand.hand import Hand
from table_core.hand.undo import recorded
from table_core.rulebook import rulebook_ids
from tests.table_core.hand.any_hand import (
    play_any,
    take_back_all,
)

HANDS_A_BOOK = 150


@pytest.mark.parametrize("book", rulebook_ids())
def test_nothing_raises_chips_are_conserved_and_every_step_can_be_taken_back_and_replayed(book: str) -> None:
    for number in range(HANDS_A_BOOK):
        played = play_any(book, random.Random(f"{book}/{number}"))
        replayed = Hand(played.rulebook)
        for event in played.events:
            replayed.apply(event)
        assert recorded(replayed.state) == recorded(played.hand.state)
        take_back_all(played.hand, played.snapshots)
        take_back_all(replayed, played.snapshots)
