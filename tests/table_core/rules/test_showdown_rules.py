"""Showdown, pots, ties and odd chips, by each book. `shown` is `pytest.mark.rule(…)` with what a test shows."""

import itertools

import pytest

from table_core.cards import parse_cards
from table_core.hand.hand import Hand
from table_core.messages import HandEnded, HandsBeaten, PotAwarded, Seat, SeatStack, StartHand
from table_core.ranking import Category, category, rank_hand
from tests.table_core.rules.shown import (
    BOARD,
    RIVER,
    TURN,
    accepted,
    awards,
    checked_down,
    done,
    hand_of,
    on_flop,
    play,
    refused,
    shown,
    won,
)
from tests.table_core.table import level

BROADWAY = ("board AhKdQc", "board Js", "board Td")  # everybody plays the board


def all_in(book: str, stacks: dict[int, int], board: tuple[str, ...] = BOARD, smallest_chip: int = 1) -> Hand:
    """Everybody all-in before the flop and the board dealt."""
    hand = hand_of(book, stacks, (1, 2), smallest_chip=smallest_chip)
    while hand.to_act is not None:
        play(hand, f"{hand.to_act} all-in")
    play(hand, *board)
    return hand


# ------------------------------------------------------------------------------------------ who shows


@shown(
    ccp="ccp.showdown.2",
    wfp="wfp.showdown.8a",
    home="home.showdown.6 home.showdown.7 home.suggest.14",
    rpl="rpl.showdown.7a rpl.deal.7",
)
def test_the_last_to_bet_or_raise_on_the_river_shows_first_else_the_first_to_act(book: str) -> None:
    assert checked_down(book).show_order == (1, 2, 3)
    hand = on_flop(book)
    play(hand, "1 check", "2 bet 100", "3 call", "1 call")
    play(hand, TURN, "1 check", "2 check", "3 check", RIVER)
    checked = hand.snapshot()
    play(hand, "1 check", "2 check", "3 check")
    assert hand.show_order == (1, 2, 3)  # bets of earlier streets do not count
    for _ in range(3):
        hand.pop()
    assert hand.snapshot() == checked
    play(hand, "1 check", "2 bet 100", "3 raise 300", "1 call", "2 call")
    assert hand.show_order == (3, 1, 2)


@shown(wfp="wfp.procedures.27 wfp.showdown.8b", rpl="rpl.tournaments.30 rpl.showdown.7b", base="tda.16")
def test_all_hands_are_turned_up_when_somebody_is_all_in_and_betting_is_over(book: str) -> None:
    hand = hand_of(book, {1: 5_000, 2: 5_000, 3: 400})
    play(hand, "3 all-in", "1 call")
    assert hand.must_table == ()
    play(hand, "2 fold")
    assert hand.must_table == (1, 3)  # before the rest of the board is dealt
    answer = refused(hand, "1 muck")
    assert answer.rule == hand.rulebook.rules.all_in_face_up.rule
    play(hand, "3 table AhAd")
    assert hand.must_table == (1,)


@shown(ccp="ccp.showdown.2", home="home.showdown.6")
def test_where_the_book_does_not_turn_all_in_hands_up_they_show_in_order(book: str) -> None:
    hand = all_in(book, {1: 100, 2: 100, 3: 100})
    assert hand.must_table == ()
    play(hand, "1 table AhAd", "2 muck")


@shown(rpl="rpl.deal.8")
def test_a_beaten_hand_need_not_be_shown_unless_all_in(book: str) -> None:
    hand = checked_down(book)
    play(hand, "1 table AhAd")
    assert accepted(hand, "2 muck")
    assert not accepted(all_in(book, {1: 100, 2: 100}), "2 muck")


# ------------------------------------------------------------------------------------------- who wins


@shown(
    ccp="ccp.showdown.3 ccp.deal.11 ccp.hand.7",
    wfp="wfp.showdown.2a",
    home="home.showdown.2a",
    rpl="rpl.showdown.2a",
)
def test_cards_speak(book: str) -> None:
    hand = checked_down(book)
    events = play(hand, "1 table AhAd", "2 table 7c7h", "3 table KsQs", "award")
    (award,) = awards(events)
    assert (award.why, award.hand) == ("cards", "three of a kind, sevens")
    assert won(events) == {2: 300}


@shown(ccp="ccp.showdown.10")
def test_the_pot_is_awarded_before_the_button_moves(book: str) -> None:
    hand = checked_down(book)
    events = play(hand, "1 table AhAd", "2 muck", "3 muck", "award")
    assert [type(event) for event in events[-2:]] == [PotAwarded, HandEnded]
    assert hand.button == 3


@shown(wfp="wfp.showdown.4", home="home.showdown.3", rpl="rpl.showdown.4")
def test_losing_hands_are_killed_before_the_pot_is_awarded(book: str) -> None:
    hand = checked_down(book)
    beaten, award, _ = play(hand, "1 table AhAd", "2 table 7c7h", "3 table KsQs", "award")[-3:]
    assert beaten == HandsBeaten(0, (Seat(1), Seat(3)))
    assert isinstance(award, PotAwarded)
    assert hand.beaten == (1, 3)


@shown(home="home.suggest.1 home.how.10", rpl="rpl.holdem.2")
def test_the_best_five_of_seven_count_and_the_board_may_be_all_five(book: str) -> None:
    hand = checked_down(book, board=BROADWAY)
    events = play(hand, "1 table 2c2d", "2 table 7c7h", "3 table 3s4s", "award")
    assert won(events) == {1: 100, 2: 100, 3: 100}
    hand = checked_down(book)
    assert won(play(hand, "1 table 9s9d", "2 table 2d5h", "3 table KsQs", "award")) == {1: 300}


@shown(ccp="ccp.showdown.5", home="home.kicker.1")
def test_kickers_decide(book: str) -> None:
    """Kings each: ace over queen; and over a queen on the board (variation.md 72)."""
    board = ("board KhQc7d", "board 4s", "board 2d")
    hand = checked_down(book, board=board)
    assert won(play(hand, "1 table KcAc", "2 table KdJd", "3 muck", "award")) == {1: 300}


@shown(home="home.ties.1 home.kicker.1")
@pytest.mark.parametrize(
    ("board", "first", "second"),
    [
        (("board KhAcQd", "board Js", "board 2d"), "Kc4c", "Kd3d"),  # both play K-K-A-Q-J
        (("board 9hTcJd", "board Qs", "board Kd"), "2c2h", "3c4c"),  # the straight on the board
    ],
)
def test_hands_tie_when_their_best_five_match(book: str, board: tuple[str, ...], first: str, second: str) -> None:
    """variation.md 70, 71"""
    hand = checked_down(book, board=board)
    events = play(hand, f"1 table {first}", f"2 table {second}", "3 muck", "award")
    assert won(events) == {1: 150, 2: 150}


@shown(ccp="ccp.pot.6 ccp.showdown.6", home="home.ties.2")
def test_a_tied_pot_is_split_equally(book: str) -> None:
    """Two ways for 1,000: 500 each."""
    hand = hand_of(book, {1: 500, 2: 500})
    play(hand, "2 all-in", "1 call", *BROADWAY)
    events = play(hand, "1 table 2c2d", "2 table 3c3d", "award")
    assert won(events) == {1: 500, 2: 500}


@shown(ccp="ccp.showdown.4", wfp="wfp.ties.1", rpl="rpl.ties.1")
def test_suits_break_no_tie_for_a_pot(book: str) -> None:
    flushes = [rank_hand(parse_cards(f"A{suit}J{suit}9{suit}5{suit}2{suit}")) for suit in "cdhs"]
    assert len(set(flushes)) == 1
    hand = checked_down(book, board=("board 9h8c7d", "board 2s", "board 2d"))
    events = play(hand, "1 table JsTs", "2 table JcTc", "3 muck", "award")
    assert won(events) == {1: 150, 2: 150}


@pytest.mark.rule("ccp.ranking.1")
@pytest.mark.parametrize(
    ("board", "lower", "higher"),
    [
        ("2c7d9h Js Qd", "AhKd", "3h3d"),  # high card, pair
        ("2c7d9h Js Qd", "AhAd", "2h7h"),  # two pair
        ("2c7d9h Js Qd", "2h7h", "9c9d"),  # three of a kind
        ("2c7d9h Js Qd", "9c9d", "Th8h"),  # straight
        ("2h7h9h Js Qd", "Ts8s", "Ah3h"),  # flush
        ("2h7h9h 9s Qd", "Ah3h", "QhQc"),  # full house
        ("9h9s2h Qd Qc", "QhAd", "9c9d"),  # four of a kind
        ("5h6h7h 9c 9d", "9h9s", "4h8h"),  # straight flush
        ("ThJhQh 2c 3d", "8h9h", "AhKh"),  # the highest of them
    ],
)
def test_the_categories_rank_from_high_card_to_straight_flush(board: str, lower: str, higher: str) -> None:
    flop, turn, river = (f"board {cards}" for cards in board.split())
    hand = checked_down("ccp", board=(flop, turn, river))
    events = play(hand, f"1 table {lower}", f"2 table {higher}", "3 muck", "award")
    assert won(events) == {2: 300}


def test_values_rise_with_the_categories() -> None:
    hands = (
        "AhKdQc9s7d",
        "AhAdQc9s7d",
        "AhAdQcQs7d",
        "AhAdAcQs7d",
        "5h6d7c8s9d",
        "2h6h7h8hTh",
        "2h2d2c3h3d",
        "2h2d2c2s3d",
        "5h6h7h8h9h",
        "ThJhQhKhAh",
    )
    values = [rank_hand(parse_cards(text)) for text in hands]
    assert all(low < high for low, high in itertools.pairwise(values))
    assert [category(value) for value in values[:9]] == list(Category)


# ----------------------------------------------------------------------------------------- side pots


@shown(home="home.sidebets.1 home.sidebets.2 home.sidebets.3")
def test_home_a_side_pot_is_for_those_who_matched_the_raise(book: str) -> None:
    """A all-in 100, B raises to 300, C calls: 300 and 400 (variation.md 69)."""
    hand = on_flop(book, {1: 100, 2: 5_000, 3: 5_000})
    play(hand, "1 all-in", "2 raise 300", "3 call")
    assert [(pot.amount, set(pot.eligible)) for pot in hand.pots] == [(600, {1, 2, 3}), (400, {2, 3})]
    play(hand, TURN, "2 check", "3 check", RIVER, "2 check", "3 check")
    events = play(hand, "1 table 9s9d", "2 table AhAd", "3 table KsQs", "award")
    assert won(events) == {1: 600, 2: 400}


@shown(wfp="wfp.showdown.7 wfp.showdown.8b", rpl="rpl.showdown.7b")
def test_the_last_side_pot_is_awarded_first_the_main_pot_last(book: str) -> None:
    hand = all_in(book, {1: 100, 2: 300, 3: 900, 4: 900})
    play(hand, "1 table 9c9d", "2 table 7c7h", "3 table AhAd", "4 table KhKc")
    assert [award.no for award in awards(play(hand, "award"))] == [2, 1, 0]
    assert hand.stacks == {1: 400, 2: 600, 3: 1_200, 4: 0}


@shown(wfp="wfp.ties.5b", rpl="rpl.ties.4d")
def test_main_and_side_pots_are_split_separately(book: str) -> None:
    """303 and 218: 152 + 109 and 151 + 109, not half of 521."""
    hand = all_in(book, {1: 101, 2: 210, 3: 210}, BROADWAY)
    play(hand, "report 1 muck", "2 table 2c2d", "3 table 3c3d")
    pots = awards(play(hand, "award"))
    assert sorted([share.amount for share in pot.shares] for pot in pots) == [[109, 109], [152, 151]]


# ------------------------------------------------------------------------------------------ odd chips


@shown(
    wfp="wfp.ties.5a wfp.ties.4",
    rpl="rpl.ties.4a rpl.ties.3",
    base="tda.20",
)
def test_the_odd_chip_goes_to_the_first_tied_hand_clockwise_from_the_button(book: str) -> None:
    """125 in 25s, tied seats 3 and 6, button 5: seat 6 gets 75, seat 3 gets 50."""
    stacks = {3: 1_000, 5: 1_000, 6: 1_000}
    hand = hand_of(book, stacks, (25, 50), button=5, smallest_chip=25, big_blind_ante=25)
    play(hand, "5 fold", "6 call", "3 check")
    for board in BROADWAY:
        play(hand, board, "6 check", "3 check")
    (award,) = awards(play(hand, "3 table 2c2d", "6 table 3c3d", "award"))
    assert award.amount == 125
    assert [(share.seat, share.amount) for share in award.shares] == [(6, 75), (3, 50)]


@shown(wfp="wfp.ties.4", rpl="rpl.ties.3")
def test_nobody_gets_more_than_one_odd_chip(book: str) -> None:
    """Three tied hands and two odd units: two seats get one each."""
    hand = all_in(book, {1: 100, 2: 100, 3: 100, 4: 100, 5: 100}, BROADWAY, smallest_chip=25)
    play(hand, "report 4 muck", "report 5 muck", "1 table 2c2d", "2 table 3c3d", "3 table 4c4d")
    (award,) = awards(play(hand, "award"))
    assert award.amount == 500
    assert [share.amount for share in award.shares] == [175, 175, 150]


@shown(wfp="wfp.ties.3", rpl="rpl.ties.2")
def test_an_odd_chip_is_broken_to_the_smallest_in_play(book: str) -> None:
    """An odd 100 with 25s in play: 50 each."""
    hand = all_in(book, {1: 100, 2: 100, 3: 100}, BROADWAY, smallest_chip=25)
    play(hand, "report 3 muck", "1 table 2c2d", "2 table 3c3d")
    (award,) = awards(play(hand, "award"))
    assert [share.amount for share in award.shares] == [150, 150]


@shown(ccp="ccp.showdown.7", home="home.ties.3")
def test_an_odd_chip_stays_in_the_pot_for_the_next_hand(book: str) -> None:
    """25 in 5s tied two ways: 10 each, and 5 stays; 125 in 25s: 50 each, and 25 starts the next pot."""
    for unit, blinds, each in ((5, (5, 10), 10), (25, (25, 50), 50)):
        hand = hand_of(book, {1: 1_000, 2: 1_000, 3: 1_000}, blinds, smallest_chip=unit)
        play(hand, "3 call", "1 fold", "2 check")
        for board in BROADWAY:
            play(hand, board, "2 check", "3 check")
        ended = play(hand, "2 table 2c2d", "3 table 3c3d", "award")[-1]
        assert isinstance(ended, HandEnded)
        assert ended.carried == unit
        assert hand.stacks[Seat(2)] == 1_000 - blinds[1] + each
        seats = tuple(SeatStack(share.seat, share.amount) for share in ended.stacks)
        following = StartHand(2, Seat(1), Seat(2), Seat(3), level(*blinds), seats, carried=ended.carried)
        done(hand.push(following))
        assert [pot.amount for pot in hand.pots] == [unit]
        play(hand, "1 fold", "2 fold")
        assert sum(hand.stacks.values()) == 3_000
