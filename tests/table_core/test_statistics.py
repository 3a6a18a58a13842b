"""Players' figures: what a hand adds, by its acts."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    Chips,
    HandStarted,
    Level,
    Misdealt,
    Refusal,
    Source,
    Street,
)
from table_core.statistics import Tally, of_hand
from tests.table_core.table import BASE, command, done, level, start

BLINDS = level(50, 100)
FOUR = {1: 5_000, 2: 5_000, 3: 5_000, 4: 5_000}  # the button is seat 4, the blinds 1 and 2, and 3 acts first
STREETS = ("board Ah7d2c", "board 9s", "board 3h")
CHECKS = ("1 check", "2 check")
HELD = ("KsKd", "QsQd", "JsJd", "TsTd", "9c9d", "8s8d", "7s7h", "6s6d", "5s5d")
SHOWN = ("1 table KsKd", "2 table QsQd", "award 1")


def told(stacks: dict[int, int], *lines: str, at: Level = BLINDS) -> dict[str, Tally]:
    """What a hand of these lines adds, by player `p3` for seat 3."""
    return of_hand(events_of(stacks, lines, at))


def events_of(stacks: dict[int, int], lines: Sequence[str], at: Level = BLINDS) -> list[AnyEvent]:
    hand = Hand(BASE)
    events = [*done(hand.push(start(stacks, at)))]
    for line in lines:
        events += done(hand.push(command(line)), line)
    return [named(event) for event in events]


def named(event: AnyEvent) -> AnyEvent:
    if not isinstance(event, HandStarted):
        return event
    return replace(event, seats=tuple([replace(one, player=f"p{one.seat}") for one in event.seats]))


def test_a_walk_is_a_hand_in_which_nobody_but_those_who_folded_decided() -> None:
    walk = told(FOUR, "3 fold", "4 fold", "1 fold")
    assert walk["p2"] == Tally(hands=1)
    assert walk["p3"] == walk["p1"] == Tally(hands=1, decided=1)


def test_blinds_are_not_put_in_by_choice_and_a_limp_is() -> None:
    lines = ["3 call", "4 fold", "1 call", "2 check", STREETS[0], "1 bet 200", "2 fold", "3 fold"]
    hand = told(FOUR, *lines)
    assert hand["p2"] == Tally(hands=1, decided=1, flops=1)
    assert hand["p3"] == Tally(hands=1, decided=1, vpip=1, flops=1)
    assert hand["p1"] == Tally(hands=1, decided=1, vpip=1, flops=1, wagers=1)


def test_the_second_raise_before_the_flop_is_a_three_bet_and_the_third_is_none() -> None:
    hand = told(FOUR, "3 raise 300", "4 raise 900", "1 fold", "2 raise 2500", "3 fold", "4 fold")
    assert [hand[f"p{seat}"].could_three_bet for seat in (1, 2, 3, 4)] == [0, 0, 0, 1]
    assert [hand[f"p{seat}"].three_bet for seat in (1, 2, 3, 4)] == [0, 0, 0, 1]
    assert [hand[f"p{seat}"].pfr for seat in (1, 2, 3, 4)] == [0, 1, 1, 1]


def test_who_calls_a_raise_could_have_three_bet() -> None:
    hand = told(FOUR, "3 raise 300", "4 call", "1 fold", "2 fold", STREETS[0], "3 bet 400", "4 fold")
    assert (hand["p4"].could_three_bet, hand["p4"].three_bet, hand["p4"].vpip) == (1, 0, 1)
    assert hand["p2"].could_three_bet == 1


def test_a_showdown_counts_for_everybody_who_saw_the_flop_and_did_not_fold() -> None:
    preflop = ("3 call", "4 fold", "1 call", "2 check")
    river = (STREETS[0], "1 check", "2 check", "3 check", STREETS[1], "1 bet 300", "2 call", "3 fold", STREETS[2])
    hand = told(FOUR, *preflop, *river, *CHECKS, *SHOWN)
    assert {player: (one.flops, one.showdowns) for player, one in hand.items()} == {
        "p1": (1, 1),
        "p2": (1, 1),
        "p3": (1, 0),
        "p4": (0, 0),
    }
    assert (hand["p1"].wagers, hand["p2"].calls) == (1, 1)


def test_all_in_before_the_flop_is_a_showdown_without_another_act() -> None:
    lines = ("3 all-in", "4 fold", "1 fold", "2 all-in", *STREETS, "3 table KsKd", "2 table QsQd", "award 3")
    hand = told({**FOUR, 3: 1_000}, *lines)
    assert hand["p3"] == Tally(hands=1, decided=1, vpip=1, pfr=1, flops=1, showdowns=1)
    assert (hand["p2"].vpip, hand["p2"].showdowns) == (1, 1)


def test_a_blind_that_is_all_in_decided_nothing() -> None:
    lines = ("3 call", "4 fold", "1 fold", *STREETS, "2 table KsKd", "3 table QsQd", "award 2")
    assert told({**FOUR, 2: 100}, *lines)["p2"] == Tally(hands=1, flops=1, showdowns=1)


def test_a_hand_that_is_void_or_not_over_adds_nothing() -> None:
    events = events_of(FOUR, ("3 fold", "4 fold", "1 fold"))
    assert of_hand(events[:-1]) == {}
    assert of_hand([*events, Misdealt(1, "", (), Source.KEY)]) == {}
    assert of_hand([]) == {}


def test_figures_are_parts_of_the_chances_that_there_were() -> None:
    shown = Tally(10, 8, 4, 2, 3, 1, wagers=5, calls=2, flops=3, showdowns=2).shown()
    assert (shown.hands, shown.vpip, shown.pfr, shown.three_bet) == (10, 500, 250, 333)
    assert (shown.aggression, shown.wtsd) == (250, 667)
    none = Tally(hands=1).shown()
    assert (none.vpip, none.pfr, none.three_bet, none.aggression, none.wtsd) == (None,) * 5


@pytest.mark.parametrize("seed", range(40))
def test_in_hands_of_any_acts_no_figure_exceeds_its_chances(seed: int) -> None:
    chance = random.Random(seed)
    stacks = {seat: chance.choice((150, 900, 5_000)) for seat in range(1, chance.randint(3, 10))}
    hand = Hand(BASE)
    events = [*done(hand.push(start(stacks, level(50, 100, ante=chance.choice((0, 10))))))]
    while not hand.ended:
        events += _some_step(hand, chance)
    tallies = of_hand([named(event) for event in events])
    assert tallies.keys() == {f"p{seat}" for seat in stacks}
    assert {one.hands for one in tallies.values()} == {1}
    for one in tallies.values():
        assert one.pfr <= one.vpip <= one.decided <= 1
        assert one.three_bet <= one.could_three_bet <= one.decided
        assert one.three_bet <= one.pfr
        assert one.showdowns <= one.flops
    assert sum(one.three_bet for one in tallies.values()) <= 1
    assert sum(one.showdowns for one in tallies.values()) != 1


def _some_step(hand: Hand, chance: random.Random) -> tuple[AnyEvent, ...]:
    legal = hand.legal()
    if legal is not None:
        to = Chips(chance.randint(legal.min_to or 0, legal.max_to or 0)) if legal.min_to is not None else None
        raising = Act(legal.seat, Action.RAISE if max(hand.bets.values()) else Action.BET, to)
        other = Act(legal.seat, Action.CHECK if legal.can_check else chance.choice((Action.CALL, Action.FOLD)))
        answer = hand.push(raising) if to is not None and chance.random() < 0.3 else hand.push(other)
        return done(hand.push(other)) if isinstance(answer, Refusal) else answer
    lines = {0: STREETS[0], 3: STREETS[1], 4: STREETS[2]}
    if len(hand.board) in lines and hand.street is not Street.SHOWDOWN:
        return done(hand.push(command(lines[len(hand.board)])))
    unshown = sorted({*hand.live_seats} - hand.tabled.keys())
    line = f"{unshown[0]} table {HELD[unshown[0] - 1]}" if unshown else "award"
    return done(hand.push(command(line)), line)
