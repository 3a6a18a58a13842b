"""Main and side pots, and odd chips."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from table_core.hand.pots import layers, split


def test_everybody_in_for_the_same_is_one_pot() -> None:
    assert layers([100, 100, 100], 0b111, 0) == [(300, 0b111)]


def test_an_all_in_caps_the_main_pot() -> None:
    """home.sidebets.1: A all-in 100, B bets 300, C calls."""
    assert layers([100, 300, 300], 0b111, 0) == [(300, 0b111), (400, 0b110)]


def test_folded_chips_are_in_the_pots_but_make_none() -> None:
    assert layers([50, 300, 300, 120], 0b0110, 0) == [(770, 0b0110)]
    assert layers([100, 300, 300, 120], 0b0111, 0) == [(400, 0b0111), (420, 0b0110)]


def test_the_big_blind_ante_is_in_the_main_pot_in_full() -> None:
    assert layers([30, 100, 100], 0b111, 100) == [(190, 0b111), (140, 0b110)]


def test_the_odd_chip_goes_to_the_first_seat_left_of_the_button() -> None:
    """tda.20"""
    assert split(405, [1, 4], 1) == [(1, 203), (4, 202)]
    assert split(100, [0, 2, 5], 1) == [(0, 34), (2, 33), (5, 33)]
    assert split(101, [0, 2, 5], 1) == [(0, 34), (2, 34), (5, 33)]


def test_odd_chips_are_not_broken_below_the_smallest_in_play() -> None:
    """tda.20"""
    assert split(1_500, [2, 3], 100) == [(2, 800), (3, 700)]
    assert split(500, [0, 1, 2], 100) == [(0, 200), (1, 200), (2, 100)]


def test_what_no_chip_in_play_can_pay_goes_with_the_first_odd_chip() -> None:
    assert split(1_550, [2, 3], 100) == [(2, 850), (3, 700)]


@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=11),
    st.integers(1, 2**11 - 1),
    st.integers(0, 9),
)
@settings(max_examples=150)
def test_pots_hold_what_was_paid(paid: list[int], chosen: int, dead: int) -> None:
    contenders = chosen & (2 ** len(paid) - 1) or 1
    pots = layers(paid, contenders, dead)
    assert sum(amount for amount, _ in pots) == sum(paid) + dead
    assert all(places & contenders == places for _, places in pots)
    assert all(one & other == other for (_, one), (_, other) in pairwise(pots))


@given(st.integers(1, 10_000), st.integers(1, 11), st.sampled_from([1, 5, 25, 100]))
@settings(max_examples=150)
def test_a_split_pays_out_the_pot_within_one_chip_each(amount: int, winners: int, unit: int) -> None:
    shares = [chips for _, chips in split(amount, range(winners), unit)]
    assert sum(shares) == amount
    assert shares[0] - shares[-1] < 2 * unit
    assert shares == sorted(shares, reverse=True)
