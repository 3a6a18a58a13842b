"""As `test_survivors.py`: reports, awards and resumed hands, to the single chip and flag."""

from typing import Any

import pytest

from table_core.hand.hand import Hand
from table_core.hand.pots import won_by_somebody
from table_core.messages import (
    Act,
    Acted,
    Action,
    AwardPots,
    BettingClosed,
    CardText,
    Chips,
    CorrectBet,
    HandEnded,
    HandStarted,
    HandTabled,
    Level,
    MuckHand,
    PotAwarded,
    Refusal,
    Report,
    Reported,
    ResultOnly,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Seat,
    SeatStack,
    Share,
    StartHand,
    Street,
    TableHand,
)
from tests.table_core.hand.test_survivors import FIVE, THREE, one, told
from tests.table_core.rules.shown import FLOP, RIVER, TURN, book_of, checked_down, hand_of, least, on_flop, won
from tests.table_core.table import BASE, command, done, level, new_hand, play


def begun(stacks: dict[int, int], blinds: tuple[int, int], **other: Any) -> StartHand:
    """Button 3, small blind 1, big blind 2 unless said otherwise."""
    facts: dict[str, Any] = {
        "hand": 1,
        "button": Seat(3),
        "small_blind": Seat(1),
        "big_blind": Seat(2),
        "level": level(*blinds),
        "seats": tuple(SeatStack(Seat(seat), Chips(stack)) for seat, stack in stacks.items()),
    }
    return StartHand(**{**facts, **other})


@pytest.mark.parametrize(
    "impossible",
    [
        begun({1: 500}, (5, 10), big_blind=Seat(1)),
        begun({0: 500, 1: 500, 2: 500}, (5, 10)),
        begun({1: 500, 2: 500, 3: 0}, (5, 10)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), big_blind=Seat(4)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), small_blind=Seat(4)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), extra_big_blinds=(Seat(4),)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), extra_small_blinds=(Seat(4),)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), small_blind=Seat(2)),
        begun({1: 500, 2: 500, 3: 500}, (0, 0)),
        begun({1: 500, 2: 500, 3: 500}, (0, -10)),
        begun({1: 500, 2: 500, 3: 500}, (-5, 10)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), carried=Chips(-1)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), level=level(5, 10, ante=-1)),
        begun({1: 500, 2: 500, 3: 500}, (5, 10), level=level(5, 10, big_blind_ante=-1)),
        begun({1: 500, 2: 500}, (5, 10), seats=(SeatStack(Seat(1), Chips(5)), SeatStack(Seat(1), Chips(5)))),
    ],
)
def test_a_hand_that_cannot_be_is_only_written_down(impossible: StartHand) -> None:
    hand = Hand(BASE)
    assert isinstance(hand.push(impossible), Refusal)
    assert isinstance(one(hand, Report(impossible)), Reported)
    assert hand.snapshot().seats == ()


@pytest.mark.parametrize("blinds", [(40, 100), (60, 100)])
def test_where_the_big_blind_is_two_small_ones_it_is_neither_more_nor_less(blinds: tuple[int, int]) -> None:
    hand = Hand(book_of("base", {"big_blind_in_small_blinds": 2}))
    reason = "Level 1: the big blind is 2 small blinds."
    assert told(hand, begun({1: 5_000, 2: 5_000, 3: 5_000}, blinds)) == reason


def test_an_extra_small_blind_alone_is_live() -> None:
    """Dead is that of a seat that posts a big blind beside it."""
    seats = {1: 5_000, 2: 5_000, 3: 5_000, 4: 5_000}
    hand = Hand(BASE)
    done(hand.push(begun(seats, (50, 100), extra_small_blinds=(Seat(3), Seat(4)), extra_big_blinds=(Seat(4),))))
    assert (hand.bets, hand.snapshot().dead) == ({1: 50, 2: 100, 3: 50, 4: 100}, 50)


@pytest.mark.parametrize(
    "odd",
    [
        begun({1: 500, 2: 500, 3: 1}, (20, 10)),
        begun({1: 500, 2: 500, 3: 500}, (20, 10), small_blind=Seat(2), big_blind=Seat(1)),
    ],
)
def test_a_hand_that_breaks_a_rule_is_played_as_reported(odd: StartHand) -> None:
    hand = Hand(BASE)
    assert isinstance(hand.push(odd), Refusal)
    begun_so, *_ = done(hand.push(Report(odd)))
    assert isinstance(begun_so, HandStarted)
    assert begun_so.flag
    assert hand.seats == (1, 2, 3)


def test_an_action_of_somebody_who_cannot_act_is_only_written_down() -> None:
    hand = new_hand(FIVE, level(50, 100))
    play(hand, "3 fold")
    for act in (Act(Seat(3), Action.CALL), Act(Seat(9), Action.CALL)):
        for all_in in (False, True):
            assert isinstance(one(hand, Report(act, all_in)), Reported)
    assert hand.to_act == 4


def test_a_reported_wager_of_one_chip_counts_and_one_of_none_does_not() -> None:
    hand = on_flop("base")
    bet = one(hand, Report(Act(Seat(1), Action.BET, Chips(1))))
    assert isinstance(bet, Acted)
    assert (bet.action, bet.to, bet.flag) == (Action.BET, 1, "wfp.nolimit.2a")
    hand.pop()
    assert isinstance(one(hand, Report(Act(Seat(1), Action.BET, Chips(0)))), Reported)


def test_a_reported_call_of_more_than_the_bet_was_a_raise() -> None:
    hand = new_hand(THREE, level(50, 100))
    for to, action in ((400, Action.RAISE), (100, Action.CALL), (60, Action.CALL)):
        acted = one(hand, Report(Act(Seat(3), Action.CALL, Chips(to))))
        assert isinstance(acted, Acted)
        assert (acted.action, acted.to) == (action, to)
        hand.pop()


def test_a_reported_call_without_an_amount_adds_what_the_blind_in_front_leaves_to_call() -> None:
    called = one(new_hand(FIVE, level(50, 100)), Report(Act(Seat(1), Action.CALL)))
    assert isinstance(called, Acted)
    assert (called.action, called.added, called.to) == (Action.CALL, 50, 100)


def test_a_reported_call_of_chips_that_are_not_there_is_only_written_down() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 raise 300")
    for impossible in (5_001, 49):
        assert isinstance(one(hand, Report(Act(Seat(1), Action.CALL, Chips(impossible)))), Reported)


def test_a_reported_raise_of_too_little_is_a_raise_over_what_was_in_front() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 call")
    raised = one(hand, Report(Act(Seat(1), Action.RAISE, Chips(150))))
    assert isinstance(raised, Acted)
    assert (raised.action, raised.added, raised.to) == (Action.RAISE, 100, 150)


def test_cards_are_turned_up_by_who_was_dealt_in_be_it_a_folded_hand() -> None:
    hand = new_hand(FIVE, level(50, 100))
    play(hand, "3 fold")
    assert isinstance(one(hand, Report(TableHand(Seat(9), ("Ah", "Ad")))), Reported)
    tabled = one(hand, Report(TableHand(Seat(3), ("Ah", "Ad"))))
    assert tabled == HandTabled(Seat(3), ("Ah", "Ad"), tabled.sources, BASE.cites.dead_hand)  # type: ignore[union-attr]


def test_a_hand_that_was_half_read_is_read_again() -> None:
    hand = checked_down("base")
    play(hand, "1 table Ah??", "1 table AhAd")
    assert hand.tabled == {1: ("Ah", "Ad")}
    assert told(hand, TableHand(Seat(2), ("Ah", "Kd"))) == "Ah lies on the table already."


def test_a_call_in_full_after_a_short_one_owes_nothing() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "report 3 call 60", "1 raise 300", "2 fold")
    assert hand.short_calls == {3: 40}
    play(hand, "3 call")
    assert hand.short_calls == {}
    assert [pot.amount for pot in hand.pots] == [700]


def test_nothing_goes_back_to_a_bettor_whose_only_caller_put_in_too_little() -> None:
    hand = new_hand({1: 5_000, 2: 5_000}, level(50, 100))
    play(hand, "2 call", "1 check", FLOP, "1 bet 500")
    assert [type(event) for event in play(hand, "report 2 call 450")] == [Acted, BettingClosed]
    assert (hand.stacks, hand.short_calls) == ({1: 4_400, 2: 4_450}, {2: 50})


def test_calls_of_too_little_on_two_streets_add_up_and_are_made_good_one_by_one() -> None:
    hand = on_flop("wfp")
    play(hand, "1 bet 300", "report 2 call 200", "3 call", TURN, "1 bet 300", "report 2 call 200")
    assert (hand.to_act, hand.short_calls) == (3, {2: 200})
    play(hand, "3 call")
    assert hand.short_calls == {2: 200}
    hand.pop()
    done(hand.push(CorrectBet(Seat(2))))
    assert (hand.bets[Seat(2)], hand.short_calls) == (300, {2: 100})
    done(hand.push(CorrectBet(Seat(2))))
    assert (hand.bets[Seat(2)], hand.short_calls, hand.stacks[Seat(2)]) == (300, {}, 4_400)
    play(hand, "3 call")
    assert [pot.amount for pot in hand.pots] == [2_100]


def test_a_pot_pushed_before_betting_was_over_takes_the_bets_along() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 raise 300")
    first, *_ = done(hand.decide(Report(command("award 1"))))
    hand.apply(first)
    assert (hand.to_act, set(hand.bets.values())) == (None, {0})
    done(hand.push(Report(command("award 1"))))
    assert hand.stacks == {1: 5_400, 2: 4_900, 3: 4_700}


# ------------------------------------------------------------------------------------ results and awards


def test_a_count_of_no_chips_is_a_count_and_of_less_is_none() -> None:
    hand = new_hand(THREE, level(50, 100))
    reason = "A stack is not less than nothing."
    assert told(hand, ResultOnly((Seat(2),), (Share(Seat(1), Chips(-1)),))) == reason
    done(hand.push(ResultOnly((Seat(2),), (Share(Seat(1), Chips(0)),))))
    assert hand.stacks == {1: 0, 2: 10_000, 3: 5_000}


@pytest.mark.rule("ccp.showdown.7")
def test_a_single_winner_leaves_no_odd_chip_behind() -> None:
    """25 in chips of 10 and a 5."""
    hand = hand_of("ccp", blinds=(5, 10), smallest_chip=10)
    *_, ended = play(hand, "3 call", "1 fold", "2 check", FLOP, "2 bet 10", "3 fold")
    assert isinstance(ended, HandEnded)
    assert (ended.carried, hand.stacks) == (0, {1: 4_995, 2: 5_015, 3: 4_990})


def test_the_last_hand_for_a_side_pot_wins_it_without_showing() -> None:
    hand = new_hand({1: 5_000, 2: 5_000, 3: 300}, level(50, 100))
    play(hand, "3 all-in", "1 raise 600", "2 call", FLOP, "1 check", "2 check", TURN, "1 check", "2 check")
    play(hand, RIVER, "1 check", "2 check", "3 table AhAd", "report 2 muck")
    side, main = [event for event in play(hand, "award") if isinstance(event, PotAwarded)]
    assert (side.why, side.eligible, side.amount) == ("last_standing", (1,), 600)
    assert (main.why, main.shares) == ("cards", (Share(Seat(3), Chips(900)),))


def test_pots_that_nobody_is_left_to_win_go_to_the_pot_before_them() -> None:
    """Places 0, 1 and 2 paid for three pots; the second and third have lost whoever could win them."""
    assert won_by_somebody([(90, 0b111), (40, 0b011), (8, 0b001)], 0b110) == [(90, 0b111), (48, 0b011)]
    assert won_by_somebody([(90, 0b111), (40, 0b011), (8, 0b001)], 0b100) == [(138, 0b111)]
    assert won_by_somebody([(90, 0b011), (40, 0b111)], 0b100) == [(130, 0b111)]
    assert won_by_somebody([(90, 0b011)], 0b100) == [(90, 0b100)]
    assert won_by_somebody([(90, 0b100)], 0b011) == [(90, 0b011)]


# ------------------------------------------------------------------------------------------------ resume


def resumed(**other: Any) -> ResumeHand:
    """The flop without a bet yet: button 1, seats 2, 3 and 4 live, 300 in the middle, seat 3 to act."""
    facts: dict[str, Any] = {
        "hand": 12,
        "button": Seat(1),
        "small_blind": Seat(2),
        "big_blind": Seat(3),
        "level": Level(2, Chips(50), Chips(100)),
        "street": Street.FLOP,
        "board": ("2c", "7d", "9h"),
        "seats": (ResumedSeat(Seat(1), Chips(900), live=False), *live_seats(2, 3, 4)),
        "pots": (ResumedPot(Chips(300), (Seat(2), Seat(3), Seat(4))),),
        "to_act": Seat(3),
    }
    return ResumeHand(**{**facts, **other})


def live_seats(*seats: int) -> tuple[ResumedSeat, ...]:
    return tuple(ResumedSeat(Seat(seat), Chips(900)) for seat in seats)


def test_a_resumed_hand_keeps_who_has_folded_and_who_has_checked() -> None:
    hand = Hand(BASE)
    done(hand.push(resumed()))
    assert (hand.folded, hand.live_seats) == ((1,), (2, 3, 4))
    assert hand.snapshot().pending == (3, 4)
    play(hand, "3 check", "4 check")
    assert hand.awaiting_board


def test_the_pot_of_a_resumed_hand_grows_by_the_bets_of_those_who_can_win_it() -> None:
    hand = Hand(BASE)
    done(hand.push(resumed()))
    play(hand, "3 bet 100", "4 call", "2 fold")
    assert [(pot.amount, pot.eligible) for pot in hand.pots] == [(500, (3, 4))]


def test_after_a_straddle_the_table_may_say_that_the_straddler_acts() -> None:
    seats = tuple(ResumedSeat(Seat(seat), Chips(900), Chips(200)) for seat in (2, 3, 4))
    hand = Hand(BASE)
    done(hand.push(resumed(street=Street.PREFLOP, board=(), seats=seats, pots=(), to_act=Seat(4))))
    assert hand.snapshot().pending == (4,)


def test_no_bet_was_made_yet_on_a_street_that_is_resumed_before_its_first() -> None:
    hand = Hand(book_of("base", {"raise_cap": 1}))
    done(hand.push(resumed()))
    play(hand, "3 bet 100")
    assert least(hand) is None


def test_a_bet_in_front_counts_as_the_first_of_a_resumed_street_be_it_of_one_chip() -> None:
    hand = Hand(book_of("base", {"raise_cap": 1}))
    seats = (ResumedSeat(Seat(2), Chips(899), Chips(1)), *live_seats(3, 4))
    done(hand.push(resumed(seats=seats, level=Level(1, Chips(0), Chips(1)))))
    assert (hand.to_act, least(hand)) == (3, None)


def test_who_checked_before_a_hand_was_resumed_may_not_raise_a_short_all_in() -> None:
    hand = Hand(book_of("base", {"short_all_in_reopens": "when_one_raise_was_full"}))
    done(hand.push(resumed(seats=(*live_seats(2, 3), ResumedSeat(Seat(4), Chips(40))), to_act=Seat(4))))
    play(hand, "4 all-in")
    for seat in (2, 3):
        assert (hand.to_act, least(hand)) == (seat, None)
        play(hand, f"{seat} call")


def test_two_players_resume_a_hand() -> None:
    hand = Hand(BASE)
    pots = (ResumedPot(Chips(300), (Seat(2), Seat(3))),)
    done(hand.push(resumed(button=Seat(2), seats=live_seats(2, 3), pots=pots)))
    assert (hand.seats, hand.to_act) == ((3, 2), 3)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"seats": live_seats(2, 3, 3)}, "A hand has two or more seats, each named once, counted from 1."),
        ({"seats": live_seats(0, 2, 3)}, "A hand has two or more seats, each named once, counted from 1."),
        ({"seats": live_seats(3)}, "A hand has two or more seats, each named once, counted from 1."),
        (
            {"seats": (*live_seats(2, 3), ResumedSeat(Seat(4), Chips(-1)))},
            "A stack or bet is not less than nothing.",
        ),
        ({"pots": (ResumedPot(Chips(-1), (Seat(2),)),)}, "Every pot has chips and a live hand that can win it."),
        ({"level": Level(1, Chips(0), Chips(0))}, "A level has a big blind."),
        ({"last_raise": Chips(-5)}, "The last raise was of one chip or more."),
        ({"to_act": Seat(1)}, "Seat 1 has no hand or no chips to act with."),
        ({"to_act": Seat(9)}, "Seat 9 has no hand or no chips to act with."),
    ],
)
def test_a_table_that_cannot_be_is_not_resumed(wrong: dict[str, Any], reason: str) -> None:
    assert told(Hand(BASE), resumed(**wrong)) == reason


def test_an_empty_pot_is_resumed_and_the_last_hand_may_not_muck() -> None:
    hand = Hand(BASE)
    board: tuple[CardText, ...] = ("2c", "7d", "9h", "Ts", "3d")
    pots = (ResumedPot(Chips(0), (Seat(2), Seat(3), Seat(4))),)
    done(hand.push(resumed(street=Street.SHOWDOWN, board=board, pots=pots, to_act=None)))
    done(hand.push(MuckHand(Seat(2))))
    done(hand.push(MuckHand(Seat(3))))
    assert told(hand, MuckHand(Seat(4))) == "Seat 4 is the last hand for a pot and wins it."


def test_a_split_pot_of_a_checked_hand_is_even() -> None:
    hand = checked_down("base", board=("board AhKdQc", "board Js", "board Td"))
    play(hand, "1 table 2c2d", "2 table 3c3d", "3 table 4c4d")
    assert won(list(done(hand.push(AwardPots())))) == {1: 100, 2: 100, 3: 100}


def test_the_last_hand_is_not_mucked_though_there_is_no_pot_to_win() -> None:
    """A showdown that is resumed without a chip in the middle: one of two may muck, not both."""
    hand = Hand(BASE)
    seats = (ResumedSeat(Seat(1), Chips(500)), ResumedSeat(Seat(2), Chips(500)))
    board = ("2c", "7d", "9h", "Js", "Kd")
    at = level(5, 10)
    done(hand.push(ResumeHand(4, Seat(2), Seat(2), Seat(1), at, Street.SHOWDOWN, board, seats)))
    assert hand.pots == ()
    done(hand.push(MuckHand(Seat(1))))
    assert told(hand, MuckHand(Seat(2))) == "Seat 2 is the last hand for a pot and wins it."
