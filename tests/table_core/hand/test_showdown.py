"""Cards speak when tabled: who shows, who wins, and how pots are split."""

import pytest

from table_core.hand.hand import Hand
from table_core.messages import (
    AnyEvent,
    BoardRead,
    Chips,
    HandEnded,
    PotAwarded,
    ReadBoard,
    Refusal,
    Seat,
    Source,
    Street,
)
from tests.table_core.table import command, done, level, new_hand, play, refused

BOARD = ("board 2c7d9h", "board Ts", "board 3d")
STRAIGHT_ON_BOARD = ("board AhKdQc", "board Js", "board Td")  # everybody plays the board


def awards(events: list[AnyEvent]) -> list[PotAwarded]:
    return [event for event in events if isinstance(event, PotAwarded)]


def all_in(stacks: dict[int, int], board: tuple[str, ...] = BOARD, smallest_chip: int = 1) -> Hand:
    """Everybody all-in before the flop, first to act first, and the board dealt."""
    hand = new_hand(stacks, level(1, 2), smallest_chip=smallest_chip)
    while hand.to_act is not None:
        play(hand, f"{hand.to_act} all-in")
    play(hand, *board)
    assert hand.street is Street.SHOWDOWN
    return hand


def checked_down(board: tuple[str, ...] = BOARD) -> Hand:
    hand = new_hand({1: 1_000, 2: 1_000, 3: 1_000}, level(50, 100))
    play(hand, "3 call", "1 call", "2 check")
    for cards in board:
        play(hand, cards, "1 check", "2 check", "3 check")
    return hand


def test_the_best_tabled_hand_wins_and_is_named() -> None:
    hand = checked_down()
    events = play(hand, "1 table AhAd", "2 table 7c7h", "3 table KsQs", "award")
    (award,) = awards(events)
    assert award.why == "cards"
    assert award.hand == "three of a kind, sevens"
    assert [(share.seat, share.amount) for share in award.shares] == [(2, 300)]
    assert hand.stacks == {1: 900, 2: 1_200, 3: 900}


def test_the_pot_is_ready_when_every_live_hand_is_tabled_or_mucked() -> None:
    hand = checked_down()
    play(hand, "1 table AhAd", "2 muck")
    assert not hand.ready_to_award
    play(hand, "3 table KsQs")
    assert hand.ready_to_award
    assert hand.live_seats == (1, 3)


def test_a_hand_that_is_not_tabled_loses_to_one_that_is() -> None:
    """wfp.showdown.1"""
    hand = checked_down()
    (award,) = awards(play(hand, "3 table 4c5s", "award"))
    assert [share.seat for share in award.shares] == [3]


def test_somebody_must_show() -> None:
    answer = refused(checked_down(), "award")
    assert answer.reason == "Nobody has tabled a hand for the main pot: seats 1, 2 and 3 must show."
    assert answer.rule == "wfp.showdown.1"


def test_the_last_hand_that_is_not_mucked_wins_without_showing() -> None:
    hand = checked_down()
    play(hand, "1 muck", "2 muck")
    assert hand.ready_to_award
    assert refused(hand, "3 muck").reason == "Seat 3 is the last hand for a pot and wins it."
    (award,) = awards(play(hand, "award"))
    assert (award.why, award.shares[0].seat) == ("last_standing", 3)


def test_the_dealers_word_goes_before_the_cards() -> None:
    hand = checked_down()
    (award,) = awards(play(hand, "1 table AhAd", "2 table 7c7h", "award 1 3"))
    assert award.why == "dealer"
    assert [(share.seat, share.amount) for share in award.shares] == [(1, 150), (3, 150)]


def test_a_winner_who_is_not_in_the_hand_is_refused() -> None:
    hand = checked_down()
    play(hand, "2 muck")
    assert refused(hand, "award 2").reason == "Seat 2 has mucked."
    assert refused(hand, "award 8").reason == "Seat 8 was not dealt in."


def test_unread_cards_decide_nothing() -> None:
    hand = checked_down(("board 2c7d9h", "board ??", "board 3d"))
    play(hand, "1 table AhAd", "2 table ????", "3 muck")
    answer = refused(hand, "award")
    assert answer.reason == "Not read: board card 4 and the cards of seat 2. Who wins?"
    play(hand, "2 table 7c7h")
    events = done(hand.push(ReadBoard(("2c", "7d", "9h", "Ts", "3d"), (Source.CAMERA,))))
    assert events == (BoardRead(("2c", "7d", "9h", "Ts", "3d"), (Source.CAMERA,)),)
    assert awards(play(hand, "award"))[0].shares[0].seat == 2


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        (("2c", "7d"), "The board has 3 cards, not 2."),
        (("2c", "8d", "9h"), "The board shows 7d, not 8d."),
        (("2c", "7d", "2c"), "2c lies on the table already."),
        (("2c", "7d", "Ah"), "Ah lies on the table already."),
        (("2c", "7d", "1h"), "'1h' is not a card."),
    ],
)
def test_a_board_read_later_fills_in_and_changes_nothing(cards: tuple[str, ...], reason: str) -> None:
    hand = new_hand({1: 1_000, 2: 1_000}, level(50, 100))
    play(hand, "2 call", "1 check", "board 2c7d??", "1 table AhAd")
    answer = hand.push(ReadBoard(cards))
    assert isinstance(answer, Refusal)
    assert answer.reason == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("board 2c7d", "The flop has 3 cards, not 2."),
        ("board 2c7d2c", "2c lies on the table already."),
        ("1 table Ah", "A hand is 2 cards, not 1."),
        ("1 table AhAh", "Ah lies on the table already."),
        ("1 table AhXh", "'Xh' is not a card."),
    ],
)
def test_cards_that_cannot_be_are_refused(line: str, reason: str) -> None:
    hand = new_hand({1: 1_000, 2: 1_000}, level(50, 100))
    play(hand, "2 call", "1 check")
    assert refused(hand, line).reason == reason


def test_no_card_comes_after_the_river() -> None:
    assert refused(checked_down(), "board 4c").reason == "No board card is due."


def test_a_hand_tabled_early_is_recorded_and_play_goes_on() -> None:
    hand = new_hand({1: 1_000, 2: 1_000, 3: 1_000}, level(50, 100))
    play(hand, "3 table AhAd")
    assert (hand.tabled, hand.to_act) == ({3: ("Ah", "Ad")}, 3)


def test_side_pots_are_won_by_different_hands() -> None:
    """Short stack best, middle stack second: each wins what it can, the rest comes back."""
    hand = all_in({1: 100, 2: 300, 3: 900})
    assert [(pot.amount, set(pot.eligible)) for pot in hand.pots] == [(300, {1, 2, 3}), (400, {2, 3})]
    play(hand, "1 table 9c9d", "2 table 7c7h", "3 table AhAd", "award")
    assert hand.stacks == {1: 300, 2: 400, 3: 600}


def test_two_pots_of_405_and_273_split_by_the_same_hands_pay_340_and_338() -> None:
    """tda.21: 203 + 137 and 202 + 136, though the third player of the main pot has mucked; not 339 each."""
    hand = new_hand({1: 1_000, 2: 1_000, 3: 100, 4: 1_000}, level(50, 101, big_blind_ante=5))
    play(hand, "3 all-in", "4 raise 236", "1 call", "2 fold")
    for cards in STRAIGHT_ON_BOARD:
        play(hand, cards, "1 check", "4 check")
    play(hand, "report 3 muck", "1 table 2c2d", "4 table 3c3d")
    pots = awards(play(hand, "award"))
    assert [pot.amount for pot in pots] == [273, 405]
    assert hand.stacks == {1: 764 + 340, 2: 894, 3: 0, 4: 764 + 338}


def test_the_odd_chip_goes_left_of_the_button_in_the_smallest_chip() -> None:
    """tda.20"""
    hand = all_in({1: 250, 2: 250, 3: 250}, STRAIGHT_ON_BOARD, smallest_chip=50)
    play(hand, "report 3 muck", "1 table 2c2d", "2 table 3c3d")
    (award,) = awards(play(hand, "award"))
    assert [(share.seat, share.amount) for share in award.shares] == [(1, 400), (2, 350)]


def test_a_mucked_loser_does_not_merge_the_pots() -> None:
    """Seat 1 is all-in for less and mucks: main and side pot are still split one by one (tda.21)."""
    hand = all_in({1: 101, 2: 210, 3: 210}, STRAIGHT_ON_BOARD)
    play(hand, "report 1 muck", "2 table 2c2d", "3 table 3c3d")
    pots = awards(play(hand, "award"))
    assert [pot.amount for pot in pots] == [218, 303]
    assert [[share.amount for share in pot.shares] for pot in pots] == [[109, 109], [152, 151]]


def test_who_is_out_is_said_at_the_end() -> None:
    hand = all_in({1: 100, 2: 300})
    events = play(hand, "1 table KcQd", "2 table AhAd", "award")
    assert isinstance(events[-1], HandEnded)
    assert events[-1].out == (1,)


def test_the_last_to_bet_or_raise_on_the_last_street_shows_first() -> None:
    """tda.17"""
    hand = new_hand({1: 1_000, 2: 1_000, 3: 1_000}, level(50, 100))
    play(hand, "3 raise 300", "1 call", "2 call")
    for cards in BOARD[:2]:
        play(hand, cards, "1 check", "2 check", "3 check")
    play(hand, BOARD[2], "1 check", "2 bet 100", "3 call", "1 call")
    assert hand.show_order == (2, 3, 1)


def test_when_the_last_street_was_checked_the_first_left_of_the_button_shows_first() -> None:
    """tda.17"""
    assert checked_down().show_order == (1, 2, 3)


def test_chips_of_an_award_add_up() -> None:
    hand = all_in({1: 37, 2: 111, 3: 222, 4: 333}, STRAIGHT_ON_BOARD)
    for seat, cards in {1: "2c2d", 2: "3c3d", 3: "4c4d", 4: "5c5d"}.items():
        play(hand, f"{seat} table {cards}")
    done(hand.push(command("award")))
    assert sum(hand.stacks.values()) == 37 + 111 + 222 + 333
    assert hand.stacks[Seat(4)] == Chips(333)
