"""Bets, raises and short all-ins by each book. `shown` is `pytest.mark.rule(…)` with what a test shows."""

import pytest

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    BetCorrected,
    Chips,
    CorrectBet,
    Legal,
    Refusal,
    Report,
    Seat,
)
from tests.table_core.rules.shown import (
    BOOKS,
    FLOP,
    RIVER,
    THREE,
    TURN,
    accepted,
    done,
    hand_of,
    least,
    legal,
    on_flop,
    play,
    refused,
    shown,
)

SIX = dict.fromkeys(range(1, 7), 5_000)


# -------------------------------------------------------------------------------------- order of action


@shown(
    ccp="ccp.deal.4 ccp.hand.5",
    wfp="wfp.button.6",
    home="home.how.3a home.blindrules.2",
    rpl="rpl.housebetting.5 rpl.button.6",
)
def test_before_the_flop_the_seat_left_of_the_big_blind_acts_first_and_may_raise(book: str) -> None:
    hand = hand_of(book, SIX)
    assert (hand.big_blind, hand.to_act) == (2, 3)
    assert least(hand) is not None
    play(hand, "3 call")
    assert hand.to_act == 4  # the next seat is prompted after every action


@shown(
    ccp="ccp.deal.6 ccp.deal.8 ccp.deal.10",
    wfp="wfp.button.6",
    home="home.how.5 home.how.7 home.how.9",
    rpl="rpl.housebetting.6 rpl.button.6",
)
def test_later_rounds_begin_with_the_first_active_seat_left_of_the_button(book: str) -> None:
    hand = hand_of(book, SIX)
    play(hand, "3 call", "4 call", "5 fold", "6 call", "1 fold", "2 check")
    for board in (FLOP, TURN, RIVER):
        play(hand, board)
        assert hand.to_act == 2
        play(hand, "2 check", "3 check", "4 check", "6 check")


@pytest.mark.rule("wfp.betting.2c")
def test_action_runs_clockwise_round_the_table() -> None:
    hand = hand_of("wfp", SIX)
    order = []
    while hand.to_act is not None:
        order.append(hand.to_act)
        play(hand, f"{hand.to_act} call")
    assert order == [3, 4, 5, 6, 1, 2]


@shown(rpl="rpl.housebetting.8", home="home.allin.1")
def test_only_the_seat_whose_turn_it_is_may_act_and_all_in_is_always_open_to_it(book: str) -> None:
    hand = hand_of(book)
    answer = refused(hand, "1 all-in")
    assert answer.reason == "Seat 3 is to act, not seat 1."
    assert answer.rule == hand.rulebook.cites.action_in_turn
    assert accepted(hand, "3 all-in")


@shown(ccp="ccp.deal.4", wfp="wfp.blindrules.6", rpl="rpl.blindrules.6")
def test_the_big_blind_is_a_bet_with_the_option_to_raise(book: str) -> None:
    hand = hand_of(book)
    play(hand, "3 call", "1 call")
    assert legal(hand) == Legal(Seat(2), True, None, Chips(200), Chips(5_000))


@shown(wfp="wfp.blindrules.3", rpl="rpl.blindrules.3")
def test_the_blind_may_raise_though_somebody_was_all_in_for_less_than_a_raise(book: str) -> None:
    hand = hand_of(book, {1: 5_000, 2: 5_000, 3: 130})
    play(hand, "3 all-in", "1 call")
    assert least(hand) == 230


# ------------------------------------------------------------------------------------- minimum bets


@shown(ccp="ccp.pot.1a", wfp="wfp.nolimit.2a", rpl="rpl.housebetting.2 rpl.nolimit.2")
def test_a_bet_is_at_least_the_big_blind_on_every_round_unless_all_in(book: str) -> None:
    hand = on_flop(book, {1: 5_000, 2: 90, 3: 5_000})
    for board in (TURN, RIVER, None):
        answer = refused(hand, "1 bet 90")
        assert answer.rule == hand.rulebook.rules.min_bet_by_street.rule
        assert accepted(hand, "1 bet 100")
        play(hand, "1 check")
        assert accepted(hand, "2 all-in")
        play(hand, "2 check", "3 check", *([board] if board else []))


@pytest.mark.rule("home.suggest.15", "home.betting.4", "home.how.5", "home.how.6", "home.how.9")
def test_home_the_minimum_bet_is_the_small_blind_then_from_the_turn_on_the_big_blind() -> None:
    """Blinds 5/10: 5, 5, 10, 10 by street (variation.md 58)."""
    hand = hand_of("home", blinds=(5, 10))
    found = [legal(hand).min_to]
    play(hand, "3 call", "1 call", "2 check")
    for board in (FLOP, TURN, RIVER):
        play(hand, board)
        found.append(least(hand))
        if board != FLOP:
            assert refused(hand, "1 bet 5").reason == "Bet at least 10."
        play(hand, "1 check", "2 check", "3 check")
    assert found == [15, 5, 10, 10]


@shown(wfp="wfp.nolimit.2a wfp.blindrules.1", rpl="rpl.blindrules.1", ccp="ccp.pot.8")
def test_a_short_big_blind_counts_in_full(book: str) -> None:
    """Big blind 100 posted as 40: a call costs 100, a raise goes to 200."""
    hand = hand_of(book, {1: 5_000, 2: 40, 3: 5_000})
    assert legal(hand) == Legal(Seat(3), False, Chips(100), Chips(200), Chips(5_000))


# ------------------------------------------------------------------------------------- minimum raises


@pytest.mark.rule("ccp.pot.1b")
def test_ccp_a_raise_adds_the_big_blind_however_large_the_bet() -> None:
    """variation.md 19"""
    hand = on_flop("ccp")
    play(hand, "1 bet 300")
    assert refused(hand, "2 raise 390").rule == "ccp.pot.1b"
    assert accepted(hand, "2 raise 400")
    play(hand, "2 raise 1000")
    assert least(hand) == 1_100


@pytest.mark.rule("home.how.3b", "home.betting.4")
def test_home_a_raise_adds_the_small_blind_before_the_flop() -> None:
    """Blinds 5/10: to 15 at least (variation.md 59)."""
    hand = hand_of("home", blinds=(5, 10))
    assert not accepted(hand, "3 raise 14")
    play(hand, "3 raise 15")
    assert least(hand) == 20


@shown(
    wfp="wfp.betting.3 wfp.nolimit.3a",
    rpl="rpl.housebetting.3 rpl.betting.5 rpl.nolimit.3a",
)
def test_a_raise_is_at_least_the_last_bet_or_raise(book: str) -> None:
    hand = on_flop(book)
    play(hand, "1 bet 300")
    for line in ("2 raise 500", "2 raise 599"):
        assert refused(hand, line).rule == hand.rulebook.rules.min_raise.rule
    assert accepted(hand, "2 raise 600")
    hand = on_flop(book)
    play(hand, "1 bet 100", "2 raise 300")
    assert not accepted(hand, "3 raise 499")
    assert accepted(hand, "3 raise 500")


@pytest.mark.rule("wfp.betting.2b")
def test_wfp_the_first_raise_is_to_twice_the_big_blind() -> None:
    assert least(hand_of("wfp")) == 200


@shown(
    wfp="wfp.nolimit.1 wfp.betting.2a",
    home="home.betting.3 home.betting.13 home.suggest.12",
    rpl="rpl.nolimit.1 rpl.betting.2 rpl.betting.3",
)
def test_there_is_no_limit_to_the_number_of_raises(book: str) -> None:
    hand = on_flop(book, dict.fromkeys((1, 2, 3), 50_000))
    play(hand, "1 bet 100", "3 fold") if hand.to_act == 3 else play(hand, "1 bet 100")
    for _ in range(20):
        now = legal(hand)
        assert now.min_to is not None
        play(hand, f"{now.seat} raise {now.min_to}")


def test_a_house_may_limit_the_raises() -> None:
    hand = on_flop("rpl", house={"raise_cap": 3})
    play(hand, "1 bet 100", "2 raise 200", "3 raise 300")
    assert least(hand) is None
    assert refused(hand, "1 raise 400").rule == "house.raise_cap"


@shown(
    wfp="wfp.betting.1",
    home="home.betting.2 home.suggest.5",
    rpl="rpl.betting.1 rpl.housebetting.1",
)
def test_who_checked_may_raise_a_bet(book: str) -> None:
    hand = on_flop(book)
    play(hand, "1 check", "2 check", "3 bet 200")
    assert least(hand) is not None


def test_a_house_may_forbid_the_check_raise() -> None:
    hand = on_flop("rpl", house={"check_raise": False})
    play(hand, "1 check", "2 check", "3 bet 200")
    assert refused(hand, "1 raise 600").rule == "house.check_raise"


# -------------------------------------------------------------------------------------- short all-ins


@pytest.mark.rule("wfp.nolimit.2b")
def test_wfp_over_a_short_all_in_bet_a_raise_adds_the_minimum_bet() -> None:
    """Bring-in 100, all-in 20: raise to 120 at least (variation.md 37)."""
    hand = on_flop("wfp", {1: 20, 2: 5_000, 3: 5_000})
    play(hand, "1 all-in")
    assert refused(hand, "2 raise 119").rule == "wfp.nolimit.2b"
    assert accepted(hand, "2 raise 120")


@pytest.mark.rule("rpl.nolimit.4")
def test_rpl_over_a_short_all_in_raise_a_raise_adds_the_last_bet() -> None:
    """Bet 100, all-in 140: raise to 240 at least (variation.md 84)."""
    hand = on_flop("rpl", {1: 5_000, 2: 140, 3: 5_000})
    play(hand, "1 bet 100", "2 all-in")
    assert refused(hand, "3 raise 239").rule == "rpl.nolimit.4"
    assert accepted(hand, "3 raise 240")


def test_a_house_may_let_a_short_all_in_be_completed() -> None:
    house = {"raise_over_short_raise": "last_full_bet_plus_minimum"}
    hand = on_flop("rpl", {1: 5_000, 2: 140, 3: 5_000}, house=house)
    play(hand, "1 bet 100", "2 all-in")
    assert least(hand) == 200
    play(hand, "3 raise 200")
    assert least(hand) == 300  # completed, it is a full raise


@shown(base="tda.47", wfp="wfp.nolimit.3b")
def test_whoever_acted_may_not_raise_a_short_all_in(book: str) -> None:
    """Bet 100, call, all-in 150: the bettor may call 50 or fold."""
    hand = on_flop(book, {1: 5_000, 2: 5_000, 3: 150})
    play(hand, "1 bet 100", "2 call", "3 all-in")
    assert legal(hand) == Legal(Seat(1), False, Chips(50), None, None)
    play(hand, "1 call")
    assert legal(hand) == Legal(Seat(2), False, Chips(50), None, None)


@shown(rpl="rpl.nolimit.3b rpl.betting.4", home="home.betting.14a")
def test_who_called_may_not_raise_an_all_in_below_the_last_bet(book: str) -> None:
    """Bet 100, call, all-in 160, half a bet and more: limit rules do not count."""
    hand = on_flop(book, {1: 5_000, 2: 5_000, 3: 160})
    play(hand, "1 bet 100", "2 call", "3 all-in", "1 call")
    assert legal(hand) == Legal(Seat(2), False, Chips(60), None, None)


@pytest.mark.rule("home.betting.14a")
def test_home_closes_the_betting_only_to_who_checked_or_called() -> None:
    hand = on_flop("home", {1: 5_000, 2: 5_000, 3: 450})
    play(hand, "1 bet 300", "2 call", "3 all-in")
    assert least(hand) == 500  # the bettor may raise, by the street's minimum
    play(hand, "1 call")
    assert least(hand) is None  # the all-in is short of the last bet, though a raise by 50 was allowed


@pytest.mark.rule("home.betting.14b", "home.betting.14a")
def test_home_an_all_in_of_fifty_more_before_the_flop_reopens_nothing() -> None:
    """100/200, two callers, two folds, big blind all-in for 250 (variation.md 67)."""
    hand = hand_of("home", {1: 5_000, 2: 250, 3: 5_000, 4: 5_000, 5: 5_000}, (100, 200))
    play(hand, "3 call", "4 call", "5 fold", "1 fold", "2 all-in")
    assert legal(hand) == Legal(Seat(3), False, Chips(50), None, None)
    play(hand, "3 call")
    assert legal(hand) == Legal(Seat(4), False, Chips(50), None, None)


@pytest.mark.rule("home.betting.14b")
def test_home_an_all_in_of_the_street_minimum_over_the_blinds_reopens_the_betting() -> None:
    hand = hand_of("home", {1: 5_000, 2: 300, 3: 5_000, 4: 5_000}, (100, 200))
    play(hand, "3 call", "4 call", "1 fold", "2 all-in")
    assert least(hand) == 400


@shown(wfp="wfp.nolimit.4", rpl="rpl.nolimit.5")
def test_several_short_all_ins_reopen_for_whoever_faces_a_full_raise_in_all(book: str) -> None:
    """A bets 100, B makes it 200, C is all-in under 300 (variation.md 38, 85): A may raise; when A calls, B may
    not."""
    hand = on_flop(book, {1: 5_000, 2: 5_000, 3: 280})
    play(hand, "1 bet 100", "2 raise 200", "3 all-in")
    assert least(hand) == 380
    play(hand, "1 call")
    assert legal(hand) == Legal(Seat(2), False, Chips(80), None, None)
    assert refused(hand, "2 raise 600").rule == hand.rulebook.rules.short_all_in_reopens.rule


@shown(wfp="wfp.nolimit.4", rpl="rpl.nolimit.5")
def test_short_all_ins_add_up(book: str) -> None:
    hand = on_flop(book, {1: 5_000, 2: 150, 3: 220, 4: 5_000})
    play(hand, "1 bet 100", "2 all-in", "3 all-in", "4 call")
    assert least(hand) == 320


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.rule("tda.47")
def test_47_1_under_every_book(book: str) -> None:
    """A bets 100, B all-in 125, C calls, D all-in 200, E calls: A may raise; if A calls, C may not."""
    hand = on_flop(book, {1: 5_000, 2: 125, 3: 5_000, 4: 200, 5: 5_000})
    play(hand, "1 bet 100", "2 all-in", "3 call", "4 all-in", "5 call")
    assert least(hand) is not None
    play(hand, "1 call")
    assert least(hand) is None


# ------------------------------------------------------------------------------------- corrected bets


def undersized(book: str) -> Hand:
    """Seat 1's bet of too little was let pass, and seat 2 called it."""
    hand = on_flop(book)
    if book == "home":
        play(hand, "1 check", "2 check", "3 check", TURN)
    play(hand, "report 1 bet 80", "report 2 call")
    assert hand.bets == {1: 80, 2: 80, 3: 0}
    return hand


@shown(
    wfp="wfp.betting.16a wfp.nolimit.11",
    home="home.betting.12",
    rpl="rpl.betting.15a rpl.nolimit.12",
)
def test_a_bet_of_too_little_is_brought_up_to_the_minimum_within_the_round(book: str) -> None:
    hand = undersized(book)
    (corrected,) = done(hand.push(CorrectBet(Seat(1))))
    assert isinstance(corrected, BetCorrected)
    assert (corrected.added, corrected.to) == (20, 100)
    assert legal(hand).call == 100
    hand.pop()
    assert hand.bets == {1: 80, 2: 80, 3: 0}


@shown(wfp="wfp.betting.16a", home="home.betting.12", rpl="rpl.betting.15a")
def test_after_the_round_the_bet_stands(book: str) -> None:
    hand = undersized(book)
    play(hand, "3 fold")
    assert [pot.amount for pot in hand.pots] == [460]
    answer = hand.push(CorrectBet(Seat(1)))
    assert isinstance(answer, Refusal)
    assert answer.rule == hand.rulebook.cites.undersized_bet


@shown(wfp="wfp.betting.16b", rpl="rpl.betting.15b")
def test_a_correction_lets_no_earlier_caller_raise(book: str) -> None:
    hand = undersized(book)
    done(hand.push(CorrectBet(Seat(1))))
    play(hand, "3 call")
    assert legal(hand) == Legal(Seat(2), False, Chips(20), None, None)


@shown(wfp="wfp.betting.16b", rpl="rpl.betting.15b")
def test_a_corrected_raise_is_a_full_raise_to_who_bet_before_it(book: str) -> None:
    """Bet 100, "raise" to 110, call; corrected to 200. The bettor faces a full raise and may raise in turn; the
    raiser and the caller have acted on that raise and may not raise for its correction."""
    hand = on_flop(book)
    play(hand, "1 bet 100", "report 2 raise 110", "3 call")
    done(hand.push(CorrectBet(Seat(2))))
    assert legal(hand) == Legal(Seat(1), False, Chips(100), Chips(300), Chips(5_000))
    play(hand, "1 call")
    assert legal(hand) == Legal(Seat(3), False, Chips(90), None, None)


@pytest.mark.parametrize(("reopens", "may_raise_to"), [(False, None), (True, Chips(290))])
@shown(wfp="wfp.betting.16b", rpl="rpl.betting.15b")
def test_what_callers_of_too_little_face_counts_from_the_corrected_bet(
    book: str, reopens: bool, may_raise_to: Chips | None
) -> None:
    """Bet 80, call, corrected to 100; then all-in for 190. From 100 that is no full raise; from 80 it would be."""
    house = {"correction_reopens": reopens}
    hand = on_flop(book, {1: 5_000, 2: 5_000, 3: 190}, house=house)
    play(hand, "report 1 bet 80", "report 2 call")
    done(hand.push(CorrectBet(Seat(1))))
    play(hand, "3 all-in", "1 call")
    assert legal(hand).seat == 2
    assert legal(hand).min_to == may_raise_to


@shown(wfp="wfp.nolimit.8 wfp.betting.9a", rpl="rpl.nolimit.9 rpl.betting.12a")
def test_a_short_call_is_made_good_even_after_the_showdown(book: str) -> None:
    """Call of 450 into 500, then the showdown: 50 more is owed."""
    hand = hand_of(book, {1: 5_000, 2: 5_000})
    play(hand, "2 call", "1 check", FLOP, "1 bet 500")
    (short,) = done(hand.push(Report(Act(Seat(2), Action.CALL, Chips(450)))))[:1]
    assert isinstance(short, Acted)
    assert short.flag == hand.rulebook.cites.facing_a_bet
    assert [pot.amount for pot in hand.pots] == [1_150]
    play(hand, TURN, "1 check", "2 check", RIVER, "1 check", "2 check", "1 table AhAd")
    (corrected,) = done(hand.push(CorrectBet(Seat(2))))
    assert isinstance(corrected, BetCorrected)
    assert corrected.added == 50
    assert [pot.amount for pot in hand.pots] == [1_200]
    assert hand.stacks[Seat(2)] == 4_400


@shown(wfp="wfp.nolimit.8 wfp.betting.9a", rpl="rpl.nolimit.9 rpl.betting.12a")
def test_what_a_call_of_an_earlier_street_lacked_goes_to_the_main_pot(book: str) -> None:
    """Call of 450 into 500 on the flop; on the turn 200 is in front of the caller when the 50 are put in."""
    hand = hand_of(book, {1: 5_000, 2: 5_000})
    play(hand, "2 call", "1 check", FLOP, "1 bet 500", "report 2 call 450", TURN, "1 bet 200", "2 raise 400")
    (corrected,) = done(hand.push(CorrectBet(Seat(2))))
    assert isinstance(corrected, BetCorrected)
    assert (corrected.added, corrected.to) == (50, 400)
    assert hand.bets == {1: 200, 2: 400}
    assert [pot.amount for pot in hand.pots] == [1_200]
    assert hand.stacks[Seat(2)] == 4_000


@pytest.mark.rule("home.betting.12")
def test_home_a_short_call_is_made_good_only_within_the_round() -> None:
    hand = on_flop("home")
    play(hand, "1 bet 500")
    done(hand.push(Report(Act(Seat(2), Action.CALL, Chips(450)))))
    assert not isinstance(hand.decide(CorrectBet(Seat(2))), Refusal)
    play(hand, "3 call")
    answer = hand.push(CorrectBet(Seat(2)))
    assert isinstance(answer, Refusal)
    assert answer.rule == "home.betting.12"


def test_the_pots_of_three_players_are_the_same_whoever_was_let_off() -> None:
    assert THREE == {1: 5_000, 2: 5_000, 3: 5_000}
    hand = on_flop("base")
    play(hand, "1 bet 500", "report 2 check", "3 call")
    assert [pot.amount for pot in hand.pots] == [1_300]
    assert set(hand.pots[0].eligible) == {1, 2, 3}
