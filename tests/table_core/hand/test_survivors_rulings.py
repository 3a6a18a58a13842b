"""As `test_survivors.py`: blinds, misdeals and the director's rulings within a hand."""

import pytest

from table_core.hand.button import Positions, next_positions
from table_core.hand.hand import Hand
from table_core.messages import (
    AwaySet,
    CallMisdeal,
    Chips,
    ChopBlinds,
    CloseDeal,
    CorrectBet,
    Counted,
    HandKilled,
    HandRetrieved,
    KillHand,
    Misdealt,
    RetrieveHand,
    Seat,
    SetAway,
    Source,
)
from tests.table_core.hand.test_survivors import FIVE, THREE, one, told
from tests.table_core.rules.shown import FLOP, hand_of, on_flop
from tests.table_core.table import BASE, done, level, new_hand, play

# --------------------------------------------------------------------------------------- posts and blinds


@pytest.mark.parametrize(
    ("button", "big_blind", "live", "expected"),
    [
        (2, 4, (1, 2, 4, 5), Positions(Seat(3), Seat(4), Seat(5))),
        (8, 1, (1, 2, 8), Positions(Seat(9), Seat(1), Seat(2))),  # the empty seat is the last of the table
    ],
)
def test_after_a_dead_small_blind_the_button_goes_to_the_empty_seat(
    button: int, big_blind: int, live: tuple[int, ...], expected: Positions
) -> None:
    """rpl.blinds.3"""
    seats = [Seat(seat) for seat in live]
    assert next_positions(Seat(button), None, Seat(big_blind), seats, BASE) == expected


def test_a_level_may_do_without_a_small_blind() -> None:
    hand = new_hand(THREE, level(0, 100))
    assert (hand.bets, hand.to_act) == ({1: 0, 2: 100, 3: 0}, 3)
    play(hand, "3 call", "1 call", "2 check")
    assert [pot.amount for pot in hand.pots] == [300]


def test_where_the_small_blind_takes_the_last_chips_the_big_blind_has_nothing_to_decide() -> None:
    hand = new_hand({1: 5_000, 2: 30}, level(50, 100))
    assert (hand.to_act, hand.all_in, hand.must_table) == (None, (2,), (1, 2))
    assert hand.stacks == {1: 4_970, 2: 0}


def test_blinds_are_not_chopped_after_a_raise() -> None:
    hand = hand_of("wfp", house={"blind_chop": True})
    play(hand, "3 fold", "1 raise 300")
    reason = "Blinds are chopped when everyone else has folded and nobody raised."
    assert told(hand, ChopBlinds()) == reason


def test_blinds_are_not_chopped_after_a_call_or_with_antes() -> None:
    called = hand_of("wfp", house={"blind_chop": True})
    play(called, "3 fold", "1 call")
    antes = hand_of("wfp", house={"blind_chop": True}, ante=10)
    play(antes, "3 fold")
    for hand in (called, antes):
        assert told(hand, ChopBlinds()) == "Only the blinds may be in the pot to chop them."


@pytest.mark.rule("tda.36")
def test_a_call_and_a_fold_of_the_small_blind_are_not_yet_two_actions_with_chips() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 call", "1 fold")
    voided, _ = done(hand.push(CallMisdeal("fouled deck")))
    assert isinstance(voided, Misdealt)


@pytest.mark.rule("tda.36")
def test_a_raise_of_the_big_blind_is_an_action_with_chips_whatever_its_ante() -> None:
    hand = new_hand({1: 5_000, 2: 5_000}, level(50, 100, big_blind_ante=100))
    play(hand, "2 call", "1 raise 200")
    assert told(hand, CallMisdeal("fouled deck")) == "Too late for a misdeal: the hand is played out."


def test_every_action_with_chips_beyond_the_deadline_is_too_late() -> None:
    house = {"misdeal_deadline_actions": 5, "misdeal_deadline_wagers": 1}
    hand = hand_of("base", FIVE, house=house)
    for line in ("3 call", "4 call"):
        play(hand, line)
        assert told(hand, CallMisdeal("exposed")) == "Too late for a misdeal: the hand is played out."


def test_there_is_no_misdeal_once_the_flop_is_dealt() -> None:
    assert told(on_flop("base"), CallMisdeal("exposed")) == "Too late for a misdeal: the hand is played out."


@pytest.mark.rule("rpl.tournaments.19")
def test_nobody_is_out_by_the_ante_when_one_alone_would_be_left() -> None:
    for rich, out in (({4: 500, 5: 500}, (1, 2, 3)), ({5: 500}, ())):
        hand = hand_of("rpl", {**dict.fromkeys(range(1, 6), 10), **rich}, (5, 10), ante=10)
        assert hand.folded == out


def test_a_misdeal_gives_back_blinds_and_antes() -> None:
    for posted in (level(50, 100, ante=10), level(50, 100, big_blind_ante=100)):
        hand = new_hand(FIVE, posted)
        play(hand, "3 call")
        done(hand.push(CallMisdeal("exposed")))
        assert hand.stacks == FIVE


# ----------------------------------------------------------------------------------------------- rulings


def test_an_all_in_player_who_has_chips_after_all_may_bet_them() -> None:
    hand = new_hand({**FIVE, 3: 300}, level(50, 100))
    play(hand, "3 all-in", "4 call", "5 fold", "1 fold", "2 call")
    hand.apply(Counted(Seat(3), Chips(700), Chips(0), Source.DIRECTOR))
    assert hand.all_in == ()
    play(hand, FLOP, "2 check")
    assert hand.to_act == 3


def test_an_all_in_bettor_who_gets_chips_back_is_not_all_in() -> None:
    hand = new_hand({1: 5_000, 2: 300}, level(50, 100))
    play(hand, "2 call", "1 all-in", "2 call")
    assert (hand.stacks, hand.all_in) == ({1: 4_700, 2: 0}, (2,))


def test_who_is_counted_at_nothing_in_turn_is_passed_over() -> None:
    hand = new_hand(FIVE, level(50, 100))
    hand.apply(Counted(Seat(3), Chips(0), Chips(5_000), Source.DIRECTOR))
    assert (hand.to_act, hand.all_in) == (4, (3,))


def test_what_is_said_of_a_seat_outside_the_hand_changes_nothing_in_it() -> None:
    hand = new_hand(THREE, level(50, 100))
    before = hand.snapshot()
    hand.apply(AwaySet(Seat(9), True, Source.KEY))
    hand.apply(Counted(Seat(9), Chips(5), Chips(0), Source.KEY))
    assert hand.snapshot() == before


def test_a_seat_that_was_not_dealt_in_is_not_set_away() -> None:
    assert told(new_hand(THREE, level(50, 100)), SetAway(Seat(9), True)) == "Seat 9 was not dealt in."
    assert told(Hand(BASE), SetAway(Seat(1), True)) == "No hand is being played."


def test_the_deal_is_closed_before_the_flop_only() -> None:
    assert told(on_flop("base"), CloseDeal()) == "No deal is going on."


def test_a_killed_hand_keeps_the_rule_that_killed_it() -> None:
    hand = new_hand(FIVE, level(50, 100))
    killed = one(hand, KillHand(Seat(4), "seat change", "tda.36"))
    assert isinstance(killed, HandKilled)
    assert killed.rule == "tda.36"
    killed = one(hand, KillHand(Seat(5), "fouled"))
    assert isinstance(killed, HandKilled)
    assert killed.rule == BASE.cites.dead_hand


@pytest.mark.rule("wfp.deadhands.2")
def test_a_hand_that_is_given_back_acts_before_the_next_and_others_stay_folded() -> None:
    hand = hand_of("wfp", FIVE)
    play(hand, "3 raise 300", "4 fold", "5 fold")
    done(hand.push(RetrieveHand(Seat(5), Source.DIRECTOR)))
    assert (hand.folded, hand.to_act) == ((4,), 5)
    assert hand.snapshot().pending == (1, 2, 5)


def test_a_hand_that_is_given_back_may_raise_for_its_fold_was_no_action() -> None:
    hand = hand_of("wfp", FIVE)
    play(hand, "3 raise 300", "4 fold", "5 call")
    done(hand.push(RetrieveHand(Seat(4), Source.DIRECTOR)))
    legal = hand.legal()
    assert legal is not None
    assert (legal.seat, legal.call, legal.min_to) == (4, 300, 500)


def test_a_hand_that_is_given_back_waits_for_its_turn_behind_a_raise() -> None:
    hand = hand_of("wfp", FIVE)
    play(hand, "3 fold", "4 raise 300")
    done(hand.push(RetrieveHand(Seat(3), Source.DIRECTOR)))
    assert (hand.to_act, hand.snapshot().pending) == (5, (1, 2, 3, 5))


def test_a_short_all_in_is_no_bet_of_too_little() -> None:
    hand = on_flop("base", {1: 80, 2: 5_000, 3: 5_000})
    play(hand, "1 all-in")
    assert told(hand, CorrectBet(Seat(1))) == "Nothing to correct for seat 1, what is in the pot stands."


def test_a_bet_is_brought_up_as_far_as_the_chips_go() -> None:
    hand = on_flop("base", {1: 95, 2: 5_000, 3: 5_000})
    play(hand, "report 1 bet 80")
    done(hand.push(CorrectBet(Seat(1))))
    assert (hand.bets[Seat(1)], hand.all_in, hand.to_act) == (95, (1,), 2)
    play(hand, "2 raise 300")
    assert hand.to_act == 3


def test_a_hand_that_was_folded_with_nothing_to_call_and_is_given_back_decides_again() -> None:
    hand = on_flop("wfp")
    play(hand, "1 fold")
    decided = hand.decide(RetrieveHand(Seat(1), Source.DIRECTOR))
    assert hand.push(RetrieveHand(Seat(1), Source.DIRECTOR)) == decided
    assert (hand.to_act, hand.snapshot().pending) == (1, (1, 2, 3))


def test_a_hand_that_had_called_and_is_given_back_does_not_act() -> None:
    hand = on_flop("wfp")
    play(hand, "1 bet 300", "2 call")
    done(hand.push(KillHand(Seat(2), "fouled")))
    done(hand.push(RetrieveHand(Seat(2), Source.DIRECTOR)))
    assert (hand.to_act, hand.snapshot().pending) == (3, (3,))


def test_a_hand_that_died_before_its_turn_and_is_given_back_acts_in_its_turn() -> None:
    hand = on_flop("wfp")
    done(hand.push(KillHand(Seat(2), "fouled")))
    done(hand.push(RetrieveHand(Seat(2), Source.DIRECTOR)))
    assert (hand.to_act, hand.snapshot().pending) == (1, (1, 2, 3))


def test_a_hand_given_back_by_an_earlier_version_is_played_as_it_was_then() -> None:
    hand = hand_of("wfp", FIVE)
    play(hand, "3 raise 300", "4 fold", "5 fold")
    hand.apply(HandRetrieved(Seat(5), Source.DIRECTOR))
    assert (hand.to_act, hand.snapshot().pending) == (1, (1, 2, 5))


@pytest.mark.rule("wfp.betting.16b")
def test_whoever_called_a_bet_of_too_little_is_asked_for_the_rest_wherever_they_sit() -> None:
    hand = on_flop("wfp", dict.fromkeys(range(1, 5), 5_000))
    play(hand, "1 check", "2 check", "report 3 bet 80", "report 4 call", "report 1 call")
    done(hand.push(CorrectBet(Seat(3))))
    assert (hand.to_act, hand.snapshot().pending) == (2, (1, 2, 4))
    play(hand, "2 call", "4 call", "1 call")
    assert [pot.amount for pot in hand.pots] == [800]


def test_one_caller_of_too_little_makes_it_good_and_another_still_owes() -> None:
    hand = on_flop("wfp", dict.fromkeys(range(1, 5), 5_000))
    play(hand, "1 bet 300", "report 2 call 200", "report 3 call 250")
    assert hand.short_calls == {2: 100, 3: 50}
    done(hand.push(CorrectBet(Seat(2))))
    assert (hand.bets, hand.short_calls) == ({1: 300, 2: 300, 3: 250, 4: 0}, {3: 50})
    play(hand, "4 call")
    assert ([pot.amount for pot in hand.pots], hand.short_calls) == ([1_550], {3: 50})
