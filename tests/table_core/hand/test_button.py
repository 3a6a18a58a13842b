"""Where button and blinds go: the dead button (tda.32) and heads-up (tda.34)."""

import pytest

from table_core.hand.button import Positions, first_positions, next_positions
from table_core.hand.deal import deal_order
from table_core.messages import Seat
from tests.table_core.table import BASE


def after(button: int, small_blind: int | None, big_blind: int, live: list[int]) -> Positions:
    previous_sb = None if small_blind is None else Seat(small_blind)
    return next_positions(Seat(button), previous_sb, Seat(big_blind), [Seat(seat) for seat in live], BASE)


def test_everyone_moves_on_by_one() -> None:
    assert after(1, 2, 3, [1, 2, 3, 4, 5]) == Positions(2, 3, 4)
    assert after(4, 5, 1, [1, 2, 3, 4, 5]) == Positions(5, 1, 2)


def test_big_blind_busts_and_the_small_blind_is_dead_then_the_button() -> None:
    """ccp.deadbutton.1 and 2, rpl.blinds.3."""
    assert after(1, 2, 3, [1, 2, 4, 5]) == Positions(2, None, 4)
    assert after(2, None, 4, [1, 2, 4, 5]) == Positions(3, 4, 5)


def test_small_blind_busts_and_the_button_faces_the_empty_seat() -> None:
    """cpp.blinds.1, wfp.blindrules.2a, rpl.blinds.2."""
    assert after(1, 2, 3, [1, 3, 4, 5]) == Positions(2, 3, 4)


def test_both_blinds_bust() -> None:
    assert after(1, 2, 3, [1, 4, 5]) == Positions(2, None, 4)


@pytest.mark.parametrize(
    ("left", "expected"),
    [([2, 3], Positions(3, 3, 2)), ([1, 3], Positions(3, 3, 1)), ([1, 2], Positions(2, 2, 1))],
)
def test_going_heads_up_the_big_blind_passes_on(left: list[int], expected: Positions) -> None:
    """ccp.headsup.1: three players, seat 1 button; whoever leaves, nobody takes the big blind twice running."""
    assert after(1, 2, 3, left) == expected


def test_heads_up_the_blinds_alternate() -> None:
    assert after(3, 3, 7, [3, 7]) == Positions(7, 7, 3)
    assert after(7, 7, 3, [3, 7]) == Positions(3, 3, 7)


def test_a_third_player_joins_a_heads_up_table() -> None:
    assert after(1, 1, 2, [1, 2, 3]) == Positions(1, 2, 3)
    assert after(1, 1, 5, [1, 5, 7]) == Positions(1, 5, 7)


def test_a_third_player_between_button_and_big_blind_takes_the_button() -> None:
    """The big blind is due at seat 1 and the small blind at seat 5, which had the big blind."""
    assert after(1, 1, 5, [1, 3, 5]) == Positions(3, 5, 1)


def test_the_first_hand_begins_at_the_drawn_button() -> None:
    assert first_positions(Seat(9), [Seat(seat) for seat in (2, 5, 9)]) == Positions(9, 2, 5)
    assert first_positions(Seat(5), [Seat(2), Seat(5)]) == Positions(5, 5, 2)


def test_one_player_is_no_hand() -> None:
    with pytest.raises(ValueError, match="two players"):
        after(1, 2, 3, [2])
    with pytest.raises(ValueError, match="two players"):
        first_positions(Seat(1), [Seat(1)])


def test_cards_go_round_twice_from_the_left_of_the_button_then_burns_and_board() -> None:
    order = deal_order([Seat(1), Seat(4), Seat(7)], Seat(4))
    assert order[:6] == ("seat-7", "seat-1", "seat-4") * 2
    assert order[6:] == ("burn", "board", "board", "board", "burn", "board", "burn", "board")


def test_heads_up_the_button_is_dealt_last() -> None:
    """tda.34"""
    assert deal_order([Seat(2), Seat(6)], Seat(2))[:4] == ("seat-6", "seat-2") * 2


def test_a_dead_button_still_starts_the_deal_on_its_left() -> None:
    assert deal_order([Seat(1), Seat(3), Seat(5)], Seat(2))[:3] == ("seat-3", "seat-5", "seat-1")
