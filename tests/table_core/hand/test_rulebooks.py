"""The engine asks the rulebook: the same play under other values of a parameter."""

import doctest
from typing import Any

import msgspec

import table_core.hand.hand
from table_core.hand.hand import Hand
from table_core.messages import Post, Posted, Seat
from table_core.rulebook import AnteOrder, Blind, MinRaise, Reopening, Rule, Rulebook
from tests.table_core.table import BASE, done, level, play, refused, start


def with_rule(**values: Any) -> Rulebook:
    """`base` with other values; each cites `home.test`."""
    rules = {name: Rule(value, "home.test") for name, value in values.items()}
    return msgspec.structs.replace(BASE, rules=msgspec.structs.replace(BASE.rules, **rules))


def hand_under(rulebook: Rulebook, stacks: dict[int, int], blinds: tuple[int, int] = (50, 100)) -> Hand:
    hand = Hand(rulebook)
    done(hand.push(start(stacks, level(*blinds))))
    return hand


def least(hand: Hand) -> int | None:
    now = hand.legal()
    assert now is not None
    return now.min_to


RICH = {1: 5_000, 2: 5_000, 3: 5_000}


def test_a_flat_minimum_raise_is_the_big_blind_however_large_the_bet() -> None:
    """ccp.pot.1b: big blind 100, bet 300, minimum raise to 400."""
    for rulebook, expected in [(BASE, 500), (with_rule(min_raise=MinRaise.MINIMUM_BET), 400)]:
        hand = hand_under(rulebook, RICH)
        play(hand, "3 raise 300")
        assert least(hand) == expected


def test_the_minimum_bet_may_differ_by_street() -> None:
    """home.suggest.15: blinds 5/10, minimum bet 5, 5, 10, 10 by street."""
    small, big = Blind.SMALL_BLIND, Blind.BIG_BLIND
    hand = hand_under(with_rule(min_bet_by_street=(small, small, big, big)), RICH, (5, 10))
    found = [least(hand)]
    play(hand, "3 call", "1 call", "2 check")
    for board in ("board 2c7d9h", "board Ts", "board 3d"):
        play(hand, board)
        found.append(least(hand))
        play(hand, "1 check", "2 check", "3 check")
    assert found == [15, 5, 10, 10]


def test_a_short_all_in_over_a_bet_and_the_next_raise() -> None:
    """rpl.nolimit.4: bet 100, all-in 140, a raise is to at least 240."""
    hand = hand_under(BASE, {1: 5_000, 2: 240, 3: 5_000})
    play(hand, "3 call", "1 call", "2 check", "board 2c7d9h", "1 bet 100", "2 all-in")
    assert least(hand) == 240


def after_a_short_raise(rulebook: Rulebook) -> Hand:
    """wfp.nolimit.4: A bets 100, B makes it 200, C is all-in for 280; back to A."""
    hand = hand_under(rulebook, {1: 5_000, 2: 5_000, 3: 380})
    play(hand, "3 call", "1 call", "2 check", "board 2c7d9h", "1 bet 100", "2 raise 200", "3 all-in")
    return hand


def test_who_bet_first_faces_a_full_raise_and_may_raise_but_the_raiser_may_not() -> None:
    """wfp.nolimit.4, rpl.nolimit.5"""
    hand = after_a_short_raise(BASE)
    assert least(hand) == 380
    play(hand, "1 call")
    assert least(hand) is None
    assert refused(hand, "2 raise 600").rule == "tda.47"


def test_short_all_ins_need_not_add_up() -> None:
    stacks = {1: 5_000, 2: 225, 3: 300}
    for rulebook, expected in [
        (BASE, 300),
        (with_rule(short_all_in_reopens=Reopening.SINGLE_RAISE), None),
    ]:
        hand = hand_under(rulebook, stacks)
        play(hand, "3 call", "1 call", "2 check", "board 2c7d9h")
        play(hand, "1 bet 100", "2 all-in", "3 all-in")
        assert least(hand) == expected


def test_a_short_big_blind_may_count_as_posted() -> None:
    hand = hand_under(with_rule(short_big_blind_counts_full=False), {1: 5_000, 2: 70, 3: 5_000})
    now = hand.legal()
    assert now is not None
    assert now.call == 70


def test_the_order_of_blind_and_ante_decides_what_a_short_stack_is_short_of() -> None:
    command = start({1: 5_000, 2: 250, 3: 5_000}, level(100, 200, big_blind_ante=200))
    hand = Hand(with_rule(big_blind_ante_order=AnteOrder.ANTE_FIRST))
    posted = [event for event in done(hand.push(command)) if isinstance(event, Posted)]
    assert [(event.what, event.amount) for event in posted if event.seat == Seat(2)] == [
        (Post.BIG_BLIND_ANTE, 200),
        (Post.BIG_BLIND, 50),
    ]


def test_the_example_in_the_engine_is_true() -> None:
    assert doctest.testmod(table_core.hand.hand).failed == 0
