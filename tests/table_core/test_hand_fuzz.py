"""Hands played at random with every kind of command, right and wrong, under every book; seeds are fixed.

What `test_hand_properties.py` states is checked here over more and wilder hands than Hypothesis has time for.
"""

import random

import pytest

from table_core.hand.betting import judge
from table_core.hand.hand import Hand
from table_core.hand.undo import recorded
from table_core.messages import Act, AnyHandCommand, Refusal
from table_core.rulebook import load_rulebook, rulebook_ids
from tests.table_core.any_hand import (
    STEPS,
    any_command,
    any_deck,
    any_start,
    likely,
    play_any,
    take_back_all,
)

HANDS_A_BOOK = 150


@pytest.mark.parametrize("book", rulebook_ids())
def test_nothing_raises_chips_are_conserved_and_every_step_can_be_taken_back_and_replayed(book: str) -> None:
    for number in range(HANDS_A_BOOK):
        played = play_any(book, random.Random(f"{book}/{number}"))
        take_back_all(played.hand, played.snapshots)
        replayed = Hand(played.rulebook)
        for event in played.events:
            replayed.apply(event)
        take_back_all(replayed, played.snapshots)


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_short_way_of_the_usual_action_is_the_long_way(book: str) -> None:
    """What `turn.act_in_turn` does in one go, `judge` and `reduce_action` do: the same event, the same state."""
    usual = 0
    for number in range(HANDS_A_BOOK):
        chance = random.Random(f"{book} turns/{number}")
        short, long = Hand(load_rulebook(book)), Hand(load_rulebook(book))
        command: AnyHandCommand = any_start(chance)
        deck = any_deck(chance)
        for _ in range(STEPS):
            answer = short.push(command)
            assert _the_long_way(long, command) == answer
            assert recorded(short.state) == recorded(long.state)
            usual += isinstance(command, Act) and not isinstance(answer, Refusal)
            if short.ended:
                break
            command = any_command(chance) if chance.random() < 0.2 else likely(short, deck, chance)
        while short.journal.steps:
            short.pop()
            long.pop()
            assert recorded(short.state) == recorded(long.state)
    assert usual > HANDS_A_BOOK


def _the_long_way(hand: Hand, command: AnyHandCommand) -> object:
    if not isinstance(command, Act):
        return hand.push(command)
    judged = judge(hand.state, command)
    return judged if isinstance(judged, Refusal) else hand.act(judged)
