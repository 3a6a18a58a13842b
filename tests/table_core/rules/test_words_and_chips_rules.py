"""Words and chips: what they amount to, by each book. `shown` is `pytest.mark.rule(…)` with what a test shows."""

import pytest

from table_core.hand.declarations import act_of, acting_seat
from table_core.hand.hand import Hand
from table_core.messages import Act, Acted, Action, Chips, Refusal, Seat
from table_core.projections.words import describe
from tests.table_core.rules.shown import (
    book_of,
    done,
    hand_of,
    legal,
    on_flop,
    play,
    refused,
    shown,
    with_away,
)


def act(hand: Hand, *chips: int) -> tuple[Action, int | None]:
    """What silent chips of the player to act are; the amount is the total in front."""
    found = act_of(acting_seat(hand), hand.rulebook, chips)
    done(hand.push(found))
    hand.pop()
    return found.action, found.to


def facing(book: str, bet: int) -> Hand:
    hand = on_flop(book)
    play(hand, f"1 bet {bet}")
    return hand


@shown(
    ccp="ccp.actions.2",
    wfp="wfp.betting.6",
    home="home.betting.8",
    rpl="rpl.betting.8",
)
def test_rapping_the_table_is_a_check(book: str) -> None:
    (checked,) = play(on_flop(book), "1 check")
    assert isinstance(checked, Acted)
    assert checked.action is Action.CHECK


@shown(wfp="wfp.betting.5", home="home.betting.5", rpl="rpl.betting.7")
def test_words_in_turn_bind_and_cannot_be_swapped(book: str) -> None:
    hand = facing(book, 200)
    play(hand, "2 call")
    assert refused(hand, "2 raise 600").rule == hand.rulebook.cites.action_in_turn


@shown(wfp="wfp.betting.9a", rpl="rpl.betting.12a")
def test_chips_released_as_a_call_bind_and_are_made_good(book: str) -> None:
    """80 into a bet of 100: 20 more is owed."""
    hand = facing(book, 100)
    assert act(hand, 50, 25, 5) == (Action.CALL, None)
    assert legal(hand).call == 100


@shown(wfp="wfp.nolimit.11", rpl="rpl.nolimit.12")
def test_a_raise_of_too_little_is_one_of_exactly_the_minimum(book: str) -> None:
    """Bet 100, 150 put in: a raise to 200, not more."""
    hand = facing(book, 100)
    assert act(hand, 100, 50) == (Action.RAISE, 200)
    assert act(on_flop(book), 50, 25, 5) == (Action.BET, 100)


def test_a_raise_that_is_not_allowed_is_a_call() -> None:
    hand = on_flop("wfp", {1: 5_000, 2: 5_000, 3: 150})
    play(hand, "1 bet 100", "2 call", "3 all-in")
    assert act(hand, 500, 100) == (Action.CALL, None)


@shown(ccp="ccp.actions.3", wfp="wfp.nolimit.10", rpl="rpl.nolimit.11")
def test_one_silent_chip_opens_for_its_full_value(book: str) -> None:
    """A 500 chip, 300 meant (variation.md 16)."""
    assert act(on_flop(book), 500) == (Action.BET, 500)


@shown(
    ccp="ccp.actions.4",
    cpp="cpp.intentions.2",
    wfp="wfp.nolimit.10 wfp.betting.15",
    rpl="rpl.nolimit.11 rpl.betting.14",
)
def test_one_silent_chip_facing_a_bet_is_a_call(book: str) -> None:
    """Bet 200, a 500 chip: call, 300 change (variation.md 17, 36, 83); the blind is a bet."""
    assert act(facing(book, 200), 500) == (Action.CALL, None)
    assert act(hand_of(book), 500) == (Action.CALL, None)


@shown(cpp="cpp.intentions.3")
def test_cpp_silent_chips_are_a_raise_to_their_total(book: str) -> None:
    """Bet 200, silent 300 and 300 (variation.md 33); exactly the call is a call."""
    assert act(facing(book, 200), 300, 300) == (Action.RAISE, 600)
    assert act(facing(book, 200), 100, 100) == (Action.CALL, None)


@shown(wfp="wfp.betting.14b", rpl="rpl.betting.13b")
def test_silent_chips_of_one_and_a_half_bets_are_a_full_raise(book: str) -> None:
    """Bet 100: 150 is a raise to 200, 140 a call (variation.md 35)."""
    assert act(facing(book, 100), 100, 50) == (Action.RAISE, 200)
    assert act(facing(book, 100), 100, 25, 10, 5) == (Action.CALL, None)


@shown(home="home.betting.6")
def test_home_a_raise_needs_words(book: str) -> None:
    assert act(facing(book, 100), 500, 500) == (Action.CALL, None)
    assert isinstance(play(facing(book, 100), "2 raise 400")[0], Acted)


@shown(wfp="wfp.betting.4a wfp.betting.16a", rpl="rpl.betting.6a rpl.betting.15a")
def test_a_wager_is_made_in_chips_of_the_blinds(book: str) -> None:
    """Smallest chip 25: a bet of 310 is the nearest proper amount, 300."""
    hand = on_flop(book, smallest_chip=25)
    answer = refused(hand, "1 bet 310")
    assert "300 is nearest" in answer.reason
    assert answer.rule == f"{book}.betting.{'4a' if book == 'wfp' else '6a'}"
    assert act(hand, 100, 100, 100, 10) == (Action.BET, 300)
    assert act(hand, 100, 100, 100, 13) == (Action.BET, 325)
    hand = on_flop(book, smallest_chip=25, house={"smaller_chips_play": True})
    assert act(hand, 100, 100, 100, 10) == (Action.BET, 310)


@shown(rpl="rpl.betting.6a", wfp="wfp.betting.4a")
def test_chips_smaller_than_those_of_the_blinds_do_not_play(book: str) -> None:
    """Smallest chip 25: three 5s are no part of the stack that plays."""
    hand = on_flop(book, {1: 365, 2: 5_000, 3: 5_000}, smallest_chip=25)
    assert legal(hand).max_to == 350
    play(hand, "1 all-in")
    assert (hand.bets[1], hand.stacks[1], hand.all_in) == (350, 15, (1,))


@shown(wfp="wfp.nolimit.12", rpl="rpl.nolimit.13")
def test_a_house_may_require_chips_of_the_bring_in(book: str) -> None:
    """Bring-in chip 100 with the option on: an all-in of 375 plays 300, on each street; 75 stay behind."""
    stacks = {1: 375, 2: 5_000, 3: 5_000}
    assert legal(on_flop(book, stacks)).max_to == 375
    hand = on_flop(book, stacks, house={"bring_in_chips": [25, 100]})
    assert "100 do not play" in refused(hand, "1 bet 250").reason
    play(hand, "1 all-in", "2 call", "3 fold")
    assert (hand.stacks[1], hand.all_in, hand.betting_over) == (75, (1,), True)
    assert [pot.amount for pot in hand.pots] == [900]
    while hand.board:
        hand.pop()
    assert hand.stacks[1] == 375


def test_the_unit_of_wagers_is_the_largest_chip_that_makes_up_the_big_blind() -> None:
    house = {"bring_in_chips": [25, 100, 500, 1000]}
    for blinds, unit in (
        ((25, 50), 25),
        ((50, 100), 100),
        ((100, 200), 100),
        ((300, 600), 100),
        ((500, 1000), 1000),
    ):
        assert hand_of("wfp", {1: 9_000, 2: 9_000, 3: 9_000}, blinds, house=house).state.unit == unit


def test_who_has_no_chip_that_plays_gets_no_cards_unless_a_blind_or_an_ante_was_posted() -> None:
    house = {"bring_in_chips": [25, 100]}
    hand = hand_of("wfp", {1: 75, 2: 5_000, 3: 75, 4: 5_000}, button=4, house=house)
    assert (hand.live_seats, hand.all_in) == ((1, 2, 4), (1,))  # the small blind is in for 50
    assert (hand.bets[1], hand.stacks[3]) == (50, 75)


@shown(ccp="ccp.announcements.1 ccp.announcements.2 ccp.announcements.3")
def test_raises_all_ins_and_the_blinds_option_are_announced(book: str) -> None:
    hand = hand_of(book, {1: 900, 2: 5_000, 3: 5_000})
    play(hand, "3 call", "1 call")
    (option,) = play(hand, "2 raise 400")
    assert describe(option) == "Seat 2: raise to 400"
    play(hand, "3 call")
    (all_in,) = play(hand, "1 all-in")
    assert describe(all_in) == "Seat 1: raise to 900, all-in"


def test_nobody_to_act_is_no_turn() -> None:
    with pytest.raises(ValueError, match="nobody is to act"):
        acting_seat(Hand(book_of("base")))


@shown(home="home.procedures.5", cpp="cpp.dealing.7")
def test_nobody_acts_for_an_absent_player_but_the_dealer_who_posts(book: str) -> None:
    hand = with_away(book, 4)
    assert hand.bets[Seat(2)] == 100
    play(hand, "3 call")
    assert hand.to_act == 5  # the absent player's hand was folded, not played
    answer = hand.push(Act(Seat(4), Action.CALL, Chips(100)))
    assert isinstance(answer, Refusal)
