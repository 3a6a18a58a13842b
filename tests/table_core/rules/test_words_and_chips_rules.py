"""Words and chips: what they amount to, by each book. `shown` is `pytest.mark.rule(…)` with what a test shows."""

import pytest

from table_core.hand.declarations import act_of, acting_seat
from table_core.hand.hand import Hand
from table_core.messages import Act, Acted, Action, Chips, Refusal, Seat
from table_core.projections.words import describe
from table_core.tournament.chips.wagered_chips import playable, proper_amount
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
    with_tournament,
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


@pytest.mark.function_only("waits for the tournament")
@shown(wfp="wfp.betting.4a wfp.betting.16a")
def test_a_wager_is_made_in_chips_of_the_blinds(book: str) -> None:
    """Smallest blind chip 25: a bet of 310 is the nearest proper amount, 300."""
    assert proper_amount(310, 25, book_of(book)) == 300
    assert proper_amount(313, 25, book_of(book)) == 325
    assert proper_amount(310, 25, with_tournament(book, smaller_chips_play=True)) == 310


@pytest.mark.function_only("waits for the tournament")
@shown(rpl="rpl.betting.6a", wfp="wfp.betting.4a")
def test_chips_smaller_than_those_of_the_blinds_do_not_play(book: str) -> None:
    """Smallest blind chip 25: three 5s are no part of the stack that plays."""
    assert playable({100: 3, 25: 2, 5: 3}, 25, 100, book_of(book)) == 350


@pytest.mark.function_only("waits for the tournament")
@shown(wfp="wfp.nolimit.12", rpl="rpl.nolimit.13")
def test_a_house_may_require_chips_of_the_bring_in(book: str) -> None:
    """Bring-in chip 100 with the option on: an all-in of 375 plays 300."""
    stack = {100: 3, 25: 3}
    assert playable(stack, 25, 100, book_of(book)) == 375
    assert playable(stack, 25, 100, with_tournament(book, bring_in_chips_only=True)) == 300


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
