"""Where PokerKit and the engine disagree: one case of each class, and the rule that decides it.

The classes are those of `python -m tests.differential.pokerkit`; a few random hands of it run here too.
"""

import random

import pytest

from table_core.hand.hand import Hand
from table_core.messages import Legal, Seat
from tests.differential.pokerkit import EXPLAINED, play, random_deal
from tests.table_core.rules.shown import hand_of, least, legal, on_flop
from tests.table_core.rules.shown import play as say


@pytest.mark.filterwarnings("ignore")
def test_random_hands_disagree_only_where_a_rule_explains_it() -> None:
    for number in range(60):
        chance = random.Random(f"kept/{number}")
        verdict = play(random_deal(chance), chance)
        assert not verdict.unexplained
        assert set(verdict.disagreements) <= set(EXPLAINED)


@pytest.mark.rule("wfp.nolimit.2a")
def test_callers_owe_a_short_big_blind_in_full() -> None:
    """PokerKit: 40 to call."""
    assert legal(hand_of("base", {1: 5_000, 2: 40, 3: 5_000})).call == 100


@pytest.mark.rule("home.allin.1")
def test_an_all_in_that_nobody_can_call_is_allowed_and_comes_back() -> None:
    """PokerKit: no raise when every opponent is all-in for less."""
    for book in ("base", "home"):
        hand = hand_of(book, {1: 300, 2: 300, 3: 9_000})
        say(hand, "3 call", "1 all-in", "2 call")
        assert legal(hand).max_to == 9_000
        say(hand, "3 all-in")
        assert hand.stacks[Seat(3)] == 8_700


def two_short_all_ins() -> Hand:
    hand = on_flop("base", {1: 5_000, 2: 125, 3: 5_000, 4: 200, 5: 5_000})
    say(hand, "1 bet 100", "2 all-in", "3 call", "4 all-in", "5 call")
    return hand


@pytest.mark.rule("tda.47")
def test_who_faces_a_full_raise_in_all_may_raise_after_short_all_ins() -> None:
    """PokerKit: seat 1 may not raise."""
    hand = two_short_all_ins()
    assert least(hand) == 300
    say(hand, "1 call")
    assert legal(hand) == Legal(Seat(3), False, 75, None, None)


@pytest.mark.rule("tda.16")
def test_a_blind_who_faces_only_all_ins_for_less_has_nothing_to_decide() -> None:
    """PokerKit asks seat 2 to check."""
    hand = hand_of("base", {1: 553, 2: 746, 3: 19, 4: 3}, ante=25)
    say(hand, "1 fold")
    assert hand.awaiting_board


@pytest.mark.rule("tda.21")
def test_pots_of_405_and_273_pay_340_and_338_though_a_loser_has_mucked() -> None:
    """PokerKit: 339 each."""
    hand = hand_of("base", {1: 1_000, 2: 1_000, 3: 100, 4: 1_000}, (50, 101), big_blind_ante=5)
    say(hand, "3 all-in", "4 raise 236", "1 call", "2 fold", "board AhKdQc")
    for cards in ("board Js", "board Td", ""):
        say(hand, "1 check", "4 check", *([cards] if cards else []))
    say(hand, "report 3 muck", "1 table 2c2d", "4 table 3c3d", "award")
    assert hand.stacks == {1: 1_104, 2: 894, 3: 0, 4: 1_102}
