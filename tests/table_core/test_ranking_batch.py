"""Values of many hands at once, compared with a foreign evaluator."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from table_core.cards import DECK
from table_core.ranking import rank_hand
from table_core.ranking_batch import rank_hands
from table_core.ranking_tables import rank_multisets, rank_sums


def every_five() -> NDArray[np.int8]:
    """All 2,598,960 hands of five cards."""
    return np.fromiter(chain.from_iterable(combinations(DECK, 5)), np.int8).reshape(-1, 5)


def random_hands(count: int, cards: int, seed: int) -> NDArray[np.int8]:
    """Hands dealt one card at a time: a card that the hand has already is dealt again."""
    chance = np.random.default_rng(seed)
    hands = chance.integers(0, 52, (count, cards), dtype=np.int8)
    while True:
        in_order = np.sort(hands, axis=1)
        again = (in_order[:, 1:] == in_order[:, :-1]).any(axis=1)
        if not again.any():
            return hands
        hands[again] = chance.integers(0, 52, (int(again.sum()), cards), dtype=np.int8)


def one_by_one(hands: NDArray[np.int8]) -> Iterator[list[int]]:
    for start in range(0, len(hands), 10_000):
        yield from hands[start : start + 10_000].tolist()


def ranked_alike(hands: NDArray[np.int8], values: NDArray[np.int32]) -> bool:
    """The peer counts from 1, the best hand, to 7,462. Ours are other numbers: they must be in step with it."""
    peer = pytest.importorskip("phevaluator.evaluator")
    evaluate = {5: peer.evaluate_5cards, 6: peer.evaluate_6cards, 7: peer.evaluate_7cards}[hands.shape[1]]
    theirs = np.fromiter((evaluate(*hand) for hand in one_by_one(hands)), np.int64, len(hands))
    ours_by_theirs = np.full(7_463, -1)
    ours_by_theirs[theirs] = values
    known = ours_by_theirs[ours_by_theirs >= 0]
    return bool((ours_by_theirs[theirs] == values).all() and (np.diff(known) < 0).all())


def test_all_five_card_hands_are_ranked_as_by_a_peer() -> None:
    hands = every_five()
    values = rank_hands(hands)
    assert len(values) == 2_598_960
    assert len(np.unique(values)) == 7_462
    assert ranked_alike(hands[::7], values[::7]), "every seventh: the peer ranks one hand at a time"


@pytest.mark.parametrize(("cards", "count"), [(6, 100_000), (7, 100_000)])
def test_random_hands_are_ranked_as_by_a_peer(cards: int, count: int) -> None:
    hands = random_hands(count, cards, seed=cards)
    assert ranked_alike(hands, rank_hands(hands))


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_one_hand_and_many_have_the_same_values(cards: int) -> None:
    hands = random_hands(20_000, cards, seed=10 + cards)
    assert rank_hands(hands).tolist() == [rank_hand(hand) for hand in hands.tolist()]


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64])
def test_cards_may_be_any_kind_of_integers_in_any_layout(dtype: type[np.integer]) -> None:
    hands = random_hands(9_000, 7, seed=3)
    other = np.asfortranarray(hands.astype(dtype))
    assert (rank_hands(other) == rank_hands(hands)).all()


def test_the_order_of_the_cards_makes_no_difference() -> None:
    hands = random_hands(5_000, 7, seed=4)
    mixed = np.random.default_rng(5).permuted(hands, axis=1)
    assert (rank_hands(mixed) == rank_hands(hands)).all()


def test_no_hands_have_no_values() -> None:
    assert rank_hands(np.empty((0, 7), np.int8)).shape == (0,)


@pytest.mark.parametrize("shape", [(7,), (3, 4), (3, 8), (2, 3, 7)])
def test_arrays_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected \\(hands, 5, 6 or 7\\)"):
        rank_hands(np.zeros(shape, np.int8))


@pytest.mark.parametrize("card", [-1, 52])
def test_numbers_that_are_not_cards_are_refused(card: int) -> None:
    with pytest.raises(ValueError, match="cards are numbers from 0 to 51"):
        rank_hands(np.array([[0, 1, 2, 3, 4, 5, card]]))


def test_sums_of_rank_keys_keep_all_sets_of_seven_ranks_apart() -> None:
    sums = rank_sums(rank_multisets(7))
    assert len(np.unique(sums)) == len(sums) == 49_205
    assert int(sums.max()) < 1 << 23


def test_ranking_can_be_imported_without_numpy() -> None:
    """A hand is dealt long before the first showdown: numpy and the tables wait until then."""
    code = "import sys, table_core.ranking; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
