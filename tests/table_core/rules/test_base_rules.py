"""Today's common tournament rules, each by the example that its row of the catalogue gives."""

import pytest

from table_core.hand.button import Positions, next_positions
from table_core.messages import Refusal, Seat
from tests.table_core.rules.shown import (
    FLOP,
    RIVER,
    TURN,
    accepted,
    checked_down,
    done,
    hand_of,
    least,
    on_flop,
    play,
    won,
)
from tests.table_core.table import BASE, level, new_hand, refused, start


@pytest.mark.rule("tda.17")
def test_who_bet_the_river_shows_first_else_the_first_left_of_the_button() -> None:
    bet_and_called = on_flop("base")
    play(bet_and_called, "1 check", "2 check", "3 check", TURN, "1 check", "2 check", "3 check")
    play(bet_and_called, RIVER, "1 check", "2 bet 100", "3 call", "1 call")
    assert bet_and_called.show_order == (2, 3, 1)
    assert checked_down("base").show_order == (1, 2, 3)


@pytest.mark.rule("tda.17")
def test_a_bet_on_the_turn_does_not_count_once_the_river_was_checked() -> None:
    hand = on_flop("base")
    play(hand, "1 check", "2 check", "3 check", TURN, "1 check", "2 check", "3 bet 100", "1 call", "2 call")
    play(hand, RIVER, "1 check", "2 check", "3 check")
    assert hand.show_order == (1, 2, 3)


@pytest.mark.rule("tda.21")
def test_main_pot_and_side_pot_have_an_odd_chip_each() -> None:
    """405 and 347 between seats 2 and 3: 203 + 174 and 202 + 173. As one pot they would be 376 each."""
    hand = new_hand({1: 1_000, 2: 1_000, 3: 1_000, 4: 101, 5: 1_000}, level(1, 2))
    play(hand, "3 raise 150", "4 all-in", "5 call", "1 fold", "2 call")
    play(hand, FLOP, "2 bet 100", "3 call", "5 fold", TURN, "2 check", "3 check", RIVER, "2 check", "3 check")
    assert [pot.amount for pot in hand.pots] == [405, 347]
    assert won(play(hand, "2 table AhKh", "3 table AdKd", "4 table Jc4h", "award")) == {2: 377, 3: 375}


@pytest.mark.rule("tda.23")
def test_a_hand_keeps_the_level_that_it_began_with_and_the_next_one_has_the_new_level() -> None:
    """The new level comes while the hand is played; its big blind need not be twice the small one."""
    stacks, new_level = {1: 5_000, 2: 5_000, 3: 5_000}, level(200, 500)
    hand = new_hand(stacks, level(50, 100))
    assert isinstance(hand.push(start(stacks, new_level, hand=2)), Refusal)
    play(hand, "3 call", "1 call", "2 check", FLOP)
    assert (hand.level, least(hand)) == (level(50, 100), 100)
    play(hand, "1 bet 100", "2 fold", "3 fold")
    done(hand.push(start(stacks, new_level, hand=2)))
    assert (hand.number, hand.level, least(hand)) == (2, new_level, 1_000)
    assert (hand.bets[Seat(1)], hand.bets[Seat(2)]) == (200, 500)


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ((1, 3, 4, 5), Positions(Seat(2), Seat(3), Seat(4))),  # the small blind is out: button at an empty seat
        ((1, 2, 4, 5), Positions(Seat(2), None, Seat(4))),  # the big blind is out: no small blind
        ((1, 4, 5), Positions(Seat(2), None, Seat(4))),  # both are
    ],
)
def test_the_button_is_dead_and_blinds_go_to_whoever_is_due(left: tuple[int, ...], expected: Positions) -> None:
    assert next_positions(Seat(1), Seat(2), Seat(3), [Seat(seat) for seat in left], BASE) == expected


@pytest.mark.rule("tda.43")
def test_a_raise_is_at_least_the_last_full_raise() -> None:
    """Bet 100, raise to 300: 499 is too little, 500 is enough."""
    hand = on_flop("base")
    play(hand, "1 bet 100", "2 raise 300")
    assert refused(hand, "3 raise 499").rule == "tda.43"
    assert accepted(hand, "3 raise 500")


@pytest.mark.rule("tda.RP-11")
@pytest.mark.parametrize("players", [2, 3, 9])
def test_the_big_blind_comes_before_its_ante_which_is_not_reduced_for_fewer_players(players: int) -> None:
    """With 150 for a big blind of 100 and an ante of 100, the blind is paid in full."""
    stacks = dict.fromkeys(range(1, players + 1), 5_000)
    big_blind = Seat(1 if players == 2 else 2)
    full = hand_of("base", stacks, big_blind_ante=100)
    assert (full.bets[big_blind], full.pots[0].amount) == (100, 100)
    short = hand_of("base", {**stacks, big_blind: 150}, big_blind_ante=100)
    assert (short.bets[big_blind], short.pots[0].amount) == (100, 50)
