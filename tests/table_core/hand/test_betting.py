"""Blinds, antes, whose turn it is, and what may be bet."""

import pytest

from table_core.hand.hand import Hand
from table_core.messages import (
    Acted,
    Action,
    BetReturned,
    BettingClosed,
    Chips,
    HandEnded,
    Legal,
    Post,
    Posted,
    PotAwarded,
    Refusal,
    Seat,
    Share,
    Street,
)
from tests.table_core.table import BASE, command, done, level, new_hand, play, refused, start

SIX = dict.fromkeys(range(1, 7), 10_000)
FLOP = "board 2c7d9h"


def legal(hand: Hand) -> Legal:
    now = hand.legal()
    assert now is not None
    return now


# ------------------------------------------------------------------------------- rule 47, worked cases


def on_the_flop(stacks: dict[int, int]) -> Hand:
    """Seat 1 acts first after the flop; everyone called 100 before it, so stacks are what is left then."""
    hand = new_hand({seat: stack + 100 for seat, stack in stacks.items()}, level(50, 100))
    seats = list(stacks)
    play(hand, *[f"{seat} call" for seat in seats[2:] + seats[:2]], FLOP)
    assert hand.to_act == 1
    return hand


def case_1() -> Hand:
    """50–100: A bets 100, B all-in 125, C calls, D all-in 200, E calls; back to A."""
    hand = on_the_flop({1: 5_000, 2: 125, 3: 5_000, 4: 200, 5: 5_000})
    play(hand, "1 bet 100", "2 all-in", "3 call", "4 all-in", "5 call")
    assert hand.to_act == 1
    return hand


def test_47_1_two_short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() -> None:
    assert legal(case_1()) == Legal(Seat(1), False, Chips(100), Chips(300), Chips(5_000))


def test_47_1a_who_faces_less_than_a_full_raise_may_not_raise() -> None:
    hand = case_1()
    play(hand, "1 call")
    assert legal(hand) == Legal(Seat(3), False, Chips(75), None, None)
    assert refused(hand, "3 raise 400").rule == "tda.47"
    assert refused(hand, "3 all-in").rule == "tda.47"


def test_47_1b_after_a_full_raise_everyone_may_raise() -> None:
    hand = case_1()
    play(hand, "1 raise 300")
    assert (legal(hand).seat, legal(hand).min_to) == (3, 400)


def test_47_2_who_has_not_acted_raises_by_the_last_full_bet() -> None:
    hand = on_the_flop({1: 5_000, 2: 500, 3: 650, 4: 800, 5: 5_000, 6: 5_000})
    play(hand, "1 bet 300", "2 all-in", "3 all-in", "4 all-in", "5 call")
    assert (legal(hand).seat, legal(hand).min_to) == (6, 1_100)


def case_3() -> Hand:
    """2,000–4,000: under the gun calls, a fold, all-in for 7,500, folds to the big blind."""
    stacks = {1: 90_000, 2: 90_000, 3: 90_000, 4: 90_000, 5: 7_500, 6: 90_000}
    hand = new_hand(stacks, level(2_000, 4_000))
    play(hand, "3 call", "4 fold", "5 all-in", "6 fold", "1 fold")
    return hand


def test_47_3_the_big_blind_has_not_acted_and_may_raise() -> None:
    assert (legal(case_3()).seat, legal(case_3()).min_to) == (2, 11_500)


def test_47_3a_a_caller_may_not_raise_a_short_all_in() -> None:
    hand = case_3()
    play(hand, "2 call")
    assert legal(hand) == Legal(Seat(3), False, Chips(3_500), None, None)


def test_47_3b_a_caller_may_raise_after_the_big_blind_raised_in_full() -> None:
    hand = case_3()
    play(hand, "2 raise 11500")
    assert (legal(hand).seat, legal(hand).min_to) == (3, 15_500)


# ------------------------------------------------------------------------------------ other raise rules


def test_a_raise_is_at_least_the_last_raise() -> None:
    """tda.43"""
    hand = new_hand(SIX, level(50, 100))
    play(hand, "3 raise 350")
    answer = refused(hand, "4 raise 599")
    assert (answer.reason, answer.rule) == ("Raise to at least 600.", "tda.43")
    assert answer.legal == Legal(Seat(4), False, Chips(350), Chips(600), Chips(10_000))
    play(hand, "4 raise 600", "5 raise 2000")
    assert legal(hand).min_to == 3_400


def test_a_bet_is_at_least_the_big_blind() -> None:
    hand = on_the_flop({1: 5_000, 2: 60, 3: 5_000})
    assert refused(hand, "1 bet 99").reason == "Bet at least 100."
    play(hand, "1 check", "2 all-in")
    assert hand.bets[Seat(2)] == 60


def test_over_a_short_all_in_bet_a_raise_adds_the_minimum_bet() -> None:
    """wfp.nolimit.2b: all-in for 20, raise to at least 120. Who checked before may not raise."""
    hand = on_the_flop({1: 5_000, 2: 20, 3: 5_000})
    play(hand, "1 check", "2 all-in")
    assert legal(hand).min_to == 120
    play(hand, "3 call")
    assert legal(hand) == Legal(Seat(1), False, Chips(20), None, None)


def test_an_all_in_over_the_top_that_nobody_can_call_is_allowed_and_comes_back() -> None:
    hand = new_hand({1: 300, 2: 300, 3: 9_000}, level(50, 100))
    play(hand, "3 call", "1 all-in", "2 all-in")
    assert legal(hand).max_to == 9_000
    events = play(hand, "3 all-in")
    assert BetReturned(Seat(3), Chips(8_700)) in events
    assert hand.stacks[Seat(3)] == 8_700


def test_a_raise_above_the_stack_is_all_in_and_a_short_one_is_a_call() -> None:
    hand = new_hand({1: 10_000, 2: 10_000, 3: 80, 4: 900}, level(50, 100))
    (call,) = play(hand, "3 raise 400")
    assert isinstance(call, Acted)
    assert (call.action, call.added, call.all_in) == (Action.CALL, 80, True)
    (raised,) = play(hand, "4 raise 5000")
    assert isinstance(raised, Acted)
    assert (raised.action, raised.to, raised.all_in) == (Action.RAISE, 900, True)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("4 call", "Seat 3 is to act, not seat 4."),
        ("9 fold", "Seat 3 is to act, seat 9 was not dealt in."),
        ("3 check", "Seat 3 cannot check: 100 to call."),
        ("3 raise 100", "A raise must go above 100."),
        ("3 raise -5", "A raise must go above 100."),
        ("3 call 150", "The call is 100, to 100, not to 150."),
        ("board 2c7d9h", "Betting is not closed: seat 3 is to act."),
        ("award", "Betting is not closed: seat 3 is to act."),
        ("3 muck", "Betting goes on: seat 3 folds in turn."),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_dealers_words(line: str, reason: str) -> None:
    answer = refused(new_hand(SIX, level(50, 100)), line)
    assert answer.reason == reason
    assert answer.legal is not None
    assert answer.legal.seat == 3


def test_who_folded_or_is_all_in_has_no_turn() -> None:
    hand = new_hand({**SIX, 4: 900}, level(50, 100))
    play(hand, "3 fold", "4 all-in")
    assert refused(hand, "3 call").reason == "Seat 5 is to act, seat 3 has folded."
    assert refused(hand, "4 call").reason == "Seat 5 is to act, seat 4 is all-in."


def test_a_fold_is_taken_when_a_check_would_do() -> None:
    hand = on_the_flop({1: 500, 2: 500, 3: 500})
    play(hand, "1 fold")
    assert hand.folded == (1,)


# -------------------------------------------------------------------------------------- blinds and antes


def test_the_order_of_play() -> None:
    hand = new_hand(SIX, level(50, 100), button=2)
    order = []
    while hand.to_act is not None:
        order.append(hand.to_act)
        play(hand, f"{hand.to_act} call")
    play(hand, FLOP)
    assert order == [5, 6, 1, 2, 3, 4]
    assert hand.to_act == 3


def test_heads_up_the_button_is_small_blind_acts_first_before_the_flop_and_last_after() -> None:
    """tda.34"""
    hand = new_hand({3: 1_000, 8: 1_000}, level(50, 100), button=8)
    assert (hand.bets[Seat(8)], hand.bets[Seat(3)], hand.to_act) == (50, 100, 8)
    play(hand, "8 call", "3 check", FLOP)
    assert hand.to_act == 3


def test_heads_up_the_small_blind_elsewhere_is_refused() -> None:
    wrong = start({1: 500, 2: 500, 3: 500}, level(50, 100))
    answer = Hand(BASE).push(
        type(wrong)(1, Seat(3), Seat(1), Seat(2), wrong.level, wrong.seats[:2]),
    )
    assert isinstance(answer, Refusal)
    assert answer.rule == "tda.34"


def test_the_big_blind_may_raise_when_everyone_called() -> None:
    """wfp.blindrules.6"""
    hand = new_hand({1: 500, 2: 500, 3: 500}, level(50, 100))
    play(hand, "3 call", "1 call")
    assert legal(hand) == Legal(Seat(2), True, None, Chips(200), Chips(500))


def test_after_a_short_big_blind_callers_owe_the_full_amount() -> None:
    """wfp.nolimit.2a, rpl.blindrules.1"""
    hand = new_hand({1: 5_000, 2: 30, 3: 5_000}, level(50, 100))
    assert hand.bets[Seat(2)] == 30
    assert hand.all_in == (2,)
    assert legal(hand) == Legal(Seat(3), False, Chips(100), Chips(200), Chips(5_000))
    events = play(hand, "3 call", "1 call")
    assert events[-1] == BettingClosed(Street.PREFLOP, (Chips(90), Chips(140)))


def test_the_big_blind_ante_is_posted_after_the_blind_and_never_reduced() -> None:
    """tda.RP-11: with 250 of 200 and 200, the blind is full and the ante short."""
    hand = Hand(BASE)
    events = done(hand.push(start({1: 5_000, 2: 250, 3: 5_000}, level(100, 200, big_blind_ante=200))))
    posted = [(event.what, event.seat, event.amount) for event in events if isinstance(event, Posted)]
    assert posted == [(Post.SMALL_BLIND, 1, 100), (Post.BIG_BLIND, 2, 200), (Post.BIG_BLIND_ANTE, 2, 50)]
    assert [pot.amount for pot in hand.pots] == [50]


def test_an_ante_from_each_is_posted_before_the_blinds() -> None:
    hand = Hand(BASE)
    events = done(hand.push(start({1: 5_000, 2: 110, 3: 5}, level(50, 100, ante=20))))
    posted = [(event.what, event.seat, event.amount) for event in events if isinstance(event, Posted)]
    assert posted == [
        (Post.ANTE, 1, 20),
        (Post.ANTE, 2, 20),
        (Post.ANTE, 3, 5),
        (Post.SMALL_BLIND, 1, 50),
        (Post.BIG_BLIND, 2, 90),
    ]
    assert hand.all_in == (2, 3)
    assert hand.to_act == 1


def test_a_dead_small_blind_is_not_posted() -> None:
    command = start({1: 500, 2: 500, 4: 500}, level(50, 100))
    hand = Hand(BASE)
    done(hand.push(type(command)(7, Seat(2), None, Seat(4), command.level, command.seats)))
    assert hand.bets == {4: 100, 1: 0, 2: 0}
    assert hand.to_act == 1


# --------------------------------------------------------------------------------------- closing a round


def test_a_bet_that_nobody_calls_comes_back_and_the_last_hand_standing_wins() -> None:
    hand = new_hand({1: 1_000, 2: 1_000, 3: 1_000}, level(50, 100))
    events = play(hand, "3 raise 300", "1 fold", "2 fold")
    assert events[-4:] == [
        BetReturned(Seat(3), Chips(200)),
        BettingClosed(Street.PREFLOP, (Chips(250),)),
        PotAwarded(0, Chips(250), (Seat(3),), (Share(Seat(3), Chips(250)),), "last_standing"),
        HandEnded(1, (Share(Seat(1), Chips(950)), Share(Seat(2), Chips(900)), Share(Seat(3), Chips(1_150)))),
    ]
    assert hand.ended
    assert hand.street is Street.DONE


def test_when_everyone_but_one_is_all_in_the_board_runs_out_without_betting() -> None:
    hand = new_hand({1: 300, 2: 9_000, 3: 9_000}, level(50, 100))
    play(hand, "3 fold", "1 all-in", "2 call")
    for board in (FLOP, "board Ts", "board 3d"):
        assert hand.awaiting_board
        assert hand.legal() is None
        play(hand, board)
    assert hand.street is Street.SHOWDOWN


def test_a_big_blind_all_in_for_less_than_the_small_blind_closes_the_betting_at_once() -> None:
    hand = new_hand({1: 40, 2: 60}, level(50, 100))
    assert hand.awaiting_board
    assert [pot.amount for pot in hand.pots] == [80]
    assert hand.stacks == {1: 0, 2: 20}


def test_a_player_with_more_in_front_than_the_others_all_in_has_nothing_to_decide() -> None:
    hand = new_hand({1: 5_000, 2: 5_000, 3: 30}, level(50, 100))
    play(hand, "3 all-in", "1 fold")
    assert hand.awaiting_board
    assert hand.stacks[Seat(2)] == 4_950


# ------------------------------------------------------------------------------------- starting and undo


@pytest.mark.parametrize(
    ("stacks", "reason"),
    [
        ({1: 500}, "A hand is for 2 to 11 players, not 1."),
        (dict.fromkeys(range(1, 13), 500), "A hand is for 2 to 11 players, not 12."),
        ({1: 500, 2: 0, 3: 500}, "Seat 2 has no chips: leave it out of the hand."),
    ],
)
def test_a_hand_that_cannot_begin_is_refused(stacks: dict[int, int], reason: str) -> None:
    command = start({1: 500, 2: 500}, level(50, 100))
    seats = start(stacks | {98: 1, 99: 1}, level(50, 100)).seats[: len(stacks)]
    answer = Hand(BASE).push(type(command)(1, Seat(2), Seat(2), Seat(1), command.level, seats))
    assert isinstance(answer, Refusal)
    assert answer.reason == reason


def test_the_next_hand_waits_for_the_end_of_this_one() -> None:
    hand = new_hand(SIX, level(50, 100))
    answer = hand.push(start(SIX, level(50, 100), hand=2))
    assert isinstance(answer, Refusal)
    assert answer.reason == "Hand 1 is not finished."


def test_undo_reaches_back_to_the_riffle_and_over_it() -> None:
    hand = new_hand({1: 500, 2: 500}, level(50, 100))
    play(hand, "2 fold")
    ended = hand.snapshot()
    done(hand.push(start({1: 550, 2: 450}, level(50, 100), button=1, hand=2)))
    play(hand, "1 call")
    hand.pop()
    hand.pop()
    assert hand.snapshot() == ended
    with pytest.raises(IndexError):
        hand.pop()


def test_to_decide_is_not_to_do() -> None:
    hand = new_hand(SIX, level(50, 100))
    before = hand.snapshot()
    assert hand.decide(command("3 raise 300")) == hand.decide(command("3 raise 300"))
    assert hand.snapshot() == before
    assert not isinstance(hand.push(command("3 raise 300")), Refusal)
