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
        cards = chance.sample(DECK, count)
        assert rank_hand(cards) == max(map(rank_hand, combinations(cards, 5)))


def test_flushes_among_seven_cards_are_worth_their_best_five() -> None:
    chance = random.Random(8)
    for _ in range(600):
        hearts = chance.sample(range(13), chance.choice([5, 6, 7]))
        cards = [Card(rank * 4 + 2) for rank in hearts]
        cards += chance.sample([card for card in DECK if card & 3 != 2], 7 - len(cards))
        assert rank_hand(cards) == max(map(rank_hand, combinations(cards, 5)))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AhKhQhJhTh", "KcQcJcTc9c"),
        ("6s5s4s3s2s", "5s4s3s2sAs"),
        ("2c2d2h2sAc", "AcAdAhKcKd"),
        ("KcKdKhTsTc", "QcQdQhAsAc"),
        ("6c5d4h3s2c", "Ac2d3h4s5c"),
        ("AcAdKcKd2h", "AhAsQcQdKh"),
        ("AcAdKcQd3h", "AhAsKdQh2s"),
    ],
)
def test_better_hands_beat_worse_ones(better: str, worse: str) -> None:
    assert rank_hand(parse_cards(better)) > rank_hand(parse_cards(worse))


def test_suits_and_cards_that_do_not_play_make_no_difference() -> None:
    board = parse_cards("AhKdQcJs2d")
    assert rank_hand(board + parse_cards("Tc3h")) == rank_hand(board + parse_cards("Ts4c"))


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AhKhQhJhTh2c2d", "royal flush"),
        ("Ah2h3h4h5h9c9d", "straight flush, five high"),
        ("7c7d7h7sAcKdQh", "four of a kind, sevens"),
        ("KcKdKhTsTc2d3h", "full house, kings over tens"),
        ("KcKdKhTsTcTd3h", "full house, kings over tens"),
        ("Ac9c7c4c2c2d2h", "flush, ace high"),
        ("9c8d7h6s5cAdAh", "straight, nine high"),
        ("6c6d6hAsKc", "three of a kind, sixes"),
        ("AcAd8c8d6h6s2c", "two pair, aces and eights"),
        ("JcJd9h8s2c", "pair of jacks"),
        ("AcQd9h8s2c", "ace high"),
    ],
)
def test_hands_in_words(cards: str, words: str) -> None:
    assert describe(parse_cards(cards)) == words


@pytest.mark.parametrize("count", [0, 1, 4, 8])
def test_a_hand_of_another_size_has_no_value(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} cards have no value; give five, six or seven"):
        rank_hand(DECK[:count])


@pytest.mark.parametrize("board_cards", [3, 4, 5])
def test_hands_on_one_board_are_worth_what_each_is_worth_alone(board_cards: int) -> None:
    """Every other deck here is of one suit."""
    chance = random.Random(board_cards)
    flushes = 0
    for deal in range(400):
        deck = [card for card in DECK if card % 4 == 1] if deal % 2 else DECK
        cards = chance.sample(deck, board_cards + 8)
        board, holes = cards[:board_cards], cards[board_cards:]
        hands = [(holes[place], holes[place + 1]) for place in range(0, 8, 2)]
        values = rank_on_board(board, hands)
        assert values == [rank_hand((*board, *hand)) for hand in hands]
        flushes += sum(category(value) is Category.FLUSH for value in values)
    assert flushes > 100
