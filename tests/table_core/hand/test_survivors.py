"""Facts that no other test told from a small change of the engine; `python -m tests.mutation` found them."""

from typing import Any

import pytest

from table_core.cards import parse_card
from table_core.hand.button import Positions
from table_core.hand.hand import Hand
from table_core.hand.seats import next_in
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    AwardPots,
    Chips,
    ChopBlinds,
    Counted,
    HandEnded,
    KillHand,
    MuckHand,
    Refusal,
    Seat,
    Source,
    Street,
    TableHand,
)
from table_core.rulebook import load_rulebook
from table_core.tournament.field.eliminations import Bust, rank_busts
from table_core.tournament.money.best_hand import counts_as_best_hand
from tests.table_core.rules.shown import BOARD, RIVER, TURN, checked_down, hand_of, least, on_flop
from tests.table_core.table import BASE, done, level, new_hand, play, refused, start

FIVE = dict.fromkeys(range(1, 6), 5_000)
THREE = dict.fromkeys(range(1, 4), 5_000)


def told(hand: Hand, what: Any) -> str:
    """The reason why a command is refused; the hand stays as it was."""
    before = hand.snapshot()
    answer = hand.push(what)
    assert isinstance(answer, Refusal)
    assert hand.snapshot() == before
    return answer.reason


def one(hand: Hand, what: Any) -> AnyEvent:
    """The single event that a command makes."""
    (event,) = done(hand.push(what))
    return event


# ------------------------------------------------------------------------------------- before and after


def test_before_the_first_hand_nothing_is_in_play() -> None:
    hand = Hand(BASE)
    assert (hand.folded, hand.mucked, hand.live_seats, hand.all_in, hand.away, hand.beaten) == ((),) * 6
    assert (hand.tabled, hand.stacks, hand.bets, hand.short_calls) == ({}, {}, {}, {})
    now = hand.snapshot()
    assert (now.hand, now.street, now.seats, now.pots, now.board) == (0, Street.DONE, (), (), ())
    assert (now.dead, now.bet_to_match, now.full_bet) == (0, 0, 0)
    assert (now.to_act, now.pending, now.aggressor, now.away, now.beaten) == (None, (), None, (), ())
    assert now.betting_closed


def test_a_chopped_hand_is_over_and_its_betting_closed() -> None:
    hand = hand_of("wfp", house={"blind_chop": True})
    play(hand, "3 fold")
    done(hand.push(ChopBlinds()))
    assert (hand.ended, hand.to_act, hand.snapshot().betting_closed) == (True, None, True)


def test_a_snapshot_tells_who_folded_mucked_is_all_in_and_tabled() -> None:
    hand = new_hand({1: 1_000, 2: 1_000, 3: 300, 4: 1_000}, level(50, 100))
    play(hand, "3 all-in", "4 fold", "1 call", "2 call", *BOARD[:1], "1 check", "2 check")
    play(hand, TURN, "1 check", "2 check", RIVER, "1 check", "2 check", "1 table AhAd", "report 2 muck")
    seats = {seat.seat: seat for seat in hand.snapshot().seats}
    assert {seat for seat in seats if seats[seat].folded} == {4}
    assert {seat for seat in seats if seats[seat].mucked} == {2}
    assert {seat for seat in seats if seats[seat].all_in} == {3}
    assert seats[Seat(1)].tabled == ("Ah", "Ad")
    assert (hand.folded, hand.mucked, hand.all_in) == ((4,), (2,), (3,))


def test_a_hand_is_started_and_then_ended() -> None:
    hand = Hand(BASE)
    assert (hand.started, hand.ended) == (False, False)
    done(hand.push(start(THREE, level(50, 100))))
    assert (hand.started, hand.ended) == (True, False)
    play(hand, "3 fold", "1 fold")
    assert (hand.started, hand.ended) == (True, True)


def test_a_replayed_award_is_a_step_of_its_own() -> None:
    hand = checked_down("base")
    play(hand, "1 table AhAd", "2 table KhKd", "3 table QhQd")
    before = hand.snapshot()
    awarded = done(hand.decide(AwardPots()))
    for event in awarded:
        hand.apply(event)
    hand.pop()
    assert hand.snapshot() == before


def test_equal_hands_have_one_snapshot() -> None:
    one_hand, another = new_hand(THREE, level(50, 100)), new_hand(THREE, level(50, 100))
    assert len({one_hand.snapshot(), another.snapshot()}) == 1
    play(another, "3 call")
    assert len({one_hand.snapshot(), another.snapshot()}) == 2


def test_places_and_positions_cannot_be_changed_afterwards() -> None:
    busts = [Bust("Ann", 900), Bust("Ben", 400)]
    assert len({*rank_busts(busts, 7, BASE), *rank_busts(busts, 7, BASE)}) == 2
    positions = [Positions(Seat(1), None, Seat(3)) for _ in range(2)]
    assert len(set(positions)) == 1


def test_when_the_hand_is_over_nobody_must_table() -> None:
    hand = new_hand({1: 300, 2: 300}, level(50, 100))
    play(hand, "2 all-in", "1 call")
    assert hand.must_table == (1, 2)
    play(hand, *BOARD, "award 1")
    assert (hand.tabled, hand.must_table) == ({}, ())


def test_where_the_book_says_so_the_left_of_the_button_shows_before_the_bettor() -> None:
    hand = on_flop("base", house={"showdown_order": "left_of_button"})
    play(hand, "1 check", "2 check", "3 check", TURN, "1 check", "2 check", "3 check")
    play(hand, RIVER, "1 check", "2 bet 100", "3 call", "1 call")
    assert hand.show_order == (1, 2, 3)


def test_a_hand_that_needs_only_its_second_card_is_no_best_hand() -> None:
    """Three kings on the board: whichever of the two is the fourth king, the other card plays no part."""
    board = [parse_card(card) for card in ("Kh", "Ks", "Kc", "Qd", "Jd")]
    for hole in (("2c", "Kd"), ("Kd", "2c")):
        assert not counts_as_best_hand([parse_card(card) for card in hole], board, load_rulebook("rpl"))


def test_the_end_of_a_hand_whose_beginning_was_not_seen_changes_nothing() -> None:
    hand = Hand(BASE)
    before = hand.snapshot()
    hand.apply(HandEnded(4, (), ()))
    assert hand.snapshot() == before


# --------------------------------------------------------------------------------------- turn and words


def test_the_next_of_a_set_comes_clockwise_and_round_again() -> None:
    places = 0b10110
    assert [next_in(places, after) for after in range(-1, 6)] == [1, 1, 2, 4, 4, 1, 1]
    assert next_in(0, 3) == -1


def test_a_hand_that_is_over_has_no_pot_to_award() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 fold", "1 fold")
    assert not hand.ready_to_award


def test_a_card_lies_in_one_place_only() -> None:
    hand = on_flop("base")
    assert told(hand, TableHand(Seat(1), ("2c", "Ah"))) == "2c lies on the table already."
    play(hand, "1 table AhAd", "1 check", "2 check", "3 check")
    assert refused(hand, "board Ah").reason == "Ah lies on the table already."


def test_who_folded_is_told_apart_from_who_must_wait() -> None:
    hand = new_hand(FIVE, level(50, 100))
    play(hand, "3 fold", "4 call")
    assert refused(hand, "3 call").reason == "Seat 5 is to act, seat 3 has folded."
    assert refused(hand, "1 call").reason == "Seat 5 is to act, not seat 1."
    assert refused(hand, "9 call").reason == "Seat 5 is to act, seat 9 was not dealt in."


def test_a_check_is_no_all_in_and_puts_nothing_in() -> None:
    (checked,) = play(on_flop("base"), "1 check")
    assert isinstance(checked, Acted)
    assert (checked.added, checked.to, checked.all_in) == (0, 0, False)


def test_a_check_of_the_big_blind_leaves_its_blind_in_front() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 call", "1 call")
    checked, *_ = play(hand, "2 check")
    assert isinstance(checked, Acted)
    assert (checked.added, checked.to) == (0, 100)


def test_a_call_is_named_by_its_total_or_by_the_bet_that_it_matches() -> None:
    hand = new_hand({1: 80, 2: 5_000, 3: 5_000}, level(50, 100))
    play(hand, "3 raise 300")
    assert refused(hand, "1 call 60").reason == "The call is 30, to 80, not to 60."
    for named in (80, 300):
        (called,) = play(hand, f"1 call {named}")
        assert isinstance(called, Acted)
        assert (called.added, called.to, called.all_in) == (30, 80, True)
        hand.pop()


def test_a_call_of_nothing_is_a_check_unless_another_amount_is_named() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 call", "1 call")
    for other in (50, 200):
        assert refused(hand, f"2 call {other}").reason == "Nothing to call."
    checked, *_ = play(hand, "2 call 100")
    assert isinstance(checked, Acted)
    assert (checked.action, checked.added, checked.to, checked.all_in) == (Action.CHECK, 0, 100, False)


def test_killing_a_hand_out_of_turn_leaves_the_turn_where_it_is() -> None:
    hand = new_hand(FIVE, level(50, 100))
    done(hand.push(KillHand(Seat(5), "fouled")))
    assert (hand.to_act, hand.folded) == (3, (5,))
    hand.apply(Counted(Seat(4), Chips(0), Chips(5_000), Source.DIRECTOR))
    assert (hand.to_act, hand.all_in) == (3, (4,))


def test_between_two_streets_betting_is_not_over_and_nobody_mucks() -> None:
    hand = on_flop("base")
    play(hand, "1 check", "2 check", "3 check")
    assert (hand.awaiting_board, hand.betting_over) == (True, False)
    assert told(hand, MuckHand(Seat(2))) == "Betting goes on: seat 2 folds in turn."


def test_where_one_raise_must_be_full_short_all_ins_do_not_add_up() -> None:
    """Bet 200, all-in 300, all-in 400: the bettor faces 200 more. A full raise behind them opens the betting."""
    house = {"short_all_in_reopens": "when_one_raise_was_full"}
    stacks = {1: 5_000, 2: 300, 3: 400, 4: 5_000}
    hand = on_flop("base", stacks, house=house)
    play(hand, "1 bet 200", "2 all-in", "3 all-in", "4 call")
    assert least(hand) is None
    hand.pop()
    play(hand, "4 raise 600")
    assert least(hand) == 800
    by_total = on_flop("base", stacks)
    play(by_total, "1 bet 200", "2 all-in", "3 all-in", "4 call")
    assert least(by_total) == 600


def test_a_raise_over_short_all_ins_is_of_one_chip_at_least_where_they_do_not_count() -> None:
    """Bet 200, all-in 300, all-in 450: a full raise of the bet would be to 400, below the all-in."""
    house = {"raise_over_short_raise": "last_full_bet_plus_minimum"}
    hand = on_flop("base", {1: 5_000, 2: 300, 3: 450, 4: 5_000}, house=house)
    play(hand, "1 bet 200", "2 all-in", "3 all-in")
    assert (hand.to_act, least(hand)) == (4, 451)


def test_without_check_raises_a_bettor_is_told_of_the_short_raise_and_a_checker_of_the_check() -> None:
    stacks = {1: 5_000, 2: 5_000, 3: 150}
    for first, second, reason in (
        ("1 bet 100", "2 call", "Seat 1 has acted and faces less than a full raise: call or fold."),
        ("1 check", "2 check", "Seat 1 checked: call or fold."),
    ):
        hand = on_flop("base", stacks, house={"check_raise": False})
        play(hand, first, second, "3 all-in")
        assert refused(hand, "1 raise 600").reason == reason


def test_who_acted_is_told_apart_from_the_next_seat_which_was_all_in_before() -> None:
    """Seat 1 bets 200 and faces an all-in of 300: closed to it, though seat 2 beside it never acted."""
    house = {"short_all_in_reopens": "when_one_raise_was_full"}
    hand = hand_of("base", {1: 5_000, 2: 100, 3: 400, 4: 5_000}, house=house)
    play(hand, "3 call", "4 call", "1 call", BOARD[0], "1 bet 200", "3 all-in", "4 call")
    assert (hand.to_act, least(hand)) == (1, None)


@pytest.mark.rule("home.betting.4")
def test_each_street_has_its_own_minimum_bet() -> None:
    """Small blind before the flop and on it, big blind from the turn on; a house may change the river alone."""
    hand = hand_of("home", house={"min_bet_by_street": ["small_blind", "small_blind", "small_blind", "big_blind"]})
    play(hand, "3 call", "1 call", "2 check")
    found = []
    for cards in BOARD:
        play(hand, cards)
        found.append(least(hand))
        play(hand, "1 check", "2 check", "3 check")
    assert found == [50, 50, 100]
