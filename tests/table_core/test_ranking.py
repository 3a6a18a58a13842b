"""Which hand is best."""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from table_core.cards import DECK, Card, parse_cards
from table_core.ranking import Category, category, describe, rank_hand, rank_on_board

# How many of the 2,598,960 five-card hands there are of each category.
COUNTS = {
    Category.STRAIGHT_FLUSH: 40,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.PAIR: 1_098_240,
    Category.HIGH_CARD: 1_302_540,
}


def offsuit(ranks: tuple[int, ...]) -> list[Card]:
    """Cards of these ranks, not all of one suit: equal ranks take different suits, the last one diamonds."""
    held: Counter[int] = Counter()
    cards = []
    for place, rank in enumerate(ranks):
        suit = held[rank] if held[rank] or place < len(ranks) - 1 else 1
        held[rank] += 1
        cards.append(Card(rank * 4 + suit))
    return cards


def test_all_five_card_hands_fall_into_the_known_categories() -> None:
    """Every set of ranks stands for as many hands as there are suits for it; one of them is valued."""
    found: Counter[Category] = Counter()
    for ranks in combinations_with_replacement(range(13), 5):
        times = Counter(ranks)
        if max(times.values()) > 4:
            continue
        hands = prod(comb(4, count) for count in times.values())
        if len(times) == 5:
            found[category(rank_hand([Card(rank * 4) for rank in ranks]))] += 4
            hands -= 4
        found[category(rank_hand(offsuit(ranks)))] += hands
    assert found == COUNTS


def test_there_are_7462_different_values() -> None:
    values = set()
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) <= 4:
            values.add(rank_hand(offsuit(ranks)))
        if len(set(ranks)) == 5:
            values.add(rank_hand([Card(rank * 4 + 3) for rank in ranks]))
    assert len(values) == 7_462


@pytest.mark.parametrize("count", [6, 7])
def test_more_cards_are_worth_their_best_five(count: int) -> None:
    chance = random.Random(7)
    for _ in range(1_500):
        deck = [card for card in DECK if card % 4 == 1] if deal % 2 else DECK
        cards = chance.sample(deck, board_cards + 8)
        board, holes = cards[:board_cards], cards[board_cards:]
        hands = [(holes[place], holes[place + 1]) for place in range(0, 8, 2)]
        values = rank_on_board(board, hands)
        assert values == [rank_hand((*board, *hand)) for hand in hands]
        flushes += sum(category(value) is Category.FLUSH for value in values)
    assert flushes > 100
