"""Exact equities equal dealing every board, and do not depend on suit names or the order of seats."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_core.cards import DECK, Card, card_text, parse_cards
from table_core.equity import exact
from table_core.equity.outs import outs
from table_core.equity.spot import EquityError, Spot, spot_of
from tests.table_core import brute_equity


def spot(hands: str, board: str = "", dead: str = "") -> Spot:
    return spot_of([parse_cards(hand) for hand in hands.split()], parse_cards(board), parse_cards(dead))


def dealt(deck: list[Card], hands: int, board: int, dead: int) -> Spot:
    pairs = [(deck[2 * number], deck[2 * number + 1]) for number in range(hands)]
    rest = deck[2 * hands :]
    return spot_of(pairs, rest[:board], rest[board : board + dead])


def same_as_every_board(asked: Spot) -> bool:
    found = {winners: int(boards) for winners, boards in enumerate(exact.boards_by_winners(asked)) if boards}
    return found == brute_equity.boards_by_winners(asked)


@st.composite
def spots(draw: st.DrawFn) -> Spot:
    """Spots on every street and between them, often with two or three suits only, so that flushes abound."""
    suits = draw(st.integers(2, 4))
    cards = [card for card in DECK if card & 3 < suits]
    hands = draw(st.integers(2, min(11, len(cards) // 2 - 4)))
    board = draw(st.integers(1, 5))
    dead = draw(st.integers(0, min(12, len(cards) - 2 * hands - 5)))
    return dealt(draw(st.permutations(cards)), hands, board, dead)


@given(spots())
@settings(max_examples=80, deadline=None)
def test_equal_to_dealing_every_board(asked: Spot) -> None:
    assert same_as_every_board(asked)


@pytest.mark.parametrize("hands", range(2, 10))
def test_before_the_flop_equal_to_dealing_every_board(hands: int) -> None:
    """Dead cards keep the boards countable; nine hands leave 278,256 without them."""
    chance = random.Random(hands)
    dead = 0 if hands == 9 else chance.randint(12, 20)
    assert same_as_every_board(dealt(chance.sample(DECK, 52), hands, 0, min(dead, 45 - 2 * hands)))


@pytest.mark.parametrize(
    "hands",
    ["AhKh AsKs", "Ah7h Ks8s Qd9d Jc2c", "AhKd QhJd", "2h2d AhAd", "5h4h 5d4d"],
    ids=["two suits", "four suits", "one of each suit", "pairs", "wheel draws"],
)
def test_flushes_and_straight_flushes_before_the_flop(hands: str) -> None:
    live = set(parse_cards(hands.replace(" ", "")))
    # Off-suit middle cards are dead, so that flushes and straight flushes are the more likely.
    dead = [card for card in DECK if card not in live and (card + card // 4) % 3 == 0]
    assert same_as_every_board(spot(hands, dead="".join(map(card_text, dead))))


@given(spots(), st.permutations(range(4)))
@settings(max_examples=50, deadline=None)
def test_shares_are_whole_and_suits_have_no_order(asked: Spot, suits: list[int]) -> None:
    def renamed(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(card & ~3 | suits[card & 3]) for card in cards)

    results = exact.equities(asked)
    assert sum(result.share for result in results) == 1
    assert all(0 <= result.won + result.tied <= result.boards for result in results)
    other = spot_of([renamed(hand) for hand in asked.hands], renamed(asked.board), renamed(asked.dead))
    assert exact.equities(other) == results


@given(spots(), st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_each_hand_keeps_its_equity_wherever_it_sits(asked: Spot, chance: random.Random) -> None:
    order = list(range(len(asked.hands)))
    chance.shuffle(order)
    results = exact.equities(asked)
    moved = exact.equities(spot_of([asked.hands[place] for place in order], asked.board, asked.dead))
    assert moved == tuple(results[place] for place in order)


def test_a_well_known_race() -> None:
    """Over all 1,712,304 boards, counted by dealing them."""
    suited, queens = exact.equities(spot("AhKh QsQd"))
    assert suited.boards == 1_712_304
    assert (suited.won, suited.tied) == (787_966, 6_732)
    assert (queens.won, queens.tied) == (917_606, 6_732)
    assert suited.equity == pytest.approx(0.462144572)


def test_the_same_hand_in_four_suits_is_worth_a_quarter_each() -> None:
    assert [result.share for result in exact.equities(spot("AhKh AsKs AdKd AcKc"))] == [Fraction(1, 4)] * 4


def test_eleven_hands_that_all_play_the_board_share_it_in_elevenths() -> None:
    low = "2c2d 2h2s 3c3d 3h3s 4c4d 4h4s 5c5d 5h5s 6c6d 6h6s 7c7d"
    results = exact.equities(spot(low, "AhKdQcJsTh"))
    assert [result.share for result in results] == [Fraction(1, 11)] * 11
    assert {(result.won, result.tied, result.tie) for result in results} == {(0, 1, 1.0)}


def test_a_complete_board_is_won_or_lost() -> None:
    assert [result.win for result in exact.equities(spot("AhKs QdQc 7h6h", "Th9s2h3c4h"))] == [0, 0, 1]


def texts(cards: tuple[Card, ...]) -> set[str]:
    return {card_text(card) for card in cards}


def test_a_flush_draw_against_a_set_has_seven_outs_since_two_of_nine_pair_the_board() -> None:
    draw, made, drawing_dead = outs(spot("AhTh QsQd AcKs", "Qh8h5c2d"))
    assert texts(draw.to_win) == {"3h", "4h", "6h", "7h", "9h", "Jh", "Kh"}
    assert made.ahead
    assert (made.to_win, drawing_dead.to_win, drawing_dead.to_tie) == ((), (), ())


def test_cards_that_only_tie_are_told_apart_from_those_that_win() -> None:
    ahead, behind = outs(spot("AhKd AsQd", "Ac9c5d9h"))
    assert ahead.ahead
    assert texts(behind.to_win) == {"Qc", "Qh", "Qs"}
    assert texts(behind.to_tie) == {"Ad", "9d", "9s"}


@pytest.mark.parametrize("board", ["", "Ah", "AhKdQc2s3d"])
def test_outs_are_a_matter_of_flop_and_turn(board: str) -> None:
    assert outs(spot("7c7d 8h8s", board)) == ()


@pytest.mark.parametrize(
    ("hands", "board", "dead", "says"),
    [
        ("AhKd", "", "", "1 hand given; equity is between 2 and 11"),
        ("AhKd Qs", "", "", "hand 2 has 1 card; a hand is 2 cards"),
        ("AhKd QsQh", "2c3c4cKd", "", "Kd is given twice: in hand 1 and on the board"),
        ("AhKd AhQs", "", "", "Ah is given twice: in hand 1 and in hand 2"),
        ("AhKd QsQh", "", "2cQs", "Qs is given twice: in hand 2 and among the dead cards"),
        ("AhKd QsQh", "2c3c4c5c6c7c", "", "the board has 6 cards; it is at most 5"),
    ],
)
def test_a_spot_that_cannot_be_is_refused_with_the_reason(hands: str, board: str, dead: str, says: str) -> None:
    with pytest.raises(EquityError, match=says):
        spot(hands, board, dead)


def test_a_deck_too_short_for_the_board_is_refused() -> None:
    with pytest.raises(EquityError, match="4 cards are left in the deck; the board needs 5 more"):
        dealt(list(DECK), 2, 0, 44)
